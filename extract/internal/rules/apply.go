package rules

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// definition reads a node that defines something, with what is inside of it.
func (r *Reader) definition(n sitter.Node, u *rule) {
	name := r.find(n, u.name)
	if name == sitter.None || r.Start(name) == r.t.End(name) {
		r.Within(graph.NoDef, u.Open, func() { r.Children(n) })
		return
	}
	def := r.define(n, name, u)
	r.heritage(n, def, u)
	r.Within(def, u.Open, func() { r.ChildrenBut(n, name) })
}

func (r *Reader) define(n, name sitter.Node, u *rule) int32 {
	d := graph.Def{
		Name: r.Text(name), Kind: u.Define, Span: r.Span(n), NameSpan: r.Span(name), Type: r.typeText(r.find(n, u.typ)),
		Signature: r.signature(n, r.find(n, u.body)), Doc: r.DocAbove(r.Start(n)),
	}
	if around := r.EnclosingDef(); u.Member != "" && around != nil && isType(around.Kind) {
		d.Kind = u.Member
	}
	return r.Define(n, d)
}

// Define adds a definition whose Name, Kind and spans are set, and sets its Local name
// and flags by the place where it stands. Without a name, which a parser may leave out,
// there is none: NoDef.
func (r *Reader) Define(n sitter.Node, d graph.Def) int32 {
	if d.Name == "" {
		return graph.NoDef
	}
	if d.Local == "" {
		d.Local = d.Name
		if around := r.EnclosingDef(); around != nil {
			d.Local = around.Local + r.separator(around) + d.Name
		}
	}
	d.Flags |= r.Flags
	if r.InFunction() {
		d.Flags |= graph.FlagLocal
	}
	if r.c.Flags != nil {
		d.Flags |= r.c.Flags(r, n, &d)
	} else if !d.Has(graph.FlagLocal) {
		d.Flags |= graph.FlagExported
	}
	def := r.AddDef(d)
	if d.Has(graph.FlagLocal) && !isType(d.Kind) {
		r.Scopes.Declare(spec.Local{Name: d.Name, Def: def})
	}
	return def
}

// separator returns what stands between the name of a definition and that of a member.
func (r *Reader) separator(around *graph.Def) string {
	if around.Kind == graph.KindNamespace {
		return r.c.Namespace
	}
	return r.c.Separator
}

// Within reads with def, unless it is NoDef, as the enclosing definition. With scope,
// names that are bound meanwhile are forgotten afterwards.
func (r *Reader) Within(def int32, scope bool, read func()) {
	kind := graph.Kind("")
	if def != graph.NoDef {
		kind = r.Facts.Defs[def].Kind
		r.Enter(def)
		defer r.Leave()
	}
	if isType(kind) {
		r.types = append(r.types, def)
		defer func() { r.types = r.types[:len(r.types)-1] }()
	}
	if scope {
		r.Scopes.Open()
		defer r.Scopes.Close()
	}
	if scope && !isType(kind) {
		r.functions++
		defer func() { r.functions-- }()
	}
	read()
}

// signature returns the text up to the body, or else the first line.
func (r *Reader) signature(n, body sitter.Node) string {
	start, end := r.Start(n), r.t.End(n)
	if body != sitter.None && r.Start(body) > start {
		end = r.Start(body)
	} else if i := strings.IndexByte(r.Slice(start, end), '\n'); i >= 0 {
		end = start + uint32(i)
	}
	return strings.TrimRight(r.Signature(start, end), " {:=")
}

func (r *Reader) typeText(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(r.Signature(r.Start(n), r.t.End(n)), ":"))
}

// variables reads a node that defines values outside of functions.
func (r *Reader) variables(n sitter.Node, u *rule) {
	first := graph.NoDef
	var names []sitter.Node
	r.all(n, u.name, func(name sitter.Node) bool {
		if r.Start(name) == r.t.End(name) {
			return true
		}
		def := r.define(n, name, u)
		if first == graph.NoDef {
			first = def
		}
		names = append(names, name)
		return true
	})
	r.Within(first, false, func() { r.below(n, names) })
}

// bindLocals reads a node that binds local names: first what they are set to, where
// the names mean what they meant before.
func (r *Reader) bindLocals(n sitter.Node, u *rule, at path) {
	var names []sitter.Node
	r.all(n, at, func(name sitter.Node) bool {
		names = append(names, name)
		return true
	})
	hint := graph.Hint{Rule: graph.HintLocal}
	if len(names) == 1 {
		hint = r.hintOf(r.find(n, u.typ), r.find(n, u.value))
	}
	r.below(n, names)
	for _, name := range names {
		r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: hint, Def: graph.NoDef})
	}
}

// below reads what is below n, but for some nodes at any depth.
func (r *Reader) below(n sitter.Node, skip []sitter.Node) {
	for c := range r.t.Children(n) {
		inside := 0
		for _, s := range skip {
			if s == c {
				inside = -1
				break
			}
			if c < s && s < r.t.After(c) {
				inside++
			}
		}
		switch {
		case inside < 0:
		case inside > 0:
			r.below(c, skip)
		default:
			r.Visit(c)
		}
	}
}

