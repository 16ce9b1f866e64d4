package tooltest

import (
	"context"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Changes is the last change that an Asked was asked for, and its answer.
type Changes struct {
	Mutated      *api.MutateRequest
	MutateAnswer api.MutateAnswer
	Edited       *api.EditRequest
	EditAnswer   api.EditAnswer
}

// Mutate implements api.Service.
func (s *Asked) Mutate(_ context.Context, req *api.MutateRequest) (*api.MutateAnswer, error) {
	s.Mutated = req
	ans := s.MutateAnswer
	return &ans, nil
}

// Edit implements api.Service.
func (s *Asked) Edit(_ context.Context, req *api.EditRequest) (*api.EditAnswer, error) {
	s.Edited = req
	ans := s.EditAnswer
	return &ans, nil
}
