package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

const (
	maxTypedSteps = 800
	maxTypedBases = 24
)

// reached is a member as it is reached.
type reached struct {
	sym
	env   env
	depth int  // types between that which was asked and that which has it
	added bool // an extension
}

// members are those of one name that a type has.
type members struct {
	list []reached
	open bool // one of the types above is not in the tree
}

// wanted returns which members a reference may mean: of functions and values of one name in
// Kotlin, a call means the functions, and other uses the values.
func (b binder) wanted(ref *graph.Ref) []func(*graph.Def) bool {
	switch {
	case !b.Receivers:
		return []func(*graph.Def) bool{isValueDef}
	case ref.Use == graph.UseCall:
		return []func(*graph.Def) bool{isFunction, isValueDef}
	}
	return []func(*graph.Def) bool{isHeld, isValueDef}
}

func isHeld(d *graph.Def) bool { return isValueDef(d) && !isFunction(d) }

func isValueDef(d *graph.Def) bool { return !isTypeDef(d) && d.Kind != graph.KindNamespace }

// membersOf lists the members of a type with a name, those of the type itself first.
func (b binder) membersOf(t typ, name string, want func(*graph.Def) bool) (out members) {
	level, seen := []typ{t}, map[graph.Symbol]bool{}
	for depth := 0; len(level) > 0 && depth < maxTypedBases; depth++ {
		var next []typ
		for _, at := range level {
			if !at.inTree() {
				out.open = out.open || !emptyBase(at.name)
				continue
			}
			if seen[at.sym.symbol()] || !b.spend() {
				continue
			}
			seen[at.sym.symbol()] = true
			out.list = b.appendOwn(out.list, at, name, depth, want)
			next = append(next, b.bases(at)...)
		}
		if len(out.list) > 0 && !isFunction(out.list[0].d()) {
			return out
		}
		level = next
	}
	return out
}

// emptyBase reports whether a type from outside is known to have no members of interest.
func emptyBase(name string) bool {
	switch name {
	case "IDisposable", "IAsyncDisposable", "object", "Any", "Attribute", "ICloneable", "IEquatable", "IComparable", "ISerializable", "Comparable", "Serializable", "Closeable", "AutoCloseable":
		return true
	}
	return false
}

func isFunction(d *graph.Def) bool {
	return d.Kind == graph.KindMethod || d.Kind == graph.KindFunction
}

// appendOwn appends the members that stand in a type itself, in all of its parts.
func (b binder) appendOwn(list []reached, t typ, name string, depth int, want func(*graph.Def) bool) []reached {
	var e env
	for _, part := range b.parts(t.sym) {
		f := part.f
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			d := &f.Defs[i]
			m := sym{f, part.id, i}
			if d.Container != part.def || !want(d) || d.Owner != "" || isConstructor(m) || b.explicitly(d) {
				continue
			}
			if e == nil {
				e = b.envOf(t)
			}
			list = append(list, reached{sym: m, env: e, depth: depth})
		}
	}
	return list
}

// explicitly reports whether a member is that of one interface alone: void I.F().
func (b binder) explicitly(d *graph.Def) bool {
	if b.Receivers {
		return false
	}
	end := nameIn(d.Signature, d.Name)
	if end < 0 && strings.HasSuffix(d.Signature, "."+d.Name) {
		end = len(d.Signature)
	}
	at := end - len(d.Name)
	return at > 0 && d.Signature[at-1] == '.'
}

// extensions lists the functions that add a member of a name to a type and are seen at a
// place of the file.
func (b binder) extensions(t typ, name string, from int32) (out []reached) {
	for i := range b.f.Imports {
		if im := &b.f.Imports[i]; b.Receivers && im.Alias == name && im.Name != "" && im.Name != "*" && im.Name != name {
			for _, s := range b.definers(im.Name) {
				if e, ok := b.receives(s, t, b.headerOf(s).receiver); ok && s.d().Owner != "" && (s.f.Package == im.Module || b.full(sym{s.f, s.id, s.d().Container}) == im.Module) {
					out = append(out, reached{sym: s, env: e, added: true})
				}
			}
		}
	}
	for _, s := range b.definers(name) {
		if !b.spend() {
			break
		}
		d := s.d()
		if d.Has(graph.FlagLocal) && s.id != b.id {
			continue
		}
		if b.Receivers {
			if d.Owner == "" {
				continue
			}
			if e, ok := b.receives(s, t, b.headerOf(s).receiver); ok && b.seen(s, name, from) {
				out = append(out, reached{sym: s, env: e, added: true})
			}
			continue
		}
		if d.Kind != graph.KindMethod || !d.Has(graph.FlagStatic) || !strings.Contains(d.Signature, "(this ") && !strings.Contains(d.Signature, "this ") {
			continue
		}
		h := b.headerOf(s)
		if len(h.params) == 0 || !h.params[0].first || !b.seenStatic(s, from) {
			continue
		}
		if e, ok := b.receives(s, t, h.params[0].typ); ok {
			out = append(out, reached{sym: s, env: e, added: true})
		}
	}
	return out
}

// receives reports whether a value of a type may be what an extension of a type, as it is
// written, is called on.
func (b binder) receives(s sym, t typ, text string) (env, bool) {
	h := b.headerOf(s)
	e := env{}
	for _, g := range h.generics {
		e[g] = typ{}
		if text == g {
			if bound := h.bounds[g]; bound != "" {
				if want := b.in(s).typeAt(bound, s, nil, 1); want.known() && b.fit(t, want, false) < fitConverted {
					return nil, false
				}
			}
			e[g] = t
			return e, true
		}
	}
	for _, g := range h.generics {
		delete(e, g)
	}
	want := b.in(s).typeAt(text, s, nil, 1)
	if !want.known() || b.fit(t, want, false) < fitConverted {
		return nil, false
	}
	b.infer(e, h, text, t)
	return e, true
}

