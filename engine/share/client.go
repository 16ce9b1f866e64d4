package share

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/engine/api"
)

// helloWait bounds the handshake with a leader that does not answer.
const helloWait = 2 * time.Second

// DialOptions adjust a client.
type DialOptions struct {
	Version string // of this program; the leader shows it
	Format  string // of the index; a leader of another one is refused
}

// Client is the engine of the leading process. It is safe for concurrent use.
type Client struct {
	http   *http.Client
	trans  *http.Transport
	hello  Hello
	peer   atomic.Int64 // the process that holds the socket; 0: not known
	id     string       // that the leader gave
	pulse  pulse
	gone   chan struct{}
	cancel context.CancelFunc // of the watch
	done   sync.WaitGroup
}

var _ api.Service = (*Client)(nil)

// Dial connects to the process that leads dir. The error matches ErrNoLeader when
// nobody listens or answers, ErrSilent too when somebody listens, and ErrVersion when the leader speaks another protocol,
// knows other requests or keeps another format. A leader of an older protocol has
// then been asked to yield.
func Dial(ctx context.Context, dir string, opts DialOptions) (*Client, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("dial leader of %q: %w", dir, err)
	}
	c := newClient(dir)
	hctx, cancel := context.WithTimeout(ctx, helloWait)
	defer cancel()
	if err := c.join(hctx, opts); err != nil {
		c.trans.CloseIdleConnections()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, fmt.Errorf("dial leader of %s: %w", dir, err)
	}
	return c, nil
}

// Ask returns what the leader of dir says of itself, of whatever version it is. It
// touches nothing in dir. The error matches ErrNoLeader when nobody answers before
// ctx ends.
func Ask(ctx context.Context, dir string) (Hello, error) {
	c := newClient(dir)
	defer c.trans.CloseIdleConnections()
	err := c.greet(ctx)
	return c.hello, err
}

func newClient(dir string) *Client {
	socket := published(dir)
	c := &Client{gone: make(chan struct{})}
	c.trans = &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			conn, err := d.DialContext(ctx, "unix", socket)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNotDone, err)
			}
			pid, err := checkPeer(conn)
			if err != nil {
				_ = conn.Close()
				return nil, fmt.Errorf("%w: %w", ErrNotDone, err)
			}
			c.peer.Store(int64(pid))
			return conn, nil
		},
		DisableCompression:  true,
		MaxIdleConnsPerHost: 16,
	}
	c.http = &http.Client{Transport: c.trans}
	return c
}

// join greets the leader and begins to watch it.
func (c *Client) join(ctx context.Context, opts DialOptions) error {
	if err := c.greet(ctx); err != nil {
		return err
	}
	if err := c.fits(opts); err != nil {
		if c.hello.Protocol < protocol {
			err = errors.Join(err, c.askToYield(ctx))
		}
		return err
	}
	if err := c.watch(ctx, opts); err != nil {
		return fmt.Errorf("%w: %w", ErrNoLeader, err)
	}
	return nil
}

// greet asks the leader who it is.
func (c *Client) greet(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://leader"+pathHello, nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && !errors.Is(err, ErrNotDone) {
			return &SilentError{PID: int(c.peer.Load())} // somebody took the connection
		}
		return fmt.Errorf("%w: %w", ErrNoLeader, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(&c.hello); err != nil {
		if ctx.Err() != nil || isLost(err) {
			return fmt.Errorf("%w: %w", ErrNoLeader, err)
		}
		return fmt.Errorf("%w: %w", ErrVersion, err)
	}
	return nil
}

// fits says whether the leader and this program understand each other.
func (c *Client) fits(opts DialOptions) error {
	h := c.hello
	switch {
	case h.Protocol != protocol:
		return fmt.Errorf("%w: process %d (%s) has protocol %d, ours is %d", ErrVersion, h.PID, h.Version, h.Protocol, protocol)
	case h.Format != opts.Format:
		return fmt.Errorf("%w: process %d (%s) has index format %s, ours is %s", ErrVersion, h.PID, h.Version, h.Format, opts.Format)
	case h.API != fingerprint():
		return fmt.Errorf("%w: process %d (%s) has other requests and answers", ErrVersion, h.PID, h.Version)
	}
	return nil
}

// askToYield asks a leader of an older protocol to make room.
func (c *Client) askToYield(ctx context.Context) error {
	body := strings.NewReader(fmt.Sprintf(`{"protocol":%d}`, protocol))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://leader"+pathYield, body)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoLeader, err)
	}
	return resp.Body.Close()
}

// Hello is what the leader said when the client dialled.
func (c *Client) Hello() Hello { return c.hello }

// Gone is closed when the leader ends or its connection is lost, and by Close.
func (c *Client) Gone() <-chan struct{} { return c.gone }

// Close drops the connections that are not in use. Calls that run go on.
func (c *Client) Close() error {
	c.cancel()
	c.done.Wait()
	c.trans.CloseIdleConnections()
	return nil
}

// Status implements api.Service.
func (c *Client) Status(ctx context.Context) (*api.Status, error) {
	s, err := call[api.Status](ctx, c, pathStatus, struct{}{})
	if err == nil {
		s.Leader, s.LeaderPID = false, c.hello.PID
	}
	return s, err
}

// Graph implements api.Service.
func (c *Client) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	a, err := call[api.GraphAnswer](ctx, c, pathGraph, req)
	if err == nil {
		a.Generation = a.IndexGeneration // not on the wire twice
	}
	return a, err
}

