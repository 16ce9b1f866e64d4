package typescript

import (
	"slices"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

func (w *walker) classDecl(n sitter.Node, start uint32, flags graph.DefFlags) {
	name := w.nameOf(n)
	if name == sitter.None {
		w.anonymousClass(n)
		return
	}
	d := graph.Def{
		Name: w.text(name), Kind: graph.KindClass, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: w.b.Span(name),
		Signature: w.signature(w.declStart(n), n, w.t.Child(n, fBody)), Flags: flags,
	}
	w.classBody(n, w.add(d, start))
}

// declStart is the start of a declaration behind its decorators.
func (w *walker) declStart(n sitter.Node) uint32 {
	start := w.t.Start(n)
	for c := range w.t.Children(n) {
		if w.kind(c) == kDecorator {
			start = w.t.End(c)
		}
	}
	return start
}

// anonymousClass reads a class that nothing names: its members' bodies only.
func (w *walker) anonymousClass(n sitter.Node) {
	w.selves = append(w.selves, self{graph.Hint{Rule: graph.HintLocal}, graph.NoDef})
	w.locals.Open()
	defer w.locals.Close()
	if name := w.nameOf(n); name != sitter.None {
		w.locals.Declare(local(w.text(name), graph.Hint{Rule: graph.HintLocal}))
	}
	if h := w.child(n, kClassHeritage); h != sitter.None {
		w.children(h)
	}
	if body := w.t.Child(n, fBody); body != sitter.None {
		for c := range w.t.Children(body) {
			if w.kind(c) == kMethodDef {
				w.function(c, "")
			} else {
				w.visit(c)
			}
		}
	}
	w.selves = w.selves[:len(w.selves)-1]
}

// classBody reads heritage and members as the inside of the class's definition.
func (w *walker) classBody(n sitter.Node, def int32) {
	w.b.Enter(def)
	if name := w.nameOf(n); w.kind(n) == kClass && name != sitter.None && w.text(name) != w.b.Facts.Defs[def].Name {
		w.locals.Open() // inside itself it goes by the name of the expression
		defer w.locals.Close()
		w.locals.Declare(local(w.text(name), graph.Hint{Rule: graph.HintClass, Type: w.b.Facts.Defs[def].Local}))
	}
	mark := len(w.typeParams)
	if tp := w.t.Child(n, fTypeParameters); tp != sitter.None && !w.d.javascript {
		w.visit(tp)
	}
	for c := range w.t.Children(n) {
		switch w.kind(c) {
		case kDecorator:
			w.visit(c)
		case kClassHeritage:
			w.heritage(c, def)
		default:
		}
	}
	if body := w.t.Child(n, fBody); body != sitter.None {
		w.classMembers(body, def)
	}
	w.typeParams = w.typeParams[:mark]
	w.b.Leave()
}

func (w *walker) classMembers(body sitter.Node, def int32) {
	class := &w.b.Facts.Defs[def]
	hint := graph.Hint{Rule: graph.HintSelf, Type: class.Local}
	defer func(outer bool) { w.staticBlock = outer }(w.staticBlock)
	w.staticBlock = false
	exported := class.Flags & graph.FlagExported
	w.noteMembers(body, def)
	start := uint32(noStart) // of decorators before a method
	for c := range w.t.Children(body) {
		at := min(start, w.t.Start(c))
		w.selves = append(w.selves, self{hint, def})
		switch w.kind(c) {
		case kDecorator:
			start = at
			w.visit(c)
		case kMethodDef, kMethodSignature, kAbstractMethod:
			w.method(c, at, exported)
			start = noStart
		case kField, kFieldJS:
			w.field(c, at, exported)
			start = noStart
		case kStaticBlock:
			w.selves[len(w.selves)-1].hint.Rule = graph.HintClass
			w.staticBlock = true
			w.depth++
			w.children(c)
			w.depth--
			w.staticBlock = false
			start = noStart
		default:
			w.visit(c)
		}
		w.selves = w.selves[:len(w.selves)-1]
	}
}

// noteMembers remembers the members that a class of JavaScript declares: this.x = … makes
// no field of such a name.
func (w *walker) noteMembers(body sitter.Node, def int32) {
	if !w.d.javascript {
		return
	}
	for c := range w.t.Children(body) {
		key := sitter.None
		switch w.kind(c) {
		case kMethodDef:
			key = w.t.Child(c, fName)
		case kFieldJS:
			key = w.t.Child(c, fProperty)
		default:
		}
		if name, _ := w.memberName(key); name != "" && !slices.Contains(w.keywords(c, key), "static") {
			if w.thisFields == nil {
				w.thisFields = map[thisField]int32{}
			}
			w.thisFields[thisField{def, name}] = graph.NoDef
		}
	}
}

// modifiers turns keywords into flags and says whether the member is an accessor.
func modifiers(words []string) (flags graph.DefFlags, accessor, private bool) {
	for _, word := range words {
		switch word {
		case "static":
			flags |= graph.FlagStatic
		case "async":
			flags |= graph.FlagAsync
		case "abstract":
			flags |= graph.FlagAbstract
		case "get", "set", "accessor":
			accessor = true
		case "private":
			private = true
		}
	}
	return flags, accessor, private
}

// method reads a method, accessor or constructor of a class or object literal.
func (w *walker) method(n sitter.Node, start uint32, exported graph.DefFlags) {
	key, body := w.t.Child(n, fName), w.t.Child(n, fBody)
	name, nameSpan := w.memberName(key)
	if name == "" {
		w.children(n)
		return
	}
	flags, accessor, private := modifiers(w.keywords(n, key))
	if !private && name[0] != '#' {
		flags |= exported
	}
	if body == sitter.None {
		flags |= graph.FlagAbstract
	}
	d := graph.Def{
		Name: name, Kind: graph.KindMethod, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: nameSpan,
		Signature: w.signature(w.declStart(n), n, body), Type: w.returnAnnotation(n), Flags: flags,
	}
	if accessor {
		d.Kind = graph.KindProperty
	}
	if flags&graph.FlagStatic != 0 && len(w.selves) > 0 {
		w.selves[len(w.selves)-1].hint.Rule = graph.HintClass
	}
	if w.kind(key) == kComputedName {
		w.children(key)
	}
	for c := range w.t.Children(n) {
		if w.kind(c) == kDecorator {
			w.visit(c)
		}
	}
	def := w.add(d, start)
	if name == "constructor" {
		w.parameterProperties(n, exported)
	}
	w.enterFunction(n, def, "")
}

// parameterProperties adds the fields that a constructor's parameters declare.
func (w *walker) parameterProperties(n sitter.Node, exported graph.DefFlags) {
	list := w.t.Child(n, fParameters)
	if list == sitter.None || w.d.javascript {
		return
	}
	for p := range w.t.Children(list) {
		name := w.t.Child(p, fPattern)
		if name == sitter.None || w.kind(name) != kIdentifier {
			continue
		}
		words := w.keywords(p, name)
		if !containsAny(words, "private", "public", "protected", "readonly", "override") {
			continue
		}
		d := graph.Def{
			Name: w.text(name), Kind: graph.KindField, Span: w.b.Span(p), NameSpan: w.b.Span(name),
			Signature: w.b.Signature(w.declStart(p), w.t.End(p)), Type: w.annotation(p),
		}
		if _, _, private := modifiers(words); !private {
			d.Flags |= exported
		}
		if v := w.t.Child(p, fValue); d.Type == "" && v != sitter.None {
			d.Type = w.valueType(v)
		}
		w.add(d, w.t.Start(p))
	}
}

func containsAny(words []string, any ...string) bool {
	for _, word := range words {
		for _, a := range any {
			if word == a {
				return true
			}
		}
	}
	return false
}

// field reads a field of a class. One bound to a function is a method.
func (w *walker) field(n sitter.Node, start uint32, exported graph.DefFlags) {
	key := w.t.Child(n, fName)
	if w.d.javascript {
		key = w.t.Child(n, fProperty)
	}
	name, nameSpan := w.memberName(key)
	value := w.t.Child(n, fValue)
	if name == "" {
		w.children(n)
		return
	}
	flags, accessor, private := modifiers(w.keywords(n, key))
	if !private && name[0] != '#' {
		flags |= exported
	}
	d := graph.Def{
		Name: name, Kind: graph.KindField, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: nameSpan,
		Signature: w.signature(w.declStart(n), n, value), Type: w.annotation(n), Flags: flags,
	}
	if accessor {
		d.Kind = graph.KindProperty
	}
	if flags&graph.FlagStatic != 0 {
		w.selves[len(w.selves)-1].hint.Rule = graph.HintClass
	}
	for c := range w.t.Children(n) {
		if k := w.kind(c); k == kDecorator || k == kComputedName {
			w.visit(c)
		}
	}
	if value == sitter.None {
		w.fieldType(n, w.add(d, start))
		return
	}
	if w.isFunctionValue(value) && w.kind(value) != kClass {
		d.Kind = graph.KindMethod
		d.Signature = w.signature(w.declStart(n), value, w.t.Child(value, fBody))
		d.Type = w.returnAnnotation(value)
		w.methodSelf = &w.selves[len(w.selves)-1] // a function as a field still runs on the object
		def := w.add(d, start)
		doc := w.docParams
		w.fieldType(n, def)
		w.docParams = doc
		w.enterFunction(value, def, "")
		return
	}
	if d.Type == "" {
		d.Type = w.valueType(value)
	}
	def := w.add(d, start)
	w.fieldType(n, def)
	w.variableValue(def, value)
}

// fieldType visits the type annotation of a field.
func (w *walker) fieldType(n sitter.Node, def int32) {
	if typ := w.child(n, kTypeAnnotation); typ != sitter.None {
		w.b.Enter(def)
		w.visit(typ)
		w.b.Leave()
	}
}

func (w *walker) interfaceDecl(n sitter.Node, start uint32, flags graph.DefFlags) {
	name, body := w.nameOf(n), w.t.Child(n, fBody)
	if name == sitter.None {
		w.children(n)
		return
	}
	def := w.add(graph.Def{
		Name: w.text(name), Kind: graph.KindInterface, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: w.b.Span(name),
		Signature: w.signature(w.t.Start(n), n, body), Flags: flags,
	}, start)
	w.b.Enter(def)
	mark := len(w.typeParams)
	if tp := w.t.Child(n, fTypeParameters); tp != sitter.None {
		w.visit(tp)
	}
	if ext := w.child(n, kExtendsTypeClause); ext != sitter.None {
		for t := range w.t.Children(ext) {
			w.base(t, def, graph.RelExtends)
			w.visit(t)
		}
	}
	if body != sitter.None {
		w.b.Facts.Defs[def].Type = w.callType(body)
		w.typeMembers(body, flags&graph.FlagExported, 0)
	}
	w.typeParams = w.typeParams[:mark]
	w.b.Leave()
}

// callType returns the first call signature of an interface, or else construct
// signature, as a function type.
func (w *walker) callType(body sitter.Node) string {
	construct := ""
	for c := range w.t.Children(body) {
		k := w.kind(c)
		if k != kCallSignature && k != kConstructSignature {
			continue
		}
		result := w.t.Child(c, fReturnType)
		if k == kConstructSignature {
			result = w.t.Child(c, fType)
		}
		if result == sitter.None {
			continue
		}
		s := spec.OneLine(w.b.Slice(w.t.Start(c), w.t.Start(result))) + " => " + w.typeText(result)
		if len(s) > maxType {
			continue
		}
		if k == kCallSignature {
			return s
		}
		if construct == "" {
			construct = s
		}
	}
	return construct
}

// typeMembers adds the members of an interface or object type.
func (w *walker) typeMembers(body sitter.Node, exported graph.DefFlags, depth int) {
	for c := range w.t.Children(body) {
		switch w.kind(c) {
		case kMethodSignature:
			w.method(c, w.t.Start(c), exported)
		case kPropertySignature:
			w.propertySignature(c, exported, depth)
		default:
			w.visit(c)
		}
	}
}

func (w *walker) propertySignature(n sitter.Node, exported graph.DefFlags, depth int) {
	name, nameSpan := w.memberName(w.t.Child(n, fName))
	typ := w.t.Child(n, fType)
	if name == "" {
		w.children(n)
		return
	}
	def := w.add(graph.Def{
		Name: name, Kind: graph.KindProperty, Span: w.b.Span(n), NameSpan: nameSpan, Type: w.annotation(n),
		Signature: w.signature(w.t.Start(n), n, sitter.None), Flags: exported | graph.FlagAbstract,
	}, w.t.Start(n))
	if typ == sitter.None {
		return
	}
	w.b.Enter(def)
	w.annotationMembers(typ, exported, depth+1)
	w.b.Leave()
}

func (w *walker) typeAlias(n sitter.Node, start uint32, flags graph.DefFlags) {
	name, value := w.nameOf(n), w.t.Child(n, fValue)
	if name == sitter.None || value == sitter.None {
		w.children(n)
		return
	}
	def := w.add(graph.Def{
		Name: w.text(name), Kind: graph.KindType, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: w.b.Span(name),
		Signature: w.signature(w.t.Start(n), n, sitter.None), Type: w.typeText(value), Flags: flags,
	}, start)
	w.b.Enter(def)
	mark := len(w.typeParams)
	if tp := w.t.Child(n, fTypeParameters); tp != sitter.None {
		w.visit(tp)
	}
	w.aliasMembers(value, flags&graph.FlagExported, 0)
	w.typeParams = w.typeParams[:mark]
	w.b.Leave()
}

// maxAliasDepth bounds how far object types in object types hold members of each other;
// deeper ones are members of what is around.
const maxAliasDepth = 5

// aliasMembers adds the members of the object types that an alias is made of.
func (w *walker) aliasMembers(n sitter.Node, exported graph.DefFlags, depth int) {
	if w.kind(n) == kObjectType && depth < maxAliasDepth {
		w.typeMembers(n, exported, depth)
		return
	}
	if k := w.kind(n); k != kUnion && k != kIntersection && k != kParenthesizedType {
		w.visit(n)
		return
	}
	for c := range w.t.Children(n) {
		w.aliasMembers(c, exported, depth)
	}
}

// annotationMembers adds the members of the object types in an annotation.
func (w *walker) annotationMembers(n sitter.Node, exported graph.DefFlags, depth int) {
	for c := range w.t.Children(n) {
		w.aliasMembers(c, exported, depth)
	}
}

func (w *walker) enumDecl(n sitter.Node, start uint32, flags graph.DefFlags) {
	name, body := w.nameOf(n), w.t.Child(n, fBody)
	if name == sitter.None {
		w.children(n)
		return
	}
	def := w.add(graph.Def{
		Name: w.text(name), Kind: graph.KindEnum, Span: w.b.SpanBetween(start, w.t.End(n)), NameSpan: w.b.Span(name),
		Signature: w.signature(w.t.Start(n), n, body), Flags: flags,
	}, start)
	if body == sitter.None {
		return
	}
	w.b.Enter(def)
	for c := range w.t.Children(body) {
		if w.kind(c) == kComment {
			w.comment(c)
			continue
		}
		key := c
		if w.kind(c) == kEnumAssignment {
			key = w.t.Child(c, fName)
		}
		if name, nameSpan := w.memberName(key); name != "" {
			w.add(graph.Def{
				Name: name, Kind: graph.KindEnumMember, Span: w.b.Span(c), NameSpan: nameSpan,
				Signature: w.b.Signature(w.t.Start(c), w.t.End(c)), Flags: flags & graph.FlagExported,
			}, w.t.Start(c))
		}
		if v := w.t.Child(c, fValue); v != sitter.None {
			w.visit(v)
		}
	}
	w.b.Leave()
}