// infer gives type parameters what an argument of a type says of them: T of T, and of
// List<T>.
func (b binder) infer(e env, h header, text string, t typ) {
	text = strings.TrimRight(strings.TrimSpace(text), "?")
	for _, g := range h.generics {
		if text == g {
			if _, ok := e[g]; !ok && t.known() {
				e[g] = t
			}
			return
		}
	}
	if strings.HasSuffix(text, "[]") && t.name == "[]" && len(t.args) == 1 {
		b.infer(e, h, text[:len(text)-2], t.args[0])
		return
	}
	open := strings.IndexByte(text, '<')
	if open < 0 || !strings.HasSuffix(text, ">") {
		return
	}
	args := splitTop(text[open+1 : len(text)-1])
	given := t.args
	if len(args) == 1 && !t.inTree() && len(given) != 1 {
		given = []typ{t.element()}
	}
	if t.inTree() {
		_, want := b.split(text[:open])
		given = b.argsAbove(t, want)
	}
	for i, a := range args {
		if i < len(given) {
			for _, word := range [...]string{"out ", "in "} {
				a = strings.TrimPrefix(a, word)
			}
			b.infer(e, h, a, given[i])
		}
	}
}

// argsAbove returns what the type of a name above a type is given.
func (b binder) argsAbove(t typ, name string) []typ {
	level := []typ{t}
	for n := 0; n < len(level) && n < maxTypedBases; n++ {
		at := level[n]
		if at.inTree() && at.sym.d().Name == name || at.name == plainType(name) {
			return at.args
		}
		if at.inTree() && b.spend() {
			level = append(level, b.bases(at)...)
		}
	}
	return nil
}

// seenStatic reports whether the members of the static class that holds an extension are
// seen at a place: it is in a namespace around it, or in one that a using directive names.
func (b binder) seenStatic(s sym, from int32) bool {
	ns := packageOf(s.f, s.d().Container)
	if ns == "" {
		return true
	}
	for at := from; at != graph.NoDef; at = b.f.Defs[at].Container {
		if b.f.Defs[at].Kind == graph.KindNamespace {
			if here := b.f.Defs[at].Local; here == ns || strings.HasPrefix(here, ns+".") {
				return true
			}
		}
	}
	holder := b.full(sym{s.f, s.id, s.d().Container})
	for i := range b.f.Imports {
		if im := &b.f.Imports[i]; im.Name == "*" && (im.Module == ns || im.Module == holder || b.relativeTo(im.Module, ns, from)) {
			return true
		}
	}
	return b.globallyUsed(ns)
}

// relativeTo reports whether a using directive inside of a namespace names another by its
// last parts.
func (b binder) relativeTo(module, ns string, from int32) bool {
	around := packageOf(b.f, from)
	for around != "" {
		if around+"."+module == ns {
			return true
		}
		around, _ = b.split(around)
	}
	return false
}

// globallyUsed reports whether a file takes a namespace for all.
func (b binder) globallyUsed(ns string) bool {
	for n, id := range graph.ByPath(b.v, b.v.Referrers(b.lastPart(ns))) {
		f := b.facts(id)
		if f == nil || n == maxDefiners {
			continue
		}
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Flags&graph.ImportReexport != 0 && im.Module == ns && im.Name == "*" {
				return true
			}
		}
	}
	return false
}

// globallyImported finds what stands in namespaces, or is called by an alias, that a file
// takes for all.
func (b binder) globallyImported(name string) (out result) {
	if b.Receivers {
		return out
	}
	for _, s := range b.definers(name) {
		if ns := packageOf(s.f, s.d().Container); ns != "" && b.top(s) && b.spend() && b.globallyUsed(ns) {
			out.syms = append(out.syms, s)
		}
	}
	if len(out.syms) > 0 {
		out.prov, out.reason, out.conf = graph.Inferred, graph.ReasonStar, confPackage
		return out
	}
	for n, id := range graph.ByPath(b.v, b.v.Referrers(name)) {
		f := b.facts(id)
		if f == nil || n == maxDefiners {
			continue
		}
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Flags&graph.ImportReexport != 0 && im.Alias == name && b.spend() {
				return b.in(sym{f, id, graph.NoDef}).importOf(im)
			}
		}
	}
	return out
}

// seen reports whether an extension is seen at a place: it stands in the same file or
// package, in a type around it, or is imported.
func (b binder) seen(s sym, name string, from int32) bool {
	d := s.d()
	if d.Container != graph.NoDef {
		if d.Has(graph.FlagLocal) {
			return true
		}
		holder := sym{s.f, s.id, d.Container}
		for at := from; at != graph.NoDef; at = b.f.Defs[at].Container {
			if here := (sym{b.f, b.id, at}); isTypeDef(here.d()) && (here.symbol() == holder.symbol() || b.derives(here, holder)) {
				return true
			}
		}
		return b.importedFrom(b.full(holder), name)
	}
	return s.f.Package == b.f.Package || b.importedFrom(s.f.Package, name)
}

func (b binder) importedFrom(pkg, name string) bool {
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		if im.Module == pkg && (im.Name == "*" || im.Name == name) {
			return true
		}
	}
	return false
}
