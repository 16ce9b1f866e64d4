package kv

import "github.com/dgraph-io/badger/v4"

// Bulk writes many keys fast, without atomicity: they become visible one by one.
// It must end in Flush or Cancel. It is not safe for concurrent use.
type Bulk struct {
	d     *DB
	wb    *badger.WriteBatch
	since int   // bytes since the free space was looked at
	large int64 // bytes that the reserve knows of
}

// Bulk starts a bulk write.
func (d *DB) Bulk() (*Bulk, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	return &Bulk{d: d, wb: d.db.NewWriteBatch(), since: roomStride}, nil
}

// Set writes a key, or fails with ErrFull; a nil value deletes it. Both slices are kept until Flush.
func (b *Bulk) Set(key, value []byte) (err error) {
	if err := b.d.enter(); err != nil {
		return err
	}
	defer b.d.leave()
	defer b.d.lost(&err)
	defer rescue("bulk set", &err)
	if b.since += len(key) + len(value); b.since >= roomStride {
		if err := b.d.roomFor(); err != nil {
			return err
		}
		b.large += int64(b.since)
		if err := b.d.spare.coverBulk(int64(b.since)); err != nil {
			return err
		}
		b.since = 0
	}
	b.d.count(key, value)
	defer b.d.reads.wrote() // this one, or those before it
	if value == nil {
		return translate(b.wb.Delete(key))
	}
	return translate(b.wb.Set(key, value))
}

// Flush returns when everything is written, or with the first error.
func (b *Bulk) Flush() (err error) {
	if err := b.d.enter(); err != nil {
		return err
	}
	defer b.d.leave()
	defer b.d.lost(&err)
	defer rescue("bulk flush", &err)
	defer b.d.reads.wrote()
	defer b.written()
	return translate(b.wb.Flush())
}

// written tells the reserve that nothing of the write is on its way any more.
func (b *Bulk) written() {
	b.d.spare.written(b.large)
	b.large = 0
}

// Cancel ends the write; what was written before may stay. After Flush it does nothing.
func (b *Bulk) Cancel() {
	if b.d.enter() != nil {
		return
	}
	defer b.d.leave()
	defer b.d.reads.wrote()
	defer b.written()
	b.wb.Cancel()
}
