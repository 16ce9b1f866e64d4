package typescript

import (
	"cmp"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// expression reads one node in expression position.
func (w *walker) expression(n sitter.Node) {
	switch w.kind(n) {
	case kIdentifier:
		w.bare(n, graph.UseRead)
	case kShorthand: // { a } in an object literal reads a
		w.bare(n, graph.UseRead)
	case kMember:
		w.member(n, graph.UseRead, -1)
	case kSubscript:
		w.subscript(n, -1)
	case kCall:
		w.call(n)
	case kNew:
		w.construct(n)
	case kAssignment:
		w.assignment(n)
	case kAugmented:
		if l := w.t.Child(n, fLeft); l != sitter.None {
			w.target(l)
		}
		if r := w.t.Child(n, fRight); r != sitter.None {
			w.visit(r)
		}
	case kUpdate:
		for c := range w.t.Children(n) {
			w.target(c)
		}
	case kDecorator:
		w.decorator(n)
	case kJSXOpening, kJSXSelfClosing:
		w.element(n)
	case kJSXClosing, kMetaProperty:
	case kPair:
		if k := w.t.Child(n, fKey); k != sitter.None && w.kind(k) == kComputedName {
			w.visit(k)
		}
		if v := w.t.Child(n, fValue); v != sitter.None {
			w.visit(v)
		}
	case kMethodDef: // of an object literal that nothing names
		w.objectMethod(n)
	case kTernary:
		w.branches(n)
	case kBinary:
		w.binary(n)
	default:
		w.children(n)
	}
}

// binary reads a && b and a || b, of which b is read only where a holds or does not.
func (w *walker) binary(n sitter.Node) {
	left, right := w.t.Child(n, fLeft), w.t.Child(n, fRight)
	op := ""
	if left != sitter.None && right != sitter.None {
		op = w.operator(n)
	}
	for c := range w.t.Children(n) {
		if c == right && (op == "&&" || op == "||") {
			w.where(left, op == "&&", c)
		} else {
			w.visit(c)
		}
	}
}

// unnamedOwner is the owner of members of object literals that nothing names: no scope
// and no name leads to them.
const unnamedOwner = "{}"

// objectMethod reads a method or accessor of an object literal that nothing names.
func (w *walker) objectMethod(n sitter.Node) {
	key, body := w.t.Child(n, fName), w.t.Child(n, fBody)
	if key != sitter.None && w.kind(key) == kComputedName {
		w.visit(key)
	}
	w.selves = append(w.selves, self{graph.Hint{Rule: graph.HintLocal}, graph.NoDef})
	defer func() { w.selves = w.selves[:len(w.selves)-1] }()
	name, nameSpan := w.memberName(key)
	if name == "" {
		w.function(n, "")
		return
	}
	flags, accessor, _ := modifiers(w.keywords(n, key))
	d := graph.Def{
		Name: name, Owner: unnamedOwner, Kind: graph.KindMethod, Span: w.b.Span(n), NameSpan: nameSpan,
		Signature: w.signature(w.t.Start(n), n, body), Type: w.returnAnnotation(n), Flags: flags,
	}
	if accessor {
		d.Kind = graph.KindProperty
	}
	w.enterFunction(n, w.add(d, w.t.Start(n)), "")
}

// bare adds a reference to a name, unless a local value hides it.
func (w *walker) bare(n sitter.Node, use graph.Use) {
	w.bareCall(n, use, -1)
}

func (w *walker) bareCall(n sitter.Node, use graph.Use, args int16) {
	name := w.text(n)
	if l := w.locals.Lookup(name); l != nil && l.Def == graph.NoDef {
		if use.Calls() && !w.partCall(n, l, use, args) {
			w.valueCall(n, args)
			w.noteHeld(n, l.Hint, use, args)
		}
		return
	}
	w.b.AddRef(graph.Ref{Name: name, Use: use, Span: w.b.Span(n), Args: args})
	if use == graph.UseCall && args >= 0 {
		w.noteFlow(n, n, args, w.lastRef())
	}
}

// partCall adds a reference to the member that a local is: f() after const { f } = o.
// What new makes is of the class that it holds, which is another.
func (w *walker) partCall(n sitter.Node, l *spec.Local, use graph.Use, args int16) bool {
	object, ok := strings.CutSuffix(l.Hint.Type, "."+l.Name)
	if !l.Part || !ok || w.kind(w.t.Parent(n)) != kCall || l.Hint.Rule != graph.HintValue || len(object) > maxQualifier-2 {
		return false
	}
	w.b.AddRef(graph.Ref{
		Name: l.Name, Qualifier: "(" + object + ")", Use: use, Span: w.b.Span(n), Args: args,
		Hint: graph.Hint{Rule: graph.HintValue, Type: object},
	})
	return true
}

// member adds a reference to the property of a member expression, after those in
// its object.
func (w *walker) member(n sitter.Node, use graph.Use, args int16) {
	whole, property := w.t.Child(n, fObject), w.t.Child(n, fProperty)
	if whole == sitter.None || property == sitter.None {
		w.children(n)
		return
	}
	w.visit(whole)
	object := w.object(n)
	w.memberRef(object, property, w.text(property), use, args)
}

func (w *walker) memberRef(object, at sitter.Node, name string, use graph.Use, args int16) {
	r := graph.Ref{Name: name, Qualifier: w.qualifier(object), Use: use, Span: w.b.Span(at), Args: args}
	r.Hint = graph.Hint{Rule: graph.HintLocal}
	if len(r.Qualifier) < maxQualifier { // else cut: what is left is another expression
		r.Hint = w.rootHint(object)
	}
	w.b.AddRef(r)
}

// object returns what stands before the dot. The grammar reads a - b!.c as a member
// of a - b!, which no text can mean: the right operand is the object then.
func (w *walker) object(n sitter.Node) sitter.Node {
	o := w.t.Child(n, fObject)
	for o != sitter.None {
		inner := sitter.None
		switch w.kind(o) {
		case kBinary:
			inner = w.t.Child(o, fRight)
		case kAwait, kUnary:
			for c := range w.t.Children(o) {
				inner = c
			}
		case kNonNull:
			if c := w.t.First(o); c != sitter.None && (w.kind(c) == kBinary || w.kind(c) == kAwait || w.kind(c) == kUnary) {
				inner = c
			}
		default:
		}
		if inner == sitter.None {
			break
		}
		o = inner
	}
	return o
}

// subscript reads a[b]: a literal string names a member.
func (w *walker) subscript(n sitter.Node, args int16) {
	object, index := w.t.Child(n, fObject), w.t.Child(n, fIndex)
	if object != sitter.None {
		w.visit(object)
	}
	if index == sitter.None {
		return
	}
	if name, ok := w.stringValue(index); ok && object != sitter.None && isName(name) {
		at := w.child(index, kStringFragment)
		w.memberRef(object, at, name, graph.UseDynamic, args)
		return
	}
	w.visit(index)
}

// element reads a JSX tag: a capitalised or dotted name is a component.
func (w *walker) element(n sitter.Node) {
	name := w.t.Child(n, fName)
	for c := range w.t.Children(n) {
		switch {
		case w.kind(c) == kJSXAttribute:
			w.styles(c)
			w.visit(c)
		case c != name:
			w.visit(c)
		case w.kind(c) == kIdentifier:
			if name := w.text(c); name != "" && (name[0] < 'a' || name[0] > 'z') {
				w.bareCall(c, graph.UseCall, -1)
			}
		case w.kind(c) == kMember:
			w.member(c, graph.UseCall, -1)
		case w.kind(c) == kNestedIdentifier:
			object, property := w.t.Child(c, fObject), w.t.Child(c, fProperty)
			if object != sitter.None && property != sitter.None {
				w.typePath(object)
				w.memberRef(object, property, w.text(property), graph.UseCall, -1)
			}
		}
	}
}

// assignment reads a = b. Assignments to exports, prototypes and functions are
// definitions.
func (w *walker) assignment(n sitter.Node) {
	left, right := w.t.Child(n, fLeft), w.t.Child(n, fRight)
	if left == sitter.None || right == sitter.None {
		w.children(n)
		return
	}
	if w.kind(left) == kMember && w.assignedDef(n, left, right) || w.reactive(n, left, right) {
		return
	}
	w.target(left)
	if w.kind(left) == kIdentifier {
		if typ := w.reassigned(w.text(left), right, w.bodyAround(n)); typ != "" {
			w.rebindUnknown(w.text(left), graph.Hint{Rule: graph.HintDeclared, Type: typ})
		}
		w.rebindIfUnknown(w.text(left), right)
	}
	w.visit(right)
}

// reactive reads $: name = … of Svelte, which declares the name where nothing else does.
func (w *walker) reactive(n, left, right sitter.Node) bool {
	if w.b.Facts.Language != "svelte" || w.depth > 0 || w.kind(left) != kIdentifier || w.locals.Lookup(w.text(left)) != nil || w.definesHere(w.text(left)) {
		return false
	}
	at := w.t.Start(n)
	if before := strings.TrimSpace(w.b.Slice(at-min(at, 8), at)); !strings.HasSuffix(before, "$:") {
		return false
	}
	w.variableValue(w.add(graph.Def{
		Name: w.text(left), Kind: graph.KindVariable, Span: w.b.Span(n), NameSpan: w.b.Span(left), Type: w.valueType(right),
		Signature: w.signature(at, n, right),
	}, at), right)
	return true
}

// rebindIfUnknown lets the first assignment to a local without a type say what it
// is.
func (w *walker) rebindIfUnknown(name string, value sitter.Node) {
	if h := w.hintOf(value); h.Rule != graph.HintLiteral {
		w.rebindUnknown(name, h)
	}
}

func (w *walker) rebindUnknown(name string, h graph.Hint) {
	if l := w.locals.Lookup(name); l != nil && l.Def == graph.NoDef && l.Hint.Rule == graph.HintLocal {
		l.Hint = h
	}
}

// target reads what an assignment writes to.
func (w *walker) target(n sitter.Node) {
	switch w.kind(n) {
	case kIdentifier, kShorthandPattern:
		w.bare(n, graph.UseWrite)
	case kMember:
		w.member(n, graph.UseWrite, -1)
	case kSubscript:
		w.subscript(n, -1)
	case kObjectPattern, kArrayPattern, kRestPattern:
		for c := range w.t.Children(n) {
			w.target(c)
		}
	case kPairPattern:
		if v := w.t.Child(n, fValue); v != sitter.None {
			w.target(v)
		}
	case kAssignmentPattern, kObjectAssignmentPattern:
		if l := w.t.Child(n, fLeft); l != sitter.None {
			w.target(l)
		}
		if r := w.t.Child(n, fRight); r != sitter.None {
			w.visit(r)
		}
	default:
		w.visit(n)
	}
}

// stringValue returns the text of a plain string literal.
func (w *walker) stringValue(n sitter.Node) (string, bool) {
	if n == sitter.None || w.kind(n) != kString {
		return "", false
	}
	f := w.t.First(n)
	if f == sitter.None || w.kind(f) != kStringFragment || w.t.Next(f) != sitter.None {
		return "", false
	}
	return w.text(f), true
}

func (w *walker) superHint() graph.Hint {
	h := w.thisHint()
	if h.Rule == graph.HintSelf || h.Rule == graph.HintClass {
		h.Rule = graph.HintSuper
	}
	return h
}

// rootHint describes the first operand of a qualifier.
func (w *walker) rootHint(n sitter.Node) graph.Hint {
	for depth := 0; depth < 200; depth++ {
		var inner sitter.Node
		switch w.kind(n) {
		case kMember, kSubscript:
			inner = w.object(n)
		case kCall:
			if e := cmp.Or(w.requireExpr(n), w.handedBack(n, 0)); e != "" {
				return graph.Hint{Rule: graph.HintValue, Type: e}
			}
			inner = w.t.Child(n, fFunction)
		case kNonNull:
			inner = w.t.First(n)
		case kIdentifier:
			if l := w.locals.Lookup(w.text(n)); l != nil && l.Def == graph.NoDef {
				return l.Hint
			}
			return graph.Hint{}
		case kSuper:
			return w.superHint()
		default:
			return w.hintOf(n)
		}
		if inner == sitter.None {
			break
		}
		n = inner
	}
	return graph.Hint{Rule: graph.HintLocal}
}

const maxQualifier = 160

// qualifier writes the expression before a dot, without white space and without
// the arguments of calls: they say nothing about its type. One that is longer than
// the limit keeps its front, and its hint then says that the receiver is unknown.
func (w *walker) qualifier(n sitter.Node) string {
	s := w.qualifierAt(n, 0)
	return s[:min(len(s), maxQualifier)]
}

func (w *walker) qualifierAt(n sitter.Node, depth int) string {
	if n == sitter.None || depth > 100 {
		return "?"
	}
	switch w.kind(n) {
	case kMember:
		if p := w.t.Child(n, fProperty); p != sitter.None {
			return w.qualifierAt(w.object(n), depth+1) + "." + w.text(p)
		}
	case kSubscript:
		s := w.qualifierAt(w.object(n), depth+1)
		if key, ok := w.stringValue(w.t.Child(n, fIndex)); ok && isName(key) {
			return s + `["` + key + `"]`
		}
		return s + w.indexed(n)
	case kCall:
		if cmp.Or(w.requireExpr(n), w.handedBack(n, 0)) != "" { // one operand
			return "(call)"
		}
		return w.qualifierAt(w.t.Child(n, fFunction), depth+1) + "()"
	case kNew: // one operand: its hint tells what it makes
		return "(new" + w.qualifierAt(w.t.Child(n, fConstructor), depth+1) + "())"
	case kNonNull:
		return w.qualifierAt(w.t.First(n), depth+1)
	case kString, kTemplateString:
		return `""`
	case kArray:
		return "[]"
	case kObject:
		return "{}"
	case kFunctionExpr, kArrow, kClass, kGeneratorExpr:
		return "(function)"
	default:
	}
	return w.b.Qualifier(w.t.Start(n), w.t.End(n))
}
