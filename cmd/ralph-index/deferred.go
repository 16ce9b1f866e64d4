package main

import (
	"context"
	"fmt"
	"io"

	"github.com/ralph-index/ralph-index/engine/api"
)

// deferred is a service that is still being opened. Calls wait for it.
type deferred struct {
	ready chan struct{}
	svc   service
	err   error
}

// openLater opens a service in the background, so that a client is answered
// before the disk is.
func openLater(ctx context.Context, open func(context.Context) (service, error)) *deferred {
	d := &deferred{ready: make(chan struct{})}
	go func() {
		defer close(d.ready)
		d.svc, d.err = open(ctx)
	}()
	return d
}

// Close waits for the opening and closes what was opened.
func (d *deferred) Close(ctx context.Context) error {
	select {
	case <-d.ready: // it is closed also when ctx has ended
	default:
		select {
		case <-d.ready:
		case <-ctx.Done():
			return fmt.Errorf("close index: %w", ctx.Err())
		}
	}
	if d.svc == nil {
		return nil
	}
	return d.svc.Close(ctx)
}

func (d *deferred) wait(ctx context.Context) (api.Service, error) {
	select {
	case <-d.ready:
		return d.svc, d.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var _ service = (*deferred)(nil)

// Status waits for the service and asks it.
func (d *deferred) Status(ctx context.Context) (*api.Status, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Status(ctx)
}

// Reindex waits for the service and asks it.
func (d *deferred) Reindex(ctx context.Context, req *api.ReindexRequest, progress func(api.Progress)) (*api.ReindexAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Reindex(ctx, req, progress)
}

// Graph waits for the service and asks it.
func (d *deferred) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Graph(ctx, req)
}

// Grep waits for the service and asks it.
func (d *deferred) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Grep(ctx, req)
}

// Read waits for the service and asks it.
func (d *deferred) Read(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	svc, err := d.wait(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Read(ctx, req)
}

// Export waits for the service and asks it.
func (d *deferred) Export(ctx context.Context, w io.Writer) error {
	svc, err := d.wait(ctx)
	if err != nil {
		return err
	}
	return svc.Export(ctx, w)
}
