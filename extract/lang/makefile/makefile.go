// Package makefile extracts the facts of makefiles: targets, variables, what a target
// depends on, and the makefiles that are included.
//
// It reads lines, as make does, and runs nothing. Only extract calls it.
package makefile

import (
	"bytes"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for makefiles.
func Language() spec.Language {
	return spec.Language{Name: "makefile", Version: "makefile/3", Extract: extract}
}

// reader reads one makefile line by line.
type reader struct {
	b      *spec.Builder
	target int32 // whose recipe is being read, or NoDef
	define int32 // the variable whose lines are being read, or NoDef
	recipe bool  // what begins with a tab is of the recipe of the rule before
	doc    string
}

func extract(b *spec.Builder) {
	r := &reader{b: b, target: graph.NoDef, define: graph.NoDef}
	off := 0
	for off < len(b.Src) {
		end := logicalEnd(b.Src, off)
		r.line(off, end)
		off = end + 1
	}
}

// logicalEnd returns the offset of the newline that ends the line at off, behind those
// that a backslash continues.
func logicalEnd(src []byte, off int) int {
	for {
		i := bytes.IndexByte(src[off:], '\n')
		if i < 0 {
			return len(src)
		}
		off += i
		if last := bytes.TrimRight(src[:off], "\r"); len(last) == 0 || last[len(last)-1] != '\\' {
			return off
		}
		off++
	}
}

func (r *reader) line(start, end int) {
	text := string(r.b.Src[start:end])
	trimmed := strings.TrimSpace(text)
	switch {
	case r.define != graph.NoDef:
		if strings.HasPrefix(trimmed, "endef") {
			d := &r.b.Facts.Defs[r.define]
			d.Span = r.b.SpanBetween(d.Span.Start, uint32(end))
			r.define = graph.NoDef
			return
		}
		r.variables(start, end)
	case strings.HasPrefix(text, "\t") && r.recipe:
		if r.target != graph.NoDef {
			d := &r.b.Facts.Defs[r.target]
			d.Span = r.b.SpanBetween(d.Span.Start, uint32(end))
		}
		r.variables(start, end)
	case trimmed == "":
		r.doc = ""
	case trimmed[0] == '#':
		if r.doc == "" {
			r.doc = spec.DocLine(trimmed)
		}
	default:
		r.statement(start, end, text)
		r.doc = ""
	}
}

// statement reads what is neither recipe nor comment.
func (r *reader) statement(start, end int, text string) {
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
		end = start + i
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	switch words[0] {
	case "include", "-include", "sinclude":
		r.endRule()
		r.include(start, text, words[1:])
		return
	case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "vpath", "undefine", "unexport":
		r.variables(start, end)
		return
	}
	head := 0
	for head < len(words) && (words[head] == "export" || words[head] == "override" || words[head] == "private" || words[head] == "define") {
		head++
	}
	if head > 0 && words[head-1] == "define" && head < len(words) {
		r.endRule()
		r.define = r.add(graph.KindVariable, strings.TrimRight(words[head], "=:?+"), start, end, text)
		return
	}
	colon, equals := outside(text, ':'), outside(text, '=')
	switch {
	case equals >= 0 && (colon < 0 || equals < colon || equals == colon+1 || strings.HasPrefix(text[colon:], "::=") || strings.HasPrefix(text[colon:], ":::=")):
		r.endRule()
		name := strings.TrimRight(text[:equals], "?+!: \t")
		name = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(name), "export "), "override "))
		at := graph.NoDef
		if name != "" && !strings.ContainsAny(name, " \t$()") {
			at = r.add(graph.KindVariable, name, start, end, text)
		}
		r.within(at, func() { r.variables(start+equals+1, end) })
	case colon > 0:
		r.rule(start, end, text, colon)
	default:
		r.endRule()
		r.variables(start, end)
	}
}

func (r *reader) endRule() { r.target, r.recipe = graph.NoDef, false }

// outside returns the offset of the first c that stands in no $(…), or -1.
func outside(text string, c byte) int {
	depth := 0
	for i := range len(text) {
		switch {
		case (text[i] == '(' || text[i] == '{') && i > 0 && (text[i-1] == '$' || depth > 0):
			depth++
		case (text[i] == ')' || text[i] == '}') && depth > 0:
			depth--
		case text[i] == c && depth == 0:
			return i
		}
	}
	return -1
}

