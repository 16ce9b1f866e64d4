package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

func (x *extractor) decorated(n sitter.Node) {
	def := x.t.Child(n, fDefinition)
	switch {
	case def == sitter.None:
		x.visitChildren(n)
	case x.t.Kind(def) == kFunction:
		x.function(def, n)
	case x.t.Kind(def) == kClass:
		x.class(def, n)
	default:
		x.visitChildren(n)
	}
}

// newDef fills what functions and classes share. outer is the decorated
// definition around n, or None.
func (x *extractor) newDef(n, outer, name sitter.Node) graph.Def {
	span := x.b.Span(n)
	if outer != sitter.None {
		span = x.b.Span(outer)
	}
	d := graph.Def{
		Name: x.b.Text(name), Span: span, NameSpan: x.b.Span(name),
		Signature: x.signature(n), Doc: x.docString(x.t.Child(n, fBody)),
	}
	x.place(&d)
	return d
}

// place sets the parts that follow from where a definition stands.
func (x *extractor) place(d *graph.Def) {
	d.Local = d.Name
	if c := x.b.EnclosingDef(); c != nil {
		d.Local = c.Local + "." + d.Name
		if c.Has(graph.FlagLocal) || x.scope.function() != nil {
			d.Flags |= graph.FlagLocal
		}
	}
	if x.conditional > 0 {
		d.Flags |= graph.FlagConditional
	}
}

// signature is the header on one line, without the colon and without comments.
func (x *extractor) signature(n sitter.Node) string {
	t := x.t
	end := t.End(t.Child(n, fName))
	for _, f := range [...]sitter.Field{fTypeParameters, fParameters, fSuperclasses, fReturnType} {
		if c := t.Child(n, f); c != sitter.None {
			end = max(end, t.End(c))
		}
	}
	start := t.Start(n)
	text := ""
	for c, after := n+1, t.After(n); c < after && t.Start(c) < end; c++ {
		if t.Kind(c) == kComment {
			text += x.b.Slice(start, t.Start(c))
			start = t.End(c)
		}
	}
	if text == "" {
		text = x.b.Signature(start, end)
	} else {
		text = spec.OneLine(text + x.b.Slice(start, max(start, end)))
	}
	if x.b.Lines.Line(t.Start(n)) == x.b.Lines.Line(end) {
		return text
	}
	// A header of several lines is written as on one.
	return strings.NewReplacer("( ", "(", ", )", ")", " )", ")").Replace(text)
}

// docString returns the first line of the string that a body begins with.
func (x *extractor) docString(body sitter.Node) string {
	if body == sitter.None {
		return ""
	}
	first := x.t.First(body)
	for first != sitter.None && x.t.Kind(first) == kComment {
		first = x.t.Next(first)
	}
	if first == sitter.None || x.t.Kind(first) != kExpressionStatement {
		return ""
	}
	s := x.t.First(first)
	if s == sitter.None || x.t.Kind(s) != kString {
		return ""
	}
	if content := x.t.ChildOfKind(s, kStringContent); content != sitter.None {
		return spec.DocLine(x.b.Text(content))
	}
	return ""
}

// function walks one function or method.
func (x *extractor) function(n, outer sitter.Node) {
	t := x.t
	name, params, body := t.Child(n, fName), t.Child(n, fParameters), t.Child(n, fBody)
	if name == sitter.None || t.Start(name) == t.End(name) {
		x.visitChildren(n)
		return
	}
	if params != sitter.None {
		x.defaults(params)
	}
	d := x.newDef(n, outer, name)
	d.Kind = graph.KindFunction
	in := x.scope
	class := in.kind == classScope
	if class {
		d.Kind = graph.KindMethod
	}
	if strings.HasPrefix(d.Signature, "async") {
		d.Flags |= graph.FlagAsync
	}
	marks := x.decorators(outer)
	marks.apply(&d, class)
	x.markTest(&d)
	d.Type = x.annotation(t.Child(n, fReturnType))
	x.defined(d.Name, n)
	x.decoratorCalls(outer)
	i := x.b.AddDef(d)
	x.b.Enter(i)
	x.decoratorRefs(outer, in)
	x.annotationRefs(n, params)
	x.scope = newScope(functionScope, in, i)
	x.scope.body, x.scope.deferred = body, true
	x.parameters(params, d.Name, class, marks)
	if x.injects(&d, class) {
		x.fixtureRefs(params, marks)
	}
	before := x.conditional
	x.conditional = 0
	if body != sitter.None {
		x.inner(body, in.function() != nil)
	}
	if d.Type == "" {
		x.b.Facts.Defs[i].Type = x.scope.result()
	}
	x.conditional, x.scope = before, in
	x.b.Leave()
}

// annotationRefs adds the type references of a function's header.
func (x *extractor) annotationRefs(n, params sitter.Node) {
	if params != sitter.None {
		for c := range x.t.Children(params) {
			if typ := x.t.Child(c, fType); typ != sitter.None {
				x.typeRefs(typ)
			}
		}
	}
	if r := x.t.Child(n, fReturnType); r != sitter.None {
		x.typeRefs(r)
	}
}

