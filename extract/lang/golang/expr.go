package golang

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// expr reads an expression; whatever is none of those below, by its parts.
func (x *extractor) expr(n sitter.Node) {
	switch x.t.Kind(n) {
	case kIdentifier:
		x.name(n, graph.UseRead, -1)
	case kSelector:
		x.selector(n, graph.UseRead, -1)
	case kCall:
		x.call(n)
	case kConversion:
		x.conversion(n)
	case kComposite:
		x.composite(n, graph.NoDef)
	case kFuncLit:
		x.scopes.Open()
		x.params(x.t.Child(n, fParameters), true)
		x.result(x.t.Child(n, fResult), true)
		if body := x.t.Child(n, fBody); body != sitter.None {
			x.visit(body)
		}
		x.scopes.Close()
	case kAssertion:
		for c := range x.t.Children(n) {
			if x.t.Field(c) == fType {
				x.typeExpr(c, graph.NoDef)
			} else {
				x.visit(c)
			}
		}
	case kTypeIdentifier, kQualifiedType, kGenericType, kPointerType, kSliceType, kArrayType, kImplicitArrayType,
		kMapType, kChanType, kFuncType, kParenType, kStructType, kInterfaceType, kTypeElem:
		x.typeExpr(n, graph.NoDef)
	default:
		x.visitChildren(n)
	}
}

// addRef records a reference by its name token.
func (x *extractor) addRef(id sitter.Node, qualifier string, use graph.Use, h graph.Hint) {
	x.b.AddRef(graph.Ref{Name: x.b.Text(id), Qualifier: qualifier, Use: use, Span: x.b.Span(id), Hint: h, Args: -1})
}

// name reads an identifier that stands alone: a reference unless it is local.
func (x *extractor) name(id sitter.Node, use graph.Use, args int16) {
	name := x.b.Text(id)
	if use == graph.UseCall && x.isValue(name) {
		x.b.AddValueCall()
	}
	if name == "_" || x.scopes.Lookup(name) != nil || predeclaredType(name) || use == graph.UseCall && x.isBuiltin(id, args) {
		return
	}
	x.b.AddRef(graph.Ref{Name: name, Use: use, Span: x.b.Span(id), Args: args})
}

// isValue reports whether a name is of a local variable or parameter.
func (x *extractor) isValue(name string) bool {
	l := x.scopes.Lookup(name)
	return l != nil && l.Def == graph.NoDef && !l.Type
}

// selector reads "operand.field".
func (x *extractor) selector(n sitter.Node, use graph.Use, args int16) {
	operand, field := x.t.Child(n, fOperand), x.t.Child(n, fField)
	if operand == sitter.None || field == sitter.None {
		x.visitChildren(n)
		return
	}
	var h graph.Hint
	if x.t.Kind(operand) == kIdentifier {
		name := x.b.Text(operand)
		if l := x.scopes.Lookup(name); l != nil {
			h = l.Hint
		} else if x.pkgs[name] == "" {
			x.name(operand, graph.UseRead, -1)
		}
		x.memberRef(field, name, use, args, h)
		return
	}
	x.visit(operand)
	q := x.qualifier(operand)
	if id := x.firstName(operand); id != sitter.None && strings.HasPrefix(q, x.b.Text(id)) {
		if l := x.scopes.Lookup(x.b.Text(id)); l != nil {
			h = l.Hint
		}
	}
	x.memberRef(field, q, use, args, h)
}

func (x *extractor) memberRef(field sitter.Node, qualifier string, use graph.Use, args int16, h graph.Hint) {
	r := graph.Ref{Name: x.b.Text(field), Qualifier: qualifier, Use: use, Span: x.b.Span(field), Hint: h, Args: args}
	if use == graph.UseCall && x.selectsField(&r) {
		x.b.AddValueCall()
	}
	x.withFields(&r)
	x.b.AddRef(r)
}

// firstName returns the identifier that an expression starts with, or None.
func (x *extractor) firstName(n sitter.Node) sitter.Node {
	for n != sitter.None {
		switch x.t.Kind(n) {
		case kIdentifier:
			return n
		case kSelector, kCall, kIndex, kSlice, kAssertion, kParen, kUnary, kInstantiation:
			n = x.t.First(n)
		default:
			return sitter.None
		}
	}
	return sitter.None
}

func (x *extractor) call(n sitter.Node) {
	fn, argList := x.t.Child(n, fFunction), x.t.Child(n, fArguments)
	args := 0
	if argList != sitter.None {
		for a := range x.t.Children(argList) {
			if x.t.Kind(a) != kComment {
				args++
			}
		}
	}
	if fn != sitter.None {
		x.callee(fn, int16(min(args, 1<<14)))
	}
	if argList != sitter.None && fn != sitter.None && x.t.Kind(fn) == kIdentifier && x.redefined[x.b.Text(fn)] {
		x.ownArguments(argList)
		return
	}
	for c := range x.t.Children(n) {
		if c != fn {
			x.visit(c)
		}
	}
}

