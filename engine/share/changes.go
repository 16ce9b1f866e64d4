package share

import (
	"context"
	"net/http"

	"github.com/ralph-index/ralph-index/engine/api"
)

// The paths of the calls about changes.
const (
	pathMutate  = "/mutate"
	pathChanged = "/changed"
	pathEdit    = "/edit"
)

// Mutate implements api.Changes: the leader makes the change.
func (c *Client) Mutate(ctx context.Context, req *api.MutateRequest) (*api.MutateAnswer, error) {
	return call[api.MutateAnswer](ctx, c, pathMutate, req)
}

// Changed implements api.Changes.
func (c *Client) Changed(ctx context.Context, req *api.ChangedRequest) (*api.ChangedAnswer, error) {
	return call[api.ChangedAnswer](ctx, c, pathChanged, req)
}

// Edit implements api.Changes: the leader edits the file.
func (c *Client) Edit(ctx context.Context, req *api.EditRequest) (*api.EditAnswer, error) {
	return call[api.EditAnswer](ctx, c, pathEdit, req)
}

// changes adds the calls about changes to the routes.
func (s *server) changes(mux *http.ServeMux) {
	mux.HandleFunc("POST "+pathMutate, unary(s, s.svc.Mutate))
	mux.HandleFunc("POST "+pathEdit, unary(s, s.svc.Edit))
	mux.HandleFunc("POST "+pathChanged, unary(s, s.svc.Changed))
}