// defaults walks default values: they belong to the scope around the function.
func (x *extractor) defaults(params sitter.Node) {
	for c := range x.t.Children(params) {
		if k := x.t.Kind(c); k == kDefaultParameter || k == kTypedDefaultParameter {
			x.visit(x.t.Child(c, fValue))
		}
	}
}

// paramName returns the identifier that a parameter binds, a tuple of the old
// form, or None for "/" and "*".
func (x *extractor) paramName(n sitter.Node) sitter.Node {
	switch x.t.Kind(n) {
	case kIdentifier, kTuplePattern:
		return n
	case kDefaultParameter, kTypedDefaultParameter:
		return x.t.Child(n, fName)
	case kTypedParameter, kListSplatPattern, kDictSplatPattern:
		if c := x.t.First(n); c != sitter.None {
			return x.paramName(c)
		}
	default:
	}
	return sitter.None
}

// parameters binds the parameters of a function.
func (x *extractor) parameters(params sitter.Node, function string, method bool, m marks) {
	if params == sitter.None {
		return
	}
	first := method
	for c := range x.t.Children(params) {
		if x.t.Kind(c) == kComment {
			continue
		}
		name := x.paramName(c)
		x.bindTarget(name, boundValue)
		if name == sitter.None || x.t.Kind(name) != kIdentifier {
			first = false
			continue
		}
		text := x.b.Text(name)
		b := x.scope.names[text]
		if b == nil {
			continue
		}
		b.param, b.values, b.now = true, 0, heldValue
		if first && (!m.static || m.classMethod) {
			x.scope.self = text
			b.hint = x.selfHint()
			if takesClass(function, m) {
				b.hint.Rule = graph.HintClass
			}
		} else {
			b.hint = x.paramHint(c)
		}
		first = false
	}
}

func (x *extractor) paramHint(param sitter.Node) graph.Hint {
	inner := param
	if x.t.Kind(param) == kTypedParameter {
		inner = x.t.First(param)
	}
	switch x.t.Kind(inner) {
	case kListSplatPattern:
		return x.restHint(param, "tuple", "tuple[%, ...]")
	case kDictSplatPattern:
		return x.restHint(param, "dict", "dict[str, %]")
	default:
	}
	if typ := x.t.Child(param, fType); typ != sitter.None {
		return declared(x.annotation(typ))
	}
	// A default says what callers pass, unless it is None or taken from elsewhere.
	value := x.t.Child(param, fValue)
	if value == sitter.None {
		return graph.Hint{Rule: graph.HintLocal}
	}
	switch k := x.t.Kind(value); {
	case k == kCall, k == kIdentifier && isClassName(x.b.Text(value)), literalType(x.t, value) != "":
		return x.hintOf(value)
	}
	return graph.Hint{Rule: graph.HintLocal}
}

// restHint is what is known of a parameter that takes what is left: what holds it, and by
// an annotation of what.
func (x *extractor) restHint(param sitter.Node, container, of string) graph.Hint {
	if typ := x.annotation(x.t.Child(param, fType)); typ != "" && len(typ) < maxType/2 {
		return graph.Hint{Rule: graph.HintDeclared, Type: strings.Replace(of, "%", typ, 1)}
	}
	return graph.Hint{Rule: graph.HintLiteral, Type: container}
}

// takesClass reports whether the first parameter of a method is the class.
func takesClass(name string, m marks) bool {
	return m.classMethod || name == "__new__" || name == "__init_subclass__" || name == "__class_getitem__"
}

// noteReturn remembers the type of a returned value.
func (x *extractor) noteReturn(n sitter.Node) {
	f := x.scope.function()
	value := x.t.First(n)
	if f == nil || value == sitter.None || x.t.Kind(value) == kNone {
		return
	}
	s := x.expression(value)
	if s == "" {
		s = unknown
	}
	f.returns = append(f.returns, s)
}

// yields stands before the type of what a generator yields.
const yields = "yield "

// noteYield remembers the type of a yielded value.
func (x *extractor) noteYield(n sitter.Node) {
	f := x.scope.function()
	if f == nil {
		return
	}
	f.yields = true
	value := x.t.First(n)
	if value == sitter.None || strings.HasPrefix(strings.TrimSpace(x.b.Slice(x.t.Start(n)+uint32(len("yield")), x.t.Start(value))), "from") {
		f.yielded = append(f.yielded, unknown)
		return
	}
	s := x.expression(value)
	if s == "" {
		s = unknown
	}
	f.yielded = append(f.yielded, s)
}

// maxResults bounds the alternatives that a result may have.
const maxResults = 4

// result is the type of what a function without annotation returns: what is known
// of its return statements, the alternatives joined by " | ".
func (s *scope) result() string {
	results := s.returns
	if s.yields {
		results = s.yielded
	}
	var all []string
	open := false
	for _, r := range results {
		open = open || r == unknown
		if typ := typeText(r); typ != "" && !slices.Contains(all, typ) {
			all = append(all, typ)
		}
	}
	if len(all) == 0 || len(all) > maxResults {
		return ""
	}
	if open {
		all[0] = orElse(all[0])
	}
	if s.yields {
		return yields + strings.Join(all, between)
	}
	return strings.Join(all, between)
}

