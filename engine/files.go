package engine

import (
	"context"

	"github.com/ralph-index/ralph-index/engine/api"
)

// This file passes questions about files on. What needs no index (what stands at a
// path, which roots there are) is answered by the process that was asked, from the
// roots that it was given; the rest goes to whoever has the index.

// ReadMany reads several files or pieces of evidence.
func (e *Engine) ReadMany(ctx context.Context, req *api.ReadManyRequest) (*api.ReadManyAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.ReadManyAnswer, error) { return s.ReadMany(ctx, req) })
}

// Stat says what stands at a path.
func (e *Engine) Stat(ctx context.Context, req *api.StatRequest) (*api.StatAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.StatAnswer, error) { return s.Stat(ctx, req) })
}

// Roots lists the allowed roots.
func (e *Engine) Roots(ctx context.Context) (*api.RootsAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.RootsAnswer, error) { return s.Roots(ctx) })
}

// ReadMany implements api.Files.
func (f *follower) ReadMany(ctx context.Context, req *api.ReadManyRequest) (*api.ReadManyAnswer, error) {
	return aside(ctx, f, func(ctx context.Context, s api.Service) (*api.ReadManyAnswer, error) { return s.ReadMany(ctx, req) })
}

// Stat implements api.Files.
func (f *follower) Stat(ctx context.Context, req *api.StatRequest) (*api.StatAnswer, error) {
	l, err := f.stand()
	if err != nil {
		return nil, err
	}
	return l.Stat(ctx, req)
}

// Roots implements api.Files.
func (f *follower) Roots(ctx context.Context) (*api.RootsAnswer, error) {
	l, err := f.stand()
	if err != nil {
		return nil, err
	}
	return l.Roots(ctx)
}

// ReadMany implements api.Files.
func (s served) ReadMany(ctx context.Context, req *api.ReadManyRequest) (*api.ReadManyAnswer, error) {
	ans, err := s.local.ReadMany(ctx, req)
	return cutOff(s, ans, err, func(a *api.ReadManyAnswer) bool { return a.Cancelled() })
}

// List shows what a directory holds.
func (e *Engine) List(ctx context.Context, req *api.ListRequest) (*api.ListAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.ListAnswer, error) { return s.List(ctx, req) })
}

// List implements api.Lister.
func (f *follower) List(ctx context.Context, req *api.ListRequest) (*api.ListAnswer, error) {
	if req.Indexed() {
		return aside(ctx, f, func(ctx context.Context, s api.Service) (*api.ListAnswer, error) { return s.List(ctx, req) })
	}
	l, err := f.stand()
	if err != nil {
		return nil, err
	}
	return l.List(ctx, req)
}

// List implements api.Lister.
func (s served) List(ctx context.Context, req *api.ListRequest) (*api.ListAnswer, error) {
	ans, err := s.local.List(ctx, req)
	return cutOff(s, ans, err, func(a *api.ListAnswer) bool { return a.Cancelled })
}

// Find looks for files by the form of their paths.
func (e *Engine) Find(ctx context.Context, req *api.FindRequest) (*api.FindAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.FindAnswer, error) { return s.Find(ctx, req) })
}

// Find implements api.Lister.
func (f *follower) Find(ctx context.Context, req *api.FindRequest) (*api.FindAnswer, error) {
	return aside(ctx, f, func(ctx context.Context, s api.Service) (*api.FindAnswer, error) { return s.Find(ctx, req) })
}

// Find implements api.Lister.
func (s served) Find(ctx context.Context, req *api.FindRequest) (*api.FindAnswer, error) {
	ans, err := s.local.Find(ctx, req)
	return cutOff(s, ans, err, func(a *api.FindAnswer) bool { return a.Cancelled })
}
