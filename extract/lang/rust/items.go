package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// module reads "mod a { … }", which is a definition, or "mod a;", which names a file.
func (x *extractor) module(n sitter.Node, a *attributes) {
	id := x.named(n)
	if id == sitter.None {
		return
	}
	body := x.t.Child(n, fBody)
	if body == sitter.None {
		im := graph.Import{Module: "./" + x.b.Text(id), Alias: x.b.Text(id), Span: x.b.Span(n)}
		if a.path != "" {
			im.Module = "./" + strings.TrimPrefix(a.path, "./")
		}
		if x.t.ChildOfKind(n, kVisibility) != sitter.None {
			im.Flags |= graph.ImportReexport
		}
		if a.flags&graph.FlagConditional != 0 {
			im.Flags |= graph.ImportOptional
		}
		x.b.AddImport(im)
		return
	}
	d := x.newDef(n, id, graph.KindNamespace, a)
	d.Signature = x.b.Signature(x.t.Start(n), x.t.Start(body))
	def := x.b.AddDef(d)
	impl, flags := x.impl, x.flags
	x.impl = implHeader{}
	x.flags |= a.flags & graph.FlagConditional
	x.apart(func() { x.inside(def, func() { x.items(body) }) })
	x.impl, x.flags = impl, flags
}

// function reads a function, method or associated function with its body.
func (x *extractor) function(n sitter.Node, a *attributes) {
	id := x.named(n)
	if id == sitter.None {
		x.visitChildren(n)
		return
	}
	body := x.t.Child(n, fBody)
	end := x.t.End(n)
	if body != sitter.None {
		end = x.t.Start(body)
	}
	d := x.newDef(n, id, graph.KindFunction, a)
	d.Signature = strings.TrimSuffix(x.b.Signature(x.t.Start(n), end), ";")
	params := x.t.Child(n, fParameters)
	if x.impl.self != "" && x.scopes.Depth() == 0 {
		d.Kind = graph.KindMethod
		if params == sitter.None || !x.takesSelf(params) {
			d.Flags |= graph.FlagStatic
		}
		x.ofBlock(&d)
	}
	if body == sitter.None {
		d.Flags |= graph.FlagAbstract
	}
	if m := x.t.ChildOfKind(n, kModifiers); m != sitter.None && strings.Contains(x.b.Text(m), "async") {
		d.Flags |= graph.FlagAsync
	}
	if ret := x.t.Child(n, fReturn); ret != sitter.None {
		d.Type = x.typeText(ret)
	}
	def := x.b.AddDef(d)
	read := func() {
		mark := len(x.params)
		x.inside(def, func() {
			x.scopes.Open()
			x.typeParams(x.t.Child(n, fTypeParameters))
			if where := x.t.ChildOfKind(n, kWhere); where != sitter.None {
				x.typeExpr(where)
			}
			if params != sitter.None {
				x.parameters(params)
			}
			if ret := x.t.Child(n, fReturn); ret != sitter.None {
				x.typeExpr(ret)
			}
			if body != sitter.None {
				x.visit(body)
			}
			x.scopes.Close()
		})
		x.params = x.params[:mark]
	}
	if x.scopes.Depth() > 0 {
		x.apart(read)
	} else {
		read()
	}
}

// ofBlock makes a definition one of the impl block or trait being read.
func (x *extractor) ofBlock(d *graph.Def) {
	if x.impl.self == "" || x.scopes.Depth() > 0 {
		return
	}
	if x.impl.trait {
		d.Flags |= x.b.EnclosingDef().Flags & graph.FlagExported
		return
	}
	d.Owner = x.impl.owner
	d.Local = x.impl.owner + "::" + d.Name
	if e := x.b.EnclosingDef(); e != nil {
		d.Local = e.Local + "::" + d.Local
	}
	d.Signature = x.impl.text + " { " + d.Signature + " }"
}

func (x *extractor) takesSelf(params sitter.Node) bool {
	for p := range x.t.Children(params) {
		switch x.t.Kind(p) {
		case kSelfParam:
			return true
		case kParam:
			pat := x.t.Child(p, fPattern)
			return pat != sitter.None && x.t.Is(pat, "self")
		case kLineComment, kBlockComment, kAttributeItem:
		default:
			return false
		}
	}
	return false
}

