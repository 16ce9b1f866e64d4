package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// emit adds the references of what calls run.
func (f *flow) emit() {
	f.nameStores()
	plain := f.plainCalls()
	for i := range f.calls {
		c := &f.calls[i]
		if f.fuel <= 0 {
			break
		}
		f.depth = 0
		switch c.kind {
		case kCall, kDecorator:
			f.emitCall(c, plain)
			f.emitGiven(c)
		case kRaise:
			if c.callee != sitter.None && f.t.Kind(c.callee) != kCall {
				f.put(c.scope, f.nameSpan(c.callee), f.classes(f.eval(c.callee, flowEnv{scope: c.scope})))
			}
		case kFor:
			f.protocol(c, c.callee, f.t.Start(c.node), 3, "__iter__", "__next__")
		case kWith:
			f.protocol(c, c.callee, f.t.Start(f.withOf(c.node)), 4, "__enter__", "__exit__")
		default:
			f.operator(c)
		}
	}
	f.x.b.Facts.Refs = append(f.x.b.Facts.Refs, f.added...)
}

// plainCalls finds the references of calls by their places.
func (f *flow) plainCalls() map[uint32]int {
	out := make(map[uint32]int, len(f.calls))
	for i := range f.x.b.Facts.Refs {
		if r := &f.x.b.Facts.Refs[i]; r.Use.Calls() {
			out[r.Span.Start] = i
		}
	}
	return out
}

// emitCall adds what one call runs. Where its name stands for a value, the call is of
// what that is, and the name is only read.
func (f *flow) emitCall(c *flowCall, plain map[uint32]int) {
	t := f.t
	if c.callee == sitter.None || c.scope.enclosing().lambda {
		return
	}
	e := flowEnv{scope: c.scope}
	switch t.Kind(c.callee) {
	case kIdentifier:
		name, pos := t.Text(c.callee), t.Start(c.callee)
		if f.isPlain(name, pos, c.scope) {
			return
		}
		values := f.name(name, pos, e)
		if f.put(c.scope, f.x.b.Span(c.callee), values) && !slices.ContainsFunc(values, made) {
			f.demote(plain, pos)
		}
	case kAttribute:
		f.emitMember(c, plain, e)
	case kLambda, kParenthesized, kConditional, kBooleanOperator:
	case kCall, kSubscript:
		at := t.Start(c.node) // of "@"
		if c.kind == kCall {
			args := t.Child(c.node, fArguments)
			if args == sitter.None {
				return
			}
			at = t.Start(args)
		}
		values := f.eval(c.callee, e)
		if c.kind == kDecorator { // one from elsewhere is a reference already
			values = slices.DeleteFunc(values, func(v flowValue) bool { return v.kind == flowOutside })
		}
		f.put(c.scope, f.x.b.SpanBetween(at, at+1), values)
	default:
	}
}

// made reports whether a value is the result of something in another file, which may be
// nothing that is known there.
func made(v flowValue) bool { return v.kind == flowOutside && strings.Contains(v.text, "()") }

// emitMember adds what a call of a member runs, where that is a function which the
// object was given, or where the text says nothing of the object.
func (f *flow) emitMember(c *flowCall, plain map[uint32]int, e flowEnv) {
	a := f.t.Child(c.callee, fAttribute)
	if a == sitter.None {
		return
	}
	pos, name := f.t.Start(a), f.t.Text(a)
	i, ok := plain[pos]
	if !ok {
		return
	}
	given := len(f.fields[name]) > 0
	if !given && !f.methods[name] || !given && !f.unknownObject(&f.x.b.Facts.Refs[i]) {
		return
	}
	objects := f.eval(f.t.Child(c.callee, fObject), e)
	var values []flowValue
	for _, o := range objects {
		if o.kind != flowInstance {
			continue
		}
		if _, _, has := f.member(o.node, name); has && !f.unknownObject(&f.x.b.Facts.Refs[i]) {
			return // it is known what the object has, but for what stands in for it
		}
		values = union(values, f.ofObject(o, name))
	}
	if f.put(c.scope, f.x.b.Span(a), values) {
		f.demote(plain, pos)
	}
}

