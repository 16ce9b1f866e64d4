package share

import (
	"context"
	"net/http"

	"github.com/ralph-index/ralph-index/engine/api"
)

// The paths of the calls about files.
const (
	pathReadMany = "/read-many"
	pathStat     = "/stat"
	pathRoots    = "/roots"
	pathList     = "/list"
	pathFind     = "/find"
)

// ReadMany implements api.Files.
func (c *Client) ReadMany(ctx context.Context, req *api.ReadManyRequest) (*api.ReadManyAnswer, error) {
	return call[api.ReadManyAnswer](ctx, c, pathReadMany, req)
}

// Stat implements api.Files.
func (c *Client) Stat(ctx context.Context, req *api.StatRequest) (*api.StatAnswer, error) {
	return call[api.StatAnswer](ctx, c, pathStat, req)
}

// Roots implements api.Files.
func (c *Client) Roots(ctx context.Context) (*api.RootsAnswer, error) {
	return call[api.RootsAnswer](ctx, c, pathRoots, struct{}{})
}

// List implements api.Lister.
func (c *Client) List(ctx context.Context, req *api.ListRequest) (*api.ListAnswer, error) {
	return call[api.ListAnswer](ctx, c, pathList, req)
}

// Find implements api.Lister.
func (c *Client) Find(ctx context.Context, req *api.FindRequest) (*api.FindAnswer, error) {
	return call[api.FindAnswer](ctx, c, pathFind, req)
}

// files adds the calls about files to the routes.
func (s *server) files(mux *http.ServeMux) {
	mux.HandleFunc("POST "+pathReadMany, unary(s, s.svc.ReadMany))
	mux.HandleFunc("POST "+pathList, unary(s, s.svc.List))
	mux.HandleFunc("POST "+pathFind, unary(s, s.svc.Find))
	mux.HandleFunc("POST "+pathStat, unary(s, s.svc.Stat))
	mux.HandleFunc("POST "+pathRoots, unary(s, func(ctx context.Context, _ *struct{}) (*api.RootsAnswer, error) { return s.svc.Roots(ctx) }))
}
