package share

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// drain is how long an ending server waits for calls that it has cancelled to say
// so to their callers.
const drain = 5 * time.Second

// ServeOptions adjust a server.
type ServeOptions struct {
	Version   string // of the program
	Format    string // of the index
	Workspace string
	Log       *slog.Logger // nil: discard
}

// Listener is a leader's socket: calls that come before Serve wait.
type Listener struct {
	l         *peerListener
	since     time.Time
	followers followers
	yield     chan struct{} // closed when a newer program asked for the lease
	once      sync.Once     // of yield
}

// Listen opens the socket of a lease. A leader that takes long to open its stores
// listens first, so that followers find it at once.
func Listen(lease *Lease) (*Listener, error) {
	path, err := socketFor(lease.dir)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	// Whoever made it is gone, for the lease is ours.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("listen: %w", err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	l.SetUnlinkOnClose(false) // see peerListener.Close
	if err := errors.Join(os.Chmod(path, 0o600), publish(lease.dir, path)); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("listen: %w", err)
	}
	made, err := os.Lstat(path)
	if err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("listen: %w", err)
	}
	return &Listener{
		l:     &peerListener{UnixListener: l, path: path, made: made, log: slog.New(slog.DiscardHandler)},
		since: time.Now(), yield: make(chan struct{}),
	}, nil
}

// Close closes a socket that is not served, and removes it.
func (l *Listener) Close() error { return l.l.Close() }

// Reachable reports whether the socket still has its name.
func (l *Listener) Reachable() bool {
	there, err := os.Lstat(l.l.path)
	return err == nil && os.SameFile(there, l.l.made)
}

// Since is when the socket was opened.
func (l *Listener) Since() time.Time { return l.since }

// Followers lists the processes that are connected, with how many calls each has made.
func (l *Listener) Followers() []api.Process { return l.followers.list() }

// Yield is closed when a process of a newer protocol has asked for the lease.
func (l *Listener) Yield() <-chan struct{} { return l.yield }

// Serve answers calls until ctx ends, then cancels those that run, waits for them
// and removes the socket. It returns nil after such an end. Callers of calls that
// were cancelled so see ErrGone.
func (l *Listener) Serve(ctx context.Context, svc api.Service, opts ServeOptions) error {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	l.l.log = opts.Log
	s := &server{svc: svc, ending: ctx, log: opts.Log, followers: &l.followers, yield: func() { l.once.Do(func() { close(l.yield) }) }}
	s.hello = Hello{
		Protocol: protocol, API: fingerprint(), Format: opts.Format, Version: opts.Version, PID: os.Getpid(),
		Workspace: opts.Workspace, Since: unixSeconds(l.since),
	}
	busy := newBusy()
	srv := &http.Server{
		Handler:           s.routes(),
		ConnState:         busy.changed,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(opts.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l.l) }()
	var err error
	select {
	case err = <-failed:
		err = fmt.Errorf("serve engine: %w", err)
	case <-ctx.Done():
		// The server's own shutdown looks only now and then whether it is over, and
		// waits seconds for connections on which nothing was asked yet.
		srv.SetKeepAlivesEnabled(false)
		_ = l.l.Close()
		opts.Log.Debug("socket is closed", "err", <-failed)
		busy.wait(drain)
	}
	_ = srv.Close()
	s.calls.Wait()
	return err
}

// peerListener accepts connections of this user only.
type peerListener struct {
	*net.UnixListener
	path string
	made os.FileInfo
	log  *slog.Logger
}

// Close removes the socket, but not one that another leader has put in its place
// after the index directory was deleted.
func (l *peerListener) Close() error {
	if there, err := os.Lstat(l.path); err == nil && os.SameFile(l.made, there) {
		_ = os.Remove(l.path)
	}
	return l.UnixListener.Close()
}

func (l *peerListener) Accept() (net.Conn, error) {
	for {
		c, err := l.UnixListener.Accept()
		if err != nil {
			return nil, err
		}
		if _, err := checkPeer(c); err != nil {
			l.log.Warn("refuse connection", "err", err)
			_ = c.Close()
			continue
		}
		return c, nil
	}
}

// server answers calls.
type server struct {
	svc       api.Service
	ending    context.Context // done when the server ends; it outlives every request
	log       *slog.Logger
	hello     Hello
	followers *followers
	yield     func()
	calls     sync.WaitGroup // handlers that run
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+pathHello, func(w http.ResponseWriter, _ *http.Request) { s.answer(w, s.hello) })
	mux.HandleFunc("GET "+pathWatch, s.watch)
	mux.HandleFunc("POST "+pathYield, s.asked)
	mux.HandleFunc("POST "+pathStatus, unary(s, func(ctx context.Context, _ *struct{}) (*api.Status, error) { return s.svc.Status(ctx) }))
	mux.HandleFunc("POST "+pathGraph, unary(s, s.svc.Graph))
	mux.HandleFunc("POST "+pathGrep, unary(s, s.svc.Grep))
	mux.HandleFunc("POST "+pathRead, unary(s, s.svc.Read))
	mux.HandleFunc("POST "+pathReindex, s.reindex)
	mux.HandleFunc("POST "+pathExport, s.export)
	s.files(mux)
	s.changes(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		defer s.calls.Done()
		if id := r.Header.Get(headerFollower); id != "" {
			s.followers.called(id)
		}
		mux.ServeHTTP(w, r)
	})
}

