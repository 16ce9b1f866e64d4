package bleveidx

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// ErrDamaged is returned when background work fails again and again for no reason of
// the machine: the files do not hold what they should.
var ErrDamaged = errors.New("files of the index are damaged")

// patience is how many failures in a row are taken for a lasting state.
const patience = 3

// trouble counts the failures of scorch's background work, which tries again for
// ever: whoever waits for it learns here that it is in vain.
type trouble struct {
	mu     sync.Mutex
	count  int
	err    error
	lasts  bool          // nothing will be tried again
	raised chan struct{} // closed while there is no hope
}

func newTrouble() *trouble { return &trouble{raised: make(chan struct{})} }

func (t *trouble) note(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	t.err = err
	if errors.Is(err, scorch.ErrAsyncPanic) { // its loop has ended
		t.lasts = true
	}
	if t.lasts || t.count >= patience {
		select {
		case <-t.raised:
		default:
			close(t.raised)
		}
	}
}

// over takes back what was noted: something was written.
func (t *trouble) over() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lasts {
		return
	}
	if t.count >= patience {
		t.raised = make(chan struct{})
	}
	t.count, t.err = 0, nil
}

// dead reports whether a loop has ended that should not have.
func (t *trouble) dead() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lasts
}

func (t *trouble) channel() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.raised
}

// failure is what keeps the work from succeeding.
func (t *trouble) failure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil || machine(t.err) {
		return t.err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, t.err)
}

// machine reports whether an error is about the machine. Scorch keeps its text alone.
func machine(err error) bool {
	for _, e := range [...]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EACCES, syscall.EPERM} {
		if strings.Contains(err.Error(), e.Error()) {
			return true
		}
	}
	return false
}
