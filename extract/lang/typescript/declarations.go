package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// declaration reads a statement that declares names.
func (w *walker) declaration(n sitter.Node) {
	start, flags := w.t.Start(n), graph.DefFlags(0)
	if w.pendingStart != noStart {
		start, flags = w.pendingStart, w.pendingFlags
	}
	w.pendingStart, w.pendingFlags = noStart, 0
	if w.ambient && w.depth == 0 {
		flags |= graph.FlagExported
	}
	switch w.kind(n) {
	case kFunctionDecl, kGeneratorDecl, kFunctionSignature:
		w.functionDecl(n, start, flags)
	case kClassDecl, kAbstractClass:
		w.classDecl(n, start, flags)
	case kInterface:
		w.interfaceDecl(n, start, flags)
	case kTypeAlias:
		w.typeAlias(n, start, flags)
	case kEnum:
		w.enumDecl(n, start, flags)
	case kLexical, kVariableDecl:
		w.variables(n, start, flags)
	case kModule, kInternalModule:
		w.namespace(n, start, flags)
	case kAmbient:
		w.ambientDecl(n, start, flags)
	case kImportAlias:
		w.importAlias(n, start, flags)
	default:
	}
}

func (w *walker) functionDecl(n sitter.Node, start uint32, flags graph.DefFlags) {
	name := w.nameOf(n)
	if name == sitter.None {
		w.function(n, "")
		return
	}
	body := w.t.Child(n, fBody)
	d := graph.Def{
		Name: w.text(name), Kind: graph.KindFunction, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: w.b.Span(name),
		Signature: w.signature(w.t.Start(n), n, body), Type: w.returnAnnotation(n), Flags: flags,
	}
	if strings.HasPrefix(d.Signature, "async ") {
		d.Flags |= graph.FlagAsync
	}
	if body == sitter.None {
		d.Flags |= graph.FlagAbstract
	}
	def := w.add(d, start)
	w.enterFunction(n, def, "")
}

// enterFunction reads a function as the inside of its definition.
func (w *walker) enterFunction(n sitter.Node, def int32, callback string) {
	k := w.kind(n)
	own := k == kFunctionDecl || k == kGeneratorDecl
	if own { // called with new, or as a method, this is an object of its own
		w.selves = append(w.selves, self{graph.Hint{Rule: graph.HintSelf, Type: w.b.Facts.Defs[def].Local}, def})
	}
	w.b.Enter(def)
	result := w.function(n, callback)
	w.b.Leave()
	if own {
		w.selves = w.selves[:len(w.selves)-1]
	}
	if d := &w.b.Facts.Defs[def]; d.Type == "" && w.returnAnnotation(n) == "" { // of an async one what awaits it gets
		d.Type = result
	}
}

// variables reads const, let and var.
func (w *walker) variables(n sitter.Node, start uint32, flags graph.DefFlags) {
	kind := graph.KindVariable
	if strings.HasPrefix(w.text(n), "const") {
		kind = graph.KindConstant
	}
	if w.kind(n) == kVariableDecl { // its names hold in the whole function
		defer func(blocks []blockSpan) { w.blocks = blocks }(w.blocks)
		w.blocks = w.blocks[:min(w.kept, len(w.blocks))]
	}
	count := 0
	for c := range w.t.Children(n) {
		if w.kind(c) == kDeclarator {
			count++
		}
	}
	first := true
	for c := range w.t.Children(n) {
		if w.kind(c) != kDeclarator {
			w.visit(c)
			continue
		}
		v := variable{kind: kind, stmt: n, start: start, end: w.t.End(n), flags: flags, signature: w.t.Start(n)}
		if count > 1 {
			v.start, v.end = w.t.Start(c), w.t.End(c)
		}
		if !first {
			v.signature = w.t.Start(c)
		}
		first = false
		w.declarator(c, v)
	}
}

