package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/graph/store"
)

// defaultTimeout bounds a question whose caller set no limit.
const defaultTimeout = query.DefaultTimeoutMS * time.Millisecond

// Graph answers a graph question at the freshness it asks for.
func (l *local) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	if req.Cancel {
		return l.bare(req, query.MissingCancelled), nil
	}
	limit := time.Duration(req.TimeoutMS) * time.Millisecond
	if _, has := ctx.Deadline(); limit <= 0 && !has {
		limit = defaultTimeout
	}
	if limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	if l.x == nil {
		ans := l.bare(req, query.MissingIndex)
		ans.FallbackReason = reason(l.fallback()) // Status says more
		return ans, nil
	}
	if scope := string(req.ScopePath); scope != "" {
		known, err := l.known("scope_path", scope, req.ScopePath)
		if err != nil {
			return nil, err
		}
		asked := *req
		asked.ScopePath = known
		req = &asked
	}
	return l.x.graph(ctx, req)
}

// recheckRounds bounds how often a question is asked again because files that the
// answer used had changed: each new answer may use other files.
const recheckRounds = 3

func (x *index) graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	if !x.freshen(ctx, req.Freshness) {
		return x.unkept(ctx, req), nil
	}
	ans, view, err := x.question(ctx, req)
	var beyond *query.LineError
	if errors.As(err, &beyond) && req.Freshness != api.AllowStale && x.recheck(ctx, req.Freshness, []graph.Path{beyond.Path}) {
		ans, view, err = x.question(ctx, req) // the file may have grown
	}
	if err != nil {
		return nil, targetError(req, err)
	}
	defer func() { view.Release() }()
	if view.Generation() == 0 && !x.complete.Load() { // nothing is known of any name yet
		out := x.empty(req, query.MissingIndex)
		out.IndexUsed, out.FallbackReason = false, reason(api.FallbackNoGeneration)
		return out, nil
	}
	if req.Freshness != api.AllowStale && unresolved(ans) && x.lookAgain(ctx, view) {
		view.Release()
		if ans, view, err = x.question(ctx, req); err != nil {
			return nil, targetError(req, err)
		}
	}
	for round := 0; req.Freshness != api.AllowStale && round < recheckRounds; round++ {
		if ctx.Err() != nil || ans.Deadline || !x.recheck(ctx, req.Freshness, x.suspects(ctx, view)) && !x.overtaken(view) {
			break
		}
		again, second, err := x.question(ctx, req)
		if err != nil {
			return nil, targetError(req, err)
		}
		view.Release()
		ans, view = again, second
	}
	out := &api.GraphAnswer{Answer: *ans, Freshness: x.freshness(view.Snapshot)}
	if req.Freshness == api.Required && !x.unswept() {
		// Everything was looked at: a doubt that came since, as when the watches are set,
		// is about what came since.
		out.IsStale, out.FallbackReason = false, nil
	}
	// On a full disk nobody knows what a file that cannot be indexed would add.
	lacks := x.lacking(ctx, req, view)
	sayNotIndexed(&out.Answer, lacks)
	out.IsStale = out.IsStale || x.anyPending(view) || req.Freshness != api.AllowStale && (x.overtaken(view) || len(lacks) > 0) || x.holding() != "" && out.DirtyPathsCount > 0
	if !x.complete.Load() {
		sayFirst(&out.Answer, query.MissingIndex)
	}
	if view.Generation() == 0 { // of an empty tree
		out.IndexUsed, out.FallbackReason = false, reason(api.FallbackNoGeneration)
	}
	return out, nil
}

// unresolved reports whether an end of the question names nothing: it may be new.
func unresolved(ans *query.Answer) bool {
	return slices.Contains(ans.MissingData, query.MissingTarget) || slices.Contains(ans.MissingData, query.MissingEndpoint)
}

// unkept is the answer to a question that required more than there was time for.
func (x *index) unkept(ctx context.Context, req *api.GraphRequest) *api.GraphAnswer {
	ans := x.empty(req, query.MissingFreshness)
	ans.IsStale = true
	switch {
	case ctx.Err() == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		ans.Truncated, ans.Deadline = true, true
		say(&ans.Answer, query.MissingDeadline)
	default:
		ans.Truncated, ans.Cancelled = true, true
		say(&ans.Answer, query.MissingCancelled)
	}
	return ans
}

// say adds a word that is about the whole index.
func say(ans *query.Answer, w query.Word) {
	if slices.Contains(ans.MissingData, w) {
		return
	}
	ans.MissingData = append(ans.MissingData, w)
	ans.Metadata.Missing = append(ans.Metadata.Missing, query.Missing{Word: w, Count: 1})
}

