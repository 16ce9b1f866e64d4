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

	of      value // what the symbols were found on
	outside value // the external type
	field   value // of a struct type without a name, where no definition is the field's
}

// maxEmbedding bounds the depth of embedded types that are looked into.
const maxEmbedding = 6

// member finds a field or method on the type of v.
func (b *binder) member(v value, name string) found {
	if v = v.bound(); v.kind == isExternal {
		return found{external: true}
	}
	if v.kind != isValue || v.by == nil {
		return found{}
	}
	q, tn, ok := splitName(v.text)
	if !ok {
		return b.literalMember(v, name)
	}
	syms, ext := v.by.typeName(q, tn, v.near)
	if len(syms) == 0 {
		return found{external: ext, outside: v}
	}
	out := found{of: v}
	if len(syms) > 1 {
		syms = b.variants(syms)
	}
	seen := map[graph.Symbol]bool{}
	for _, s := range syms { // variants: all of them
		m := b.at(s).memberOf(s, name, 0, seen)
		out.syms = append(out.syms, m.syms...)
		if m.external {
			out.external, out.outside = true, m.outside
		}
		out.dynamic = out.dynamic || m.dynamic
		out.depth = max(out.depth, m.depth)
	}
	out.syms = distinct(out.syms)
	if len(out.syms) > 0 {
		out.external = false
	}
	return out
}

// literalMember finds a member of a type without a name. The fields of a struct type
// belong to the variable or field that is declared with it, and those of a local value
// stand in the text of the type.
func (b *binder) literalMember(v value, name string) found {
	t := bareType(v.text)
	if !strings.HasPrefix(t, "struct{") {
		return found{}
	}
	if v.near != graph.NoDef {
		if s, ok := declaredField(v, name); ok {
			return found{syms: []sym{s}, dynamic: strings.HasPrefix(s.d().Type, "func("), of: v}
		}
	}
	fields := structFields(t)
	for _, f := range fields {
		if f[0] == name {
			return found{field: v.with(f[1]).bound()}
		}
	}
	for _, f := range fields {
		if f[0] != "" {
			continue
		}
		if _, tn, ok := splitName(f[1]); ok && tn == name {
			return found{field: v.with(f[1]).bound()}
		}
		if b.fuel--; b.fuel < 0 {
			break
		}
		if m := b.member(v.with(f[1]), name); len(m.syms) > 0 || m.external {
			m.depth++
			return m
		}
	}
	return found{}
}

// declaredField finds a field that is defined with the declaration that a struct type
// stands in. Names that are declared together share the fields of the first.
func declaredField(v value, name string) (sym, bool) {
	f := v.by.f
	owner := &f.Defs[v.near]
	for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
		d := &f.Defs[i]
		if d.Kind != graph.KindField || d.Container == graph.NoDef {
			continue
		}
		c := &f.Defs[d.Container]
		if d.Container == v.near || c.Kind == owner.Kind && c.Span == owner.Span && c.Type == owner.Type {
			return sym{f, v.by.id, i}, true
		}
	}
	return sym{}, false
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
		if ext && len(syms) == 0 {
			out.external, out.outside = true, b.embeddedType(typ, h)
		}
		m := b.firstMember(syms, name, depth+1, seen)
		if m.external {
			out.external, out.outside = true, m.outside
		}
		if len(m.syms) > 0 && (len(out.syms) == 0 || m.depth < out.depth) {
			out.syms, out.dynamic, out.depth = m.syms, m.dynamic, m.depth
		}
	}
	return out
}

// embeddedType returns the type of an embedded field as it is written.
func (b *binder) embeddedType(typ sym, h *graph.Heritage) value {
	f := typ.f
	for i := f.NextNamed(h.Name, 0); i != graph.NoDef; i = f.NextNamed(h.Name, i+1) {
		if d := &f.Defs[i]; d.Container == typ.def && d.Kind == graph.KindField {
			return value{kind: isValue, text: d.Type, by: b.at(typ), near: typ.def}
		}
	}
	return value{}
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
