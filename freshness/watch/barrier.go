package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrUntrusted says that events do not tell all there is to know: look at the files.
var ErrUntrusted = errors.New("events cannot be trusted now")

// patience is how long a cookie may take before the events count as silent. It is
// far above what a busy machine needs.
const patience = 2 * time.Second

// Barrier returns when every change that was made before the call has been told to
// Mark or MarkAll. It renames a file of its own and waits to hear of that: events of
// one source come in order, so all earlier ones have then been heard. The error is
// that of ctx, or ErrUntrusted.
func (w *Watcher) Barrier(ctx context.Context) error {
	if w.State().Mode != Active {
		return ErrUntrusted
	}
	heard, err := w.cookies.bake()
	if err != nil {
		w.o.Log.Debug("no barrier", "err", err)
		w.cookies.complain()
		return ErrUntrusted
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-heard:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.ended:
		return ErrUntrusted
	case <-limit.C:
		w.cookies.complain()
		return ErrUntrusted
	}
	if w.State().Mode != Active {
		return ErrUntrusted
	}
	return nil
}

// cookies are the files of the barrier: in truth one, which gets a new name each
// time. To rename it costs one system call, and the name says which call it was.
type cookies struct {
	dir     string
	silence chan struct{} // holds a token when a cookie was waited for in vain

	mu      sync.Mutex
	src     Source // nil: closed, or never opened
	last    uint64 // number in the name that the file has
	waiting map[uint64]chan struct{}
}

var errNoCookies = errors.New("there is no directory for the barrier")

// open begins to watch the directory of the cookies.
func (c *cookies) open(src Source, log *slog.Logger) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = map[uint64]chan struct{}{}
	if c.dir == "" {
		return
	}
	c.src = src
	c.last = uint64(os.Getpid()) << 32 // what a process before this one left has other names
	if err := c.first(); err != nil {
		log.Warn("changes cannot be waited for", "err", err)
	}
}

// first makes the directory and the file. The caller holds mu.
func (c *cookies) first() error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return fmt.Errorf("make cookie directory: %w", err)
	}
	old, _ := os.ReadDir(c.dir) // what a killed process left
	for _, e := range old {
		_ = os.Remove(filepath.Join(c.dir, e.Name()))
	}
	if err := c.src.Add(c.dir); err != nil {
		return err
	}
	c.last++
	f, err := os.OpenFile(c.name(c.last), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("make cookie: %w", err)
	}
	return f.Close()
}

func (c *cookies) name(n uint64) string { return filepath.Join(c.dir, strconv.FormatUint(n, 36)) }

// bake gives the file its next name. The channel is closed when that was heard of.
func (c *cookies) bake() (<-chan struct{}, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.src == nil {
		return nil, errNoCookies
	}
	heard := make(chan struct{})
	c.waiting[c.last+1] = heard
	if err := os.Rename(c.name(c.last), c.name(c.last+1)); err == nil {
		c.last++
		return heard, nil
	}
	delete(c.waiting, c.last+1)
	// Somebody has removed the file, or the whole index.
	c.waiting[c.last+1] = heard
	if err := c.first(); err != nil {
		delete(c.waiting, c.last)
		return nil, err
	}
	return heard, nil
}

// eat takes an event that is about a cookie, and says whether it was.
func (c *cookies) eat(e Event) bool {
	if c.dir == "" || !strings.HasPrefix(e.Path, c.dir) {
		return false
	}
	rest := e.Path[len(c.dir):]
	if rest == "" {
		return true
	}
	if rest[0] != filepath.Separator {
		return false
	}
	n, err := strconv.ParseUint(rest[1:], 36, 64)
	if err != nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// The old name of a cookie that is renamed was heard of before.
	if heard, ok := c.waiting[n]; ok {
		close(heard)
		delete(c.waiting, n)
	}
	return true
}

// complain says that a cookie was waited for in vain.
func (c *cookies) complain() {
	select {
	case c.silence <- struct{}{}:
	default:
	}
}

// release lets everybody pass who waits: the mode tells them that it was in vain.
func (c *cookies) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, heard := range c.waiting {
		close(heard)
		delete(c.waiting, n)
	}
}

// close ends the barrier.
func (c *cookies) close() {
	c.release()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.src != nil {
		_ = os.Remove(c.name(c.last)) // the next process removes what this one could not
		c.src = nil
	}
}