// unknownObject reports whether nothing but the values of the file says what the member
// of a call belongs to.
func (f *flow) unknownObject(r *graph.Ref) bool {
	if r.Hint.Rule == graph.HintLocal {
		return true
	}
	_, field, ok := strings.Cut(r.Qualifier, ".")
	if r.Hint.Rule != graph.HintSelf || !ok || strings.ContainsAny(field, ".()[]") {
		return false
	}
	for i := range f.x.b.Facts.Defs {
		d := &f.x.b.Facts.Defs[i]
		if d.Name == field && d.Kind == graph.KindField && d.Container != graph.NoDef && f.x.b.Facts.Defs[d.Container].Local == r.Hint.Type {
			return d.Type == "" || strings.HasPrefix(d.Type, unknown)
		}
	}
	return false
}

// isPlain reports whether a name stands for definitions as they are written, or for an import,
// which others bind.
func (f *flow) isPlain(name string, pos uint32, s *flowScope) bool {
	here := true
	for at := s; at != nil; at = at.parent {
		if binds := at.binds[name]; len(binds) > 0 && (at.kind != classScope || at == s) {
			for _, b := range reaching(binds, pos, here) {
				if b.kind != bindImport && !f.itself(b, flowEnv{scope: at}) {
					return false
				}
			}
			return true
		}
		here = here && !at.deferred()
	}
	return true // of the language, or of a star import
}

// itself reports whether a name stands for a definition as it is written: its decorators,
// such as those of overloads, leave it.
func (f *flow) itself(b flowBind, e flowEnv) bool {
	if b.kind != bindDef {
		return false
	}
	values := f.defined(b.value, e)
	return len(values) == 1 && values[0].node == b.value
}

// demote makes a call of a name a use of it.
func (f *flow) demote(plain map[uint32]int, pos uint32) {
	if i, ok := plain[pos]; ok {
		r := &f.x.b.Facts.Refs[i]
		r.Use, r.Args = graph.UseRead, -1
		if r.Qualifier == "" {
			r.Hint = graph.Hint{}
		}
	}
}

// nameSpan is the place of the last name of an expression.
func (f *flow) nameSpan(n sitter.Node) graph.Span {
	if f.t.Kind(n) == kAttribute {
		if a := f.t.Child(n, fAttribute); a != sitter.None {
			n = a
		}
	}
	return f.x.b.Span(n)
}

// classes keeps the classes of the file.
func (f *flow) classes(values []flowValue) (out []flowValue) {
	for _, v := range values {
		if v.kind == flowClass {
			out = append(out, v)
		}
	}
	return out
}

// target is what a reference leads to: a definition of the file, or a text.
type flowTarget struct {
	def  int32
	text string
	name string
}

