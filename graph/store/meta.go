package store

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
	"github.com/ralph-index/ralph-index/graph/store/internal/kv"
)

const (
	maxTombstones = 10_000
	tombstoneAge  = 30 * 24 * time.Hour
)

// Meta returns a value that SetMeta stored: jobs, hub tables, settings.
func (s *Store) Meta(key string) (value []byte, ok bool, err error) {
	value, err = s.large(keys.MetaName(key))
	if errors.Is(err, kv.ErrNotFound) {
		return nil, false, nil
	}
	return value, err == nil, wrap("read meta value", err)
}

// SetMeta stores values of any size; a nil value removes its key. It is
// independent of batches and generations. Values of together less than 1 MB are
// stored in one transaction.
func (s *Store) SetMeta(values map[string][]byte) error {
	var pairs []kv.Pair
	for name, value := range values {
		prefix := keys.MetaName(name)
		if value == nil {
			pairs = append(pairs, kv.Pair{Key: keys.Part(prefix, 0)})
		} else {
			pairs = appendParts(pairs, prefix, value)
		}
	}
	s.reached(StepMeta)
	if fits(pairs) {
		return wrap("write meta values", s.kv.Commit(pairs))
	}
	return wrap("write meta values", s.write(pairs))
}

// fits reports whether pairs can be committed together.
func fits(pairs []kv.Pair) bool {
	n := 0
	for _, p := range pairs {
		n += 64 + len(p.Key) + len(p.Value)
	}
	return n < kv.MaxCommit
}

// write stores pairs one by one.
func (s *Store) write(pairs []kv.Pair) error {
	bulk, err := s.kv.Bulk()
	if err != nil {
		return err
	}
	defer bulk.Cancel()
	for _, p := range pairs {
		if err := bulk.Set(p.Key, p.Value); err != nil {
			return err
		}
	}
	return bulk.Flush()
}

// Tombstone finds the version of a file that an evidence or span id was minted on.
func (s *Store) Tombstone(id graph.ID) (t Tombstone, ok bool, err error) {
	value, err := s.kv.Get(keys.OfTombstone(id.Path, id.Head))
	if errors.Is(err, kv.ErrNotFound) {
		return Tombstone{}, false, nil
	}
	if err != nil {
		return Tombstone{}, false, wrap("read tombstone", err)
	}
	t, err = decodeTombstone(value)
	if err != nil || s.opt.Clock().Sub(t.At) > tombstoneAge {
		return Tombstone{}, false, err
	}
	return t, true, nil
}

// reasons are numbered as the tables of records are.
func reasons() []Reason { return []Reason{ReasonChanged, ReasonDeleted} }

// pair is how t is stored.
func (t *Tombstone) pair() kv.Pair {
	var head [4]byte
	copy(head[:], t.Hash[:])
	b := binary.AppendVarint(nil, t.At.UnixMilli())
	b = appendEnum(b, reasons(), t.Reason)
	b = append(b, t.Hash[:]...)
	b = appendString(b, string(t.Path))
	b = binary.AppendUvarint(b, uint64(t.ID))
	return kv.Pair{Key: keys.OfTombstone(graph.KeyOf(t.Path), head), Value: b}
}

func decodeTombstone(b []byte) (t Tombstone, err error) {
	r := reader{b: b}
	t.At = time.UnixMilli(r.int())
	t.Reason = readEnum(&r, reasons())
	copy(t.Hash[:], r.bytes(uint64(len(t.Hash))))
	t.Path = graph.Path(r.text())
	if len(r.b) > 0 { // older ones have none
		t.ID = graph.FileID(r.uint())
	}
	return t, r.err
}

// Former returns the outline of a version that is gone, nil where its facts are not
// kept any more: they stay until garbage is collected.
func (s *Store) Former(t Tombstone) *graph.Facts {
	if t.ID == 0 {
		return nil
	}
	b, err := s.readBlob(t.ID)
	if err != nil {
		return nil
	}
	f, err := blob.Open(b)
	if err != nil {
		return nil
	}
	if o := f.Outline(); o.Path == t.Path && o.Hash == t.Hash {
		return o
	}
	return nil
}
