package main

import (
	"context"

	"github.com/ralph-index/ralph-index/engine/api"
)

// ReadMany waits for the service and asks it.
func (d *deferred) ReadMany(ctx context.Context, req *api.ReadManyRequest) (*api.ReadManyAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.ReadMany(ctx, req)
}

// Stat waits for the service and asks it.
func (d *deferred) Stat(ctx context.Context, req *api.StatRequest) (*api.StatAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Stat(ctx, req)
}

// Roots waits for the service and asks it.
func (d *deferred) Roots(ctx context.Context) (*api.RootsAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Roots(ctx)
}

// List waits for the service and asks it.
func (d *deferred) List(ctx context.Context, req *api.ListRequest) (*api.ListAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.List(ctx, req)
}

// Find waits for the service and asks it.
func (d *deferred) Find(ctx context.Context, req *api.FindRequest) (*api.FindAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Find(ctx, req)
}
