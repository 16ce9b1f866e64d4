package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// macroCall reads "name!(…)". What a macro makes of its arguments is not known, but most
// take expressions: chains of names, calls and fields in them are read as such.
func (x *extractor) macroCall(n sitter.Node) {
	name := x.t.Child(n, fMacro)
	if name == sitter.None {
		return
	}
	switch {
	case x.t.Kind(name) == kScoped:
		x.pathRef(name, graph.UseCall, -1)
	case !standardMacro(x.b.Text(name)):
		x.b.AddRef(graph.Ref{Name: x.b.Text(name), Use: graph.UseCall, Span: x.b.Span(name), Args: -1})
	}
	tree := x.t.ChildOfKind(n, kTokenTree)
	if tree == sitter.None {
		return
	}
	if !x.itemMacro(x.b.Text(name), tree) {
		x.madeItems(x.b.Text(name), tree)
		x.tokens(tree)
	}
}

// standardMacro reports whether a macro is one of the standard library that crates
// hardly ever redefine. Calls of those are no references.
func standardMacro(name string) bool {
	switch name {
	case "println", "print", "eprintln", "eprint", "format", "write", "writeln", "vec", "panic", "assert", "assert_eq",
		"assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "unreachable", "unimplemented", "todo", "matches",
		"concat", "stringify", "include_str", "include_bytes", "include", "env", "option_env", "cfg", "line", "file",
		"column", "module_path", "compile_error", "format_args", "thread_local", "macro_rules":
		return true
	}
	return false
}

// tokenReader reads the tokens of one tree in order.
type tokenReader struct {
	x   *extractor
	at  sitter.Node
	end uint32 // of the token before
}

// tokens reads the tokens of a tree. Only some are nodes; the others stand in the gaps
// between those.
func (x *extractor) tokens(tree sitter.Node) {
	r := tokenReader{x: x, at: x.t.First(tree), end: x.t.Start(tree) + 1}
	for r.at != sitter.None {
		gap := r.gap()
		switch x.t.Kind(r.at) {
		case kTokenTree:
			x.tokens(r.at)
			r.next()
		case kIdentifier, kSelf, kCrate, kSuper, kPrimitive:
			word := declares(gap)
			switch {
			case word != "":
				r.definition(word)
			case gap == ".": // of something that was not understood
				h := graph.Hint{Rule: graph.HintLocal}
				r.suffixes(r.member("?", h), h)
			case strings.HasSuffix(gap, "."), strings.HasSuffix(gap, "'"):
				r.next()
			default:
				r.chain()
			}
		default:
			r.next()
		}
	}
}

// gap returns the tokens before the one at hand that are no nodes, without white space.
func (r *tokenReader) gap() string {
	s := r.x.b.Slice(min(r.end, r.x.t.Start(r.at)), r.x.t.Start(r.at))
	return strings.TrimSpace(s)
}

func (r *tokenReader) next() {
	r.end = r.x.t.End(r.at)
	r.at = r.x.t.Next(r.at)
	for r.at != sitter.None && (r.x.t.Kind(r.at) == kLineComment || r.x.t.Kind(r.at) == kBlockComment) {
		r.end = r.x.t.End(r.at)
		r.at = r.x.t.Next(r.at)
	}
}

// declares returns the keyword of a definition whose name stands behind a gap, or "".
func declares(gap string) string {
	last := gap[strings.LastIndexAny(gap, " \t\n;})\"")+1:]
	switch last {
	case "fn", "struct", "enum", "trait", "mod", "union", "type", "const", "static", "macro", "let":
		return last
	case "ref":
		if strings.HasSuffix(strings.TrimSpace(strings.TrimSuffix(gap, "ref")), "static") {
			return "static"
		}
	}
	return ""
}

