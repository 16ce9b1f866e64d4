package fileread

import (
	"context"
	_ "embed"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed stat_path.md
var statDoc string

const lookBudget = 10 * time.Second // of what asks the file system a thing or two

type statIn struct {
	Path string `json:"path"`
}

// missingShape is all that is known of a path where nothing stands.
type missingShape struct {
	Type api.PathType `json:"type"`
}

// StatPath defines stat_path.
func StatPath(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "stat_path",
		Title:       "Stat path",
		Description: statDoc,
		Capability:  tool.WorkspaceMetadataRead,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: lookBudget, Max: lookBudget},
		Args: []tool.Arg{{
			Name: "path", Type: tool.String, Required: true, MaxLen: maxPath, Aliases: []string{"file", "file_path"},
			Doc: "Path, relative to the workspace or absolute inside it.",
		}},
		Example: `{"path":"README.md"}`,
	}
	return tool.Define(spec, func(ctx context.Context, in statIn) (any, error) {
		ans, err := svc.Stat(ctx, &api.StatRequest{Path: in.Path})
		if err != nil {
			return nil, err
		}
		if ans.Type == api.TypeMissing {
			return missingShape{ans.Type}, nil
		}
		return ans, nil
	})
}
