// Package filelist holds the tools that list directories: list_directory,
// list_directory_recursive, directory_tree. A tool takes typed arguments, calls the
// service once, and shapes the answer.
package filelist

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

const (
	maxPath       = 4096
	maxLimit      = 10000
	defaultLimit  = 100
	listBudget    = 10 * time.Second
	defaultTreeMS = 10000
	maxTreeMS     = 60000
)

// viewIn are the arguments that the listings with views have in common.
type viewIn struct {
	view           string
	includeCounts  bool
	includeSymbols bool
	changedOnly    bool
	limitChildren  int
	useIndex       api.UseIndex
}

func pathArg() tool.Arg {
	return tool.Arg{
		Name: "path", Type: tool.String, MaxLen: maxPath, EmptyAbsent: true, Default: ".",
		Aliases: []string{"directory", "dir"}, Doc: "Directory, relative to the workspace or absolute inside it.",
	}
}

func viewArgs() []tool.Arg {
	return []tool.Arg{
		{
			Name: "view", Type: tool.String, Default: string(api.ViewRaw),
			Enum: []string{string(api.ViewRaw), string(api.ViewCompact), string(api.ViewRanked), string(api.ViewOutline)},
			Doc:  "What to show.",
		},
		{Name: "include_counts", Type: tool.Boolean, Default: false, Doc: "Add counts of files and definitions."},
		{Name: "include_symbols", Type: tool.Boolean, Default: false, Doc: "Add the outermost definitions of files."},
		{Name: "changed_only", Type: tool.Boolean, Default: false, Doc: "Only what changed, or holds what did."},
		{
			Name: "limit_children", Type: tool.Integer, Min: -1, Max: maxLimit, Default: defaultLimit,
			Doc: "Most children of a directory where the index is used; 0: all.",
		},
		{
			Name: "use_index", Type: tool.String, Default: string(api.IndexAuto),
			Enum: []string{string(api.IndexAuto), string(api.IndexAlways), string(api.IndexNever)},
			Doc:  "always refuses what the index cannot answer; never gives the raw view.",
		},
	}
}

func (in *viewIn) into(req *api.ListRequest) *api.ListRequest {
	req.View, req.UseIndex = api.View(in.view), in.useIndex
	req.IncludeCounts, req.IncludeSymbols, req.ChangedOnly = in.includeCounts, in.includeSymbols, in.changedOnly
	req.LimitChildren = max(in.limitChildren, 0)
	return req
}

// viewOut is what answers with views have in common, besides the nodes.
type viewOut struct {
	View            api.View `json:"view"`
	IncludeCounts   bool     `json:"include_counts"`
	IncludeSymbols  bool     `json:"include_symbols"`
	LimitChildren   int      `json:"limit_children"`
	ChangedOnly     bool     `json:"changed_only"`
	ChangedOnlyNote *string  `json:"changed_only_note,omitempty"`
	ChildrenOmitted int      `json:"children_omitted,omitempty"`
	Truncated       bool     `json:"truncated,omitempty"`
	Deadline        bool     `json:"deadline_exceeded,omitempty"`
	Cancelled       bool     `json:"cancelled,omitempty"`
	*api.Freshness
}

func shapeView(req *api.ListRequest, ans *api.ListAnswer) viewOut {
	out := viewOut{
		View: req.View, IncludeCounts: req.IncludeCounts, IncludeSymbols: req.IncludeSymbols, LimitChildren: req.LimitChildren,
		ChangedOnly: req.ChangedOnly, ChangedOnlyNote: ans.ChangedNote, Truncated: ans.Truncated, Deadline: ans.Deadline, Cancelled: ans.Cancelled, Freshness: ans.Freshness,
	}
	if out.Freshness == nil {
		out.Freshness = &api.Freshness{}
	}
	return out
}

// textOut is a listing as text.
type textOut string

// PlainText implements tool.Texter.
func (t textOut) PlainText() (string, bool) { return string(t), true }

// textOf writes a header and a line for each node, two blanks deeper for each level
// from the given one on.
func textOf(header, path string, ans *api.ListAnswer, level int) textOut {
	var b strings.Builder
	b.WriteString(header + ": " + oneLine(path))
	if ans.Root != nil {
		lines(&b, ans.Root.Children, level)
	}
	switch {
	case ans.Deadline:
		b.WriteString("\n… the time ran out; there is more")
	case ans.Truncated:
		b.WriteString("\n… there is more; list a directory below, or use directory_tree with max_depth")
	}
	return textOut(b.String())
}

func lines(b *strings.Builder, nodes []api.Node, level int) {
	for i := range nodes {
		n := &nodes[i]
		kind := "FILE"
		if n.Type == api.TypeDir {
			kind = "DIR"
		}
		fmt.Fprintf(b, "\n%s[%s] %s", strings.Repeat("  ", level), kind, oneLine(n.Path))
		lines(b, n.Children, level+1)
	}
}

// oneLine keeps a name with line breaks in it from looking like several.
func oneLine(name string) string {
	if !strings.ContainsFunc(name, unicode.IsControl) {
		return name
	}
	return strconv.Quote(name)
}
