package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// types finds the types that a text names. external says that the name is known not to
// be of the tree.
func (b *binder) types(text string) (syms []sym, external bool) {
	if b.fuel--; b.fuel < 0 {
		return nil, false
	}
	text = strings.TrimSuffix(text, "(*)")
	tag := false
	for _, word := range [...]string{"struct ", "union ", "enum ", "class "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			text, tag = rest, true
		}
	}
	args := ""
	if i := strings.IndexByte(text, '<'); i > 0 {
		args, text = strings.ReplaceAll(text[i:], " ", ""), text[:i]
	}
	scope, name := "", text
	if i := strings.LastIndex(text, "::"); i >= 0 {
		scope, name = text[:i], text[i+2:]
	}
	if name == "" || strings.ContainsAny(name, " .()") || builtin(name) {
		return nil, true
	}
	if strings.HasPrefix(scope, "std") {
		return nil, true
	}
	own, seen, far := b.definitions(name, func(d *graph.Def) bool {
		return isType(d.Kind) && (!tag || d.Kind != graph.KindType) && (scope == "" || inScope(d, scope, name) || b.inlineScope(d, scope, name))
	})
	if scope == "" {
		own, seen, far = b.around(own, seen, far)
	}
	for _, list := range [...][]sym{own, seen} {
		if len(list) > 0 {
			return specialised(list, args), false
		}
	}
	return specialised(b.nearest(far), args), len(far) == 0 && b.closure().outside
}

// around keeps the types that a name without qualifier means in the scopes around: of
// the innermost that has one. One that is nested in another class is not meant, unless
// nothing else is.
func (b *binder) around(own, seen, far []sym) (_, _, _ []sym) {
	if b.f.Language != "cpp" {
		return own, seen, far
	}
	rank := func(s sym) int {
		switch scope := scopeOf(s.d()); {
		case b.within == scope || scope != "" && strings.HasPrefix(b.within, scope+"::"):
			return 2 + len(scope)
		case s.d().Container != graph.NoDef || s.d().Owner != "":
			return 0
		}
		return 1
	}
	best := 0
	for _, s := range append(append([]sym(nil), own...), seen...) {
		best = max(best, rank(s))
	}
	keep := func(list []sym, most int) (out []sym) {
		for _, s := range list {
			if rank(s) == most {
				out = append(out, s)
			}
		}
		return out
	}
	if len(own)+len(seen) > 0 {
		return keep(own, best), keep(seen, best), far
	}
	for _, s := range far {
		best = max(best, rank(s))
	}
	return nil, nil, keep(far, best)
}

func inScope(d *graph.Def, scope, name string) bool {
	want := scope + "::" + name
	return d.Local == want || strings.HasSuffix(d.Local, "::"+want)
}

func builtin(name string) bool {
	switch name {
	case "int", "char", "void", "long", "short", "float", "double", "bool", "_Bool", "size_t", "unsigned", "signed", "auto":
		return true
	}
	return false
}

// definitions lists those of a name that are wanted: of the file itself, of what it
// includes, and of other files of the same part of the tree.
func (b *binder) definitions(name string, wanted func(*graph.Def) bool) (own, seen, far []sym) {
	all := b.closure()
	for _, id := range b.v.Definers(name) {
		f := b.facts(id)
		if f == nil {
			continue
		}
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			if !wanted(&f.Defs[i]) {
				continue
			}
			s := sym{f, id, i}
			switch {
			case id == b.id:
				own = append(own, s)
			case all.has(id):
				seen = append(seen, s)
			case aside(f.Path) == aside(b.f.Path):
				far = append(far, s)
			}
		}
	}
	return own, seen, far
}
