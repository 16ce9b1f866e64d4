package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// assignment walks "a = b = value" and "a: T = value".
func (x *extractor) assignment(n sitter.Node) {
	t := x.t
	typ := t.Child(n, fType)
	value := n
	for value != sitter.None && t.Kind(value) == kAssignment {
		value = t.Child(value, fRight)
	}
	if typ != sitter.None {
		x.typeRefs(typ)
	}
	given := len(x.b.Facts.Refs)
	x.visit(value)
	given = x.namedAt(value, given)
	if t.Is(t.Child(n, fLeft), "__all__") && x.scope.kind == moduleScope {
		x.exportList(value)
	}
	x.holdParts(value)
	for at := n; at != sitter.None && t.Kind(at) == kAssignment; at = t.Child(at, fRight) {
		x.target(t.Child(at, fLeft), value, x.annotation(typ), n)
		x.giveTo(t.Child(at, fLeft), given)
	}
	x.parts = nil
}

// namedAt returns the reference that a value is, where it is a plain or dotted name, or
// -1. Those of the value begin at from.
func (x *extractor) namedAt(value sitter.Node, from int) int {
	last := len(x.b.Facts.Refs) - 1
	if value == sitter.None || last < from {
		return -1
	}
	if k := x.t.Kind(value); k != kIdentifier && k != kAttribute || x.b.Facts.Refs[last].Hint.Rule != graph.HintNone {
		return -1
	}
	return last
}

// giveTo notes that an assignment to a member may hide another, and which name it gives.
func (x *extractor) giveTo(target sitter.Node, given int) {
	if target == sitter.None || x.t.Kind(target) != kAttribute {
		return
	}
	refs := x.b.Facts.Refs
	if len(refs) == 0 || !x.replaces(&refs[len(refs)-1]) {
		return
	}
	w := &refs[len(refs)-1] // of the target
	if w.Use = graph.UseReplace; given < 0 {
		return
	}
	refs[given].Hint = graph.Hint{Rule: graph.HintGiven, Type: cut(w.Qualifier + "." + w.Name)}
}

// holdParts says what the parts of a tuple are before any of them is assigned:
// a, b = b, a.
func (x *extractor) holdParts(value sitter.Node) {
	if value == sitter.None {
		return
	}
	switch x.t.Kind(value) {
	case kExpressionList, kTuple, kList:
		for c := range x.t.Children(value) {
			h := x.hintOf(c)
			if x.parts == nil {
				x.parts = make(map[sitter.Node]graph.Hint)
			}
			x.parts[c] = h
			x.holdParts(c)
		}
	default:
	}
}

func (x *extractor) augmented(n sitter.Node) {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	x.visit(right)
	if left == sitter.None {
		return
	}
	if x.t.Is(left, "__all__") && x.scope.kind == moduleScope {
		x.exportList(right)
		return
	}
	switch x.t.Kind(left) {
	case kAttribute:
		x.attribute(left, graph.UseWrite, -1)
	case kIdentifier:
		name := x.b.Text(left)
		if b := x.scope.holds(name); b != nil && b.hint.Rule != graph.HintLiteral && b.hint.Rule != graph.HintNone {
			x.setHint(name, joined(b.hint, graph.Hint{Rule: graph.HintLocal}))
		} else if b == nil && x.scope.function() != nil {
			x.name(left, graph.UseWrite, -1)
		}
	default:
		x.visit(left)
	}
}

// target handles one assignment target. value is None where the parts of the
// value are not known; stmt is what the span of a new definition is.
func (x *extractor) target(n, value sitter.Node, typ string, stmt sitter.Node) {
	if n == sitter.None {
		return
	}
	t := x.t
	switch t.Kind(n) {
	case kIdentifier:
		x.assignName(n, value, typ, stmt)
	case kAttribute:
		x.attribute(n, graph.UseWrite, -1)
		x.assignField(n, value, typ, stmt)
	case kPatternList, kTuplePattern, kListPattern, kTuple, kList, kExpressionList, kParenthesized, kListSplatPattern:
		part := sitter.None
		if value != sitter.None && x.sameLength(n, value) {
			part = t.First(value)
		}
		for c := range t.Children(n) {
			x.target(c, part, "", stmt)
			if part != sitter.None {
				part = t.Next(part)
			}
		}
	case kSubscript:
		x.visit(n)
	default:
	}
}

