package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
)

const (
	// joinWait is how long a process that finds the lease taken waits for its holder
	// to begin to serve, or to end, before it answers live.
	joinWait = 2 * time.Second
	joinTick = 20 * time.Millisecond
	// askWait bounds the question to a leader of another format who it is.
	askWait = 500 * time.Millisecond
)

// conn is what calls go to: the engine of this process, or the way to another.
type conn struct {
	svc  api.Service
	shut func(context.Context) error
	gone <-chan struct{} // of a leader elsewhere: closed when it ends
	live bool            // there is no index though one is wanted
	own  *index          // that this process leads with

	calls   int  // that run; guarded by Engine.mu
	retired bool // replaced; guarded by Engine.mu
}

// connect finds out whether this process leads, and waits a little for a leader that
// is only about to serve. Without either, it goes live.
func (e *Engine) connect(ctx context.Context) (*conn, error) {
	if e.o.NoIndex {
		c, err := e.goLive(api.FallbackIndexDisabled, "")
		if c != nil {
			c.live = false
		}
		return c, err
	}
	if _, err := os.Lstat(filepath.Join(e.o.IndexDir, format)); e.o.Existing && errors.Is(err, fs.ErrNotExist) {
		why, fallback := "", api.FallbackNoGeneration
		if err := creatable(e.o.IndexDir); err != nil {
			why, fallback = "index_directory_unusable: "+err.Error(), ""
		}
		c, err := e.goLive(why, fallback)
		if c != nil {
			c.live = false
		}
		return c, err
	}
	for began := time.Now(); ; {
		c, err := e.join(ctx)
		if err == nil {
			return c, nil
		}
		var bad *unusableError
		if !errors.As(err, &bad) {
			return nil, err
		}
		if !bad.wait || time.Since(began) > joinWait {
			e.o.Logger.Warn("index cannot be used; answering live", "why", bad.why)
			return e.goLive(bad.why, bad.fallback)
		}
		if err := pause(ctx, joinTick); err != nil {
			return nil, err
		}
	}
}

// creatable says why nothing can be made in dir, or in the nearest directory above it
// that is there; nil when it can.
func creatable(dir string) error {
	for {
		err := unix.Access(dir, unix.W_OK|unix.X_OK)
		up := filepath.Dir(dir)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, fs.ErrNotExist) || up == dir:
			return &fs.PathError{Op: "write", Path: dir, Err: err}
		}
		dir = up
	}
}

// unusableError says why there is no index for this process.
type unusableError struct {
	why      string
	fallback string // the reason that answers give; "": FallbackNoIndex
	wait     bool   // it may be over in a moment
}

func (e *unusableError) Error() string { return e.why }

// join tries once to lead or to reach the leader.
func (e *Engine) join(ctx context.Context) (*conn, error) {
	if why := e.outranked(ctx); why != "" {
		return nil, &unusableError{why: why}
	}
	dir := filepath.Join(e.o.IndexDir, format)
	lease, err := share.Lead(dir)
	if err == nil {
		return e.lead(ctx, lease)
	}
	if !errors.Is(err, share.ErrHeld) {
		return nil, &unusableError{why: "index_directory_unusable: " + err.Error()}
	}
	client, err := share.Dial(ctx, dir, share.DialOptions{Version: e.o.Version, Format: format})
	switch {
	case err == nil:
		f := &follower{client: client, o: e.o}
		return &conn{svc: f, shut: f.close, gone: client.Gone()}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	if errors.Is(err, share.ErrVersion) {
		return nil, &unusableError{why: "leader_of_another_version: " + err.Error()}
	}
	bad := &unusableError{why: "leader_unusable: " + err.Error(), wait: true}
	if errors.Is(err, share.ErrSilent) {
		bad.why, bad.fallback = api.FallbackLeaderSilent+": "+err.Error(), api.FallbackLeaderSilent
		if silent := (*share.SilentError)(nil); errors.As(err, &silent) {
			bad.why = api.FallbackLeaderSilent + ": " + silent.Error()
		}
	}
	return nil, bad
}

// outranked says which process leads the workspace with an index of a newer format;
// "" when none does. Two programs would else keep two indexes of everything, and the
// newer one is what the user wants. Only its socket is asked: what lies in the
// directory of another format is not touched.
func (e *Engine) outranked(ctx context.Context) string {
	ours, ok := formatNumber(format)
	entries, err := os.ReadDir(e.o.IndexDir)
	if !ok || err != nil {
		return ""
	}
	for _, entry := range entries {
		if n, ok := formatNumber(entry.Name()); !ok || n <= ours || !entry.IsDir() {
			continue
		}
		ctx, stop := context.WithTimeout(ctx, askWait)
		h, err := share.Ask(ctx, filepath.Join(e.o.IndexDir, entry.Name()))
		stop()
		if err == nil {
			return fmt.Sprintf("newer_version: process %d (%s) leads this workspace with index format %s, this program has %s", h.PID, h.Version, entry.Name(), format)
		}
	}
	return ""
}

// formatNumber reads the name of a format: v and a number.
func formatNumber(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "v")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}

// lead opens the index under a lease. The socket comes first: whoever finds the
// lease taken can wait there while the stores open.
func (e *Engine) lead(ctx context.Context, lease *share.Lease) (*conn, error) {
	e.o.reached(StepLeads)
	l, err := openLocal(e.o)
	if err != nil {
		_ = lease.Release()
		return nil, err
	}
	socket, err := share.Listen(lease)
	if err != nil {
		e.o.Logger.Warn("other processes cannot share this index", "err", err)
	}
	e.o.reached(StepListens)
	if err := l.openIndex(ctx, lease, socket); err != nil {
		if socket != nil {
			_ = socket.Close()
		}
		_ = l.close(ctx)
		_ = lease.Release()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &unusableError{why: "index_unusable: " + err.Error()}
	}
	e.o.reached(StepServes)
	return &conn{svc: l, shut: l.close, own: l.x}, nil
}

// goLive answers from the files alone. why is for people, fallback for answers.
func (e *Engine) goLive(why, fallback string) (*conn, error) {
	l, err := openLocal(e.o)
	if err != nil {
		return nil, err
	}
	l.degraded, l.why = why, fallback
	return &conn{svc: l, shut: l.close, live: true}, nil
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
