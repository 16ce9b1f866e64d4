package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// specialised keeps, of the definitions of a template, those that template arguments
// mean: the specialisation for them, or else the template itself. Without arguments the
// template comes first.
func specialised(types []sym, args string) []sym {
	if len(types) < 2 {
		return types
	}
	var plain, exact, partial []sym
	for _, s := range types {
		own := ownArguments(s.d())
		names, _ := templateNames(s.d().Signature)
		switch {
		case own == "":
			plain = append(plain, s)
		case own == args:
			exact = append(exact, s)
		case args == "" || len(names) > 0 && matches(own, args, names):
			partial = append(partial, s)
		}
	}
	switch {
	case len(exact) > 0:
		return exact
	case args == "":
		return append(plain, partial...)
	case len(partial) > 0:
		return partial
	case len(plain) > 0:
		return plain
	}
	return types
}

// ownArguments returns the arguments for which a class is specialised, with their
// brackets: "<int>" of template <> struct T<int>.
func ownArguments(d *graph.Def) string {
	sig := d.Signature
	if !strings.HasPrefix(sig, "template") {
		return ""
	}
	i := strings.LastIndex(sig, d.Name+"<")
	if i < 0 {
		return ""
	}
	depth := 0
	for j := i + len(d.Name); j < len(sig); j++ {
		switch sig[j] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return strings.ReplaceAll(sig[i+len(d.Name):j+1], " ", "")
			}
		}
	}
	return ""
}

// matches reports whether arguments are of the form that a partial specialisation has.
func matches(form, args string, names []string) bool {
	p, q := splitPlain(form), splitPlain(args)
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if !matchesOne(p[i], q[i], names) {
			return false
		}
	}
	return true
}

func splitPlain(list string) []string {
	var out []string
	depth, from := 0, 1
	for i := 1; i < len(list); i++ {
		switch list[i] {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		}
		if list[i] == ',' && depth == 0 || i == len(list)-1 {
			out = append(out, list[from:i])
			from = i + 1
		}
	}
	return out
}

func matchesOne(form, arg string, names []string) bool {
	for _, n := range names {
		before, after, ok := strings.Cut(form, n)
		if !ok || !hasWord(form, n) {
			continue
		}
		return len(arg) > len(before)+len(after) && strings.HasPrefix(arg, before) && strings.HasSuffix(arg, after)
	}
	return form == arg
}

// takenIn lists the members of a name that a class takes from a base by a using
// declaration, but for those that it has itself.
func (b *binder) takenIn(t sym, name string, depth int) (out []sym) {
	for i := range t.f.Imports {
		im := &t.f.Imports[i]
		if im.Enclosing != t.def || im.Name != name || isInclude(im) || depth > maxBases {
			continue
		}
		types, _ := b.at(t).types(im.Module)
		for _, u := range types {
			if u.symbol() == t.symbol() {
				continue
			}
			for _, m := range b.memberOf(u, name, depth+1) {
				hidden := false
				for _, own := range memberIn(t, name) {
					hidden = hidden || alikeTexts(parameterTypes(own.d().Signature), parameterTypes(m.d().Signature)) && constMethod(own.d().Signature) == constMethod(m.d().Signature)
				}
				if !hidden {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// takenBy binds a name that a namespace takes from another by a using declaration.
func (b *binder) takenBy(r *graph.Ref, scope string) graph.Binding {
	all := b.closure()
	for _, id := range b.v.Referrers(r.Name) {
		f := b.facts(id)
		if f == nil || id != b.id && !all.has(id) {
			continue
		}
		for i := range f.Imports {
			im := &f.Imports[i]
			if isInclude(im) || im.Name != r.Name || im.Enclosing != graph.NoDef {
				continue
			}
			if space := spaceAt(f, im.Span.Start); space == "" || space != scope && !strings.HasSuffix(space, "::"+scope) {
				continue
			}
			if b.fuel--; b.fuel < 0 {
				return graph.Binding{}
			}
			own := *r
			own.Qualifier = im.Module + "::"
			if out := b.scoped(&own); out.Resolved() {
				return out
			}
		}
	}
	return graph.Binding{}
}

// spaceAt returns the namespace around a place of a file.
func spaceAt(f *graph.Facts, at uint32) string {
	space, size := "", uint32(0)
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Kind == graph.KindNamespace && d.Span.Start <= at && at < d.Span.End && (size == 0 || d.Span.End-d.Span.Start < size) {
			space, size = d.Local, d.Span.End-d.Span.Start
		}
	}
	return space
}
