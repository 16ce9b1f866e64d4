package explore

import (
	"context"
	_ "embed"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed index_status.md
var statusDoc string

type statusIn struct{}

// IndexStatus defines ralph_index_status.
func IndexStatus(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "ralph_index_status",
		Title:       "Index status",
		Description: statusDoc,
		Capability:  tool.WorkspaceMetadataRead,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: 10 * time.Second, Max: 10 * time.Second},
		Example:     `{}`,
	}
	return tool.Define(spec, func(ctx context.Context, _ statusIn) (*api.Status, error) {
		st, err := svc.Status(ctx)
		if err != nil {
			return nil, err
		}
		st.Capabilities, st.Languages, st.Failed = orEmpty(st.Capabilities), orEmpty(st.Languages), orEmpty(st.Failed)
		st.Odd = orEmpty(st.Odd)
		return st, nil
	})
}
