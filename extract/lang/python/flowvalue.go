package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

type flowKind uint8

const (
	flowFunction  flowKind = iota // a function, or with recv a method of an object
	flowLambda                    //
	flowClass                     //
	flowInstance                  // of the class node
	flowContainer                 // a literal: its elements from lo on, without the last hi
	flowIterable                  // yields the elements of the container node, or with Call what a function returns
	flowGenerator                 // a call of the function node, which yields
	flowConstant                  // text
	flowOutside                   // text, to be evaluated where imports are known
)

// flowValue is what an expression may evaluate to.
type flowValue struct {
	kind   flowKind
	node   sitter.Node
	recv   sitter.Node // the class of the object
	made   sitter.Node // of an instance: the call in env that makes it, or Root where it is not known
	lo, hi int
	text   string
	env    flowEnv // in which the parts of node are read
}

// flowEnv is a scope, and the call that runs it where one is followed.
type flowEnv struct {
	scope *flowScope
	call  *flowFrame
}

// flowFrame is a call that is followed into a function.
type flowFrame struct {
	flowSite
	fn    sitter.Node
	recv  sitter.Node
	outer *flowFrame
}

// flowSite is a place that calls a function.
type flowSite struct {
	call  sitter.Node // None for a decorator
	given sitter.Node // the decorator
	env   flowEnv
	bound bool // the object is not among the arguments
	fixed []flowValue
}

// same reports whether two values stand for one thing.
func (v *flowValue) same(o *flowValue) bool {
	return v.kind == o.kind && v.node == o.node && v.recv == o.recv && v.made == o.made && v.lo == o.lo && v.hi == o.hi && v.text == o.text
}

// union adds values to others. Of objects of one class that several calls make it is not
// told which.
func union(all, more []flowValue) []flowValue {
	for i := range more {
		if v := &more[i]; v.kind == flowInstance {
			at := slices.IndexFunc(all, func(o flowValue) bool { return o.kind == flowInstance && o.node == v.node })
			if at >= 0 && all[at].made != v.made {
				all = slices.Clone(all)
				all[at].made, all[at].env = sitter.Root, flowEnv{}
			}
			if at >= 0 {
				continue
			}
		}
		if len(all) < maxFlowValues && !slices.ContainsFunc(all, func(v flowValue) bool { return v.same(&more[i]) }) {
			all = append(all, more[i])
		}
	}
	return all
}

// eval follows an expression to its values; those that are not known are left out.
func (f *flow) eval(n sitter.Node, e flowEnv) []flowValue {
	if n == sitter.None || f.depth >= maxFlowDepth || f.fuel <= 0 {
		return nil
	}
	f.fuel--
	f.depth++
	defer func() { f.depth-- }()
	t := f.t
	switch t.Kind(n) {
	case kIdentifier:
		return f.name(t.Text(n), t.Start(n), e)
	case kAttribute:
		a := t.Child(n, fAttribute)
		if a == sitter.None {
			return nil
		}
		return f.attribute(f.eval(t.Child(n, fObject), e), t.Text(a))
	case kCall:
		return f.result(n, e)
	case kSubscript:
		return f.subscript(n, e)
	case kParenthesized, kAwait:
		return f.eval(f.content(n), e)
	case kNamedExpression:
		return f.eval(t.Child(n, fValue), e)
	case kConditional, kBooleanOperator:
		if a, b, ok := f.x.operands(n); ok {
			return union(f.eval(a, e), f.eval(b, e))
		}
		return f.eval(t.Child(n, fRight), e)
	case kLambda:
		return []flowValue{{kind: flowLambda, node: n, env: e}}
	case kList, kTuple, kSet, kDictionary, kExpressionList, kListComprehension, kSetComprehension, kGenerator:
		return []flowValue{{kind: flowContainer, node: n, env: e}}
	case kString:
		if s, ok := f.x.literal(n); ok {
			return []flowValue{{kind: flowConstant, text: "s" + s}}
		}
	case kBinaryOperator:
		return f.joinedTexts(n, e)
	case kInteger:
		return []flowValue{{kind: flowConstant, text: "i" + t.Text(n)}}
	default:
	}
	return nil
}

// content is what stands in brackets.
func (f *flow) content(n sitter.Node) sitter.Node {
	c := f.t.First(n)
	for c != sitter.None && f.t.Kind(c) == kComment {
		c = f.t.Next(c)
	}
	return c
}

