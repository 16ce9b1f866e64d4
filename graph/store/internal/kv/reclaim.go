package kv

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// private begins the keys of this package's own, which no scan shows.
const private = 0xff

const (
	// worthRewriting is what must have been written since the tree was last rewritten,
	// at least, and as a part of its tables.
	worthRewriting     = 1 << 20
	worthRewritingPart = 8
	// entryCost is about what Badger adds to a key and a value.
	entryCost = 40
	// logWait bounds the wait for a log to become a table, and logTick is the pause
	// between two looks.
	logWait = 10 * time.Second
	logTick = 10 * time.Millisecond
	// seedTable is the size of the log and of the table that a new directory begins with.
	seedTable = 64 << 10
	// filling is what a log is filled with at a time: the last one begins the next log.
	filling = 64 << 10
)

// seed puts a table into the lowest level of a new directory. Badger rewrites tables
// only from one level into another: as long as all are in the first, it merges none
// of them when it is asked to.
func seed(opt badger.Options) error {
	_, err := os.Stat(filepath.Join(opt.Dir, badger.ManifestFilename))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// One small value needs none of the room that is else made, mapped and cleared.
	db, err := badger.Open(opt.WithCompactL0OnClose(true).
		WithMemTableSize(seedTable).WithBaseTableSize(seedTable).WithValueThreshold(seedTable / 16))
	if err != nil {
		return err
	}
	err = db.Update(func(txn *badger.Txn) error { return txn.Set([]byte{private, 's'}, []byte{1}) })
	return errors.Join(err, db.Close())
}

// count notes what is written.
func (d *DB) count(key, value []byte) { d.written.Add(int64(len(key) + len(value) + entryCost)) }

// WorthReclaiming reports whether so much was written since the last Reclaim that,
// if some of it was deleted again, the tree may be much larger than it has to be.
func (d *DB) WorthReclaiming() bool {
	if d.enter() != nil {
		return false
	}
	defer d.leave()
	tables, _ := d.db.Size()
	return d.written.Load() > max(worthRewriting, tables/worthRewritingPart)
}

// Reclaim rewrites the tree without what was deleted or replaced. It takes time in
// proportion to the whole directory; other calls proceed. Close waits for it: what
// ctx can stop is all but the rewriting itself.
func (d *DB) Reclaim(ctx context.Context) (err error) {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	defer d.lost(&err)
	defer rescue("reclaim", &err)
	if err := d.roomFor(); err != nil {
		return err
	}
	if err := d.turnLog(ctx); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	d.written.Store(0)
	d.spare.written(0) // the log is a table now
	return translate(d.db.Flatten(1))
}

// turnLog makes a table of what stands in the log, which no rewriting reaches. Badger
// does so when the log is full and has no call for it, so the log is filled.
func (d *DB) turnLog(ctx context.Context) error {
	logs, err := d.logs()
	if err != nil {
		return err
	}
	last := ""
	if len(logs) > 0 {
		last = logs[len(logs)-1]
	}
	filler := Pair{Key: []byte{private, 'f'}, Value: make([]byte, filling)}
	for n := 0; n <= memTable/filling && err == nil && (len(logs) == 0 || logs[len(logs)-1] == last); n++ {
		if err := d.commit([]Pair{filler}); err != nil {
			return err
		}
		logs, err = d.logs()
	}
	if err == nil {
		err = d.commit([]Pair{{Key: filler.Key}})
	}
	if err != nil {
		return err
	}
	end := time.After(logWait)
	for {
		if logs, err = d.logs(); err != nil || len(logs) == 0 || logs[0] > last {
			return err
		}
		select {
		case <-time.After(logTick):
		case <-end:
			return nil // somebody reads from it: what it holds is rewritten next time
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// logs lists the logs, oldest first.
func (d *DB) logs() ([]string, error) { return filepath.Glob(filepath.Join(d.dir, "*.mem")) }