// variable is what a declarator takes from its statement.
type variable struct {
	kind       graph.Kind
	stmt       sitter.Node
	start, end uint32 // of its definition
	signature  uint32 // where its signature starts
	flags      graph.DefFlags
}

// topLevel reports whether variables declared here are definitions: at the top of
// a file or namespace, outside blocks unless they are hoisted out of them.
func (w *walker) topLevel(statement sitter.Node) bool {
	if w.depth > 0 {
		return false
	}
	return w.locals.Depth() == 0 || w.kind(statement) == kVariableDecl
}

func (w *walker) declarator(n sitter.Node, v variable) {
	name, value := w.nameOf(n), w.t.Child(n, fValue)
	if name == sitter.None {
		w.children(n)
		return
	}
	typeNode := sitter.None
	if !w.d.javascript {
		typeNode = w.t.Child(n, fType)
	}
	function := w.kind(name) == kIdentifier && w.isFunctionValue(value)
	if typeNode != sitter.None && !function && (w.kind(name) != kIdentifier || !w.topLevel(v.stmt)) {
		w.visit(typeNode)
		typeNode = sitter.None
	}
	if value != sitter.None && w.requireDeclarator(n, name, value) {
		return
	}
	if w.kind(name) != kIdentifier {
		w.patternDeclarator(name, value, v)
		return
	}
	d := graph.Def{
		Name: w.text(name), Kind: v.kind, Span: w.b.SpanBetween(v.start, v.end), NameSpan: w.b.Span(name), Flags: v.flags,
	}
	if function {
		w.functionVariable(n, value, typeNode, d, v)
		return
	}
	typ := w.annotation(n)
	if typ == "" && v.kind == graph.KindVariable && value != sitter.None {
		typ = w.reassigned(d.Name, value, w.t.Parent(v.stmt))
		if typ != "" && !w.topLevel(v.stmt) {
			w.rebind(d.Name, graph.Hint{Rule: graph.HintDeclared, Type: typ})
		}
	}
	if !w.topLevel(v.stmt) {
		if doc := w.docTypesAt(w.t.Start(v.stmt)); doc.typ != "" {
			w.rebind(d.Name, graph.Hint{Rule: graph.HintDeclared, Type: doc.typ})
			typ = doc.typ
		}
		if typ == "" && value != sitter.None {
			w.rebind(d.Name, w.hintOf(value))
		}
		if value != sitter.None {
			w.visit(value)
		}
		return
	}
	d.Type = typ
	if typ == "" && value != sitter.None {
		d.Type = w.valueType(value)
	}
	d.Signature = w.signature(v.signature, n, value)
	def := w.add(d, v.start)
	if typeNode != sitter.None {
		w.b.Enter(def)
		w.annotationMembers(typeNode, v.flags&graph.FlagExported, 0)
		w.b.Leave()
	}
	w.variableValue(def, value)
}

// variableValue visits the initialiser of a definition, and adds the functions of
// an object literal as its members.
func (w *walker) variableValue(def int32, value sitter.Node) {
	if value == sitter.None {
		return
	}
	w.b.Enter(def)
	if o := w.objectIn(value); o != sitter.None {
		w.objectMembers(o, def, 0)
	} else {
		w.visit(value)
	}
	w.b.Leave()
}

// objectIn returns the object literal that an expression is, in parentheses or with a
// type, which it visits; None where it is something else.
func (w *walker) objectIn(n sitter.Node) sitter.Node {
	switch w.kind(n) {
	case kObject:
		return n
	case kParenthesized, kAs, kSatisfies:
		first := w.t.First(n)
		if first == sitter.None || w.kind(first) == kComment {
			return sitter.None
		}
		o := w.objectIn(first)
		if o == sitter.None {
			return sitter.None
		}
		for c := w.t.Next(first); c != sitter.None; c = w.t.Next(c) {
			w.visit(c)
		}
		return o
	default:
	}
	return sitter.None
}

