package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// declaration reads the declaration of variables and prototypes. from is the node that
// its span begins with: a template's, or n itself.
func (x *extractor) declaration(n, from sitter.Node) {
	typ := x.t.Child(n, fType)
	static, extern := x.specifiers(n)
	was := x.static
	x.static = static
	defer func() { x.static = was }()
	owner := x.typeIn(typ, n)
	first := graph.NoDef
	for c := range x.t.Children(n) {
		if x.t.Field(c) != fDeclarator {
			if c != typ && !x.isDeclarator(c) {
				x.visit(c)
			}
			continue
		}
		d := x.readDeclarator(c)
		if x.t.Kind(c) == kStructuredBinding {
			x.bindings(c)
			continue
		}
		if d.name == sitter.None {
			x.visit(c)
			continue
		}
		def := x.declared(n, from, c, typ, &d, static, extern, owner != graph.NoDef)
		if first == graph.NoDef {
			first = def
		}
		x.inside(def, func() {
			if !d.fn || !x.construction(&d) {
				x.insideDeclarator(c)
			}
			if d.value != sitter.None {
				x.initialise(d.value, typ, &d)
			}
		})
	}
	x.inside(first, func() { x.typeRefs(typ) })
}

func (x *extractor) isDeclarator(n sitter.Node) bool {
	switch x.t.Kind(n) {
	case kStorage, kTypeQualifier, kComment:
		return true
	}
	return false
}

// declared adds what one declarator of a declaration declares: a definition outside
// functions, a local in them.
func (x *extractor) declared(n, from, at, typ sitter.Node, d *declarator, static, extern, hasBody bool) int32 {
	if d.fn && !x.construction(d) {
		if x.function {
			x.scopeless(d)
			return graph.NoDef
		}
		return x.addFunction(n, from, d, static, sitter.None)
	}
	if x.function {
		if !extern {
			object := *d
			object.fn = false
			h := x.declaredHint(typ, &object)
			if h.Rule == graph.HintLocal && d.value != sitter.None && !d.pointer {
				h = x.valueHint(d.value)
			}
			x.declareAs(d.name, h, x.fullType(n, typ, at))
		}
		if x.n.cpp && d.fn {
			x.constructs(typ, sitter.None)
			x.argumentCalls(d)
		}
		return graph.NoDef
	}
	name := x.name(d)
	if name == "" {
		return graph.NoDef
	}
	start := x.t.Start(from)
	v := graph.Def{
		Name: name, Local: join(x.space, join(d.scope, name)), Kind: graph.KindVariable, Span: x.b.SpanBetween(start, x.t.End(at)), NameSpan: x.b.Span(d.name),
		Doc: x.b.DocAbove(start), Flags: x.linkage(static), Type: x.variableType(typ, d),
	}
	if d.scope != "" {
		v.Owner = lastOf(d.scope)
	}
	if e := x.b.EnclosingDef(); e != nil && isTypeKind(e.Kind) {
		v.Kind = graph.KindField
	}
	if extern && d.value == sitter.None || v.Kind == graph.KindField && static && d.value == sitter.None {
		v.Flags |= graph.FlagDeclaration
	}
	if !x.n.cpp && !extern && d.value == sitter.None && v.Kind == graph.KindVariable {
		v.Flags |= graph.FlagTentative
	}
	if v.Type == "" && d.value != sitter.None && !hasBody {
		v.Type = strings.TrimSuffix(x.path(d.value), "?")
	}
	end := x.t.End(n)
	if d.value != sitter.None {
		end = x.t.Start(d.value)
	}
	if !hasBody {
		v.Signature = strings.TrimRight(x.b.Signature(x.t.Start(n), end), " =;({")
	}
	return x.b.AddDef(v)
}

func (x *extractor) variableType(typ sitter.Node, d *declarator) string {
	t := x.typeText(typ)
	if d.pointer {
		return t + "(*)"
	}
	if t == "auto" {
		return ""
	}
	return t
}

// insideDeclarator reads what a declarator holds beside its name: the sizes of arrays,
// and the parameters of functions.
func (x *extractor) insideDeclarator(n sitter.Node) {
	for range maxDeclarator {
		if n == sitter.None {
			return
		}
		next := x.t.Child(n, fDeclarator)
		switch x.t.Kind(n) {
		case kArrayDecl:
			for c := range x.t.Children(n) {
				if c != next {
					x.visit(c)
				}
			}
		case kFunctionDecl:
			x.scopes.Open()
			x.params(x.t.Child(n, fParameters))
			x.scopes.Close()
			if x.n.cpp {
				x.trailing(n, next)
			}
		case kParenDecl, kAttributedDecl, kReferenceDecl, kVariadicDecl:
			next = x.lastChild(n)
		case kPointerDecl, kInitDecl:
		default:
			return
		}
		n = next
	}
}

func (x *extractor) trailing(n, declarator sitter.Node) {
	for c := range x.t.Children(n) {
		if c != declarator && x.t.Field(c) != fParameters {
			x.visit(c)
		}
	}
}

