package python

import (
	"slices"
	"strconv"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// Functions are values. What a call of one runs follows from where the value comes
// from: an assignment, an argument, an element of a list or a dictionary, a result, a
// decorator. flow follows values backwards from the calls of one file, by the order of
// the text, and knows neither conditions nor how often a loop runs. What comes from
// another file is left as a text, for graph/resolve/python to evaluate.
//
// Each function that a call may run so is a reference of its own, under the name of the
// function, with HintFlow.
type flow struct {
	x      *extractor
	t      *sitter.Tree
	scopes map[sitter.Node]*flowScope
	defs   map[uint32]int32 // by the start of the name
	calls  []flowCall
	fields map[string][]flowStore  // what is assigned to attributes, by name
	items  []flowStore             // what is assigned to elements
	named  []flowStore             // what setattr assigns; key is the name
	beside map[string][]flowBeside // what is assigned to attributes of objects, but for self

	sites   map[sitter.Node][]flowSite // of functions and lambdas; nil before they are looked for
	stored  map[sitter.Node][]flowStore
	methods map[string]bool // names of the members of classes
	// operators, iterates and manages say that some are what the language calls for operators,
	// for loops and with statements.
	operators, iterates, manages bool

	blind bool // parameters are not known yet
	fuel  int
	depth int
	added []graph.Ref
}

// Limits of what is followed.
const (
	maxFlowSteps   = 60_000 // of one file
	maxFlowCall    = 1_500  // of one call
	maxFlowDepth   = 24
	maxFlowValues  = 12
	maxFlowTargets = 6
	maxFlowRounds  = 3
)

// flowScope is a module, class, function, lambda or comprehension.
type flowScope struct {
	node    sitter.Node
	kind    scopeKind
	lambda  bool
	parent  *flowScope
	def     int32 // the definition that owns what stands in it
	binds   map[string][]flowBind
	globals map[string]bool
	params  []flowParam
	returns []sitter.Node
	yields  []sitter.Node
}

// deferred reports whether the scope does not run where it stands.
func (s *flowScope) deferred() bool { return s.kind == functionScope || s.lambda }

type flowParam struct {
	name  string
	value sitter.Node // the default
	self  bool
	rest  bool // takes what is left, or comes by its name alone
}

type bindKind uint8

const (
	bindValue   bindKind = iota
	bindElement          // of what value yields
	bindEntered          // what entering value yields
	bindDef
	bindImport
	bindParam
)

// flowBind is one statement that gives a name a value: value, or the part of it to
// which path leads.
type flowBind struct {
	kind   bindKind
	pos    uint32 // from where it holds
	direct bool   // under no condition
	value  sitter.Node
	path   []flowPart
	index  int // of a parameter
	text   string
}

// flowPart is an index of a tuple, or with star what stands between two.
type flowPart struct {
	from, behind int // behind counts the elements that follow
	star         bool
}

// flowCall is a call, the use of a decorator, a raise, or a loop over something.
type flowCall struct {
	kind   sitter.Kind
	node   sitter.Node
	callee sitter.Node
	scope  *flowScope
	given  sitter.Node // what a decorator is applied to
}

// flowStore is an assignment to an attribute or an element of object.
type flowStore struct {
	object, key, value sitter.Node
	scope              *flowScope
	pos                uint32
	direct             bool
	all                bool // value is a container whose elements are added
}

// followValues adds the references of calls whose targets are values.
func (x *extractor) followValues() {
	f := &flow{
		x: x, t: x.t, scopes: make(map[sitter.Node]*flowScope), fields: make(map[string][]flowStore),
		defs: make(map[uint32]int32, len(x.b.Facts.Defs)), methods: make(map[string]bool), fuel: maxFlowSteps,
	}
	for i := range x.b.Facts.Defs {
		d := &x.b.Facts.Defs[i]
		f.defs[d.NameSpan.Start] = int32(i)
		if d.Container != graph.NoDef && (d.Kind == graph.KindMethod || d.Kind == graph.KindField) {
			f.methods[d.Name] = true
		}
	}
	f.operators = slices.ContainsFunc(operatorMethods[:], func(m string) bool { return f.methods[m] })
	f.iterates = f.methods["__iter__"] || f.methods["__next__"]
	f.manages = f.methods["__enter__"] || f.methods["__exit__"]
	f.collect(sitter.Root, f.newScope(sitter.Root, moduleScope, nil, graph.NoDef))
	f.emit()
}

func (f *flow) newScope(n sitter.Node, kind scopeKind, parent *flowScope, def int32) *flowScope {
	s := &flowScope{node: n, kind: kind, parent: parent, def: def, binds: make(map[string][]flowBind)}
	f.scopes[n] = s
	return s
}

// collect notes what stands below n.
func (f *flow) collect(n sitter.Node, s *flowScope) {
	for c := range f.t.Children(n) {
		f.note(c, s)
	}
}

func (f *flow) note(n sitter.Node, s *flowScope) {
	t := f.t
	switch t.Kind(n) {
	case kFunction, kClass:
		f.noteDef(n, s)
		return
	case kLambda:
		f.noteLambda(n, s)
		return
	case kListComprehension, kSetComprehension, kDictComprehension, kGenerator:
		s = f.newScope(n, innerScope, s, s.def)
	case kDecorated:
		f.noteDecorators(n, s)
	case kCall:
		f.calls = append(f.calls, flowCall{kCall, n, t.Child(n, fFunction), s, sitter.None})
		f.noteMutation(n, s)
		if t.Is(t.Child(n, fFunction), "setattr") {
			f.noteSetattr(n, s)
		}
	case kWithItem:
		f.noteWith(n, s)
	case kAsPattern:
		f.noteAs(n, s)
	case kRaise:
		f.calls = append(f.calls, flowCall{kRaise, n, t.First(n), s, sitter.None})
	case kBinaryOperator, kComparison, kSubscript:
		if f.operators {
			f.calls = append(f.calls, flowCall{t.Kind(n), n, t.First(n), s, sitter.None})
		}
	case kAssignment:
		if value := f.assigned(n); value != sitter.None {
			f.target(t.Child(n, fLeft), value, nil, s, n)
		}
	case kNamedExpression:
		f.target(t.Child(n, fName), t.Child(n, fValue), nil, s, n)
	case kFor, kForIn:
		f.noteLoop(n, s)
	case kReturn:
		s.enclosing().returns = append(s.enclosing().returns, t.First(n))
	case kYield:
		s.enclosing().yields = append(s.enclosing().yields, t.First(n))
	case kImport, kImportFrom:
		f.x.eachImport(n, func(im importName) {
			f.bind(s, im.alias, flowBind{kind: bindImport, pos: t.End(n), direct: f.direct(n, s), text: im.alias})
		})
		return
	case kGlobal, kNonlocal:
		f.noteOuter(n, s)
		return
	case kAugmented, kDelete:
		if c := t.First(n); c != sitter.None && t.Kind(c) == kIdentifier {
			f.bind(s, t.Text(c), flowBind{pos: t.End(n), value: sitter.None})
		}
	default:
	}
	f.collect(n, s)
}

// noteOuter notes names of other scopes.
func (f *flow) noteOuter(n sitter.Node, s *flowScope) {
	if s.parent == nil {
		return // the module's names are global
	}
	for c := range f.t.Children(n) {
		if s.globals == nil {
			s.globals = make(map[string]bool)
		}
		s.globals[f.t.Text(c)] = f.t.Kind(n) == kGlobal
	}
}

// enclosing is the function, lambda, class or module that a scope stands in.
func (s *flowScope) enclosing() *flowScope {
	for s.kind == innerScope && !s.lambda && s.parent != nil {
		s = s.parent
	}
	return s
}

// assigned returns the value of an assignment, or the last of several in a row.
func (f *flow) assigned(n sitter.Node) sitter.Node {
	for n != sitter.None && f.t.Kind(n) == kAssignment {
		n = f.t.Child(n, fRight)
	}
	return n
}

func (f *flow) noteLoop(n sitter.Node, s *flowScope) {
	left, right := f.t.Child(n, fLeft), f.t.Child(n, fRight)
	if left == sitter.None || right == sitter.None {
		return
	}
	if f.iterates {
		f.calls = append(f.calls, flowCall{kFor, n, right, s, sitter.None})
	}
	if f.t.Kind(left) == kIdentifier {
		f.bind(s, f.t.Text(left), flowBind{kind: bindElement, pos: f.t.Start(left), direct: f.t.Kind(n) == kForIn, value: right})
	}
}

// bind notes that a statement binds a name. Names of other scopes are bound there, at
// no known time.
func (f *flow) bind(s *flowScope, name string, b flowBind) {
	if global, outer := s.globals[name]; outer {
		for s = s.parent; s.parent != nil && (global || len(s.binds[name]) == 0); {
			s = s.parent
		}
		b.pos, b.direct = 0, false
	}
	s.binds[name] = append(s.binds[name], b)
}

// direct reports whether a statement stands in the body of its scope itself.
func (f *flow) direct(n sitter.Node, s *flowScope) bool {
	for p := f.t.Parent(n); ; p = f.t.Parent(p) {
		switch f.t.Kind(p) {
		case kExpressionStatement, kAssignment, kDecorated, kWith, kWithItem:
			continue
		case kBlock:
			q := f.t.Parent(p)
			if f.t.Kind(q) == kWith {
				continue
			}
			return q == s.node
		default:
		}
		return p == s.node
	}
}

// target binds the names of an assignment target to the parts of a value.
func (f *flow) target(n, value sitter.Node, path []flowPart, s *flowScope, stmt sitter.Node) {
	if n == sitter.None {
		return
	}
	t := f.t
	switch t.Kind(n) {
	case kIdentifier:
		f.bind(s, t.Text(n), flowBind{pos: t.End(stmt), direct: f.direct(stmt, s), value: value, path: path})
	case kAttribute:
		if a := t.Child(n, fAttribute); a != sitter.None && len(path) == 0 {
			name := t.Text(a)
			f.fields[name] = append(f.fields[name], flowStore{t.Child(n, fObject), sitter.None, value, s, t.End(stmt), f.direct(stmt, s), false})
		}
	case kSubscript:
		if len(path) == 0 {
			f.items = append(f.items, flowStore{t.Child(n, fValue), t.Child(n, fSubscript), value, s, t.End(stmt), f.direct(stmt, s), false})
		}
	case kPatternList, kTuplePattern, kListPattern, kTuple, kList, kExpressionList:
		f.unpack(n, value, path, s, stmt)
	default:
	}
}

// unpack binds the names of a tuple: to the parts of a tuple that stands there, else to
// what is found at their places.
func (f *flow) unpack(n, value sitter.Node, path []flowPart, s *flowScope, stmt sitter.Node) {
	targets := slices.Collect(f.t.Children(n))
	if len(path) == 0 && f.x.sameLength(n, value) {
		part := f.t.First(value)
		for _, c := range targets {
			f.target(c, part, nil, s, stmt)
			part = f.t.Next(part)
		}
		return
	}
	star := false
	for i, c := range targets {
		at := flowPart{from: i, behind: -1}
		switch {
		case f.t.Kind(c) == kListSplatPattern:
			star, at.star, at.behind = true, true, len(targets)-1-i
			c = f.t.First(c)
		case star:
			at.behind = len(targets) - 1 - i
		}
		f.target(c, value, append(slices.Clone(path), at), s, stmt)
	}
}

// noteDef notes a function or class and what stands in it.
func (f *flow) noteDef(n sitter.Node, s *flowScope) {
	t := f.t
	name, body := t.Child(n, fName), t.Child(n, fBody)
	if name == sitter.None {
		return
	}
	def, ok := f.defs[t.Start(name)]
	if !ok {
		def = s.def
	}
	f.bind(s, t.Text(name), flowBind{kind: bindDef, pos: t.End(n), direct: f.direct(n, s), value: n})
	inner := f.newScope(n, functionScope, s, def)
	if t.Kind(n) == kClass {
		inner.kind = classScope
		if bases := t.Child(n, fSuperclasses); bases != sitter.None {
			f.collect(bases, s)
		}
	} else {
		f.noteParams(t.Child(n, fParameters), inner, s)
	}
	if body != sitter.None {
		f.collect(body, inner)
	}
}

func (f *flow) noteLambda(n sitter.Node, s *flowScope) {
	inner := f.newScope(n, innerScope, s, s.def)
	inner.lambda = true
	f.noteParams(f.t.Child(n, fParameters), inner, s)
	body := f.t.Child(n, fBody)
	if body != sitter.None {
		inner.returns = append(inner.returns, body)
		f.note(body, inner)
	}
}

// noteParams binds parameters; their defaults belong to the scope around.
func (f *flow) noteParams(params sitter.Node, inner, outer *flowScope) {
	if params == sitter.None {
		return
	}
	t := f.t
	for c := range t.Children(params) {
		p := flowParam{value: t.Child(c, fValue)}
		if p.value != sitter.None {
			f.note(p.value, outer)
		}
		name := f.x.paramName(c)
		if name == sitter.None || t.Kind(name) != kIdentifier {
			continue
		}
		p.name = t.Text(name)
		p.rest = t.Kind(c) == kListSplatPattern || t.Kind(c) == kDictSplatPattern || f.x.isSplat(c)
		p.self = len(inner.params) == 0 && outer.kind == classScope && inner.kind == functionScope && !f.isStatic(inner.node)
		inner.binds[p.name] = append(inner.binds[p.name], flowBind{kind: bindParam, direct: true, index: len(inner.params)})
		inner.params = append(inner.params, p)
	}
}

// isStatic reports whether a method takes no object.
func (f *flow) isStatic(fn sitter.Node) bool {
	return slices.ContainsFunc(f.decorators(fn), func(d sitter.Node) bool { return f.t.Is(d, "staticmethod") })
}

// decorators lists the expressions that decorate a function, the outermost first.
func (f *flow) decorators(fn sitter.Node) (out []sitter.Node) {
	outer := f.t.Parent(fn)
	if f.t.Kind(outer) != kDecorated {
		return nil
	}
	for c := range f.t.Children(outer) {
		if f.t.Kind(c) == kDecorator && f.t.First(c) != sitter.None {
			out = append(out, f.t.First(c))
		}
	}
	return out
}

// noteDecorators notes what is applied to a definition.
func (f *flow) noteDecorators(n sitter.Node, s *flowScope) {
	def := f.t.Child(n, fDefinition)
	if def == sitter.None || f.t.Kind(def) != kFunction || f.t.Child(def, fName) == sitter.None {
		return
	}
	for _, d := range f.decorators(def) {
		f.calls = append(f.calls, flowCall{kDecorator, f.t.Parent(d), d, s, def})
	}
}

// noteMutation notes what a method adds to a container.
func (f *flow) noteMutation(call sitter.Node, s *flowScope) {
	fn := f.t.Child(call, fFunction)
	if fn == sitter.None || f.t.Kind(fn) != kAttribute {
		return
	}
	object, value := f.t.Child(fn, fObject), f.x.argument(call, 0)
	st := flowStore{object, sitter.None, value, s, f.t.End(call), f.direct(call, s), false}
	if a := f.t.Child(fn, fAttribute); a == sitter.None || value == sitter.None || object == sitter.None {
		return
	} else {
		switch f.t.Text(a) {
		case "append", "add", "appendleft":
		case "insert", "setdefault":
			if st.key, st.value = value, f.x.argument(call, 1); st.value == sitter.None {
				return
			}
		case "update", "extend":
			st.all = true
		default:
			return
		}
	}
	f.items = append(f.items, st)
}

// site is where a reference that flow adds stands.
func (f *flow) offset(def int32, of int) string {
	s := strconv.FormatUint(uint64(f.x.b.Facts.Defs[def].NameSpan.Start), 10)
	return s + share(of)
}

// share writes that a target is one of several.
func share(of int) string {
	if of < 2 {
		return ""
	}
	return "/" + strconv.Itoa(of)
}