// hintOf says what a name is that is declared with a type or set to a value.
func (r *Reader) hintOf(typ, value sitter.Node) graph.Hint {
	if typ != sitter.None {
		if text := r.typeText(typ); text != "" {
			return graph.Hint{Rule: graph.HintDeclared, Type: text}
		}
	}
	if value == sitter.None {
		return graph.Hint{Rule: graph.HintLocal}
	}
	u := r.c.rules[r.kind(value)]
	if u == nil || u.call == nil {
		return graph.Hint{Rule: graph.HintLocal}
	}
	callee := r.find(value, u.call)
	if callee == sitter.None {
		return graph.Hint{Rule: graph.HintLocal}
	}
	start := r.Start(callee)
	if object := r.find(value, u.object); object != sitter.None {
		start = r.Start(object)
	}
	return graph.Hint{Rule: graph.HintAssigned, Type: r.Qualifier(start, r.t.End(callee))}
}

// call reads a call or construction.
func (r *Reader) call(n sitter.Node, u *rule) {
	callee, object := r.find(n, u.call), r.find(n, u.object)
	if callee == sitter.None {
		r.Children(n)
		return
	}
	args := r.countArgs(n, u)
	skip := []sitter.Node{callee}
	switch {
	case object != sitter.None:
		r.Visit(object)
		skip = append(skip, object)
		r.Member(callee, object, graph.UseCall, args)
	default:
		r.callee(callee, args)
	}
	r.below(n, skip)
}

// callee reads what stands where something is called.
func (r *Reader) callee(n sitter.Node, args int) {
	k := r.t.Kind(n)
	if k == sitter.KindError {
		r.Children(n)
		return
	}
	if u := r.c.rules[k]; u != nil && u.sel != nil {
		if name, object := r.find(n, u.sel), r.find(n, u.object); name != sitter.None && object != sitter.None {
			r.Visit(object)
			r.Member(name, object, graph.UseCall, args)
			r.below(n, []sitter.Node{name, object})
			return
		}
	}
	if r.c.uses[k] >= 0 || r.c.compound[k] != "" {
		r.use(n, graph.UseCall, args)
		return
	}
	r.AddValueCall()
	r.Visit(n)
}

func (r *Reader) countArgs(n sitter.Node, u *rule) int {
	if list := r.find(n, u.args); list != sitter.None {
		return r.CountChildren(list)
	}
	return 0
}

// CountChildren returns the number of children of a node that are no comments.
func (r *Reader) CountChildren(n sitter.Node) (count int) {
	for c := range r.t.Children(n) {
		if !r.c.comment[r.kind(c)] {
			count++
		}
	}
	return count
}

// selection reads a member that is used in another way than by calling it.
func (r *Reader) selection(n sitter.Node, u *rule) {
	name, object := r.find(n, u.sel), r.find(n, u.object)
	if name == sitter.None || object == sitter.None {
		r.Children(n)
		return
	}
	r.Visit(object)
	r.Member(name, object, graph.UseRead, -1)
	r.below(n, []sitter.Node{name, object})
}

// imports reads an import.
func (r *Reader) imports(n sitter.Node, u *rule) {
	module := r.find(n, u.module)
	if module == sitter.None {
		return
	}
	im := graph.Import{Module: Unquote(r.Text(module)), Span: r.Span(n), Flags: u.Import.Flags}
	if u.Import.Files {
		im.Module = Beside(im.Module)
	}
	if alias := r.find(n, u.alias); alias != sitter.None {
		im.Alias = r.Text(alias)
	}
	some := false
	r.all(n, u.taken, func(name sitter.Node) bool {
		some = true
		one := im
		one.Name = r.Text(name)
		r.AddImport(one)
		return true
	})
	if !some {
		r.AddImport(im)
	}
}

// Beside returns a path as an import of a file beside the importing one writes it: a name
// alone could be taken for one of several parts.
func Beside(path string) string {
	if path == "" || strings.Contains(path, "/") {
		return path
	}
	return "./" + path
}

// Unquote drops quotes and angle brackets around a text.
func Unquote(s string) string { return strings.Trim(strings.TrimSpace(s), "\"'`<>") }

// heritage adds the bases of a type.
func (r *Reader) heritage(n sitter.Node, def int32, u *rule) {
	for i, at := range u.bases {
		r.all(n, at, func(base sitter.Node) bool {
			r.AddBase(def, base, u.Bases[i].Rel)
			return true
		})
	}
}

// AddBase adds a base to a type, as it is written at a node: type arguments and
// arguments of its constructor do not count.
func (r *Reader) AddBase(def int32, base sitter.Node, rel graph.HeritageRel) {
	start, text := r.Start(base), r.Text(base)
	if i := strings.IndexAny(text, "<([{ \t\r\n"); i >= 0 {
		text = text[:i]
	}
	h := graph.Heritage{Def: def, Rel: rel, Name: text}
	for _, sep := range [...]string{r.c.Separator, ".", "::", "\\"} {
		if i := strings.LastIndex(h.Name, sep); i >= 0 {
			h.Qualifier, h.Name = strings.TrimPrefix(text[:i], sep), h.Name[i+len(sep):]
			break
		}
	}
	if h.Name == "" {
		return
	}
	end := start + uint32(len(text))
	h.Span = r.SpanBetween(end-uint32(len(h.Name)), end)
	r.Facts.Heritage = append(r.Facts.Heritage, h)
}
