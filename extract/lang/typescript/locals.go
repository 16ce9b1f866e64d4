package typescript

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// predeclare binds the names that the direct statements of a block declare:
// closures may use them before their line.
func (w *walker) predeclare(block sitter.Node) {
	for c := range w.t.Children(block) {
		w.predeclareStatement(c)
	}
}

func (w *walker) predeclareStatement(c sitter.Node) {
	switch w.kind(c) {
	case kLexical, kVariableDecl:
		for d := range w.t.Children(c) {
			if w.kind(d) == kDeclarator {
				w.predeclareDeclarator(d)
			}
		}
	case kFunctionDecl, kGeneratorDecl, kClassDecl, kAbstractClass, kEnum:
		if name := w.t.Child(c, fName); name != sitter.None {
			w.locals.Declare(localDef(w.text(name)))
		}
	default:
	}
}

func (w *walker) predeclareDeclarator(d sitter.Node) {
	name := w.t.Child(d, fName)
	if name == sitter.None {
		return
	}
	if w.kind(name) != kIdentifier {
		w.patternNames(name, graph.Hint{Rule: graph.HintLocal}, func(n sitter.Node, h graph.Hint) {
			if w.isRequire(w.t.Child(d, fValue)) {
				w.locals.Declare(localDef(w.text(n)))
			} else {
				l := local(w.text(n), h)
				l.Part = w.kind(n) == kShorthandPattern && strings.HasPrefix(w.text(w.t.Parent(d)), "const")
				w.locals.Declare(l)
			}
		})
		return
	}
	l := local(w.text(name), graph.Hint{Rule: graph.HintLocal})
	if v := w.t.Child(d, fValue); w.isFunctionValue(v) || w.isRequire(v) {
		l = localDef(l.Name)
	} else if typ := w.annotation(d); typ != "" {
		l.Hint = graph.Hint{Rule: graph.HintDeclared, Type: typ}
	}
	w.locals.Declare(l)
}

// hoist binds the var names of a function body, wherever they stand in it.
func (w *walker) hoist(body sitter.Node) {
	for n, end := body+1, w.t.After(body); n < end; {
		switch w.kind(n) {
		case kFunctionDecl, kGeneratorDecl, kFunctionExpr, kGeneratorExpr, kArrow, kMethodDef, kClass, kClassDecl, kAbstractClass:
			n = w.t.After(n)
			continue
		case kVariableDecl:
			if w.t.Parent(n) != body {
				w.predeclareStatement(n)
			}
		case kForIn:
			if l := w.t.Child(n, fLeft); l != sitter.None && endsInWord(w.b.Slice(w.t.Start(n), w.t.Start(l)), "var") {
				w.patternNames(l, graph.Hint{Rule: graph.HintLocal}, func(n sitter.Node, h graph.Hint) {
					w.locals.Declare(local(w.text(n), h))
				})
			}
		default:
		}
		n++
	}
}

// bindPattern binds the names of a pattern, whose value the hint describes, and
// visits the defaults inside it.
func (w *walker) bindPattern(n sitter.Node, h graph.Hint) {
	w.patternNames(n, h, func(name sitter.Node, h graph.Hint) { w.locals.Declare(local(w.text(name), h)) })
	w.patternDefaults(n)
}

// patternNames calls yield with each name that a pattern binds.
func (w *walker) patternNames(n sitter.Node, h graph.Hint, yield func(sitter.Node, graph.Hint)) {
	switch w.kind(n) {
	case kIdentifier, kShorthandPattern:
		yield(n, h)
	case kAssignmentPattern, kObjectAssignmentPattern:
		left := w.t.Child(n, fLeft)
		if left == sitter.None {
			return
		}
		if h.Rule == graph.HintLocal {
			h = w.hintOf(w.t.Child(n, fRight))
		}
		w.patternNames(left, h, yield)
	case kObjectPattern:
		w.objectPatternNames(n, h, yield)
	case kArrayPattern:
		for c, i := range w.positions(n) {
			w.patternNames(c, step(h, "["+strconv.Itoa(i)+"]"), yield)
		}
	case kRestPattern:
		for c := range w.t.Children(n) {
			w.patternNames(c, graph.Hint{Rule: graph.HintLocal}, yield)
		}
	default:
	}
}

func (w *walker) objectPatternNames(n sitter.Node, h graph.Hint, yield func(sitter.Node, graph.Hint)) {
	for c := range w.t.Children(n) {
		ph := graph.Hint{Rule: graph.HintLocal}
		switch w.kind(c) {
		case kShorthandPattern:
			w.patternNames(c, step(h, "."+w.text(c)), yield)
		case kObjectAssignmentPattern:
			if l := w.t.Child(c, fLeft); l != sitter.None {
				w.patternNames(c, step(h, "."+w.text(l)), yield)
			}
		case kPairPattern:
			key, val := w.t.Child(c, fKey), w.t.Child(c, fValue)
			if key != sitter.None && w.kind(key) == kPropertyName {
				ph = step(h, "."+w.text(key))
			}
			if val != sitter.None {
				w.patternNames(val, ph, yield)
			}
		default:
			w.patternNames(c, ph, yield)
		}
	}
}