// sameLength reports whether a tuple of values matches a tuple of targets one to
// one.
func (x *extractor) sameLength(targets, values sitter.Node) bool {
	switch x.t.Kind(values) {
	case kExpressionList, kTuple, kList:
	default:
		return false
	}
	a, b := x.t.First(targets), x.t.First(values)
	for a != sitter.None && b != sitter.None {
		if k := x.t.Kind(b); k == kListSplat || k == kComment || x.t.Kind(a) == kListSplatPattern {
			return false
		}
		a, b = x.t.Next(a), x.t.Next(b)
	}
	return a == b
}

// assignName gives a local its hint, or defines a variable of a module or class.
func (x *extractor) assignName(n, value sitter.Node, typ string, stmt sitter.Node) {
	name := x.b.Text(n)
	s := x.scope
	if s.kind >= functionScope && !s.globals[name] {
		x.givenValue(s.names[name], stmt)
		if typ != "" {
			x.setHint(name, declared(typ))
		} else if value == sitter.None || x.t.Kind(value) != kNone {
			x.setHint(name, x.hintOf(value))
		}
		return
	}
	if s.kind >= functionScope {
		x.b.AddRef(graph.Ref{Name: name, Use: graph.UseWrite, Span: x.b.Span(n)})
		if top := x.topScope(); top.names[name] == nil {
			top.bind(name, boundDef)
			x.define(graph.Def{Name: name, Local: name, Kind: variableKind(name)}, graph.NoDef, n, stmt, x.valueType(value, typ))
		} else {
			x.outer = append(x.outer, outerValue{name, x.valueType(value, typ)})
		}
		return
	}
	if b := s.names[name]; name == "__slots__" || b != nil && b.kind == boundValue {
		return
	}
	d := graph.Def{Name: name, Kind: x.assignedKind(name, value, typ)}
	x.place(&d)
	if strings.HasSuffix(typ, "TypeAlias") {
		typ = x.annotation(value)
	}
	x.define(d, x.b.Enclosing(), n, stmt, x.valueType(value, typ))
}

// givenValue notes that a name holds a value from a statement on, or, where that is
// not sure, that it is not known what it stands for.
func (x *extractor) givenValue(b *binding, stmt sitter.Node) {
	switch {
	case b == nil:
	case b.home != x.scope || !x.direct(stmt):
		b.now = heldUnknown
	default:
		if b.now = heldValue; b.kind != boundValue {
			b.hint = graph.Hint{}
		}
	}
}

func (x *extractor) topScope() *scope {
	s := x.scope
	for s.parent != nil {
		s = s.parent
	}
	return s
}

func variableKind(name string) graph.Kind {
	if isConstant(name) {
		return graph.KindConstant
	}
	return graph.KindVariable
}

// assignedKind says what an assignment at module or class level defines.
func (x *extractor) assignedKind(name string, value sitter.Node, typ string) graph.Kind {
	if strings.HasSuffix(typ, "TypeAlias") {
		return graph.KindType
	}
	if value != sitter.None && x.t.Kind(value) == kCall {
		if fn := x.t.Child(value, fFunction); fn != sitter.None {
			callee := x.dotted(fn)
			switch callee[strings.LastIndexByte(callee, '.')+1:] {
			case "namedtuple", "NamedTuple", "TypedDict":
				return graph.KindClass
			case "NewType", "TypeVar", "ParamSpec", "TypeVarTuple":
				return graph.KindType
			}
		}
	}
	if x.scope.kind != classScope {
		return variableKind(name)
	}
	if x.classes[x.scope.def].enum && value != sitter.None && !strings.HasPrefix(name, "_") && x.t.Kind(value) != kLambda {
		return graph.KindEnumMember
	}
	if isConstant(name) {
		return graph.KindConstant
	}
	return graph.KindField
}