// asked takes the request of another program for the lease. Only a newer protocol
// gets it: otherwise two programs would take it from each other for ever.
func (s *server) asked(w http.ResponseWriter, r *http.Request) {
	var newer struct {
		Protocol int `json:"protocol"`
	}
	if _, cancel, err := begin(w, r, &newer); err != nil {
		s.fail(w, err)
		return
	} else {
		cancel()
	}
	if newer.Protocol > protocol {
		s.log.Warn("a newer program asks for the index; this one makes room")
		s.yield()
	}
	w.WriteHeader(http.StatusNoContent)
}

// begin reads the whole request, for only then does net/http watch for the caller
// hanging up, tells the caller that the call begins, and returns its context.
func begin[T any](w http.ResponseWriter, r *http.Request, req *T) (context.Context, context.CancelFunc, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, maxRequest+1))
	if err != nil {
		return nil, nil, fmt.Errorf("read request: %w", err)
	}
	if len(data) > maxRequest {
		return nil, nil, &api.Error{Code: api.CodeInvalidParams, Message: "the request is too large"}
	}
	if err := json.Unmarshal(data, req); err != nil {
		return nil, nil, fmt.Errorf("read request: %w", err)
	}
	w.WriteHeader(http.StatusProcessing) // who does not see this knows that nothing was begun
	ctx := r.Context()
	if us, err := strconv.ParseInt(r.Header.Get(headerTimeout), 10, 64); err == nil {
		ctx, cancel := context.WithTimeout(ctx, time.Duration(us)*time.Microsecond)
		return ctx, cancel, nil
	}
	return ctx, func() {}, nil
}

// unary makes a handler of a method with one request and one answer.
func unary[Req, Ans any](s *server, method func(context.Context, *Req) (*Ans, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		req := new(Req)
		ctx, cancel, err := begin(w, r, req)
		if err != nil {
			s.fail(w, err)
			return
		}
		defer cancel()
		var ans *Ans
		err = s.guard(func() (err error) {
			ans, err = method(ctx, req)
			return err
		})
		if err != nil {
			s.fail(w, err)
			return
		}
		s.answer(w, ans)
	}
}

// guard turns a panic into an error: one bad call must not take the workspace's
// leader along.
func (s *server) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("call panicked", "panic", p, "stack", string(debug.Stack()))
			err = &api.Error{Code: api.CodeInternal, Message: fmt.Sprintf("the call failed inside the engine: %v", p)}
		}
	}()
	return f()
}

func (s *server) answer(w http.ResponseWriter, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		s.fail(w, fmt.Errorf("encode answer: %w", err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the caller may have gone
}

func (s *server) fail(w http.ResponseWriter, err error) {
	data, _ := json.Marshal(s.failure(err)) // of strings and an api.Error
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = w.Write(data)
}

// failure puts an error in the words of the wire.
func (s *server) failure(err error) *failure {
	f := &failure{Kind: failOther, Text: err.Error()}
	var ae *api.Error
	canceled := errors.Is(err, context.Canceled)
	if errors.As(err, &ae) {
		canceled = ae.Code == api.CodeCancelled
		f.API, f.Kind = ae, ""
		if _, err := json.Marshal(ae.Details); err != nil {
			f.API = &api.Error{Code: ae.Code, Message: ae.Message, Argument: ae.Argument}
		}
	}
	switch {
	case canceled && s.ending.Err() != nil:
		return &failure{Kind: failGone, Text: "the leading process ends"}
	case f.API != nil:
	case canceled:
		f.Kind = failCanceled
	case errors.Is(err, context.DeadlineExceeded):
		f.Kind = failDeadline
	}
	return f
}

func (s *server) reindex(w http.ResponseWriter, r *http.Request) {
	req := new(api.ReindexRequest)
	ctx, cancel, err := begin(w, r, req)
	if err != nil {
		s.fail(w, err)
		return
	}
	defer cancel()
	w.Header().Set("Content-Type", "application/x-ndjson")
	var mu sync.Mutex // progress comes from another goroutine than the answer
	over := false
	control := http.NewResponseController(w)
	send := func(l line) {
		data, err := json.Marshal(l)
		if err != nil {
			data, _ = json.Marshal(line{Failure: s.failure(fmt.Errorf("encode answer: %w", err))})
		}
		_, _ = w.Write(append(data, '\n')) // the caller may have gone
		_ = control.Flush()
	}
	var ans *api.ReindexAnswer
	err = s.guard(func() (err error) {
		ans, err = s.svc.Reindex(ctx, req, func(p api.Progress) {
			mu.Lock()
			defer mu.Unlock()
			if !over {
				send(line{Progress: &p})
			}
		})
		return err
	})
	mu.Lock()
	defer mu.Unlock()
	over = true
	if err != nil {
		send(line{Failure: s.failure(err)})
		return
	}
	send(line{Answer: ans})
}

func (s *server) export(w http.ResponseWriter, r *http.Request) {
	ctx, cancel, err := begin(w, r, &struct{}{})
	if err != nil {
		s.fail(w, err)
		return
	}
	defer cancel()
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Trailer", trailerEnd)
	w.WriteHeader(http.StatusOK)
	end := []byte("{}")
	if err := s.guard(func() error { return s.svc.Export(ctx, w) }); err != nil {
		end, _ = json.Marshal(s.failure(err)) // of strings and an api.Error
	}
	w.Header().Set(trailerEnd, string(end))
}
