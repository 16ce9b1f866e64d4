package engine

import (
	"context"
	"io"
	"log/slog"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Options configures Open.
type Options struct {
	Workspace string   // directory to index; absolute, symbolic links resolved
	Roots     []string // further directories that reads may name; not indexed
	NoIndex   bool     // answer everything live
	// WorkerCommand starts a parser process (see extract/worker). Empty: parse in
	// this process, as libraries and benchmarks do.
	WorkerCommand []string
	Logger        *slog.Logger // nil discards
}

// Engine answers questions about one workspace. It implements api.Service.
type Engine struct{}

var _ api.Service = (*Engine)(nil)

// Open opens the index of a workspace, or connects to the process that leads it.
// It returns at once: a first index is built in the background.
func Open(context.Context, Options) (*Engine, error) { return nil, errNotReady() }

func errNotReady() error {
	return &api.Error{Code: api.CodeIndexNotReady, Message: "the index is not ready"}
}

// Close releases the workspace.
func (*Engine) Close(context.Context) error { return nil }

// Status reports the health of the index.
func (*Engine) Status(context.Context) (*api.Status, error) { return nil, errNotReady() }

// Reindex refreshes the index.
func (*Engine) Reindex(context.Context, *api.ReindexRequest, func(api.Progress)) (*api.ReindexAnswer, error) {
	return nil, errNotReady()
}

// Graph answers a graph question.
func (*Engine) Graph(context.Context, *api.GraphRequest) (*api.GraphAnswer, error) {
	return nil, errNotReady()
}

// Grep searches file contents.
func (*Engine) Grep(context.Context, *api.GrepRequest) (*api.GrepAnswer, error) {
	return nil, errNotReady()
}

// Read reads a file or a piece of evidence.
func (*Engine) Read(context.Context, *api.ReadRequest) (*api.ReadAnswer, error) {
	return nil, errNotReady()
}

// Export writes the graph as JSON lines.
func (*Engine) Export(context.Context, io.Writer) error { return errNotReady() }
