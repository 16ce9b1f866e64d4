// Package watch hears of changes in a tree as they happen. It sets one watch on each
// directory that the ignore rules let through, tells its owner which paths an event
// is about, and says when things have come to rest.
//
// It looks at no file and knows no index: the ledger (freshness) remembers the paths,
// and whoever owns both decides what to do about them. Where events cannot be
// trusted it says so: then only a sweep tells what has changed.
package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// Mode says what the events are worth.
type Mode string

// The modes.
const (
	Starting Mode = "starting" // the watches are being set
	Active   Mode = "active"   // every change is heard of
	Recovery Mode = "recovery" // events were lost; the watches are being set again
	Degraded Mode = "degraded" // some directories are not watched; Reason says why
	Polling  Mode = "polling"  // there are no events; Reason says why
	Off      Mode = "off"      // nobody watches
)

// State is how a watcher stands.
type State struct {
	Mode      Mode
	Reason    string // of Degraded and Polling
	Watches   int
	Events    uint64    // heard so far, about this tree
	LastEvent time.Time // zero before the first
	Overflows uint64    // how often events were lost
}

// Options are what a watcher works with. Tree, Mark and MarkAll are required.
type Options struct {
	Tree *tree.Tree
	// Mark is told of paths at which something may have happened, or below which,
	// where they are directories; MarkAll, that anything may have. Both are called
	// from one goroutine, before Barrier lets anyone pass.
	Mark    func(paths ...graph.Path)
	MarkAll func()
	// CookieDir is a directory of our own for the files of Barrier, which is made if
	// it is not there. Nothing else may be written to it. Empty: there is no barrier.
	CookieDir string
	// Source opens where events come from; nil is the operating system.
	Source func() (Source, error)
	// Poll is the time between two turns where there are no events; 0 is 3 s.
	Poll time.Duration
	// Retry is the first pause before watches are tried again that the system had no
	// room for; it grows to 16 times that. 0 is a minute.
	Retry time.Duration
	// Eventless names the kind of file system at a directory that can change without
	// events; "" is an ordinary one. Mounts lists the file systems that are mounted
	// below the root, sorted. Without a Source of one's own nil is what the operating
	// system says; with one, everything is ordinary.
	Eventless func(dir string) string
	Mounts    func() []string
	Log       *slog.Logger
}

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Poll <= 0 {
		o.Poll = defaultPoll
	}
	if o.Retry <= 0 {
		o.Retry = defaultRetry
	}
	if o.Eventless == nil && o.Source == nil {
		o.Eventless = eventless
	} else if o.Eventless == nil {
		o.Eventless = func(string) string { return "" }
	}
	if root := o.Tree.Root(); o.Mounts == nil && o.Source == nil {
		o.Mounts = func() []string { return mountsBelow(root) }
	} else if o.Mounts == nil {
		o.Mounts = func() []string { return nil }
	}
	if o.Source == nil {
		o.Source = newKernel
	}
	return o
}

// Bounds of the rest that ends a batch of events: one save is taken up at once, a
// storm when it is over.
const (
	restLeast = 10 * time.Millisecond
	restMost  = 300 * time.Millisecond
	// holdFactor times the rest is the longest that a batch waits for one.
	holdFactor = 10
	// holdGit bounds how long a batch waits for git to let go of its index.
	holdGit      = 5 * time.Second
	defaultPoll  = 3 * time.Second
	defaultRetry = time.Minute
)

// rest is how long nothing must happen after a batch of n paths.
func rest(n int) time.Duration {
	switch {
	case n <= 8:
		return restLeast
	case n <= 64:
		return 50 * time.Millisecond
	case n <= 512:
		return 150 * time.Millisecond
	}
	return restMost
}