// patternDefaults visits the expressions inside a pattern: defaults and computed
// keys.
func (w *walker) patternDefaults(n sitter.Node) {
	switch w.kind(n) {
	case kIdentifier, kShorthandPattern, kPropertyName:
	case kAssignmentPattern, kObjectAssignmentPattern:
		if left := w.t.Child(n, fLeft); left != sitter.None {
			w.patternDefaults(left)
		}
		if right := w.t.Child(n, fRight); right != sitter.None {
			w.visit(right)
		}
	case kObjectPattern, kArrayPattern, kRestPattern, kPairPattern:
		for c := range w.t.Children(n) {
			w.patternDefaults(c)
		}
	default:
		w.visit(n)
	}
}

// rebind refines the hint of a name that is declared already.
func (w *walker) rebind(name string, h graph.Hint) {
	if l := w.locals.Lookup(name); l != nil && l.Def == graph.NoDef && h.Rule != graph.HintLocal {
		l.Hint = h
	}
}

// step is the hint for a member of what h describes.
func step(h graph.Hint, suffix string) graph.Hint {
	if expr, ok := hintExpr(h); ok {
		return aliasHint(expr + suffix)
	}
	return graph.Hint{Rule: graph.HintLocal}
}

// maxExpr bounds the expressions in hints.
const maxExpr = 160

func aliasHint(expr string) graph.Hint {
	switch {
	case len(expr) > maxExpr:
		return graph.Hint{Rule: graph.HintLocal}
	case strings.HasPrefix(expr, "<") && strings.HasSuffix(expr, ">") && balancedType(expr):
		return graph.Hint{Rule: graph.HintDeclared, Type: expr[1 : len(expr)-1]}
	case strings.HasSuffix(expr, "()"):
		return graph.Hint{Rule: graph.HintAssigned, Type: strings.TrimSuffix(expr, "()")}
	}
	return graph.Hint{Rule: graph.HintValue, Type: expr}
}

// balancedType reports whether expr is one <Type> and nothing else.
func balancedType(expr string) bool {
	depth := 0
	for i := 0; i < len(expr); i++ {
		switch expr[i] {
		case '<', '(', '[', '{':
			depth++
		case '>':
			if expr[i-1] != '=' {
				depth--
			}
		case ')', ']', '}':
			depth--
		}
		if depth == 0 {
			return i == len(expr)-1
		}
	}
	return false
}

// hintExpr writes a hint as an expression, so that others can build on it.
func hintExpr(h graph.Hint) (string, bool) {
	switch h.Rule {
	case graph.HintDeclared:
		return "<" + h.Type + ">", true
	case graph.HintElement:
		return "<" + h.Type + ">[]", true
	case graph.HintAssigned:
		return h.Type + "()", true
	case graph.HintValue, graph.HintCallback:
		return h.Type, true
	case graph.HintSelf:
		return "this", true
	case graph.HintLiteral:
		switch h.Type {
		case "string":
			return `""`, true
		case "number":
			return "0", true
		case "array":
			return "[]", true
		}
	default:
	}
	return "", false
}

// hintOf describes the value of an expression.
func (w *walker) hintOf(n sitter.Node) graph.Hint {
	none := graph.Hint{Rule: graph.HintLocal}
	if n == sitter.None {
		return none
	}
	switch w.kind(n) {
	case kString, kTemplateString:
		return graph.Hint{Rule: graph.HintLiteral, Type: "string"}
	case kNumber:
		return graph.Hint{Rule: graph.HintLiteral, Type: "number"}
	case kArray:
		if expr, ok := w.expr(n); ok && expr != "[]" {
			return graph.Hint{Rule: graph.HintValue, Type: expr}
		}
		return graph.Hint{Rule: graph.HintLiteral, Type: "array"}
	case kObject:
		if expr := w.objectExpr(n, 0); expr != "" {
			return graph.Hint{Rule: graph.HintValue, Type: expr}
		}
		return graph.Hint{Rule: graph.HintLiteral, Type: "object"}
	case kRegex:
		return graph.Hint{Rule: graph.HintLiteral, Type: "regexp"}
	case kThis:
		return w.thisHint()
	default:
	}
	expr, ok := w.expr(n)
	if !ok {
		return none
	}
	return aliasHint(expr)
}

// elementHint describes what iterating over an expression yields.
func (w *walker) elementHint(n sitter.Node) graph.Hint {
	h := w.hintOf(n)
	if h.Rule == graph.HintDeclared {
		return graph.Hint{Rule: graph.HintElement, Type: h.Type}
	}
	return step(h, "[]")
}

// expr writes an expression in the form that the package comment describes. ok is
// false where nothing useful is known.
func (w *walker) expr(n sitter.Node) (string, bool) {
	s, ok := w.exprAt(n, 0)
	return s, ok && len(s) <= maxExpr
}

