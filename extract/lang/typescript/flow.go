package typescript

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// Functions are values: they are handed on by assignments, arguments, results, and as
// elements and members of objects. What a call of such a value may run is found here as
// far as one file shows it, without regard to the order in which things happen but for
// the ends of arrays. Names that lead out of the file end the search.

// Bounds on the search. Files with more calls of values than that are not of the kind
// that hands on named functions.
const (
	maxFlowCalls   = 2000
	maxFlowNodes   = 30_000 // in a file
	maxFlowSteps   = 4000   // for one call
	maxFlowTotal   = 20_000 // for all calls of a file; one that a tool has packed would take millions
	maxFlowDepth   = 24
	maxFlowTargets = 4
)

// flowCall is a call whose callee is a value.
type flowCall struct {
	callee    sitter.Node
	at        sitter.Node // where the reference is put
	enclosing int32
	args      int16
	ref       int32 // of the name, where there is one: the value may have another
}

// noteFlow remembers a call of what may be a value.
func (w *walker) noteFlow(callee, at sitter.Node, args int16, ref int32) {
	if len(w.flowCalls) <= maxFlowCalls {
		w.flowCalls = append(w.flowCalls, flowCall{callee, at, w.b.Enclosing(), args, ref})
	}
}

// noteMemberCall remembers the call of a member of a variable.
func (w *walker) noteMemberCall(n sitter.Node, use graph.Use, args int16) {
	object, property := w.t.Child(n, fObject), w.t.Child(n, fProperty)
	if use != graph.UseCall || object == sitter.None || property == sitter.None || w.lastRef() < 0 {
		return
	}
	if k := w.kind(object); k == kIdentifier || k == kMember && isCallThrough(w.text(property)) {
		w.noteFlow(n, property, args, w.lastRef())
	}
}

// isCallThrough reports whether a member of a function runs the function.
func isCallThrough(name string) bool { return name == "call" || name == "apply" }

func (w *walker) lastRef() int32 { return int32(len(w.b.Facts.Refs)) - 1 }

