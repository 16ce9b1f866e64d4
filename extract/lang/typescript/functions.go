package typescript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

func local(name string, h graph.Hint) spec.Local {
	return spec.Local{Name: name, Hint: h, Def: graph.NoDef}
}

func localDef(name string) spec.Local { return spec.Local{Name: name, Def: pendingDef} }

// isFunctionValue reports whether a value makes its variable a function or class.
func (w *walker) isFunctionValue(n sitter.Node) bool {
	if n == sitter.None {
		return false
	}
	switch w.kind(n) {
	case kArrow, kFunctionExpr, kGeneratorExpr, kClass:
		return true
	default:
	}
	return false
}

// function reads the parameters and body of a function of any form. callback says
// what gives untyped parameters their types: "callee#argument", or "".
func (w *walker) function(n sitter.Node, callback string) (result string) {
	w.depth++
	body := w.t.Child(n, fBody)
	if body != sitter.None {
		w.bodies++
		defer func() { w.bodies-- }()
	}
	params := w.docParams
	w.docParams = nil
	saved := w.conditional
	w.conditional = 0
	mark := len(w.typeParams)
	w.locals.Open()
	blocks, kept, static := w.blocks, w.kept, w.staticBlock
	w.blocks, w.kept, w.staticBlock = nil, 0, false
	selves := len(w.selves)
	switch w.kind(n) {
	case kFunctionExpr, kGeneratorExpr:
		if name := w.t.Child(n, fName); name != sitter.None && w.b.EnclosingDef() != nil && w.b.EnclosingDef().Name != w.text(name) {
			w.locals.Declare(local(w.text(name), graph.Hint{Rule: graph.HintLocal}))
		}
		s := self{graph.Hint{Rule: graph.HintLocal}, graph.NoDef}
		if w.methodSelf != nil {
			s = *w.methodSelf
		} else if callback != "" {
			s.hint = graph.Hint{Rule: graph.HintCallback, Type: callback + "#this"}
		}
		w.selves = append(w.selves, s)
	default:
	}
	w.methodSelf = nil
	if tp := w.t.Child(n, fTypeParameters); tp != sitter.None {
		w.visit(tp)
	}
	w.parameters(n, callback, params)
	if r := w.t.Child(n, fReturnType); r != sitter.None {
		w.visit(r)
	}
	w.returns = append(w.returns, returned{})
	if body != sitter.None {
		if w.hasDefaults(n) {
			w.enterBlock(body)
			w.kept = 1
		}
		w.body(body)
	}
	result = w.returns[len(w.returns)-1].result()
	w.returns = w.returns[:len(w.returns)-1]
	w.selves = w.selves[:selves]
	w.blocks, w.kept, w.staticBlock = blocks, kept, static
	w.locals.Close()
	w.typeParams = w.typeParams[:mark]
	w.conditional = saved
	w.depth--
	return result
}

// functionExpr reads a function that is not the value of a definition. One that has a
// name has it for itself alone.
func (w *walker) functionExpr(n sitter.Node, callback string) {
	name := w.t.Child(n, fName)
	if name == sitter.None || w.text(name) == "" || w.kind(n) == kArrow {
		w.function(n, callback)
		return
	}
	w.locals.Open()
	w.locals.Declare(localDef(w.text(name)))
	def := w.add(graph.Def{
		Name: w.text(name), Kind: graph.KindFunction, Span: w.b.Span(n), NameSpan: w.b.Span(name),
		Signature: w.signature(w.t.Start(n), n, w.t.Child(n, fBody)), Type: w.returnAnnotation(n), Flags: graph.FlagLocal | graph.FlagTentative,
	}, w.t.Start(n))
	w.enterFunction(n, def, callback)
	w.locals.Close()
}

// hasDefaults reports whether a parameter of a function has a default value.
func (w *walker) hasDefaults(n sitter.Node) bool {
	list := w.t.Child(n, fParameters)
	if list == sitter.None {
		return false
	}
	for p := range w.t.Children(list) {
		if w.kind(p) == kAssignmentPattern || w.t.Child(p, fValue) != sitter.None {
			return true
		}
	}
	return false
}

func (w *walker) body(body sitter.Node) {
	if w.kind(body) != kBlock { // an arrow's expression
		w.visit(body)
		w.noteReturn(body)
		return
	}
	w.hoist(body)
	w.predeclare(body)
	w.children(body)
}

// parameters declares the parameters and visits their types and defaults.
func (w *walker) parameters(n sitter.Node, callback string, doc map[string]string) {
	list := w.t.Child(n, fParameters)
	if list == sitter.None {
		if p := w.t.Child(n, fParameter); p != sitter.None { // x => …
			w.bindPattern(p, callbackHint(callback, 0))
		}
		return
	}
	i := 0
	for p := range w.t.Children(list) {
		switch w.kind(p) {
		case kComment:
			continue
		case kRequiredParameter, kOptionalParameter:
			if w.typedParameter(p, callbackHint(callback, i)) {
				continue
			}
		default:
			h := callbackHint(callback, i)
			if typ := doc[w.patternName(p)]; typ != "" {
				h = graph.Hint{Rule: graph.HintDeclared, Type: typ}
			}
			w.bindPattern(p, h)
		}
		i++
	}
}

// patternName returns the name of a parameter that is one name, with or without a
// default.
func (w *walker) patternName(n sitter.Node) string {
	switch w.kind(n) {
	case kIdentifier:
		return w.text(n)
	case kAssignmentPattern:
		if l := w.t.Child(n, fLeft); l != sitter.None && w.kind(l) == kIdentifier {
			return w.text(l)
		}
	default:
	}
	return ""
}

