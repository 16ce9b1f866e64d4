package query

import (
	"fmt"

	"github.com/ralph-index/ralph-index/graph"
)

// Centrality is what the score of a hub counts.
const Centrality = "sum over the distinct definitions and files that call, import or build on the symbol, " +
	"each by the confidence of its surest edge, a decorator's caller being what holds the decorated definition, and an import " +
	"counting where nothing in the file calls or builds on what it takes; " +
	"unresolved names are not counted, files and packages count by imports alone"

// hubRel is a relation that counts for hubs.
type hubRel uint8

const (
	hubCalls hubRel = iota
	hubImports
	hubInherits
	hubAll // each source once
	hubKinds
)

// HubRelations lists the relations that hubs are ranked by: by one of them, or by all.
func HubRelations() []graph.Relation {
	return []graph.Relation{graph.CallsSyntax, graph.Imports, graph.InheritsSyntax} // in the order of hubRel
}

// HubsError says that hubs cannot be ranked by the relations that were asked for.
type HubsError struct{ Relations []graph.Relation }

func (e *HubsError) Error() string {
	return fmt.Sprintf("rank hubs by %v: they are ranked by one of %v, or by all of these", e.Relations, HubRelations())
}

// hubRelOf returns what a ranking by some relations counts; by none is by all.
func hubRelOf(relations []graph.Relation) (hubRel, error) {
	counted, asked := setOf(relCalls, relImports, relInherits), parseRels(relations)
	switch {
	case len(relations) == 0 || asked == counted:
		return hubAll, nil
	case asked == setOf(relCalls):
		return hubCalls, nil
	case asked == setOf(relImports):
		return hubImports, nil
	case asked == setOf(relInherits):
		return hubInherits, nil
	}
	return 0, &HubsError{relations}
}

// HubTable holds how much each symbol is built upon. It is immutable and names
// symbols by path and local name, so that it outlives the file ids of its
// generation. It remembers the versions it was made of: what lies between it and any
// later generation is known without a history.
type HubTable struct {
	gen   graph.Generation
	paths []graph.Path
	syms  []hubSymbol
	sums  [][hubKinds]uint32 // by symbol, in hubUnits
	files map[graph.Path]hubFile
	order [hubKinds][]uint32 // symbols with a sum, the largest first
}

// hubUnit is the grain of a confidence in a table.
const hubUnit = 200

// hubSymbol names a definition: Local "" with an empty kind is the file, with
// hubPackage the package whose directory path is. nth tells apart what one file defines
// several times.
type hubSymbol struct {
	path  uint32
	nth   uint32
	local string
	kind  graph.Kind
}

// hubPackage is the kind of what an import leads to where that is a package, whatever
// files it has by then.
const hubPackage graph.Kind = "package"

// counted reports whether the symbol has a score over all relations.
func (s *hubSymbol) counted() bool { return s.kind != "" && s.kind != hubPackage }

// hubFile is what one version of a file contributes.
type hubFile struct {
	id      graph.FileID
	exports uint64
	uses    []hubUse
}

// hubUse says how sure it is that one definition of the file relates to a symbol.
type hubUse struct {
	sym  uint32
	conf [hubAll]uint8 // in hubUnits
	mere bool          // an import of what the file uses: over all relations, its users count
}

// markMere finds among what one file contributes the imports of what it also uses.
func markMere(uses []hubUse) {
	used := make(map[uint32]bool, len(uses))
	runs := func(u *hubUse) bool { return u.conf[hubCalls]|u.conf[hubInherits] != 0 }
	for i := range uses {
		if runs(&uses[i]) {
			used[uses[i].sym] = true
		}
	}
	for i := range uses {
		uses[i].mere = used[uses[i].sym] && !runs(&uses[i])
	}
}

// Generation is the one that the table was made of.
func (t *HubTable) Generation() graph.Generation { return t.gen }

// hubs lists the symbols on which most is built.
func (w *writer) hubs(t *HubTable, req *Request) error {
	m := &w.ans.Metadata
	m.Centrality, m.Relations = Centrality, req.Relations
	by, err := hubRelOf(req.Relations)
	if err != nil {
		return err
	}
	if t == nil {
		w.missing(MissingHubsPending, 1)
		return nil
	}
	m.HubsAt = t.gen
	if t.gen != w.r.v.Generation() {
		w.missing(MissingHubsPending, 1)
	}
	wanted := func(p graph.Path) bool {
		return p.Under(req.ScopePath) && (req.Role == "" || graph.RoleOf(p) == req.Role)
	}
	known := make(map[uint32]bool)
	for _, i := range t.order[by] {
		if !w.r.alive() {
			return nil
		}
		sym := &t.syms[i]
		want, seen := known[sym.path]
		if sym.kind == hubPackage {
			want = true // its first file decides
		} else if !seen {
			want = wanted(t.paths[sym.path])
			known[sym.path] = want
		}
		if !want {
			continue
		}
		s, others, ok := w.r.hubSymbol(t, sym)
		if rec, _ := w.r.v.File(s.File); !ok || sym.kind == hubPackage && !wanted(rec.Path) {
			continue
		}
		if len(w.ans.Nodes) == req.Limit {
			w.ans.Truncated = true
			return nil
		}
		reasons := t.reasons(i)
		if others > 0 {
			reasons = append(reasons, fmt.Sprintf("package %s, with %d more of its files", w.r.packageName(s.File), others))
		}
		w.node(found{sym: s, conf: 1, prov: provInferred, score: score(t.sums[i][by]), reasons: reasons})
		w.r.visited++
	}
	return nil
}

func score(sum uint32) float64 { return float64(sum*10/hubUnit) / 10 }

func (t *HubTable) reasons(i uint32) (out []string) {
	for k, r := range HubRelations() {
		if n := t.sums[i][k]; n > 0 {
			out = append(out, fmt.Sprintf("%s %g", r, score(n)))
		}
	}
	return out
}

// hubSymbol finds a symbol of a table in the view; it may be gone. Of a package it is the
// first file, beside which there are so many others.
func (r *reader) hubSymbol(t *HubTable, sym *hubSymbol) (s graph.Symbol, others int, ok bool) {
	s.Def = graph.NoDef
	if sym.kind == hubPackage {
		for _, id := range r.v.Dir(t.paths[sym.path]) {
			if files := r.packageOf(id); files != nil {
				s.File = files[0]
				return s, len(files) - 1, true
			}
		}
		return s, 0, false
	}
	if s.File, ok = r.v.Lookup(t.paths[sym.path]); !ok || sym.kind == "" {
		return s, 0, ok
	}
	f := r.facts(s.File)
	if f == nil {
		return s, 0, false
	}
	nth := sym.nth
	for i := range f.Defs {
		if d := &f.Defs[i]; d.Local != sym.local || d.Kind != sym.kind {
			continue
		}
		if nth == 0 {
			s.Def = canonical(f, int32(i))
			return s, 0, true
		}
		nth--
	}
	return s, 0, false
}
