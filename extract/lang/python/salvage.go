package python

import (
	"sort"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// An open bracket makes the parser lose every definition behind it, in the very
// files that are being edited. salvage reads the headers that stand in such a
// region off its lines: a line that begins with def or class, its block by
// indentation. What the parser did find there stays.
func (x *extractor) salvage() {
	if _, bad := x.t.HasError(); !bad {
		return
	}
	for n := sitter.Root; int(n) < x.t.Len(); {
		if x.t.IsError(n) && !x.t.IsMissing(n) {
			x.salvageRegion(n)
			n = x.t.After(n)
			continue
		}
		n++
	}
}

// header is a definition that a line announces.
type header struct {
	indent int
	start  uint32
	name   [2]uint32 // start and end
	class  bool
	async  bool
	def    int32
}

func (x *extractor) salvageRegion(region sitter.Node) {
	known := make(map[uint32]int32)
	for i := range x.b.Facts.Defs {
		known[x.b.Facts.Defs[i].NameSpan.Start] = int32(i)
	}
	var open []header
	quoted := x.strings(region)
	outer := x.around(region)
	added := len(x.b.Facts.Defs)
	end := x.t.End(region)
	for at := lineStart(x.b.Src, x.t.Start(region)); at < end; {
		next := nextLine(x.b.Src, at)
		line := strings.TrimRight(x.b.Slice(at, next), " \t\r\n")
		code := strings.TrimLeft(line, " \t")
		for len(quoted) > 0 && x.t.End(quoted[0]) <= at {
			quoted = quoted[1:]
		}
		inString := len(quoted) > 0 && x.t.Start(quoted[0]) < at
		if code == "" || inString || strings.IndexByte("#)]}", code[0]) >= 0 {
			at = next
			continue
		}
		indent := len(line) - len(code)
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			x.closeHeader(open[len(open)-1], at)
			open = open[:len(open)-1]
		}
		if h, ok := readHeader(code, at+uint32(indent)); ok {
			h.indent = indent
			if i, ok := known[h.name[0]]; ok {
				h.def = i
			} else {
				outer = x.leave(outer, indent, at)
				h.def = x.addHeader(h, enclosing(open, outer), uint32(len(line))+at)
			}
			open = append(open, h)
		}
		at = next
	}
	for len(open) > 0 {
		x.closeHeader(open[len(open)-1], end)
		open = open[:len(open)-1]
	}
	x.reown(region, added)
}

// readHeader reads "def name", "async def name" and "class Name". at is the
// offset of the code.
func readHeader(code string, at uint32) (header, bool) {
	h := header{start: at}
	rest := code
	if r, ok := strings.CutPrefix(rest, "async "); ok {
		h.async = true
		rest = strings.TrimLeft(r, " ")
	}
	r, ok := strings.CutPrefix(rest, "def ")
	if !ok {
		if r, ok = strings.CutPrefix(rest, "class "); !ok || h.async {
			return h, false
		}
		h.class = true
	}
	r = strings.TrimLeft(r, " ")
	n := 0
	for n < len(r) && isIdentifier(r[:n+1]) {
		n++
	}
	if n == 0 || n < len(r) && !strings.ContainsRune("(:[ ", rune(r[n])) {
		return h, false
	}
	h.name[0] = at + uint32(len(code)-len(r))
	h.name[1] = h.name[0] + uint32(n)
	return h, true
}

// enclosing is the definition of the innermost open block, or else the one around
// the region.
func enclosing(open []header, outer int32) int32 {
	if len(open) > 0 {
		return open[len(open)-1].def
	}
	return outer
}

