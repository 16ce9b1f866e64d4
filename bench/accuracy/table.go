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
	for _, row := range s.counts() {
		p.f("%s\t%.4f\t%.4f\t%.4f\t%d/%d\t%d/%d\n", row.name, row.Precision(), row.Recall(), row.F1(), row.Right, row.Answered, row.Found, row.Known)
	}
	if s.SpanJudged > 0 {
		p.f("\nlast lines of definitions\t%.4f\t%d of %d\n", share(s.SpanRight, s.SpanJudged), s.SpanRight, s.SpanJudged)
	}
	p.f("call sites not listed\t%d\t%d where the name stands, %d of them in arguments of a macro\n", s.Sites, s.NamedSites, s.MacroSites)
	p.f("call sites without an answer\t%d\n", s.Abstained)
	p.f("calls that leave the tree, answered inside it\t%.4f\t%d of %d\n", rate(s.LeavingAnswered, s.Leaving), s.LeavingAnswered, s.Leaving)
	for _, tier := range s.Tiers {
		p.f("%s\t%.4f\t%d of %d judged\t%.2f of the %d edges\n", tier.Name, share(tier.Right, tier.Judged), tier.Right, tier.Judged, share(tier.Edges, s.Edges), s.Edges)
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

// leastShare is how much of the edges the best tiers must be: more is no merit by itself.
//
//nolint:gochecknoglobals // immutable
var leastShare = map[string]float64{"extracted": .6, "confidence 0.9+": .5}

type namedCount struct {
	name string
	Count
}

// counts lists what there is to count. What is beyond dispute stands apart only where
// something is not.
func (s *Scores) counts() (out []namedCount) {
	for _, row := range [...]namedCount{
		{"definitions", s.Defs}, {"definitions without macros, type parameters and tuple fields", s.PlainDefs},
		{"calls", s.Calls}, {"calls whose name stands there, of definitions", s.PlainCalls},
		{"imports", s.Imports}, {"inheritance", s.Inherits},
	} {
		if row.Known == 0 && row.Answered == 0 || len(out) > 0 && row.Count == out[len(out)-1].Count {
			continue
		}
		out = append(out, row)
	}
	return out
}

// Figures lists the scores as shares: the higher the better.
func (s *Scores) Figures() (out []Figure) {
	add := func(name string, value float64, cases int) {
		out = append(out, Figure{Name: name, Value: value, Cases: cases})
	}
	for _, row := range s.counts() {
		add(row.name+" precision", row.Precision(), row.Answered)
		add(row.name+" recall", row.Recall(), row.Known)
	}
	add("last lines of definitions", share(s.SpanRight, s.SpanJudged), s.SpanJudged)
	add("call sites listed", 1-rate(s.Sites, s.Calls.Known), s.Calls.Known)
	add("calls that leave the tree not answered inside it", 1-rate(s.LeavingAnswered, s.Leaving), s.Leaving)
	for _, tier := range s.Tiers {
		if least, ok := leastShare[tier.Name]; ok {
			add(tier.Name+" right", share(tier.Right, tier.Judged), tier.Judged)
			add(fmt.Sprintf("%s of the edges, %g asked", tier.Name, least), min(1, share(tier.Edges, s.Edges)/least), s.Edges)
		}
	}
	return out
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
