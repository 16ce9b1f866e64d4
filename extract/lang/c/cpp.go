package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// cppNode reads what only C++ has, and reports whether n is of that kind.
func (x *extractor) cppNode(n sitter.Node) bool {
	switch x.t.Kind(n) {
	case kNamespace:
		x.namespace(n)
	case kTemplate:
		x.template(n)
	case kUsing:
		x.using(n)
	case kAlias:
		x.alias(n, n)
	case kNamespaceAlias, kAccess, kFriend, kVirtual:
		if x.t.Kind(n) == kFriend {
			x.friend(n)
		}
	case kConcept:
		if id := x.t.Child(n, fName); id != sitter.None {
			x.b.AddDef(graph.Def{
				Name: x.b.Text(id), Local: join(x.space, x.b.Text(id)), Kind: graph.KindType, Span: x.b.Span(n), NameSpan: x.b.Span(id),
				Flags: x.linkage(false), Signature: x.b.Signature(x.t.Start(n), x.t.End(n)),
			})
		}
		x.children(n)
	case kLambda:
		x.lambda(n)
	case kRangeFor:
		x.rangeFor(n)
	case kCatch:
		x.scopes.Open()
		x.params(x.t.Child(n, fParameters))
		if b := x.t.Child(n, fBody); b != sitter.None {
			x.visit(b)
		}
		x.scopes.Close()
	case kFieldInitList:
		for c := range x.t.Children(n) {
			x.fieldInit(c)
		}
	case kNew:
		x.newExpr(n)
	case kQualified, kTemplateFunction, kTemplateMethod, kDependentName:
		x.qualified(n, graph.UseRead, -1)
	case kTemplateType, kDependentType, kTemplateArgs, kTrailingReturn, kDecltype:
		x.typeRefs(n)
	case kConditionClause:
		x.children(n)
	default:
		return false
	}
	return true
}

func (x *extractor) namespace(n sitter.Node) {
	name := "(anonymous)"
	id := x.t.Child(n, fName)
	if id != sitter.None {
		name = plainScope(x.b.Text(id))
	}
	space := x.space
	def := graph.NoDef
	if id != sitter.None {
		body := x.t.Child(n, fBody)
		end := x.t.End(n)
		if body != sitter.None {
			end = x.t.Start(body)
		}
		last := x.t.End(id)
		first := last - uint32(len(lastOf(name)))
		if strings.HasSuffix(x.b.Text(id), lastOf(name)) {
			def = x.b.AddDef(graph.Def{
				Name: lastOf(name), Local: join(space, name), Kind: graph.KindNamespace, Span: x.b.Span(n), NameSpan: x.b.SpanBetween(first, last),
				Doc: x.b.DocAbove(x.t.Start(n)), Flags: x.linkage(false), Signature: x.b.Signature(x.t.Start(n), end),
			})
		}
	}
	x.space = join(space, name)
	// What stands in a namespace belongs to its name, and not to this part of it.
	_ = def
	if body := x.t.Child(n, fBody); body != sitter.None {
		x.children(body)
	}
	x.space = space
}

// template reads what a template declares. Its parameters are local names.
func (x *extractor) template(n sitter.Node) {
	x.scopes.Open()
	if ps := x.t.Child(n, fParameters); ps != sitter.None {
		x.templateParams(ps)
	}
	for c := range x.t.Children(n) {
		if x.t.Field(c) == fParameters {
			continue
		}
		switch x.t.Kind(c) {
		case kFunctionDef:
			x.functionDef(c, n)
		case kDeclaration:
			x.declaration(c, n)
		case kClass, kStruct, kUnion:
			if x.bodyOf(c) != sitter.None && x.t.Child(c, fName) != sitter.None {
				x.typeDefinition(c, n)
			}
		case kAlias:
			x.alias(c, n)
		default:
			x.visit(c)
		}
	}
	x.scopes.Close()
}

