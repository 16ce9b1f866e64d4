package watch

import (
	"errors"
	"fmt"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"
)

// Source tells of changes in single directories, not in what lies below them.
type Source interface {
	// Add begins to watch a directory (absolute). Adding one again is no error. It
	// fails with ErrLimit when the system allows no more.
	Add(dir string) error
	// Remove ends it; a directory that is not watched is no error.
	Remove(dir string) error
	// Events come in the order in which they happened, across directories too.
	Events() <-chan Event
	// Errors come in order with the events as far as the reader can tell;
	// ErrOverflow says that events were lost.
	Errors() <-chan error
	Close() error
}

// Event is one change.
type Event struct {
	Path string // absolute: below a watched directory, or the directory itself
	Op   Op
}

// Op is a set of what happened.
type Op uint8

// The kinds of change.
const (
	// Structure says that the name appeared or disappeared.
	Structure  Op = 1 << iota
	Bytes         // something was written
	Attributes    // mode, times, or the number of links
)

// Errors of a source.
var (
	ErrOverflow = errors.New("events were lost")
	ErrLimit    = errors.New("the system allows no more watches")
)

// kernel is the Source of the operating system.
type kernel struct {
	w      *fsnotify.Watcher
	events chan Event
	errors chan error
	done   chan struct{} // closed by Close
	ended  chan struct{} // closed when pump has ended
}

// newKernel opens a source. It needs one instance of a limited number.
func newKernel() (Source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		if limited(err) {
			err = fmt.Errorf("%w: %w", ErrLimit, err)
		}
		return nil, fmt.Errorf("open watcher: %w", err)
	}
	k := &kernel{w: w, events: make(chan Event), errors: make(chan error), done: make(chan struct{}), ended: make(chan struct{})}
	go k.pump()
	return k, nil
}

// heldMost is how many events wait for the reader; more than the system itself holds
// back count as lost.
const heldMost = 1 << 16

// said is an event or an error, as it came.
type said struct {
	event Event
	err   error
}

// pump translates, in order. It takes from the library at all times: that holds its
// lock while it hands some errors out, and whoever reads our events sets and ends
// watches meanwhile, for which the library wants the lock.
func (k *kernel) pump() {
	defer close(k.ended)
	defer close(k.events)
	var held []said
	at := 0 // where held begins
	for {
		var events chan<- Event
		var errs chan<- error
		var next said
		switch {
		case at == len(held):
			held, at = held[:0], 0
		case at > heldMost: // taken, and never all of it
			held, at = append(held[:0], held[at:]...), 0
			continue
		case held[at].err != nil:
			next, errs = held[at], k.errors
		default:
			next, events = held[at], k.events
		}
		if len(held)-at > heldMost {
			held, at = append(held[:0], said{err: ErrOverflow}), 0
			continue
		}
		select {
		case e, ok := <-k.w.Events:
			if !ok {
				return
			}
			held = append(held, said{event: Event{Path: e.Name, Op: translate(e.Op)}})
		case err, ok := <-k.w.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				err = ErrOverflow
			}
			held = append(held, said{err: err})
		case events <- next.event:
			at++
		case errs <- next.err:
			at++
		case <-k.done:
			return
		}
	}
}

func translate(op fsnotify.Op) Op {
	var out Op
	if op.Has(fsnotify.Create) || op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename) {
		out |= Structure
	}
	if op.Has(fsnotify.Write) {
		out |= Bytes
	}
	if op.Has(fsnotify.Chmod) {
		out |= Attributes
	}
	return out
}

func (k *kernel) Add(dir string) error {
	err := k.w.Add(dir)
	if err != nil && limited(err) {
		return fmt.Errorf("watch %s: %w: %w", dir, ErrLimit, err)
	}
	if err != nil {
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	return nil
}

func (k *kernel) Remove(dir string) error {
	err := k.w.Remove(dir)
	// The kernel drops the watch of a directory that is gone by itself.
	if err == nil || errors.Is(err, fsnotify.ErrNonExistentWatch) || errors.Is(err, unix.EINVAL) {
		return nil
	}
	return fmt.Errorf("stop watching %s: %w", dir, err)
}

func (k *kernel) Events() <-chan Event { return k.events }
func (k *kernel) Errors() <-chan error { return k.errors }

func (k *kernel) Close() error {
	close(k.done)
	<-k.ended
	if err := k.w.Close(); err != nil {
		return fmt.Errorf("close watcher: %w", err)
	}
	return nil
}

func limited(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM)
}
