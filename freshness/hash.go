package freshness

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// Grain is the time after a change within which another change may leave the
// signature as it is: the coarsest clock of common file systems.
const Grain = 2 * time.Second

// Racy reports whether a file with this signature, read at the given time, may
// have changed afterwards without its signature showing it. Such a record is to be
// stored with Racy set. readAt is the time before the read began.
//
// A change time in the future counts too: the clock was set back, and will pass
// that moment again. A modification time in the future does not, for programs set
// it to anything, and the change time tells.
func Racy(sig graph.Signature, readAt time.Time) bool {
	from := readAt.Add(-Grain).UnixNano()
	to := readAt.Add(Grain).UnixNano()
	return sig.CtimeNS >= from || sig.MtimeNS >= from && sig.MtimeNS <= to
}

// HashFunc reads a file and returns its hash and the signature that belongs to the
// bytes hashed. Its error is a *tree.Error where it is about the path.
type HashFunc func(ctx context.Context, path graph.Path) (graph.Hash, graph.Signature, error)

// maxKept is the largest buffer that is kept for the next file.
const maxKept = 4 << 20

// Hasher returns a HashFunc that reads through a tree.
func Hasher(t *tree.Tree) HashFunc {
	pool := sync.Pool{New: func() any { return new([]byte) }}
	return func(ctx context.Context, path graph.Path) (graph.Hash, graph.Signature, error) {
		if err := ctx.Err(); err != nil {
			return graph.Hash{}, graph.Signature{}, err
		}
		buf := pool.Get().(*[]byte)
		data, sig, err := t.Read(path, *buf)
		if err != nil {
			pool.Put(buf)
			return graph.Hash{}, graph.Signature{}, err
		}
		h := graph.Hash(sha256.Sum256(data))
		if cap(data) <= maxKept {
			*buf = data
			pool.Put(buf)
		}
		return h, sig, nil
	}
}