// rule reads targets: prerequisites. The first of several targets holds the recipe.
func (r *reader) rule(start, end int, text string, colon int) {
	r.target, r.recipe = graph.NoDef, true
	own := outside(text[colon+1:], '=') >= 0 && outside(text[colon+1:], ';') < 0 // a variable of the target
	for _, f := range fields(text[:colon]) {
		name := text[f[0]:f[1]]
		if own || strings.ContainsAny(name, "$(){}") || name == "&" || special(name) {
			continue
		}
		def := r.addAt(graph.KindFunction, name, start+f[0], start, end, text)
		if r.target == graph.NoDef {
			r.target = def
		}
	}
	if pattern := strings.IndexByte(text[colon+1:], ':'); r.target == graph.NoDef && !own && pattern > 0 {
		for _, f := range fields(text[colon+1 : colon+1+pattern]) { // $(OBJECTS): %.o: %.c
			at := colon + 1 + f[0]
			if name := text[at : colon+1+f[1]]; strings.Contains(name, "%") && !strings.ContainsAny(name, "$(){}") {
				r.target = r.addAt(graph.KindFunction, name, start+at, start, end, text)
			}
		}
	}
	orders := special(strings.TrimSpace(text[:colon]))
	r.within(r.target, func() {
		r.variables(start, end)
		if orders {
			return // .PHONY: all
		}
		rest := text[colon+1:]
		if i := strings.IndexByte(rest, ';'); i >= 0 {
			rest = rest[:i]
		}
		if own {
			return
		}
		for _, f := range fields(rest) {
			name := strings.TrimPrefix(rest[f[0]:f[1]], ":")
			if name == "|" || name == "" || name == "\\" || strings.ContainsAny(name, "$(){}%*") {
				continue
			}
			at := uint32(start + colon + 1 + f[1] - len(name))
			r.b.AddRef(graph.Ref{Name: name, Use: graph.UseCall, Span: r.b.SpanBetween(at, at+uint32(len(name)))})
		}
	})
}

// special reports whether a target is an order to make: .PHONY.
func special(name string) bool {
	return len(name) > 1 && name[0] == '.' && strings.ToUpper(name) == name && !strings.ContainsAny(name, "/%")
}

// fields returns the places of the words of a text.
func fields(text string) (out [][2]int) {
	start := -1
	for i := 0; i <= len(text); i++ {
		space := i == len(text) || text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r'
		switch {
		case space && start >= 0:
			out = append(out, [2]int{start, i})
			start = -1
		case !space && start < 0:
			start = i
		}
	}
	return out
}

func (r *reader) include(start int, text string, files []string) {
	for _, f := range files {
		if strings.ContainsAny(f, "$*") {
			continue
		}
		at := uint32(start + strings.LastIndex(text, f))
		r.b.AddImport(graph.Import{Module: rules.Beside(f), Span: r.b.SpanBetween(at, at+uint32(len(f)))})
	}
}

func (r *reader) within(def int32, read func()) {
	if def != graph.NoDef {
		r.b.Enter(def)
		defer r.b.Leave()
	}
	read()
}

func (r *reader) add(kind graph.Kind, name string, start, end int, text string) int32 {
	i := strings.Index(text, name)
	if name == "" || i < 0 {
		return graph.NoDef
	}
	return r.addAt(kind, name, start+i, start, end, text)
}

func (r *reader) addAt(kind graph.Kind, name string, at, start, end int, text string) int32 {
	first, _, _ := strings.Cut(text, "\n")
	return r.b.AddDef(graph.Def{
		Name: name, Local: name, Kind: kind, Flags: graph.FlagExported, Doc: r.doc, Signature: spec.OneLine(first[:min(len(first), 240)]),
		Span: r.b.SpanBetween(uint32(start), uint32(end)), NameSpan: r.b.SpanBetween(uint32(at), uint32(at+len(name))),
	})
}

// variables records the uses of $(NAME) and ${NAME}, and of calls of functions that
// variables hold.
func (r *reader) variables(start, end int) {
	def := r.target
	if r.define != graph.NoDef {
		def = r.define
	}
	if r.b.Enclosing() != graph.NoDef {
		def = graph.NoDef // entered already
	}
	r.within(def, func() {
		src := r.b.Src
		for i := start; i+2 < end; i++ {
			if src[i] == '$' && src[i+1] == '$' {
				i++ // of the shell
				continue
			}
			if src[i] != '$' || src[i+1] != '(' && src[i+1] != '{' {
				continue
			}
			from := i + 2
			use := graph.UseRead
			if bytes.HasPrefix(src[from:end], []byte("call ")) {
				from += len("call ")
				use = graph.UseCall
			}
			to := from
			for to < end && isNameByte(src[to]) {
				to++
			}
			if to > from && to < end && (src[from] < '0' || src[from] > '9') && (src[to] == ')' || src[to] == '}' || src[to] == ':' || src[to] == ',' && use == graph.UseCall) {
				r.b.AddRef(graph.Ref{Name: string(src[from:to]), Use: use, Span: r.b.SpanBetween(uint32(from), uint32(to))})
			}
		}
	})
}

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}
