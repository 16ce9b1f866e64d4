package main

import (
	"context"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Mutate waits for the service and asks it.
func (d *deferred) Mutate(ctx context.Context, req *api.MutateRequest) (*api.MutateAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Mutate(ctx, req)
}

// Changed waits for the service and asks it.
func (d *deferred) Changed(ctx context.Context, req *api.ChangedRequest) (*api.ChangedAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Changed(ctx, req)
}

// Edit waits for the service and asks it.
func (d *deferred) Edit(ctx context.Context, req *api.EditRequest) (*api.EditAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Edit(ctx, req)
}
