// Package kv is the only one that knows Badger. It gives graph/store ordered keys,
// atomic commits and bulk writes, translates errors once, and keeps damaged files
// from ending the process. It knows nothing of what is stored.
package kv

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/ralph-index/ralph-index/graph/store/internal/mapfault"
)

// Errors that callers branch on.
var (
	ErrNotFound = errors.New("kv: not found")
	ErrCorrupt  = errors.New("kv: corrupt")
	ErrClosed   = errors.New("kv: closed")
	ErrTooLarge = errors.New("kv: too large for one commit")
)

const (
	// MaxValue bounds a value, so that none leaves the tree for the value log.
	MaxValue = 512 << 10
	// MaxCommit bounds keys and values of one Commit together.
	MaxCommit = 1 << 20

	memTable = 16 << 20 // a commit may fill 15 % of it
)

// Options configure Open.
type Options struct {
	Log *slog.Logger
	// Verify has every byte checked against its checksum first.
	Verify bool
	// Free measures the free space of a directory's disk; nil means Free.
	Free func(dir string) (int64, error)
}

// DB is an open directory. Methods are safe for concurrent use.
type DB struct {
	db    *badger.DB
	dir   string
	free  func(string) (int64, error)
	guard *mapfault.Guard
	spare *reserve
	// written is what was written since the tree was rewritten, in bytes.
	written atomic.Int64
	reads   reads
	// Tables are mapped into memory, and reading one after Close would end the
	// process: so calls are counted, and Close waits for those under way.
	calls   atomic.Int64
	closing atomic.Bool
	idle    chan struct{}
	once    sync.Once
}

// Open opens or creates a directory, whose parent exists. The caller holds a lock on
// it. It fails with ErrFull or ErrCorrupt where these apply.
func Open(dir string, o Options) (_ *DB, err error) {
	var guard *mapfault.Guard
	defer func() {
		if err != nil {
			guard.Close()
		}
	}()
	defer rescue("open", &err) // before that
	if o.Free == nil {
		o.Free = Free
	}
	if err := enough(filepath.Dir(dir), o.Free, room); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create directory: %w", err)
	}
	if err := checkDir(dir, o.Verify); err != nil {
		return nil, err
	}
	spare, err := newReserve(dir)
	if err != nil {
		return nil, err
	}
	if guard, err = mapfault.New(dir); err != nil {
		o.Log.Warn("a full disk may end this process", "error", err)
	}
	d := &DB{dir: dir, free: o.Free, guard: guard, spare: spare, idle: make(chan struct{}, 1)}
	opt := badger.DefaultOptions(dir).
		WithLogger(logger{o.Log, &d.closing}).WithMetricsEnabled(false).WithDetectConflicts(false).
		WithCompression(options.None).WithBlockCacheSize(0).WithIndexCacheSize(0).
		WithMemTableSize(memTable).WithNumMemtables(2).
		WithNumLevelZeroTables(5).WithNumLevelZeroTablesStall(15).WithNumCompactors(2).
		WithValueLogFileSize(1 << 20).WithValueThreshold(1 << 20).
		WithSyncWrites(false)
	if err = seed(opt); err == nil {
		d.db, err = badger.Open(opt)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: open: %w", ErrCorrupt, err)
	}
	return d, nil
}

// Close waits for calls under way and closes. Calls made later return ErrClosed. A
// directory that was deleted meanwhile is made again, so that Badger can write its last
// table there, though what stands in it afterwards is of no use. Where it cannot, the
// table is given up (see logger): its log has what was in it.
func (d *DB) Close() (err error) {
	d.once.Do(func() {
		defer rescue("close", &err)
		d.closing.Store(true)
		for d.calls.Load() != 0 {
			<-d.idle
		}
		d.reads.wrote() // ends what is kept
		if err = os.MkdirAll(d.dir, 0o700); err != nil {
			err = fmt.Errorf("close: %w", err)
		}
		d.spare.release()
		if closeErr := d.db.Close(); closeErr != nil {
			err = fmt.Errorf("close: %w", closeErr)
		}
		d.lost(&err)
		d.guard.Close()
	})
	return err
}

// enter counts a call, which leave ends.
func (d *DB) enter() error {
	d.calls.Add(1)
	if d.closing.Load() {
		d.leave()
		return ErrClosed
	}
	return nil
}

func (d *DB) leave() {
	if d.calls.Add(-1) == 0 && d.closing.Load() {
		select {
		case d.idle <- struct{}{}:
		default:
		}
	}
}

// rescue turns a panic over damaged bytes into ErrCorrupt.
func rescue(what string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %s: %v\n%s", ErrCorrupt, what, r, debug.Stack())
	}
}

