package golang

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// found is what a member lookup gives.
type found struct {
	syms     []sym
	external bool // the type, or one it embeds, is outside the tree
	dynamic  bool // a method of an interface, or a field that holds a function
	depth    int  // of embedding
}

// maxEmbedding bounds the depth of embedded types that are looked into.
const maxEmbedding = 6

// member finds a field or method on the type of v.
func (b *binder) member(v value, name string) found {
	if v.by == nil {
		return found{}
	}
	q, tn, ok := splitName(v.text)
	if !ok {
		return literalMember(v, name)
	}
	syms, ext := v.by.typeName(q, tn, v.near)
	if len(syms) == 0 {
		return found{external: ext}
	}
	var out found
	if len(syms) > 1 {
		syms = b.variants(syms)
	}
	seen := map[graph.Symbol]bool{}
	for _, s := range syms { // variants: all of them
		m := b.at(s).memberOf(s, name, 0, seen)
		out.syms = append(out.syms, m.syms...)
		out.external = out.external || m.external
		out.dynamic = out.dynamic || m.dynamic
		out.depth = max(out.depth, m.depth)
	}
	out.syms = distinct(out.syms)
	if len(out.syms) > 0 {
		out.external = false
	}
	return out
}

// literalMember finds a field of a struct literal's type, which belongs to the
// variable or field that is declared with it.
func literalMember(v value, name string) found {
	t := bareType(v.text)
	if strings.HasPrefix(t, "struct{") && v.near != graph.NoDef {
		f := v.by.f
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			if d := &f.Defs[i]; d.Container == v.near && d.Kind == graph.KindField {
				return found{syms: []sym{{f, v.by.id, i}}, dynamic: strings.HasPrefix(d.Type, "func(")}
			}
		}
	}
	return found{external: isTypeLiteral(t)}
}

// memberOf finds a member of a type, breadth first through what it embeds.
func (b *binder) memberOf(typ sym, name string, depth int, seen map[graph.Symbol]bool) found {
	key := graph.Symbol{File: typ.id, Def: typ.def}
	if depth > maxEmbedding || seen[key] || !isType(typ.d().Kind) {
		return found{}
	}
	seen[key] = true
	if b.fuel--; b.fuel < 0 {
		return found{}
	}
	out := found{depth: depth}
	for i := typ.f.NextNamed(name, 0); i != graph.NoDef; i = typ.f.NextNamed(name, i+1) {
		if d := &typ.f.Defs[i]; d.Container == typ.def && (d.Kind == graph.KindField || d.Kind == graph.KindMethod) {
			out.syms = append(out.syms, sym{typ.f, typ.id, i})
			out.dynamic = d.Has(graph.FlagAbstract) || strings.HasPrefix(d.Type, "func(")
		}
	}
	if len(out.syms) > 0 {
		return out
	}
	if out.syms = b.methodsOf(typ, name); len(out.syms) > 0 {
		return out
	}
	if d := typ.d(); d.Kind == graph.KindType {
		return b.throughType(typ, name, depth, seen)
	}
	return b.embedded(typ, name, depth, seen)
}

// throughType looks into the type that an alias or a defined type stands for. A
// defined type has the fields of what it is declared as, and not its methods, unless
// that is an interface.
func (b *binder) throughType(typ sym, name string, depth int, seen map[graph.Symbol]bool) found {
	d := typ.d()
	q, tn, ok := splitName(d.Type)
	if !ok {
		return found{}
	}
	alias := strings.Contains(d.Signature, " = ")
	syms, ext := b.typeName(q, tn, typ.def)
	if len(syms) == 0 {
		return found{external: ext && (alias || q != "")}
	}
	m := b.firstMember(syms, name, depth, seen)
	if !alias && len(m.syms) > 0 && m.syms[0].d().Owner != "" {
		return found{}
	}
	return m
}

