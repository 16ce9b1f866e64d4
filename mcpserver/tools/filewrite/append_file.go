package filewrite

import (
	"context"
	_ "embed"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed append_file.md
var appendDoc string

type appendOut struct {
	Path          string   `json:"path"`
	BytesAppended int64    `json:"bytes_appended"`
	Created       bool     `json:"created,omitempty"`
	InPlace       bool     `json:"in_place,omitempty"`
	HardLinks     int      `json:"hard_links,omitempty"`
	NotKept       []string `json:"attributes_not_kept,omitempty"`
	ContentHash   string   `json:"content_hash"`
	*freshness
}

// AppendFile defines append_file.
func AppendFile(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "append_file",
		Title:       "Append to file",
		Description: appendDoc,
		Capability:  tool.WorkspaceEdit,
		Budget:      tool.Budget{Default: writeBudget, Max: writeBudget},
		Args:        []tool.Arg{fileArg(), contentArg("What is added at the end.")},
		Example:     `{"path":"notes/todo.md","content":"- one more\n"}`,
	}
	return tool.Define(spec, func(ctx context.Context, in contentIn) (*appendOut, error) {
		ans, err := svc.Mutate(ctx, &api.MutateRequest{Op: api.OpAppend, Path: in.Path, Content: in.Content})
		if err != nil {
			return nil, err
		}
		return &appendOut{in.Path, ans.Bytes, ans.Created, ans.InPlace, ans.HardLinks, ans.NotKept, ans.ContentHash, freshnessOf(ans)}, nil
	})
}
