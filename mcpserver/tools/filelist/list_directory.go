package filelist

import (
	"context"
	_ "embed"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed list_directory.md
var listDoc string

//go:embed list_directory_recursive.md
var recursiveDoc string

type listIn struct {
	Path           string       `json:"path"`
	Recursive      bool         `json:"recursive"`
	View           string       `json:"view"`
	IncludeCounts  bool         `json:"include_counts"`
	IncludeSymbols bool         `json:"include_symbols"`
	ChangedOnly    bool         `json:"changed_only"`
	LimitChildren  int          `json:"limit_children"`
	UseIndex       api.UseIndex `json:"use_index"`
}

type recursiveIn struct {
	Path string `json:"path"`
}

// entriesOut is a directory with what the index knows of it.
type entriesOut struct {
	Entries []api.Node `json:"entries"`
	viewOut
}

// ListDirectory defines list_directory.
func ListDirectory(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:          "list_directory",
		Title:         "List directory",
		Description:   listDoc,
		Capability:    tool.WorkspaceRead,
		Annotations:   tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:        tool.Budget{Default: listBudget, Max: listBudget},
		Args:          append([]tool.Arg{pathArg(), {Name: "recursive", Type: tool.Boolean, Default: false, Doc: "As list_directory_recursive."}}, viewArgs()...),
		Example:       `{"path":"src","view":"outline"}`,
		WaitsForIndex: true,
	}
	return tool.Define(spec, func(ctx context.Context, in listIn) (any, error) {
		ctx, stop := context.WithTimeout(ctx, listBudget)
		defer stop()
		view := viewIn{in.View, in.IncludeCounts, in.IncludeSymbols, in.ChangedOnly, in.LimitChildren, in.UseIndex}
		req := view.into(&api.ListRequest{Path: in.Path, Scope: api.ScopeDirectory})
		switch {
		case in.Recursive && req.Indexed():
			return nil, tool.Invalid("recursive", "recursive is for the raw view alone; for other views of all that is below use directory_tree")
		case in.Recursive:
			return dump(ctx, svc, in.Path)
		}
		ans, err := svc.List(ctx, req)
		if err != nil {
			return nil, err
		}
		if !req.Indexed() {
			return textOf("Directory", in.Path, ans, 1), nil
		}
		out := entriesOut{Entries: []api.Node{}, viewOut: shapeView(req, ans)}
		if ans.Root != nil {
			for i := range ans.Root.Children {
				ans.Root.Children[i].Children = nil // what they hold was not asked for
			}
			out.Entries = append(out.Entries, ans.Root.Children...)
			out.ChildrenOmitted = ans.Root.ChildrenOmitted
		}
		return out, nil
	})
}

// ListDirectoryRecursive defines list_directory_recursive.
func ListDirectoryRecursive(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "list_directory_recursive",
		Title:       "List directory recursively",
		Description: recursiveDoc,
		Capability:  tool.WorkspaceRead,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: listBudget, Max: listBudget},
		Args:        []tool.Arg{pathArg()},
		Example:     `{"path":"src"}`,
	}
	return tool.Define(spec, func(ctx context.Context, in recursiveIn) (textOut, error) {
		ctx, stop := context.WithTimeout(ctx, listBudget)
		defer stop()
		return dump(ctx, svc, in.Path)
	})
}

func dump(ctx context.Context, svc api.Service, path string) (textOut, error) {
	ans, err := svc.List(ctx, &api.ListRequest{Path: path, Scope: api.ScopeDump})
	if err != nil {
		return "", err
	}
	return textOf("Directory (recursive)", path, ans, 0), nil
}