// callee reads what is called, through parentheses and type arguments.
func (x *extractor) callee(fn sitter.Node, args int16) {
	switch x.t.Kind(fn) {
	case kIdentifier:
		x.name(fn, graph.UseCall, args)
	case kSelector:
		x.selector(fn, graph.UseCall, args)
	case kParen:
		if in := x.t.First(fn); in != sitter.None {
			x.callee(in, args)
		}
	case kIndex, kInstantiation:
		first := x.t.First(fn)
		for c := range x.t.Children(fn) {
			if c == first {
				x.callee(c, args)
			} else {
				x.visit(c)
			}
		}
	case kTypeIdentifier:
		x.name(fn, graph.UseCall, args)
	case kUnary: // (*f)(), or a conversion
		if id := x.t.First(fn); id != sitter.None && x.t.Kind(id) == kIdentifier && x.isValue(x.b.Text(id)) {
			x.b.AddValueCall()
		}
		x.visit(fn)
	case kCall, kAssertion, kComposite:
		x.b.AddValueCall()
		x.visit(fn)
	default:
		x.visit(fn)
	}
}

// conversion reads "[]T(v)" and "F[int](v)", which may be a call of a generic
// function: the text alone does not say.
func (x *extractor) conversion(n sitter.Node) {
	for c := range x.t.Children(n) {
		if x.t.Field(c) != fType {
			x.visit(c)
			continue
		}
		if x.t.Kind(c) != kGenericType {
			x.typeExpr(c, graph.NoDef)
			continue
		}
		for part := range x.t.Children(c) {
			switch x.t.Kind(part) {
			case kTypeIdentifier:
				x.name(part, graph.UseCall, 1)
			case kQualifiedType:
				if pkg, name := x.t.Child(part, fPackage), x.t.Child(part, fName); pkg != sitter.None && name != sitter.None {
					var h graph.Hint
					if l := x.scopes.Lookup(x.b.Text(pkg)); l != nil {
						h = l.Hint
					}
					x.memberRef(name, x.b.Text(pkg), graph.UseCall, 1, h)
				}
			default:
				x.typeExpr(part, graph.NoDef)
			}
		}
	}
}

// composite reads "T{…}". The fields of a struct type written there belong to owner,
// the variable that holds the value.
func (x *extractor) composite(n sitter.Node, owner int32) {
	typ, body := x.t.Child(n, fType), x.t.Child(n, fBody)
	x.typeExpr(typ, owner)
	if body != sitter.None {
		x.literal(body, typ)
	}
}

// literal reads the braces of a composite literal of type typ, or of an unknown
// one for None. Keys of a named type are taken for its fields; those of a map or
// slice are ordinary expressions.
func (x *extractor) literal(body, typ sitter.Node) {
	keyed, elem := false, sitter.None
	if typ != sitter.None {
		switch x.t.Kind(typ) {
		case kTypeIdentifier, kQualifiedType, kGenericType:
			keyed = true
		case kSliceType, kArrayType, kImplicitArrayType:
			elem = x.t.Child(typ, fElement)
		case kMapType:
			elem = x.t.Child(typ, fValue)
		default:
		}
	}
	qualifier := ""
	for e := range x.t.Children(body) {
		if x.t.Kind(e) != kKeyed {
			x.element(e, elem)
			continue
		}
		key := x.t.First(e)
		if key == sitter.None {
			continue
		}
		value := x.t.Next(key)
		id := x.t.First(key)
		if keyed && id != sitter.None && x.t.Kind(id) == kIdentifier {
			if qualifier == "" {
				qualifier = x.typeText(typ)
			}
			x.addRef(id, qualifier, graph.UseWrite, graph.Hint{Rule: graph.HintDeclared, Type: qualifier})
		} else if typ != sitter.None && x.t.Kind(typ) == kMapType {
			x.element(key, x.t.Child(typ, fKey))
		} else if elem != sitter.None || id != sitter.None && x.t.Kind(id) != kIdentifier {
			x.element(key, sitter.None)
		}
		if value != sitter.None {
			x.element(value, elem)
		}
	}
}

// element reads an element of a literal; one that starts with a brace is a literal
// of the element type.
func (x *extractor) element(e, typ sitter.Node) {
	in := e
	if x.t.Kind(e) == kLiteralElement {
		if in = x.t.First(e); in == sitter.None {
			return
		}
	}
	if x.t.Kind(in) == kLiteralValue {
		if typ != sitter.None && x.t.Kind(typ) == kPointerType {
			typ = x.t.First(typ)
		}
		x.literal(in, typ)
		return
	}
	x.visit(in)
}
