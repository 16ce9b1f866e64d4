package tooltest

import (
	"context"

	"github.com/ralph-index/ralph-index/engine/api"
)

// ReadMany implements api.Service.
func (s *Asked) ReadMany(_ context.Context, req *api.ReadManyRequest) (*api.ReadManyAnswer, error) {
	s.ManyRead = req
	ans := s.ManyAnswer
	return &ans, nil
}

// Stat implements api.Service.
func (s *Asked) Stat(_ context.Context, req *api.StatRequest) (*api.StatAnswer, error) {
	s.Stated = req
	ans := s.StatAnswer
	return &ans, nil
}

// Roots implements api.Service.
func (s *Asked) Roots(context.Context) (*api.RootsAnswer, error) { return &api.RootsAnswer{}, nil }

// List implements api.Service.
func (s *Asked) List(_ context.Context, req *api.ListRequest) (*api.ListAnswer, error) {
	s.Listed = req
	ans := s.ListAnswer
	return &ans, nil
}

// Find implements api.Service.
func (s *Asked) Find(_ context.Context, req *api.FindRequest) (*api.FindAnswer, error) {
	s.Found = req
	ans := s.FindAnswer
	return &ans, nil
}
