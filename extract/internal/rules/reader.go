package rules

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Reader reads one file. The functions of a table get it.
type Reader struct {
	*spec.Builder
	Scopes spec.Scopes // of local names
	// Flags are added to each definition: those of the file as a whole.
	Flags graph.DefFlags
	// Data is for the functions of the table.
	Data any

	c         *compiled
	t         *sitter.Tree
	types     []int32 // the types around the place being read, innermost last
	functions int     // the functions around it
}

func extract(c *compiled, b *spec.Builder) {
	r := &Reader{Builder: b, c: c, t: b.Tree}
	if r.t.Len() == 0 {
		return
	}
	if c.Mark != "" && b.Generated(c.Mark) {
		r.Flags |= graph.FlagGenerated
	}
	if c.Start != nil {
		c.Start(r)
	}
	r.Visit(sitter.Root)
	if c.Finish != nil {
		c.Finish(r)
	}
}

// Language returns the name of the table.
func (r *Reader) Language() string { return r.c.Name }

// Start returns the byte offset of a node. Some grammars count the white space before a
// token as a part of it: that is left out here, and in Text and Span.
func (r *Reader) Start(n sitter.Node) uint32 {
	start, end := r.t.Start(n), r.t.End(n)
	for start < end && (r.Src[start] == ' ' || r.Src[start] == '\n' || r.Src[start] == '\t' || r.Src[start] == '\r') {
		start++
	}
	return start
}

// Text returns the text of a node without copying it.
func (r *Reader) Text(n sitter.Node) string { return r.Slice(r.Start(n), r.t.End(n)) }

// Span returns the span of a node.
func (r *Reader) Span(n sitter.Node) graph.Span { return r.SpanBetween(r.Start(n), r.t.End(n)) }

// kind returns the kind of a node as an index of what the table was compiled to. Text that
// the grammar could not read is of no kind that a table speaks of.
func (r *Reader) kind(n sitter.Node) sitter.Kind {
	if k := r.t.Kind(n); k != sitter.KindError {
		return k
	}
	return sitter.KindOther
}

// Is reports whether a node is of one of the kinds, which the table names.
func (r *Reader) Is(n sitter.Node, kinds ...string) bool {
	if n == sitter.None {
		return false
	}
	k := r.t.Kind(n)
	for _, name := range kinds {
		want, ok := r.c.kinds[name]
		if !ok {
			panic("rules: kind " + name + " is not in the table of " + r.c.Name)
		}
		if k == want {
			return true
		}
	}
	return false
}

// Find returns the first node at the path, or None. The table names the path.
func (r *Reader) Find(n sitter.Node, p Path) sitter.Node { return r.find(n, r.compiled(p)) }

// All calls yield with each node at the path, in order.
func (r *Reader) All(n sitter.Node, p Path) func(yield func(sitter.Node) bool) {
	compiled := r.compiled(p)
	return func(yield func(sitter.Node) bool) { r.all(n, compiled, yield) }
}

func (r *Reader) compiled(p Path) path {
	known, ok := r.c.paths[p]
	if !ok {
		panic("rules: path " + string(p) + " is not in the table of " + r.c.Name)
	}
	return known
}

func (r *Reader) find(n sitter.Node, p path) sitter.Node {
	found := sitter.None
	r.all(n, p, func(m sitter.Node) bool { found = m; return false })
	return found
}

// all yields what stands at the first alternative that leads anywhere.
func (r *Reader) all(n sitter.Node, p path, yield func(sitter.Node) bool) {
	for _, steps := range p {
		some := false
		r.walk(n, steps, func(m sitter.Node) bool { some = true; return yield(m) })
		if some {
			return
		}
	}
}

