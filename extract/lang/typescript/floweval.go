package typescript

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// flowValue is a value: a function, class, object or array by the node that makes it.
type flowValue struct {
	node sitter.Node
	// proto says that it is the prototype of the function or class.
	proto bool
	// handed says that it was reached by a name, an argument, a result or a prototype,
	// and not as the function that is written in place.
	handed bool
}

// link finds which calls run which functions, once a parameter is asked about, in two
// rounds: what an argument is may follow from another call.
func (fl *flow) link() {
	if fl.args != nil {
		return
	}
	fl.args = map[sitter.Node][]sitter.Node{}
	rest, steps := fl.calls, fl.steps
	for range 2 {
		found := map[sitter.Node][]sitter.Node{}
		var unknown []sitter.Node
		for _, n := range rest {
			fl.steps = 0
			to := fl.callees(fl.calleeOf(n))
			for _, v := range to {
				found[v.node] = append(found[v.node], n)
			}
			if len(to) == 0 {
				unknown = append(unknown, n)
			}
		}
		for f, calls := range found {
			fl.args[f] = append(fl.args[f], calls...)
		}
		rest = unknown
	}
	fl.steps = steps
}

func (fl *flow) calleeOf(n sitter.Node) sitter.Node {
	if fl.w.kind(n) == kNew {
		return fl.w.t.Child(n, fConstructor)
	}
	return fl.w.t.Child(n, fFunction)
}