// definition reads the name of a definition among tokens. In calls that stand among
// items, what it defines is an item of the module around the call.
func (r *tokenReader) definition(word string) {
	x := r.x
	if word == "static" && x.t.Is(r.at, "ref") && x.t.Next(r.at) != sitter.None { // lazy_static
		r.next()
	}
	if r.at == sitter.None { // nothing but comments behind the word
		return
	}
	id := r.at
	r.next()
	if x.t.Kind(id) != kIdentifier || x.made[x.t.Start(id)] {
		return
	}
	d := graph.Def{
		Name: x.b.Text(id), Local: x.b.Text(id), NameSpan: x.b.Span(id), Span: x.b.Span(id), Flags: x.flags,
		Doc: x.b.DocAbove(x.t.Start(id)),
	}
	switch word {
	case "static":
		d.Kind = graph.KindVariable
	case "const":
		d.Kind = graph.KindConstant
	case "struct", "union":
		d.Kind = graph.KindStruct
	case "enum":
		d.Kind = graph.KindEnum
	case "fn":
		d.Kind = graph.KindFunction
	default:
		return
	}
	if x.scopes.Depth() > 0 || x.impl.self != "" {
		return
	}
	if r.at != sitter.None && r.gap() == ":" && !r.opens('{') {
		d.Type, d.Span = r.declaredType(id)
	}
	d.Signature = word + " " + d.Name
	if d.Type != "" {
		d.Signature += ": " + d.Type
	}
	if e := x.b.EnclosingDef(); e != nil {
		d.Local = e.Local + "::" + d.Name
	}
	if d.Kind == graph.KindStruct || d.Kind == graph.KindEnum {
		x.addType(d)
	} else {
		x.b.AddDef(d)
	}
}

// declaredType reads the type behind ":", up to "=" or ";".
func (r *tokenReader) declaredType(id sitter.Node) (string, graph.Span) {
	x := r.x
	from, to := x.t.Start(r.at), x.t.Start(r.at)
	for n := r.at; n != sitter.None; n = x.t.Next(n) {
		if gap := x.b.Slice(to, max(to, x.t.Start(n))); strings.ContainsAny(gap, "=;") {
			to += uint32(strings.IndexAny(gap, "=;"))
			break
		}
		if x.t.Kind(n) == kTokenTree && x.b.Src[x.t.Start(n)] == '{' {
			break
		}
		to = x.t.End(n)
	}
	typ := dropLifetimes(x.b.Signature(from, to))
	if len(typ) > maxTypeText {
		typ = ""
	}
	return typ, x.b.SpanBetween(x.t.Start(id), to)
}

// chain reads a path of names and what follows it: calls, fields, "?", indices.
func (r *tokenReader) chain() {
	x := r.x
	head := r.at
	name, path := x.b.Text(head), x.b.Text(head)
	qualifier := ""
	last := head
	r.next()
	for r.at != sitter.None { // a::b::c
		gap := r.gap()
		if gap == "::" && isName(x.t.Kind(r.at)) {
			x.pathPart(last, name, qualifier, head)
			qualifier = path
			last, name = r.at, x.b.Text(r.at)
			path += "::" + name
			r.next()
			continue
		}
		if gap == "::<" {
			if types := r.turbofish(); types != "" {
				path += "::" + types
				continue
			}
		}
		break
	}
	if r.at != sitter.None {
		switch gap := r.gap(); {
		case gap == "!" && x.t.Kind(r.at) == kTokenTree:
			if qualifier != "" || !standardMacro(name) {
				x.b.AddRef(graph.Ref{Name: name, Qualifier: clip(qualifier), Use: graph.UseCall, Span: x.b.Span(last), Args: -1})
			}
			x.tokens(r.at)
			r.next()
			return
		case gap == "" && r.opens('('):
			x.pathEnd(last, name, qualifier, graph.UseCall, x.countArgs(r.at))
			x.tokens(r.at)
			r.next()
			path += "()"
		default:
			x.pathEnd(last, name, qualifier, graph.UseRead, -1)
		}
	} else {
		x.pathEnd(last, name, qualifier, graph.UseRead, -1)
	}
	h := x.headHint(path)
	if x.t.Kind(head) == kIdentifier && h.Rule == graph.HintNone && !upper(x.b.Text(head)) && path == x.b.Text(head) {
		h.Rule = graph.HintLocal // a name that the macro, or a closure, binds
	}
	r.suffixes(path, h)
}

func isName(k sitter.Kind) bool {
	return k == kIdentifier || k == kSelf || k == kSuper || k == kCrate || k == kPrimitive
}

// opens reports whether the token at hand is a tree that begins with a bracket.
func (r *tokenReader) opens(bracket byte) bool {
	return r.x.t.Kind(r.at) == kTokenTree && r.x.b.Src[r.x.t.Start(r.at)] == bracket
}

