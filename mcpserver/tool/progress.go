package tool

import (
	"context"

	"github.com/ralph-index/ralph-index/engine/api"
)

type progressKey struct{}

// WithProgress returns a context whose handler may report the steps of its work.
func WithProgress(ctx context.Context, report func(api.Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// Progress returns the function that reports steps to the caller, or nil when
// the caller did not ask for them.
func Progress(ctx context.Context) func(api.Progress) {
	report, _ := ctx.Value(progressKey{}).(func(api.Progress))
	return report
}
