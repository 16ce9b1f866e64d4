package golang

import (
	"cmp"
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
	wanted := b.rarestFirst(set)
	rare := b.holders(wanted[0].name)
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonImplements, Dynamic: true}
	for _, id := range b.dispatchFiles(m.Name) {
		g := b.facts(id)
		if g == nil || g.Language != "go" {
			continue
		}
		for i := g.NextNamed(m.Name, 0); i != graph.NoDef; i = g.NextNamed(m.Name, i+1) {
			d := &g.Defs[i]
			if d.Owner == "" || d.Kind != graph.KindMethod || !sameArity(d.Signature, set[m.Name]) {
				continue
			}
			if !d.Has(graph.FlagExported) && g.Path.Dir() != f.Path.Dir() {
				continue
			}
			c := newBinder(v, g, id)
			if rare.exclude(c, d.Owner) || !c.implements(d.Owner, wanted) {
				continue
			}
			out.Targets = append(out.Targets, graph.Candidate{
				Symbol: graph.Symbol{File: id, Def: i}, Confidence: implConfidence,
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

// method is one that an interface asks for.
type method struct {
	name  string
	arity [2]int
	files int // that define the name
}

// rarestFirst lists the methods of a set so that most types that do not have all of
// them are found out by the first.
func (b *binder) rarestFirst(set map[string][2]int) []method {
	out := make([]method, 0, len(set))
	for name, arity := range set {
		out = append(out, method{name, arity, len(b.v.Definers(name))})
	}
	slices.SortFunc(out, func(x, y method) int {
		return cmp.Or(cmp.Compare(x.files, y.files), strings.Compare(x.name, y.name))
	})
	return out
}

// holders are the types that declare a method themselves, by directory and name.
type holders map[[2]string]bool

// mostHolders bounds the files that are read to know the types that have a method;
// nil stands for what is not known.
const mostHolders = 64

func (b *binder) holders(name string) holders {
	ids := b.v.Definers(name)
	if len(ids) > mostHolders {
		return nil
	}
	out := make(holders)
	for _, id := range ids {
		f := b.facts(id)
		if f == nil || f.Language != "go" {
			continue
		}
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			if d := &f.Defs[i]; d.Owner != "" {
				out[[2]string{string(f.Path.Dir()), d.Owner}] = true
			}
		}
	}
	return out
}

// exclude reports whether a type of the binder's file is sure not to have the method:
// a struct that does not declare it and embeds nothing.
func (h holders) exclude(b *binder, owner string) bool {
	dir := b.f.Path.Dir()
	if h == nil || h[[2]string{string(dir), owner}] {
		return false
	}
	at := graph.NoDef
	for i := b.f.NextNamed(owner, 0); i != graph.NoDef; i = b.f.NextNamed(owner, i+1) {
		if d := &b.f.Defs[i]; d.Container == graph.NoDef && d.Owner == "" {
			if at != graph.NoDef {
				return false
			}
			at = i
		}
	}
	if at == graph.NoDef || b.f.Defs[at].Kind != graph.KindStruct || len(b.definersIn(dir, owner)) != 1 {
		return false
	}
	return !slices.ContainsFunc(b.f.Heritage, func(e graph.Heritage) bool { return e.Def == at })
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
// method that is wanted. A type that embeds something from outside the tree gets the
// benefit of the doubt for what is missing.
func (b *binder) implements(owner string, wanted []method) bool {
	syms := b.packageScope(owner)
	if len(syms) == 0 {
		return false
	}
	for _, w := range wanted {
		b.fuel = maxSteps
		m := b.at(syms[0]).memberOf(syms[0], w.name, 0, map[graph.Symbol]bool{})
		if len(m.syms) == 0 {
			if m.external {
				continue
			}
			return false
		}
		d := m.syms[0].d()
		if d.Kind != graph.KindMethod || !sameArity(strings.TrimSpace(d.Signature), w.arity) {
			return false
		}
	}
	return true
}