func (x *extractor) templateParams(list sitter.Node) {
	for p := range x.t.Children(list) {
		switch x.t.Kind(p) {
		case kTypeParam, kVariadicTypeParam, kOptionalTypeParam:
			for c := range x.t.Children(p) {
				if x.t.Kind(c) == kTypeIdentifier && x.t.Field(c) != fDefaultType {
					x.scopes.Declare(spec.Local{Name: x.b.Text(c), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef, Type: true})
				} else {
					x.typeRefs(c)
				}
			}
		case kParam, kOptionalParam, kVariadicParam:
			x.typeRefs(x.t.Child(p, fType))
			if d := x.readDeclarator(x.t.Child(p, fDeclarator)); d.name != sitter.None {
				x.declare(d.name, graph.Hint{Rule: graph.HintLocal})
			}
			if v := x.childIn(p, fDefaultValue); v != sitter.None {
				x.visit(v)
			}
		default:
			x.typeRefs(p)
		}
	}
}

// using reads "using a::b;" and "using namespace a;".
func (x *extractor) using(n sitter.Node) {
	text := x.b.Text(n)
	name := x.lastChild(n)
	if name == sitter.None {
		return
	}
	path := plainScope(x.b.Text(name))
	im := graph.Import{Module: path, Name: "*", Span: x.b.Span(n)}
	if !strings.HasPrefix(spec.OneLine(text), "using namespace") {
		im.Name, im.Alias = lastOf(path), lastOf(path)
		im.Module = strings.TrimSuffix(strings.TrimSuffix(path, im.Name), "::")
		if im.Module == "" {
			return
		}
	}
	x.b.AddImport(im)
}

// alias reads "using A = B;".
func (x *extractor) alias(n, from sitter.Node) {
	id := x.t.Child(n, fName)
	typ := x.t.Child(n, fType)
	if id == sitter.None {
		return
	}
	name := x.b.Text(id)
	d := graph.Def{
		Name: name, Local: join(x.space, name), Kind: graph.KindType, Span: x.b.SpanBetween(x.t.Start(from), x.t.End(n)), NameSpan: x.b.Span(id),
		Doc: x.b.DocAbove(x.t.Start(from)), Flags: x.linkage(false), Signature: strings.TrimRight(x.b.Signature(x.t.Start(from), x.t.End(n)), " ;"),
	}
	if typ != sitter.None {
		d.Type = x.typeText(x.t.Child(typ, fType))
	}
	i := x.b.AddDef(d)
	x.inside(i, func() { x.typeRefs(typ) })
}

// friend reads what a class befriends: a function that is defined here, or names.
func (x *extractor) friend(n sitter.Node) {
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kFunctionDef:
			x.functionDef(c, n)
		case kDeclaration:
			x.typeRefs(x.t.Child(c, fType))
		default:
			x.typeRefs(c)
		}
	}
}

// bases reads the bases of a class.
func (x *extractor) bases(n sitter.Node, def int32) {
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kTypeIdentifier, kQualified, kTemplateType:
			d := declarator{name: sitter.None}
			x.leaf(c, &d)
			if d.name == sitter.None {
				continue
			}
			name := x.b.Text(d.name)
			if x.scopes.Lookup(name) == nil && def != graph.NoDef {
				x.b.Facts.Heritage = append(x.b.Facts.Heritage, graph.Heritage{
					Def: def, Rel: graph.RelExtends, Name: name, Qualifier: d.scope, Span: x.b.Span(d.name),
				})
			}
			x.argumentsOf(c)
		default:
		}
	}
}

// argumentsOf reads the template arguments in a name.
func (x *extractor) argumentsOf(n sitter.Node) {
	for c := n + 1; c < x.t.After(n); c++ {
		if x.t.Kind(c) == kTemplateArgs {
			x.typeRefs(c)
			c = x.t.After(c) - 1
		}
	}
}

func (x *extractor) lambda(n sitter.Node) {
	was := x.function
	x.function = true
	x.scopes.Open()
	if c := x.t.Child(n, fCaptures); c != sitter.None {
		x.children(c)
	}
	if d := x.t.Child(n, fDeclarator); d != sitter.None {
		x.params(x.t.Child(d, fParameters))
	}
	if b := x.t.Child(n, fBody); b != sitter.None {
		x.visit(b)
	}
	x.scopes.Close()
	x.function = was
}

