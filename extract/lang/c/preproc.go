package c

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// maxMacroText bounds the text of a macro whose names are references.
const maxMacroText = 8 << 10

// macros defines the macros and reads the names in their texts.
func (x *extractor) macros() {
	guard := x.guard()
	for i := range x.n.macros {
		m := &x.n.macros[i]
		if i == guard {
			continue
		}
		name := x.b.Slice(m.name.start, m.name.end)
		end := m.name.end
		if m.params.start > 0 {
			end = m.params.end + 1
		}
		d := graph.Def{
			Name: name, Local: name, Kind: graph.KindMacro, Span: x.b.SpanBetween(m.line.start, max(m.name.end, x.trimmed(m.line))), NameSpan: x.b.SpanBetween(m.name.start, m.name.end),
			Flags: x.flags, Signature: x.b.Signature(m.line.start, end),
		}
		if headerName(x.b.Path) {
			d.Flags |= graph.FlagExported
		}
		body := spec.OneLine(x.b.Slice(m.body.start, m.body.end))
		if m.params.start == 0 && len(body) > 0 && len(body) <= 60 {
			d.Signature = x.b.Signature(m.line.start, x.trimmed(m.line))
		}
		d.Container = graph.NoDef
		x.b.Facts.Defs = append(x.b.Facts.Defs, d)
		def := int32(len(x.b.Facts.Defs) - 1)
		if m.body.end-m.body.start <= maxMacroText && !plainValue(body) {
			x.inside(def, func() { x.macroText(m) })
		}
	}
}

// plainValue reports whether a macro stands for a number or a string.
func plainValue(s string) bool {
	return strings.Trim(s, "0123456789abcdefABCDEFxXuUlL()-+ ") == ""
}

func (x *extractor) trimmed(s span) uint32 {
	return s.start + uint32(len(strings.TrimRight(x.b.Slice(s.start, s.end), " \t\r\n")))
}

// guard returns the macro that a header is guarded by, or -1.
func (x *extractor) guard() int {
	if len(x.n.macros) == 0 {
		return -1
	}
	m := &x.n.macros[0]
	if m.params.start > 0 || strings.TrimSpace(x.b.Slice(m.body.start, m.body.end)) != "" || !headerName(x.b.Path) {
		return -1
	}
	name := x.b.Slice(m.name.start, m.name.end)
	if head := x.b.Slice(0, m.line.start); strings.Contains(head, "ifndef") && strings.Contains(head[strings.LastIndex(head, "ifndef"):], name) ||
		strings.Contains(head, "defined") && strings.Contains(head[strings.LastIndex(head, "defined"):], name) {
		return 0
	}
	return -1
}

// macroText reads the names in the text of a macro.
func (x *extractor) macroText(m *macro) {
	params := x.b.Slice(m.params.start, m.params.end)
	param := map[string]bool{}
	for p := range strings.SplitSeq(params, ",") {
		if p = strings.TrimSpace(p); p != "" {
			param[strings.TrimSpace(strings.TrimSuffix(p, "..."))] = true
		}
	}
	text := x.b.Slice(m.body.start, m.body.end)
	p := preparer{src: []byte(text), text: []byte(text), cpp: x.n.cpp}
	p.toks = lex(p.src, x.n.cpp)
	for i, t := range p.toks {
		if t.kind != tokIdent {
			continue
		}
		name := text[t.start:t.end]
		if param[name] || isKeyword(name, x.n.cpp) || name == "NULL" || name == "__VA_ARGS__" {
			continue
		}
		r := graph.Ref{Name: name, Use: graph.UseRead, Span: x.b.SpanBetween(m.body.start+t.start, m.body.start+t.end), Args: -1}
		if i > 0 && (p.is(p.toks[i-1], '.') || i > 1 && p.is(p.toks[i-1], '>') && p.is(p.toks[i-2], '-')) {
			r.Qualifier, r.Hint = "?", graph.Hint{Rule: graph.HintLocal}
		}
		if i > 0 && p.is(p.toks[i-1], '#') {
			continue // pasted together with something
		}
		if i+1 < len(p.toks) && p.is(p.toks[i+1], '(') {
			r.Use, r.Args = graph.UseCall, int16(min(p.countArgs(i+1, len(p.toks)), 1<<14))
		} else if i+1 < len(p.toks) && p.is(p.toks[i+1], '#') {
			continue
		}
		x.b.AddRef(r)
	}
}