// bindFlow adds references to the functions that calls of values may run.
func (w *walker) bindFlow() {
	if len(w.flowCalls) == 0 || len(w.flowCalls) > maxFlowCalls || w.t.Len() > maxFlowNodes {
		return
	}
	named := map[uint32]int32{} // functions and classes, by the offset of their names
	for i := range w.b.Facts.Defs {
		switch d := &w.b.Facts.Defs[i]; d.Kind {
		case graph.KindFunction, graph.KindMethod, graph.KindClass:
			named[d.NameSpan.Start] = int32(i)
		default:
		}
	}
	if len(named) == 0 {
		return
	}
	fl := newFlow(w)
	added := false
	for i := range w.flowCalls {
		c := &w.flowCalls[i]
		to := fl.targets(c, named)
		if fl.total > maxFlowTotal {
			break // what is found from here on is a part
		}
		if len(to) == 0 || len(to) > maxFlowTargets {
			continue
		}
		if c.ref >= 0 {
			w.b.Facts.Refs[c.ref].Use, w.b.Facts.Refs[c.ref].Args = graph.UseRead, -1 // what it holds runs
		}
		for _, def := range to {
			d := &w.b.Facts.Defs[def]
			w.b.Facts.Refs = append(w.b.Facts.Refs, graph.Ref{
				Name: d.Name, Use: graph.UseCall, Span: w.b.Span(c.at), Enclosing: c.enclosing, Args: c.args,
				Hint: graph.Hint{Rule: graph.HintFlow, Type: flowHint(d.NameSpan.Start, len(to))},
			})
			added = true
		}
	}
	if added {
		slices.SortStableFunc(w.b.Facts.Refs, func(a, b graph.Ref) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	}
}

// targets lists the definitions that a call of a value may run, where the name itself
// does not say so.
func (fl *flow) targets(c *flowCall, named map[uint32]int32) (to []int32) {
	w := fl.w
	fl.steps = 0
	through := fl.through(c.callee) != sitter.None
	if c.ref >= 0 && !through {
		if k := w.kind(c.callee); k == kIdentifier && !fl.holdsValue(c.callee) || k != kIdentifier && !fl.proto && !fl.held[fl.memberName(c.callee)] {
			return nil
		}
	}
	for _, v := range fl.callees(c.callee) {
		if def, ok := named[w.nameOffset(v.node)]; ok && !slices.Contains(to, def) && (c.ref < 0 || through || v.handed) {
			to = append(to, def)
		}
	}
	return to
}

// holdsValue reports whether a name is of a variable that is given something else than
// a function written in place.
func (fl *flow) holdsValue(n sitter.Node) bool {
	if !fl.valued[fl.w.text(n)] {
		return false
	}
	v := fl.lookup(n, fl.w.text(n))
	return v != nil && !slices.ContainsFunc(v.sources, func(s source) bool { return s.prop == "" && fl.runs(flowValue{node: s.node}) })
}

// flowHint names a definition by the offset of its name, and of how many it is one.
func flowHint(offset uint32, of int) string {
	return strconv.Itoa(int(offset)) + "/" + strconv.Itoa(of)
}

// nameOffset is where the name stands under which a function or class is defined.
func (w *walker) nameOffset(n sitter.Node) uint32 {
	name := w.t.Child(n, fName)
	if p := w.t.Parent(n); p != sitter.None && w.isFunctionValue(n) {
		switch w.kind(p) {
		case kDeclarator:
			name = w.t.Child(p, fName)
		case kPair:
			name = w.t.Child(p, fKey)
		case kField:
			name = w.t.Child(p, fName)
		case kFieldJS:
			name = w.t.Child(p, fProperty)
		case kAssignment:
			if l := w.t.Child(p, fLeft); l != sitter.None && w.kind(l) == kMember {
				name = w.t.Child(l, fProperty)
			}
		default:
		}
	}
	if name == sitter.None {
		return noStart
	}
	if w.kind(name) == kString {
		if name = w.child(name, kStringFragment); name == sitter.None {
			return noStart
		}
	}
	return w.b.Span(name).Start
}

// source is where a variable or a member gets a value from: an expression, or a member
// or an element of one.
type source struct {
	node sitter.Node
	prop string // "" the expression itself; "[2]", "[]" elements
}

// flowVar is one variable.
type flowVar struct {
	sources []source
	fn      sitter.Node // of a parameter its function
	param   int
	prop    string // of a name in the pattern of a parameter, as in source
}

// written is a value that is given to a member.
type written struct {
	object, value sitter.Node
}

// flow is what one file says of the values of its variables and members.
type flow struct {
	w       *walker
	scopes  map[sitter.Node]map[string]*flowVar
	writes  map[string][]written // by the name of the member
	pushes  []written            // what is added to arrays, in order
	calls   []sitter.Node
	members map[string]bool // call and apply, where the file defines them
	held    map[string]bool // members that are given more than functions written in place
	proto   bool            // prototypes are set
	valued  map[string]bool // variables that are given something else than a function
	steps   int             // for the call that is looked at
	total   int
	walking map[sitter.Node]bool
	args    map[sitter.Node][]sitter.Node // calls of a function, once known
}

func newFlow(w *walker) *flow {
	fl := &flow{w: w, scopes: map[sitter.Node]map[string]*flowVar{}, writes: map[string][]written{}, held: map[string]bool{}, members: map[string]bool{}, valued: map[string]bool{}, walking: map[sitter.Node]bool{}}
	for i := range w.b.Facts.Defs {
		if name := w.b.Facts.Defs[i].Name; isCallThrough(name) {
			fl.members[name] = true
		}
	}
	var assignments []sitter.Node
	for n := sitter.Root; int(n) < w.t.Len(); n++ {
		switch w.kind(n) {
		case kFunctionDecl, kGeneratorDecl, kClassDecl, kAbstractClass:
			fl.function(n)
			if name := w.t.Child(n, fName); name != sitter.None {
				fl.declare(w.t.Parent(n), w.text(name)).sources = []source{{node: n}}
			}
		case kFunctionExpr, kGeneratorExpr, kArrow, kMethodDef, kClass:
			fl.function(n)
		case kDeclarator:
			fl.declarator(n)
		case kForIn, kCatch, kImportStatement:
			fl.opaque(n)
		case kAssignment:
			assignments = append(assignments, n)
		case kPair:
			if v := w.t.Child(n, fValue); v != sitter.None && !w.isFunctionValue(v) {
				name, _ := w.memberName(w.t.Child(n, fKey))
				fl.held[name] = true
			}
		case kShorthand:
			fl.held[w.text(n)] = true
		case kCall, kNew:
			fl.call(n)
		default:
		}
	}
	for _, n := range assignments {
		fl.assignment(n)
	}
	return fl
}

// declare makes a variable of the innermost scope around n, or returns it.
func (fl *flow) declare(n sitter.Node, name string) *flowVar {
	for n != sitter.None && n != sitter.Root && !fl.scoping(n) {
		n = fl.w.t.Parent(n)
	}
	names := fl.scopes[n]
	if names == nil {
		names = map[string]*flowVar{}
		fl.scopes[n] = names
	}
	v := names[name]
	if v == nil {
		v = &flowVar{fn: sitter.None}
		names[name] = v
	}
	return v
}

func (fl *flow) scoping(n sitter.Node) bool {
	switch fl.w.kind(n) {
	case kFunctionDecl, kGeneratorDecl, kFunctionExpr, kGeneratorExpr, kArrow, kMethodDef, kBlock, kFor, kForIn, kCatch, kSwitch, kStaticBlock,
		kClass, kInternalModule, kModule:
		return true
	default:
	}
	return false
}

// lookup finds the variable that a name denotes at a node, or nil.
func (fl *flow) lookup(n sitter.Node, name string) *flowVar {
	for ; n != sitter.None; n = fl.w.t.Parent(n) {
		if n != sitter.Root && !fl.scoping(n) {
			continue
		}
		if v := fl.scopes[n][name]; v != nil {
			return v
		}
	}
	return nil
}

// function declares the parameters of a function, and its own name inside it.
func (fl *flow) function(n sitter.Node) {
	w := fl.w
	if k := w.kind(n); k == kFunctionExpr || k == kGeneratorExpr || k == kClass {
		if name := w.t.Child(n, fName); name != sitter.None {
			fl.declare(n, w.text(name)).sources = []source{{node: n}}
		}
	}
	if p := w.t.Child(n, fParameter); p != sitter.None && w.kind(p) == kIdentifier {
		v := fl.declare(n, w.text(p))
		v.fn, v.param = n, 0
	}
	list := w.t.Child(n, fParameters)
	if list == sitter.None {
		return
	}
	i := 0
	for p := range w.t.Children(list) {
		if w.kind(p) == kComment {
			continue
		}
		pattern, value := p, sitter.None
		switch w.kind(p) {
		case kRequiredParameter, kOptionalParameter:
			pattern, value = w.t.Child(p, fPattern), w.t.Child(p, fValue)
		case kAssignmentPattern:
			pattern, value = w.t.Child(p, fLeft), w.t.Child(p, fRight)
		default:
		}
		if pattern == sitter.None || w.kind(pattern) == kThis {
			continue
		}
		fl.pattern(pattern, "", func(name, prop string) {
			v := fl.declare(n, name)
			v.fn, v.param, v.prop = n, i, prop
			if value != sitter.None {
				v.sources = append(v.sources, source{value, prop})
			}
		})
		i++
	}
}

// pattern calls yield with the names that a pattern binds, and which member or element
// of the whole each is; of those deeper inside with "?", which nothing has.
func (fl *flow) pattern(n sitter.Node, prop string, yield func(name, prop string)) {
	w := fl.w
	switch w.kind(n) {
	case kIdentifier, kShorthandPattern:
		yield(w.text(n), prop)
		return
	case kRestPattern:
		prop = "?"
	default:
	}
	if prop != "" {
		prop = "?"
	}
	for c := range w.t.Children(n) {
		part, at := c, prop
		switch w.kind(c) {
		case kShorthandPattern:
			at = cmp.Or(prop, w.text(c))
		case kObjectAssignmentPattern, kAssignmentPattern:
			if part = w.t.Child(c, fLeft); part != sitter.None && w.kind(n) == kObjectPattern {
				at = cmp.Or(prop, w.text(part))
			}
		case kPairPattern:
			if key := w.t.Child(c, fKey); key != sitter.None {
				at = cmp.Or(prop, w.text(key))
			}
			part = w.t.Child(c, fValue)
		default:
		}
		if w.kind(n) == kArrayPattern && prop == "" {
			at = "[" + strconv.Itoa(fl.indexOf(n, c)) + "]"
		}
		if part != sitter.None {
			fl.pattern(part, at, yield)
		}
	}
}

func (fl *flow) indexOf(list, n sitter.Node) int {
	for c, i := range fl.w.positions(list) {
		if c == n {
			return i
		}
	}
	return -1
}

func (fl *flow) declarator(n sitter.Node) {
	w := fl.w
	name, value := w.t.Child(n, fName), w.t.Child(n, fValue)
	if name == sitter.None {
		return
	}
	at := w.t.Parent(n)
	if at != sitter.None && w.kind(at) == kVariableDecl {
		at = w.bodyAround(at)
	}
	fl.pattern(name, "", func(name, prop string) {
		v := fl.declare(at, name)
		if value != sitter.None {
			v.sources = append(v.sources, source{value, prop})
			fl.valued[name] = fl.valued[name] || prop != "" || !w.isFunctionValue(value)
		}
	})
}

// opaque declares names of which nothing is known.
func (fl *flow) opaque(n sitter.Node) {
	w := fl.w
	for _, f := range [...]sitter.Field{fLeft, fParameter} {
		if p := w.t.Child(n, f); p != sitter.None {
			fl.pattern(p, "", func(name, _ string) { fl.declare(n, name) })
		}
	}
}

func (fl *flow) assignment(n sitter.Node) {
	w := fl.w
	left, right := w.t.Child(n, fLeft), w.t.Child(n, fRight)
	if left == sitter.None || right == sitter.None {
		return
	}
	switch w.kind(left) {
	case kIdentifier:
		if v := fl.lookup(left, w.text(left)); v != nil {
			v.sources = append(v.sources, source{node: right})
			fl.valued[w.text(left)] = true
		}
	case kMember, kSubscript:
		if object := w.t.Child(left, fObject); object != sitter.None {
			if name := fl.memberName(left); name != "" {
				fl.writes[name] = append(fl.writes[name], written{object, right})
				fl.held[name] = fl.held[name] || !w.isFunctionValue(right)
			}
		}
	default:
	}
}

// memberName is the name of the member that an expression takes: "[2]" and "[]" of an
// element, "" where it is not known.
func (fl *flow) memberName(n sitter.Node) string {
	w := fl.w
	if w.kind(n) == kMember {
		if p := w.t.Child(n, fProperty); p != sitter.None {
			return w.text(p)
		}
		return ""
	}
	index := w.t.Child(n, fIndex)
	if key, ok := w.stringValue(index); ok {
		return key
	}
	return w.indexed(n)
}

func (fl *flow) call(n sitter.Node) {
	w := fl.w
	fn, args := w.t.Child(n, fFunction), w.t.Child(n, fArguments)
	if args == sitter.None {
		return
	}
	list := fl.arguments(args)
	if slices.ContainsFunc(list, fl.mayHand) {
		fl.calls = append(fl.calls, n)
	}
	if fn == sitter.None || w.kind(fn) != kMember {
		return
	}
	object := w.t.Child(fn, fObject)
	if object == sitter.None || len(list) == 0 {
		return
	}
	switch name := fl.memberName(fn); {
	case name == "push" && len(list) == 1:
		fl.pushes = append(fl.pushes, written{object, list[0]})
	case name == "set" && len(list) == 2:
		if key, ok := w.stringValue(list[0]); ok {
			fl.writes["get:"+key] = append(fl.writes["get:"+key], written{object, list[1]})
		}
	case name == "setPrototypeOf" && len(list) == 2 && w.text(object) == "Object":
		fl.writes["__proto__"] = append(fl.writes["__proto__"], written{list[0], list[1]})
		fl.proto = true
	case name == "create" && w.text(object) == "Object":
		fl.proto = true
	}
}

// mayHand reports whether an argument may be, or hold, a function.
func (fl *flow) mayHand(n sitter.Node) bool {
	switch fl.w.kind(n) {
	case kString, kTemplateString, kNumber, kRegex, kNull, kUndefined, kThis, kSuper, kUnary, kUpdate, kOther:
		return false
	default:
	}
	return true
}

func (fl *flow) arguments(args sitter.Node) (list []sitter.Node) {
	for c := range fl.w.t.Children(args) {
		if fl.w.kind(c) != kComment {
			list = append(list, c)
		}
	}
	return list
}
