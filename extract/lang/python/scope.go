package python

import (
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	classScope
	functionScope
	innerScope // lambda or comprehension
)

// bindingKind says what a name is bound to. A later one wins where a scope binds
// the name several times: a name that is sometimes a definition is looked up.
type bindingKind uint8

const (
	boundValue  bindingKind = iota // a plain local: its uses are no references
	boundImport                    // an import in the scope
	boundDef                       // a definition that facts list
)

type binding struct {
	kind bindingKind
	// hint is of a value, as far as the walk has come; HintNone before it is given one,
	// or where that is None.
	hint graph.Hint
	// values counts what gives the name a value besides the parameter that it may be;
	// defs and assigns how often it is defined, and assigned at module or class level.
	values, defs, assigns int
	param                 bool
	home                  *scope
	given                 []graph.Hint // what it is given, in the order of the text
	shared                []graph.Hint // those that functions inside its own give it
	now                   held
}

// held says what a name of a function stands for where the walk has come to.
type held uint8

const (
	heldUnknown held = iota
	heldDef          // what was defined or imported last
	heldValue        // the value that it was given last
)

// rebound reports whether a name that is defined or imported is given values too, so
// that the text alone does not tell which of them a use means.
func (b *binding) rebound() bool {
	return b.kind != boundValue && b.values > 0 || b.defs > 0 && b.assigns > 1
}

// scope is one of Python's scopes while it is walked.
type scope struct {
	kind     scopeKind
	parent   *scope
	def      int32 // the function or class, or NoDef
	names    map[string]*binding
	globals  map[string]bool
	self     string   // name of the first parameter of a method
	returns  []string // type texts of what the function returns
	yielded  []string // and of what it yields
	yields   bool
	deferred bool        // a function or lambda: it does not run where it stands
	body     sitter.Node // the block of a function
}

func newScope(kind scopeKind, parent *scope, def int32) *scope {
	return &scope{kind: kind, parent: parent, def: def, names: make(map[string]*binding)}
}

func (s *scope) bind(name string, kind bindingKind) {
	b := s.names[name]
	if b == nil {
		b = &binding{kind: kind, home: s}
		s.names[name] = b
	}
	b.kind = max(b.kind, kind)
	if kind == boundValue {
		b.values++
	}
}

// held is the hint of a value as others read it.
func (b *binding) held() graph.Hint {
	h := b.hint
	if len(b.shared) > 0 {
		h = joined(append([]graph.Hint{h}, b.shared...)...)
	}
	if h.Rule == graph.HintNone {
		return graph.Hint{Rule: graph.HintLocal}
	}
	return h
}

// heldIn is held as a scope reads it. A function inside the one that binds the name
// runs when it may hold another of its values.
func (b *binding) heldIn(s *scope) graph.Hint {
	h := b.held()
	if b.late(s) && (b.values > 1 || b.values > 0 && b.param) {
		return joined(h, graph.Hint{Rule: graph.HintLocal})
	}
	return h
}

// late reports whether a scope that reads the name runs when it may hold another of its
// values: a function inside the one that binds it.
func (b *binding) late(s *scope) bool {
	for ; s != nil && s != b.home; s = s.parent {
		if s.deferred {
			return true
		}
	}
	return false
}

// holds finds the binding of a name that is used in s where that is a value there.
func (s *scope) holds(name string) *binding {
	b, at := s.lookup(name)
	if b != nil && (b.kind == boundValue || at == s && b.now == heldValue) {
		return b
	}
	return nil
}

// lookup finds the binding of a name that is used in s. A class body is seen by
// its own statements alone, not by the functions in it.
func (s *scope) lookup(name string) (*binding, *scope) {
	for at := s; at != nil; at = at.parent {
		if at.kind == classScope && at != s {
			continue
		}
		if at.globals[name] {
			for at.parent != nil {
				at = at.parent
			}
			return at.names[name], at
		}
		if b := at.names[name]; b != nil {
			return b, at
		}
	}
	return nil, nil
}

// isLocal reports whether a name used in s is a plain local, or holds a value there.
func (s *scope) isLocal(name string) bool { return s.holds(name) != nil }

// function returns the function around s, or nil at module and class level.
func (s *scope) function() *scope {
	for at := s; at != nil; at = at.parent {
		switch at.kind {
		case functionScope:
			return at
		case classScope:
			return nil
		default:
		}
	}
	return nil
}

