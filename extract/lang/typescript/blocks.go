package typescript

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// blockSpan is the text in which the names of a block hold.
type blockSpan struct{ start, end uint32 }

func (s blockSpan) holds(at uint32) bool { return s.start <= at && at < s.end }

// blockDef is a definition whose name ends with a block inside its function, or
// inside the top of its file.
type blockDef struct {
	def   int32
	block blockSpan
}

func (w *walker) enterBlock(n sitter.Node) {
	w.blocks = append(w.blocks, blockSpan{w.t.Start(n), w.t.End(n)})
}

func (w *walker) leaveBlock() { w.blocks = w.blocks[:len(w.blocks)-1] }

// noteBlockDef remembers a definition that an inner block holds.
func (w *walker) noteBlockDef(def int32) {
	d := &w.b.Facts.Defs[def]
	if len(w.blocks) == 0 || d.Owner != "" || d.Name == "" {
		return
	}
	if c := d.Container; c != graph.NoDef {
		switch w.b.Facts.Defs[c].Kind {
		case graph.KindFunction, graph.KindMethod:
		case graph.KindClass:
			if !w.staticBlock {
				return
			}
		default:
			return // a member
		}
	}
	if w.blockDefs == nil {
		w.blockDefs = map[string][]blockDef{}
	}
	w.blockDefs[d.Name] = append(w.blockDefs[d.Name], blockDef{def, w.blocks[len(w.blocks)-1]})
}

// bindBlocks tells references to names that inner blocks define which of those
// definitions they can see. Only in a script is a function declared in a block
// seen by the whole function.
func (w *walker) bindBlocks() {
	f := w.b.Facts
	script := !w.modular
	for name, defs := range w.blockDefs {
		if script {
			defs = slices.DeleteFunc(defs, func(d blockDef) bool {
				text := w.b.Slice(f.Defs[d.def].Span.Start, f.Defs[d.def].Span.End)
				return strings.HasPrefix(strings.TrimPrefix(text, "async "), "function")
			})
			w.blockDefs[name] = defs
		}
		for _, d := range defs {
			f.Defs[d.def].Flags |= graph.FlagLocal | graph.FlagConditional
		}
	}
	if len(w.blockDefs) == 0 {
		return
	}
	for i := range f.Refs {
		r := &f.Refs[i]
		name := r.Name
		if r.Qualifier != "" {
			name = r.Qualifier[:identLen(r.Qualifier)]
		}
		defs := w.blockDefs[name]
		if len(defs) == 0 || r.Hint.Rule != graph.HintNone || r.Use == graph.UseExport {
			continue
		}
		r.Hint = graph.Hint{Rule: graph.HintBlock, Type: w.visible(defs, r.Span.Start)}
	}
}

// visible lists the definitions whose block is around a place, innermost first.
func (w *walker) visible(defs []blockDef, at uint32) string {
	var seen []blockDef
	for _, d := range defs {
		if d.block.holds(at) {
			seen = append(seen, d)
		}
	}
	slices.SortStableFunc(seen, func(a, b blockDef) int { return int(b.block.start) - int(a.block.start) })
	var list []string
	for _, d := range seen {
		list = append(list, strconv.Itoa(int(w.b.Facts.Defs[d.def].NameSpan.Start)))
	}
	return strings.Join(list, ",")
}

// identLen is the length of the identifier that s begins with.
func identLen(s string) int {
	for i := range len(s) {
		if c := s[i]; c < 0x80 && c != '_' && c != '$' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') {
			return i
		}
	}
	return len(s)
}