// class walks one class.
func (x *extractor) class(n, outer sitter.Node) {
	t := x.t
	name, body := t.Child(n, fName), t.Child(n, fBody)
	if name == sitter.None || t.Start(name) == t.End(name) {
		x.visitChildren(n)
		return
	}
	d := x.newDef(n, outer, name)
	d.Kind = graph.KindClass
	info := &classInfo{tests: strings.HasPrefix(d.Name, "Test")}
	bases := t.Child(n, fSuperclasses)
	for _, base := range x.baseNames(bases) {
		switch {
		case isEnumBase(base):
			info.enum, d.Kind = true, graph.KindEnum
		case base == "Protocol":
			d.Kind = graph.KindInterface
		case strings.HasSuffix(base, "TestCase"):
			info.unittest = true
		case base == "ABC":
			d.Flags |= graph.FlagAbstract
		}
	}
	x.defined(d.Name, n)
	x.decoratorCalls(outer)
	i := x.b.AddDef(d)
	x.classes[i] = info
	x.b.Enter(i)
	x.decoratorRefs(outer, x.scope)
	x.bases(i, bases)
	in, before := x.scope, x.conditional
	x.scope, x.conditional = newScope(classScope, in, i), 0
	x.scope.body = body
	if body != sitter.None {
		x.collect(body)
		x.visitChildren(body)
	}
	x.scope, x.conditional = in, before
	x.b.Leave()
}

// defined notes that a name of the function at hand stands for a definition from
// here on, or, where that is not sure, that it is not known what it stands for.
func (x *extractor) defined(name string, n sitter.Node) {
	b := x.scope.names[name]
	switch {
	case b == nil:
	case x.direct(n):
		b.now = heldDef
	default:
		b.now = heldUnknown
	}
}

func isEnumBase(name string) bool {
	switch name {
	case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "TextChoices", "IntegerChoices", "Choices":
		return true
	}
	return false
}

// baseNames returns the last identifier of each plain base.
func (x *extractor) baseNames(args sitter.Node) []string {
	if args == sitter.None {
		return nil
	}
	var names []string
	for c := range x.t.Children(args) {
		if _, name, _ := x.baseParts(c); name != sitter.None {
			names = append(names, x.b.Text(name))
		}
	}
	return names
}

// baseParts takes a base apart: what stands before its last name, the last name,
// and the subscript of a generic base.
func (x *extractor) baseParts(n sitter.Node) (qualifier string, name, index sitter.Node) {
	t := x.t
	switch t.Kind(n) {
	case kIdentifier:
		return "", n, sitter.None
	case kAttribute:
		if o, a := t.Child(n, fObject), t.Child(n, fAttribute); o != sitter.None && a != sitter.None {
			return cut(x.render(o)), a, sitter.None
		}
	case kSubscript:
		if v := t.Child(n, fValue); v != sitter.None {
			q, name, _ := x.baseParts(v)
			return q, name, n
		}
	default:
	}
	return "", sitter.None, sitter.None
}

// bases adds the heritage of a class.
func (x *extractor) bases(class int32, args sitter.Node) {
	if args == sitter.None {
		return
	}
	for c := range x.t.Children(args) {
		if x.t.Kind(c) == kCall {
			x.madeBase(class, c)
			x.visit(c)
			continue
		}
		q, name, index := x.baseParts(c)
		if name == sitter.None {
			x.visit(c) // metaclass=, *bases
			continue
		}
		x.addBase(class, graph.RelExtends, q, name)
		if index != sitter.None {
			for i := range x.t.Children(index) {
				if x.t.Field(i) != fValue {
					x.typeRefs(i)
				}
			}
		}
	}
}

func (x *extractor) addBase(class int32, rel graph.HeritageRel, q string, name sitter.Node) {
	x.b.Facts.Heritage = append(x.b.Facts.Heritage, graph.Heritage{
		Def: class, Rel: rel, Name: x.b.Text(name), Qualifier: q, Span: x.b.Span(name),
	})
}

// madeBase takes a base that a call makes for a mixture of the classes in it: its
// arguments, and the class whose method is called.
func (x *extractor) madeBase(class int32, call sitter.Node) {
	t := x.t
	args := t.Child(call, fArguments)
	if fn := t.Child(call, fFunction); fn != sitter.None && t.Kind(fn) == kAttribute {
		if q, name, _ := x.baseParts(t.Child(fn, fObject)); name != sitter.None && isClassName(x.b.Text(name)) {
			x.addBase(class, graph.RelEmbeds, q, name)
		}
	}
	if args == sitter.None {
		return
	}
	for c := range t.Children(args) {
		if q, name, _ := x.baseParts(c); name != sitter.None && isClassName(x.b.Text(name)) {
			x.addBase(class, graph.RelEmbeds, q, name)
		}
	}
}

func isClassName(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
