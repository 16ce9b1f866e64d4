package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/rank"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/lexical/match"
	"github.com/ralph-index/ralph-index/lexical/scan"
)

// contextDefs bounds for how many enclosing definitions callers and tests are looked
// up, and contextEach how many of each are named.
const (
	contextDefs = 10
	contextEach = 5
)

// row is a match with what the graph knows of its place.
type row struct {
	scan.Match
	score   int
	reasons []string
	file    graph.FileID
	facts   *graph.Facts // of exactly the matched bytes, or nil
	def     int32        // innermost definition around the line, or NoDef
}

// shape turns matches into the answer: placed, ranked, thinned out, cut, and with
// the ids and contexts that were asked for.
func (s *search) shape(ctx context.Context, matches []scan.Match, limit int) error {
	rows := make([]row, len(matches))
	placed := s.ans.RankedBy != api.RankMatch || s.req.DedupeBySymbol || s.req.GraphContext
	placed = placed && s.snap != nil && s.root.Index
	for i, m := range matches {
		rows[i] = row{Match: m, def: graph.NoDef}
		if placed && s.inTime(ctx) {
			s.place(&rows[i])
		}
	}
	if s.ans.RankedBy != api.RankMatch {
		if err := s.rank(ctx, rows); err != nil {
			return err
		}
	}
	if s.req.DedupeBySymbol {
		rows = dedupe(rows)
	}
	if len(rows) > limit {
		rows, s.ans.Truncated = rows[:limit], true
	}
	for i := range rows {
		s.add(&rows[i])
	}
	if s.req.GraphContext {
		s.graphContext(ctx, rows)
	}
	return nil
}

// inTime reports whether there is time for more than the matches themselves. Where
// there is none, the answer says so.
func (s *search) inTime(ctx context.Context) bool {
	err := ctx.Err()
	if err == nil {
		return true
	}
	s.ans.Deadline = errors.Is(err, context.DeadlineExceeded)
	s.ans.Cancelled, s.ans.Truncated = !s.ans.Deadline, true
	return false
}

// place finds the definition around a match, if the index has facts of exactly the
// bytes that were matched.
func (s *search) place(r *row) {
	id, ok := s.snap.Lookup(r.Path)
	if !ok {
		return
	}
	f, err := s.snap.Outline(id)
	if err != nil || f == nil || f.Hash != r.Hash {
		return
	}
	r.file, r.facts = id, f
	for i := range f.Defs {
		sp := &f.Defs[i].Span
		if sp.From.Line > r.Line || sp.To.Line < r.Line {
			continue
		}
		if r.def == graph.NoDef || within(sp, &f.Defs[r.def].Span) {
			r.def = int32(i)
		}
	}
}

func within(in, out *graph.Span) bool { return in.Start >= out.Start && in.End <= out.End }

// rank scores the rows and sorts them, best first; ties stay in path order.
func (s *search) rank(ctx context.Context, rows []row) error {
	by := map[api.RankBy]rank.Components{
		api.RankSymbol: rank.BySymbol, api.RankGraph: rank.ByGraph, api.RankChanged: rank.ByChanged, api.RankHybrid: rank.ByAll,
	}[s.ans.RankedBy]
	near, files, err := s.neighbourhood(ctx)
	if err != nil {
		return err
	}
	named := s.namePattern()
	for i := range rows {
		r := &rows[i]
		sig := rank.Signals{Role: graph.RoleOf(r.Path)}
		if s.snap != nil {
			sig.Changed = rank.Of(s.l.x.recent.has(r.Path))
		}
		if r.facts != nil && s.inTime(ctx) {
			sig.Definition, sig.Body = symbolSignals(ctx, named, r)
			if near != nil {
				dist, ok := near[graph.Symbol{File: r.file, Def: r.def}]
				sig.Target, sig.Neighbor = rank.Of(ok && dist == 0), rank.Of(ok)
				sig.Component = rank.Of(files[r.file])
			}
		}
		r.score, r.reasons = rank.Score(sig, by)
	}
	// Of equal rows those whose place is known come first: the others may only lack facts.
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(unplaced(&a), unplaced(&b)))
	})
	return nil
}

func unplaced(r *row) int {
	if r.facts == nil {
		return 1
	}
	return 0
}

