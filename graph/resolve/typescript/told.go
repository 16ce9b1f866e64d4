package typescript

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// told reports whether declarations alone, each found by scope or import, say which
// definition a member is: the receiver is this, super, of a declared type, or a name or
// a field of one, and the type is one class or interface that has the member, itself or
// from what it is declared to extend. What comments declare says less, and so do results
// of calls, choices and types that are made of others.
func (b *binder) told(recv value, m member) bool {
	if m.open || len(m.syms) != 1 {
		return false
	}
	return b.toldType(recv, 0)
}

func (b *binder) toldType(v value, hops int) bool {
	if len(v.alts) > 0 || v.open || hops > maxToldHops {
		return false
	}
	switch v.kind {
	case valType:
		switch v.reason {
		case graph.ReasonSelf, graph.ReasonInherited:
			return true
		case graph.ReasonDeclared:
			return b.namesOne(v.typ)
		default:
			return false
		}
	case valDef:
		d := b.def(v.syms[0])
		if d == nil || d.Type == "" || d.Type[0] == '=' || strings.HasSuffix(d.Type, "()") {
			return false
		}
		switch d.Kind {
		case graph.KindVariable, graph.KindConstant:
			if !proven(v.reason) && v.recv == nil {
				return false
			}
		case graph.KindField, graph.KindProperty:
		default:
			return false
		}
		if v.recv != nil && !b.toldType(*v.recv, hops+1) {
			return false
		}
		return b.namesOne(closure{t: parseType(d.Type), at: b.scopeOf(v.syms[0])})
	default:
	}
	return false
}

// maxToldHops bounds the members that lead from a told receiver to another.
const maxToldHops = 4

// namesOne reports whether a written type is the name of one class or interface of the
// tree.
func (b *binder) namesOne(c closure) bool {
	if c.t == nil || c.t.kind != typeNamed || c.t.module != "" || !c.at.valid() || c.at.f.Language == "javascript" {
		return false
	}
	r := b.typeName(c.at, c.t.name)
	if r.many || len(r.syms) == 0 || !proven(r.reason) {
		return false
	}
	d := b.def(r.syms[0])
	return d != nil && (d.Kind == graph.KindClass || d.Kind == graph.KindInterface)
}

// flowed binds the call of a value to one of the functions that it may be.
func flowed(sc scope, hint string) graph.Binding {
	at, of, _ := strings.Cut(hint, "/")
	offset, _ := strconv.Atoi(at)
	rivals, _ := strconv.Atoi(of)
	for i := range sc.f.Defs {
		if sc.f.Defs[i].NameSpan.Start == uint32(offset) {
			out := bind([]graph.Symbol{{File: sc.id, Def: int32(i)}}, graph.ReasonFlow, derived/float32(max(1, rivals)), graph.Inferred)
			out.Dynamic = true
			return out
		}
	}
	return graph.Binding{}
}
