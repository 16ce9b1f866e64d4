package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// path writes how the value at n is reached; "?" where no path says it.
func (x *extractor) path(n sitter.Node) string {
	return x.pathTo(n, 0)
}

func (x *extractor) pathTo(n sitter.Node, depth int) string {
	if n == sitter.None || depth > maxDeclarator {
		return "?"
	}
	sub := func(n sitter.Node) string { return x.pathTo(n, depth+1) }
	switch x.t.Kind(n) {
	case kIdentifier, kFieldIdentifier, kTypeIdentifier:
		return x.b.Text(n)
	case kThis:
		return "this"
	case kQualified, kTemplateFunction, kTemplateType:
		return plainType(x.b.Text(n))
	case kFieldExpr:
		arg, field := x.t.Child(n, fArgument), x.t.Child(n, fField)
		if arg == sitter.None || field == sitter.None {
			return "?"
		}
		if p := sub(arg); p != "?" {
			name := x.b.Text(field)
			if i := strings.IndexByte(name, '<'); i > 0 {
				name = name[:i]
			}
			return p + "." + strings.TrimSpace(name)
		}
	case kCall:
		if p := sub(x.t.Child(n, fFunction)); p != "?" {
			return p + "()"
		}
	case kSubscript:
		p := sub(x.t.Child(n, fArgument))
		if p == "?" || !x.n.cpp {
			return p
		}
		return p + "[]"
	case kParen:
		return sub(x.lastChild(n))
	case kPointerExpr:
		return sub(x.t.Child(n, fArgument))
	case kUpdate:
		return sub(x.t.Child(n, fArgument))
	case kAssign:
		return sub(x.t.Child(n, fLeft))
	case kCast, kCompoundLiteral:
		if t := x.typeText(x.descriptor(x.t.Child(n, fType))); t != "" {
			return "(" + t + ")"
		}
	case kNew:
		if t := x.typeText(x.t.Child(n, fType)); t != "" {
			return "(" + t + ")"
		}
	}
	return "?"
}

// descriptor returns the type in the parentheses of a cast.
func (x *extractor) descriptor(n sitter.Node) sitter.Node {
	if n != sitter.None && x.t.Kind(n) == kTypeDescriptor {
		return x.t.Child(n, fType)
	}
	return n
}

// hintOf is what the text says about the first name of the path at n.
func (x *extractor) hintOf(n sitter.Node) graph.Hint {
	id := x.firstName(n)
	if id == sitter.None {
		return graph.Hint{}
	}
	if x.t.Kind(id) == kThis {
		return graph.Hint{Rule: graph.HintSelf, Type: x.self}
	}
	if l := x.scopes.Lookup(x.b.Text(id)); l != nil {
		return l.Hint
	}
	return graph.Hint{}
}

// firstName returns the name that the path at n begins with, or None.
func (x *extractor) firstName(n sitter.Node) sitter.Node {
	for range maxDeclarator {
		if n == sitter.None {
			return n
		}
		switch x.t.Kind(n) {
		case kIdentifier, kThis:
			return n
		case kFieldExpr, kSubscript, kPointerExpr, kUpdate:
			n = x.t.Child(n, fArgument)
		case kCall:
			n = x.t.Child(n, fFunction)
		case kParen:
			n = x.lastChild(n)
		case kAssign:
			n = x.t.Child(n, fLeft)
		default:
			return sitter.None
		}
	}
	return sitter.None
}

// valueHint is what a local is known to be by the value that it is given.
func (x *extractor) valueHint(v sitter.Node) graph.Hint {
	if x.t.Kind(v) == kLambda {
		return graph.Hint{Rule: graph.HintLocal}
	}
	p := x.path(v)
	switch {
	case p == "" || p == "?" || len(p) > maxPath:
		return graph.Hint{Rule: graph.HintLocal}
	case strings.HasPrefix(p, "(") && strings.HasSuffix(p, ")") && strings.Count(p, "(") == 1:
		return graph.Hint{Rule: graph.HintDeclared, Type: p[1 : len(p)-1]}
	case strings.HasSuffix(p, "()"):
		return x.through(graph.Hint{Rule: graph.HintAssigned, Type: strings.TrimSuffix(p, "()")}, v)
	}
	return x.through(graph.Hint{Rule: graph.HintValue, Type: p}, v)
}

