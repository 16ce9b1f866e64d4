package kv

import (
	"errors"
	"fmt"
)

// Badger writes logs and tables through mappings of sparse files, in goroutines of
// its own, long after the commit that made them necessary. So writes are refused
// while the disk may be too small for what they lead to, which leaves what is stored
// as it is; and where another process takes the rest of the disk meanwhile, a guard
// (package mapfault) keeps this one alive, and the directory counts as damaged.

// ErrFull says that nothing was written because the disk is nearly full.
var ErrFull = errors.New("kv: disk is full")

const (
	// room is the free space below which nothing is written: two memory tables and
	// their logs. What a compaction may write beside the tables comes on top.
	room = 48 << 20
	// roomStride is how much a bulk write may take between two looks.
	roomStride = 256 << 10
)

// HasRoom fails with ErrFull where a commit would.
func (d *DB) HasRoom() error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	return d.roomFor()
}

// roomFor is HasRoom within a call.
func (d *DB) roomFor() error {
	tables, _ := d.db.Size()
	return enough(d.dir, d.free, room+tables)
}

// enough fails with ErrFull where less than need is free. A disk that does not say
// how full it is counts as empty.
func enough(dir string, free func(string) (int64, error), need int64) error {
	if n, err := free(dir); err == nil && n < need {
		return fmt.Errorf("%w (%d MB free, %d MB needed)", ErrFull, n>>20, need>>20)
	}
	return nil
}

// lost reports that what was written did not reach its file, or what was read did
// not come from it. It ends every call: the answer may be wrong.
func (d *DB) lost(err *error) {
	if d.guard.Hit() {
		*err = fmt.Errorf("%w: the disk was full, or somebody cut a file; what was written last is lost: free some space, and the index is built again", ErrCorrupt)
	}
}