// valueType is Def.Type of a variable: "" where it is given nothing, unknown where
// it is not known what.
func (x *extractor) valueType(value sitter.Node, typ string) string {
	if typ != "" {
		return unwrap(typ)
	}
	if value != sitter.None && x.t.Kind(value) == kNone {
		return ""
	}
	if s := x.choice(value); s != "" {
		return s
	}
	if s := typeText(x.expression(value)); s != "" {
		return s
	}
	return unknown
}

// define adds a variable or field once per container; a later assignment may only
// add the type.
func (x *extractor) define(d graph.Def, container int32, name, stmt sitter.Node, typ string) {
	if d.Name == "" {
		return // the parser put it there
	}
	key := varKey{container, d.Name}
	if i, ok := x.vars[key]; ok {
		old := &x.b.Facts.Defs[i]
		if old.Flags&d.Flags&graph.FlagConditional == 0 {
			x.given(i, typ)
			return
		}
		// Two branches: each defines it.
	}
	d.Span, d.NameSpan = x.b.Span(stmt), x.b.Span(name)
	d.Doc = x.b.DocAbove(d.Span.Start)
	i := x.b.AddDef(d)
	x.given(i, typ)
	x.b.Facts.Defs[i].Container = container
	x.vars[key] = i
}

// given adds to the type of a variable what it is given.
func (x *extractor) given(def int32, typ string) {
	d := &x.b.Facts.Defs[def]
	switch both := either(d.Type, typ); {
	case typ == "", typ == d.Type:
	case typ == unknown:
		x.open(def)
	case d.Type == "":
		d.Type = typ
	case both != "":
		d.Type = both
	case !inferred(d.Type):
	case constructs(typ) && !constructs(d.Type):
		d.Type = typ
		x.open(def)
	default:
		x.open(def)
	}
}

// open notes that a variable may hold what is not known.
func (x *extractor) open(def int32) {
	if x.opened == nil {
		x.opened = make(map[int32]bool)
	}
	x.opened[def] = true
}

// markOpen writes into the types of variables that they may hold something else: an
// annotation is believed.
func (x *extractor) markOpen() {
	for _, o := range x.outer {
		if def, ok := x.vars[varKey{graph.NoDef, o.name}]; ok {
			x.given(def, o.typ)
		}
	}
	for def := range x.opened {
		if d := &x.b.Facts.Defs[def]; inferred(d.Type) {
			d.Type = orElse(d.Type)
		}
	}
}

// assignField defines the field that "self.x = …" in a method makes.
func (x *extractor) assignField(n, value sitter.Node, typ string, stmt sitter.Node) {
	object, attr := x.t.Child(n, fObject), x.t.Child(n, fAttribute)
	if object != sitter.None && attr != sitter.None {
		x.defineField(object, attr, value, typ, stmt)
	}
}

// replaces reports whether a member that is assigned may hide a definition, and is not
// what makes a field of the class at hand.
func (x *extractor) replaces(w *graph.Ref) bool {
	switch {
	case w.Use != graph.UseWrite || w.Qualifier == "" || w.Hint.Rule == graph.HintLocal:
		return false
	case w.Hint.Rule == graph.HintSelf || w.Hint.Rule == graph.HintClass:
		class := x.enclosingClass()
		return class != graph.NoDef && x.hasMember(class, w.Name)
	}
	return true
}

// defineField defines the field that attr names where object is the class at hand
// or its instance.
func (x *extractor) defineField(object, attr, value sitter.Node, typ string, stmt sitter.Node) {
	if x.t.Kind(object) != kIdentifier {
		return
	}
	hint := x.nameHint(x.b.Text(object))
	if hint.Rule != graph.HintSelf && hint.Rule != graph.HintClass {
		return
	}
	class := x.enclosingClass()
	if class == graph.NoDef || x.hasMember(class, x.b.Text(attr)) {
		return
	}
	owner := &x.b.Facts.Defs[class]
	d := graph.Def{Name: x.b.Text(attr), Kind: graph.KindField, Flags: owner.Flags & graph.FlagLocal}
	d.Local = owner.Local + "." + d.Name
	if hint.Rule == graph.HintClass {
		d.Flags |= graph.FlagStatic
	}
	x.define(d, class, attr, stmt, x.valueType(value, typ))
}