// name looks up what a name that is used at pos holds.
func (f *flow) name(name string, pos uint32, e flowEnv) []flowValue {
	here := true // the scope runs where it stands
	for s := e.scope; s != nil; s = s.parent {
		if global, outer := s.globals[name]; outer && global {
			for s.parent != nil {
				s, here = s.parent, false
			}
		}
		if binds := s.binds[name]; len(binds) > 0 && (s.kind != classScope || s == e.scope) {
			var out []flowValue
			for _, b := range reaching(binds, pos, here) {
				out = union(out, f.bound(b, flowEnv{s, e.call}))
			}
			return out
		}
		here = here && !s.deferred()
	}
	return nil
}

// reaching picks of what a scope binds to a name the statements that may count at pos. The
// last that is sure counts, and those under a condition behind it.
func reaching(binds []flowBind, pos uint32, here bool) []flowBind {
	if !here {
		return binds
	}
	n := len(binds)
	for n > 0 && binds[n-1].pos > pos {
		n--
	}
	if n == 0 {
		return binds
	}
	for i := n - 1; i >= 0; i-- {
		if binds[i].direct {
			return binds[i:n]
		}
	}
	return binds[:n]
}

// bound evaluates what a statement binds.
func (f *flow) bound(b flowBind, e flowEnv) []flowValue {
	switch b.kind {
	case bindDef:
		return f.defined(b.value, e)
	case bindImport:
		return []flowValue{{kind: flowOutside, text: b.text}}
	case bindParam:
		return f.param(e.scope, b.index, e)
	case bindEntered:
		return f.entered(b.value, e)
	case bindElement:
		var out []flowValue
		for _, v := range f.eval(b.value, e) {
			out = union(out, f.elements(v))
		}
		return out
	default:
	}
	out := f.eval(b.value, e)
	for _, p := range b.path {
		var parts []flowValue
		for _, v := range out {
			parts = union(parts, f.part(v, p))
		}
		out = parts
	}
	return out
}

// part takes a tuple apart.
func (f *flow) part(v flowValue, p flowPart) []flowValue {
	if v.kind != flowContainer {
		return nil
	}
	list := f.parts(v)
	switch {
	case p.star:
		if v.lo+p.from <= v.lo+len(list) {
			v.lo, v.hi = v.lo+p.from, v.hi+p.behind
			return []flowValue{v}
		}
	case p.behind >= 0:
		if i := len(list) - 1 - p.behind; i >= 0 {
			return f.eval(list[i], v.env)
		}
	case p.from < len(list):
		return f.eval(list[p.from], v.env)
	}
	return nil
}

// parts lists the elements that a literal spells out.
func (f *flow) parts(v flowValue) []sitter.Node {
	var list []sitter.Node
	for c := range f.t.Children(v.node) {
		if f.t.Kind(c) != kComment {
			list = append(list, c)
		}
	}
	if v.lo > len(list) || len(list)-v.hi < v.lo {
		return nil
	}
	return list[v.lo : len(list)-v.hi]
}

// defined evaluates a definition: a function as its decorators leave it. One that
// stands for the function, by functools.wraps, is taken to be that.
func (f *flow) defined(n sitter.Node, e flowEnv) []flowValue {
	if f.t.Kind(n) == kClass {
		return []flowValue{{kind: flowClass, node: n}}
	}
	return f.decoratedFrom(n, e, 0)
}

// decoratedFrom evaluates a function as its decorators leave it but for the first ones.
func (f *flow) decoratedFrom(n sitter.Node, e flowEnv, first int) []flowValue {
	out := []flowValue{{kind: flowFunction, node: n, env: e}}
	if s := f.scopes[n]; s == nil || len(s.params) > 0 && s.params[0].self {
		return out // of methods too much is done by descriptors
	}
	list := f.decorators(n)
	for i := len(list) - 1; i >= first; i-- {
		var made []flowValue
		for _, d := range f.eval(list[i], e) {
			if d.kind == flowFunction || d.kind == flowLambda {
				made = union(made, f.run(d, flowSite{env: e, fixed: out}))
			}
		}
		made = slices.DeleteFunc(made, func(v flowValue) bool { return v.kind != flowFunction || f.wraps(v.node) })
		if len(made) > 0 {
			out = made
		}
	}
	return out
}

// wraps reports whether a function says that it stands for another.
func (f *flow) wraps(fn sitter.Node) bool {
	for _, d := range f.decorators(fn) {
		if text := f.t.Text(d); strings.HasPrefix(text, "wraps(") || strings.HasPrefix(text, "functools.wraps(") {
			return true
		}
	}
	return false
}