func (x *extractor) rangeFor(n sitter.Node) {
	x.scopes.Open()
	typ, right := x.t.Child(n, fType), x.t.Child(n, fRight)
	x.typeRefs(typ)
	if right != sitter.None {
		x.visit(right)
	}
	decl := x.t.Child(n, fDeclarator)
	if decl != sitter.None && x.t.Kind(decl) == kStructuredBinding {
		x.bindings(decl)
	} else if d := x.readDeclarator(decl); d.name != sitter.None {
		h := x.declaredHint(typ, &d)
		if h.Type == "auto" || h.Rule == graph.HintLocal {
			h = graph.Hint{Rule: graph.HintLocal}
			if p := x.path(right); p != "" && p != "?" {
				h = x.through(graph.Hint{Rule: graph.HintValue, Type: p + "[]"}, right)
			}
		}
		x.declareAs(d.name, h, x.fullType(n, typ, decl))
	}
	if b := x.t.Child(n, fBody); b != sitter.None {
		x.visit(b)
	}
	x.scopes.Close()
}

// bindings declares the names of "auto [a, b]".
func (x *extractor) bindings(n sitter.Node) {
	for c := n + 1; c < x.t.After(n); c++ {
		if x.t.Kind(c) == kIdentifier {
			x.declare(c, graph.Hint{Rule: graph.HintLocal})
		}
	}
}

// fieldInit reads "a(1)" in the list behind a constructor's parameters.
func (x *extractor) fieldInit(n sitter.Node) {
	if x.t.Kind(n) != kFieldInit {
		x.visit(n)
		return
	}
	first := true
	for c := range x.t.Children(n) {
		if !first {
			x.visit(c)
			continue
		}
		first = false
		switch x.t.Kind(c) {
		case kFieldIdentifier:
			if name := x.b.Text(c); x.isBase(name) {
				before := len(x.b.Facts.Refs)
				x.b.AddRef(graph.Ref{Name: name, Use: graph.UseCall, Span: x.b.Span(c), Args: x.initCount(n)})
				x.arguments(before, c, x.t.ChildOfKind(n, kArgs))
				continue
			}
			x.b.AddRef(graph.Ref{
				Name: x.b.Text(c), Qualifier: "this", Use: graph.UseWrite, Span: x.b.Span(c), Hint: graph.Hint{Rule: graph.HintSelf, Type: x.self},
			})
		default:
			x.typeUse(c, graph.UseCall, -1)
		}
	}
}

// isBase reports whether an initialiser is of a base, by what the file says of the class;
// where it says nothing, by the custom that types are written in capitals.
func (x *extractor) isBase(name string) bool {
	known := false
	for i := range x.b.Facts.Heritage {
		h := &x.b.Facts.Heritage[i]
		if h.Def == graph.NoDef || x.b.Facts.Defs[h.Def].Local != x.self {
			continue
		}
		if known = true; h.Name == name {
			return true
		}
	}
	if known || lastOf(x.self) == name {
		return lastOf(x.self) == name // of the class itself: another constructor
	}
	for i := range x.b.Facts.Defs {
		if d := &x.b.Facts.Defs[i]; d.Local == x.self && isTypeKind(d.Kind) {
			return false
		}
	}
	return name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name) != name
}

// initCount counts the arguments of an initialiser.
func (x *extractor) initCount(n sitter.Node) int16 {
	for c := range x.t.Children(n) {
		if x.t.Kind(c) == kArgs {
			return x.argCount(c)
		}
	}
	return -1
}

func (x *extractor) newExpr(n sitter.Node) {
	typ := x.t.Child(n, fType)
	args := x.t.Child(n, fArguments)
	if typ != sitter.None {
		before := len(x.b.Facts.Refs)
		x.typeUse(typ, graph.UseCall, x.argCount(args))
		x.arguments(before, typ, args)
	}
	for c := range x.t.Children(n) {
		if c != typ {
			x.visit(c)
		}
	}
}