// callees lists the functions and classes that a callee may be. What call and apply are
// taken from is the callee itself.
func (fl *flow) callees(n sitter.Node) (out []flowValue) {
	if n == sitter.None {
		return nil
	}
	if object := fl.through(n); object != sitter.None {
		n = object
	}
	for _, v := range fl.eval(n, 0) {
		if fl.runs(v) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// through returns f of f.call and the like.
func (fl *flow) through(n sitter.Node) sitter.Node {
	if fl.w.kind(n) != kMember {
		return sitter.None
	}
	if name := fl.memberName(n); isCallThrough(name) && !fl.members[name] {
		return fl.w.t.Child(n, fObject)
	}
	return sitter.None
}

func (fl *flow) runs(v flowValue) bool {
	if v.proto {
		return false
	}
	switch fl.w.kind(v.node) {
	case kFunctionDecl, kGeneratorDecl, kFunctionExpr, kGeneratorExpr, kArrow, kMethodDef, kClassDecl, kAbstractClass, kClass:
		return true
	default:
	}
	return false
}

func handed(vs []flowValue) []flowValue {
	out := slices.Clone(vs)
	for i := range out {
		out[i].handed = true
	}
	return out
}

// eval lists what an expression may be.
func (fl *flow) eval(n sitter.Node, depth int) []flowValue {
	fl.steps++
	fl.total++
	if n == sitter.None || depth > maxFlowDepth || fl.steps > maxFlowSteps || fl.total > maxFlowTotal || fl.walking[n] {
		return nil
	}
	fl.walking[n] = true
	defer delete(fl.walking, n)
	w := fl.w
	switch w.kind(n) {
	case kFunctionDecl, kGeneratorDecl, kFunctionExpr, kGeneratorExpr, kArrow, kMethodDef, kClassDecl, kAbstractClass, kClass, kObject, kArray:
		return []flowValue{{node: n}}
	case kIdentifier, kShorthand:
		return handed(fl.variable(fl.lookup(n, w.text(n)), depth+1))
	case kMember, kSubscript:
		return fl.member(n, depth)
	case kParenthesized, kAwait, kNonNull, kAs, kSatisfies:
		return fl.eval(w.t.First(n), depth+1)
	case kAssignment:
		return fl.eval(w.t.Child(n, fRight), depth+1)
	case kTernary:
		return append(fl.eval(w.t.Child(n, fConsequence), depth+1), fl.eval(w.t.Child(n, fAlternative), depth+1)...)
	case kBinary:
		switch w.operator(n) {
		case "||", "??":
			return append(fl.eval(w.t.Child(n, fLeft), depth+1), fl.eval(w.t.Child(n, fRight), depth+1)...)
		case "&&":
			return fl.eval(w.t.Child(n, fRight), depth+1)
		}
	case kNew:
		return []flowValue{{node: n}}
	case kCall:
		return fl.result(n, depth)
	default:
	}
	return nil
}

// variable lists what a variable may hold: what it is assigned, and of a parameter what
// calls of its function hand to it.
func (fl *flow) variable(v *flowVar, depth int) (out []flowValue) {
	if v == nil {
		return nil
	}
	for _, s := range v.sources {
		out = append(out, fl.source(s, depth)...)
	}
	if v.fn == sitter.None {
		return out
	}
	fl.link()
	for _, call := range fl.args[v.fn] {
		if args := fl.w.t.Child(call, fArguments); args != sitter.None {
			list, at := fl.arguments(args), v.param
			if fn := fl.w.t.Child(call, fFunction); fn != sitter.None && fl.through(fn) != sitter.None {
				if fl.memberName(fn) != "call" {
					continue
				}
				at++
			}
			if at < len(list) {
				out = append(out, fl.source(source{list[at], v.prop}, depth)...)
			}
		}
	}
	return out
}

func (fl *flow) source(s source, depth int) []flowValue {
	if s.prop == "" {
		return fl.eval(s.node, depth+1)
	}
	return fl.membersOf(fl.eval(s.node, depth+1), s.prop, depth+1)
}

// result lists what a call returns.
func (fl *flow) result(n sitter.Node, depth int) (out []flowValue) {
	w := fl.w
	fn := w.t.Child(n, fFunction)
	if fn == sitter.None {
		return nil
	}
	if w.kind(fn) == kMember {
		object := w.t.Child(fn, fObject)
		args := w.t.Child(n, fArguments)
		if object == sitter.None || args == sitter.None {
			return nil
		}
		list := fl.arguments(args)
		switch name := fl.memberName(fn); {
		case name == "bind":
			return handed(fl.eval(object, depth+1))
		case name == "create" && w.text(object) == "Object" && len(list) > 0:
			return []flowValue{{node: n}}
		case name == "get" && len(list) == 1:
			if key, ok := w.stringValue(list[0]); ok {
				if vs := fl.membersOf(fl.eval(object, depth+1), "get:"+key, depth+1); len(vs) > 0 {
					return handed(vs)
				}
			}
		case name == "pop" || name == "shift":
			if vs := fl.membersOf(fl.eval(object, depth+1), "["+name+"]", depth+1); len(vs) > 0 {
				return handed(vs)
			}
		}
	}
	for _, f := range fl.callees(fn) {
		for _, r := range fl.returns(f.node) {
			out = append(out, fl.eval(r, depth+1)...)
		}
	}
	return handed(out)
}

// returns lists the expressions that a function returns.
func (fl *flow) returns(n sitter.Node) (out []sitter.Node) {
	w := fl.w
	body := w.t.Child(n, fBody)
	if body == sitter.None || w.kind(n) == kClassDecl || w.kind(n) == kClass {
		return nil
	}
	if w.kind(body) != kBlock {
		return []sitter.Node{body}
	}
	for c, end := body+1, w.t.After(body); c < end; {
		switch w.kind(c) {
		case kFunctionDecl, kGeneratorDecl, kFunctionExpr, kGeneratorExpr, kArrow, kMethodDef, kClass, kClassDecl, kAbstractClass:
			c = w.t.After(c)
			continue
		case kReturn:
			if r := w.t.First(c); r != sitter.None {
				out = append(out, r)
			}
		default:
		}
		c++
	}
	return out
}

func (fl *flow) member(n sitter.Node, depth int) []flowValue {
	name := fl.memberName(n)
	object := fl.w.t.Child(n, fObject)
	if name == "" || object == sitter.None {
		return nil
	}
	on := fl.eval(object, depth+1)
	if name == "prototype" {
		var out []flowValue
		for _, v := range on {
			if fl.runs(v) {
				out = append(out, flowValue{node: v.node, proto: true})
			}
		}
		return out
	}
	return fl.membersOf(on, name, depth+1)
}

// membersOf lists what a member of one of some objects may be.
func (fl *flow) membersOf(on []flowValue, name string, depth int) (out []flowValue) {
	for i, v := range on {
		if !slices.Contains(on[:i], v) {
			out = append(out, fl.memberOf(v, name, depth+1)...)
		}
	}
	return out
}

// memberOf looks at the object itself, then at what stands behind it.
func (fl *flow) memberOf(v flowValue, name string, depth int) (out []flowValue) {
	if depth > maxFlowDepth || fl.steps > maxFlowSteps {
		return nil
	}
	v.handed = false
	if strings.HasPrefix(name, "[") {
		return fl.elements(v, name, depth)
	}
	if !v.proto {
		out = fl.inLiteral(v.node, name, depth)
	}
	for _, wr := range fl.writes[name] {
		if fl.holds(wr.object, v, depth) {
			out = append(out, fl.eval(wr.value, depth+1)...)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, behind := range fl.behind(v, depth) {
		out = append(out, fl.memberOf(behind, name, depth+1)...)
	}
	return handed(out)
}

// holds reports whether an expression may be the object.
func (fl *flow) holds(n sitter.Node, v flowValue, depth int) bool {
	if n == v.node && !v.proto {
		return true
	}
	return slices.ContainsFunc(fl.eval(n, depth+1), func(o flowValue) bool { return o.node == v.node && o.proto == v.proto })
}

// inLiteral lists the values of a member in an object literal.
func (fl *flow) inLiteral(n sitter.Node, name string, depth int) (out []flowValue) {
	w := fl.w
	if w.kind(n) != kObject {
		return nil
	}
	for c := range w.t.Children(n) {
		switch w.kind(c) {
		case kPair:
			if key, _ := w.memberName(w.t.Child(c, fKey)); key == name {
				out = fl.eval(w.t.Child(c, fValue), depth+1)
			}
		case kShorthand:
			if w.text(c) == name {
				out = fl.eval(c, depth+1)
			}
		case kMethodDef:
			if key, _ := w.memberName(w.t.Child(c, fName)); key == name {
				out = []flowValue{{node: c}}
			}
		case kSpread:
			if vs := fl.membersOf(fl.eval(w.t.First(c), depth+1), name, depth+1); len(vs) > 0 {
				out = handed(vs)
			}
		default:
		}
	}
	return out
}

// behind lists the objects that a member is looked for on when v has not got it.
func (fl *flow) behind(v flowValue, depth int) (out []flowValue) {
	w := fl.w
	for _, wr := range fl.writes["__proto__"] {
		if fl.holds(wr.object, v, depth) {
			out = append(out, fl.eval(wr.value, depth+1)...)
		}
	}
	switch k := w.kind(v.node); {
	case v.proto: // F.prototype = …
		for _, wr := range fl.writes["prototype"] {
			if fl.holds(wr.object, flowValue{node: v.node}, depth) {
				out = append(out, fl.eval(wr.value, depth+1)...)
			}
		}
	case k == kNew:
		for _, f := range fl.callees(w.t.Child(v.node, fConstructor)) {
			out = append(out, flowValue{node: f.node, proto: true})
		}
	case k == kCall: // Object.create(o)
		if args := w.t.Child(v.node, fArguments); args != sitter.None {
			if list := fl.arguments(args); len(list) > 0 {
				out = append(out, fl.eval(list[0], depth+1)...)
			}
		}
	}
	return out
}

// elements lists what an element of an array may be: at a place, the first or last, or
// any.
func (fl *flow) elements(v flowValue, name string, depth int) (out []flowValue) {
	w := fl.w
	if w.kind(v.node) != kArray {
		return nil
	}
	var list []sitter.Node
	for c := range w.t.Children(v.node) {
		if w.kind(c) != kComment {
			list = append(list, c)
		}
	}
	for _, p := range fl.pushes {
		if fl.holds(p.object, v, depth) {
			list = append(list, p.value)
		}
	}
	at := -1
	switch index := strings.Trim(name, "[]"); index {
	case "shift":
		at = 0
	case "pop":
		at = len(list) - 1
	case "":
	default:
		if i, err := strconv.Atoi(index); err == nil {
			at = i
		}
	}
	for i, c := range list {
		if at < 0 || i == at {
			out = append(out, fl.eval(c, depth+1)...)
		}
	}
	return handed(out)
}
