package tree

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/graph"
)

// maxAhead bounds the entries that are listed and not yet yielded.
const maxAhead = 1 << 16

// maxHelpers bounds the goroutines that list ahead.
const maxHelpers = 8

// dirBuffer is the room for one read of a directory.
const dirBuffer = 32 << 10

// room is what a goroutine lists directories with, one after the other.
type room struct {
	buf   []byte
	found []dirent
	path  []byte
}

func newRoom() *room { return &room{buf: make([]byte, dirBuffer)} }

// walker yields directories in order while helpers list ahead of it. Whoever
// claims a directory first lists it, the consumer included: it never waits for a
// directory that nobody has begun, so helpers may stop at will when they are too
// far ahead.
type walker struct {
	t    *Tree
	ctx  context.Context // of one Walk, which the walker does not outlive
	opts WalkOptions
	fn   func(Entry) error
	room *room // the consumer's

	helpers sync.WaitGroup

	mu      sync.Mutex // guards what follows
	wake    *sync.Cond
	open    []*listing // to be listed, the next one last
	ahead   int        // entries listed and not yet yielded
	started bool
	done    bool
}

// listing is one directory: to be listed, or listed.
type listing struct {
	path    graph.Path
	stack   *ignore.Stack // of the parent
	claimed atomic.Bool
	ready   chan struct{} // closed when a helper has listed it
	nodes   []node
	odd     *Entry // the directory itself, when it cannot be listed
	err     error  // ends the walk
}

// node is an entry, a subdirectory, or both.
type node struct {
	entry Entry
	yield bool
	sub   *listing
}

func newWalker(ctx context.Context, t *Tree, opts WalkOptions, fn func(Entry) error) *walker {
	w := &walker{t: t, ctx: ctx, opts: opts, fn: fn, room: newRoom()}
	w.wake = sync.NewCond(&w.mu)
	return w
}

// stop ends the helpers and waits for them.
func (w *walker) stop() {
	w.mu.Lock()
	w.done = true
	w.mu.Unlock()
	w.wake.Broadcast()
	w.helpers.Wait()
}

// consume yields a directory and what lies below it.
func (w *walker) consume(l *listing) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if l.claimed.CompareAndSwap(false, true) {
		w.list(l, w.room)
		w.announce(l)
	} else {
		<-l.ready
	}
	if l.err != nil {
		return l.err
	}
	if l.odd != nil {
		return w.fn(*l.odd)
	}
	nodes := l.nodes
	l.nodes = nil
	for i := range nodes {
		if i&255 == 255 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if nodes[i].yield {
			if err := w.fn(nodes[i].entry); err != nil {
				return err
			}
		}
		if sub := nodes[i].sub; sub != nil {
			if err := w.consume(sub); err != nil {
				return err
			}
		}
	}
	w.mu.Lock()
	was := w.ahead
	w.ahead -= len(nodes)
	wake := was > maxAhead && w.ahead <= maxAhead
	w.mu.Unlock()
	if wake {
		w.wake.Broadcast()
	}
	return nil
}

// announce offers the subdirectories of a listed directory to the helpers, the
// first one next: helpers then work where the consumer comes soonest.
func (w *walker) announce(l *listing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ahead += len(l.nodes)
	n := len(w.open)
	for i := len(l.nodes) - 1; i >= 0; i-- {
		if sub := l.nodes[i].sub; sub != nil {
			sub.ready = make(chan struct{})
			w.open = append(w.open, sub)
		}
	}
	if len(w.open) == n || w.done {
		return
	}
	if !w.started {
		w.started = true
		for range w.t.helpers() {
			w.helpers.Add(1)
			go w.help()
		}
	}
	w.wake.Broadcast()
}

// help lists directories until the walk ends.
func (w *walker) help() {
	defer w.helpers.Done()
	room := newRoom()
	for {
		w.mu.Lock()
		for !w.done && (len(w.open) == 0 || w.ahead > maxAhead) {
			w.wake.Wait()
		}
		if w.done || w.ctx.Err() != nil {
			w.mu.Unlock()
			return
		}
		l := w.open[len(w.open)-1]
		w.open = w.open[:len(w.open)-1]
		w.mu.Unlock()
		if !l.claimed.CompareAndSwap(false, true) {
			continue
		}
		w.list(l, room)
		w.announce(l)
		close(l.ready)
	}
}

// helpers is how many goroutines list ahead.
func (t *Tree) helpers() int {
	if t.alone {
		return 0
	}
	return min(runtime.GOMAXPROCS(0), maxHelpers)
}

// fail notes that a directory cannot be listed: it is odd, or gone, or the walk
// must end.
func (l *listing) fail(t *Tree, err error) {
	reason := reasonOf(err)
	failure := &Error{Op: "list", Path: l.path, Reason: reason, Err: err}
	switch {
	case exhausted(err) || l.path == "":
		l.err = failure
	case reason == ReasonNotExist || reason == ReasonLoop:
		// Removed, or replaced by a file or a link, since its parent was listed.
	default:
		e, serr := t.Stat(l.path)
		if errors.Is(serr, unix.ENOENT) {
			return
		}
		l.odd = &Entry{Path: l.path, Sig: e.Sig, Type: Unreadable, Reason: reason}
	}
}
