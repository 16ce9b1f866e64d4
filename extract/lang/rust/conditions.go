package rust

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// maxCondition bounds the texts of conditions.
const maxCondition = 1000

// conditions notes the conditions that the attributes of an item put on it.
func (x *extractor) conditions(n sitter.Node, a *attributes) {
	for _, c := range a.cfg {
		x.condition(a.start, x.t.End(n), c)
	}
}

// condition notes that a part of the text is compiled under a condition.
func (x *extractor) condition(start, end uint32, text string) {
	if text == "" || len(text) > maxCondition {
		return
	}
	x.cfg = strconv.AppendUint(x.cfg, uint64(start), 10)
	x.cfg = append(x.cfg, ' ')
	x.cfg = strconv.AppendUint(x.cfg, uint64(end), 10)
	x.cfg = append(x.cfg, ' ')
	x.cfg = append(x.cfg, text...)
	x.cfg = append(x.cfg, '\n')
}

// inParens returns what stands between the parenthesis that a text begins with and its
// match, without white space; "" where there is none.
func inParens(text string) string {
	text = strings.Join(strings.Fields(text), "")
	if !strings.HasPrefix(text, "(") {
		return ""
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return strings.TrimSuffix(text[1:i], ",")
			}
		}
	}
	return ""
}

// settings notes, of a build script, the conditions that it may set: a pair "cfg" for
// each, or one of "*" where it makes their names.
func (x *extractor) settings() {
	if x.b.Path.Base() != "build.rs" {
		return
	}
	const mark = "rustc-cfg="
	seen := map[string]bool{}
	for text := string(x.b.Src); ; {
		_, rest, ok := strings.Cut(text, mark)
		if !ok {
			return
		}
		text = rest
		end := 0
		for end < len(text) && isWordByte(text[end]) {
			end++
		}
		name := text[:end]
		if name == "" {
			name = "*"
		}
		if !seen[name] {
			seen[name] = true
			x.b.Facts.Manifest = append(x.b.Facts.Manifest, graph.Pair{Key: "cfg", Value: name})
		}
	}
}
