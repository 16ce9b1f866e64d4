package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// maker is a macro of the file whose text defines functions with names that its
// arguments make.
type maker struct {
	params []string
	made   []madeName
}

// madeName is a name as the text of a macro pastes it together.
type madeName struct {
	parts  []string
	static bool
}

// generated defines the functions that calls of macros of the file make: "long
// get_size(void) {...}" of DEFINE_GET(size, long).
func (x *extractor) generated() {
	makers := make(map[string]maker)
	for i := range x.n.macros {
		m := &x.n.macros[i]
		if m.params.start == 0 || m.body.end-m.body.start > maxMacroText || strings.IndexByte(x.b.Slice(m.body.start, m.body.end), '{') < 0 {
			continue
		}
		if made := x.maker(m); len(made.made) > 0 {
			makers[x.b.Slice(m.name.start, m.name.end)] = made
		}
	}
	if len(makers) == 0 {
		return
	}
	text := x.b.Slice(0, uint32(len(x.b.Src)))
	toks := lex([]byte(text), x.n.cpp)
	depth, hidden := 0, uint32(0)
	for i, t := range toks {
		switch {
		case t.start < hidden:
		case t.kind == tokPunct && text[t.start] == '#' && lineStart(text, t.start):
			hidden = directiveEnd(text, t.start)
		case t.kind == tokPunct:
			switch text[t.start] {
			case '{', '(':
				depth++
			case '}', ')':
				depth = max(0, depth-1)
			}
		case t.kind == tokIdent && depth == 0 && i+1 < len(toks) && text[toks[i+1].start] == '(':
			if m, ok := makers[text[t.start:t.end]]; ok {
				x.generate(text, toks[i:], m)
			}
		}
	}
}

func lineStart(text string, at uint32) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return strings.TrimSpace(line) == ""
}

// directiveEnd returns where the directive at an offset ends, with the lines that it goes
// on in.
func directiveEnd(text string, at uint32) uint32 {
	for i := int(at); i < len(text); i++ {
		if text[i] == '\n' && !strings.HasSuffix(strings.TrimSuffix(text[:i], "\r"), "\\") {
			return uint32(i)
		}
	}
	return uint32(len(text))
}

// maker reads which functions the text of a macro defines.
func (x *extractor) maker(m *macro) maker {
	var out maker
	for p := range strings.SplitSeq(x.b.Slice(m.params.start, m.params.end), ",") {
		out.params = append(out.params, strings.TrimSpace(p))
	}
	text := x.b.Slice(m.body.start, m.body.end)
	toks := lex([]byte(text), x.n.cpp)
	is := func(i int, c byte) bool {
		return i >= 0 && i < len(toks) && toks[i].kind == tokPunct && text[toks[i].start] == c
	}
	depth, from := 0, 0
	for i := range toks {
		switch {
		case is(i, '{'):
			depth++
		case is(i, '}'):
			if depth--; depth == 0 {
				from = i + 1
			}
		case is(i, ';') && depth == 0:
			from = i + 1
		case is(i, '(') && depth == 0 && i > from && toks[i-1].kind == tokIdent:
			end := i
			for open := 0; end < len(toks); end++ {
				if is(end, '(') {
					open++
				}
				if is(end, ')') {
					if open--; open == 0 {
						break
					}
				}
			}
			if !is(end+1, '{') {
				continue
			}
			parts, given := pasted(text, toks[from:i], out.params)
			if given {
				out.made = append(out.made, madeName{parts: parts, static: strings.Contains(text[toks[from].start:toks[i].start], "static")})
			}
		}
	}
	return out
}

// pasted returns the parts of the name at the end of tokens, and whether a parameter is
// among them.
func pasted(text string, toks []token, params []string) (parts []string, given bool) {
	for i := len(toks) - 1; i >= 0 && toks[i].kind == tokIdent; i -= 3 {
		word := text[toks[i].start:toks[i].end]
		parts = append([]string{word}, parts...)
		for _, p := range params {
			given = given || p == word
		}
		if i < 3 || text[toks[i-1].start] != '#' || text[toks[i-2].start] != '#' {
			break
		}
	}
	return parts, given
}

// generate defines what one call makes.
func (x *extractor) generate(text string, toks []token, m maker) {
	var args []span
	end, depth, from := 0, 0, uint32(0)
	for i := 1; i < len(toks) && end == 0; i++ {
		t := toks[i]
		if t.kind != tokPunct {
			continue
		}
		switch text[t.start] {
		case '(':
			if depth++; depth == 1 {
				from = t.end
			}
		case ')':
			if depth--; depth == 0 {
				args, end = append(args, span{from, t.start}), i
			}
		case ',':
			if depth == 1 {
				args, from = append(args, span{from, t.start}), t.end
			}
		}
	}
	if end == 0 || len(args) != len(m.params) || end+1 < len(toks) && text[toks[end+1].start] == '{' {
		return
	}
	for _, made := range m.made {
		name, at := "", span{toks[0].start, toks[0].end}
		for _, part := range made.parts {
			for k, p := range m.params {
				if p != part {
					continue
				}
				part = strings.TrimSpace(text[args[k].start:args[k].end])
				if lead := strings.Index(text[args[k].start:args[k].end], part); len(made.parts) == 1 {
					at = span{args[k].start + uint32(lead), args[k].start + uint32(lead+len(part))}
				}
				break
			}
			name += part
		}
		if !plainIdent(name) || x.defines(name) {
			continue
		}
		x.b.Facts.Defs = append(x.b.Facts.Defs, graph.Def{
			Name: name, Local: name, Kind: graph.KindFunction, Span: x.b.SpanBetween(toks[0].start, toks[end].end), NameSpan: x.b.SpanBetween(at.start, at.end),
			Container: graph.NoDef, Flags: x.linkage(made.static), Signature: x.b.Signature(toks[0].start, toks[end].end),
		})
	}
}

func plainIdent(name string) bool {
	if name == "" || !isIdentStart(name[0]) {
		return false
	}
	for i := range len(name) {
		if !isIdentByte(name[i]) {
			return false
		}
	}
	return true
}

// defines reports whether the file defines a name in another way.
func (x *extractor) defines(name string) bool {
	for i := range x.b.Facts.Defs {
		if d := &x.b.Facts.Defs[i]; d.Name == name && !d.Has(graph.FlagDeclaration) && d.Container == graph.NoDef {
			return true
		}
	}
	return false
}
