// Package share lets processes on one workspace use one engine. The first takes a
// lease on the index directory and serves its engine on a Unix socket in it; the
// others dial that socket and get an api.Service that behaves like the engine
// itself: deadlines, cancellation, progress and typed errors pass through.
//
// It does not decide who leads or what to do when a leader ends; engine does, with
// the errors given here.
package share

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Sentinels.
var (
	// ErrHeld says that another process holds the lease.
	ErrHeld = errors.New("another process leads this workspace")
	// ErrNoLeader says that nobody serves the directory.
	ErrNoLeader = errors.New("no process serves this workspace")
	// ErrVersion says that the leader speaks another version.
	ErrVersion = errors.New("the leading process speaks another version")
	// ErrGone says that the leader ended, or was lost, before it answered: a call
	// that only reads may be made again, on the next leader.
	ErrGone = errors.New("the leading process went away")
)

var errNotBuilt = errors.New("not built yet")

// Hello is what a leader says of itself.
type Hello struct {
	Protocol  int    `json:"protocol"` // of this package
	Version   string `json:"version"`  // of the program
	PID       int    `json:"pid"`
	Workspace string `json:"workspace"`
}

// Lease is the right to lead one index directory. The kernel takes it back when
// the process ends, however it ends.
type Lease struct{}

// Lead takes the lease, without waiting. dir is created (0700) where needed. The
// error matches ErrHeld when another process, or another Lease of this one, has it.
func Lead(dir string) (*Lease, error) { return nil, errNotBuilt }

// Release gives the lease back. Call it after the stores are closed.
func (l *Lease) Release() error { return nil }

// ServeOptions adjust a server.
type ServeOptions struct {
	Version   string
	Workspace string
	Log       *slog.Logger // nil: discard
}

// Serve answers calls until ctx ends, then cancels those that run, waits for them
// and removes the socket. It returns nil after such an end.
func Serve(ctx context.Context, lease *Lease, svc api.Service, opts ServeOptions) error {
	return errNotBuilt
}

// DialOptions adjust a client.
type DialOptions struct {
	Version string // refuse a leader of another version; "" takes any
}

// Client is the engine of the leading process. It is safe for concurrent use.
type Client struct{}

var _ api.Service = (*Client)(nil)

// Dial connects to the process that leads dir. The error matches ErrNoLeader when
// nobody listens and ErrVersion when the leader is not of our version.
func Dial(ctx context.Context, dir string, opts DialOptions) (*Client, error) {
	return nil, errNotBuilt
}

// Hello is what the leader said when the client dialled.
func (c *Client) Hello() Hello { return Hello{} }

// Gone is closed when the leader ends or its connection is lost.
func (c *Client) Gone() <-chan struct{} { return nil }

// Close drops the connections. Calls that run fail.
func (c *Client) Close() error { return nil }

// Status implements api.Service.
func (c *Client) Status(ctx context.Context) (*api.Status, error) { return nil, errNotBuilt }

// Reindex implements api.Service.
func (c *Client) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	return nil, errNotBuilt
}

// Graph implements api.Service.
func (c *Client) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	return nil, errNotBuilt
}

// Grep implements api.Service.
func (c *Client) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	return nil, errNotBuilt
}

// Read implements api.Service.
func (c *Client) Read(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	return nil, errNotBuilt
}

// Export implements api.Service.
func (c *Client) Export(ctx context.Context, w io.Writer) error { return errNotBuilt }