// Watcher watches one tree.
type Watcher struct {
	o     Options
	src   Source // nil: there are no events
	root  string
	turns chan struct{}
	ready chan struct{} // closed when the watches are set, or cannot be
	stop  context.CancelFunc
	ended chan struct{}

	cookies cookies

	mu    sync.Mutex // guards state
	state State

	// What follows belongs to the goroutine of run.
	dirs    map[graph.Path]*node
	inodes  map[uint64]graph.Path // of dirs
	pass    uint64                // number of the last look at the directories
	outside map[string]bool       // directories above the root that are watched for their rules
	git     ignore.GitDirs
	locked  bool // git holds its index
	batch   batch
	lost    bool // the watches must be set again
	retry   retry
	mounts  []string // below the root, when the watches were set
}

// batch is what came since the last turn.
type batch struct {
	n     int // events
	began time.Time
	timer *time.Timer
}

// Start begins to watch. It returns at once: Ready says when the watches are set. A
// system that gives no events is no error; State says so, and turns come by the
// clock.
func Start(ctx context.Context, o Options) *Watcher {
	o = o.withDefaults()
	w := &Watcher{
		o: o, root: o.Tree.Root(), turns: make(chan struct{}, 1), ready: make(chan struct{}), ended: make(chan struct{}),
		state: State{Mode: Starting}, dirs: map[graph.Path]*node{}, inodes: map[uint64]graph.Path{}, outside: map[string]bool{},
	}
	w.cookies.dir, w.cookies.silence = o.CookieDir, make(chan struct{}, 1)
	w.batch.timer = time.NewTimer(time.Hour)
	w.batch.timer.Stop()
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx)) // ended by Close
	go w.run(ctx)
	return w
}

// Turns gives a token when something was marked and has come to rest, when events
// were lost, and, where there are none, from time to time.
func (w *Watcher) Turns() <-chan struct{} { return w.turns }

// Ready is closed when the watches are set, or it is clear that there will be none.
func (w *Watcher) Ready() <-chan struct{} { return w.ready }

// State returns how the watcher stands.
func (w *Watcher) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// Close ends the watching and waits for it.
func (w *Watcher) Close() {
	w.stop()
	<-w.ended
}

func (w *Watcher) setMode(m Mode, reason string) {
	w.mu.Lock()
	was := w.state.Mode
	w.state.Mode, w.state.Reason, w.state.Watches = m, reason, len(w.dirs)+len(w.outside)
	w.mu.Unlock()
	if (m == Degraded || m == Polling) && was != m {
		w.o.Log.Warn("changes are found by looking, not by events", "mode", string(m), "why", reason)
	}
}

// run owns the source and the watches.
func (w *Watcher) run(ctx context.Context) {
	defer close(w.ended)
	defer w.cookies.close()
	poll := time.NewTicker(w.o.Poll)
	defer poll.Stop()
	w.open(ctx)
	defer w.closeSource()
	w.turn()
	close(w.ready)
	for w.step(ctx, poll.C) {
	}
}

// step waits for one thing to happen; false is the end.
func (w *Watcher) step(ctx context.Context, poll <-chan time.Time) bool {
	var events <-chan Event
	var errs <-chan error
	if w.src != nil {
		events, errs = w.src.Events(), w.src.Errors()
	}
	select {
	case <-ctx.Done():
		return false
	case e, ok := <-events:
		if !ok {
			w.fail(errors.New("the source of events ended"))
			return true
		}
		w.handle(ctx, e)
	case err, ok := <-errs:
		if !ok {
			w.fail(errors.New("the source of events ended"))
			return true
		}
		w.trouble(err)
	case <-w.batch.timer.C:
		w.rested(ctx)
	case <-w.cookies.silence:
		w.silent()
	case <-poll:
		w.again(ctx)
		if m := w.State().Mode; m == Degraded || m == Polling {
			w.probe()
			w.turn()
		}
	}
	return true
}

