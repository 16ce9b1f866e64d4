package filewrite

import (
	"context"
	_ "embed"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed move_file.md
var moveDoc string

//go:embed copy_file.md
var copyDoc string

type transferIn struct {
	Src       string `json:"src"`
	Dest      string `json:"dest"`
	Overwrite bool   `json:"overwrite"`
}

type transferOut struct {
	Src      string `json:"src"`
	Dest     string `json:"dest"`
	Entries  int    `json:"entries"`
	Replaced bool   `json:"replaced,omitempty"`
	*freshness
}

// MoveFile defines move_file.
func MoveFile(svc api.Service) (tool.Tool, error) {
	return transfer(svc, api.OpMove, tool.Spec{
		Name: "move_file", Title: "Move or rename", Description: moveDoc,
		Example: `{"src":"old/name.go","dest":"new/name.go"}`,
	})
}

// CopyFile defines copy_file.
func CopyFile(svc api.Service) (tool.Tool, error) {
	return transfer(svc, api.OpCopy, tool.Spec{
		Name: "copy_file", Title: "Copy", Description: copyDoc,
		Example: `{"src":"config.example.toml","dest":"config.toml"}`,
	})
}

func transfer(svc api.Service, op api.Op, spec tool.Spec) (tool.Tool, error) {
	spec.Capability = tool.WorkspaceEdit
	spec.Annotations = tool.Annotations{Destructive: true}
	spec.Budget = tool.Budget{Default: treeBudget, Max: treeBudget}
	spec.Args = []tool.Arg{
		pathArg("src", "File or directory, relative to the workspace or absolute inside it.", "source", "from", "path"),
		pathArg("dest", "Full path that it gets.", "destination", "to", "dst", "target"),
		flagArg("overwrite", "Replace an existing file at dest."),
	}
	return tool.Define(spec, func(ctx context.Context, in transferIn) (*transferOut, error) {
		ans, err := svc.Mutate(ctx, &api.MutateRequest{Op: op, Path: in.Src, Dest: in.Dest, Overwrite: in.Overwrite})
		if err != nil {
			return nil, err
		}
		return &transferOut{in.Src, in.Dest, ans.Entries, ans.Replaced, freshnessOf(ans)}, nil
	})
}