func (x *extractor) addHeader(h header, container int32, lineEnd uint32) int32 {
	d := graph.Def{
		Name: x.b.Slice(h.name[0], h.name[1]), Kind: graph.KindFunction, NameSpan: x.b.SpanBetween(h.name[0], h.name[1]),
		Span: x.b.SpanBetween(h.start, lineEnd), Signature: strings.TrimRight(x.b.Signature(h.start, lineEnd), " :"),
	}
	if h.class {
		d.Kind = graph.KindClass
	}
	if h.async {
		d.Flags |= graph.FlagAsync
	}
	d.Local = d.Name
	if container != graph.NoDef {
		outer := &x.b.Facts.Defs[container]
		d.Local = outer.Local + "." + d.Name
		switch {
		case outer.Has(graph.FlagLocal), outer.Kind == graph.KindFunction, outer.Kind == graph.KindMethod:
			d.Flags |= graph.FlagLocal
		case !h.class:
			d.Kind = graph.KindMethod
		}
	}
	i := x.b.AddDef(d)
	x.b.Facts.Defs[i].Container = container
	return i
}

// closeHeader ends the block of a header before the line at end.
func (x *extractor) closeHeader(h header, end uint32) {
	d := &x.b.Facts.Defs[h.def]
	text := strings.TrimRight(x.b.Slice(h.start, max(end, h.start)), " \t\r\n")
	if stop := h.start + uint32(len(text)); stop > d.Span.End {
		d.Span = x.b.SpanBetween(d.Span.Start, stop)
	}
}

// around returns the innermost definition that holds the region.
func (x *extractor) around(region sitter.Node) int32 {
	in := graph.NoDef
	for i := range x.b.Facts.Defs {
		if s := &x.b.Facts.Defs[i].Span; s.Start < x.t.Start(region) && x.t.End(region) <= s.End {
			in = int32(i)
		}
	}
	return in
}

// leave climbs out of definitions that a header of that indentation cannot stand
// in: the parser ran on past their end.
func (x *extractor) leave(def int32, indent int, at uint32) int32 {
	for def != graph.NoDef && int(x.b.Facts.Defs[def].Span.From.Col) > indent {
		d := &x.b.Facts.Defs[def]
		text := strings.TrimRight(x.b.Slice(d.Span.Start, max(at, d.NameSpan.End)), " \t\r\n")
		d.Span = x.b.SpanBetween(d.Span.Start, d.Span.Start+uint32(len(text)))
		def = d.Container
	}
	return def
}

// strings lists the strings below n in order.
func (x *extractor) strings(n sitter.Node) (all []sitter.Node) {
	for c, end := n+1, x.t.After(n); c < end; {
		if x.t.Kind(c) == kString {
			all = append(all, c)
			c = x.t.After(c)
			continue
		}
		c++
	}
	return all
}

// reown gives the references of a region to the definitions added from first on.
// Key words and the names of those definitions, which the parser took for
// expressions, are dropped.
func (x *extractor) reown(region sitter.Node, first int) {
	f := x.b.Facts
	start, end := x.t.Start(region), x.t.End(region)
	added := f.Defs[first:]
	names := make(map[uint32]bool, len(added))
	for i := range added {
		names[added[i].NameSpan.Start] = true
	}
	kept := f.Refs[:0]
	for _, r := range f.Refs {
		if r.Span.Start < start || r.Span.Start >= end {
			kept = append(kept, r)
			continue
		}
		if names[r.Span.Start] || isKeyword(r.Name) {
			continue
		}
		// Definitions stand in the order of their starts: an inner one is later.
		after := sort.Search(len(added), func(i int) bool { return added[i].Span.Start > r.Span.Start })
		for d := after - 1; d >= 0; {
			if r.Span.End <= added[d].Span.End {
				r.Enclosing = int32(first + d)
				break
			}
			d = int(added[d].Container) - first
		}
		kept = append(kept, r)
	}
	f.Refs = kept
}

func isKeyword(name string) bool {
	switch name {
	case "def", "class", "return", "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "import", "from",
		"lambda", "pass", "raise", "yield", "in", "is", "not", "and", "or", "as", "del", "global", "nonlocal", "assert", "break", "continue":
		return true
	}
	return false
}

func lineStart(src []byte, off uint32) uint32 {
	for off > 0 && src[off-1] != '\n' {
		off--
	}
	return off
}

func nextLine(src []byte, off uint32) uint32 {
	for int(off) < len(src) && src[off] != '\n' {
		off++
	}
	return min(off+1, uint32(len(src)))
}
