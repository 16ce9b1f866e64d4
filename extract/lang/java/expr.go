package java

import (
	"strconv"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// addRef appends a reference whose name is the text of id.
func (x *extractor) addRef(id sitter.Node, qualifier string, use graph.Use, h graph.Hint, args int16) {
	x.b.AddRef(graph.Ref{Name: x.b.Text(id), Qualifier: qualifier, Use: use, Span: x.b.Span(id), Hint: h, Args: args})
}

// selfHint says of a name without qualifier in which anonymous class it stands.
func (x *extractor) selfHint() graph.Hint {
	if x.anon == "" {
		return graph.Hint{}
	}
	return graph.Hint{Rule: graph.HintSelf, Type: x.anon}
}

// name reads a name without qualifier in an expression.
func (x *extractor) name(id sitter.Node, use graph.Use) {
	if l := x.scopes.Lookup(x.b.Text(id)); l != nil && !l.Type {
		return
	}
	x.addRef(id, "", use, x.selfHint(), -1)
}

// local finds what a local name holds, or nil.
func (x *extractor) local(name string) *graph.Hint {
	if l := x.scopes.Lookup(name); l != nil && !l.Type {
		return &l.Hint
	}
	return nil
}

// expr reads an expression.
func (x *extractor) expr(n sitter.Node) {
	switch x.t.Kind(n) {
	case kIdentifier:
		x.name(n, graph.UseRead)
	case kCall:
		x.call(n)
	case kCreation:
		x.creation(n)
	case kFieldAccess:
		x.access(n, graph.UseRead)
	case kMethodReference:
		x.methodReference(n)
	case kLambda:
		x.lambda(n, "")
	case kAssign:
		x.assign(n)
	case kUpdate:
		x.writes(x.t.First(n))
	case kCast:
		x.cast(n)
	case kInstanceof:
		x.instanceOf(n)
	case kTypePattern, kRecordPattern, kRecordComponent:
		x.pattern(n)
	case kTypeIdentifier, kScopedType, kGenericType, kArrayType, kAnnotatedType, kTypeArguments, kClassLiteral, kIntegralType,
		kFloatingType, kBooleanType, kVoidType:
		x.typeRefs(n)
	case kInt, kHex, kOctal, kBinaryInt, kFloat, kHexFloat, kTrue, kFalse, kNull, kChar, kThis, kSuper:
	default:
		x.visitChildren(n)
	}
}

// value reads an expression that goes where a value of a type is wanted.
func (x *extractor) value(n sitter.Node, want string) {
	switch x.t.Kind(n) {
	case kLambda:
		if want != "" {
			want = "(" + want + ")"
		}
		x.lambda(n, want)
	case kParen:
		for c := range x.t.Children(n) {
			x.value(c, want)
		}
	case kTernary:
		for c := range x.t.Children(n) {
			if x.t.Field(c) == fCondition {
				x.visit(c)
			} else {
				x.value(c, want)
			}
		}
	default:
		x.visit(n)
	}
}

// receiver reads what stands before a member and returns it as a qualifier.
func (x *extractor) receiver(n sitter.Node) (string, graph.Hint) {
	switch x.t.Kind(n) {
	case kIdentifier:
		name := x.b.Text(n)
		if h := x.local(name); h != nil {
			return name, *h
		}
		x.name(n, graph.UseRead)
		return name, x.selfHint()
	case kThis:
		if x.anon != "" {
			return "this", graph.Hint{Rule: graph.HintSelf, Type: x.anon}
		}
		if x.holder != graph.NoDef {
			return "this", graph.Hint{Rule: graph.HintSelf, Type: x.b.Facts.Defs[x.holder].Local}
		}
		return "this", graph.Hint{}
	case kSuper:
		if x.anon != "" {
			return "super", graph.Hint{Rule: graph.HintSuper, Type: x.anon}
		}
		if x.holder != graph.NoDef {
			return "super", graph.Hint{Rule: graph.HintSuper, Type: x.b.Facts.Defs[x.holder].Local}
		}
		return "super", graph.Hint{}
	case kTypeIdentifier, kScopedType, kGenericType, kArrayType, kAnnotatedType:
		x.typeRefs(n)
		return "(" + x.typeText(n) + ")", graph.Hint{}
	}
	x.visit(n)
	return x.pathOf(n), x.selfHint()
}

// access reads "object.field".
func (x *extractor) access(n sitter.Node, use graph.Use) {
	object, field := x.t.Child(n, fObject), x.t.Child(n, fField)
	if object == sitter.None || field == sitter.None {
		x.visitChildren(n)
		return
	}
	if x.t.Kind(field) != kIdentifier { // Outer.this
		x.typeRefsOfName(object)
		return
	}
	if x.packagePrefix(object) {
		x.addRef(field, x.pathText(object), use, graph.Hint{}, -1)
		return
	}
	q, h := x.receiver(object)
	x.addRef(field, q, use, h, -1)
}

// typeRefsOfName reads a name with dots that is one of a type.
func (x *extractor) typeRefsOfName(n sitter.Node) {
	if x.t.Kind(n) == kIdentifier {
		x.typeName(n)
		return
	}
	x.visit(n)
}

// packagePrefix reports whether an expression looks like the name of a package: names
// with dots, none of which begins with an upper-case letter, and the first of which is
// no local.
func (x *extractor) packagePrefix(n sitter.Node) bool {
	if x.t.Kind(n) != kFieldAccess || !x.isPackage(n) {
		return false
	}
	for x.t.Kind(n) == kFieldAccess {
		if n = x.t.Child(n, fObject); n == sitter.None {
			return false
		}
	}
	return x.t.Kind(n) == kIdentifier && x.local(x.b.Text(n)) == nil && rootPackage(x.b.Text(n), x.b.Facts)
}

// rootPackage reports whether a name is the first of a package that the file speaks of,
// or one that packages by custom begin with.
func rootPackage(name string, f *graph.Facts) bool {
	switch name {
	case "java", "javax", "com", "org", "net", "io", "jdk", "sun", "jakarta", "android", "kotlin", "scala":
		return true
	}
	begins := func(pkg string) bool { return len(pkg) > len(name) && pkg[len(name)] == '.' && pkg[:len(name)] == name }
	if begins(f.Package) {
		return true
	}
	for i := range f.Imports {
		if begins(f.Imports[i].Module) {
			return true
		}
	}
	return false
}

func (x *extractor) call(n sitter.Node) {
	object, id, args := x.t.Child(n, fObject), x.t.Child(n, fName), x.t.Child(n, fArguments)
	if id == sitter.None {
		x.visitChildren(n)
		return
	}
	q, h := "", x.selfHint()
	switch super := x.t.ChildOfKind(n, kSuper); {
	case super != sitter.None && object != super: // Outer.super.f()
		if object != sitter.None {
			x.typeRefsOfName(object)
		}
		q, h = x.receiver(super)
	case object != sitter.None:
		q, h = x.receiver(object)
	}
	if types := x.t.Child(n, fTypeArguments); types != sitter.None {
		x.typeRefs(types)
	}
	x.addRef(id, x.withArgs(q, args), graph.UseCall, h, x.count(args))
	if args != sitter.None {
		x.arguments(args, x.calleePath(n, args))
	}
}

// calleePath is the path of a call that lambdas among its arguments are told by; ""
// where there are none.
func (x *extractor) calleePath(n, args sitter.Node) string {
	for a := range x.t.Children(args) {
		if x.t.Kind(a) == kLambda {
			if p := x.pathOf(n); p != "?" {
				return p
			}
			return ""
		}
	}
	return ""
}

// arguments reads the arguments of a call whose path is callee.
func (x *extractor) arguments(args sitter.Node, callee string) {
	i := 0
	for a := range x.t.Children(args) {
		switch k := x.t.Kind(a); {
		case k == kLineComment || k == kBlockComment:
			x.b.NoteComment(a)
			continue
		case k == kLambda && callee != "":
			x.lambda(a, callee+"#"+strconv.Itoa(i))
		default:
			x.visit(a)
		}
		i++
	}
}

// count returns the number of arguments.
func (x *extractor) count(args sitter.Node) int16 {
	if args == sitter.None {
		return 0
	}
	n := 0
	for a := range x.t.Children(args) {
		if k := x.t.Kind(a); k != kLineComment && k != kBlockComment {
			n++
		}
	}
	return int16(min(n, 1<<14))
}

// creation reads "new T(…)" and "outer.new T(…)", with the body of an anonymous class.
func (x *extractor) creation(n sitter.Node) {
	typ, args := x.t.Child(n, fType), x.t.Child(n, fArguments)
	body, base := x.t.ChildOfKind(n, kClassBody), ""
	for c := range x.t.Children(n) {
		switch c {
		case typ:
			base = x.created(typ, args, body)
		case args:
			callee := ""
			if base != "" {
				callee = x.calleePath(n, args)
			}
			x.arguments(args, callee)
		case body:
			x.anonymous(body, base)
		default:
			x.visit(c)
		}
	}
}

// created adds the call of a constructor and returns the type that it makes.
func (x *extractor) created(typ, args, body sitter.Node) string {
	last, before := x.lastName(typ)
	if last == sitter.None {
		x.typeRefs(typ)
		return ""
	}
	start := x.t.Start(last)
	if before != sitter.None {
		start = x.t.Start(typ)
	}
	q := prefixNew
	if body != sitter.None {
		q = prefixAnon
	}
	x.b.AddRef(graph.Ref{
		Name: x.b.Text(last), Qualifier: x.withArgs(q+x.pathText(before), args), Use: graph.UseCall,
		Span: x.b.SpanBetween(start, x.t.End(last)), Hint: x.selfHint(), Args: x.count(args),
	})
	for c := typ + 1; c < x.t.After(typ); c++ {
		if c != last && x.t.Kind(c) == kTypeArguments {
			x.typeRefs(c)
			c = x.t.After(c) - 1
		}
	}
	if before != sitter.None && !x.isPackage(before) {
		x.typeRefs(before)
	}
	return x.typeText(typ)
}

// methodReference reads "Foo::bar" and "Foo::new".
func (x *extractor) methodReference(n sitter.Node) {
	object := x.t.First(n)
	if object == sitter.None {
		return
	}
	end := x.t.End(n)
	start := end
	for start > x.t.Start(n) && x.b.Src[start-1] != ':' {
		start--
	}
	for start < end && (x.b.Src[start] == ' ' || x.b.Src[start] == '\n' || x.b.Src[start] == '\t' || x.b.Src[start] == '\r') {
		start++
	}
	id := sitter.None
	for c := range x.t.Children(n) {
		if c != object && x.t.Kind(c) == kIdentifier && x.t.End(c) == end {
			id = c
		}
	}
	q, h := x.receiver(object)
	switch {
	case id != sitter.None:
		x.addRef(id, q, graph.UseCall, h, -1)
	case x.b.Slice(start, end) == "new":
		x.b.AddRef(graph.Ref{Name: "new", Qualifier: q, Use: graph.UseCall, Span: x.b.SpanBetween(start, end), Hint: h, Args: -1})
	}
}

// lambda reads a lambda that goes where target is wanted; "" is unknown.
func (x *extractor) lambda(n sitter.Node, target string) {
	params, body := x.t.Child(n, fParameters), x.t.Child(n, fBody)
	x.scopes.Open()
	if params != sitter.None {
		if x.t.Kind(params) == kParameters {
			x.params(params)
		} else {
			x.inferred(params, target)
		}
	}
	result := x.result
	x.result = ""
	if body != sitter.None {
		x.visit(body)
	}
	x.result = result
	x.scopes.Close()
}

// inferred declares parameters without types.
func (x *extractor) inferred(n sitter.Node, target string) {
	if x.t.Kind(n) == kIdentifier {
		x.declare(n, lambdaHint(target, 0))
		return
	}
	i := 0
	for p := range x.t.Children(n) {
		if x.t.Kind(p) == kIdentifier {
			x.declare(p, lambdaHint(target, i))
			i++
		}
	}
}

func lambdaHint(target string, i int) graph.Hint {
	if target == "" || len(target)+4 > maxPath {
		return graph.Hint{Rule: graph.HintLocal}
	}
	return graph.Hint{Rule: graph.HintValue, Type: target + "~" + strconv.Itoa(i)}
}

func (x *extractor) assign(n sitter.Node) {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	x.writes(left)
	if right == sitter.None {
		return
	}
	if x.t.Kind(right) == kLambda {
		if p := x.pathOf(left); p != "?" {
			x.lambda(right, p)
			return
		}
	}
	x.visit(right)
}

// writes reads an expression that is assigned to.
func (x *extractor) writes(e sitter.Node) {
	if e == sitter.None {
		return
	}
	switch x.t.Kind(e) {
	case kIdentifier:
		x.name(e, graph.UseWrite)
	case kFieldAccess:
		x.access(e, graph.UseWrite)
	case kParen:
		x.writes(x.t.First(e))
	default:
		x.visit(e)
	}
}

func (x *extractor) cast(n sitter.Node) {
	want := ""
	for c := range x.t.Children(n) {
		switch x.t.Field(c) {
		case fType:
			x.typeRefs(c)
			if want == "" {
				want = x.typeText(c)
			}
		case fValue:
			x.value(c, want)
		default:
			x.visit(c)
		}
	}
}

// instanceOf reads "x instanceof T t".
func (x *extractor) instanceOf(n sitter.Node) {
	typ := sitter.None
	for c := range x.t.Children(n) {
		switch x.t.Field(c) {
		case fRight:
			typ = c
			x.typeRefs(c)
		case fName:
			x.declare(c, x.typeHint(x.typeText(typ)))
		default:
			x.visit(c)
		}
	}
}

// pattern declares what a pattern binds: each name has the type before it.
func (x *extractor) pattern(n sitter.Node) {
	typ := sitter.None
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kIdentifier:
			if typ != sitter.None {
				x.declare(c, x.localHint(typ, sitter.None, sitter.None, ""))
			} else {
				typ = c
				x.typeRefs(c)
			}
		case kTypeIdentifier, kScopedType, kGenericType, kArrayType, kAnnotatedType, kIntegralType, kFloatingType, kBooleanType:
			typ = c
			x.typeRefs(c)
		default:
			x.visit(c)
		}
	}
}
