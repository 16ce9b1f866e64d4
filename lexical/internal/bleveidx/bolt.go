package bleveidx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// checkBolt reads all of the file that lists the segments, in this goroutine. A file
// that was cut or overwritten ends a read with a panic or a memory fault; here both
// are an error, in the background work of the index they would be the end of the
// process. It is for an index without a seal, which is one that was not closed.
func checkBolt(dir string, lockWait time.Duration) (err error) {
	if _, err := os.Stat(sealName(dir)); err == nil {
		return nil
	}
	path := filepath.Join(dir, "root.bolt")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("list of segments: %v", r)
		}
	}()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockWait})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil // somebody has it open, which is told when it is opened in earnest
	}
	if err != nil {
		return fmt.Errorf("list of segments: %w", err)
	}
	defer func() { _ = db.Close() }() // read only
	return db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error { return readBucket(b) })
	})
}

// readBucket touches every key and value.
func readBucket(b *bbolt.Bucket) error {
	return b.ForEach(func(k, v []byte) error {
		if v == nil {
			if sub := b.Bucket(k); sub != nil {
				return readBucket(sub)
			}
		}
		sum := byte(0)
		for _, part := range [][]byte{k, v} {
			for _, c := range part {
				sum ^= c
			}
		}
		_ = sum
		return nil
	})
}
