package filelist

import (
	"context"
	_ "embed"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed directory_tree.md
var treeDoc string

const maxDepth = 1000

type treeIn struct {
	Path            string       `json:"path"`
	MaxDepth        *int         `json:"max_depth"`
	ExcludePatterns []string     `json:"exclude_patterns"`
	View            string       `json:"view"`
	IncludeCounts   bool         `json:"include_counts"`
	IncludeSymbols  bool         `json:"include_symbols"`
	ChangedOnly     bool         `json:"changed_only"`
	LimitChildren   int          `json:"limit_children"`
	UseIndex        api.UseIndex `json:"use_index"`
	TimeoutMS       int          `json:"timeout_ms"`
}

// bareOut is the root node itself, and what ended the walk when something did.
type bareOut struct {
	*api.Node
	Truncated bool `json:"truncated,omitempty"`
	Deadline  bool `json:"deadline_exceeded,omitempty"`
	Cancelled bool `json:"cancelled,omitempty"`
}

// treeOut is a tree with what the index knows of it.
type treeOut struct {
	Tree *api.Node `json:"tree"`
	viewOut
}

// DirectoryTree defines directory_tree.
func DirectoryTree(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "directory_tree",
		Title:       "Directory tree",
		Description: treeDoc,
		Capability:  tool.WorkspaceRead,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: defaultTreeMS * time.Millisecond, Max: maxTreeMS * time.Millisecond},
		Args: append([]tool.Arg{
			pathArg(),
			{Name: "max_depth", Type: tool.Integer, Max: maxDepth, Doc: "Levels below path; 0: path alone; default all."},
			{Name: "exclude_patterns", Type: tool.Strings, Doc: "Globs; leave these files and directories out."},
		}, append(viewArgs(), tool.Arg{
			Name: "timeout_ms", Type: tool.Integer, Min: 1, Max: maxTreeMS, Default: defaultTreeMS, Doc: "Time budget.",
		})...),
		Example:       `{"path":"src","max_depth":3,"view":"compact"}`,
		WaitsForIndex: true,
	}
	return tool.Define(spec, func(ctx context.Context, in treeIn) (any, error) {
		view := viewIn{in.View, in.IncludeCounts, in.IncludeSymbols, in.ChangedOnly, in.LimitChildren, in.UseIndex}
		req := view.into(&api.ListRequest{
			Path: in.Path, Scope: api.ScopeTree, Depth: in.MaxDepth, Exclude: in.ExcludePatterns, TimeoutMS: in.TimeoutMS,
		})
		ans, err := svc.List(ctx, req)
		if err != nil {
			return nil, err
		}
		root := ans.Root
		if root == nil { // a service that found nothing would have said so
			root = &api.Node{Name: ".", Type: api.TypeDir, Children: []api.Node{}}
		}
		if !req.Indexed() {
			return bareOut{root, ans.Truncated, ans.Deadline, ans.Cancelled}, nil
		}
		root.Path = in.Path // as it was asked for, in these answers alone
		return treeOut{Tree: root, viewOut: shapeView(req, ans)}, nil
	})
}
