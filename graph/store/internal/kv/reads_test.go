package kv

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"testing"
)

// TestGetSeesWhatWasWritten reads beside a writer: a Get that begins after a write has
// returned sees it, whichever transaction it is given.
func TestGetSeesWhatWasWritten(t *testing.T) {
	d := open(t, t.TempDir())
	key := []byte("n")
	var written atomic.Uint64
	write := func(n uint64) {
		value := binary.BigEndian.AppendUint64(nil, n)
		if n%3 > 0 {
			if err := d.Commit([]Pair{{key, value}}); err != nil {
				t.Error(err)
			}
		} else {
			b, err := d.Bulk()
			if err == nil {
				err = b.Set(key, value)
			}
			if err == nil {
				err = b.Flush()
			}
			if err != nil {
				t.Error(err)
			}
		}
		written.Store(n)
	}
	write(1)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				least := written.Load()
				v, err := d.Get(key)
				if err != nil || binary.BigEndian.Uint64(v) < least {
					t.Errorf("Get = %x, %v after %d was written", v, err, least)
					return
				}
				if _, err := d.Get([]byte("absent")); err == nil {
					t.Error("Get finds an absent key")
				}
			}
		})
	}
	for n := range uint64(300) {
		write(n + 2)
	}
	close(done)
	wg.Wait()
	if n := len(d.reads.idle); n > maxReads {
		t.Errorf("%d transactions are kept", n)
	}
}