func (w *walker) patternDeclarator(name, value sitter.Node, v variable) {
	h := graph.Hint{Rule: graph.HintLocal}
	if typ := w.annotation(w.t.Parent(name)); typ != "" {
		h = graph.Hint{Rule: graph.HintDeclared, Type: typ}
	} else if value != sitter.None {
		h = w.hintOf(value)
	}
	if w.topLevel(v.stmt) {
		w.patternNames(name, h, func(n sitter.Node, h graph.Hint) {
			d := graph.Def{Name: w.text(n), Kind: v.kind, Span: w.b.SpanBetween(v.start, v.end), NameSpan: w.b.Span(n), Flags: v.flags}
			if h.Rule == graph.HintAssigned {
				d.Type = h.Type + "()"
			}
			w.add(d, v.start)
		})
	} else {
		within := w.bodyAround(name)
		w.patternNames(name, h, func(n sitter.Node, h graph.Hint) {
			if v.kind == graph.KindVariable && w.givenElsewhere(w.text(n), within) {
				h = orElse(h)
			}
			w.rebind(w.text(n), h)
		})
	}
	w.patternDefaults(name)
	if value != sitter.None {
		w.visit(value)
	}
}

// functionVariable adds a variable that is bound to a function or class.
func (w *walker) functionVariable(n, value, typ sitter.Node, d graph.Def, v variable) {
	annotate := func(def int32) int32 {
		if typ != sitter.None { // what it names is named by the function
			w.b.Enter(def)
			w.visit(typ)
			w.b.Leave()
		}
		return def
	}
	d.Signature = w.signature(v.signature, value, w.t.Child(value, fBody))
	if w.kind(value) == kClass {
		d.Kind = graph.KindClass
		w.classBody(value, annotate(w.add(d, v.start)))
		return
	}
	d.Kind = graph.KindFunction
	d.Type = w.returnAnnotation(value)
	if strings.HasPrefix(w.text(value), "async") {
		d.Flags |= graph.FlagAsync
	}
	callback := ""
	if typ := w.annotation(n); typ != "" && len(typ) < 100 {
		callback = "<(f: " + typ + ") => void>#0"
	}
	w.enterFunction(value, annotate(w.add(d, v.start)), callback)
}

// objectMembers adds the functions of an object literal, and of literals nested in
// it, as members of the definition that holds it.
func (w *walker) objectMembers(n sitter.Node, def int32, depth int) {
	w.selves = append(w.selves, self{graph.Hint{Rule: graph.HintSelf, Type: w.b.Facts.Defs[def].Local}, graph.NoDef})
	defer func() { w.selves = w.selves[:len(w.selves)-1] }()
	for c := range w.t.Children(n) {
		switch w.kind(c) {
		case kMethodDef:
			w.method(c, w.t.Start(c), w.b.Facts.Defs[def].Flags&graph.FlagExported)
		case kPair:
			w.pairMember(c, def, depth)
		default:
			w.visit(c)
		}
	}
}

func (w *walker) pairMember(n sitter.Node, holder int32, depth int) {
	key, value := w.t.Child(n, fKey), w.t.Child(n, fValue)
	name, nameSpan := w.memberName(key)
	if value == sitter.None || name == "" {
		w.children(n)
		return
	}
	nested := w.kind(value) == kObject && depth < 3 && w.hasFunctions(value)
	if !w.isFunctionValue(value) && !nested {
		w.visit(value)
		return
	}
	start := w.t.Start(n)
	d := graph.Def{
		Name: name, Kind: graph.KindMethod, Span: w.b.Span(n), NameSpan: nameSpan,
		Flags: w.b.Facts.Defs[holder].Flags & graph.FlagExported,
	}
	switch {
	case nested:
		d.Kind = graph.KindProperty
		def := w.add(d, start)
		w.b.Enter(def)
		w.objectMembers(value, def, depth+1)
		w.b.Leave()
	case w.kind(value) == kClass:
		d.Kind = graph.KindClass
		w.classBody(value, w.add(d, start))
	default:
		d.Signature = w.signature(start, value, w.t.Child(value, fBody))
		d.Type = w.returnAnnotation(value)
		w.methodSelf = &w.selves[len(w.selves)-1]
		w.enterFunction(value, w.add(d, start), "")
	}
}

