// Package ruby binds the names of Ruby: constants by nesting and ancestors, methods by
// what is known of the object and the order in which its class, the modules of this and
// its super classes are looked through.
//
// The values of expressions are spelled as extract/lang/ruby says. It reads one
// generation through graph.View and keeps nothing between calls. It runs no code: what
// method_missing answers, and what a computed name leads to, is unseen. graph/query
// calls it.
package ruby

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// How far bindings are believed.
const (
	confSure      = 1
	confSelf      = 0.97
	confInherited = 0.95
	confMade      = 0.9
	confOpen      = 0.5 // what the object is on one of several ways
	confWithin    = 0.7 // a method of the classes that include a module
	confTemplate  = 0.5 // a method of the classes below
	confUnique    = 0.35
	confOverride  = 0.6
	confGlobal    = 0.6 // several programs may share a tree
	confReopened  = 0.9 // one of the places where a class is opened
)

// Bounds on the work for one question.
const (
	maxCandidates = 5
	maxFiles      = 128
	maxSteps      = 600
	maxDepth      = 16
)

// Resolver implements graph.Resolver for Ruby. It has no state.
type Resolver struct{}

var _ graph.Resolver = Resolver{}

// Languages implements graph.Resolver.
func (Resolver) Languages() []string { return []string{"ruby"} }

// sym is a definition with the facts that hold it.
type sym struct {
	f   *graph.Facts
	id  graph.FileID
	def int32
}

func (s sym) d() *graph.Def        { return &s.f.Defs[s.def] }
func (s sym) symbol() graph.Symbol { return graph.Symbol{File: s.id, Def: s.def} }
func (s sym) place() place         { return place{s.f, s.id, s.def} }

// run is one question.
type run struct {
	v       graph.View
	fuel    int
	opened  map[string][]sym
	orders  map[string]*order
	methods map[string][]method
}

func newRun(v graph.View) *run {
	return &run{v: v, fuel: maxSteps, opened: map[string][]sym{}, orders: map[string]*order{}, methods: map[string][]method{}}
}

func (r *run) spend() bool {
	r.fuel--
	return r.fuel > 0
}

// facts returns the facts of a file of Ruby, or nil.
func (r *run) facts(id graph.FileID) *graph.Facts {
	if rec, ok := r.v.File(id); !ok || rec.Language != "ruby" {
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
	through  sym // the class of the object whose method was found
}

func (r found) binding() graph.Binding {
	if len(r.syms) == 0 {
		return graph.Binding{External: r.external, Reason: r.reason}
	}
	out := graph.Binding{Provenance: r.prov, Reason: r.reason}
	syms := r.syms[:min(len(r.syms), maxCandidates)]
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

// Mention implements graph.Resolver: facts of Ruby have no mentions.
func (Resolver) Mention(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Import implements graph.Resolver.
func (Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r, im := newRun(v), &f.Imports[i]
	if im.Alias == everything {
		out := r.constantRef(place{f, id, graph.NoDef}, im.Module)
		out.reason = graph.ReasonStar
		return out.binding()
	}
	target := strings.TrimPrefix(im.Module, "./")
	for dir := f.Path.Dir(); ; dir = dir.Dir() {
		for _, folder := range [...]string{"", "lib", "app", "test", "spec"} {
			if s, ok := r.file(dir, folder, target); ok {
				return found{syms: []sym{s}, prov: graph.Extracted, reason: graph.ReasonImport, conf: confSure}.binding()
			}
		}
		if dir == "" {
			return graph.Binding{External: !strings.HasPrefix(im.Module, "."), Reason: graph.ReasonImport}
		}
	}
}

func (r *run) file(dir graph.Path, folder, target string) (sym, bool) {
	if folder != "" {
		target = folder + "/" + target
	}
	for _, suffix := range [...]string{"", ".rb"} {
		p, ok := dir.Join(target + suffix)
		if !ok {
			continue
		}
		if id, ok := r.v.Lookup(p); ok {
			f, err := r.v.Facts(id)
			if err != nil || f == nil {
				f = &graph.Facts{}
			}
			return sym{f, id, graph.NoDef}, true
		}
	}
	return sym{}, false
}

// Base implements graph.Resolver.
func (Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r := newRun(v)
	full, ok := r.base(place{f, id, f.Heritage[i].Def}, &f.Heritage[i])
	if !ok {
		return graph.Binding{External: true}
	}
	return r.main(place{f, id, graph.NoDef}, r.open(full)).binding()
}

// Names implements graph.Resolver: the bare name, of what makes objects those of the
// classes that it makes objects of, and of what sets an attribute that of the attribute.
func (Resolver) Names(v graph.View, s graph.Symbol) []string {
	r := newRun(v)
	f := r.facts(s.File)
	if f == nil {
		return nil
	}
	if s.Def == graph.NoDef {
		base := f.Path.Base()
		out := []string{base}
		if stem := strings.TrimSuffix(base, f.Path.Ext()); stem != base {
			out = append(out, stem)
		}
		return out
	}
	d := &f.Defs[s.Def]
	out := []string{d.Name}
	if name, ok := strings.CutSuffix(d.Name, "="); ok && name != "" {
		return append(out, name)
	}
	if owner := ownerOf(f, s.Def); d.Name == "initialize" && owner != "" {
		out = append(out, "new")
		for _, full := range r.heirs(owner) {
			out = appendNew(out, lastName(full))
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

// heirs lists a class or a module and what builds on it, as far as a bounded search finds
// it.
func (r *run) heirs(top string) []string {
	out := []string{top}
	files := 0
	for i := 0; i < len(out); i++ {
		name := lastName(out[i])
		for _, id := range graph.ByPath(r.v, r.v.Referrers(name)) {
			g := r.facts(id)
			if files++; g == nil || files > 4*maxFiles {
				continue
			}
			for j := range g.Heritage {
				h := &g.Heritage[j]
				if h.Name != name || h.Def == graph.NoDef || h.Rel == graph.RelImplements {
					continue
				}
				if full, ok := r.base(place{g, id, h.Def}, h); ok && full == out[i] {
					out = appendNew(out, g.Defs[h.Def].Local)
				}
			}
		}
	}
	return out
}

// Dispatch implements graph.Resolver: the methods of the same name of classes that build
// on the one that holds the definition.
func (Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	r := newRun(v)
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	top := ownerOf(f, s.Def)
	if top == "" || d.Name == "initialize" || d.Kind != graph.KindMethod && d.Kind != graph.KindProperty {
		return graph.Binding{}
	}
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonOverride, Dynamic: true}
	for _, m := range r.named(d.Name) {
		if m.owner == "" || m.owner == top || m.static != d.Has(graph.FlagStatic) {
			continue
		}
		r.fuel = maxSteps
		for _, full := range r.order(m.owner).list[1:] {
			if full == top {
				out.Targets = append(out.Targets, graph.Candidate{Symbol: m.symbol(), Confidence: confOverride})
				break
			}
		}
	}
	if len(out.Targets) == 0 {
		return graph.Binding{}
	}
	return out
}
