package typescript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// What a local holds that is called may be known where it is bound: const f = a.b; f().
// The reference stands at the name of the local, and its hint says what that holds. Calls
// that flow in the file explains have their references from there.

// noteHeld remembers the call of a local. One of what new makes is listed whatever the
// local holds.
func (w *walker) noteHeld(n sitter.Node, h graph.Hint, use graph.Use, args int16) {
	switch h.Rule {
	case graph.HintClass:
	case graph.HintValue:
		if strings.Contains(h.Type, "#") {
			h = graph.Hint{Rule: graph.HintLocal}
		}
	case graph.HintAssigned:
		if h = (graph.Hint{Rule: graph.HintValue, Type: h.Type + "()"}); strings.Contains(h.Type, "#") {
			h = graph.Hint{Rule: graph.HintLocal}
		}
	default:
		h = graph.Hint{Rule: graph.HintLocal}
	}
	if h.Rule == graph.HintLocal && w.kind(w.t.Parent(n)) != kNew {
		return
	}
	w.held = append(w.held, graph.Ref{Name: w.text(n), Use: use, Span: w.b.Span(n), Args: args, Hint: h, Enclosing: w.b.Enclosing()})
}

// bindHeld adds the references of calls of locals, and says of calls of variables at the
// top of the file what these hold.
func (w *walker) bindHeld() {
	f := w.b.Facts
	flows := map[uint32]bool{}
	for i := range f.Refs {
		if f.Refs[i].Hint.Rule == graph.HintFlow {
			flows[f.Refs[i].Span.Start] = true
		}
	}
	held := w.heldByName()
	for i, n := 0, len(f.Refs); i < n; i++ {
		r := &f.Refs[i]
		if r.Use != graph.UseCall || r.Qualifier != "" || r.Hint.Rule != graph.HintNone || r.Args < 0 || !held[r.Name] || flows[r.Span.Start] {
			continue
		}
		read := *r
		read.Use, read.Args = graph.UseRead, -1
		r.Hint = graph.Hint{Rule: graph.HintValue, Type: r.Name}
		f.Refs = append(f.Refs, read)
	}
	for _, r := range w.held {
		if !flows[r.Span.Start] {
			f.Refs = append(f.Refs, r)
		}
	}
	slices.SortStableFunc(f.Refs, func(a, b graph.Ref) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}

// heldByName lists the variables at the top of the file that are names of something else,
// or results of calls.
func (w *walker) heldByName() map[string]bool {
	var out map[string]bool
	for i := range w.b.Facts.Defs {
		d := &w.b.Facts.Defs[i]
		if d.Container != graph.NoDef || d.Owner != "" || d.Kind != graph.KindConstant && d.Kind != graph.KindVariable {
			continue
		}
		if strings.HasPrefix(d.Type, "=") && !strings.HasPrefix(d.Type, "={") || strings.HasSuffix(d.Type, "()") {
			if out == nil {
				out = map[string]bool{}
			}
			out[d.Name] = true
		}
	}
	return out
}
