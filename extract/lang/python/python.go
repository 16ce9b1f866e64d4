// Package python extracts the facts of Python files: definitions with their
// signatures, the names that functions take from outside themselves, and what
// the text says about the types of receivers.
//
// It binds nothing: that a name is local is decided here, by Python's scoping
// rules; what any other name denotes is for graph/resolve/python. Only extract
// calls it.
//
// # Type texts
//
// Def.Type and Hint.Type hold annotations as written. Where a type is read off an
// initialiser instead, the text is an expression in which arguments are left out
// and locals are replaced by what they hold: `Foo()` is an instance of Foo,
// `self.clone()` what that method returns. In Def.Type a leading "=" marks a value
// that is taken as it stands, not called: `=self.x`, or `=Foo` for the class
// itself. "[]" is an element of what stands before it, "[*]" what iterating over it
// yields, "[0]" its first element, "Self" the enclosing class, "?" in front says that it
// may be something else,
// and " | " stands between the results that a function may have.
//
// A class whose base is made by a call, as in `class M(Base.from_set(Query))`,
// has one base of relation embeds for each class in the call.
package python

import (
	"sort"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Python.
func Language() spec.Language {
	return spec.Language{
		Name: "python", Version: "python/14",
		Grammar: sitter.Python(), Vocabulary: vocabulary(),
		Extract: extract,
	}
}

// extractor walks one file.
type extractor struct {
	b           *spec.Builder
	t           *sitter.Tree
	scope       *scope
	conditional int  // if and try statements around the place being read
	trying      int  // bodies of try statements around it
	branch      path // what locals held before the branch being read
	late        []lateRead
	closed      *lateRead // the variable of a function around that was read last
	testFile    bool
	initFile    bool
	all         map[string]bool // __all__, nil without one
	vars        map[varKey]int32
	classes     map[int32]*classInfo
	called      []calledName
	parts       map[sitter.Node]graph.Hint // of the tuple that is being assigned
	opened      map[int32]bool             // variables that may hold what is not known
	outer       []outerValue
}

// outerValue is what a function gives to a variable of the module.
type outerValue struct{ name, typ string }

// calledName is a reference without qualifier to a name of the file that it calls.
type calledName struct {
	ref  int
	name *binding
}

// varKey tells one variable or field from another: it is defined once.
type varKey struct {
	container int32
	name      string
}

// classInfo is what members need to know of their class.
type classInfo struct {
	enum     bool
	unittest bool // a base is called …TestCase
	tests    bool // pytest collects it: Test…
}

func extract(b *spec.Builder) {
	if b.Tree.Len() == 0 {
		return
	}
	base := b.Path.Base()
	x := &extractor{
		b: b, t: b.Tree, testFile: isTestFile(b.Path),
		initFile: base == "__init__.py" || base == "__init__.pyi",
		vars:     make(map[varKey]int32), classes: make(map[int32]*classInfo),
	}
	x.scope = newScope(moduleScope, nil, graph.NoDef)
	x.scope.body = sitter.Root
	x.collect(sitter.Root)
	x.visitChildren(sitter.Root)
	x.finish()
}

// finish does what needs the whole file: export flags, and the order of
// references, since decorators and defaults are visited before what they stand in.
func (x *extractor) finish() {
	x.salvage()
	x.markOpen()
	f := x.b.Facts
	generated := x.b.Generated("#")
	for i := range f.Defs {
		d := &f.Defs[i]
		if generated {
			d.Flags |= graph.FlagGenerated
		}
		exported := d.Flags&graph.FlagLocal == 0 && isPublic(d.Name)
		if x.all != nil && d.Container == graph.NoDef {
			exported = x.all[d.Name]
		}
		if exported {
			d.Flags |= graph.FlagExported
		}
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Enclosing == graph.NoDef && im.Module != "__future__" && (x.initFile || x.all[im.Alias]) {
			im.Flags |= graph.ImportReexport
		}
	}
	x.markLate()
	x.followValues()
	x.markRebound()
	x.markReplaced()
	x.dropUnlisted()
	sort.SliceStable(f.Refs, func(i, j int) bool { return f.Refs[i].Span.Start < f.Refs[j].Span.Start })
}

// isPublic applies the underscore rule; the language's own special names are
// public.
func isPublic(name string) bool {
	return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

func isConstant(name string) bool {
	upper := false
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z' || c >= 0x80:
			return false
		case c >= 'A' && c <= 'Z':
			upper = true
		}
	}
	return upper
}