// Grep implements api.Service.
func (c *Client) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	return call[api.GrepAnswer](ctx, c, pathGrep, req)
}

// Read implements api.Service.
func (c *Client) Read(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	return call[api.ReadAnswer](ctx, c, pathRead, req)
}

// Reindex implements api.Service.
func (c *Client) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	resp, end, err := c.send(ctx, pathReindex, req)
	if err != nil {
		return nil, err
	}
	defer end()
	dec := json.NewDecoder(resp.Body)
	dec.UseNumber()
	for {
		var l line
		if err := dec.Decode(&l); err != nil {
			return nil, c.lost(ctx, err)
		}
		switch {
		case l.Failure != nil:
			return nil, l.Failure.err(ctx)
		case l.Answer != nil:
			return l.Answer, nil
		case l.Progress != nil && progress != nil:
			progress(*l.Progress)
		}
	}
}

// Export implements api.Service.
func (c *Client) Export(ctx context.Context, w io.Writer) error {
	resp, end, err := c.send(ctx, pathExport, struct{}{})
	if err != nil {
		return err
	}
	defer end()
	sink := &writer{w: w}
	if _, err := io.Copy(sink, resp.Body); err != nil {
		if sink.err != nil {
			return sink.err
		}
		return c.lost(ctx, err)
	}
	trailer := resp.Trailer.Get(trailerEnd)
	if trailer == "" {
		return c.lost(ctx, io.ErrUnexpectedEOF)
	}
	var f failure
	if err := decode([]byte(trailer), &f); err != nil {
		return fmt.Errorf("read end of export: %w", err)
	}
	if f == (failure{}) {
		return nil
	}
	return f.err(ctx)
}

// writer remembers its own failures, to tell them from those of the connection.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.err = err
	return n, err
}

// call makes one call with one answer.
func call[Ans any](ctx context.Context, c *Client, path string, req any) (*Ans, error) {
	resp, end, err := c.send(ctx, path, req)
	if err != nil {
		return nil, err
	}
	defer end()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, c.lost(ctx, err)
	}
	ans := new(Ans)
	if err := decode(data, ans); err != nil {
		return nil, fmt.Errorf("read answer of leader: %w", err)
	}
	return ans, nil
}

// send makes a request and returns a successful response. end must be called.
//
// When ctx is cancelled the connection is closed at once, which cancels the call at
// the leader. When its deadline passes, the leader knows it too and answers with
// what it has: that answer is waited for, a little.
func (c *Client) send(ctx context.Context, path string, body any) (resp *http.Response, end func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, nil, fmt.Errorf("encode request: %w", err)
	}
	health := c.pulse.health()
	if health.Err() != nil {
		return nil, nil, fmt.Errorf("call leader: %w", ErrSilent)
	}
	rctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unwatch := context.AfterFunc(health, cancel)
	var late *time.Timer
	if deadline, ok := ctx.Deadline(); ok {
		late = time.AfterFunc(time.Until(deadline)+grace, cancel)
	}
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			cancel()
		}
	})
	end = func() {
		stop()
		unwatch()
		if late != nil {
			late.Stop()
		}
		if resp != nil {
			_ = resp.Body.Close()
		}
		cancel()
	}
	var begun atomic.Bool
	trace := &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
		begun.Store(true)
		return nil
	}}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(rctx, trace), http.MethodPost, "http://leader"+path, bytes.NewReader(data))
	if err != nil {
		end()
		return nil, nil, fmt.Errorf("call leader: %w", err)
	}
	req.Header.Set(headerFollower, c.id)
	if deadline, ok := ctx.Deadline(); ok {
		req.Header.Set(headerTimeout, strconv.FormatInt(time.Until(deadline).Microseconds(), 10))
	}
	resp, err = c.http.Do(req)
	if err != nil {
		end()
		if !begun.Load() {
			err = fmt.Errorf("%w: %w", ErrNotDone, err)
		}
		return nil, nil, c.lost(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		defer end()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, nil, c.lost(ctx, err)
		}
		var f failure
		if err := decode(data, &f); err != nil {
			return nil, nil, fmt.Errorf("call leader: %w: %s", ErrVersion, resp.Status)
		}
		return nil, nil, f.err(ctx)
	}
	return resp, end, nil
}

// decode reads JSON and keeps numbers in open fields as they are written.
func decode(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode(v)
}

// lost says why a call got no answer: the caller gave up, or the leader is gone, or
// hangs.
func (c *Client) lost(ctx context.Context, err error) error {
	if cerr := ctx.Err(); cerr != nil {
		return cerr
	}
	if c.pulse.health().Err() != nil {
		return fmt.Errorf("call leader: %w: %w", ErrSilent, err)
	}
	return fmt.Errorf("call leader: %w: %w", ErrGone, err)
}

func isLost(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, unix.ECONNRESET)
}

// err puts a failure back into the error that it was.
func (f *failure) err(ctx context.Context) error {
	switch {
	case f.API != nil:
		return f.API
	case f.Kind == failGone && ctx.Err() != nil:
		return ctx.Err()
	case f.Kind == failGone:
		return fmt.Errorf("call leader: %w: %w: %s", ErrGone, ErrNotDone, f.Text)
	case f.Kind == failCanceled:
		return context.Canceled
	case f.Kind == failDeadline:
		return context.DeadlineExceeded
	}
	return &RemoteError{Message: f.Text}
}
