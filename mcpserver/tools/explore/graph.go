package explore

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed graph.md
var graphDoc string

type graphIn struct {
	QueryType  query.Type       `json:"query_type"`
	Target     string           `json:"target"`
	TargetB    string           `json:"target_b"`
	Relations  []graph.Relation `json:"relations"`
	Limit      int              `json:"limit"`
	Freshness  api.Policy       `json:"freshness"`
	Direction  query.Direction  `json:"direction"`
	Depth      *int             `json:"depth"`
	MaxPaths   int              `json:"max_paths"`
	ChangeKind query.ChangeKind `json:"change_kind"`
	ScopePath  string           `json:"scope_path"`
	Relation   graph.Relation   `json:"relation"`
	Role       graph.Role       `json:"role"`
	TimeoutMS  int              `json:"timeout_ms"`
	Cancel     bool             `json:"cancel"`
}

// anyRole is accepted beside the roles of files and means no restriction.
const anyRole graph.Role = "any"

// maxImpactDepth is far beyond any real chain of callers; it keeps nonsense out.
const maxImpactDepth = 100

// graphArgs lists the arguments. Those of single questions have no default in the
// schema, so that a given one can be told from an absent one.
func graphArgs() []tool.Arg {
	relations := words(graph.Relations()...)
	return []tool.Arg{
		{
			Name: "query_type", Type: tool.String, Required: true, Aliases: []string{"type"},
			Enum: words(query.Neighbors, query.Path, query.Impact, query.Hubs, query.Tests),
			Doc:  "The question.",
		},
		{
			Name: "target", Type: tool.String, MaxLen: 2000, EmptyAbsent: true, Aliases: []string{"symbol", "source"},
			Doc: "Qualified name or unambiguous suffix, package, path, path:line, path#symbol, or any id. Required except for hubs, which has none.",
		},
		{
			Name: "target_b", Type: tool.String, MaxLen: 2000, EmptyAbsent: true,
			Doc: "path: where the chain ends.",
		},
		{
			Name: "relations", Type: tool.Strings, Enum: relations,
			Doc: "Only these relations; default all, of impact those that carry the change.",
		},
		{
			Name: "limit", Type: tool.Integer, Min: 1, Max: query.MaxLimit, Default: query.DefaultLimit,
			Aliases: []string{"max_results"},
			Doc:     "Most results to return.",
		},
		{
			Name: "freshness", Type: tool.String, Default: string(api.PreferFresh),
			Enum: words(api.Required, api.PreferFresh, api.AllowStale),
			Doc:  "required: verify first or say freshness_required.",
		},
		{
			Name: "direction", Type: tool.String, Enum: words(query.Out, query.In, query.Both),
			Doc: "neighbors: edges from (out) or to (in) the target; default both.",
		},
		{
			Name: "depth", Type: tool.Integer, Min: 1, Max: maxImpactDepth, Judged: true, Aliases: []string{"max_depth"},
			Doc: "neighbors 1-3, default 1; path 1-6, default 6; impact: distance, default unlimited.",
		},
		{
			Name: "max_paths", Type: tool.Integer, Min: 1, Max: query.MaxPaths,
			Doc: "path: most chains, default 3.",
		},
		{
			Name: "change_kind", Type: tool.String,
			Enum: words(query.ChangeRename, query.ChangeSignature, query.ChangeBehavior, query.ChangeDelete, query.ChangeUnknown),
			Doc: "impact: what will change. signature follows calls, tests, subtypes, overrides and uses as a value or type; behavior also imports; " +
				"rename also mentions, one step; delete also what holds it; unknown, the default, all but that.",
		},
		{
			Name: "scope_path", Type: tool.String, MaxLen: 4096, EmptyAbsent: true,
			Doc: "hubs, tests: only below this directory or file.",
		},
		{
			Name: "relation", Type: tool.String, Enum: relations,
			Doc: "hubs (calls_syntax, imports, inherits_syntax), tests: only this relation; for several give relations.",
		},
		{
			Name: "role", Type: tool.String,
			Enum: words(graph.RoleSource, graph.RoleTest, graph.RoleDocs, graph.RoleConfig, graph.RoleGenerated, anyRole),
			Doc:  "hubs, tests: only files of this role; default any.",
		},
		{
			Name: "timeout_ms", Type: tool.Integer, Min: 1, Max: query.MaxTimeoutMS, Default: query.DefaultTimeoutMS,
			Doc: "Time budget; then what was found is returned, labelled.",
		},
		{
			Name: "cancel", Type: tool.Boolean, Default: false,
			Doc: "Return the cancelled form at once.",
		},
	}
}