// parameters declares the parameters of a function.
func (x *extractor) parameters(params sitter.Node) {
	for p := range x.t.Children(params) {
		switch x.t.Kind(p) {
		case kSelfParam:
			x.scopes.Declare(spec.Local{Name: "self", Def: graph.NoDef, Hint: graph.Hint{Rule: graph.HintSelf, Type: x.impl.self}})
		case kParam:
			typ, pat := x.t.Child(p, fType), x.t.Child(p, fPattern)
			if typ == sitter.None || pat == sitter.None {
				continue
			}
			x.typeExpr(typ)
			if x.t.Is(pat, "self") {
				x.scopes.Declare(spec.Local{Name: "self", Def: graph.NoDef, Hint: graph.Hint{Rule: graph.HintSelf, Type: x.impl.self}})
				continue
			}
			x.pattern(pat, x.declaredPath(typ))
		case kLineComment, kBlockComment, kAttributeItem:
		default:
			x.typeExpr(p)
		}
	}
}

// declaredPath is the path of a value of a declared type.
func (x *extractor) declaredPath(typ sitter.Node) string {
	if t := x.typeText(typ); t != "" {
		return "<" + t + ">"
	}
	return "_"
}

// structure reads a struct or a union.
func (x *extractor) structure(n sitter.Node, a *attributes) {
	id := x.named(n)
	if id == sitter.None {
		return
	}
	d := x.newDef(n, id, graph.KindStruct, a)
	body := x.t.Child(n, fBody)
	d.Signature = x.headSignature(n, body)
	def := x.addType(d)
	x.derived(def, a)
	x.generic(n, def, func() { x.fields(body) })
}

// headSignature is the signature of a type: without the fields in braces, and with
// those in parentheses, which have no names.
func (x *extractor) headSignature(n, body sitter.Node) string {
	end := x.t.End(n)
	if body != sitter.None && x.t.Kind(body) != kTupleFields {
		end = x.t.Start(body)
	}
	return strings.TrimSuffix(x.b.Signature(x.t.Start(n), end), ";")
}

// addType defines a type and notes it for the impl blocks of the file.
func (x *extractor) addType(d graph.Def) int32 {
	def := x.b.AddDef(d)
	key := typeKey{x.b.Enclosing(), d.Name}
	if _, ok := x.types[key]; !ok {
		x.types[key] = def
	}
	return def
}

// generic reads the type parameters of an item, then its body.
func (x *extractor) generic(n sitter.Node, def int32, read func()) {
	x.apart(func() {
		mark := len(x.params)
		x.inside(def, func() {
			x.typeParams(x.t.Child(n, fTypeParameters))
			if where := x.t.ChildOfKind(n, kWhere); where != sitter.None {
				x.typeExpr(where)
			}
			read()
		})
		x.params = x.params[:mark]
	})
}

// fields reads the fields of a struct, union or variant.
func (x *extractor) fields(body sitter.Node) {
	if body == sitter.None {
		return
	}
	var a attributes
	for f := range x.t.Children(body) {
		switch x.t.Kind(f) {
		case kLineComment, kBlockComment:
			x.comment(f)
		case kAttributeItem:
			x.attribute(f, &a)
		case kFieldDecl:
			id, typ := x.named(f), x.t.Child(f, fType)
			if id == sitter.None || typ == sitter.None {
				continue
			}
			d := x.newDef(f, id, graph.KindField, &a)
			d.Type = x.typeText(typ)
			d.Signature = d.Name + ": " + d.Type
			x.conditions(f, &a)
			x.inside(x.b.AddDef(d), func() { x.typeExpr(typ) })
			a = attributes{}
		case kVisibility:
		default:
			if x.t.Field(f) == fType {
				x.typeExpr(f)
			}
			a = attributes{}
		}
	}
}

func (x *extractor) enum(n sitter.Node, a *attributes) {
	id := x.named(n)
	if id == sitter.None {
		return
	}
	d := x.newDef(n, id, graph.KindEnum, a)
	body := x.t.Child(n, fBody)
	d.Signature = x.headSignature(n, body)
	def := x.addType(d)
	x.derived(def, a)
	x.generic(n, def, func() {
		if body == sitter.None {
			return
		}
		var a attributes
		for v := range x.t.Children(body) {
			switch x.t.Kind(v) {
			case kLineComment, kBlockComment:
				x.comment(v)
			case kAttributeItem:
				x.attribute(v, &a)
			case kEnumVariant:
				x.variant(v, def, &a)
				x.conditions(v, &a)
				a = attributes{}
			default:
			}
		}
	})
}

