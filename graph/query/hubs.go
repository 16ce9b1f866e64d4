package query

import (
	"fmt"

	"github.com/ralph-index/ralph-index/graph"
)

// Centrality is what the score of a hub counts.
const Centrality = "sum over the distinct definitions and files that call, import or build on the symbol, " +
	"each by the confidence of its surest edge; unresolved names are not counted, files count by imports alone"

// hubRel is a relation that counts for hubs.
type hubRel uint8

const (
	hubCalls hubRel = iota
	hubImports
	hubInherits
	hubAll // each source once
	hubKinds
)

func hubRelOf(r graph.Relation) (hubRel, bool) {
	switch r {
	case "":
		return hubAll, true
	case graph.CallsSyntax:
		return hubCalls, true
	case graph.Imports:
		return hubImports, true
	case graph.InheritsSyntax:
		return hubInherits, true
	}
	return 0, false
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

// hubSymbol names a definition: Local "" with an empty kind is the file. nth tells
// apart what one file defines several times.
type hubSymbol struct {
	path  uint32
	nth   uint32
	local string
	kind  graph.Kind
}

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
}

// Generation is the one that the table was made of.
func (t *HubTable) Generation() graph.Generation { return t.gen }

// hubs lists the symbols on which most is built.
func (w *writer) hubs(t *HubTable, req *Request) {
	m := &w.ans.Metadata
	m.Centrality = Centrality
	if req.Relation == "" && len(req.Relations) == 1 {
		req.Relation = req.Relations[0]
	}
	if req.Relation != "" {
		m.Relations = []graph.Relation{req.Relation}
	}
	if t == nil {
		w.missing(MissingHubsPending, 1)
		return
	}
	m.HubsAt = t.gen
	if t.gen != w.r.v.Generation() {
		w.missing(MissingHubsPending, 1)
	}
	by, ok := hubRelOf(req.Relation)
	if !ok {
		return
	}
	wanted := make(map[uint32]bool)
	for _, i := range t.order[by] {
		if !w.r.alive() {
			return
		}
		sym := &t.syms[i]
		want, known := wanted[sym.path]
		if !known {
			p := t.paths[sym.path]
			want = p.Under(req.ScopePath) && (req.Role == "" || graph.RoleOf(p) == req.Role)
			wanted[sym.path] = want
		}
		if !want {
			continue
		}
		s, ok := w.r.hubSymbol(t, sym)
		if !ok {
			continue
		}
		if len(w.ans.Nodes) == req.Limit {
			w.ans.Truncated = true
			return
		}
		w.node(found{sym: s, conf: 1, prov: provInferred, score: score(t.sums[i][by]), reasons: t.reasons(i)})
		w.r.visited++
	}
}

func score(sum uint32) float64 { return float64(sum*10/hubUnit) / 10 }

func (t *HubTable) reasons(i uint32) (out []string) {
	for k, r := range [...]graph.Relation{graph.CallsSyntax, graph.Imports, graph.InheritsSyntax} {
		if n := t.sums[i][k]; n > 0 {
			out = append(out, fmt.Sprintf("%s %g", r, score(n)))
		}
	}
	return out
}

// hubSymbol finds a symbol of a table in the view; it may be gone.
func (r *reader) hubSymbol(t *HubTable, sym *hubSymbol) (graph.Symbol, bool) {
	id, ok := r.v.Lookup(t.paths[sym.path])
	s := graph.Symbol{File: id, Def: graph.NoDef}
	if !ok || sym.kind == "" {
		return s, ok
	}
	f := r.facts(id)
	if f == nil {
		return s, false
	}
	nth := sym.nth
	for i := range f.Defs {
		if d := &f.Defs[i]; d.Local != sym.local || d.Kind != sym.kind {
			continue
		}
		if nth == 0 {
			s.Def = canonical(f, int32(i))
			return s, true
		}
		nth--
	}
	return s, false
}
