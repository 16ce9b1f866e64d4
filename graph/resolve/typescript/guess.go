package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// mayGuess reports whether a name alone may stand for a member. Where the receiver
// is a global that nothing declares, the member is not of this tree; nor is it where the
// receiver is called $ or $x, as are the objects of libraries that wrap the nodes of a
// page.
func (b *binder) mayGuess(r *graph.Ref) bool {
	if isBuiltinMember(r.Name) || isPageMember(r.Name) || len(r.Name) < 3 || wrapsPage(r.Qualifier) {
		return false
	}
	switch r.Use {
	case graph.UseCall, graph.UseDecorator:
	case graph.UseRead, graph.UseWrite, graph.UseDynamic:
		if len(r.Name) < 5 {
			return false
		}
	default:
		return false
	}
	return r.Hint.Rule != graph.HintNone && r.Hint.Rule != graph.HintBlock || !isIdent(r.Qualifier[0])
}

// wrapsPage reports whether a receiver is called $ or $x, or is a member or a result of one
// that is.
func wrapsPage(receiver string) bool {
	receiver = strings.TrimLeft(receiver, "(")
	return strings.HasPrefix(receiver, "$") || strings.HasPrefix(receiver, "jQuery") || strings.Contains(receiver, ".$")
}

// guess binds a member of an unknown receiver by its name.
func (b *binder) guess(f *graph.Facts, r *graph.Ref) graph.Binding {
	ids, ok := b.definers(r.Name)
	if !ok {
		return graph.Binding{}
	}
	var syms []graph.Symbol
	for _, id := range ids {
		g := b.facts(id)
		if g == nil || !served(g.Language) || g.Role == graph.RoleGenerated && f.Role != graph.RoleGenerated {
			continue
		}
		for i := range g.Defs {
			if d := &g.Defs[i]; d.Name == r.Name && isMember(g, d) && !d.Has(graph.FlagOverload) && fits(d, r) {
				syms = append(syms, graph.Symbol{File: id, Def: int32(i)})
			}
		}
	}
	syms = b.sourcesFirst(syms)
	switch {
	case len(syms) > maxShared:
	case len(syms) == 1:
		return bind(syms, graph.ReasonUnique, guessed, graph.Inferred)
	case len(syms) > 1 && r.Use.Calls():
		return ambiguous(syms)
	}
	return graph.Binding{}
}

// sourcesFirst drops what declaration files say where sources say it too.
func (b *binder) sourcesFirst(syms []graph.Symbol) []graph.Symbol {
	var sources []graph.Symbol
	for _, s := range syms {
		if f := b.facts(s.File); f != nil && !declarationFile(f.Path) {
			sources = append(sources, s)
		}
	}
	if len(sources) > 0 {
		return sources
	}
	return syms
}

func declarationFile(p graph.Path) bool {
	s := string(p)
	return strings.HasSuffix(s, ".d.ts") || strings.HasSuffix(s, ".d.mts") || strings.HasSuffix(s, ".d.cts")
}

// unnamedOwner is the owner that extraction gives to members of object literals that
// nothing names.
const unnamedOwner = "{}"

// isMember reports whether d is reached through an object that has a name.
func isMember(f *graph.Facts, d *graph.Def) bool {
	if d.Owner != "" {
		return d.Owner != unnamedOwner
	}
	return d.Container >= 0 && isTypeKind(f.Defs[d.Container].Kind) && f.Defs[d.Container].Kind != graph.KindEnum
}

// fits reports whether a use of the kind can mean d.
func fits(d *graph.Def, r *graph.Ref) bool {
	switch d.Kind {
	case graph.KindMethod, graph.KindFunction:
		return true
	case graph.KindField, graph.KindProperty:
		return !r.Use.Calls()
	default:
	}
	return false
}
