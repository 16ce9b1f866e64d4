package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// isTestCall reports whether a call of the name describes tests.
func isTestCall(name string) bool {
	switch name {
	case "describe", "fdescribe", "xdescribe", "suite", "context", "it", "fit", "xit", "specify", "test", "xtest":
		return true
	}
	return false
}

// isFixtureCall reports whether a call of the name sets up for tests.
func isFixtureCall(name string) bool {
	switch name {
	case "beforeEach", "afterEach", "beforeAll", "afterAll", "before", "after", "setup", "teardown":
		return true
	}
	return false
}

// maxTitle bounds the name of a test: titles are prose.
const maxTitle = 80

// testCall reads a call of a test runner: the function it is given becomes a
// definition, so that what happens inside has a test around it.
func (w *walker) testCall(n, fn, args sitter.Node) bool {
	runner := w.runner(fn)
	if runner == sitter.None || args == sitter.None || w.kind(args) != kArguments {
		return false
	}
	name := w.text(runner)
	if l := w.locals.Lookup(name); l != nil && l.Def == graph.NoDef {
		return false
	}
	title, body := sitter.None, sitter.None
	for c := range w.t.Children(args) {
		switch w.kind(c) {
		case kString, kTemplateString:
			if title == sitter.None {
				title = c
			}
		case kArrow, kFunctionExpr, kGeneratorExpr:
			body = c
		default:
		}
	}
	d := graph.Def{Kind: graph.KindFunction, Span: w.b.Span(n)}
	switch {
	case body == sitter.None:
		return false
	case isTestCall(name) && title != sitter.None:
		d.Name, d.NameSpan = w.title(title)
		d.Flags = graph.FlagTest
	case isFixtureCall(name) && w.t.First(args) == body && w.kind(fn) == kIdentifier:
		d.Name, d.NameSpan = name, w.b.Span(runner)
		d.Flags = graph.FlagFixture
	}
	if d.Name == "" {
		return false
	}
	d.Local = w.testName(d.Name)
	if strings.HasPrefix(w.text(body), "async") {
		d.Flags |= graph.FlagAsync
	}
	w.testBody(fn, args, body, d)
	return true
}

// testBody adds the definition and reads the call inside it.
func (w *walker) testBody(fn, args, body sitter.Node, d graph.Def) {
	start := d.Span.Start
	if w.depth > 0 && d.Flags&graph.FlagTest != 0 { // describe bodies do not make tests local
		w.depth--
		defer func() { w.depth++ }()
	}
	saved := w.depth
	w.depth = 0
	def := w.add(d, start)
	w.depth = saved
	if w.kind(fn) == kCall { // it.each(…)(…)
		w.visit(fn)
	} else {
		w.callee(fn, graph.UseCall, w.argCount(args))
	}
	w.b.Enter(def)
	for c := range w.t.Children(args) {
		if c == body {
			w.function(c, "")
		} else {
			w.visit(c)
		}
	}
	w.b.Leave()
}

// runner returns the name of the runner in it(…), it.only(…), it.each(…)(…) and
// it.each`…`(…).
func (w *walker) runner(fn sitter.Node) sitter.Node {
	for depth := 0; depth < 4 && fn != sitter.None; depth++ {
		switch w.kind(fn) {
		case kIdentifier:
			name := w.text(fn)
			if isTestCall(name) || isFixtureCall(name) {
				return fn
			}
			return sitter.None
		case kMember:
			if p := w.t.Child(fn, fProperty); p == sitter.None || !isRunnerModifier(w.text(p)) {
				return sitter.None
			}
			fn = w.t.Child(fn, fObject)
		case kCall:
			fn = w.t.Child(fn, fFunction)
		default:
			return sitter.None
		}
	}
	return sitter.None
}

// isRunnerModifier reports whether it.name(…) still describes a test.
func isRunnerModifier(name string) bool {
	switch name {
	case "only", "skip", "each", "concurrent", "sequential", "todo", "failing", "fails", "skipIf", "runIf", "for":
		return true
	}
	return false
}

func (w *walker) title(n sitter.Node) (string, graph.Span) {
	from, to := w.t.Start(n)+1, max(w.t.Start(n)+1, w.t.End(n)-1)
	s := strings.Join(strings.Fields(w.b.Slice(from, to)), " ")
	if len(s) > maxTitle {
		s = strings.ToValidUTF8(s[:maxTitle], "")
	}
	return s, w.b.SpanBetween(from, to)
}

// testName joins titles: "describe title > it title".
func (w *walker) testName(title string) string {
	if d := w.b.EnclosingDef(); d != nil {
		if d.Has(graph.FlagTest) {
			return d.Local + " > " + title
		}
		return d.Local + "." + title
	}
	return title
}