// walk yields what the steps lead to, and reports whether to go on.
func (r *Reader) walk(n sitter.Node, steps []step, yield func(sitter.Node) bool) bool {
	if len(steps) == 0 {
		return yield(n)
	}
	s, rest := steps[0], steps[1:]
	switch {
	case s.self:
		return r.walk(n, rest, yield)
	case s.deep:
		for c := n + 1; c < r.t.After(n); c++ {
			if r.t.Kind(c) == s.kind {
				return r.walk(c, rest, yield)
			}
		}
		return true
	}
	for c := range r.t.Children(n) {
		match := s.field != 0 && r.t.Field(c) == s.field || s.kind != 0 && r.t.Kind(c) == s.kind
		if match && !r.walk(c, rest, yield) {
			return false
		}
	}
	return true
}

// Visit reads a node and what is below it.
func (r *Reader) Visit(n sitter.Node) {
	if n == sitter.None {
		return
	}
	k := r.t.Kind(n)
	if k == sitter.KindError {
		r.Children(n)
		return
	}
	if u := r.c.rules[k]; u != nil {
		r.apply(n, u)
		return
	}
	switch {
	case r.c.comment[k]:
		r.NoteComment(n)
	case r.c.uses[k] >= 0:
		r.Name(n, graph.Use(r.c.uses[k]))
	default:
		r.Children(n)
	}
}

// Children reads what is directly below a node.
func (r *Reader) Children(n sitter.Node) {
	for c := range r.t.Children(n) {
		r.Visit(c)
	}
}

// ChildrenBut is Children without some of them.
func (r *Reader) ChildrenBut(n sitter.Node, skip ...sitter.Node) {
	for c := range r.t.Children(n) {
		if !slices.Contains(skip, c) {
			r.Visit(c)
		}
	}
}

func (r *Reader) apply(n sitter.Node, u *rule) {
	switch {
	case u.Visit != nil && u.Visit(r, n):
	case u.Define != "" && u.Var && r.InFunction():
		r.bindLocals(n, u, u.name)
	case u.Define != "" && u.Var:
		r.variables(n, u)
	case u.Define != "":
		r.definition(n, u)
	case u.bind != nil:
		r.bindLocals(n, u, u.bind)
	case u.call != nil:
		r.call(n, u)
	case u.sel != nil:
		r.selection(n, u)
	case u.Import != nil:
		r.imports(n, u)
	case u.Opaque:
	case u.Open:
		r.Scopes.Open()
		r.Children(n)
		r.Scopes.Close()
	case r.c.uses[r.kind(n)] >= 0:
		r.Name(n, graph.Use(r.c.uses[r.kind(n)]))
	default:
		r.Children(n)
	}
}

// InFunction reports whether what is being read stands in a function, and in no type
// inside of it.
func (r *Reader) InFunction() bool {
	if r.functions == 0 {
		return false
	}
	d := r.EnclosingDef()
	return d == nil || !isType(d.Kind)
}

// isType reports whether what stands directly in such a definition is its member.
func isType(k graph.Kind) bool {
	switch k {
	case graph.KindClass, graph.KindStruct, graph.KindInterface, graph.KindEnum, graph.KindType, graph.KindModule:
		return true
	}
	return false
}

// EnclosingType returns the innermost type around the place being read, or nil.
func (r *Reader) EnclosingType() *graph.Def {
	if n := len(r.types); n > 0 {
		return &r.Facts.Defs[r.types[n-1]]
	}
	return nil
}

// Name reads a name that the text uses.
func (r *Reader) Name(n sitter.Node, use graph.Use) { r.use(n, use, -1) }

func (r *Reader) use(n sitter.Node, use graph.Use, args int) {
	if r.t.IsMissing(n) {
		return
	}
	if sep := r.c.compound[r.kind(n)]; sep != "" {
		r.compoundName(n, sep, use, args)
		return
	}
	name := r.Text(n)
	if r.word(name) {
		return
	}
	if l := r.Scopes.Lookup(name); l != nil && !r.isFunction(l.Def) {
		if use == graph.UseCall {
			r.AddValueCall()
		}
		return
	}
	r.AddRef(graph.Ref{Name: name, Use: use, Span: r.Span(n), Args: int16(args)})
}

