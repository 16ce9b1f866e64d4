package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// member reads what stands in a body of a type, or at the top level.
func (x *extractor) member(n sitter.Node) {
	switch x.t.Kind(n) {
	case kLineComment, kBlockComment:
		x.b.NoteComment(n)
	case kClass, kInterface, kEnum, kRecord, kAnnotationType:
		x.typeDecl(n)
	case kMethod, kConstructor, kCompactConstructor, kAnnotationElement:
		x.method(n)
	case kField, kConstant:
		x.fields(n)
	case kEnumConstant:
		x.enumConstant(n)
	case kEnumBodyDecls:
		x.members(n)
	case kBlock, kStaticInit:
		x.initializer(func() { x.visit(n) })
	case sitter.KindError:
		x.members(n)
	default:
		x.initializer(func() { x.visit(n) })
	}
}

func (x *extractor) members(body sitter.Node) {
	for c := range x.t.Children(body) {
		x.member(c)
	}
}

// initializer reads code that runs when an object or a type is made.
func (x *extractor) initializer(read func()) {
	result := x.result
	x.result = ""
	x.depth++
	x.scopes.Open()
	read()
	x.scopes.Close()
	x.depth--
	x.result = result
}

// typeDecl reads a class, an interface, an enum, a record or an annotation type.
func (x *extractor) typeDecl(n sitter.Node) {
	id, body := x.t.Child(n, fName), x.t.Child(n, fBody)
	name := x.text(id)
	if name == "" {
		x.visitChildren(n)
		return
	}
	mods := x.modifiers(n)
	d := graph.Def{
		Name: name, Kind: graph.KindClass, Span: x.b.Span(n), NameSpan: x.b.Span(id), Doc: x.b.DocAbove(x.t.Start(n)),
		Flags: mods.access(x.inInterface()), Signature: x.signature(n, mods, body),
	}
	static := mods.static || x.inInterface()
	switch x.t.Kind(n) {
	case kInterface, kAnnotationType:
		d.Kind, static = graph.KindInterface, true
	case kEnum:
		d.Kind, static = graph.KindEnum, true
	case kRecord:
		static = true
	default:
	}
	if static && x.holder != graph.NoDef {
		d.Flags |= graph.FlagStatic
	}
	flags := x.flags
	if mods.generated {
		x.flags |= graph.FlagGenerated
	}
	if mods.test {
		d.Flags |= graph.FlagTest
	}
	def := x.addDef(d)
	if x.depth > 0 {
		x.scopes.Declare(spec.Local{Name: name, Def: def, Type: true})
	}
	x.inType(def, "", func() {
		x.tests = mods.test
		x.scopes.Open()
		x.typeParams(x.t.Child(n, fTypeParameters))
		x.annotations(mods)
		x.bases(n, def)
		if x.t.Kind(n) == kRecord {
			x.components(x.t.Child(n, fParameters))
		}
		if body != sitter.None {
			x.members(body)
		}
		x.scopes.Close()
	})
	x.flags = flags
}

func (x *extractor) bases(n sitter.Node, def int32) {
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kSuperclass:
			x.heritage(c, def, graph.RelExtends)
		case kExtendsInterfaces:
			x.heritage(c, def, graph.RelExtends)
		case kSuperInterfaces:
			x.heritage(c, def, graph.RelImplements)
		case kPermits:
			x.typeRefs(c)
		default:
		}
	}
}

// inType reads the body of a type: of one with a definition, or of an anonymous class.
func (x *extractor) inType(def int32, anon string, read func()) {
	saved := *x
	x.anon, x.tests, x.result = anon, false, ""
	if anon == "" {
		x.holder, x.field = def, graph.NoDef
		x.inside(def, read)
	} else {
		read()
	}
	x.holder, x.anon, x.field, x.tests, x.result = saved.holder, saved.anon, saved.field, saved.tests, saved.result
}

func (x *extractor) inInterface() bool {
	return x.anon == "" && x.holder != graph.NoDef && x.b.Facts.Defs[x.holder].Kind == graph.KindInterface
}