// Graph defines ralph_graph.
func Graph(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:          "ralph_graph",
		Title:         "Code graph",
		Description:   graphDoc,
		Capability:    tool.WorkspaceRead,
		Annotations:   tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:        tool.Budget{Default: query.DefaultTimeoutMS * time.Millisecond, Max: query.MaxTimeoutMS * time.Millisecond},
		Args:          graphArgs(),
		Example:       `{"query_type":"neighbors","target":"pkg.Type.method","direction":"in"}`,
		WaitsForIndex: true,
	}
	return tool.Define(spec, func(ctx context.Context, in graphIn) (*api.GraphAnswer, error) {
		req, err := in.request()
		if err != nil {
			return nil, err
		}
		ans, err := svc.Graph(ctx, req)
		if err != nil {
			return nil, err
		}
		ans.Nodes, ans.Edges = orEmpty(ans.Nodes), orEmpty(ans.Edges)
		ans.Paths, ans.ImpactedFiles = orEmpty(ans.Paths), orEmpty(ans.ImpactedFiles)
		ans.SuggestedTests, ans.EvidenceIDs = orEmpty(ans.SuggestedTests), orEmpty(ans.EvidenceIDs)
		ans.MissingData = orEmpty(ans.MissingData)
		return ans, nil
	})
}

func (in *graphIn) request() (*api.GraphRequest, error) {
	if in.Target == "" && in.QueryType != query.Hubs {
		return nil, tool.Invalid("target",
			"%s needs target: a qualified name, a path, path:line, path#symbol or an id; for example {\"query_type\":%q,\"target\":\"pkg.Type.method\"}",
			in.QueryType, in.QueryType)
	}
	if err := in.applicable(); err != nil {
		return nil, err
	}
	depth, err := in.depth()
	if err != nil {
		return nil, err
	}
	scope, err := relative("scope_path", in.ScopePath)
	if err != nil {
		return nil, err
	}
	if in.Role == anyRole {
		in.Role = ""
	}
	return &api.GraphRequest{
		Request: query.Request{
			Type: in.QueryType, Target: in.Target, TargetB: in.TargetB, Relations: in.Relations,
			Limit: in.Limit, Direction: in.Direction, Depth: depth, MaxPaths: in.MaxPaths,
			ChangeKind: in.ChangeKind, ScopePath: scope, Relation: in.Relation, Role: in.Role,
		},
		Freshness: in.Freshness, TimeoutMS: in.TimeoutMS, Cancel: in.Cancel,
	}, nil
}

// Restricted maps the arguments that only some questions have to those questions.
func Restricted() map[string][]query.Type {
	return map[string][]query.Type{
		"target":      {query.Neighbors, query.Path, query.Impact, query.Tests},
		"target_b":    {query.Path},
		"direction":   {query.Neighbors},
		"depth":       {query.Neighbors, query.Path, query.Impact},
		"max_paths":   {query.Path},
		"change_kind": {query.Impact},
		"scope_path":  {query.Hubs, query.Tests},
		"relation":    {query.Hubs, query.Tests},
		"role":        {query.Hubs, query.Tests},
	}
}

// applicable refuses an argument that the question does not have, unless it says
// what is the case anyway: an ignored argument gives a plausible wrong answer.
func (in *graphIn) applicable() error {
	restricted := Restricted()
	for _, a := range []struct {
		name  string
		given bool
	}{
		{"target", in.Target != ""},
		{"target_b", in.TargetB != ""},
		{"direction", in.Direction != "" && in.Direction != query.Both},
		{"depth", in.Depth != nil && *in.Depth != query.DefaultDepth},
		{"max_paths", in.MaxPaths != 0 && in.MaxPaths != query.DefaultMaxPaths},
		{"change_kind", in.ChangeKind != "" && in.ChangeKind != query.ChangeUnknown},
		{"scope_path", in.ScopePath != ""},
		{"relation", in.Relation != ""},
		{"role", in.Role != "" && in.Role != anyRole},
	} {
		types := restricted[a.name]
		if !a.given || slices.Contains(types, in.QueryType) {
			continue
		}
		instead := "leave it out"
		if a.name == "relation" {
			instead = "give it in relations"
		}
		return tool.Invalid(a.name, "%s does not apply to query_type %s, only to %s; %s",
			a.name, in.QueryType, strings.Join(words(types...), ", "), instead)
	}
	if in.Relation != "" && len(in.Relations) > 0 {
		return tool.Invalid("relation", "relation and relations exclude each other; leave out relation and list all in relations")
	}
	return nil
}

// depth is the one that was asked for, which the question must have; 0 where none was.
func (in *graphIn) depth() (int, error) {
	limit := maxImpactDepth
	switch in.QueryType {
	case query.Neighbors:
		limit = query.MaxNeighborDepth
	case query.Path:
		limit = query.MaxPathDepth
	case query.Impact:
	case query.Hubs, query.Tests:
		return 0, nil
	}
	if in.Depth == nil {
		return 0, nil
	}
	if *in.Depth >= 1 && *in.Depth <= limit {
		return *in.Depth, nil
	}
	e := tool.Invalid("depth", "depth of %s cannot be %d; allowed: 1 to %d", in.QueryType, *in.Depth, limit)
	e.Details = map[string]any{"minimum": 1, "maximum": limit}
	return 0, e
}
