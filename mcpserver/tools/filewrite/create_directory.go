package filewrite

import (
	"context"
	_ "embed"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed create_directory.md
var createDoc string

type createIn struct {
	Path string `json:"path"`
}

type createOut struct {
	Path    string `json:"path"`
	Created bool   `json:"created"` // it is there now
	Existed bool   `json:"existed,omitempty"`
	*freshness
}

// CreateDirectory defines create_directory.
func CreateDirectory(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "create_directory",
		Title:       "Create directory",
		Description: createDoc,
		Capability:  tool.WorkspaceEdit,
		Annotations: tool.Annotations{Idempotent: true},
		Budget:      tool.Budget{Default: writeBudget, Max: writeBudget},
		Args:        []tool.Arg{pathArg("path", "Directory, relative to the workspace or absolute inside it.", "dir", "directory")},
		Example:     `{"path":"internal/store"}`,
	}
	return tool.Define(spec, func(ctx context.Context, in createIn) (*createOut, error) {
		ans, err := svc.Mutate(ctx, &api.MutateRequest{Op: api.OpMkdir, Path: in.Path})
		if err != nil {
			return nil, err
		}
		return &createOut{in.Path, true, !ans.Created, freshnessOf(ans)}, nil
	})
}
