package golang

import (
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// maxTypeText bounds the types that hints and definitions carry.
const maxTypeText = 160

// typeSpec defines a type; d holds its span and doc. Inside a function the type is
// a local name.
func (x *extractor) typeSpec(s sitter.Node, d graph.Def) {
	id, typ := x.t.Child(s, fName), x.t.Child(s, fType)
	if id == sitter.None || typ == sitter.None || x.t.Start(id) == x.t.End(id) {
		x.visitChildren(s)
		return
	}
	d.Name = x.b.Text(id)
	d.Local, d.NameSpan, d.Flags = d.Name, x.b.Span(id), x.nameFlags(d.Name)
	if x.scopes.Depth() > 0 {
		d.Flags = d.Flags&^graph.FlagExported | graph.FlagLocal
		if e := x.b.EnclosingDef(); e != nil {
			d.Local = e.Local + "." + d.Name
		}
	}
	end := x.t.End(s)
	switch x.t.Kind(typ) {
	case kStructType:
		d.Kind, end = graph.KindStruct, x.t.Start(typ)+uint32(len("struct"))
	case kInterfaceType:
		d.Kind, end = graph.KindInterface, x.t.Start(typ)+uint32(len("interface"))
	default:
		d.Kind = graph.KindType
		d.Type = x.typeText(typ)
	}
	d.Signature = "type " + x.b.Signature(x.t.Start(s), end)
	def := x.b.AddDef(d)
	if x.scopes.Depth() > 0 {
		x.scopes.Declare(spec.Local{Name: d.Name, Hint: graph.Hint{Rule: graph.HintDeclared, Type: d.Name}, Def: def})
	}
	x.inside(def, func() {
		x.scopes.Open()
		x.typeParams(x.t.Child(s, fTypeParameters))
		x.typeExpr(typ, def)
		x.scopes.Close()
	})
}

// typeParams declares type parameters. What a value of such a type can do is what
// its constraint says.
func (x *extractor) typeParams(n sitter.Node) {
	if n == sitter.None {
		return
	}
	for p := range x.t.Children(n) {
		c := x.t.Child(p, fType)
		h := graph.Hint{Rule: graph.HintLocal}
		if c != sitter.None {
			if only := x.t.First(c); only != sitter.None && x.t.Next(only) == sitter.None {
				switch x.t.Kind(only) {
				case kTypeIdentifier, kQualifiedType, kGenericType:
					h = graph.Hint{Rule: graph.HintDeclared, Type: x.typeText(only)}
				default:
				}
			}
		}
		for id := range x.t.Children(p) {
			if x.t.Kind(id) == kIdentifier {
				x.scopes.Declare(spec.Local{Name: x.b.Text(id), Hint: h, Def: graph.NoDef, Type: true})
			}
		}
		if c != sitter.None {
			x.typeExpr(c, graph.NoDef)
		}
	}
}

// params reads a parameter list; declare binds the names.
func (x *extractor) params(n sitter.Node, declare bool) {
	if n == sitter.None {
		return
	}
	for p := range x.t.Children(n) {
		k := x.t.Kind(p)
		if k != kParam && k != kVariadicParam {
			continue
		}
		typ := x.t.Child(p, fType)
		if typ == sitter.None {
			continue
		}
		x.typeExpr(typ, graph.NoDef)
		if !declare {
			continue
		}
		h := x.declaredHint(typ)
		if k == kVariadicParam && h.Rule == graph.HintDeclared {
			h.Type = "[]" + h.Type
		}
		for id := range x.t.Children(p) {
			if x.t.Field(id) == fName {
				x.declare(id, h)
			}
		}
	}
}

// result reads the result of a function: a type or a list of them.
func (x *extractor) result(n sitter.Node, declare bool) {
	switch {
	case n == sitter.None:
	case x.t.Kind(n) == kParams:
		x.params(n, declare)
	default:
		x.typeExpr(n, graph.NoDef)
	}
}

// resultType returns the first result's type as written.
func (x *extractor) resultType(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	if x.t.Kind(n) == kParams {
		for p := range x.t.Children(n) {
			if typ := x.t.Child(p, fType); typ != sitter.None {
				return x.fullType(typ)
			}
		}
		return ""
	}
	return x.fullType(n)
}

// declaredHint is the hint of a local whose type is written at n. A value of a type
// parameter's type is known by the constraint.
func (x *extractor) declaredHint(n sitter.Node) graph.Hint {
	k := x.t.Kind(n)
	if k == kInterfaceType {
		return graph.Hint{Rule: graph.HintLocal}
	}
	base := n
	for k == kPointerType && x.t.First(base) != sitter.None {
		base = x.t.First(base)
		k = x.t.Kind(base)
	}
	if k == kTypeIdentifier {
		if l := x.scopes.Lookup(x.b.Text(base)); l != nil && l.Def == graph.NoDef {
			return l.Hint
		}
	}
	if t := x.hintType(n); t != "" {
		return graph.Hint{Rule: graph.HintDeclared, Type: t}
	}
	return graph.Hint{Rule: graph.HintLocal}
}

// typeExpr reads the references in a type. Fields and methods of a struct or
// interface literal become members of owner; without an owner they are read only
// for their types.
func (x *extractor) typeExpr(n sitter.Node, owner int32) {
	if n == sitter.None {
		return
	}
	switch x.t.Kind(n) {
	case kTypeIdentifier:
		x.typeName(n)
	case kQualifiedType:
		x.qualifiedType(n)
	case kStructType:
		x.fields(n, owner)
	case kInterfaceType:
		x.methods(n, owner)
	case kFuncType:
		x.params(x.t.Child(n, fParameters), false)
		x.result(x.t.Child(n, fResult), false)
	case kArrayType:
		for c := range x.t.Children(n) {
			if x.t.Field(c) == fElement {
				x.typeExpr(c, owner)
			} else {
				x.visit(c)
			}
		}
	case kIdentifier, kSelector, kCall, kBinary, kUnary:
		x.visit(n) // an array length, or text that was taken for a type
	default: // pointer, slice, map, channel, generic, parenthesised, constraint
		for c := range x.t.Children(n) {
			x.typeExpr(c, owner)
		}
	}
}

func (x *extractor) typeName(n sitter.Node) {
	name := x.b.Text(n)
	if predeclaredType(name) || x.scopes.Lookup(name) != nil {
		return
	}
	x.addRef(n, "", graph.UseType, graph.Hint{})
}

func (x *extractor) qualifiedType(n sitter.Node) {
	pkg, name := x.t.Child(n, fPackage), x.t.Child(n, fName)
	if pkg == sitter.None || name == sitter.None {
		return
	}
	x.addRef(name, x.b.Text(pkg), graph.UseType, graph.Hint{})
}

// fields reads a struct type.
func (x *extractor) fields(n sitter.Node, owner int32) {
	list := x.t.ChildOfKind(n, kFieldList)
	if list == sitter.None {
		return
	}
	for f := range x.t.Children(list) {
		switch x.t.Kind(f) {
		case kComment:
			x.b.NoteComment(f)
		case kField:
			x.field(f, owner)
		case sitter.KindError:
			x.visitChildren(f)
		default:
		}
	}
}

func (x *extractor) field(f sitter.Node, owner int32) {
	typ := x.t.Child(f, fType)
	named, first := false, graph.NoDef
	for id := range x.t.Children(f) {
		if x.t.Field(id) != fName {
			continue
		}
		named = true
		if owner == graph.NoDef || x.t.Is(id, "_") || typ == sitter.None {
			continue
		}
		i := x.member(id, owner, graph.KindField, x.b.Span(f))
		d := &x.b.Facts.Defs[i]
		d.Type = x.typeText(typ)
		d.Signature = d.Name + " " + d.Type
		if first == graph.NoDef {
			first = i
		}
	}
	if named {
		x.inside(first, func() { x.typeExpr(typ, first) })
		return
	}
	x.embedded(f, owner)
}

// embedded reads an embedded field: "T", "*T", "pkg.T" or an instance of one.
func (x *extractor) embedded(f sitter.Node, owner int32) {
	typ := x.t.Child(f, fType)
	if typ == sitter.None { // *T has no field name in the grammar
		typ = x.t.First(f)
	}
	if typ == sitter.None {
		return
	}
	id, qualifier := x.baseName(typ)
	if id == sitter.None || owner == graph.NoDef {
		x.typeExpr(typ, graph.NoDef)
		return
	}
	end := x.t.End(typ)
	i := x.member(id, owner, graph.KindField, x.b.SpanBetween(x.t.Start(f), x.t.End(f)))
	d := &x.b.Facts.Defs[i]
	d.Type = spec.OneLine(x.b.Slice(x.t.Start(f), end))
	d.Signature = d.Type
	x.b.Facts.Heritage = append(x.b.Facts.Heritage, graph.Heritage{
		Def: owner, Rel: graph.RelEmbeds, Name: d.Name, Qualifier: qualifier, Span: x.b.SpanBetween(x.t.Start(typ), end),
	})
	x.inside(i, func() { x.typeExpr(typ, graph.NoDef) })
}

// baseName finds the name in "T", "*T", "pkg.T", "T[int]".
func (x *extractor) baseName(n sitter.Node) (id sitter.Node, qualifier string) {
	for n != sitter.None {
		switch x.t.Kind(n) {
		case kTypeIdentifier:
			return n, ""
		case kQualifiedType:
			if pkg := x.t.Child(n, fPackage); pkg != sitter.None {
				qualifier = x.b.Text(pkg)
			}
			return x.t.Child(n, fName), qualifier
		case kGenericType, kPointerType, kParenType:
			n = x.t.First(n)
		default:
			return sitter.None, ""
		}
	}
	return sitter.None, ""
}

// methods reads an interface type.
func (x *extractor) methods(n sitter.Node, owner int32) {
	for m := range x.t.Children(n) {
		switch x.t.Kind(m) {
		case kComment:
			x.b.NoteComment(m)
		case kMethodElem:
			x.methodElem(m, owner)
		case kTypeElem:
			first := x.t.First(m)
			if owner != graph.NoDef && first != sitter.None && x.t.Next(first) == sitter.None {
				if id, q := x.baseName(first); id != sitter.None && x.t.Kind(first) != kPointerType && !predeclaredType(x.b.Text(id)) {
					x.b.Facts.Heritage = append(x.b.Facts.Heritage, graph.Heritage{
						Def: owner, Rel: graph.RelEmbeds, Name: x.b.Text(id), Qualifier: q, Span: x.b.Span(m),
					})
				}
			}
			x.typeExpr(m, graph.NoDef)
		default:
		}
	}
}

func (x *extractor) methodElem(m sitter.Node, owner int32) {
	id := x.t.Child(m, fName)
	def := graph.NoDef
	if id != sitter.None && owner != graph.NoDef {
		def = x.member(id, owner, graph.KindMethod, x.b.Span(m))
		d := &x.b.Facts.Defs[def]
		d.Flags |= graph.FlagAbstract
		d.Type = x.resultType(x.t.Child(m, fResult))
		d.Signature = x.b.Signature(x.t.Start(m), x.t.End(m))
	}
	x.inside(def, func() {
		x.params(x.t.Child(m, fParameters), false)
		x.result(x.t.Child(m, fResult), false)
	})
}

// member defines a field or interface method of owner.
func (x *extractor) member(id sitter.Node, owner int32, kind graph.Kind, span graph.Span) int32 {
	name := x.b.Text(id)
	o := &x.b.Facts.Defs[owner]
	d := graph.Def{
		Name: name, Local: o.Local + "." + name, Kind: kind, Span: span, NameSpan: x.b.Span(id),
		Doc: x.b.DocAbove(span.Start), Flags: x.nameFlags(name) | o.Flags&graph.FlagLocal,
	}
	i := x.b.AddDef(d)
	x.b.Facts.Defs[i].Container = owner
	return i
}

// predeclaredType reports whether a name is a type of the language. Uses of those
// are no references: they would be a third of all, and nothing redefines them.
func predeclaredType(name string) bool {
	switch name {
	case "string", "int", "error", "bool", "byte", "any", "int64", "uint64", "int32", "uint32", "float64", "rune",
		"uint8", "uint16", "int8", "int16", "uint", "uintptr", "float32", "complex64", "complex128", "comparable":
		return true
	}
	return false
}