// Get returns a copy of the value of key, or ErrNotFound.
func (d *DB) Get(key []byte) (value []byte, err error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	defer d.lost(&err)
	defer rescue("get", &err)
	txn := d.reads.begin(d.db)
	served := false
	defer func() {
		if served {
			d.reads.end(txn)
		} else {
			txn.Discard()
		}
	}()
	item, err := txn.Get(key)
	if err == nil {
		// The item is ours alone and holds its own copy of the value.
		err = item.Value(func(v []byte) error { value = v; return nil })
	}
	served = err == nil || errors.Is(err, badger.ErrKeyNotFound)
	return value, translate(err)
}

// Scan calls fn with the keys under prefix in ascending order, and their values
// unless keysOnly. Both are valid during the call. It ends at the first error.
func (d *DB) Scan(ctx context.Context, prefix []byte, keysOnly bool, fn func(key, value []byte) error) (err error) {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	defer d.lost(&err)
	defer rescue("scan", &err)
	txn := d.db.NewTransaction(false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix, PrefetchValues: false})
	defer it.Close()
	n := 0
	for it.Rewind(); it.Valid(); it.Next() {
		if n++; n%256 == 0 {
			if d.closing.Load() {
				return ErrClosed
			}
			if err := context.Cause(ctx); err != nil {
				return err
			}
		}
		item := it.Item()
		if item.Key()[0] == private {
			continue
		}
		if keysOnly {
			err = fn(item.Key(), nil)
		} else {
			err = item.Value(func(v []byte) error { return fn(item.Key(), v) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Last returns the last key under prefix, or ErrNotFound.
func (d *DB) Last(prefix []byte) (key []byte, err error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	defer d.lost(&err)
	defer rescue("last", &err)
	txn := d.db.NewTransaction(false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{Reverse: true})
	defer it.Close()
	end := append(append([]byte(nil), prefix...), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	if it.Seek(end); !it.ValidForPrefix(prefix) {
		return nil, ErrNotFound
	}
	return it.Item().KeyCopy(nil), nil
}

// Pair is a key and what it is to hold; a nil value deletes the key.
type Pair struct{ Key, Value []byte }

// Commit makes all changes or none, for example with ErrFull. It keeps the slices until it returns.
func (d *DB) Commit(pairs []Pair) (err error) {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	defer d.lost(&err)
	defer rescue("commit", &err)
	if err := d.roomFor(); err != nil {
		return err
	}
	size := 0
	for _, p := range pairs {
		size += len(p.Key) + len(p.Value) + entryCost
	}
	if err := d.spare.cover(int64(size)); err != nil {
		return err
	}
	return d.commit(pairs)
}

// commit is Commit within a call.
func (d *DB) commit(pairs []Pair) (err error) {
	defer d.reads.wrote()
	txn := d.db.NewTransaction(true)
	defer txn.Discard()
	for _, p := range pairs {
		d.count(p.Key, p.Value)
		if p.Value == nil {
			err = txn.Delete(p.Key)
		} else {
			err = txn.Set(p.Key, p.Value)
		}
		if err != nil {
			return translate(err)
		}
	}
	return translate(txn.Commit())
}

// Sync returns when what was committed would survive a loss of power.
func (d *DB) Sync() (err error) {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	defer d.lost(&err)
	defer rescue("sync", &err)
	return translate(d.db.Sync())
}

func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, badger.ErrKeyNotFound):
		return ErrNotFound
	case errors.Is(err, badger.ErrTxnTooBig):
		return ErrTooLarge
	case errors.Is(err, badger.ErrDBClosed), errors.Is(err, badger.ErrBlockedWrites):
		return ErrClosed
	}
	return fmt.Errorf("kv: %w", err)
}

// logger passes Badger's words on. They are about its insides, so all but errors
// and warnings are for debugging.
//
// Badger has no other word for who asks to close: the goroutine that writes tables
// tries one that the disk refuses again for ever, and Close waits for it. It reports
// each failure here, with nothing held, and is ended here when the database closes.
type logger struct {
	*slog.Logger
	closing *atomic.Bool
}

func (l logger) Errorf(f string, v ...any) {
	l.Error("kv", "message", fmt.Sprintf(f, v...))
	if strings.HasPrefix(f, "error flushing memtable") && l.closing.Load() {
		runtime.Goexit()
	}
}

func (l logger) Warningf(f string, v ...any) { l.Warn("kv", "message", fmt.Sprintf(f, v...)) }
func (l logger) Infof(f string, v ...any)    {}
func (l logger) Debugf(f string, v ...any)   {}
