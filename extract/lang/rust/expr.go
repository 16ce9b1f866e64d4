package rust

import (
	"strconv"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

func (x *extractor) visitChildren(n sitter.Node) {
	for c := range x.t.Children(n) {
		x.visit(c)
	}
}

// visit reads a statement or an expression.
func (x *extractor) visit(n sitter.Node) {
	switch x.t.Kind(n) {
	case kBlock:
		x.scopes.Open()
		x.items(n)
		x.scopes.Close()
	case kLet:
		x.let(n)
	case kIf, kWhile:
		x.conditional(n)
	case kLetCondition:
		value := x.t.Child(n, fValue)
		if value != sitter.None {
			x.visit(value)
		}
		if pat := x.t.Child(n, fPattern); pat != sitter.None {
			x.pattern(pat, x.pathOf(value))
		}
	case kMatch:
		x.match(n)
	case kFor:
		x.forLoop(n)
	case kClosure:
		x.closure(n, "_")
	case kAssign, kCompoundAssign:
		x.assign(n)
	case kLineComment, kBlockComment:
		x.comment(n)
	case kMacroCall:
		x.macroCall(n)
	case kString, kRawString, kInt, kFloat, kChar, kBool, kLabel, kLifetime, kMutable, kVisibility:
	default:
		if !x.item(n, &attributes{}) {
			x.expr(n)
		}
	}
}

// expr reads an expression; whatever is none of those below, by its parts.
func (x *extractor) expr(n sitter.Node) {
	switch x.t.Kind(n) {
	case kIdentifier:
		x.name(n, graph.UseRead)
	case kScoped:
		x.pathRef(n, graph.UseRead, -1)
	case kField:
		x.member(n, graph.UseRead, -1)
	case kCall:
		x.call(n)
	case kGenericFunction:
		if fn := x.t.Child(n, fFunction); fn != sitter.None {
			x.visit(fn)
		}
		if args := x.t.Child(n, fTypeArguments); args != sitter.None {
			x.typeExpr(args)
		}
	case kStructExpr:
		x.structExpr(n)
	case kCast:
		for c := range x.t.Children(n) {
			if x.t.Field(c) == fType {
				x.typeExpr(c)
			} else {
				x.visit(c)
			}
		}
	case kTypeIdentifier, kScopedType, kGenericType, kReferenceType, kPointerType, kTupleType, kArrayType,
		kFunctionType, kDynType, kAbstractType, kTypeArgs, kBracketedType:
		x.typeExpr(n)
	default:
		x.visitChildren(n)
	}
}

// name reads an identifier that stands alone: a reference unless it is local.
func (x *extractor) name(id sitter.Node, use graph.Use) {
	name := x.b.Text(id)
	if preluded(name) || x.isParam(name) || x.scopes.Lookup(name) != nil {
		return
	}
	x.b.AddRef(graph.Ref{Name: name, Use: use, Span: x.b.Span(id), Args: -1})
}

// member reads "value.field".
func (x *extractor) member(n sitter.Node, use graph.Use, args int16) {
	value, field := x.t.Child(n, fValue), x.t.Child(n, fField)
	if value == sitter.None || field == sitter.None {
		x.visitChildren(n)
		return
	}
	x.visit(value)
	if x.t.Kind(field) != kFieldIdentifier {
		return // of a tuple
	}
	q := x.qualifier(value)
	x.b.AddRef(graph.Ref{Name: x.b.Text(field), Qualifier: q, Use: use, Span: x.b.Span(field), Hint: x.headHint(q), Args: args})
}

// headHint returns what is known of the local that a path begins with.
func (x *extractor) headHint(path string) graph.Hint {
	end := 0
	for end < len(path) && isWordByte(path[end]) {
		end++
	}
	if end < len(path) && (path[end] == ':' || path[end] == '(') {
		return graph.Hint{}
	}
	if l := x.scopes.Lookup(path[:end]); l != nil {
		return l.Hint
	}
	return graph.Hint{}
}

func (x *extractor) call(n sitter.Node) {
	fn, list := x.t.Child(n, fFunction), x.t.Child(n, fArguments)
	if fn == sitter.None {
		x.visitChildren(n)
		return
	}
	args := 0
	if list != sitter.None {
		for a := range x.t.Children(list) {
			if k := x.t.Kind(a); k != kLineComment && k != kBlockComment && k != kAttributeItem {
				args++
			}
		}
	}
	x.callee(fn, int16(min(args, 1<<14)))
	if list == sitter.None {
		return
	}
	i, callee := 0, ""
	for a := range x.t.Children(list) {
		switch x.t.Kind(a) {
		case kLineComment, kBlockComment, kAttributeItem:
			continue
		case kClosure:
			if callee == "" {
				callee = x.pathOf(fn)
			}
			if callee == "_" {
				x.closure(a, "_")
			} else {
				x.closure(a, callee+"|"+strconv.Itoa(i)+"#")
			}
		default:
			x.visit(a)
		}
		i++
	}
}

// callee reads what is called.
func (x *extractor) callee(fn sitter.Node, args int16) {
	switch x.t.Kind(fn) {
	case kIdentifier:
		name := x.b.Text(fn)
		if l := x.scopes.Lookup(name); l != nil {
			x.b.AddValueCall()
			return
		}
		if !preluded(name) {
			x.b.AddRef(graph.Ref{Name: name, Use: graph.UseCall, Span: x.b.Span(fn), Args: args, Hint: x.selfHint(name)})
		}
	case kScoped:
		x.pathRef(fn, graph.UseCall, args)
	case kField:
		x.member(fn, graph.UseCall, args)
	case kGenericFunction:
		if in := x.t.Child(fn, fFunction); in != sitter.None {
			x.callee(in, args)
		}
		if types := x.t.Child(fn, fTypeArguments); types != sitter.None {
			x.typeExpr(types)
		}
	default:
		x.b.AddValueCall()
		x.visit(fn)
	}
}

func (x *extractor) selfHint(name string) graph.Hint {
	if name == "Self" {
		return graph.Hint{Rule: graph.HintClass, Type: x.impl.self}
	}
	return graph.Hint{}
}

// structExpr reads "T { a: x, b, ..c }", which makes a T and writes its fields.
func (x *extractor) structExpr(n sitter.Node) {
	name, body := x.t.Child(n, fName), x.t.Child(n, fBody)
	if name == sitter.None {
		x.visitChildren(n)
		return
	}
	count := 0
	if body != sitter.None {
		for range x.t.Children(body) {
			count++
		}
	}
	x.construct(name, int16(min(count, 1<<14)))
	if body == sitter.None {
		return
	}
	typ := x.typeText(name)
	for f := range x.t.Children(body) {
		switch x.t.Kind(f) {
		case kShorthandInit:
			if id := x.t.ChildOfKind(f, kIdentifier); id != sitter.None {
				x.fieldRef(id, typ, graph.UseWrite)
				x.name(id, graph.UseRead)
			}
		case kInit:
			if id := x.t.Child(f, fField); id != sitter.None && x.t.Kind(id) == kFieldIdentifier {
				x.fieldRef(id, typ, graph.UseWrite)
			}
			if value := x.t.Child(f, fValue); value != sitter.None {
				x.visit(value)
			}
		default:
			x.visit(f)
		}
	}
}

// construct refers to the type that a literal makes a value of.
func (x *extractor) construct(name sitter.Node, args int16) {
	switch x.t.Kind(name) {
	case kTypeIdentifier, kIdentifier:
		if text := x.b.Text(name); !preluded(text) && !x.isParam(text) {
			x.b.AddRef(graph.Ref{Name: text, Use: graph.UseCall, Span: x.b.Span(name), Args: args})
		}
	case kScopedType, kScoped:
		x.pathRef(name, graph.UseCall, args)
	case kGenericType:
		if typ := x.t.Child(name, fType); typ != sitter.None {
			x.construct(typ, args)
		}
		if types := x.t.Child(name, fTypeArguments); types != sitter.None {
			x.typeExpr(types)
		}
	default:
		x.typeExpr(name)
	}
}

// fieldRef refers to a field of the type that is written beside it.
func (x *extractor) fieldRef(id sitter.Node, typ string, use graph.Use) {
	if typ == "" || len(typ) > maxPath {
		return
	}
	x.b.AddRef(graph.Ref{
		Name: x.b.Text(id), Qualifier: typ, Use: use, Span: x.b.Span(id), Args: -1,
		Hint: graph.Hint{Rule: graph.HintDeclared, Type: typ},
	})
}

// declare binds a local name.
func (x *extractor) declare(id sitter.Node, path string) {
	if name := x.b.Text(id); name != "_" && name != "" && x.scopes.Depth() > 0 {
		x.scopes.Declare(spec.Local{Name: name, Hint: hint(path), Def: graph.NoDef})
	}
}

// let reads "let pattern: type = value else { … };".
func (x *extractor) let(n sitter.Node) {
	pat, typ, value := x.t.Child(n, fPattern), x.t.Child(n, fType), x.t.Child(n, fValue)
	if typ != sitter.None {
		x.typeExpr(typ)
	}
	if value != sitter.None {
		x.visit(value)
	}
	if alt := x.t.Child(n, fAlternative); alt != sitter.None {
		x.visit(alt)
	}
	if pat == sitter.None {
		return
	}
	if typ != sitter.None && !x.t.Is(typ, "_") {
		x.pattern(pat, x.declaredPath(typ))
		return
	}
	if value != sitter.None && x.t.Kind(pat) == kTuplePattern && x.t.Kind(value) == kTuple {
		var parts []string
		for v := range x.t.Children(value) {
			if k := x.t.Kind(v); k != kLineComment && k != kBlockComment {
				parts = append(parts, x.pathOf(v))
			}
		}
		x.tuple(x.t.First(pat), x.t.Start(pat), "_", func(i int) string {
			if i < len(parts) {
				return parts[i]
			}
			return "_"
		})
		return
	}
	x.pattern(pat, x.pathOf(value))
}

// conditional reads "if" and "while": what the condition binds is visible in the block
// that follows.
func (x *extractor) conditional(n sitter.Node) {
	x.scopes.Open()
	alt := sitter.None
	for c := range x.t.Children(n) {
		if x.t.Field(c) == fAlternative {
			alt = c
			continue
		}
		x.visit(c)
	}
	x.scopes.Close()
	if alt != sitter.None {
		x.visit(alt)
	}
}

func (x *extractor) match(n sitter.Node) {
	value, body := x.t.Child(n, fValue), x.t.Child(n, fBody)
	if value != sitter.None {
		x.visit(value)
	}
	if body == sitter.None {
		return
	}
	path := x.pathOf(value)
	for arm := range x.t.Children(body) {
		if x.t.Kind(arm) != kMatchArm {
			x.visit(arm)
			continue
		}
		x.scopes.Open()
		for c := range x.t.Children(arm) {
			if x.t.Field(c) == fPattern {
				x.matchPattern(c, value, path)
			} else if x.t.Kind(c) != kAttributeItem {
				x.visit(c)
			}
		}
		x.scopes.Close()
	}
}

// matchPattern reads the pattern of an arm with its guard. A tuple that is matched
// gives its elements to the patterns in their places.
func (x *extractor) matchPattern(n, value sitter.Node, path string) {
	for c := range x.t.Children(n) {
		switch {
		case x.t.Field(c) == fCondition:
			x.visit(c)
		case value != sitter.None && x.t.Kind(value) == kTuple && x.t.Kind(c) == kTuplePattern:
			v := x.t.First(value)
			for p := range x.t.Children(c) {
				if v != sitter.None && x.t.Kind(p) != kRemaining {
					x.pattern(p, x.pathOf(v))
					v = x.t.Next(v)
				} else {
					x.pattern(p, "_")
					v = sitter.None
				}
			}
		default:
			x.pattern(c, path)
		}
	}
}

func (x *extractor) forLoop(n sitter.Node) {
	value := x.t.Child(n, fValue)
	if value != sitter.None {
		x.visit(value)
	}
	x.scopes.Open()
	if pat := x.t.Child(n, fPattern); pat != sitter.None {
		x.pattern(pat, x.pathOf(value)+"[*]")
	}
	if body := x.t.Child(n, fBody); body != sitter.None {
		x.visit(body)
	}
	x.scopes.Close()
}

// closure reads a closure; from is the path of its parameters up to their number, or
// "_".
func (x *extractor) closure(n sitter.Node, from string) {
	x.scopes.Open()
	i := 0
	for c := range x.t.Children(n) {
		switch {
		case x.t.Field(c) == fParameters:
			for p := range x.t.Children(c) {
				path := "_"
				if from != "_" {
					path = from + strconv.Itoa(i) + ";"
				}
				x.closureParam(p, path)
				i++
			}
		case x.t.Field(c) == fReturn:
			x.typeExpr(c)
		default:
			x.visit(c)
		}
	}
	x.scopes.Close()
}

func (x *extractor) closureParam(p sitter.Node, path string) {
	if x.t.Kind(p) != kParam {
		x.pattern(p, path)
		return
	}
	pat, typ := x.t.Child(p, fPattern), x.t.Child(p, fType)
	if typ != sitter.None {
		x.typeExpr(typ)
		if !x.t.Is(typ, "_") {
			path = x.declaredPath(typ)
		}
	}
	if pat != sitter.None {
		x.pattern(pat, path)
	}
}

// assign reads "a.b = x" and "a += x".
func (x *extractor) assign(n sitter.Node) {
	for c := range x.t.Children(n) {
		if x.t.Field(c) == fLeft {
			x.writes(c)
		} else {
			x.visit(c)
		}
	}
}

func (x *extractor) writes(n sitter.Node) {
	switch x.t.Kind(n) {
	case kIdentifier:
		x.name(n, graph.UseWrite)
	case kField:
		x.member(n, graph.UseWrite, -1)
	case kScoped:
		x.pathRef(n, graph.UseWrite, -1)
	case kUnary, kParen:
		if c := x.t.First(n); c != sitter.None {
			x.writes(c)
		}
	default:
		x.visit(n)
	}
}