// typedParameter binds a parameter of the TypeScript grammars. skip is true for a
// this parameter, which no argument fills.
func (w *walker) typedParameter(p sitter.Node, h graph.Hint) (skip bool) {
	pattern := w.t.Child(p, fPattern)
	if pattern == sitter.None {
		w.children(p)
		return false
	}
	typ, value := w.annotation(p), w.t.Child(p, fValue)
	for c := range w.t.Children(p) {
		if w.kind(c) == kDecorator {
			w.visit(c)
		}
	}
	if t := w.t.Child(p, fType); t != sitter.None {
		w.visit(t)
	}
	switch {
	case typ != "":
		h = graph.Hint{Rule: graph.HintDeclared, Type: typ}
	case value != sitter.None:
		h = w.hintOf(value)
	}
	if w.kind(pattern) == kThis {
		w.selves = append(w.selves, self{h, graph.NoDef})
		return true
	}
	if w.kind(pattern) == kRestPattern {
		if id := w.child(pattern, kIdentifier); id != sitter.None {
			pattern = id
		}
	}
	w.bindPattern(pattern, h)
	if value != sitter.None {
		w.visit(value)
	}
	return false
}

func callbackHint(callback string, i int) graph.Hint {
	if callback == "" {
		return graph.Hint{Rule: graph.HintLocal}
	}
	return graph.Hint{Rule: graph.HintCallback, Type: callback + "#" + strconv.Itoa(i)}
}

// annotation returns the type annotation of a node without its colon, "" for none
// and for any.
func (w *walker) annotation(n sitter.Node) string {
	if w.d.javascript {
		return ""
	}
	t := w.t.Child(n, fType)
	if t == sitter.None {
		return ""
	}
	return w.typeText(t)
}

func (w *walker) returnAnnotation(n sitter.Node) string {
	if w.d.javascript {
		return ""
	}
	if t := w.t.Child(n, fReturnType); t != sitter.None {
		return w.typeText(t)
	}
	return ""
}

// maxType bounds the types that are kept: longer ones are generated or data.
const maxType = 400

func (w *walker) typeText(n sitter.Node) string {
	s := spec.OneLine(strings.TrimPrefix(w.text(n), ":"))
	if len(s) > maxType || s == "any" {
		return ""
	}
	return s
}

// signature is the text of a declaration from start up to its body, on one line.
func (w *walker) signature(start uint32, n, body sitter.Node) string {
	end := w.t.End(n)
	if body != sitter.None {
		end = w.t.Start(body)
	}
	s := strings.TrimRight(w.b.Signature(start, end), " ;,")
	if i := strings.LastIndex(s, "/*"); i > 0 && strings.HasSuffix(s, "*/") {
		s = strings.TrimSpace(s[:i])
	}
	s = strings.TrimSpace(strings.TrimSuffix(s, "=>"))
	return strings.TrimSpace(strings.TrimSuffix(s, "="))
}

// localName qualifies a name by the definition that is being read.
func (w *walker) localName(name string) string {
	if d := w.b.EnclosingDef(); d != nil {
		return d.Local + "." + name
	}
	return name
}

// add appends a definition with what holds for all: flags of the place, doc.
func (w *walker) add(d graph.Def, start uint32) int32 {
	if d.Local == "" {
		d.Local = w.localName(d.Name)
	}
	if w.depth > 0 {
		d.Flags |= graph.FlagLocal
	}
	if w.conditional > 0 {
		d.Flags |= graph.FlagConditional
	}
	d.Doc = w.docAbove(start)
	if doc := w.docTypesAt(start); d.Kind == graph.KindFunction || d.Kind == graph.KindMethod {
		w.docParams = doc.params
		d.Type = cmp.Or(d.Type, doc.returns)
	} else if doc.typ != "" && d.Kind != graph.KindClass {
		d.Type = doc.typ
	} else if d.Kind == graph.KindProperty { // an accessor
		d.Type = cmp.Or(d.Type, doc.returns)
	}
	def := w.b.AddDef(d)
	w.noteBlockDef(def)
	return def
}

// docAbove returns the first line of the JSDoc comment right above a definition,
// or else of the comments there.
func (w *walker) docAbove(start uint32) string {
	if w.jsdoc == sitter.None || w.t.End(w.jsdoc) > start || strings.TrimSpace(w.b.Slice(w.t.End(w.jsdoc), start)) != "" {
		return w.b.DocAbove(start)
	}
	text, _, _ := strings.Cut(w.text(w.jsdoc), "\n * @")
	text, _, _ = strings.Cut(text, "\n\t * @")
	doc := spec.DocLine(text)
	if strings.HasPrefix(doc, "@") {
		return ""
	}
	return doc
}

// keywords returns the words before a name: modifiers and get, set, async.
func (w *walker) keywords(n, name sitter.Node) []string {
	start := w.t.Start(n)
	for c := range w.t.Children(n) {
		if w.kind(c) == kDecorator {
			start = w.t.End(c)
		}
	}
	if start > w.t.Start(name) {
		return nil
	}
	return strings.Fields(strings.ReplaceAll(w.b.Slice(start, w.t.Start(name)), "*", " "))
}

func containsWord(s, word string) bool {
	for _, f := range strings.Fields(s) {
		if f == word {
			return true
		}
	}
	return false
}

// endsInWord reports whether the last word of s is one of words.
func endsInWord(s string, words ...string) bool {
	s = strings.TrimSpace(s)
	last := s[strings.LastIndexAny(s, " \t\n(")+1:]
	for _, w := range words {
		if last == w {
			return true
		}
	}
	return false
}

func isName(s string) bool {
	if s == "" || s[0]-'0' < 10 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && c != '$' && c < 0x80 && c-'0' >= 10 && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}
