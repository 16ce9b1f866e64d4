package rules

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Path says where a node stands, seen from another. It is a list of steps with "/"
// between them; several paths with "|" between them are tried in order. A step is the
// name of a field, a node kind in "<>", a kind behind "~", which is the first such
// descendant, or ".", the node itself:
//
//	name
//	declarator/name|<identifier>
//	~type_identifier
type Path string

// Base says where the bases of a type stand: each node there is one, or holds one
// behind type arguments.
type Base struct {
	At  Path
	Rel graph.HeritageRel
}

// Import says where the parts of an import stand. Quotes around a part are dropped.
type Import struct {
	Module Path
	Name   Path // the name taken; none is the module itself
	Alias  Path
	Flags  graph.ImportFlags
	Files  bool // modules are files: see Beside
}

// Rule says what a node of one kind is. At most one of Define, Bind, Call, Select and
// Import is given. The children of a node are read too, unless it is Opaque.
type Rule struct {
	// Visit reads a node of which the rest of the rule cannot speak. When it returns
	// true, the node is done with.
	Visit func(r *Reader, n sitter.Node) bool

	// Define is the kind of what the node defines, and Member its kind where it stands
	// directly in a type. Var says that it defines nothing inside a function, but binds
	// a local name there.
	Define, Member graph.Kind
	Var            bool
	Name           Path   // of a definition: its name, or with Var its names
	Type           Path   // declared type, or type of the result
	Value          Path   // with Var: what it is set to
	Body           Path   // where the signature ends; none: with the first line
	Bases          []Base // of a type
	Open           bool   // names bound inside are unknown outside: of functions, and of blocks

	Bind Path // names of parameters and locals

	// Call is what is called: a name, or a node with Select. Object is what it is a
	// member of, where both stand in the same node. Args holds the arguments, one a child.
	Call, Args Path
	New        bool // what is called is a type
	// Select is the name of a member of what stands at Object.
	Select, Object Path

	Import *Import
	Opaque bool
}

// Table is what a language's nodes mean.
type Table struct {
	Name, Version string
	Grammar       sitter.Grammar
	Rules         map[string]Rule      // by node kind
	Names         map[string]graph.Use // node kinds that are names, and what they are used for where no rule says it
	// Compound has the node kinds that are several names with a separator between them,
	// which are read as the last one with the others as its qualifier.
	Compound map[string]string
	Comments []string // node kinds
	Mark     string   // begins a comment that lasts until the end of the line
	// Separator stands between the name of a type and that of its member; "." if empty.
	Separator string
	// Namespace stands between the name of a namespace and that of what it holds;
	// Separator if empty.
	Namespace string
	Self      []string // words for the object whose method runs
	Super     []string // words for the same as its base sees it
	// Kinds and Paths are what the functions of the table look for, besides what its
	// rules name: Reader.Is, Reader.Find and Reader.All know no others.
	Kinds []string
	Paths []Path
	// Flags says more about a definition than its place does. Without it all that is
	// not local is exported.
	Flags func(r *Reader, n sitter.Node, d *graph.Def) graph.DefFlags
	// Start and Finish run before and after the tree is read.
	Start, Finish func(r *Reader)
	// Parts lists the texts in other languages that a file holds.
	Parts func(r *Reader) []spec.Part
}

// Language returns the language that a table describes.
func Language(t Table) spec.Language {
	c := compile(&t)
	l := spec.Language{
		Name: t.Name, Version: t.Version, Grammar: t.Grammar, Vocabulary: c.vocabulary,
		Extract: func(b *spec.Builder) { extract(c, b) },
	}
	if t.Parts != nil {
		l.Parts = func(b *spec.Builder) []spec.Part {
			if b.Tree.Len() == 0 {
				return nil
			}
			return t.Parts(&Reader{Builder: b, c: c, t: b.Tree})
		}
	}
	return l
}

// step is one step of a path.
type step struct {
	field sitter.Field
	kind  sitter.Kind
	deep  bool
	self  bool
}

type rule struct {
	Rule
	name, typ, value, body, bind, call, args, sel, object path
	bases                                                 []path
	module, taken, alias                                  path
}