// includes records the includes.
func (x *extractor) includes() {
	for _, in := range x.n.includes {
		im := graph.Import{Module: x.b.Slice(in.path.start, in.path.end), Name: "*", Alias: path.Base(x.b.Slice(in.path.start, in.path.end)), Span: x.b.SpanBetween(in.line.start, x.trimmed(in.line)), Enclosing: graph.NoDef}
		if in.angle {
			im.Flags |= graph.ImportSystem
		}
		if x.isConditional(in.line.start) {
			im.Flags |= graph.ImportOptional
		}
		x.b.Facts.Imports = append(x.b.Facts.Imports, im)
	}
}

func (x *extractor) isConditional(at uint32) bool {
	for _, s := range x.n.conditional {
		if s.start <= at && at < s.end {
			return true
		}
	}
	return false
}

// conditions marks what is defined under a condition, and what a plain build leaves out.
func (x *extractor) conditions() {
	mark := func(spans []span, flags graph.DefFlags) {
		if len(spans) == 0 {
			return
		}
		slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
		outer := spans[:0]
		for _, s := range spans {
			if n := len(outer); n == 0 || s.start >= outer[n-1].end {
				outer = append(outer, s)
			}
		}
		for i := range x.b.Facts.Defs {
			d := &x.b.Facts.Defs[i]
			at := sort.Search(len(outer), func(k int) bool { return outer[k].end > d.NameSpan.Start })
			if at < len(outer) && outer[at].start <= d.NameSpan.Start {
				d.Flags |= flags
			}
		}
	}
	var all, out []span
	for _, c := range x.n.conditional {
		all = append(all, c.span)
		if !c.held {
			out = append(out, c.span)
		}
	}
	mark(all, graph.FlagConditional)
	mark(out, graph.FlagExcluded)
}

// hidden records the names that the parser did not see, in the definitions around them.
func (x *extractor) hidden() {
	if len(x.n.hidden) == 0 {
		return
	}
	hs := slices.Clone(x.n.hidden)
	slices.SortFunc(hs, func(a, b hidden) int { return cmp.Compare(a.name.start, b.name.start) })
	var bodies []int32 // what holds references, by start
	for i := range x.b.Facts.Defs {
		switch x.b.Facts.Defs[i].Kind {
		case graph.KindFunction, graph.KindMethod, graph.KindVariable, graph.KindStruct, graph.KindClass:
			bodies = append(bodies, int32(i))
		}
	}
	defs := x.b.Facts.Defs
	slices.SortStableFunc(bodies, func(a, b int32) int { return cmp.Compare(defs[a].Span.Start, defs[b].Span.Start) })
	next, open := 0, []int32{}
	last := uint32(1<<32 - 1)
	for _, h := range hs {
		if h.name.start == last {
			continue
		}
		last = h.name.start
		for next < len(bodies) && defs[bodies[next]].Span.Start <= h.name.start {
			open = append(open, bodies[next])
			next++
		}
		for len(open) > 0 && defs[open[len(open)-1]].Span.End <= h.name.start {
			open = open[:len(open)-1]
		}
		in := graph.NoDef
		for k := len(open) - 1; k >= 0; k-- {
			if h.name.start < defs[open[k]].Span.End {
				in = open[k]
				break
			}
		}
		r := graph.Ref{Name: x.b.Slice(h.name.start, h.name.end), Use: h.use, Span: x.b.SpanBetween(h.name.start, h.name.end), Args: h.args, Enclosing: in}
		if h.use != graph.UseCall {
			r.Args = -1
		}
		x.b.Facts.Refs = append(x.b.Facts.Refs, r)
	}
}
