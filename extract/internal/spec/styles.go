package spec

import "github.com/ralph-index/ralph-index/graph"

// Qualifiers of references to what style sheets say of elements: of a class, and of an id.
const (
	StyleClass = "."
	StyleID    = "#"
)

// AddStyleRefs adds a reference to each class that the text between two offsets names,
// the value of an attribute. What a template puts there, in braces or angle brackets,
// and words that are no plain names, are left out.
func (b *Builder) AddStyleRefs(start, end uint32) {
	depth, from := 0, start
	plain := true
	for at := start; at <= end; at++ {
		c := byte(' ')
		if at < end {
			c = b.Src[at]
		}
		switch {
		case c == '{' || c == '<':
			depth++
			plain = false
		case c == '}' || c == '>':
			depth--
			plain = false
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '"' || c == '\'':
			if plain && depth == 0 && from < at {
				b.AddRef(graph.Ref{Name: b.Slice(from, at), Qualifier: StyleClass, Use: graph.UseRead, Span: b.SpanBetween(from, at)})
			}
			if depth == 0 {
				plain = true
			}
			from = at + 1
		case c != '_' && c != '-' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c < 0x80:
			plain = false
		}
	}
}