// open opens the source and sets the watches.
func (w *Watcher) open(ctx context.Context) {
	if kind := w.o.Eventless(w.root); kind != "" {
		w.setMode(Polling, "no_events: file system "+kind)
		return
	}
	src, err := w.o.Source()
	if err != nil {
		w.setMode(Polling, "no_events: "+err.Error())
		w.later()
		return
	}
	w.src = src
	w.cookies.open(src, w.o.Log)
	w.rebuild(ctx)
}

// fail gives the events up.
func (w *Watcher) fail(err error) {
	w.closeSource()
	clear(w.dirs)
	clear(w.inodes)
	w.setMode(Polling, "no_events: "+err.Error())
	w.later()
	w.o.MarkAll()
	w.cookies.release()
	w.turn()
}

func (w *Watcher) closeSource() {
	if w.src == nil {
		return
	}
	if err := w.src.Close(); err != nil {
		w.o.Log.Debug("watcher was not closed", "err", err)
	}
	w.src = nil
}

// turn gives the owner a token.
func (w *Watcher) turn() {
	select {
	case w.turns <- struct{}{}:
	default:
	}
}

// trouble takes note of an error of the source: after any of them, what was heard
// is not all that happened.
func (w *Watcher) trouble(err error) {
	w.o.Log.Debug("events were lost", "err", err)
	w.mu.Lock()
	w.state.Overflows++
	w.mu.Unlock()
	w.lose()
}

// lose says that anything may have happened. The watches are set again when things
// have come to rest: a directory may have come without being heard of.
func (w *Watcher) lose() {
	w.lost = true
	w.setMode(Recovery, "")
	w.o.MarkAll()
	w.cookies.release()
	w.arm(restMost)
}

// short says that the system has no watch left for a directory.
func (w *Watcher) short() {
	w.setMode(Degraded, fmt.Sprintf("watch_limit: %d directories are watched, not all; raise fs.inotify.max_user_watches", len(w.dirs)))
	w.later()
}

// silent is called when a cookie was not heard of: events do not come, or so late
// that nobody can wait for them.
func (w *Watcher) silent() {
	if w.State().Mode != Active {
		return
	}
	w.setMode(Polling, "silent: events do not arrive")
	w.o.MarkAll()
	w.turn()
}

// probe finds out whether events come again.
func (w *Watcher) probe() {
	if w.src != nil && w.State().Mode == Polling {
		if _, err := w.cookies.bake(); err != nil {
			w.o.Log.Debug("no barrier", "err", err)
		}
	}
}

// arm lets the batch end when nothing more comes within d.
func (w *Watcher) arm(d time.Duration) {
	now := time.Now()
	if w.batch.began.IsZero() {
		w.batch.began = now
	}
	if end := w.batch.began.Add(holdFactor * d); now.Add(d).After(end) {
		d = max(time.Until(end), 0)
	}
	w.batch.timer.Reset(d)
}

// note counts an event of the batch.
func (w *Watcher) note() {
	w.batch.n++
	w.arm(rest(w.batch.n))
}

// rested ends a batch.
func (w *Watcher) rested(ctx context.Context) {
	if w.locked && time.Since(w.batch.began) < holdGit {
		w.batch.timer.Reset(restMost)
		return
	}
	w.locked = false // a lock that was left behind holds nobody up twice
	w.batch.n, w.batch.began = 0, time.Time{}
	if w.lost {
		w.rebuild(ctx)
	}
	w.turn()
}

// rebuild sets all watches again, and then says that anything may have happened
// until now. Only after that are the events all there is to know.
func (w *Watcher) rebuild(ctx context.Context) {
	w.lost = false
	w.mounts = w.o.Mounts()
	err := w.watchAll(ctx)
	w.o.MarkAll()
	switch why := w.foreign(); {
	case err == nil && why != "":
		w.setMode(Degraded, why)
	case err == nil:
		w.setMode(Active, "")
	case errors.Is(err, ErrLimit):
		w.short()
	case ctx.Err() != nil:
	default:
		w.setMode(Degraded, err.Error())
		w.later()
	}
}