type path [][]step // alternatives

// compiled is a table in the terms of its vocabulary.
type compiled struct {
	*Table
	vocabulary sitter.Vocabulary
	rules      []*rule // by kind
	uses       []int8  // by kind: a graph.Use, or -1
	compound   []string
	comment    []bool
	kinds      map[string]sitter.Kind
	fields     map[string]sitter.Field
	paths      map[Path]path
}

func compile(t *Table) *compiled {
	if t.Separator == "" {
		t.Separator = "."
	}
	if t.Namespace == "" {
		t.Namespace = t.Separator
	}
	c := &compiled{Table: t, kinds: map[string]sitter.Kind{}, fields: map[string]sitter.Field{}, paths: map[Path]path{}}
	c.vocabulary = sitter.Vocabulary{Kinds: []string{""}, Fields: []string{""}}
	for _, k := range t.Kinds {
		c.kind(k)
	}
	for _, p := range t.Paths {
		c.path(p)
	}
	byKind := map[sitter.Kind]*rule{}
	for k, r := range t.Rules {
		byKind[c.kind(k)] = c.rule(r)
	}
	for k := range t.Names {
		c.kind(k)
	}
	for k := range t.Compound {
		c.kind(k)
	}
	for _, k := range t.Comments {
		c.kind(k)
	}
	n := len(c.vocabulary.Kinds)
	c.rules, c.uses, c.compound, c.comment = make([]*rule, n), make([]int8, n), make([]string, n), make([]bool, n)
	for i := range c.uses {
		c.uses[i] = -1
	}
	for k, r := range byKind {
		c.rules[k] = r
	}
	for k, u := range t.Names {
		c.uses[c.kinds[k]] = int8(u)
	}
	for k, sep := range t.Compound {
		c.compound[c.kinds[k]] = sep
	}
	for _, k := range t.Comments {
		c.comment[c.kinds[k]] = true
	}
	return c
}

func (c *compiled) rule(r Rule) *rule {
	out := &rule{
		Rule: r, name: c.path(r.Name), typ: c.path(r.Type), value: c.path(r.Value), body: c.path(r.Body), bind: c.path(r.Bind),
		call: c.path(r.Call), args: c.path(r.Args), sel: c.path(r.Select), object: c.path(r.Object),
	}
	for _, b := range r.Bases {
		out.bases = append(out.bases, c.path(b.At))
	}
	if r.Import != nil {
		out.module, out.taken, out.alias = c.path(r.Import.Module), c.path(r.Import.Name), c.path(r.Import.Alias)
	}
	return out
}

func (c *compiled) kind(name string) sitter.Kind {
	k, ok := c.kinds[name]
	if !ok {
		k = sitter.Kind(len(c.vocabulary.Kinds))
		c.kinds[name] = k
		c.vocabulary.Kinds = append(c.vocabulary.Kinds, name)
	}
	return k
}

func (c *compiled) field(name string) sitter.Field {
	f, ok := c.fields[name]
	if !ok {
		f = sitter.Field(len(c.vocabulary.Fields))
		c.fields[name] = f
		c.vocabulary.Fields = append(c.vocabulary.Fields, name)
	}
	return f
}

// path compiles a path. What it names enters the vocabulary.
func (c *compiled) path(p Path) path {
	if p == "" {
		return nil
	}
	if known, ok := c.paths[p]; ok {
		return known
	}
	var out path
	for alternative := range strings.SplitSeq(string(p), "|") {
		var steps []step
		for s := range strings.SplitSeq(alternative, "/") {
			switch {
			case s == ".":
				steps = append(steps, step{self: true})
			case strings.HasPrefix(s, "<"):
				steps = append(steps, step{kind: c.kind(strings.Trim(s, "<>"))})
			case strings.HasPrefix(s, "~"):
				steps = append(steps, step{kind: c.kind(s[1:]), deep: true})
			default:
				steps = append(steps, step{field: c.field(s)})
			}
		}
		out = append(out, steps)
	}
	c.paths[p] = out
	return out
}