// through makes a hint mean the same outside the function: its path may begin with a
// local of a known type.
func (x *extractor) through(h graph.Hint, v sitter.Node) graph.Hint {
	id := x.firstName(v)
	if id == sitter.None {
		return h
	}
	first := x.b.Text(id)
	if x.t.Kind(id) == kThis {
		if x.self == "" {
			return graph.Hint{Rule: graph.HintLocal}
		}
		h.Type = "(" + x.self + ")" + strings.TrimPrefix(h.Type, "this")
		return h
	}
	l := x.scopes.Lookup(first)
	if l == nil {
		return h
	}
	rest := strings.TrimPrefix(h.Type, first)
	switch l.Hint.Rule {
	case graph.HintDeclared:
		h.Type = "(" + l.Hint.Type + ")" + rest
	case graph.HintAssigned:
		h.Type = l.Hint.Type + "()" + rest
	case graph.HintValue:
		h.Type = l.Hint.Type + rest
	default:
		return graph.Hint{Rule: graph.HintLocal}
	}
	if len(h.Type) > maxPath {
		return graph.Hint{Rule: graph.HintLocal}
	}
	return h
}

// typeUse records the name of a type.
func (x *extractor) typeUse(n sitter.Node, use graph.Use, args int16) {
	switch x.t.Kind(n) {
	case kTypeIdentifier, kIdentifier:
		name := x.b.Text(n)
		if x.scopes.Lookup(name) != nil || isKeyword(name, x.n.cpp) {
			return
		}
		x.b.AddRef(graph.Ref{Name: name, Use: use, Span: x.b.Span(n), Args: args})
	case kQualified, kTemplateType, kDependentType, kTemplateFunction:
		x.qualified(n, use, args)
	}
}

// qualified reads "a::b<c>".
func (x *extractor) qualified(n sitter.Node, use graph.Use, args int16) {
	d := declarator{name: sitter.None}
	x.leaf(n, &d)
	x.argumentsOf(n)
	if d.name == sitter.None || d.text != "" {
		return
	}
	name := x.b.Text(d.name)
	if d.scope == "" {
		if x.scopes.Lookup(name) != nil || isKeyword(name, true) {
			return
		}
		r := graph.Ref{Name: name, Use: use, Span: x.b.Span(d.name), Args: args}
		if strings.HasPrefix(x.b.Text(n), "::") {
			r.Qualifier = "::"
		}
		x.b.AddRef(r)
		return
	}
	h := graph.Hint{}
	first, _, _ := strings.Cut(d.scope, "::")
	if l := x.scopes.Lookup(first); l != nil {
		h = l.Hint
	}
	if len(d.scope) > maxPath {
		return
	}
	if use == graph.UseRead && x.t.Kind(d.name) == kTypeIdentifier {
		use = graph.UseType
	}
	x.b.AddRef(graph.Ref{Name: name, Qualifier: d.scope + "::", Use: use, Span: x.b.Span(d.name), Hint: h, Args: args})
}

// typeRefs reads the names in a type. One that is defined there was read before.
func (x *extractor) typeRefs(n sitter.Node) {
	if n == sitter.None {
		return
	}
	switch x.t.Kind(n) {
	case kTypeIdentifier:
		x.typeUse(n, graph.UseType, -1)
	case kQualified, kTemplateType, kDependentType:
		x.qualified(n, graph.UseType, -1)
	case kStruct, kUnion, kEnum, kClass:
		id := x.t.Child(n, fName)
		if x.t.Child(n, fBody) != sitter.None || id == sitter.None {
			return
		}
		if x.t.Kind(id) == kTypeIdentifier {
			name := x.b.Text(id)
			x.b.AddRef(graph.Ref{Name: name, Use: graph.UseType, Span: x.b.Span(id)})
			return
		}
		x.typeRefs(id)
	case kFunctionDef, kCompound, kCall, kLambda:
		x.visit(n)
	case kIdentifier, kFieldExpr:
		x.visit(n)
	default:
		for c := range x.t.Children(n) {
			x.typeRefs(c)
		}
	}
}