// namePattern is what the names of definitions are matched with: the pattern, or of a
// literal what is left of it without the punctuation around, as in "name(".
func (s *search) namePattern() *match.Pattern {
	word := strings.TrimFunc(s.req.Pattern, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if s.req.Regex || word == "" || word == s.req.Pattern {
		return s.pat
	}
	pat, err := match.Compile(match.Spec{Text: word, CaseSensitive: s.req.CaseSensitive, WholeWord: s.req.WholeWord})
	if err != nil {
		return s.pat
	}
	return pat
}

// symbolSignals says whether the row defines something that the pattern names, or
// lies in the body of such a thing.
func symbolSignals(ctx context.Context, named *match.Pattern, r *row) (definition, body rank.Fact) {
	definition, body = rank.No, rank.No
	for d := r.def; d != graph.NoDef; d = r.facts.Defs[d].Container {
		def := &r.facts.Defs[d]
		if ok, err := named.Match(ctx, []byte(def.Name)); err != nil || !ok {
			continue
		}
		body = rank.Yes
		if def.NameSpan.From.Line == r.Line {
			definition = rank.Yes
		}
	}
	return definition, body
}

// neighbourhood is the graph target, at distance 0, what has an edge with it, and
// their files; nil, and the answer says why, when there is no such target.
func (s *search) neighbourhood(ctx context.Context) (map[graph.Symbol]int, map[graph.FileID]bool, error) {
	target, byGraph := s.req.GraphTarget, s.ans.RankedBy == api.RankGraph || s.ans.RankedBy == api.RankHybrid
	lack := func(why string) (map[graph.Symbol]int, map[graph.FileID]bool, error) {
		s.ans.RankMissing = why
		return nil, nil, nil
	}
	switch {
	case target == "" && s.ans.RankedBy == api.RankGraph:
		return lack("graph_target_required")
	case target == "" || !byGraph:
		return nil, nil, nil
	case s.snap == nil || s.snap.Generation() == 0:
		return lack(string(query.MissingIndex))
	}
	v := lister{s.snap}
	res, err := s.l.x.planner.Resolve(ctx, v, target)
	switch {
	case err != nil:
		return nil, nil, nameError("graph_target", err)
	case len(res.Symbols) == 0:
		return lack(string(query.MissingTarget))
	case len(res.Symbols) > 1 && !res.Package:
		return lack(string(query.MissingAmbiguous))
	}
	near, files := map[graph.Symbol]int{}, map[graph.FileID]bool{}
	ans, err := s.l.x.planner.Run(ctx, v, query.Request{Type: query.Neighbors, Target: target, Limit: query.MaxLimit})
	if err != nil {
		return nil, nil, err
	}
	for i := range ans.Edges {
		e := &ans.Edges[i]
		for _, id := range [...]string{e.Source, e.Target} {
			sym, ok := s.l.x.symbolOf(s.snap, id)
			if !ok {
				continue
			}
			files[sym.File] = true
			if e.Relation != graph.Defines && e.Relation != graph.Contains { // what holds the target is not near it in meaning
				near[sym] = 1
			}
		}
	}
	for _, sym := range res.Symbols {
		near[sym], files[sym.File] = 0, true
	}
	return near, files, nil
}

// dedupe keeps the first row of each definition; rows outside any stay.
func dedupe(rows []row) []row {
	type key struct {
		file graph.FileID
		def  int32
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(rows, func(r row) bool {
		k := key{r.file, r.def}
		if r.def == graph.NoDef {
			return false
		}
		was := seen[k]
		seen[k] = true
		return was
	})
}

// add writes one row into the answer.
func (s *search) add(r *row) {
	before, after, cut := snippet(r.Before, r.After, s.req.MaxSnippetLines)
	m := api.Match{
		Path: s.display(r.Path), PathID: unwritable(r.Path), Line: r.Line, Col: r.Col, Text: valid(r.Text), TextTruncated: r.Cut,
		ContextBefore: validAll(before), ContextAfter: validAll(after), ContextCut: cut,
	}
	if r.def != graph.NoDef {
		m.Symbol = r.facts.Defs[r.def].Local
	}
	if s.req.ReturnEvidenceIDs {
		m.EvidenceID = graph.EvidenceID(r.Path, r.Hash, r.Line, r.Line)
		s.ans.EvidenceIDs = append(s.ans.EvidenceIDs, m.EvidenceID)
	}
	if s.ans.RankedBy != api.RankMatch {
		s.ans.ScoreReasons = append(s.ans.ScoreReasons, r.reasons)
	}
	s.ans.Matches = append(s.ans.Matches, m)
}

// snippet keeps the context lines nearest to a match, so that there are at most most
// with its own line; 0 is no bound. Room that one side does not need is the other's.
func snippet(before, after []string, most int) (b, a []string, cut bool) {
	if most <= 0 || len(before)+len(after) < most {
		return before, after, false
	}
	room := most - 1
	nb := min(len(before), max(room/2, room-len(after)))
	na := min(len(after), room-nb)
	return before[len(before)-nb:], after[:na], true
}

// graphContext names the enclosing definitions of the rows with their callers and
// tests, as far as the deadline allows.
func (s *search) graphContext(ctx context.Context, rows []row) {
	for _, r := range dedupe(slices.Clone(rows)) {
		if r.def == graph.NoDef || len(s.ans.GraphContext) >= contextDefs || ctx.Err() != nil {
			continue
		}
		d := &r.facts.Defs[r.def]
		v := lister{s.snap}
		g := api.GraphContext{
			EvidenceID: graph.SpanID(r.Path, r.Hash, d.Span), Path: r.Path,
			Symbol:    s.l.x.planner.Label(v, graph.Symbol{File: r.file, Def: r.def}),
			StartLine: d.Span.From.Line, EndLine: d.Span.To.Line,
		}
		id := graph.SymbolID(r.facts, r.def)
		req := query.Request{Type: query.Neighbors, Target: id, Direction: query.In, Relations: []graph.Relation{graph.CallsSyntax}, Limit: contextEach + 1}
		if ans, err := s.l.x.planner.Run(ctx, v, req); err == nil {
			for _, n := range ans.Nodes {
				if n.ID != id && len(g.Callers) < contextEach {
					g.Callers = append(g.Callers, n.Label)
				}
			}
		}
		if ans, err := s.l.x.planner.Run(ctx, v, query.Request{Type: query.Tests, Target: id, Limit: contextEach}); err == nil {
			for _, t := range ans.SuggestedTests {
				g.Tests = append(g.Tests, t.Name)
			}
		}
		s.ans.GraphContext = append(s.ans.GraphContext, g)
	}
}
