// Package php binds the names of PHP: classes, functions and constants by namespaces and
// use, members by what is known of the object: what it is declared with, in the text or in a comment,
// what made it, and what the methods that gave it return.
//
// The values of expressions are spelled as extract/lang/php says. It reads one generation
// through graph.View and keeps nothing between calls. It runs no code: what __call and
// __get answer, and what a name that is computed leads to, is unseen. graph/query calls it.
package php

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// How far bindings are believed.
const (
	confSure      = 1
	confSelf      = 0.97
	confStatic    = 0.95
	confInherited = 0.95
	confDeclared  = 0.9
	confOpen      = 0.5 // what the object is on one of several ways
	confWithin    = 0.7 // a member of the classes that use a trait
	confUnique    = 0.35
	confOverride  = 0.6
	confGlobal    = 0.6 // several programs may share a tree
)

// Bounds on the work for one question.
const (
	maxCandidates = 5
	// maxImplementers bounds the methods that a call may run which an interface from
	// outside declares: nothing else stands for them.
	maxImplementers = 16
	maxFiles        = 64
	maxSteps        = 400
	maxDepth        = 24
)

// Resolver implements graph.Resolver for PHP. It has no state.
type Resolver struct{}

var _ graph.Resolver = Resolver{}

// Languages implements graph.Resolver.
func (Resolver) Languages() []string { return []string{"php"} }

// sym is a definition with the facts that hold it.
type sym struct {
	f   *graph.Facts
	id  graph.FileID
	def int32
}

func (s sym) d() *graph.Def        { return &s.f.Defs[s.def] }
func (s sym) symbol() graph.Symbol { return graph.Symbol{File: s.id, Def: s.def} }

// run is one question.
type run struct {
	v    graph.View
	fuel int
}

func newRun(v graph.View) *run { return &run{v: v, fuel: maxSteps} }

func (r *run) spend() bool {
	r.fuel--
	return r.fuel > 0
}

// facts returns the facts of a file of PHP, or nil.
func (r *run) facts(id graph.FileID) *graph.Facts {
	if rec, ok := r.v.File(id); !ok || rec.Language != "php" {
		return nil
	}
	f, err := r.v.Facts(id)
	if err != nil {
		return nil // a damaged store is reported by whoever opened the view
	}
	return f
}

// found is what a name denotes.
type found struct {
	syms     []sym
	conf     float32
	prov     graph.Provenance
	reason   graph.Reason
	external bool
	through  sym // the class of the object whose member was found
}

func (r found) ok() bool { return len(r.syms) > 0 || r.external }

func (r found) most() int {
	if r.reason == graph.ReasonImplements {
		return maxImplementers
	}
	return maxCandidates
}

func (r found) binding() graph.Binding {
	if len(r.syms) == 0 {
		return graph.Binding{External: r.external, Reason: r.reason}
	}
	out := graph.Binding{Provenance: r.prov, Reason: r.reason}
	syms := r.syms[:min(len(r.syms), r.most())]
	if len(syms) > 1 {
		out.Provenance = graph.Ambiguous
	}
	for _, s := range syms {
		out.Targets = append(out.Targets, graph.Candidate{Symbol: s.symbol(), Confidence: r.conf / float32(len(syms))})
	}
	if r.through.f != nil && len(syms) == 1 {
		out.Through = r.through.symbol()
	}
	return out
}

// Qualify implements graph.Resolver: the full name, or the path of a file.
func (Resolver) Qualify(_ graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	if def == graph.NoDef {
		return string(f.Path)
	}
	return f.Defs[def].Local
}