// typeDef reads a typedef.
func (x *extractor) typeDef(n, from sitter.Node) {
	typ := x.t.Child(n, fType)
	anonymous := x.unnamed(typ)
	made := false
	if !anonymous {
		x.typeIn(typ, n)
	}
	first := graph.NoDef
	for c := range x.t.Children(n) {
		if x.t.Field(c) != fDeclarator {
			continue
		}
		d := x.readDeclarator(c)
		name := x.name(&d)
		if name == "" {
			continue
		}
		def := graph.Def{
			Name: name, Local: join(x.space, name), Kind: graph.KindType, Span: x.b.Span(n), NameSpan: x.b.Span(d.name), Doc: x.b.DocAbove(x.t.Start(from)),
			Flags: x.linkage(false), Type: x.variableType(typ, &d),
		}
		if d.fn {
			def.Type += "()"
		}
		if anonymous && !made && c != sitter.None {
			made = true
			def.Kind = kindOf(x.t.Kind(typ))
			def.Signature = "typedef " + x.word(typ) + " " + name
			i := x.b.AddDef(def)
			x.members(typ, i, name)
			first = i
			continue
		}
		def.Signature = strings.TrimRight(x.b.Signature(x.t.Start(n), x.t.End(n)), " ;")
		if body := x.bodyOf(typ); body != sitter.None {
			def.Signature = "typedef " + x.word(typ) + " " + strings.TrimSpace(def.Type[strings.IndexByte(def.Type, ' ')+1:]) + " " + name
		}
		i := x.b.AddDef(def)
		if first == graph.NoDef {
			first = i
		}
		x.inside(i, func() { x.insideDeclarator(c) })
	}
	if anonymous && !made {
		x.children(typ)
	}
	x.inside(first, func() { x.typeRefs(typ) })
}

func (x *extractor) word(typ sitter.Node) string {
	switch x.t.Kind(typ) {
	case kUnion:
		return "union"
	case kEnum:
		return "enum"
	case kClass:
		return "class"
	}
	return "struct"
}

func kindOf(k sitter.Kind) graph.Kind {
	switch k {
	case kEnum:
		return graph.KindEnum
	case kClass:
		return graph.KindClass
	}
	return graph.KindStruct
}

// bodyOf returns the braces of a type that is defined here, or None.
func (x *extractor) bodyOf(typ sitter.Node) sitter.Node {
	if typ == sitter.None {
		return sitter.None
	}
	switch x.t.Kind(typ) {
	case kStruct, kUnion, kClass, kEnum:
		return x.t.Child(typ, fBody)
	}
	return sitter.None
}

// unnamed reports whether a type is defined here without a name.
func (x *extractor) unnamed(typ sitter.Node) bool {
	return x.bodyOf(typ) != sitter.None && x.t.Child(typ, fName) == sitter.None
}

// typeIn defines the type that a declaration defines beside its names, and returns it.
func (x *extractor) typeIn(typ, decl sitter.Node) int32 {
	body := x.bodyOf(typ)
	if body == sitter.None {
		return graph.NoDef
	}
	if x.t.Child(typ, fName) == sitter.None {
		return x.unnamedType(typ, decl)
	}
	return x.typeDefinition(typ, typ)
}

// unnamedType gives the members of a type without a name to the first variable or
// field that is declared with it, or else to what is around it.
func (x *extractor) unnamedType(typ, decl sitter.Node) int32 {
	if x.t.Kind(typ) != kEnum && decl != sitter.None {
		for c := range x.t.Children(decl) {
			if x.t.Field(c) != fDeclarator {
				continue
			}
			d := x.readDeclarator(c)
			if name := x.name(&d); name != "" && !x.function {
				static, extern := x.specifiers(decl)
				i := x.declaredWithBody(decl, typ, &d, static, extern)
				x.members(typ, i, name)
				return i
			}
			break
		}
	}
	x.members(typ, graph.NoDef, "")
	return graph.NoDef
}

// declaredWithBody is where a field or variable of an unnamed type is defined: its
// members need it before the rest of the declaration is read.
func (x *extractor) declaredWithBody(decl, typ sitter.Node, d *declarator, static, extern bool) int32 {
	_ = typ
	name := x.name(d)
	v := graph.Def{
		Name: name, Local: join(x.space, name), Kind: graph.KindVariable, Span: x.b.Span(decl), NameSpan: x.b.Span(d.name),
		Doc: x.b.DocAbove(x.t.Start(decl)), Flags: x.linkage(static), Signature: x.word(typ) + " " + name,
	}
	if !x.n.cpp {
		v.Local = x.fieldLocal(name)
	}
	if e := x.b.EnclosingDef(); e != nil && (isTypeKind(e.Kind) || e.Kind == graph.KindField || e.Kind == graph.KindVariable) {
		v.Kind = graph.KindField
	}
	_ = extern
	return x.b.AddDef(v)
}