// listedPaths bounds the paths of a word.
const listedPaths = 10

// sayNotIndexed names files that the answer may lack.
func sayNotIndexed(ans *query.Answer, files []graph.Path) {
	if len(files) == 0 {
		return
	}
	ans.MissingData = append(ans.MissingData, query.MissingNotIndexed)
	ans.Metadata.Missing = append(ans.Metadata.Missing, query.Missing{
		Word: query.MissingNotIndexed, Count: len(files), Scope: files[:min(len(files), listedPaths)],
	})
}

// sayFirst adds a word that what the others say depends on.
func sayFirst(ans *query.Answer, w query.Word) {
	if !slices.Contains(ans.MissingData, w) {
		ans.MissingData = slices.Insert(ans.MissingData, 0, w)
		ans.Metadata.Missing = slices.Insert(ans.Metadata.Missing, 0, query.Missing{Word: w, Count: 1})
	}
}

// question runs a question on the current generation. The view is the caller's to
// release.
func (x *index) question(ctx context.Context, req *api.GraphRequest) (*query.Answer, *consulted, error) {
	x.asking.Store(time.Now().UnixNano())
	behind := dirty(x.ledger.Counts()) > 0 // asked first: what is published after it is in the snapshot, or not counted
	view := consult(x.store.Snapshot())
	view.behind = behind
	if req.Type == query.Hubs && view.Generation() > 0 {
		x.hubs.want(ctx)
	}
	ans, err := x.planner.RunWith(ctx, view, x.hubs.table.Load(), req.Request)
	if err != nil {
		x.suspect(err)
		view.Release()
		return nil, nil, err
	}
	return ans, view, nil
}

// targetError says which argument of a question is at fault.
func targetError(req *api.GraphRequest, err error) error {
	var hubs *query.HubsError
	if errors.As(err, &hubs) {
		return hubsError(req, hubs)
	}
	arg := "target"
	var beyond *query.LineError
	first := strings.TrimSpace(req.Target)
	if errors.As(err, &beyond) && beyond.Target != first || errors.Is(err, query.ErrNoTarget) && first != "" {
		arg = "target_b"
	}
	return nameError(arg, err)
}

// hubsError names the relations by which hubs are ranked.
func hubsError(req *api.GraphRequest, err *query.HubsError) error {
	e := &api.Error{Code: api.CodeInvalidParams, Argument: "relations"}
	if req.Relation != "" {
		e.Argument = "relation"
	}
	text := func(rels []graph.Relation) string {
		words := make([]string, len(rels))
		for i, r := range rels {
			words[i] = string(r)
		}
		return strings.Join(words, ", ")
	}
	allowed := text(query.HubRelations())
	e.Message = fmt.Sprintf("%s of hubs cannot be %s; hubs are ranked by one of %s, or by all of these without it", e.Argument, text(err.Relations), allowed)
	e.Details = map[string]any{"allowed": query.HubRelations()}
	return e
}

// nameError says of the argument arg that it is blank, or names a line that is not
// there; other errors stay what they are.
func nameError(arg string, err error) error {
	var beyond *query.LineError
	switch {
	case errors.Is(err, query.ErrNoTarget):
		return &api.Error{Code: api.CodeInvalidParams, Argument: arg, Message: arg + " is blank; give a name, a path, path:line, path#symbol or an id"}
	case errors.As(err, &beyond):
		return &api.Error{
			Code: api.CodeInvalidParams, Argument: arg,
			Message: fmt.Sprintf("%q has no line %d; its lines are 1 to %d", beyond.Path, beyond.Line, beyond.Lines),
			Details: map[string]any{"path": string(beyond.Path), "line": beyond.Line, "total_lines": beyond.Lines},
		}
	}
	return err
}

func reason(s string) *string { return &s }

// empty is an answer without content on the current generation.
func (x *index) empty(req *api.GraphRequest, w query.Word) *api.GraphAnswer {
	ans := &api.GraphAnswer{Answer: *query.Empty(req.Request, w)}
	ans.Metadata.Missing = []query.Missing{{Word: w, Count: 1}}
	x.withSnapshot(func(s *store.Snapshot) { ans.Freshness = x.freshness(s) })
	return ans
}

// bare is an answer without content, from no index or before one is asked.
func (l *local) bare(req *api.GraphRequest, w query.Word) *api.GraphAnswer {
	if l.x != nil {
		return l.x.empty(req, w)
	}
	return &api.GraphAnswer{Answer: *query.Empty(req.Request, w)}
}