// pathPart refers to a name that leads to another one.
func (x *extractor) pathPart(id sitter.Node, name, qualifier string, head sitter.Node) {
	if x.t.Kind(id) != kIdentifier || x.made[x.t.Start(id)] || preluded(name) || x.isParam(name) || standardCrate(x.b.Text(head)) {
		return
	}
	use := graph.UseRead
	if upper(name) {
		use = graph.UseType
	}
	x.b.AddRef(graph.Ref{Name: name, Qualifier: clip(qualifier), Use: use, Span: x.b.Span(id), Args: -1})
}

// pathEnd refers to the last name of a path. A lone name in lower case that is not
// called may be one that the macro, or a closure in it, binds.
func (x *extractor) pathEnd(id sitter.Node, name, qualifier string, use graph.Use, args int16) {
	if x.t.Kind(id) != kIdentifier || x.made[x.t.Start(id)] {
		return
	}
	if qualifier == "" {
		if preluded(name) || x.isParam(name) {
			return
		}
		if x.scopes.Lookup(name) != nil {
			if use == graph.UseCall {
				x.b.AddValueCall()
			}
			return
		}
		if use == graph.UseRead && !upper(name) {
			return
		}
	}
	h := graph.Hint{}
	if qualifier == "Self" || strings.HasPrefix(qualifier, "Self::") || qualifier == "" && name == "Self" {
		h = graph.Hint{Rule: graph.HintClass, Type: x.impl.self}
	}
	x.b.AddRef(graph.Ref{Name: name, Qualifier: clip(qualifier), Use: use, Span: x.b.Span(id), Args: args, Hint: h})
}

// turbofish reads "::<T>" and returns the arguments with their brackets, or "" when
// they do not end.
func (r *tokenReader) turbofish() string {
	x := r.x
	start := r.end + uint32(strings.IndexByte(x.b.Slice(r.end, x.t.Start(r.at)), '<'))
	depth, pos := 0, start
	limit := min(uint32(len(x.b.Src)), start+maxTypeArgs)
	for ; pos < limit; pos++ {
		switch x.b.Src[pos] {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if depth != 0 || pos >= limit {
		return ""
	}
	for r.at != sitter.None && x.t.Start(r.at) < pos {
		if x.t.Kind(r.at) == kIdentifier && upper(x.b.Text(r.at)) {
			x.typeName(r.at)
		}
		r.next()
	}
	r.end = pos + 1
	return dropLifetimes(x.b.Qualifier(start, pos+1))
}

// suffixes reads what follows a value: ".name", ".name(…)", "?", "[…]", "(…)".
func (r *tokenReader) suffixes(path string, h graph.Hint) {
	x := r.x
	for r.at != sitter.None {
		gap := strings.TrimSpace(strings.ReplaceAll(r.gap(), ".await", ""))
		for strings.HasPrefix(gap, "?") {
			gap = strings.TrimSpace(gap[1:])
			path += "?"
		}
		switch k := x.t.Kind(r.at); {
		case gap == "." && k == kIdentifier:
			path = r.member(path, h)
		case gap == "." && k == kInt:
			path += "." + x.b.Text(r.at)
			r.next()
		case gap == "" && r.opens('['):
			x.tokens(r.at)
			path += "[]"
			r.next()
		default:
			return
		}
	}
}

// member reads a field or method behind a dot and returns the path with it.
func (r *tokenReader) member(path string, h graph.Hint) string {
	x, id := r.x, r.at
	r.next()
	types := ""
	if r.at != sitter.None && r.gap() == "::<" {
		types = r.turbofish()
	}
	ref := graph.Ref{Name: x.b.Text(id), Qualifier: clip(path), Use: graph.UseRead, Span: x.b.Span(id), Hint: h, Args: -1}
	path += "." + ref.Name
	if types != "" {
		path += "::" + types
	}
	if r.at == sitter.None || r.gap() != "" || !r.opens('(') {
		x.b.AddRef(ref)
		return path
	}
	ref.Use, ref.Args = graph.UseCall, x.countArgs(r.at)
	x.b.AddRef(ref)
	x.tokens(r.at)
	r.next()
	return path + "()"
}

// countArgs counts what commas separate in a tree.
func (x *extractor) countArgs(tree sitter.Node) int16 {
	n, end, some := int16(0), x.t.Start(tree)+1, false
	for c := range x.t.Children(tree) {
		n += int16(min(strings.Count(x.b.Slice(min(end, x.t.Start(c)), x.t.Start(c)), ","), 100))
		end, some = x.t.End(c), true
	}
	if !some {
		return 0
	}
	return max(n+1, 1)
}
