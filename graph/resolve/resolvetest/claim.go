package resolvetest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
)

// claim is what a comment says of one name.
type claim struct {
	kind, name string // "ref", "import", "base" or "mention", and of what
	nth        int    // which of the references of the name, from 1
	sep        string // "->", "~" or "?"
	want       string
	reason     string
	at         int // line of the definition, 0 where nothing is said
	through    string
	dispatch   string
	maybe      bool
	exactly    bool
}

// maxSum is what the confidences of one binding may add up to, with room for rounding.
const maxSum = 1.0001

// parse reads one claim.
func parse(text string) (claim, error) {
	c := claim{kind: "ref", nth: 1}
	var what string
	for _, sep := range []string{"->", "~", "?"} {
		if left, right, ok := strings.Cut(text, " "+sep+" "); ok {
			c.sep, what, c.want = sep, left, right
			break
		}
	}
	if c.sep == "" {
		return c, fmt.Errorf("no \" -> \", \" ~ \" or \" ? \"")
	}
	if kind, name, ok := strings.Cut(what, " "); ok {
		c.kind, what = kind, name
	}
	c.name = what
	if name, nth, ok := strings.Cut(what, "#"); ok && name != "" {
		if n, err := strconv.Atoi(nth); err == nil {
			c.name, c.nth = name, n
		}
	}
	c.want, c.dispatch, _ = strings.Cut(c.want, " dispatch ")
	if left, line, ok := strings.Cut(c.want, " at "); ok {
		n, err := strconv.Atoi(line)
		if err != nil {
			return c, fmt.Errorf("read line of definition: %w", err)
		}
		c.want, c.at = left, n
	}
	if i := strings.LastIndex(c.want, " ("); i > 0 && strings.HasSuffix(c.want, ")") {
		c.want, c.reason = c.want[:i], c.want[i+2:len(c.want)-1]
	}
	c.want, c.through, _ = strings.Cut(c.want, " through ")
	c.want, c.exactly = strings.CutSuffix(c.want, " exactly")
	c.want, c.maybe = strings.CutSuffix(c.want, " maybe")
	return c, nil
}

// check compares a claim with the binding and says what is wrong.
func (s *Suite) check(v *graphtest.View, p graph.Path, line uint32, c *claim) (wrong []string) {
	say := func(format string, a ...any) { wrong = append(wrong, fmt.Sprintf(format, a...)) }
	id, _ := v.Lookup(p)
	f, _ := v.Facts(id)
	if f == nil {
		return []string{"the file has no structure"}
	}
	b, ok := s.binding(v, f, id, line, c)
	switch none := c.want == "no reference"; {
	case none && !ok:
		return nil
	case none || !ok:
		return []string{fmt.Sprintf("reference on the line: %t", ok)}
	}
	if got := s.Targets(v, b); got != c.want {
		say("it is %s (%s)", got, b.Reason)
	}
	if c.reason != "" && string(b.Reason) != c.reason {
		say("the reason is %s", b.Reason)
	}
	if c.at != 0 && len(b.Targets) > 0 {
		sym := b.Targets[0].Symbol
		if g, _ := v.Facts(sym.File); int(g.Defs[sym.Def].NameSpan.From.Line) != c.at {
			say("it is the one at %d", g.Defs[sym.Def].NameSpan.From.Line)
		}
	}
	through := ""
	if b.Through.File != 0 {
		through = s.label(v, b.Through)
	}
	if c.through != "" && c.through != through || c.exactly && through != "" {
		say("it is found through %q", through)
	}
	if c.maybe && (!b.Dynamic || b.Provenance == graph.Extracted) {
		say("it is certain: %+v", b)
	}
	if c.dispatch != "" && len(b.Targets) > 0 {
		if got := s.Targets(v, s.Resolver(f.Language).Dispatch(v, b.Targets[0].Symbol)); got != c.dispatch {
			say("it may run %s", got)
		}
	}
	return append(wrong, s.checkTier(b, c)...)
}

// checkTier compares how sure a claim is with how sure the binding is.
func (s *Suite) checkTier(b graph.Binding, c *claim) (wrong []string) {
	want := c.sep == "~" || c.kind != "import" && strings.Contains(c.want, " | ")
	if got := b.Provenance == graph.Ambiguous; got != want && c.kind != "import" {
		wrong = append(wrong, fmt.Sprintf("provenance %q of %d targets", b.Provenance, len(b.Targets)))
	}
	if tier := map[string]graph.Provenance{"->": graph.Extracted, "?": graph.Inferred}[c.sep]; s.Strict && b.Resolved() && !want && b.Provenance != tier {
		wrong = append(wrong, fmt.Sprintf("provenance %q", b.Provenance))
	}
	sum := float32(0)
	for _, t := range b.Targets {
		sum += t.Confidence
	}
	if b.Provenance == graph.Ambiguous && sum > maxSum || len(b.Targets) > 0 && sum <= 0 {
		wrong = append(wrong, fmt.Sprintf("confidences add up to %v", sum))
	}
	return wrong
}

// binding asks the resolver about the thing that a claim names. As in the planner,
// it sees outlines of the other files, and of its own the reference in question.
func (s *Suite) binding(v *graphtest.View, f *graph.Facts, id graph.FileID, line uint32, c *claim) (graph.Binding, bool) {
	r := s.Resolver(f.Language)
	switch c.kind {
	case "import":
		if i := importOn(f, line, c.name); i >= 0 {
			return r.Import(v, f, id, i), true
		}
	case "base":
		for i := range f.Heritage {
			if h := &f.Heritage[i]; h.Span.From.Line == line && h.Name == c.name {
				return r.Base(v, f, id, i), true
			}
		}
	case "mention":
		for i := range f.Mentions {
			if m := &f.Mentions[i]; m.Span.From.Line == line && m.Name == c.name {
				return r.Mention(v, f, id, i), true
			}
		}
	case "ref":
		nth := c.nth
		for i := range f.Refs {
			if ref := &f.Refs[i]; ref.Span.From.Line != line || ref.Name != c.name {
				continue
			}
			if nth--; nth == 0 {
				one := *f
				one.Refs = f.Refs[i : i+1]
				return r.Ref(graph.Outlines(v), &one, id, 0), true
			}
		}
	}
	return graph.Binding{}, false
}

// importOn returns the import of a line that goes by a name, or -1: by its alias
// rather than by its name, and by that rather than by its module.
func importOn(f *graph.Facts, line uint32, name string) int {
	for _, word := range []func(*graph.Import) string{
		func(im *graph.Import) string { return im.Alias },
		func(im *graph.Import) string { return im.Name },
		func(im *graph.Import) string { return im.Module },
	} {
		for i := range f.Imports {
			if im := &f.Imports[i]; im.Span.From.Line == line && word(im) == name {
				return i
			}
		}
	}
	return -1
}
