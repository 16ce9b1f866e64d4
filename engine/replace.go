package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
)

// maxReplacements bounds the candidates for what an old id named.
const maxReplacements = 25

// replaced adds to the refusal of an id of bytes that are gone what became of the
// definition that the id named, or lay in: the id of its source now, or, where it has
// left its file and stands in several, the candidates. Where the facts of those bytes
// are not kept any more, nobody knows.
func (l *local) replaced(ctx context.Context, id string, e *api.Error) {
	old, ok := graph.ParseID(id)
	if l.x == nil || !ok || old.Kind == graph.IDSymbol {
		return
	}
	stone, ok, err := l.x.store.Tombstone(old)
	if err != nil || !ok {
		return
	}
	was := l.x.store.Former(stone)
	if was == nil {
		return
	}
	def := defAround(was, old)
	if def == graph.NoDef {
		return
	}
	l.x.freshen(ctx, api.PreferFresh) // it may have just got where it is
	l.x.withSnapshot(func(s *store.Snapshot) {
		if now := currentFacts(s, was.Path); now != nil {
			if at := sameSymbol(was, def, now); at != graph.NoDef {
				tell(e, now, at)
				return
			}
		}
		l.elsewhere(s, was, def, e)
	})
}

func currentFacts(s *store.Snapshot, p graph.Path) *graph.Facts {
	id, ok := s.Lookup(p)
	if !ok {
		return nil
	}
	f, err := s.Outline(id)
	if err != nil {
		return nil // damage is reported where facts are read to be shown
	}
	return f
}

// defAround is the innermost definition whose source an id names, or holds its lines.
func defAround(f *graph.Facts, id graph.ID) int32 {
	best := graph.NoDef
	for i := range f.Defs {
		sp := &f.Defs[i].Span
		if id.Kind == graph.IDSpan && (sp.Start > id.From || sp.End < id.To) || id.Kind == graph.IDEvidence && (sp.From.Line > id.From || sp.To.Line < id.To) {
			continue
		}
		if best == graph.NoDef || within(sp, &f.Defs[best].Span) {
			best = int32(i)
		}
	}
	return best
}

// sameSymbol finds a definition in other facts of its file: by its id, which survives
// edits around it, or by its name and kind alone when its signature has changed.
func sameSymbol(was *graph.Facts, def int32, now *graph.Facts) int32 {
	id, _ := graph.ParseID(graph.SymbolID(was, def)) // which is one
	if at, ok := graph.FindSymbol(now, id); ok {
		return at
	}
	found := graph.NoDef
	for i := range now.Defs {
		if now.Defs[i].Local != was.Defs[def].Local || now.Defs[i].Kind != was.Defs[def].Kind {
			continue
		}
		if found != graph.NoDef {
			return graph.NoDef // which of them, nobody can tell
		}
		found = int32(i)
	}
	return found
}

// elsewhere looks for a definition of the same name and kind in other files.
func (l *local) elsewhere(s *store.Snapshot, was *graph.Facts, def int32, e *api.Error) {
	type place struct {
		file  graph.FileID
		facts *graph.Facts
		def   int32
	}
	var found []place
	for _, id := range s.Definers(was.Defs[def].Name) {
		f, err := s.Outline(id)
		if err != nil || f == nil || f.Path == was.Path {
			continue
		}
		if i := sameSymbol(was, def, f); i != graph.NoDef {
			found = append(found, place{id, f, i})
		}
	}
	if len(found) == 1 {
		tell(e, found[0].facts, found[0].def)
	}
	if len(found) < 2 {
		return
	}
	slices.SortFunc(found, func(a, b place) int { return strings.Compare(string(a.facts.Path), string(b.facts.Path)) })
	candidates := []map[string]any{}
	for _, p := range found[:min(len(found), maxReplacements)] {
		candidates = append(candidates, map[string]any{
			"path": p.facts.Path, "qualified_name": l.x.planner.Label(lister{s}, graph.Symbol{File: p.file, Def: p.def}),
			"symbol_id": graph.SymbolID(p.facts, p.def), "line": p.facts.Defs[p.def].NameSpan.From.Line, "kind": p.facts.Defs[p.def].Kind,
		})
	}
	e.Details["candidates"] = candidates
}

// tell names what stands in for the old id.
func tell(e *api.Error, f *graph.Facts, def int32) {
	e.Details["replacement_evidence_id"] = graph.SpanID(f.Path, f.Hash, f.Defs[def].Span)
	e.Details["replacement_symbol"], e.Details["replacement_path"] = f.Defs[def].Local, f.Path
	e.Message += "; replacement_evidence_id is the definition as it is now"
}