// method reads a method, a constructor or an element of an annotation type.
func (x *extractor) method(n sitter.Node) {
	id, body := x.t.Child(n, fName), x.t.Child(n, fBody)
	name := x.text(id)
	if name == "" {
		x.visitChildren(n)
		return
	}
	mods := x.modifiers(n)
	typ, params := x.t.Child(n, fType), x.t.Child(n, fParameters)
	d := graph.Def{
		Name: name, Kind: graph.KindMethod, Span: x.b.Span(n), NameSpan: x.b.Span(id), Doc: x.b.DocAbove(x.t.Start(n)),
		Flags: mods.access(x.inInterface()), Signature: x.signature(n, mods, body), Type: x.declaredType(typ, n),
	}
	if mods.static {
		d.Flags |= graph.FlagStatic
	}
	if body == sitter.None && !mods.native {
		d.Flags |= graph.FlagAbstract
	}
	d.Flags |= x.testFlags(&d, mods, params)
	def := x.addDef(d)
	x.inside(def, func() {
		saved, field := x.result, x.field
		x.result, x.field = d.Type, graph.NoDef
		x.depth++
		x.scopes.Open()
		x.typeParams(x.t.Child(n, fTypeParameters))
		x.annotations(mods)
		x.typeRefs(typ)
		if x.t.Kind(n) == kCompactConstructor {
			x.componentLocals()
		}
		x.params(params)
		for c := range x.t.Children(n) {
			switch {
			case c == body || c == params || c == typ || c == id || c == mods.node:
			case x.t.Field(c) == fTypeParameters || x.t.Field(c) == fDimensions:
			case x.t.Field(c) == fValue:
				x.visit(c)
			default:
				x.typeRefs(c) // throws
			}
		}
		if body != sitter.None {
			x.visitChildren(body)
		}
		x.scopes.Close()
		x.depth--
		x.result, x.field = saved, field
	})
}

// params declares the parameters of a method.
func (x *extractor) params(n sitter.Node) {
	if n == sitter.None {
		return
	}
	for p := range x.t.Children(n) {
		switch x.t.Kind(p) {
		case kParameter:
			x.annotations(x.modifiers(p))
			typ := x.t.Child(p, fType)
			x.typeRefs(typ)
			x.declare(x.t.Child(p, fName), x.typeHint(x.declaredType(typ, p)))
		case kSpread:
			x.spread(p)
		case kIdentifier: // of a lambda whose parameters have no types
			x.declare(p, graph.Hint{Rule: graph.HintLocal})
		case kLineComment, kBlockComment:
			x.b.NoteComment(p)
		default:
		}
	}
}

// spread declares "T... name".
func (x *extractor) spread(p sitter.Node) {
	typ := sitter.None
	for c := range x.t.Children(p) {
		switch x.t.Kind(c) {
		case kModifiers:
			x.annotations(x.modifiers(p))
		case kMarker, kAnnotation:
			x.annotation(c)
		case kDeclarator:
			text := x.declaredType(typ, c)
			if text != "" {
				text += "[]"
			}
			x.declare(x.t.Child(c, fName), x.typeHint(text))
		default:
			typ = c
			x.typeRefs(c)
		}
	}
}

// components defines the fields that a record's header lists.
func (x *extractor) components(n sitter.Node) {
	if n == sitter.None {
		return
	}
	for p := range x.t.Children(n) {
		id, typ := x.t.Child(p, fName), x.t.Child(p, fType)
		dots := ""
		if x.t.Kind(p) == kSpread {
			for c := range x.t.Children(p) {
				if k := x.t.Kind(c); k == kDeclarator {
					id = x.t.Child(c, fName)
				} else if k != kModifiers {
					typ = c
				}
			}
			dots = "[]"
		}
		if name := x.text(id); name != "" && typ != sitter.None {
			d := graph.Def{
				Name: name, Kind: graph.KindField, Span: x.b.Span(p), NameSpan: x.b.Span(id), Type: x.declaredType(typ, p) + dots,
				Signature: x.clean(typ, id), Flags: graph.FlagExported,
			}
			def := x.addDef(d)
			x.inside(def, func() {
				x.annotations(x.modifiers(p))
				x.typeRefs(typ)
			})
		}
	}
}