// isFunction reports whether a local name is one of a function, which is a definition
// that others refer to as to any.
func (r *Reader) isFunction(def int32) bool {
	return def != graph.NoDef && (r.Facts.Defs[def].Kind == graph.KindFunction || r.Facts.Defs[def].Kind == graph.KindMethod)
}

// word reports whether a name is one of the language's own.
func (r *Reader) word(name string) bool {
	return slices.Contains(r.c.Self, name) || slices.Contains(r.c.Super, name)
}

// compoundName reads a.b.c that is one node.
func (r *Reader) compoundName(n sitter.Node, sep string, use graph.Use, args int) {
	text, start := r.Text(n), r.Start(n)
	at := strings.LastIndex(text, sep)
	from := start
	if at >= 0 {
		from += uint32(at + len(sep))
	}
	ref := graph.Ref{Name: r.Slice(from, r.t.End(n)), Use: use, Span: r.SpanBetween(from, r.t.End(n)), Args: int16(args)}
	if at > 0 {
		ref.Qualifier = r.Qualifier(start, start+uint32(at))
	}
	if strings.ContainsAny(ref.Name, " \t\r\n") {
		return
	}
	r.AddRef(ref)
}

// AddImport adds an import, which belongs to the function around it or else to the file,
// and not to a variable that holds what it gives.
func (r *Reader) AddImport(im graph.Import) {
	r.Builder.AddImport(im)
	last := &r.Facts.Imports[len(r.Facts.Imports)-1]
	for last.Enclosing != graph.NoDef {
		d := &r.Facts.Defs[last.Enclosing]
		if d.Kind == graph.KindFunction || d.Kind == graph.KindMethod {
			return
		}
		last.Enclosing = d.Container
	}
}

// Bind makes a name a local one of the innermost scope, of which nothing is known.
func (r *Reader) Bind(n sitter.Node) {
	r.Scopes.Declare(spec.Local{Name: r.Text(n), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
}

// Call reads the name of what is called with a number of arguments.
func (r *Reader) Call(n sitter.Node, args int) { r.use(n, graph.UseCall, args) }

// Member records a use of a member of what stands at object. Args is the number of
// arguments of a call, else -1.
func (r *Reader) Member(n, object sitter.Node, use graph.Use, args int) {
	r.MemberOf(n, object, r.t.End(object), use, args)
}

// MemberOf is Member where the object is the text from the node first up to end.
func (r *Reader) MemberOf(n, first sitter.Node, end uint32, use graph.Use, args int) {
	if r.t.IsMissing(n) {
		return
	}
	r.AddRef(graph.Ref{
		Name: r.Text(n), Qualifier: r.Qualifier(r.Start(first), end), Use: use, Span: r.Span(n), Hint: r.hint(first), Args: int16(args),
	})
}

// hint says what the text tells of the first name of an expression.
func (r *Reader) hint(object sitter.Node) graph.Hint {
	head := object
	for first := r.t.First(head); first != sitter.None && r.Start(first) == r.Start(object); first = r.t.First(head) {
		head = first
	}
	name := r.Text(head)
	switch {
	case r.Scopes.Lookup(name) != nil: // also self, where an extension says what it is
	case slices.Contains(r.c.Self, name):
		return r.ofType(graph.HintSelf)
	case slices.Contains(r.c.Super, name):
		return r.ofType(graph.HintSuper)
	}
	if l := r.Scopes.Lookup(name); l != nil {
		if l.Hint.Rule == graph.HintNone {
			return graph.Hint{Rule: graph.HintLocal}
		}
		return l.Hint
	}
	return graph.Hint{}
}

func (r *Reader) ofType(rule graph.HintRule) graph.Hint {
	if t := r.EnclosingType(); t != nil {
		return graph.Hint{Rule: rule, Type: t.Local}
	}
	return graph.Hint{Rule: graph.HintLocal}
}
