package filewrite

import (
	"context"
	_ "embed"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed delete_path.md
var deleteDoc string

type deleteIn struct {
	Path      string `json:"path"`
	Recursive bool   `json:"recursive"`
}

type deleteOut struct {
	Path      string `json:"path"`
	Deleted   bool   `json:"deleted"`
	Recursive bool   `json:"recursive"`
	Entries   int    `json:"entries"`
	*freshness
}

// DeletePath defines delete_path.
func DeletePath(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "delete_path",
		Title:       "Delete",
		Description: deleteDoc,
		Capability:  tool.WorkspaceDelete,
		Annotations: tool.Annotations{Destructive: true},
		Budget:      tool.Budget{Default: treeBudget, Max: treeBudget},
		Args: []tool.Arg{
			pathArg("path", "File or directory, relative to the workspace or absolute inside it.", "file", "file_path"),
			flagArg("recursive", "Delete a directory with everything in it."),
		},
		Example: `{"path":"build/old.log"}`,
	}
	return tool.Define(spec, func(ctx context.Context, in deleteIn) (*deleteOut, error) {
		ans, err := svc.Mutate(ctx, &api.MutateRequest{Op: api.OpDelete, Path: in.Path, Recursive: in.Recursive})
		if err != nil {
			return nil, err
		}
		return &deleteOut{in.Path, true, in.Recursive, ans.Entries, freshnessOf(ans)}, nil
	})
}
