package generic

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// baseOf is one base of a type: its symbol, or else its name outside, and the texts of its
// type arguments.
type baseOf struct {
	symbol graph.Symbol
	name   string
	args   []string
}

const maxParts = 8

// parts lists the definitions that make a type: all parts of a partial one.
func (b binder) parts(s sym) []sym {
	if b.Receivers || !strings.Contains(s.d().Signature, "partial ") {
		return []sym{s}
	}
	out := []sym{s}
	full := b.full(s)
	for _, o := range b.definers(s.d().Name) {
		if o.symbol() != s.symbol() && o.d().Kind == s.d().Kind && b.full(o) == full && len(out) < maxParts {
			out = append(out, o)
		}
	}
	return out
}

// bases lists the types that a type builds on.
func (b binder) bases(t typ) (out []typ) {
	if !t.inTree() {
		return nil
	}
	if b.busy[t.sym.symbol()] {
		return nil
	}
	b.busy[t.sym.symbol()] = true
	defer delete(b.busy, t.sym.symbol())
	key := graph.Derivation{Rule: ruleBases, File: t.sym.id, In: strconv.Itoa(int(t.sym.def))}
	list := graph.Derived(b.v, key, func() []baseOf { return b.findBases(t.sym) })
	if len(list) == 0 {
		return nil
	}
	e := b.envOf(t)
	for _, base := range list {
		one := typ{name: base.name}
		if base.symbol.Def != graph.NoDef {
			f := b.facts(base.symbol.File)
			if f == nil || int(base.symbol.Def) >= len(f.Defs) {
				continue
			}
			one = typ{sym: sym{f, base.symbol.File, base.symbol.Def}}
		}
		for _, a := range base.args {
			one.args = append(one.args, b.in(t.sym).typeAt(a, t.sym, e, 2))
		}
		out = append(out, one)
	}
	return out
}

func (b binder) findBases(s sym) (out []baseOf) {
	for _, part := range b.parts(s) {
		texts := b.headerOf(part).bases
		in := b.in(part)
		fuel := maxTypedSteps
		in.fuel = &fuel
		for i := range part.f.Heritage {
			h := &part.f.Heritage[i]
			if h.Def != part.def {
				continue
			}
			base := baseOf{symbol: graph.Symbol{Def: graph.NoDef}}
			text := h.Name
			for _, t := range texts {
				head, _, _ := strings.Cut(t, "(")
				plain, _, generic := strings.Cut(head, "<")
				if _, last := b.split(strings.TrimSpace(plain)); last == h.Name && generic {
					if end := closing(t, len(plain)); end > 0 {
						base.args = splitTop(t[len(plain)+1 : end])
						for i := range base.args {
							base.args[i] = strings.Clone(base.args[i])
						}
					}
					break
				}
			}
			if h.Qualifier != "" {
				text = h.Qualifier + b.separator() + h.Name
			}
			at := sym{part.f, part.id, part.d().Container}
			found, external := in.typeSymbol(text, len(base.args), at)
			switch {
			case found.f != nil && found.symbol() != s.symbol():
				base.symbol = found.symbol()
			case found.f != nil:
				continue
			case external:
				base.name = strings.Clone(plainType(h.Name))
			}
			out = append(out, base)
		}
	}
	return out
}

// envOf returns what a type is given for its parameters.
func (b binder) envOf(t typ) env {
	if !t.inTree() || len(t.args) == 0 {
		return nil
	}
	h := b.headerOf(t.sym)
	if len(h.generics) != len(t.args) {
		return nil
	}
	e := env{}
	for i, g := range h.generics {
		e[g] = t.args[i]
	}
	return e
}
