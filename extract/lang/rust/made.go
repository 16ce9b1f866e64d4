package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/lang/rust/byexample"
	"github.com/ralph-index/ralph-index/graph"
)

// The call of a macro that the file defines by example is expanded to find the items that
// it makes. Those whose name stands in the call are definitions there; what the macro
// itself names stands in no place of its own.

const (
	maxMade  = 1 << 20 // tokens that the calls of one file compare and make
	maxCalls = 8       // calls in what calls make, one in another
)

// noteMacro keeps the rules of a macro for the calls behind it.
func (x *extractor) noteMacro(n sitter.Node, name string) {
	from := x.t.Start(n)
	at := strings.IndexAny(x.b.Slice(from, x.t.End(n)), "({[")
	if x.scopes.Depth() > 0 || at < 0 {
		return
	}
	toks := byexample.Lex(x.source(), from+uint32(at), x.t.End(n))
	end := byexample.Group(toks, 0)
	if end < 1 {
		return
	}
	if x.macros == nil {
		x.macros = map[string]*byexample.Macro{}
	}
	x.macros[name] = byexample.Parse(toks[1:end])
}

// source returns the text of the file.
func (x *extractor) source() string {
	if x.text == "" {
		x.text = string(x.b.Src)
	}
	return x.text
}

// madeItems defines the items that a call among items makes of names in its arguments.
func (x *extractor) madeItems(name string, tree sitter.Node) {
	m := x.macros[name]
	if m == nil || x.scopes.Depth() > 0 {
		return
	}
	from, to := x.t.Start(tree)+1, x.t.End(tree)
	if to <= from {
		return
	}
	if x.made == nil {
		x.made = map[uint32]bool{}
		x.budget = maxMade
	}
	r := madeReader{x: x, from: from, to: to - 1}
	r.call(m, byexample.Lex(x.source(), from, to-1), 0)
}

// madeReader reads the items in what one call makes.
type madeReader struct {
	x        *extractor
	from, to uint32 // the arguments of the call
	toks     []byexample.Token
	at       int
}

func (r *madeReader) call(m *byexample.Macro, args []byexample.Token, depth int) {
	if toks, ok := m.Expand(args, &r.x.budget); ok {
		in := madeReader{x: r.x, from: r.from, to: r.to, toks: toks}
		in.items(depth)
	}
}

func (r *madeReader) text() string {
	if r.at < len(r.toks) {
		return r.toks[r.at].Text
	}
	return ""
}

// items reads items up to the end of the tokens.
func (r *madeReader) items(depth int) {
	exported := false
	for r.at < len(r.toks) {
		word := r.text()
		switch word {
		case "#":
			if r.at++; r.text() == "!" {
				r.at++
			}
			r.skip()
			continue
		case "pub":
			exported = true
			if r.at++; r.text() == "(" {
				r.skip()
			}
			continue
		case "unsafe", "async", "extern", "default":
			if r.at++; r.at < len(r.toks) && r.toks[r.at].Class == byexample.Literal {
				r.at++
			}
			continue
		case "const", "static":
			if r.next() == "fn" || r.next() == "unsafe" || r.next() == "extern" || r.next() == "async" {
				r.at++
				continue
			}
			r.at++
			if r.text() == "mut" {
				r.at++
			}
			r.value(word, exported)
		case "fn":
			r.at++
			r.function(exported)
		case "struct", "union", "enum", "trait", "mod":
			r.at++
			r.holder(word, exported, depth)
		case "type":
			r.at++
			r.value(word, exported)
		case "impl":
			r.impl(depth)
		case "{":
			r.skip()
		default:
			r.other(depth)
		}
		exported = false
	}
}

func (r *madeReader) next() string {
	if r.at+1 < len(r.toks) {
		return r.toks[r.at+1].Text
	}
	return ""
}

// skip goes behind a token, or a bracket and what is in it.
func (r *madeReader) skip() { r.at = byexample.Group(r.toks, r.at) + 1 }

// upTo goes to the first of the marks outside brackets and returns the tokens before it.
func (r *madeReader) upTo(marks string) []byexample.Token {
	from := r.at
	for r.at < len(r.toks) && !strings.Contains(marks, r.text()) {
		r.skip()
	}
	r.at = min(r.at, len(r.toks))
	return r.toks[from:r.at]
}