func (x *extractor) variant(v sitter.Node, enum int32, a *attributes) {
	id := x.named(v)
	if id == sitter.None {
		return
	}
	d := x.newDef(v, id, graph.KindEnumMember, a)
	d.Flags |= x.b.Facts.Defs[enum].Flags & graph.FlagExported
	body := x.t.Child(v, fBody)
	d.Signature = strings.TrimSpace(x.headSignature(v, body))
	def := x.b.AddDef(d)
	x.inside(def, func() {
		x.fields(body)
		if value := x.t.Child(v, fValue); value != sitter.None {
			x.visit(value)
		}
	})
}

// trait reads a trait: an interface whose members may have bodies.
func (x *extractor) trait(n sitter.Node, a *attributes) {
	id := x.named(n)
	if id == sitter.None {
		return
	}
	d := x.newDef(n, id, graph.KindInterface, a)
	body := x.t.Child(n, fBody)
	d.Signature = x.headSignature(n, body)
	name := d.Name
	def := x.addType(d)
	x.generic(n, def, func() {
		if bounds := x.t.Child(n, fBounds); bounds != sitter.None {
			x.supertraits(bounds, def)
			x.typeExpr(bounds)
		}
		if body == sitter.None {
			return
		}
		outer := x.impl
		x.impl = implHeader{self: name, trait: true}
		x.items(body)
		x.impl = outer
	})
}

func (x *extractor) supertraits(bounds sitter.Node, def int32) {
	for t := range x.t.Children(bounds) {
		if h, ok := x.base(t); ok {
			h.Def, h.Rel = def, graph.RelExtends
			x.b.Facts.Heritage = append(x.b.Facts.Heritage, h)
		}
	}
}

// typeAlias reads "type A = B;" of a module or a trait. In an impl block it belongs to
// the header.
func (x *extractor) typeAlias(n sitter.Node, a *attributes) {
	id, typ := x.named(n), x.t.Child(n, fType)
	if id == sitter.None {
		return
	}
	if x.impl.self != "" && !x.impl.trait && x.scopes.Depth() == 0 {
		if typ != sitter.None {
			x.typeExpr(typ)
		}
		return
	}
	d := x.newDef(n, id, graph.KindType, a)
	d.Signature = strings.TrimSuffix(x.b.Signature(x.t.Start(n), x.t.End(n)), ";")
	if typ != sitter.None {
		d.Type = x.typeText(typ)
	} else {
		d.Flags |= graph.FlagAbstract
	}
	if x.impl.trait && x.scopes.Depth() == 0 {
		x.ofBlock(&d)
	}
	def := x.addType(d)
	x.generic(n, def, func() {
		for _, part := range [...]sitter.Node{x.t.Child(n, fBounds), typ} {
			if part != sitter.None {
				x.typeExpr(part)
			}
		}
	})
}

// constant reads a const or static item. A const named _ has no name.
func (x *extractor) constant(n sitter.Node, a *attributes) {
	id, typ, value := x.named(n), x.t.Child(n, fType), x.t.Child(n, fValue)
	read := func() {
		if typ != sitter.None {
			x.typeExpr(typ)
		}
		if value != sitter.None {
			x.visit(value)
		}
	}
	if id == sitter.None || x.t.Is(id, "_") {
		read()
		return
	}
	d := x.newDef(n, id, graph.KindConstant, a)
	if x.t.Kind(n) == kStatic {
		d.Kind = graph.KindVariable
	}
	end := x.t.End(n)
	if value != sitter.None && x.t.End(value)-x.t.Start(value) > maxValue {
		end = x.t.Start(value)
	}
	d.Signature = strings.TrimRight(x.b.Signature(x.t.Start(n), end), ";= ")
	if typ != sitter.None {
		d.Type = x.typeText(typ)
	}
	x.ofBlock(&d)
	def := x.b.AddDef(d)
	x.inside(def, read)
}

// maxValue bounds the values that signatures of constants show.
const maxValue = 60

// macroDef defines a macro. Its rules are no code yet.
func (x *extractor) macroDef(n sitter.Node, a *attributes) {
	id := x.named(n)
	if id == sitter.None {
		return
	}
	d := x.newDef(n, id, graph.KindMacro, a)
	d.Signature = "macro_rules! " + d.Name
	if a.exported {
		d.Flags |= graph.FlagExported
	}
	x.b.AddDef(d)
	x.noteMacro(n, d.Name)
}
