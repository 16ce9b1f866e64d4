package golang

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

const (
	maxDispatchFiles   = 256 // files looked at of those that define the method's name
	maxImplementations = 200
	maxMethodSet       = 60
)

// Dispatch lists the methods of types that satisfy the interface of an interface
// method, by names and numbers of parameters and results. It looks at maxDispatchFiles
// files at most, those of the interface's own directory first, and stops at
// maxImplementations.
func (Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return graph.Binding{}
	}
	m := &f.Defs[s.Def]
	if !m.Has(graph.FlagAbstract) || m.Container == graph.NoDef {
		return graph.Binding{}
	}
	b := newBinder(v, f, s.File)
	set := map[string][2]int{}
	b.methodSet(sym{f, s.File, m.Container}, set, 0)
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonImplements, Dynamic: true}
	for _, id := range b.dispatchFiles(m.Name) {
		g := b.facts(id)
		if g == nil || g.Language != "go" {
			continue
		}
		for i := range g.Defs {
			d := &g.Defs[i]
			if d.Name != m.Name || d.Owner == "" || d.Kind != graph.KindMethod || !sameArity(d.Signature, set[m.Name]) {
				continue
			}
			if !d.Has(graph.FlagExported) && g.Path.Dir() != f.Path.Dir() {
				continue
			}
			if !newBinder(v, g, id).implements(d.Owner, set) {
				continue
			}
			out.Targets = append(out.Targets, graph.Candidate{
				Symbol: graph.Symbol{File: id, Def: int32(i)}, Confidence: implConfidence,
			})
			if len(out.Targets) == maxImplementations {
				return out
			}
		}
	}
	if len(out.Targets) == 0 {
		return graph.Binding{}
	}
	return out
}

// dispatchFiles lists the files to look for implementations in.
func (b *binder) dispatchFiles(name string) []graph.FileID {
	all := b.v.Definers(name)
	if len(all) <= maxDispatchFiles {
		return all
	}
	near := b.definersIn(b.f.Path.Dir(), name)
	files := append(make([]graph.FileID, 0, maxDispatchFiles), near[:min(len(near), maxDispatchFiles)]...)
	for _, id := range all {
		if len(files) == maxDispatchFiles {
			break
		}
		if !slices.Contains(near, id) {
			files = append(files, id)
		}
	}
	return files
}

// methodSet adds the methods of an interface and of those it embeds.
func (b *binder) methodSet(iface sym, set map[string][2]int, depth int) {
	if depth > maxEmbedding || len(set) > maxMethodSet {
		return
	}
	for i := range iface.f.Defs {
		d := &iface.f.Defs[i]
		if d.Container == iface.def && d.Has(graph.FlagAbstract) {
			p, r, _ := arity(d.Signature)
			set[d.Name] = [2]int{p, r}
		}
	}
	for i := range iface.f.Heritage {
		h := &iface.f.Heritage[i]
		if h.Def != iface.def {
			continue
		}
		if syms, _ := b.typeName(h.Qualifier, h.Name, h.Def); len(syms) > 0 {
			b.at(syms[0]).methodSet(syms[0], set, depth+1)
		}
	}
}

func sameArity(sig string, want [2]int) bool {
	p, r, ok := arity(sig)
	return ok && p == want[0] && r == want[1]
}

// implements reports whether the type named owner in the binder's package has every
// method of the set. A type that embeds something from outside the tree gets the
// benefit of the doubt for what is missing.
func (b *binder) implements(owner string, set map[string][2]int) bool {
	syms := b.packageScope(owner)
	if len(syms) == 0 {
		return false
	}
	for name, want := range set {
		b.fuel = maxSteps
		m := b.at(syms[0]).memberOf(syms[0], name, 0, map[graph.Symbol]bool{})
		if len(m.syms) == 0 {
			if m.external {
				continue
			}
			return false
		}
		d := m.syms[0].d()
		if d.Kind != graph.KindMethod || !sameArity(strings.TrimSpace(d.Signature), want) {
			return false
		}
	}
	return true
}
