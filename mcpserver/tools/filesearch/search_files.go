package filesearch

import (
	"context"
	_ "embed"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed search_files.md
var searchDoc string

const (
	defaultSearchMS = 10000
	maxSearchMS     = 60000
	anyRole         = "any"
)

type searchIn struct {
	Pattern           string   `json:"pattern"`
	Path              string   `json:"path"`
	Exclude           []string `json:"exclude"`
	Limit             int      `json:"limit"`
	Ranked            bool     `json:"ranked"`
	Role              string   `json:"role"`
	ContainsSymbol    string   `json:"contains_symbol"`
	ChangedOnly       bool     `json:"changed_only"`
	ReturnEvidenceIDs bool     `json:"return_evidence_ids"`
	TimeoutMS         int      `json:"timeout_ms"`
}

func searchArgs() []tool.Arg {
	return []tool.Arg{
		{
			Name: "pattern", Type: tool.String, Required: true, MaxLen: maxPattern, Aliases: []string{"glob", "query"},
			Doc: "Glob, case-sensitive.",
		},
		{
			Name: "path", Type: tool.String, MaxLen: 4096, EmptyAbsent: true, Default: ".", Aliases: []string{"directory"},
			Doc: "Directory to search.",
		},
		{Name: "exclude", Type: tool.Strings, Doc: "Globs; not these files."},
		{
			Name: "limit", Type: tool.Integer, Min: 1, Max: maxLimit, Default: defaultLimit, Aliases: []string{"max_results"},
			Doc: "Most files to return.",
		},
		{Name: "ranked", Type: tool.Boolean, Default: false, Doc: "Best first."},
		{
			Name: "role", Type: tool.String, Default: anyRole,
			Enum: []string{
				string(graph.RoleSource), string(graph.RoleTest), string(graph.RoleDocs), string(graph.RoleConfig), string(graph.RoleGenerated), anyRole,
			},
			Doc: "What the files are for.",
		},
		{
			Name: "contains_symbol", Type: tool.String, MaxLen: 2000, EmptyAbsent: true,
			Doc: "Only files that define this name or refer to it; bare or qualified.",
		},
		{Name: "changed_only", Type: tool.Boolean, Default: false, Doc: "Only files changed since the index was opened."},
		{Name: "return_evidence_ids", Type: tool.Boolean, Default: false, Doc: "Add an id that read_file opens for each match; \"\" where there is no text."},
		{Name: "timeout_ms", Type: tool.Integer, Min: 1, Max: maxSearchMS, Default: defaultSearchMS, Doc: "Time budget."},
	}
}

// searchOut shows what was asked beside what was found.
type searchOut struct {
	Pattern         string           `json:"pattern"`
	Base            string           `json:"base"`
	Matches         []string         `json:"matches"`
	Truncated       bool             `json:"truncated"`
	Ranked          bool             `json:"ranked"`
	Role            string           `json:"role"`
	ContainsSymbol  *string          `json:"contains_symbol"`
	SymbolNote      *string          `json:"contains_symbol_note"`
	ChangedOnly     bool             `json:"changed_only"`
	ChangedOnlyNote *string          `json:"changed_only_note"`
	ScoreReasons    *[]api.FileScore `json:"score_reasons,omitempty"`
	EvidenceIDs     *[]string        `json:"evidence_ids,omitempty"`
	Deadline        bool             `json:"deadline_exceeded"`
	Cancelled       bool             `json:"cancelled"`
	api.Freshness
}

// SearchFiles defines search_files.
func SearchFiles(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:          "search_files",
		Title:         "Search file names",
		Description:   searchDoc,
		Capability:    tool.WorkspaceRead,
		Annotations:   tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:        tool.Budget{Default: defaultSearchMS * time.Millisecond, Max: maxSearchMS * time.Millisecond},
		Args:          searchArgs(),
		Example:       `{"pattern":"*_test.go","path":".","ranked":true,"limit":20}`,
		WaitsForIndex: true,
	}
	return tool.Define(spec, func(ctx context.Context, in searchIn) (*searchOut, error) {
		req := &api.FindRequest{
			Pattern: in.Pattern, Path: in.Path, Exclude: in.Exclude, Limit: in.Limit, Ranked: in.Ranked, ContainsSymbol: in.ContainsSymbol,
			ChangedOnly: in.ChangedOnly, ReturnEvidenceIDs: in.ReturnEvidenceIDs, TimeoutMS: in.TimeoutMS,
		}
		if in.Role != anyRole {
			req.Role = graph.Role(in.Role)
		}
		ans, err := svc.Find(ctx, req)
		if err != nil {
			return nil, err
		}
		return shapeSearch(&in, ans), nil
	})
}

func shapeSearch(in *searchIn, ans *api.FindAnswer) *searchOut {
	out := &searchOut{
		Pattern: in.Pattern, Base: in.Path, Matches: ans.Matches, Truncated: ans.Truncated, Ranked: in.Ranked, Role: in.Role,
		SymbolNote: ans.SymbolNote, ChangedOnly: in.ChangedOnly, ChangedOnlyNote: ans.ChangedNote, Deadline: ans.Deadline, Cancelled: ans.Cancelled, Freshness: ans.Freshness,
	}
	if out.Matches == nil {
		out.Matches = []string{}
	}
	if in.ContainsSymbol != "" {
		out.ContainsSymbol = &in.ContainsSymbol
	}
	if in.Ranked && len(ans.ScoreReasons) > 0 {
		out.ScoreReasons = &ans.ScoreReasons
	}
	if in.ReturnEvidenceIDs {
		ids := ans.EvidenceIDs
		if ids == nil {
			ids = []string{}
		}
		out.EvidenceIDs = &ids
	}
	return out
}