// other reads what is no item: the call of another macro, or what is not understood.
func (r *madeReader) other(depth int) {
	if r.next() != "!" || r.at+2 >= len(r.toks) {
		r.at++
		return
	}
	m := r.x.macros[r.text()]
	r.at += 2
	from := r.at + 1
	r.skip()
	if m != nil && depth < maxCalls && from < r.at {
		r.call(m, r.toks[from:r.at-1], depth+1)
	}
	if r.text() == ";" {
		r.at++
	}
}

// name takes the name of an item and reports whether it stands in the call and is new.
func (r *madeReader) name() (t byexample.Token, ours bool) {
	if r.at >= len(r.toks) || r.toks[r.at].Class != byexample.Ident {
		return t, false
	}
	t = r.toks[r.at]
	r.at++
	return t, t.Start >= r.from && t.End <= r.to && !r.x.made[t.Start] && t.Text != "_"
}

// define adds an item that stands where its name does.
func (r *madeReader) define(t byexample.Token, kind graph.Kind, exported bool, signature string, typ []byexample.Token) graph.Def {
	x := r.x
	x.made[t.Start] = true
	span := x.b.SpanBetween(t.Start, t.End)
	d := graph.Def{
		Name: t.Text, Local: t.Text, Kind: kind, Span: span, NameSpan: span, Flags: x.flags, Signature: signature, Type: clip(join(typ)),
	}
	if exported {
		d.Flags |= graph.FlagExported
	}
	if e := x.b.EnclosingDef(); e != nil {
		d.Local = e.Local + "::" + d.Name
	}
	return d
}

func (r *madeReader) function(exported bool) {
	x := r.x
	t, ours := r.name()
	head := r.upTo("{;")
	body := r.text()
	r.skip()
	if !ours {
		return
	}
	var typ []byexample.Token
	static := true
	for i := 0; i < len(head); i = byexample.Group(head, i) + 1 {
		switch head[i].Text {
		case "(":
			if typ == nil && static {
				static = !takesSelf(head[i+1:])
			}
		case "->":
			typ = head[i+1:]
		case "where":
			if typ != nil {
				typ = typ[:len(typ)-(len(head)-i)]
			}
		}
	}
	d := r.define(t, graph.KindFunction, exported, "fn "+t.Text+join(head), typ)
	if body == ";" {
		d.Flags |= graph.FlagAbstract
	}
	if x.impl.self != "" {
		d.Kind = graph.KindMethod
		if static {
			d.Flags |= graph.FlagStatic
		}
		x.ofBlock(&d)
	}
	x.b.AddDef(d)
}

// takesSelf reports whether the first parameter is the receiver.
func takesSelf(params []byexample.Token) bool {
	for _, t := range params {
		switch {
		case t.Text == "self":
			return true
		case t.Text != "&" && t.Text != "mut" && t.Class != byexample.Lifetime:
			return false
		}
	}
	return false
}

// value reads "NAME: T = v;" of a constant, or "NAME = T;" of a type.
func (r *madeReader) value(word string, exported bool) {
	x := r.x
	t, ours := r.name()
	typ := r.upTo("=;")
	value := r.upTo(";")
	r.at++
	if !ours {
		return
	}
	kind := graph.KindConstant
	switch word {
	case "static":
		kind = graph.KindVariable
	case "type":
		if x.impl.self != "" && !x.impl.trait {
			return // it belongs to the header
		}
		kind = graph.KindType
		typ = value[min(1, len(value)):]
	}
	if len(typ) > 0 && typ[0].Text == ":" {
		typ = typ[1:]
	}
	sign := ": "
	if word == "type" {
		sign = " = "
	}
	d := r.define(t, kind, exported, word+" "+t.Text+sign+clip(join(typ)), typ)
	x.ofBlock(&d)
	if kind == graph.KindType {
		x.addType(d)
		return
	}
	x.b.AddDef(d)
}

