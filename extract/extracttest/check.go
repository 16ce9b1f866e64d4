package extracttest

import (
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// Check reports where facts contradict their text or the contract of graph.Facts:
// spans outside the text or the wrong way round, names that do not stand at their
// span, containers that come later, references out of order.
func Check(t testing.TB, f *graph.Facts, src string) {
	t.Helper()
	for i := range f.Defs {
		d := &f.Defs[i]
		checkSpan(t, "definition "+d.Local, d.Span, src)
		checkSpan(t, "name of "+d.Local, d.NameSpan, src)
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
		checkSpan(t, "reference "+r.Name, r.Span, src)
		checkOwner(t, f, "reference "+r.Name, r.Enclosing)
		if r.Span.Start < last {
			t.Errorf("reference %s at %v out of order", r.Name, r.Span.From)
		}
		if len(r.Qualifier) > 160 {
			t.Errorf("reference %s: qualifier of %d bytes", r.Name, len(r.Qualifier))
		}
		// What constructs a type may span the whole of its name, of which the reference has the last part.
		if r.Use != graph.UseDynamic && int(r.Span.End) <= len(src) && !strings.HasSuffix(src[r.Span.Start:r.Span.End], r.Name) {
			t.Errorf("reference %s at %v: the text there is %q", r.Name, r.Span.From, src[r.Span.Start:r.Span.End])
		}
		last = r.Span.Start
	}
	for i, c := range f.ValueCalls {
		checkOwner(t, f, "calls of values", c.Enclosing)
		if c.Count == 0 || i > 0 && f.ValueCalls[i-1].Enclosing >= c.Enclosing {
			t.Errorf("calls of values: %+v", f.ValueCalls)
		}
	}
	for i := range f.Imports {
		checkSpan(t, "import "+f.Imports[i].Module, f.Imports[i].Span, src)
		checkOwner(t, f, "import "+f.Imports[i].Module, f.Imports[i].Enclosing)
	}
	for i := range f.Heritage {
		checkSpan(t, "base "+f.Heritage[i].Name, f.Heritage[i].Span, src)
		checkOwner(t, f, "base "+f.Heritage[i].Name, f.Heritage[i].Def)
	}
	for i := range f.Mentions {
		checkSpan(t, "mention "+f.Mentions[i].Name, f.Mentions[i].Span, src)
		checkOwner(t, f, "mention "+f.Mentions[i].Name, f.Mentions[i].Enclosing)
	}
}

func checkOwner(t testing.TB, f *graph.Facts, what string, def int32) {
	t.Helper()
	if def < graph.NoDef || int(def) >= len(f.Defs) {
		t.Errorf("%s: enclosing definition %d of %d", what, def, len(f.Defs))
	}
}

func checkSpan(t testing.TB, what string, s graph.Span, src string) {
	t.Helper()
	if s.Start > s.End || int(s.End) > len(src) {
		t.Errorf("%s: bytes %d-%d of %d", what, s.Start, s.End, len(src))
		return
	}
	if s.From.Line == 0 || s.From.Col == 0 || s.To.Line < s.From.Line {
		t.Errorf("%s: places %v-%v", what, s.From, s.To)
	}
	line := uint32(1)
	for i := uint32(0); i < s.Start; i++ {
		if src[i] == '\n' {
			line++
		}
	}
	if line != s.From.Line {
		t.Errorf("%s: starts on line %d, says %d", what, line, s.From.Line)
	}
}