// put adds a reference for each function or class among values. It reports whether
// there are any.
func (f *flow) put(s *flowScope, span graph.Span, values []flowValue) bool {
	var targets []flowTarget
	for i := range values {
		if t, ok := f.targetOf(&values[i]); ok {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 { // it is known what runs, though it has no name
		return slices.ContainsFunc(values, func(v flowValue) bool { return v.kind == flowLambda })
	}
	if len(targets) > maxFlowTargets {
		return false
	}
	for _, t := range targets {
		r := graph.Ref{Name: t.name, Use: graph.UseCall, Span: span, Enclosing: s.def, Args: -1, Hint: graph.Hint{Rule: graph.HintFlow, Type: t.text + share(len(targets))}}
		if t.text == "" {
			r.Hint.Type = f.offset(t.def, len(targets))
		}
		f.added = append(f.added, r)
	}
	return true
}

// targetOf names what a call of a value runs. A lambda goes by the name that it is given
// where it stands.
func (f *flow) targetOf(v *flowValue) (t flowTarget, ok bool) {
	switch v.kind {
	case flowFunction, flowClass:
		name := f.t.Child(v.node, fName)
		t.def, ok = f.defs[f.t.Start(name)]
	case flowLambda:
		p := f.t.Parent(v.node)
		if f.t.Kind(p) != kAssignment || f.t.Child(p, fLeft) == sitter.None {
			return t, false
		}
		t.def, ok = f.defs[f.t.Start(f.t.Child(p, fLeft))]
	case flowInstance:
		b, _, found := f.member(v.node, "__call__")
		if !found || b.kind != bindDef {
			return t, false
		}
		t.def, ok = f.defs[f.t.Start(f.t.Child(b.value, fName))]
	case flowOutside:
		t.text = v.text
		name := strings.TrimRight(v.text, "()[]0123456789:")
		t.name = name[strings.LastIndexAny(name, ".()[]")+1:]
		return t, t.name != ""
	default:
	}
	if ok {
		t.name = f.x.b.Facts.Defs[t.def].Name
	}
	return t, ok
}

// protocol adds the methods that the language calls on an object.
func (f *flow) protocol(c *flowCall, object sitter.Node, at, size uint32, methods ...string) {
	if c.scope.enclosing().lambda {
		return
	}
	for _, v := range f.eval(object, flowEnv{scope: c.scope}) {
		if v.kind != flowInstance {
			continue
		}
		for _, m := range methods {
			if b, _, ok := f.member(v.node, m); ok && b.kind == bindDef {
				f.put(c.scope, f.x.b.SpanBetween(at, at+size), []flowValue{{kind: flowFunction, node: b.value}})
			}
		}
	}
}

// operator adds the method that an operator or a subscript calls.
func (f *flow) operator(c *flowCall) {
	t := f.t
	if c.callee == sitter.None {
		return
	}
	if c.kind == kSubscript {
		method, p := "__getitem__", t.Parent(c.node)
		if t.Kind(p) == kAssignment && t.Child(p, fLeft) == c.node {
			method = "__setitem__"
		}
		f.protocol(c, c.callee, t.End(c.callee), 1, method)
		return
	}
	right := t.Next(c.callee)
	for right != sitter.None && t.Kind(right) == kComment {
		right = t.Next(right)
	}
	if right == sitter.None {
		return
	}
	text := f.x.b.Slice(t.End(c.callee), t.Start(right))
	op := strings.TrimSpace(text)
	object := c.callee
	if op == "in" || op == "not in" {
		object = right
	}
	if method := operatorMethod(op); method != "" {
		at := t.End(c.callee) + uint32(strings.Index(text, op))
		f.protocol(c, object, at, uint32(len(op)), method)
	}
}

var operatorMethods = [...]string{ //nolint:gochecknoglobals // immutable
	"__getitem__", "__setitem__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__",
	"__add__", "__sub__", "__mul__", "__truediv__", "__floordiv__", "__mod__", "__pow__", "__matmul__",
	"__and__", "__or__", "__xor__", "__lshift__", "__rshift__",
}

func operatorMethod(op string) string {
	switch op {
	case "==":
		return "__eq__"
	case "!=":
		return "__ne__"
	case "<":
		return "__lt__"
	case "<=":
		return "__le__"
	case ">":
		return "__gt__"
	case ">=":
		return "__ge__"
	case "in", "not in":
		return "__contains__"
	case "+":
		return "__add__"
	case "-":
		return "__sub__"
	case "*":
		return "__mul__"
	case "/":
		return "__truediv__"
	case "//":
		return "__floordiv__"
	case "%":
		return "__mod__"
	case "**":
		return "__pow__"
	case "@":
		return "__matmul__"
	case "&":
		return "__and__"
	case "|":
		return "__or__"
	case "^":
		return "__xor__"
	case "<<":
		return "__lshift__"
	case ">>":
		return "__rshift__"
	}
	return ""
}