func (w *walker) hasFunctions(n sitter.Node) bool {
	for c := range w.t.Children(n) {
		switch w.kind(c) {
		case kMethodDef:
			return true
		case kPair:
			if v := w.t.Child(c, fValue); w.isFunctionValue(v) || v != sitter.None && w.kind(v) == kObject && w.hasFunctions(v) {
				return true
			}
		default:
		}
	}
	return false
}

// memberName returns the name under which a property key is reached.
func (w *walker) memberName(key sitter.Node) (string, graph.Span) {
	if key == sitter.None {
		return "", graph.Span{}
	}
	switch w.kind(key) {
	case kString:
		if f := w.child(key, kStringFragment); f != sitter.None {
			return w.text(f), w.b.Span(f)
		}
		return "", graph.Span{}
	case kNumber, kPropertyName, kPrivateName, kIdentifier:
		return w.text(key), w.b.Span(key)
	case kComputedName:
		if s := w.text(key); len(s) < 80 && !strings.Contains(s, "\n") {
			return s, w.b.Span(key)
		}
	default:
	}
	return "", graph.Span{}
}

func (w *walker) namespace(n sitter.Node, start uint32, flags graph.DefFlags) {
	name, body := w.nameOf(n), w.t.Child(n, fBody)
	if name == sitter.None {
		w.children(n)
		return
	}
	d := graph.Def{
		Name: w.text(name), Kind: graph.KindNamespace, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: w.b.Span(name),
		Signature: w.signature(w.t.Start(n), n, body), Flags: flags,
	}
	ambient := w.ambient
	if w.kind(name) == kString {
		f := w.child(name, kStringFragment)
		if f == sitter.None {
			w.children(n)
			return
		}
		d.Kind, d.Name, d.NameSpan = graph.KindModule, w.text(f), w.b.Span(f)
		w.ambient = true
	}
	def := w.add(d, start)
	if body != sitter.None {
		w.b.Enter(def)
		w.block(body)
		w.b.Leave()
	}
	w.ambient = ambient
}

// ambientDecl reads what follows declare.
func (w *walker) ambientDecl(n sitter.Node, start uint32, flags graph.DefFlags) {
	for c := range w.t.Children(n) {
		switch w.kind(c) {
		case kBlock: // declare global { … }
			at := w.t.Start(n) + uint32(strings.Index(w.text(n), "global"))
			def := w.add(graph.Def{
				Name: "global", Kind: graph.KindNamespace, Span: w.b.SpanBetween(start, w.t.End(n)),
				NameSpan: w.b.SpanBetween(at, at+uint32(len("global"))), Signature: "declare global", Flags: flags,
			}, start)
			w.b.Enter(def)
			w.block(c)
			w.b.Leave()
		case kComment:
			w.comment(c)
		default:
			w.pendingStart, w.pendingFlags = start, flags
			w.visit(c)
			w.pendingStart, w.pendingFlags = noStart, 0
		}
	}
}

// importAlias reads import A = N.B, an alias of a type or namespace.
func (w *walker) importAlias(n sitter.Node, start uint32, flags graph.DefFlags) {
	name := w.t.First(n)
	if name == sitter.None || w.t.Next(name) == sitter.None || w.text(name) == "" {
		return
	}
	target := w.t.Next(name)
	w.add(graph.Def{
		Name: w.text(name), Kind: graph.KindType, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: w.b.Span(name),
		Signature: w.signature(w.t.Start(n), n, sitter.None), Type: w.typeText(target), Flags: flags,
	}, start)
	w.visit(target)
}