func (b *binder) embedded(typ sym, name string, depth int, seen map[graph.Symbol]bool) found {
	var out found
	for i := range typ.f.Heritage {
		h := &typ.f.Heritage[i]
		if h.Def != typ.def || h.Rel != graph.RelEmbeds {
			continue
		}
		syms, ext := b.typeName(h.Qualifier, h.Name, typ.def)
		out.external = out.external || ext && len(syms) == 0
		m := b.firstMember(syms, name, depth+1, seen)
		out.external = out.external || m.external
		if len(m.syms) > 0 && (len(out.syms) == 0 || m.depth < out.depth) {
			out.syms, out.dynamic, out.depth = m.syms, m.dynamic, m.depth
		}
	}
	return out
}

// firstMember looks into the variants of a type, those that build here first, until
// one has the member.
func (b *binder) firstMember(types []sym, name string, depth int, seen map[graph.Symbol]bool) (m found) {
	if len(types) > 1 {
		types = b.variants(types)
	}
	for _, t := range types {
		if m = b.at(t).memberOf(t, name, depth, seen); len(m.syms) > 0 {
			break
		}
	}
	return m
}

func distinct(syms []sym) []sym {
	out := syms[:0:0]
	for _, s := range syms {
		dup := false
		for _, o := range out {
			dup = dup || o.id == s.id && o.def == s.def
		}
		if !dup {
			out = append(out, s)
		}
	}
	return out
}

const (
	maxNameFiles  = 24 // files that define a name: above, the name says nothing
	maxCandidates = 4
)

// byName guesses the target of a member of a value whose type is not known: a method
// or field of that name in the file's package or in one that the file imports, if
// they are few.
func (b *binder) byName(r *graph.Ref) graph.Binding {
	ids := b.v.Definers(r.Name)
	if len(ids) == 0 || len(ids) > maxNameFiles {
		return graph.Binding{}
	}
	var near []sym
	own := b.f.Path.Dir()
	imported := map[graph.Path]bool{}
	for i := range b.f.Imports {
		if dir, ok := b.importDir(b.f.Imports[i].Module); ok {
			imported[dir] = true
		}
	}
	elsewhere := false
	for _, id := range ids {
		f := b.facts(id)
		if f == nil || f.Language != "go" {
			continue
		}
		dir := f.Path.Dir()
		for i := f.NextNamed(r.Name, 0); i != graph.NoDef; i = f.NextNamed(r.Name, i+1) {
			d := &f.Defs[i]
			if !isMember(d) || r.Use.Calls() && d.Kind == graph.KindField && !strings.HasPrefix(d.Type, "func") {
				continue
			}
			visible := dir == own && (samePackage(f, b.f.Package, isTestFile(b.f.Path)) || d.Has(graph.FlagExported) && !isTestFile(f.Path))
			if visible || imported[dir] && d.Has(graph.FlagExported) && !isTestFile(f.Path) {
				near = append(near, sym{f, id, i})
			} else {
				elsewhere = elsewhere || d.Has(graph.FlagExported)
			}
		}
	}
	switch {
	case len(near) == 0 || len(near) > maxCandidates:
		return graph.Binding{}
	case len(near) == 1 && !elsewhere:
		out := b.bind(near, graph.Inferred, graph.ReasonUnique, uniqueConfidence)
		out.Dynamic = near[0].d().Has(graph.FlagAbstract)
		return out
	}
	out := graph.Binding{Provenance: graph.Ambiguous, Reason: graph.ReasonCandidates, Dynamic: true}
	for _, s := range near {
		out.Targets = append(out.Targets, graph.Candidate{
			Symbol: graph.Symbol{File: s.id, Def: s.def}, Confidence: 0.5 / float32(len(near)),
		})
	}
	return out
}

func isMember(d *graph.Def) bool {
	return d.Kind == graph.KindMethod || d.Kind == graph.KindField && !d.Has(graph.FlagLocal)
}
