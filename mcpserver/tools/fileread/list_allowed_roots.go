package fileread

import (
	"context"
	_ "embed"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed list_allowed_roots.md
var rootsDoc string

// ListAllowedRoots defines list_allowed_roots.
func ListAllowedRoots(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "list_allowed_roots",
		Title:       "List allowed roots",
		Description: rootsDoc,
		Capability:  tool.WorkspaceRead,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: lookBudget, Max: lookBudget},
		Example:     `{}`,
	}
	return tool.Define(spec, func(ctx context.Context, _ struct{}) (*api.RootsAnswer, error) {
		ans, err := svc.Roots(ctx)
		if err == nil && ans.AllowedRoots == nil {
			ans.AllowedRoots = []string{}
		}
		return ans, err
	})
}
