package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// implBlock reads "impl<P> Trait for Type where … { … }".
func (x *extractor) implBlock(n sitter.Node, _ *attributes) {
	typ, body := x.t.Child(n, fType), x.t.Child(n, fBody)
	if typ == sitter.None {
		x.visitChildren(n)
		return
	}
	read := func() {
		outer, mark := x.impl, len(x.params)
		x.typeParams(x.t.Child(n, fTypeParameters))
		trait := x.t.Child(n, fTrait)
		x.impl = implHeader{owner: x.ownerName(typ), self: x.typeText(typ)}
		x.impl.text = x.implText(n, trait, typ, body)
		if trait != sitter.None {
			x.implements(n, trait, typ)
			x.typeExpr(trait)
		}
		x.typeExpr(typ)
		if where := x.t.ChildOfKind(n, kWhere); where != sitter.None {
			x.typeExpr(where)
		}
		if body != sitter.None {
			x.items(body)
		}
		x.impl, x.params = outer, x.params[:mark]
	}
	x.apart(read)
}

// ownerName is the bare name of the type that an impl block is for; for one without a
// name it is the type as written.
func (x *extractor) ownerName(typ sitter.Node) string {
	for n := typ; n != sitter.None; {
		switch x.t.Kind(n) {
		case kTypeIdentifier, kPrimitive:
			return x.b.Text(n)
		case kScopedType:
			n = x.t.Child(n, fName)
		case kGenericType, kReferenceType, kPointerType:
			n = x.t.Child(n, fType)
		case kDynType, kAbstractType:
			n = x.t.Child(n, fTrait)
		default:
			return x.typeText(typ)
		}
	}
	return x.typeText(typ)
}

// implText writes the header of a block, with the associated types as bindings.
func (x *extractor) implText(n, trait, typ, body sitter.Node) string {
	var s strings.Builder
	s.WriteString("impl")
	if p := x.t.Child(n, fTypeParameters); p != sitter.None {
		s.WriteString(x.b.Signature(x.t.Start(p), x.t.End(p)))
	}
	s.WriteByte(' ')
	if trait != sitter.None {
		name := x.typeText(trait)
		if bound := x.assocTypes(body); bound != "" {
			if rest, ok := strings.CutSuffix(name, ">"); ok {
				name = rest + ", " + bound + ">"
			} else {
				name += "<" + bound + ">"
			}
		}
		s.WriteString(name)
		s.WriteString(" for ")
	}
	s.WriteString(x.typeText(typ))
	if where := x.t.ChildOfKind(n, kWhere); where != sitter.None {
		s.WriteByte(' ')
		s.WriteString(strings.TrimSuffix(x.b.Signature(x.t.Start(where), x.t.End(where)), ","))
	}
	return s.String()
}

func (x *extractor) assocTypes(body sitter.Node) string {
	if body == sitter.None {
		return ""
	}
	var out []string
	for n := range x.t.Children(body) {
		if x.t.Kind(n) != kTypeItem {
			continue
		}
		id, typ := x.named(n), x.t.Child(n, fType)
		if id != sitter.None && typ != sitter.None {
			out = append(out, x.b.Text(id)+" = "+x.typeText(typ))
		}
	}
	return strings.Join(out, ", ")
}

// implements makes the type of a block build on the trait.
func (x *extractor) implements(n, trait, typ sitter.Node) {
	h, ok := x.base(trait)
	if !ok || x.negative(n, trait) {
		return
	}
	h.Rel, h.Def, h.Of = graph.RelImplements, graph.NoDef, x.impl.self
	owner := x.ownerName(typ)
	if k := x.t.Kind(typ); x.isParam(owner) || k == kReferenceType || k == kPointerType {
		owner = "" // of every type, or of one that is made of the named one
	}
	x.pending = append(x.pending, heritage{typeKey{x.b.Enclosing(), owner}, h})
}

// negative reports whether the block is "impl !Trait for T".
func (x *extractor) negative(n, trait sitter.Node) bool {
	start := x.t.Start(trait)
	return start > x.t.Start(n) && x.b.Src[start-1] == '!'
}

// base reads the name of a trait; ok is false for what is none, such as a lifetime.
func (x *extractor) base(t sitter.Node) (h graph.Heritage, ok bool) {
	id, qualifier := x.lastName(t)
	if id == sitter.None {
		return h, false
	}
	return graph.Heritage{Name: x.b.Text(id), Qualifier: qualifier, Span: x.b.Span(t)}, true
}

// lastName finds the last name of a path or of a type with a name, and what stands
// before it.
func (x *extractor) lastName(n sitter.Node) (id sitter.Node, qualifier string) {
	for n != sitter.None {
		switch x.t.Kind(n) {
		case kIdentifier, kTypeIdentifier:
			return n, ""
		case kScoped, kScopedType:
			id := x.t.Child(n, fName)
			if path := x.t.Child(n, fPath); path != sitter.None {
				qualifier = x.pathText(path)
			} else {
				qualifier = "::"
			}
			return id, qualifier
		case kGenericType, kReferenceType, kHigherRanked:
			n = x.t.Child(n, fType)
		case kFunctionType:
			n = x.t.Child(n, fTrait)
		default:
			return sitter.None, ""
		}
	}
	return sitter.None, ""
}