// typeDefinition defines a named struct, union, class or enum.
func (x *extractor) typeDefinition(typ, from sitter.Node) int32 {
	id := x.t.Child(typ, fName)
	d := declarator{name: sitter.None}
	x.leaf(id, &d)
	if d.name == sitter.None {
		x.children(typ)
		return graph.NoDef
	}
	name := x.name(&d)
	body := x.t.Child(typ, fBody)
	start := x.t.Start(from)
	def := graph.Def{
		Name: name, Local: join(x.space, join(d.scope, name)), Kind: kindOf(x.t.Kind(typ)), Span: x.b.SpanBetween(start, x.t.End(typ)), NameSpan: x.b.Span(d.name),
		Doc: x.b.DocAbove(start), Flags: x.linkage(false), Signature: x.b.Signature(start, x.t.Start(body)),
	}
	if d.scope != "" {
		def.Owner = lastOf(d.scope)
	}
	if u := x.t.Child(typ, fUnderlying); u != sitter.None {
		def.Type = x.typeText(u)
	}
	i := x.b.AddDef(def)
	x.members(typ, i, join(d.scope, name))
	return i
}

// members reads the body of a type. def holds them, or else what is around.
func (x *extractor) members(typ sitter.Node, def int32, name string) {
	body := x.t.Child(typ, fBody)
	if body == sitter.None {
		return
	}
	space, self, fn := x.space, x.self, x.function
	if x.n.cpp && name != "" && !x.plainEnum(typ) {
		x.space = join(x.space, name)
		x.self = x.space
	}
	x.inside(def, func() {
		for c := range x.t.Children(typ) {
			if x.t.Kind(c) == kBaseClause {
				x.bases(c, def)
			}
		}
		x.scopes.Open()
		if def != graph.NoDef && !x.b.Facts.Defs[def].Has(graph.FlagLocal) {
			x.function = false
		}
		for c := range x.t.Children(body) {
			switch x.t.Kind(c) {
			case kEnumerator:
				x.enumerator(c)
			case kField:
				x.field(c)
			default:
				x.visit(c)
			}
		}
		x.scopes.Close()
	})
	x.space, x.self, x.function = space, self, fn
}

// plainEnum reports whether the members of an enum are names of the scope around it.
func (x *extractor) plainEnum(typ sitter.Node) bool {
	if x.t.Kind(typ) != kEnum {
		return false
	}
	head := x.b.Slice(x.t.Start(typ), x.t.Start(x.t.Child(typ, fBody)))
	return !strings.HasPrefix(head, "enum class") && !strings.HasPrefix(head, "enum struct")
}

func (x *extractor) enumerator(n sitter.Node) {
	id := x.t.Child(n, fName)
	if id == sitter.None {
		return
	}
	name := x.b.Text(id)
	d := graph.Def{
		Name: name, Local: join(x.space, name), Kind: graph.KindEnumMember, Span: x.b.Span(n), NameSpan: x.b.Span(id), Doc: x.b.DocAbove(x.t.Start(n)),
		Flags: x.linkage(false), Signature: x.b.Signature(x.t.Start(n), x.t.End(n)),
	}
	i := x.b.AddDef(d)
	if v := x.t.Child(n, fValue); v != sitter.None {
		x.inside(i, func() { x.visit(v) })
	}
}

// field reads a member of a struct, union or class.
func (x *extractor) field(n sitter.Node) {
	typ := x.t.Child(n, fType)
	static, _ := x.specifiers(n)
	known := x.typeIn(typ, n)
	first := graph.NoDef
	for c := range x.t.Children(n) {
		if x.t.Field(c) != fDeclarator {
			switch {
			case x.childIn(n, fDefaultValue) == c && c != sitter.None, x.t.Kind(c) == kBitfield, x.t.Kind(c) == kInitList:
				x.inside(first, func() { x.visit(c) })
			}
			continue
		}
		d := x.readDeclarator(c)
		name := x.name(&d)
		if name == "" {
			continue
		}
		if known != graph.NoDef && x.b.Facts.Defs[known].NameSpan.Start == x.t.Start(d.name) {
			first = known
			continue
		}
		if d.fn {
			def := x.addFunction(n, n, &d, static, sitter.None)
			x.inside(def, func() { x.insideDeclarator(c) })
			if first == graph.NoDef {
				first = def
			}
			continue
		}
		f := graph.Def{
			Name: name, Local: join(x.space, name), Kind: graph.KindField, Span: x.b.SpanBetween(x.t.Start(n), x.t.End(c)), NameSpan: x.b.Span(d.name), Doc: x.b.DocAbove(x.t.Start(n)),
			Flags: x.linkage(static), Type: x.variableType(typ, &d), Signature: strings.TrimRight(x.b.Signature(x.t.Start(n), x.t.End(n)), " ;"),
		}
		if !x.n.cpp {
			f.Local = x.fieldLocal(name)
		}
		if x.b.Enclosing() == graph.NoDef {
			f.Kind = graph.KindVariable
		}
		i := x.b.AddDef(f)
		if first == graph.NoDef {
			first = i
		}
		x.inside(i, func() { x.insideDeclarator(c) })
	}
	x.inside(first, func() { x.typeRefs(typ) })
}

// fieldLocal qualifies the name of a field in C by the type or field that holds it.
func (x *extractor) fieldLocal(name string) string {
	if e := x.b.EnclosingDef(); e != nil {
		return spec.OneLine(e.Local) + "." + name
	}
	return name
}