// attribute reads an attribute of values.
func (f *flow) attribute(values []flowValue, name string) []flowValue {
	var out []flowValue
	for _, v := range values {
		switch v.kind {
		case flowOutside:
			if len(v.text) < maxType {
				out = union(out, []flowValue{{kind: flowOutside, text: v.text + "." + name}})
			}
		case flowClass:
			if b, s, ok := f.member(v.node, name); ok {
				out = union(out, f.bound(b, flowEnv{scope: s}))
			}
		case flowInstance:
			out = union(out, f.ofObject(v, name))
		default:
		}
	}
	return out
}

// ofObject reads an attribute of an object: what is assigned to it, else a member of its
// class.
func (f *flow) ofObject(v flowValue, name string) []flowValue {
	var out []flowValue
	for i := range f.fields[name] {
		st := &f.fields[name][i]
		class := f.ofSelf(st)
		if class == sitter.None || !slices.Contains(f.order(v.node, nil), class) {
			continue
		}
		in := st.scope.enclosing()
		frame := &flowFrame{fn: in.node, recv: v.node, flowSite: flowSite{call: sitter.None}}
		if b, _, ok := f.member(v.node, "__init__"); ok && b.value == in.node && v.made > sitter.Root {
			frame.flowSite = flowSite{call: v.made, env: v.env, bound: true}
		}
		out = union(out, f.eval(st.value, flowEnv{st.scope, frame}))
	}
	besides := f.givenBesides(v, name)
	if len(out) > 0 {
		return union(out, besides)
	}
	return union(f.ofClass(v, name), besides)
}

// ofClass reads a member that the class of an object has.
func (f *flow) ofClass(v flowValue, name string) []flowValue {
	b, s, ok := f.member(v.node, name)
	if !ok {
		return nil
	}
	if b.kind != bindDef || f.t.Kind(b.value) != kFunction {
		return f.bound(b, flowEnv{scope: s})
	}
	recv := v.node
	if f.isStatic(b.value) {
		recv = sitter.None
	}
	return []flowValue{{kind: flowFunction, node: b.value, recv: recv, env: flowEnv{scope: s}}}
}

// member finds a member of a class of the file, on itself or a base in the file.
func (f *flow) member(class sitter.Node, name string) (flowBind, *flowScope, bool) {
	for _, c := range f.order(class, nil) {
		if binds := f.scopes[c].binds[name]; len(binds) > 0 {
			return binds[len(binds)-1], f.scopes[c], true
		}
	}
	return flowBind{}, nil, false
}

// order lists a class and its bases in the file, depth first.
func (f *flow) order(class sitter.Node, seen []sitter.Node) []sitter.Node {
	if slices.Contains(seen, class) || len(seen) > maxFlowDepth {
		return seen
	}
	seen = append(seen, class)
	bases := f.t.Child(class, fSuperclasses)
	if bases == sitter.None {
		return seen
	}
	for c := range f.t.Children(bases) {
		if k := f.t.Kind(c); k != kIdentifier && k != kAttribute {
			continue
		}
		for _, v := range f.eval(c, flowEnv{scope: f.scopes[class].parent}) {
			if v.kind == flowClass {
				seen = f.order(v.node, seen)
			}
		}
	}
	return seen
}

// subscript evaluates an element or a slice.
func (f *flow) subscript(n sitter.Node, e flowEnv) []flowValue {
	t := f.t
	key := t.Child(n, fSubscript)
	var out []flowValue
	for _, v := range f.eval(t.Child(n, fValue), e) {
		switch {
		case v.kind == flowOutside:
			if len(v.text) < maxType {
				out = union(out, []flowValue{{kind: flowOutside, text: v.text + f.x.indexText(n)}})
			}
		case v.kind != flowContainer || key == sitter.None:
		case t.Kind(key) == kSlice:
			if lo, ok := f.sliceFrom(key); ok {
				v.lo += lo
			}
			out = union(out, []flowValue{v})
		default:
			out = union(out, f.at(v, key, e, t.Start(n)))
		}
	}
	return out
}

// sliceFrom reads n of [n:…].
func (f *flow) sliceFrom(key sitter.Node) (int, bool) {
	first := f.t.First(key)
	if first == sitter.None || f.t.Kind(first) != kInteger || f.t.Start(first) != f.t.Start(key) {
		return 0, false
	}
	n, err := strconv.Atoi(f.t.Text(first))
	return n, err == nil && n < 1000
}
