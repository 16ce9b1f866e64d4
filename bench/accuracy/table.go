package accuracy

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// shownMisses is how many kinds of misses a table names.
const shownMisses = 10

// Write prints scores for people. name stands at the head of the table.
func (s *Scores) Write(w io.Writer, name string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	p := printer{w: t}
	p.f("%s\tprecision\trecall\tF1\tright/answered\tfound/known\n", name)
	for _, row := range [...]struct {
		name string
		c    Count
	}{{"definitions", s.Defs}, {"calls", s.Calls}, {"imports", s.Imports}, {"inheritance", s.Inherits}} {
		if row.c.Known == 0 && row.c.Answered == 0 {
			continue
		}
		p.f("%s\t%.4f\t%.4f\t%.4f\t%d/%d\t%d/%d\n", row.name, row.c.Precision(), row.c.Recall(), row.c.F1(), row.c.Right, row.c.Answered, row.c.Found, row.c.Known)
	}
	p.f("\nlast lines of definitions\t%.4f\t%d of %d\n", share(s.SpanRight, s.SpanJudged), s.SpanRight, s.SpanJudged)
	p.f("call sites not listed\t%d\n", s.Sites)
	p.f("call sites without an answer\t%d\n", s.Abstained)
	p.f("calls that leave the tree, answered inside it\t%.4f\t%d of %d\n", rate(s.LeavingAnswered, s.Leaving), s.LeavingAnswered, s.Leaving)
	for _, tier := range s.Tiers {
		p.f("%s\t%.4f\t%d judged\t%.2f of the edges\n", tier.Name, share(tier.Right, tier.Judged), tier.Judged, tier.Share)
	}
	if len(s.Misses) > 0 {
		p.f("\nmost frequent misses\n")
	}
	for _, m := range s.Misses[:min(shownMisses, len(s.Misses))] {
		p.f("%d\t%s\t%s\n", m.Count, m.Kind, m.Example)
	}
	if p.err != nil {
		return p.err
	}
	return t.Flush()
}

// rate is share, but 0 of nothing.
func rate(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// WriteFigures prints measures of answers.
func WriteFigures(w io.Writer, figures []Figure) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	p := printer{w: t}
	for _, f := range figures {
		p.f("%s\t%.3f\t%d cases\n", f.Name, f.Value, f.Cases)
	}
	if p.err != nil {
		return p.err
	}
	return t.Flush()
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