// componentLocals declares the parameters that a compact constructor takes from the
// record's header.
func (x *extractor) componentLocals() {
	for i := range x.b.Facts.Defs {
		d := &x.b.Facts.Defs[i]
		if d.Container == x.holder && d.Kind == graph.KindField {
			x.scopes.Declare(spec.Local{Name: d.Name, Hint: x.typeHint(d.Type), Def: graph.NoDef})
		}
	}
}

// fields defines what a field declaration names.
func (x *extractor) fields(n sitter.Node) {
	mods, typ := x.modifiers(n), x.t.Child(n, fType)
	if typ == sitter.None {
		x.visitChildren(n)
		return
	}
	doc := x.b.DocAbove(x.t.Start(n))
	first := graph.NoDef
	last := x.lastDeclarator(n)
	for c := range x.t.Children(n) {
		id := x.t.Child(c, fName)
		if x.t.Kind(c) != kDeclarator || x.text(id) == "" {
			continue
		}
		end := x.t.End(c)
		if c == last {
			end = x.t.End(n)
		}
		d := graph.Def{
			Name: x.b.Text(id), Kind: graph.KindField, Span: x.b.SpanBetween(x.t.Start(n), end), NameSpan: x.b.Span(id), Doc: doc,
			Flags: mods.access(x.inInterface()), Type: x.declaredType(typ, c),
		}
		d.Signature = strings.TrimSpace(mods.words + " " + d.Type + " " + d.Name)
		if mods.static || x.inInterface() {
			d.Flags |= graph.FlagStatic
			if mods.final || x.inInterface() {
				d.Kind = graph.KindConstant
			}
		}
		def := x.addDef(d)
		if first == graph.NoDef {
			first = def
			x.inside(def, func() {
				x.annotations(mods)
				x.typeRefs(typ)
			})
		}
		if value := x.t.Child(c, fValue); value != sitter.None {
			field := x.field
			x.field = def
			x.initializer(func() { x.value(value, d.Type) })
			x.field = field
		}
	}
}

func (x *extractor) lastDeclarator(n sitter.Node) sitter.Node {
	last := sitter.None
	for c := range x.t.Children(n) {
		if x.t.Kind(c) == kDeclarator {
			last = c
		}
	}
	return last
}

// enumConstant defines a constant. Where the enum has constructors it calls one.
func (x *extractor) enumConstant(n sitter.Node) {
	id := x.t.Child(n, fName)
	name := x.text(id)
	if name == "" {
		return
	}
	d := graph.Def{
		Name: name, Kind: graph.KindEnumMember, Span: x.b.Span(n), NameSpan: x.b.Span(id), Doc: x.b.DocAbove(x.t.Start(n)),
		Signature: name, Flags: graph.FlagStatic | graph.FlagExported,
	}
	args := x.t.Child(n, fArguments)
	if args != sitter.None {
		d.Signature = name + x.clean(args, args)
	}
	if x.holder != graph.NoDef {
		d.Type = x.b.Facts.Defs[x.holder].Name
	}
	def := x.addDef(d)
	mods := x.modifiers(n)
	x.inside(def, func() { x.annotations(mods) })
	if x.hasConstructor(n) {
		prefix := prefixConstant
		if x.t.Child(n, fBody) != sitter.None {
			prefix = prefixAnon + prefixConstant
		}
		x.addRef(id, x.withArgs(prefix, args), graph.UseCall, graph.Hint{}, x.count(args))
	}
	field := x.field
	x.field = def
	if args != sitter.None {
		x.initializer(func() { x.visitChildren(args) })
	}
	if body := x.t.Child(n, fBody); body != sitter.None {
		x.anonymous(body, d.Type)
	}
	x.field = field
}

// hasConstructor reports whether the enum around a constant declares one.
func (x *extractor) hasConstructor(constant sitter.Node) bool {
	body := x.t.Parent(constant)
	if body == sitter.None {
		return false
	}
	decls := x.t.ChildOfKind(body, kEnumBodyDecls)
	return decls != sitter.None && x.t.ChildOfKind(decls, kConstructor) != sitter.None
}

// anonymous reads the body of a class without a name.
func (x *extractor) anonymous(body sitter.Node, base string) {
	x.anons++
	x.inType(graph.NoDef, base+"#"+itoa(x.anons), func() { x.members(body) })
}
