package filewrite

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed write_file.md
var writeDoc string

type contentIn struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type writeOut struct {
	Path         string   `json:"path"`
	BytesWritten int64    `json:"bytes_written"`
	Status       string   `json:"status"`
	Created      bool     `json:"created"`
	Unchanged    bool     `json:"unchanged,omitempty"`
	InPlace      bool     `json:"in_place,omitempty"`   // not in one step, so that it keeps
	HardLinks    int      `json:"hard_links,omitempty"` // its names, or its owner
	NotKept      []string `json:"attributes_not_kept,omitempty"`
	ContentHash  string   `json:"content_hash"`
	*freshness
}

// PlainText is the answer when the index is disabled.
func (o *writeOut) PlainText() (string, bool) {
	return fmt.Sprintf("Wrote %d bytes to %s", o.BytesWritten, o.Path), o.freshness == nil
}

// WriteFile defines write_file.
func WriteFile(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "write_file",
		Title:       "Write file",
		Description: writeDoc,
		Capability:  tool.WorkspaceWriteTracked,
		Alternative: tool.WorkspaceWriteEphemeral,
		Annotations: tool.Annotations{Destructive: true, Idempotent: true},
		Budget:      tool.Budget{Default: writeBudget, Max: writeBudget},
		Args:        []tool.Arg{fileArg(), contentArg("All of the file's new content.")},
		Example:     `{"path":"notes/todo.md","content":"# To do\n"}`,
	}
	return tool.Define(spec, func(ctx context.Context, in contentIn) (*writeOut, error) {
		ans, err := svc.Mutate(ctx, &api.MutateRequest{Op: api.OpWrite, Path: in.Path, Content: in.Content, Forbid: forbidden(ctx)})
		if err != nil {
			return nil, err
		}
		return &writeOut{in.Path, ans.Bytes, "ok", ans.Created, ans.Unchanged, ans.InPlace, ans.HardLinks, ans.NotKept, ans.ContentHash, freshnessOf(ans)}, nil
	})
}

// forbidden is the class of files that the session may not write.
func forbidden(ctx context.Context) api.WriteClass {
	switch {
	case !tool.Granted(ctx, tool.WorkspaceWriteTracked):
		return api.ClassTracked
	case !tool.Granted(ctx, tool.WorkspaceWriteEphemeral):
		return api.ClassEphemeral
	}
	return ""
}
