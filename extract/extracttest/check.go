package extracttest

import (
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// Check reports where facts contradict their text or the contract of graph.Facts:
// spans outside the text or the wrong way round, names that do not stand at their
// span, containers that come later, references out of order.
func Check(t testing.TB, f *graph.Facts, src string) {
	t.Helper()
	c := checker{t: t, src: src, lines: lineStarts(src)}
	for i := range f.Defs {
		d := &f.Defs[i]
		c.span("definition "+d.Local, d.Span)
		c.span("name of "+d.Local, d.NameSpan)
		if d.Name == "" || d.Local == "" {
			t.Errorf("definition %d at %v has no name", i, d.Span.From)
		}
		if d.Container < graph.NoDef || int(d.Container) >= len(f.Defs) || d.Container == int32(i) {
			t.Errorf("definition %s: container %d", d.Local, d.Container)
		}
		if d.NameSpan.Start < d.Span.Start || d.NameSpan.End > d.Span.End {
			t.Errorf("definition %s: name %v outside %v", d.Local, d.NameSpan, d.Span)
		}
	}
	last := uint32(0)
	for i := range f.Refs {
		r := &f.Refs[i]
		c.span("reference "+r.Name, r.Span)
		c.owner(f, "reference "+r.Name, r.Enclosing)
		if r.Span.Start < last {
			t.Errorf("reference %s at %v out of order", r.Name, r.Span.From)
		}
		if len(r.Qualifier) > 160 {
			t.Errorf("reference %s: qualifier of %d bytes", r.Name, len(r.Qualifier))
		}
		if r.Use != graph.UseDynamic && r.Hint.Rule != graph.HintFlow && int(r.Span.End) <= len(src) && !says(src[r.Span.Start:r.Span.End], r.Name) {
			t.Errorf("reference %s at %v: the text there is %q", r.Name, r.Span.From, src[r.Span.Start:r.Span.End])
		}
		last = r.Span.Start
	}
	for i, v := range f.ValueCalls {
		c.owner(f, "calls of values", v.Enclosing)
		if v.Count == 0 || i > 0 && f.ValueCalls[i-1].Enclosing >= v.Enclosing {
			t.Errorf("calls of values: %+v", f.ValueCalls)
		}
	}
	for i := range f.Imports {
		c.span("import "+f.Imports[i].Module, f.Imports[i].Span)
		c.owner(f, "import "+f.Imports[i].Module, f.Imports[i].Enclosing)
	}
	for i := range f.Heritage {
		c.span("base "+f.Heritage[i].Name, f.Heritage[i].Span)
		c.owner(f, "base "+f.Heritage[i].Name, f.Heritage[i].Def)
	}
	for i := range f.Mentions {
		c.span("mention "+f.Mentions[i].Name, f.Mentions[i].Span)
		c.owner(f, "mention "+f.Mentions[i].Name, f.Mentions[i].Enclosing)
	}
}

// says reports whether a name stands at the end of a text. What constructs a type may span
// the whole of its name, of which the reference has the last part; a name may be a string, export { a as "b" }, or stand in
// back quotes.
func says(text, name string) bool {
	return strings.HasSuffix(text, name) || strings.HasSuffix(strings.TrimRight(text, `"'`), name) || strings.HasSuffix(strings.TrimSuffix(text, "`"), name)
}

// checker knows where the lines of a text begin: a file may have a hundred thousand of
// them, and as many facts.
type checker struct {
	t     testing.TB
	src   string
	lines []uint32
}

func lineStarts(src string) []uint32 {
	starts := []uint32{0}
	for i := range len(src) {
		if src[i] == '\n' {
			starts = append(starts, uint32(i)+1)
		}
	}
	return starts
}

func (c *checker) owner(f *graph.Facts, what string, def int32) {
	c.t.Helper()
	if def < graph.NoDef || int(def) >= len(f.Defs) {
		c.t.Errorf("%s: enclosing definition %d of %d", what, def, len(f.Defs))
	}
}

func (c *checker) span(what string, s graph.Span) {
	c.t.Helper()
	if s.Start > s.End || int(s.End) > len(c.src) {
		c.t.Errorf("%s: bytes %d-%d of %d", what, s.Start, s.End, len(c.src))
		return
	}
	if s.From.Line == 0 || s.From.Col == 0 || s.To.Line < s.From.Line {
		c.t.Errorf("%s: places %v-%v", what, s.From, s.To)
	}
	line, found := slices.BinarySearch(c.lines, s.Start)
	if found {
		line++
	}
	if uint32(line) != s.From.Line {
		c.t.Errorf("%s: starts on line %d, says %d", what, line, s.From.Line)
	}
}