// namedField defines the field that setattr(self, "x", value) makes, or a method
// of the object that does the same: self.add_to_class("x", value).
func (x *extractor) namedField(call, fn sitter.Node) {
	var object sitter.Node
	at := 0
	if x.t.Kind(fn) == kAttribute && !x.t.Is(x.t.Child(fn, fAttribute), "__setattr__") {
		object = x.t.Child(fn, fObject)
	} else {
		object, at = x.argument(call, 0), 1
	}
	name, value := x.content(x.argument(call, at)), x.argument(call, at+1)
	if object == sitter.None || name == sitter.None || value == sitter.None || !isIdentifier(x.b.Text(name)) {
		return
	}
	x.defineField(object, name, value, "", call)
}

func (x *extractor) enclosingClass() int32 {
	for s := x.scope; s != nil; s = s.parent {
		if s.kind == classScope {
			return s.def
		}
	}
	return graph.NoDef
}

// hasMember reports whether the class body itself defines the name as something
// other than a variable.
func (x *extractor) hasMember(class int32, name string) bool {
	for s := x.scope; s != nil; s = s.parent {
		if s.kind == classScope && s.def == class {
			b := s.names[name]
			_, variable := x.vars[varKey{class, name}]
			return b != nil && !variable
		}
	}
	return false
}

// exportList reads the value of __all__.
func (x *extractor) exportList(value sitter.Node) {
	if value == sitter.None {
		return
	}
	if x.all == nil {
		x.all = make(map[string]bool)
	}
	for c, end := value, x.t.After(value); c < end; c++ {
		if x.t.Kind(c) == kIdentifier {
			// A list from elsewhere: the name stands for what it holds.
			x.b.AddRef(graph.Ref{Name: x.b.Text(c), Use: graph.UseExport, Span: x.b.Span(c)})
		}
		content := x.content(c)
		if content == sitter.None {
			continue
		}
		name := x.b.Text(content)
		x.all[name] = true
		x.b.AddRef(graph.Ref{Name: name, Use: graph.UseExport, Span: x.b.Span(content)})
	}
}

// changeExports reads a call of a method of __all__.
func (x *extractor) changeExports(method string, args sitter.Node) {
	switch method {
	case "append", "extend", "insert":
		x.exportList(args)
	case "remove":
		if name, ok := x.literal(x.t.First(args)); ok && x.all[name] {
			x.all[name] = false
		}
	}
}

// dropUnlisted takes the references of names back that __all__ has no more.
func (x *extractor) dropUnlisted() {
	f := x.b.Facts
	for _, listed := range x.all {
		if !listed {
			f.Refs = slices.DeleteFunc(f.Refs, func(r graph.Ref) bool {
				listed, known := x.all[r.Name]
				return r.Use == graph.UseExport && known && !listed
			})
			return
		}
	}
}

// aliasName returns the identifier that "type X = …" defines.
func (x *extractor) aliasName(n sitter.Node) sitter.Node {
	c := x.t.First(n)
	for c != sitter.None && x.t.Kind(c) != kIdentifier {
		c = x.t.First(c)
	}
	return c
}

func (x *extractor) typeAlias(n sitter.Node) {
	name := x.aliasName(n)
	if name == sitter.None {
		return
	}
	value := x.t.Next(x.t.First(n))
	typ := ""
	if value != sitter.None {
		x.typeRefs(value)
		typ = x.annotation(value)
	}
	if x.scope.function() != nil {
		return
	}
	d := graph.Def{Name: x.b.Text(name), Kind: graph.KindType}
	x.place(&d)
	x.define(d, x.b.Enclosing(), name, n, typ)
}
