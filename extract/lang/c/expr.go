package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

func (x *extractor) children(n sitter.Node) {
	for c := range x.t.Children(n) {
		x.visit(c)
	}
}

// maxDepth bounds the recursion: the parser itself is bounded to 4096 levels.
const maxDepth = 2000

// visit reads a node and what is in it.
func (x *extractor) visit(n sitter.Node) {
	if x.depth > maxDepth {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	switch x.t.Kind(n) {
	case kComment:
		x.b.NoteComment(n)
	case kString, kChar, kNumber, kStatementIdentifier, kPrimitiveType, kRawString, kStorage, kTypeQualifier, kGoto:
	case kFunctionDef:
		x.functionDef(n, n)
	case kDeclaration:
		x.declaration(n, n)
	case kField:
		x.field(n)
	case kTypeDef:
		x.typeDef(n, n)
	case kStruct, kUnion, kClass, kEnum:
		x.tag(n)
	case kCompound, kFor:
		x.scopes.Open()
		x.children(n)
		x.scopes.Close()
	case kIdentifier:
		x.identifier(n, graph.UseRead, -1)
	case kTypeIdentifier:
		x.typeUse(n, graph.UseType, -1)
	case kTypeDescriptor:
		x.typeRefs(n)
	default:
		x.expression(n)
	}
}

// expression reads what is no declaration.
func (x *extractor) expression(n sitter.Node) {
	switch x.t.Kind(n) {
	case kCall:
		x.call(n)
	case kFieldExpr:
		x.member(n, graph.UseRead, -1)
	case kAssign:
		x.assign(n)
	case kUpdate:
		if a := x.t.Child(n, fArgument); a != sitter.None {
			x.write(a)
		}
	case kCompoundLiteral:
		typ := x.t.Child(n, fType)
		x.typeRefs(typ)
		if v := x.t.Child(n, fValue); v != sitter.None {
			t := ""
			if typ != sitter.None {
				t = x.typeText(x.descriptor(typ))
			}
			x.list(v, t, false)
		}
	case kInitList:
		x.list(n, "", false)
	case kParams:
		x.scopes.Open()
		x.params(n)
		x.scopes.Close()
	default:
		if !x.n.cpp || !x.cppNode(n) {
			x.children(n)
		}
	}
}

// tag reads a struct, union, class or enum where it stands alone, or in a type.
func (x *extractor) tag(n sitter.Node) {
	if x.bodyOf(n) != sitter.None {
		if x.t.Child(n, fName) == sitter.None {
			x.members(n, graph.NoDef, "")
			return
		}
		x.typeDefinition(n, n)
		return
	}
	x.typeRefs(n)
}

// identifier reads a name that stands alone.
func (x *extractor) identifier(id sitter.Node, use graph.Use, args int16) {
	name := x.b.Text(id)
	if l := x.scopes.Lookup(name); l != nil {
		if use == graph.UseCall && !l.Type {
			x.b.AddValueCall()
		}
		return
	}
	if isKeyword(name, x.n.cpp) || name == "NULL" {
		return
	}
	x.b.AddRef(graph.Ref{Name: name, Use: use, Span: x.b.Span(id), Args: args})
}

func (x *extractor) argCount(list sitter.Node) int16 {
	n := 0
	if list != sitter.None {
		for c := range x.t.Children(list) {
			if x.t.Kind(c) != kComment {
				n++
			}
		}
	}
	return int16(min(n, 1<<14))
}

func (x *extractor) call(n sitter.Node) {
	fn, args := x.t.Child(n, fFunction), x.t.Child(n, fArguments)
	if fn != sitter.None {
		before := len(x.b.Facts.Refs)
		x.callee(fn, x.argCount(args))
		x.arguments(before, fn, args)
	}
	if args != sitter.None {
		x.visit(args)
	}
}

// callee reads what is called.
func (x *extractor) callee(fn sitter.Node, args int16) {
	switch x.t.Kind(fn) {
	case kIdentifier:
		x.identifier(fn, graph.UseCall, args)
	case kFieldExpr:
		x.member(fn, graph.UseCall, args)
	case kQualified, kTemplateFunction, kDependentName:
		x.qualified(fn, graph.UseCall, args)
	case kParen, kPointerExpr:
		in := x.lastChild(fn)
		if a := x.t.Child(fn, fArgument); a != sitter.None {
			in = a
		}
		if in != sitter.None {
			x.callee(in, args)
		}
	case kTypeIdentifier:
		x.typeUse(fn, graph.UseCall, args)
	case kPrimitiveType:
	default:
		x.b.AddValueCall()
		x.visit(fn)
	}
}

// member reads "a.b" and "a->b".
func (x *extractor) member(n sitter.Node, use graph.Use, args int16) {
	arg, field := x.t.Child(n, fArgument), x.t.Child(n, fField)
	if arg == sitter.None || field == sitter.None {
		x.children(n)
		return
	}
	x.visit(arg)
	x.memberRef(arg, field, use, args)
}

func (x *extractor) memberRef(arg, field sitter.Node, use graph.Use, args int16) {
	class := ""
	for range maxDeclarator {
		switch x.t.Kind(field) {
		case kTemplateMethod, kTemplateFunction, kDependentName:
			x.argumentsOf(field)
			if id := x.t.Child(field, fName); id != sitter.None {
				field = id
				continue
			}
			if id := x.t.First(field); id != sitter.None {
				field = id
				continue
			}
		case kQualified:
			if s := x.t.Child(field, fScope); s != sitter.None {
				class = join(class, plainScope(x.b.Text(s)))
			}
			if id := x.t.Child(field, fName); id != sitter.None {
				field = id
				continue
			}
		}
		break
	}
	if k := x.t.Kind(field); k != kFieldIdentifier && k != kIdentifier && k != kTypeIdentifier {
		return
	}
	q := x.path(arg)
	h := x.hintOf(arg)
	if class != "" { // of that base, and of no override
		q, h = "("+class+")", graph.Hint{}
	}
	if len(q) > maxPath {
		q, h = "?", graph.Hint{Rule: graph.HintLocal}
	}
	x.b.AddRef(graph.Ref{Name: x.b.Text(field), Qualifier: q, Use: use, Span: x.b.Span(field), Hint: h, Args: args})
}

// maxPath bounds the path of a qualifier.
const maxPath = 150

func (x *extractor) assign(n sitter.Node) {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	if left != sitter.None {
		x.write(left)
	}
	if right == sitter.None {
		return
	}
	if left != sitter.None && x.t.Kind(left) == kFieldExpr {
		if id := x.functionName(right); id != sitter.None {
			x.given(id, x.givenType(left))
			return
		}
	}
	x.visit(right)
}

// givenType is what HintGiven says of a member that is assigned to.
func (x *extractor) givenType(left sitter.Node) string {
	arg, field := x.t.Child(left, fArgument), x.t.Child(left, fField)
	if arg == sitter.None || field == sitter.None {
		return ""
	}
	typ := ""
	if h := x.hintOf(arg); h.Rule == graph.HintDeclared && x.t.Kind(arg) == kIdentifier {
		typ = h.Type
	}
	return typ + "." + x.b.Text(field)
}

// functionName returns the name that is a value as it stands, which may be of a
// function, or None.
func (x *extractor) functionName(n sitter.Node) sitter.Node {
	for range maxDeclarator {
		switch x.t.Kind(n) {
		case kIdentifier:
			if name := x.b.Text(n); x.scopes.Lookup(name) != nil || shouts(name) || isKeyword(name, x.n.cpp) {
				return sitter.None
			}
			return n
		case kPointerExpr:
			if n = x.t.Child(n, fArgument); n == sitter.None {
				return n
			}
		case kCast:
			if n = x.t.Child(n, fValue); n == sitter.None {
				return n
			}
		case kParen:
			if n = x.lastChild(n); n == sitter.None {
				return n
			}
		default:
			return sitter.None
		}
	}
	return sitter.None
}

// given records a name as the value of a member.
func (x *extractor) given(id sitter.Node, member string) {
	x.b.AddRef(graph.Ref{Name: x.b.Text(id), Use: graph.UseRead, Span: x.b.Span(id), Hint: graph.Hint{Rule: graph.HintGiven, Type: member}})
}

func (x *extractor) write(n sitter.Node) {
	switch x.t.Kind(n) {
	case kIdentifier:
		x.identifier(n, graph.UseWrite, -1)
	case kFieldExpr:
		x.member(n, graph.UseWrite, -1)
	case kParen:
		if in := x.lastChild(n); in != sitter.None {
			x.write(in)
		}
	default:
		x.visit(n)
	}
}

// initialise reads the value that a declaration gives.
func (x *extractor) initialise(v, typ sitter.Node, d *declarator) {
	if x.t.Kind(v) != kInitList {
		if x.n.cpp && x.t.Kind(v) == kArgs {
			x.constructs(typ, v)
		}
		x.visit(v)
		return
	}
	if x.n.cpp && !d.array && x.function {
		x.constructs(typ, sitter.None)
	}
	x.list(v, x.typeText(typ), d.array)
}

// list reads the braces of an initialiser. typ is of what they make, or of the elements
// of an array; "" is not known.
func (x *extractor) list(n sitter.Node, typ string, array bool) {
	at := 0
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kComment:
			continue
		case kInitPair:
			x.pair(c, typ, array)
		case kInitList:
			if array {
				x.list(c, typ, false)
			} else {
				x.list(c, "", false)
			}
		default:
			if id := x.functionName(c); id != sitter.None && typ != "" && !array && !scalar(typ) {
				x.given(id, typ+"#"+itoa(at))
			} else {
				x.visit(c)
			}
		}
		at++
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// scalar reports whether a type has no members.
func scalar(typ string) bool {
	word, _, _ := strings.Cut(typ, " ")
	w := wordOf(word, true)
	return w == wordType || strings.HasSuffix(typ, "_t")
}

// pair reads ".field = value" and "[index] = value" in an initialiser.
func (x *extractor) pair(n sitter.Node, typ string, array bool) {
	field := sitter.None
	for c := range x.t.Children(n) {
		switch {
		case x.t.Kind(c) == kFieldDesignator:
			if field = x.t.First(c); field != sitter.None {
				r := graph.Ref{Name: x.b.Text(field), Qualifier: "(" + typ + ")", Use: graph.UseWrite, Span: x.b.Span(field), Hint: graph.Hint{Rule: graph.HintDeclared, Type: typ}}
				if typ == "" {
					r.Qualifier, r.Hint = "?", graph.Hint{Rule: graph.HintLocal}
				}
				x.b.AddRef(r)
			}
		case x.t.Field(c) == fValue:
			switch id := x.functionName(c); {
			case x.t.Kind(c) == kInitList && field == sitter.None && array:
				x.list(c, typ, false)
			case x.t.Kind(c) == kInitList:
				x.list(c, "", false)
			case id != sitter.None && field != sitter.None:
				x.given(id, typ+"."+x.b.Text(field))
			default:
				x.visit(c)
			}
		default:
			x.visit(c)
		}
	}
}