// collect binds every name that the statements below n bind in the current
// scope. Python decides what is local before a function runs, so this comes
// before the walk.
func (x *extractor) collect(n sitter.Node) {
	t, s := x.t, x.scope
	assigned := boundValue
	if s.kind == moduleScope || s.kind == classScope {
		assigned = boundDef
	}
	end := t.After(n)
	for c := n; c < end; {
		next := c + 1
		switch t.Kind(c) {
		case kFunction, kClass:
			if c != n {
				if name := t.Child(c, fName); name != sitter.None {
					x.bindDef(x.b.Text(name), x.direct(c))
				}
				next = t.After(c)
			}
		case kLambda:
			next = t.After(c)
		case kAssignment, kAugmented:
			x.bindTarget(t.Child(c, fLeft), assigned)
			x.forgetNone(c)
		case kDelete:
			x.bindTarget(t.First(c), assigned)
		case kFor:
			x.bindTarget(t.Child(c, fLeft), boundValue)
		case kNamedExpression:
			x.bindTarget(t.Child(c, fName), boundValue)
		case kAsPatternTarget:
			x.bindTarget(t.First(c), boundValue)
		case kCaseClause:
			x.bindPattern(c)
		case kTypeAlias:
			x.bindTarget(x.aliasName(c), boundDef)
		case kImport, kImportFrom:
			x.eachImport(c, func(im importName) { s.bind(im.alias, boundImport) })
			next = t.After(c)
		case kGlobal, kNonlocal:
			x.declareOuter(c)
		default:
		}
		c = next
	}
}

// bindDef binds the name of a function or class.
func (x *extractor) bindDef(name string, direct bool) {
	x.scope.bind(name, boundDef)
	b := x.scope.names[name]
	b.defs++
	if b.param && !direct {
		b.values++ // or the parameter
	}
}

// forgetNone takes an assignment of None back where it stands under a condition: what
// is called there is not None.
func (x *extractor) forgetNone(n sitter.Node) {
	t := x.t
	left, right := t.Child(n, fLeft), t.Child(n, fRight)
	if left == sitter.None || right == sitter.None || t.Kind(right) != kNone || t.Kind(left) != kIdentifier || x.direct(n) {
		return
	}
	if b := x.scope.names[x.b.Text(left)]; b != nil && b.values > 0 {
		b.values--
	}
}

// direct reports whether a statement stands in the body of the scope itself, and not
// in a block of another statement.
func (x *extractor) direct(n sitter.Node) bool {
	for {
		n = x.t.Parent(n)
		switch x.t.Kind(n) {
		case kExpressionStatement, kAssignment, kDecorated:
			continue
		default:
		}
		return n == x.scope.body
	}
}

// bindTarget binds the plain names of an assignment target.
func (x *extractor) bindTarget(n sitter.Node, kind bindingKind) {
	if n == sitter.None {
		return
	}
	switch x.t.Kind(n) {
	case kIdentifier:
		if name := x.b.Text(n); name != "" && !x.scope.globals[name] {
			x.scope.bind(name, kind)
			if kind == boundDef {
				x.scope.names[name].assigns++
			}
		}
	case kPatternList, kTuplePattern, kListPattern, kListSplatPattern, kTuple, kList, kParenthesized, kExpressionList, kListSplat:
		for c := range x.t.Children(n) {
			x.bindTarget(c, kind)
		}
	default:
	}
}

// bindPattern binds the captures of one case clause.
func (x *extractor) bindPattern(clause sitter.Node) {
	t := x.t
	end := t.After(clause)
	for c := clause + 1; c < end; c++ {
		if t.Kind(c) == kBlock {
			return
		}
		if x.isCapture(c) {
			x.bindTarget(c, boundValue)
		}
	}
}

// isCapture reports whether an identifier in a pattern binds: a dotted name of one
// part that is not the class of a class pattern, a starred name, or an alias.
func (x *extractor) isCapture(n sitter.Node) bool {
	t := x.t
	if t.Kind(n) != kIdentifier {
		return false
	}
	p := t.Parent(n)
	switch t.Kind(p) {
	case kDottedName:
		switch t.Kind(t.Parent(p)) {
		case kCasePattern, kKeywordPattern:
			return t.Next(n) == sitter.None && t.First(p) == n
		default:
		}
	case kSplatPattern:
		return true
	case kAsPattern:
		return t.Kind(t.Parent(p)) == kCasePattern
	default:
	}
	return false
}

// declareOuter notes global names. A nonlocal name is found by the ordinary
// search once it is not bound here; an assignment seen before is undone.
func (x *extractor) declareOuter(n sitter.Node) {
	s := x.scope
	if s.kind == moduleScope {
		return
	}
	for c := range x.t.Children(n) {
		if x.t.Kind(c) != kIdentifier {
			continue
		}
		name := x.b.Text(c)
		delete(s.names, name)
		if x.t.Kind(n) == kGlobal {
			if s.globals == nil {
				s.globals = make(map[string]bool)
			}
			s.globals[name] = true
		} else if b, _ := s.lookup(name); b != nil {
			s.names[name] = b // share the outer binding
		}
	}
}