// Mention implements graph.Resolver: facts of PHP have no mentions.
func (Resolver) Mention(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Import implements graph.Resolver.
func (Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r, im := newRun(v), &f.Imports[i]
	if im.Flags&graph.ImportDynamic != 0 {
		return r.included(f, im).binding()
	}
	kinds := isValue
	if im.Flags&graph.ImportType != 0 {
		kinds = isTypeOrNamespace
	}
	out := r.named(place{f, id, graph.NoDef}, imported(im), kinds)
	out.reason = graph.ReasonImport
	out.external = len(out.syms) == 0
	return out.binding()
}

// imported returns the full name that an import takes.
func imported(im *graph.Import) string {
	if im.Module == "" {
		return im.Name
	}
	return im.Module + `\` + im.Name
}

// included finds the file that include names, from the folder of the file and those above.
func (r *run) included(f *graph.Facts, im *graph.Import) found {
	for dir := f.Path.Dir(); ; dir = dir.Dir() {
		if p, ok := dir.Join(strings.TrimPrefix(im.Module, "./")); ok {
			if id, ok := r.v.Lookup(p); ok {
				if g, err := r.v.Facts(id); err == nil {
					if g == nil {
						g = &graph.Facts{}
					}
					return found{syms: []sym{{g, id, graph.NoDef}}, prov: graph.Extracted, reason: graph.ReasonImport, conf: confSure}
				}
			}
		}
		if dir == "" {
			return found{external: !strings.HasPrefix(im.Module, "."), reason: graph.ReasonImport}
		}
	}
}

// Base implements graph.Resolver.
func (Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r := newRun(v)
	return r.base(place{f, id, f.Heritage[i].Def}, &f.Heritage[i]).binding()
}

// base finds the class that a heritage entry names.
func (r *run) base(at place, h *graph.Heritage) found {
	text := h.Name
	if h.Qualifier != "" {
		text = h.Qualifier + `\` + h.Name
	} else if start := int(h.Span.Start); start > 0 && h.Span.Start == h.Span.End {
		return found{}
	}
	return r.class(at, text)
}

// Names implements graph.Resolver: the bare name, those that use gives it, and of a
// constructor those of the classes that it makes values of.
func (Resolver) Names(v graph.View, s graph.Symbol) []string {
	r := newRun(v)
	f := r.facts(s.File)
	if f == nil {
		return nil
	}
	if s.Def == graph.NoDef {
		base := f.Path.Base()
		return []string{base, strings.TrimSuffix(base, f.Path.Ext())}
	}
	d := &f.Defs[s.Def]
	out := []string{d.Name}
	if d.Name != constructor || d.Container == graph.NoDef {
		if d.Container == graph.NoDef || !isType(f.Defs[d.Container].Kind) {
			out = r.aliases(out, d.Name)
		}
		return out
	}
	for _, c := range r.heirs(sym{f, s.File, d.Container}) {
		out = r.aliases(appendNew(out, c.d().Name), c.d().Name)
	}
	return out
}

// aliases adds the names that use gives a name.
func (r *run) aliases(out []string, name string) []string {
	for n, id := range graph.ByPath(r.v, r.v.Referrers(name)) {
		g := r.facts(id)
		if g == nil || n == maxFiles {
			continue
		}
		for i := range g.Imports {
			if im := &g.Imports[i]; im.Alias != "" && im.Name == name {
				out = appendNew(out, im.Alias)
			}
		}
	}
	return out
}

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

// heirs lists a class and what builds on it, as far as a bounded search finds it.
func (r *run) heirs(top sym) []sym {
	out := []sym{top}
	seen := map[graph.Symbol]bool{top.symbol(): true}
	files := 0
	for i := 0; i < len(out); i++ {
		name := out[i].d().Name
		for _, id := range graph.ByPath(r.v, r.v.Referrers(name)) {
			g := r.facts(id)
			if files++; g == nil || files > 4*maxFiles {
				continue
			}
			for j := range g.Heritage {
				h := &g.Heritage[j]
				sub := sym{g, id, h.Def}
				if h.Def == graph.NoDef || seen[sub.symbol()] || h.Name != name && !renamed(g, h.Name, name) {
					continue
				}
				for _, b := range newRun(r.v).base(place{g, id, h.Def}, h).syms {
					if b.symbol() == out[i].symbol() {
						seen[sub.symbol()] = true
						out = append(out, sub)
						break
					}
				}
			}
		}
	}
	return out
}

// renamed reports whether use gives a name another.
func renamed(f *graph.Facts, alias, name string) bool {
	for i := range f.Imports {
		if f.Imports[i].Alias == alias && f.Imports[i].Name == name {
			return true
		}
	}
	return false
}

// Dispatch implements graph.Resolver: the members of the same name of classes that build
// on the one that holds the definition.
func (Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	r := newRun(v)
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	if d.Container == graph.NoDef || d.Kind != graph.KindMethod || !isType(f.Defs[d.Container].Kind) || d.Name == constructor {
		return graph.Binding{}
	}
	top := graph.Symbol{File: s.File, Def: d.Container}
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonOverride, Dynamic: true}
	for n, id := range graph.ByPath(v, v.Definers(d.Name)) {
		g := r.facts(id)
		if g == nil || n >= 4*maxFiles {
			continue
		}
		for i := g.NextNamed(d.Name, 0); i != graph.NoDef; i = g.NextNamed(d.Name, i+1) {
			owner := g.Defs[i].Container
			if owner == graph.NoDef || g.Defs[i].Kind != graph.KindMethod || top == (graph.Symbol{File: id, Def: owner}) {
				continue
			}
			r.fuel = maxSteps
			if r.derives(sym{g, id, owner}, top, 0) {
				out.Targets = append(out.Targets, graph.Candidate{Symbol: graph.Symbol{File: id, Def: i}, Confidence: confOverride})
			}
		}
	}
	if len(out.Targets) == 0 {
		return graph.Binding{}
	}
	return out
}

// derives reports whether a class builds on another.
func (r *run) derives(t sym, top graph.Symbol, depth int) bool {
	for i := range t.f.Heritage {
		h := &t.f.Heritage[i]
		if h.Def != t.def || depth > maxDepth || !r.spend() {
			continue
		}
		for _, b := range r.base(place{t.f, t.id, t.def}, h).syms {
			if b.symbol() == top || r.derives(b, top, depth+1) {
				return true
			}
		}
	}
	return false
}