func (w *walker) exprAt(n sitter.Node, depth int) (string, bool) {
	if n == sitter.None || depth > 40 {
		return "", false
	}
	suffix := func(c sitter.Node, s string) (string, bool) {
		e, ok := w.exprAt(c, depth+1)
		return e + s, ok && len(e) <= maxExpr
	}
	switch w.kind(n) {
	case kIdentifier:
		return w.identExpr(n)
	case kThis:
		return w.thisExpr()
	case kSuper:
		return "super", true
	case kMember:
		if p := w.t.Child(n, fProperty); p != sitter.None {
			return suffix(w.object(n), "."+w.text(p))
		}
	case kSubscript:
		if key, ok := w.stringValue(w.t.Child(n, fIndex)); ok && isName(key) {
			return suffix(w.object(n), "."+key)
		}
		return suffix(w.object(n), w.indexed(n))
	case kCall:
		return w.callExpr(n, depth)
	case kNew:
		if typ := w.constructedType(n); typ != "" {
			return typ, true
		}
		return suffix(w.t.Child(n, fConstructor), "()")
	case kAwait:
		return suffix(w.t.First(n), "~")
	case kNonNull, kParenthesized:
		if typ := w.docCast(n); typ != "" {
			return "<" + typ + ">", true
		}
		return suffix(w.t.First(n), "")
	case kAs, kSatisfies, kTypeAssertion:
		return w.castExpr(n, depth)
	case kBinary, kTernary:
		return w.choiceExpr(n, depth)
	case kAssignment:
		return w.exprAt(w.t.Child(n, fRight), depth+1)
	case kString, kTemplateString:
		return `""`, true
	case kNumber:
		return "0", true
	case kArray:
		return w.arrayExpr(n, depth), true
	case kObject:
		e := w.objectExpr(n, depth)
		return e, e != ""
	default:
	}
	return "", false
}

// callExpr writes a call: what it calls with "()", or what it is known to hand back.
func (w *walker) callExpr(n sitter.Node, depth int) (string, bool) {
	if e := w.requireExpr(n); e != "" {
		return e, true
	}
	if e := w.handedBack(n, depth); e != "" {
		return e, true
	}
	fn := w.t.Child(n, fFunction)
	if fn == sitter.None || w.kind(fn) == kImportKeyword || w.isRequire(n) {
		return "", false
	}
	e, ok := w.exprAt(fn, depth+1)
	return e + "()", ok && len(e) <= maxExpr
}

// constructedType writes new C<T>() as the type that it makes, or "".
func (w *walker) constructedType(n sitter.Node) string {
	args, c := w.child(n, kTypeArguments), w.t.Child(n, fConstructor)
	if args == sitter.None || c == sitter.None || w.kind(c) != kIdentifier || w.locals.Lookup(w.text(c)) != nil {
		return ""
	}
	return "<" + w.text(c) + w.typeText(args) + ">"
}

func (w *walker) identExpr(n sitter.Node) (string, bool) {
	name := w.text(n)
	if l := w.locals.Lookup(name); l != nil && l.Def == graph.NoDef {
		return hintExpr(l.Hint)
	}
	return name, true
}

func (w *walker) castExpr(n sitter.Node, depth int) (string, bool) {
	value, typ := w.t.First(n), sitter.None
	for c := range w.t.Children(n) {
		if c != value {
			typ = c
		}
	}
	if w.kind(n) == kTypeAssertion {
		value, typ = typ, value // <T>x
		if typ != sitter.None {
			typ = w.t.First(typ)
		}
	}
	if typ == sitter.None { // as const
		return w.exprAt(value, depth+1)
	}
	if t := w.typeText(typ); t != "any" && t != "unknown" && t != "" {
		return "<" + t + ">", true
	}
	return "", false
}

// thisHint describes this at the place being read.
func (w *walker) thisHint() graph.Hint {
	if n := len(w.selves); n > 0 {
		return w.selves[n-1].hint
	}
	return graph.Hint{Rule: graph.HintLocal}
}

func (w *walker) thisExpr() (string, bool) {
	h := w.thisHint()
	if h.Rule == graph.HintSelf {
		return "this", true
	}
	return hintExpr(h)
}

// valueType is the type of an expression as Def.Type has it: a declared type, or a
// callee with "()".
func (w *walker) valueType(n sitter.Node) string {
	switch h := w.hintOf(n); h.Rule {
	case graph.HintDeclared:
		return h.Type
	case graph.HintAssigned:
		if !strings.Contains(h.Type, "#") { // nothing that a reader would take for a type
			return h.Type + "()"
		}
	case graph.HintValue:
		if !strings.Contains(h.Type, "#") && !strings.HasPrefix(h.Type, "{?") {
			return "=" + h.Type // another name or a member, one of several, or a literal
		}
	case graph.HintSelf:
		return "this"
	case graph.HintLiteral:
		if h.Type == "string" || h.Type == "number" {
			return h.Type
		}
	default:
	}
	return ""
}