// holder reads a type, trait or module.
func (r *madeReader) holder(word string, exported bool, depth int) {
	x := r.x
	t, ours := r.name()
	head := r.upTo("{;")
	from := r.at + 1
	r.skip()
	to := min(max(from, r.at-1), len(r.toks))
	if !ours {
		return
	}
	kind := graph.KindStruct
	switch word {
	case "enum":
		kind = graph.KindEnum
	case "trait":
		kind = graph.KindInterface
	case "mod":
		kind = graph.KindNamespace
	}
	impl := x.impl
	x.impl = implHeader{}
	def := x.addType(r.define(t, kind, exported, word+" "+t.Text+join(head), nil))
	in := madeReader{x: x, from: r.from, to: r.to, toks: r.toks[min(from, to):to]}
	x.inside(def, func() {
		switch word {
		case "mod":
			in.items(depth)
		case "trait":
			x.impl = implHeader{self: t.Text, trait: true}
			in.items(depth)
		default:
			in.members(word == "enum")
		}
	})
	x.impl = impl
}

// members reads the fields of a type, or the variants of an enum.
func (r *madeReader) members(variants bool) {
	for r.at < len(r.toks) {
		for r.text() == "#" {
			r.at++
			r.skip()
		}
		exported := r.text() == "pub"
		if exported {
			if r.at++; r.text() == "(" {
				r.skip()
			}
		}
		name := r.at
		t, ours := r.name()
		typ := r.upTo(",")
		switch {
		case !ours:
		case variants:
			r.x.b.AddDef(r.define(t, graph.KindEnumMember, true, join(r.toks[name:r.at]), nil))
		case len(typ) > 0 && typ[0].Text == ":":
			r.x.b.AddDef(r.define(t, graph.KindField, exported, t.Text+": "+join(typ[1:]), typ[1:]))
		}
		r.at++
	}
}

// impl reads an impl block.
func (r *madeReader) impl(depth int) {
	x := r.x
	head := r.upTo("{;")
	from := r.at + 1
	r.skip()
	to := min(max(from, r.at-1), len(r.toks))
	typ := head[1:]
	if len(typ) > 0 && typ[0].Text == "<" { // the parameters
		typ = typ[behindAngle(typ):]
	}
	for i := range typ {
		if typ[i].Text == "for" && (i+1 == len(typ) || typ[i+1].Text != "<") {
			typ = typ[i+1:]
			break
		}
	}
	for i := range typ {
		if typ[i].Text == "where" {
			typ = typ[:i]
			break
		}
	}
	outer := x.impl
	x.impl = implHeader{owner: bareName(typ), self: clip(join(typ)), text: join(head)}
	if x.impl.owner != "" {
		in := madeReader{x: x, from: r.from, to: r.to, toks: r.toks[min(from, to):to]}
		in.items(depth)
	}
	x.impl = outer
}

// behindAngle returns the index behind the ">" that closes the "<" at the start.
func behindAngle(toks []byexample.Token) int {
	depth := 0
	for i, t := range toks {
		switch t.Text {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(toks)
}

// bareName is the last name of the path that a type begins with.
func bareName(typ []byexample.Token) (name string) {
	for i, t := range typ {
		switch {
		case t.Class == byexample.Ident && t.Text != "mut" && t.Text != "dyn" && t.Text != "const":
			name = t.Text
			if i+1 < len(typ) && typ[i+1].Text != "::" {
				return name
			}
		case t.Text == "::", t.Text == "&", t.Text == "*", t.Class == byexample.Lifetime, t.Class == byexample.Ident:
		default:
			return name
		}
	}
	return name
}

// join writes tokens as code is written.
func join(toks []byexample.Token) string {
	var s strings.Builder
	for i, t := range toks {
		if i > 0 && spaced(toks[i-1], t) {
			s.WriteByte(' ')
		}
		s.WriteString(t.Text)
	}
	return s.String()
}

// spaced reports whether a space stands between two tokens.
func spaced(a, b byexample.Token) bool {
	switch {
	case b.Text == "," || b.Text == ";" || a.Text == "&" || a.Text == "::" || b.Text == "::":
		return false
	case a.Text == "," || a.Text == ":" || a.Text == "->" || b.Text == "->" || a.Text == "=" || b.Text == "=" || a.Text == "+" || b.Text == "+":
		return true
	}
	word := func(t byexample.Token) bool { return t.Class != byexample.Punct }
	return word(a) && word(b) || (a.Text == ">" || a.Text == ")") && word(b) || b.Text == "{"
}
