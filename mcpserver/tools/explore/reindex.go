package explore

import (
	"context"
	_ "embed"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed reindex.md
var reindexDoc string

// The budget of a job that a caller waits for, in milliseconds.
const (
	defaultReindexMS = 5000
	maxReindexMS     = 60000
)

type reindexIn struct {
	Mode      api.ReindexMode `json:"mode"`
	TimeoutMS int             `json:"timeout_ms"`
	PathScope []string        `json:"path_scope"`
	Cancel    bool            `json:"cancel"`
}

// Reindex defines ralph_reindex.
func Reindex(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "ralph_reindex",
		Title:       "Reindex",
		Description: reindexDoc,
		Capability:  tool.WorkspaceRead,
		// It writes the index and nothing else, which can be rebuilt: for a client
		// that plans by these hints it is a read.
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: defaultReindexMS * time.Millisecond, Max: maxReindexMS * time.Millisecond},
		Args: []tool.Arg{
			{
				Name: "mode", Type: tool.String, Required: true, Enum: words(api.ReindexChanged, api.ReindexFull),
				Doc: "changed: only files that differ; full: rebuild beside the old index and swap.",
			},
			{
				Name: "timeout_ms", Type: tool.Integer, Min: 1, Max: maxReindexMS, Default: defaultReindexMS,
				Doc: "Time budget; a job that runs out keeps its work and the next call resumes.",
			},
			{
				Name: "path_scope", Type: tool.Strings, Aliases: []string{"paths"},
				Doc: "Only these files and directories, relative to the workspace; default everything.",
			},
			{
				Name: "cancel", Type: tool.Boolean, Default: false,
				Doc: "Stop the job at its first step and return the cancelled form.",
			},
		},
		Example:       `{"mode":"changed"}`,
		WaitsForIndex: true,
	}
	return tool.Define(spec, func(ctx context.Context, in reindexIn) (*api.ReindexAnswer, error) {
		req := &api.ReindexRequest{Mode: in.Mode, TimeoutMS: in.TimeoutMS, Cancel: in.Cancel}
		for _, p := range in.PathScope {
			rel, err := relative("path_scope", p)
			if err != nil {
				return nil, err
			}
			if rel == "" { // the root itself: no restriction
				req.Scope = nil
				break
			}
			req.Scope = append(req.Scope, p) // as given: a slash at its end means something
		}
		ans, err := svc.Reindex(ctx, req, tool.Progress(ctx))
		if err != nil {
			return nil, err
		}
		ans.ChangedFiles, ans.FailedFiles = orEmpty(ans.ChangedFiles), orEmpty(ans.FailedFiles)
		return ans, nil
	})
}
