// Package filesearch holds the tools that search the workspace: search_files by the
// names of files, grep_files by their contents. A tool takes typed arguments, calls the service once, and shapes the answer.
package filesearch

import (
	"context"
	_ "embed"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed grep_files.md
var grepDoc string

// Limits and defaults of grep_files.
const (
	maxPattern    = 1000 // characters
	defaultLimit  = 1000
	maxLimit      = 10000
	maxContext    = 100
	maxSnippet    = 2*maxContext + 1
	defaultGrepMS = 30000
	maxGrepMS     = 60000
	maxFileBytes  = 1 << 40
)

type grepIn struct {
	Pattern           string       `json:"pattern"`
	Path              string       `json:"path"`
	Regex             bool         `json:"regex"`
	CaseSensitive     bool         `json:"case_sensitive"`
	WholeWord         bool         `json:"whole_word"`
	Include           []string     `json:"include"`
	Exclude           []string     `json:"exclude"`
	ContextBefore     int          `json:"context_before"`
	ContextAfter      int          `json:"context_after"`
	Limit             int          `json:"limit"`
	MaxFileBytes      int64        `json:"max_file_bytes"`
	UseIndex          api.UseIndex `json:"use_index"`
	RankBy            api.RankBy   `json:"rank_by"`
	GraphTarget       string       `json:"graph_target"`
	ReturnEvidenceIDs bool         `json:"return_evidence_ids"`
	MaxSnippetLines   int          `json:"max_snippet_lines"`
	DedupeBySymbol    bool         `json:"dedupe_by_symbol"`
	GraphContext      bool         `json:"include_graph_context"`
	TimeoutMS         int          `json:"timeout_ms"`
}

func grepArgs() []tool.Arg {
	return []tool.Arg{
		{
			Name: "pattern", Type: tool.String, Required: true, MaxLen: maxPattern, Aliases: []string{"query"},
			Doc: "What a line must contain.",
		},
		{
			Name: "path", Type: tool.String, MaxLen: 4096, EmptyAbsent: true, Default: ".",
			Aliases: []string{"file", "file_path", "directory"},
			Doc:     "Directory or file to search.",
		},
		{
			Name: "regex", Type: tool.Boolean, Default: true,
			Doc: "false: pattern is literal text.",
		},
		{Name: "case_sensitive", Type: tool.Boolean, Default: true, Doc: "false: ignore case."},
		{Name: "whole_word", Type: tool.Boolean, Default: false, Doc: "Match whole words only."},
		{
			Name: "include", Type: tool.Strings,
			Doc: "Globs; only these files, e.g. [\"*.go\"].",
		},
		{Name: "exclude", Type: tool.Strings, Doc: "Globs; not these files."},
		{Name: "context_before", Type: tool.Integer, Max: maxContext, Default: 0, Doc: "Lines to show before each match."},
		{Name: "context_after", Type: tool.Integer, Max: maxContext, Default: 0, Doc: "Lines to show after each match."},
		{
			Name: "limit", Type: tool.Integer, Min: 1, Max: maxLimit, Default: defaultLimit,
			Aliases: []string{"max_results"},
			Doc:     "Most matches to return.",
		},
		{
			Name: "max_file_bytes", Type: tool.Integer, Min: 1, Max: maxFileBytes, EmptyAbsent: true,
			Doc: "Skip larger files; default none.",
		},
		{
			Name: "use_index", Type: tool.String, Default: string(api.IndexAuto),
			Enum: []string{string(api.IndexAuto), string(api.IndexAlways), string(api.IndexNever)},
			Doc:  "always refuses what the index cannot answer; never scans the files.",
		},
		{
			Name: "rank_by", Type: tool.String, Default: string(api.RankMatch),
			Enum: []string{
				string(api.RankMatch), string(api.RankSymbol), string(api.RankGraph),
				string(api.RankChanged), string(api.RankHybrid),
			},
			Doc: "match: by path and line; others: best first, with score_reasons.",
		},
		{
			Name: "graph_target", Type: tool.String, MaxLen: 2000, EmptyAbsent: true,
			Doc: "Symbol that rank_by graph measures distance from.",
		},
		{Name: "return_evidence_ids", Type: tool.Boolean, Default: false, Doc: "Add an id that read_file opens to each match."},
		{
			Name: "max_snippet_lines", Type: tool.Integer, Min: 1, Max: maxSnippet,
			Doc: "Most lines of one match with its context; the farthest are left out.",
		},
		{Name: "dedupe_by_symbol", Type: tool.Boolean, Default: false, Doc: "One match for each enclosing definition."},
		{Name: "include_graph_context", Type: tool.Boolean, Default: false, Doc: "Add enclosing definitions with callers and tests."},
		{
			Name: "timeout_ms", Type: tool.Integer, Min: 1, Max: maxGrepMS, Default: defaultGrepMS,
			Doc: "Time budget; then what was found is returned, labelled.",
		},
	}
}

// grepOut shows evidence_ids whenever they were asked for, also when empty.
type grepOut struct {
	*api.GrepAnswer
	EvidenceIDs *[]string `json:"evidence_ids,omitempty"`
}

// GrepFiles defines grep_files.
func GrepFiles(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:          "grep_files",
		Title:         "Search file contents",
		Description:   grepDoc,
		Capability:    tool.WorkspaceRead,
		Annotations:   tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:        tool.Budget{Default: defaultGrepMS * time.Millisecond, Max: maxGrepMS * time.Millisecond},
		Args:          grepArgs(),
		Example:       `{"pattern":"func main","path":".","include":["*.go"],"limit":50}`,
		WaitsForIndex: true,
	}
	return tool.Define(spec, func(ctx context.Context, in grepIn) (*grepOut, error) {
		ans, err := svc.Grep(ctx, in.request())
		if err != nil {
			return nil, err
		}
		return shapeGrep(ans, in.ReturnEvidenceIDs), nil
	})
}

func (in *grepIn) request() *api.GrepRequest {
	return &api.GrepRequest{
		Pattern: in.Pattern, Path: in.Path, Regex: in.Regex, CaseSensitive: in.CaseSensitive, WholeWord: in.WholeWord,
		Include: in.Include, Exclude: in.Exclude, ContextBefore: in.ContextBefore, ContextAfter: in.ContextAfter,
		Limit: in.Limit, MaxFileBytes: in.MaxFileBytes, UseIndex: in.UseIndex, RankBy: in.RankBy,
		GraphTarget: in.GraphTarget, ReturnEvidenceIDs: in.ReturnEvidenceIDs, MaxSnippetLines: in.MaxSnippetLines,
		DedupeBySymbol: in.DedupeBySymbol, GraphContext: in.GraphContext, TimeoutMS: in.TimeoutMS,
	}
}

// shapeGrep keeps null out of the answer: a list is always a list.
func shapeGrep(ans *api.GrepAnswer, ids bool) *grepOut {
	if ans.Matches == nil {
		ans.Matches = []api.Match{}
	}
	if ans.GraphContext == nil {
		ans.GraphContext = []api.GraphContext{}
	}
	for i := range ans.Matches {
		m := &ans.Matches[i]
		if m.ContextBefore == nil {
			m.ContextBefore = []string{}
		}
		if m.ContextAfter == nil {
			m.ContextAfter = []string{}
		}
	}
	out := &grepOut{GrepAnswer: ans}
	if ids {
		list := ans.EvidenceIDs
		if list == nil {
			list = []string{}
		}
		out.EvidenceIDs = &list
	}
	return out
}
