// Package java extracts the facts of Java source files.
//
// It reads one file at a time and knows neither the other files of the package nor
// what a type inherits: graph/resolve/java binds the names. Only extract calls it.
//
// # Paths
//
// The receiver of a member and the arguments of a call are written as paths:
// expressions over names that mean the same outside the function, in a spelling that
// the resolver reads back. Locals are replaced by what they hold.
//
//	primary    a name, a type in parentheses, this, super, or a call without receiver:
//	           x, (List<Foo>), f((int))
//	.name      a member of the package, type or value before
//	.name(a,b) a call with paths of its arguments, ? for one that has no path
//	[]         an element of an array
//	[:]        what a loop over the value before gives
//	#1         behind a call: the type of its second parameter
//	~0         the first parameter of the function that the value before is
//
// (null) is the null literal. A lambda is ->n and a letter, n being the number of its
// parameters: e where its body is an expression, r where it returns a value, v where
// it returns none. A method reference is ::. (Foo#2) is the type of the second
// anonymous class of the file, which is built on Foo.
//
// Ref.Qualifier is a local's name as it stands, whose hint says what it holds, or else
// a path, or ? for what has none. Behind it stand in braces the paths of the arguments
// of a call, where they say something: overloads are told apart by them. Four prefixes
// say what else a reference is: "case:" a case label, with the path of what is switched
// on; "new:" what is constructed, with what stands before its name; "anon:" the same of
// what an anonymous class is built on; "constant:" an enum's constant, "anon:constant:"
// one with a body.
//
// What belongs to an anonymous class has no definition around it: Def.Owner is then
// Foo#2, and a reference without receiver in its body has the hint HintSelf with Foo#2.
//
// The code of initializers belongs to the type. Calls of a constructor carry the whole
// name of the type as their span, Outer.Inner, and an enum constant is a call of the
// constructor under its own name. A method reference is a call with an unknown number
// of arguments.
package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	prefixCase     = "case:"
	prefixNew      = "new:"
	prefixAnon     = "anon:"
	prefixConstant = "constant:"
)

// Language returns the rules for Java.
func Language() spec.Language {
	return spec.Language{
		Name: "java", Version: "java/1", Grammar: sitter.Java(),
		Vocabulary: sitter.Vocabulary{Kinds: kindNames(), Fields: fieldNames()},
		Extract:    extract,
	}
}

// extractor reads one file.
type extractor struct {
	b      *spec.Builder
	t      *sitter.Tree
	scopes spec.Scopes
	flags  graph.DefFlags // of every definition of the file

	holder int32  // the type around the place being read, or graph.NoDef
	anon   string // what names the anonymous class around it, as Foo#2; "" where the innermost type has a name
	anons  int    // anonymous classes so far
	depth  int    // of function bodies
	field  int32  // whose initializer is being read, or graph.NoDef
	result string // declared type of what the function around the place returns
	tests  bool   // the type around the place says that its public methods are tests

	buf   []byte // of the path being written
	brief bool   // arguments in it are left out
}

func extract(b *spec.Builder) {
	x := &extractor{b: b, t: b.Tree, holder: graph.NoDef, field: graph.NoDef}
	if x.t.Len() == 0 {
		return
	}
	if b.Generated("//") {
		x.flags = graph.FlagGenerated
	}
	x.topLevel(sitter.Root)
}

// topLevel reads declarations, also those inside text that did not parse.
func (x *extractor) topLevel(parent sitter.Node) {
	for n := range x.t.Children(parent) {
		switch x.t.Kind(n) {
		case kLineComment, kBlockComment:
			x.b.NoteComment(n)
		case kPackage:
			x.packageClause(n)
		case kImport:
			x.importClause(n)
		case kModule:
		case sitter.KindError:
			x.topLevel(n)
		default:
			x.member(n)
		}
	}
}

func (x *extractor) packageClause(n sitter.Node) {
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kScopedIdentifier, kIdentifier:
			x.b.Facts.Package = x.b.Qualifier(x.t.Start(c), x.t.End(c))
		case kMarker, kAnnotation:
			x.annotation(c)
		default:
		}
	}
}

// importClause reads "import a.b.C;", which takes C from a.b, and "import a.b.*;".
func (x *extractor) importClause(n sitter.Node) {
	path, star := sitter.None, false
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kScopedIdentifier, kIdentifier:
			path = c
		case kAsterisk:
			star = true
		default:
		}
	}
	if path == sitter.None {
		return
	}
	whole := x.b.Qualifier(x.t.Start(path), x.t.End(path))
	im := graph.Import{Module: whole, Name: "*", Span: x.b.Span(n)}
	if !star {
		im.Module, im.Name = "", whole
		if i := strings.LastIndexByte(whole, '.'); i >= 0 {
			im.Module, im.Name = whole[:i], whole[i+1:]
		}
		im.Alias = im.Name
	}
	if im.Name == "" {
		return
	}
	x.b.AddImport(im)
}

// addDef appends a definition inside the one that holds it.
func (x *extractor) addDef(d graph.Def) int32 {
	d.Flags |= x.flags
	container := x.b.Enclosing()
	if x.field != graph.NoDef {
		container = x.field
	}
	d.Local = d.Name
	if container != graph.NoDef {
		d.Local = x.b.Facts.Defs[container].Local + "." + d.Name
	}
	if x.depth > 0 || x.field != graph.NoDef {
		d.Flags = d.Flags&^graph.FlagExported | graph.FlagLocal
	}
	if d.Owner == "" {
		d.Owner = x.anon
	}
	i := x.b.AddDef(d)
	x.b.Facts.Defs[i].Container = container
	return i
}

// inside reads with def as the enclosing definition.
func (x *extractor) inside(def int32, read func()) {
	if def == graph.NoDef {
		read()
		return
	}
	x.b.Enter(def)
	read()
	x.b.Leave()
}

// name returns the text of an identifier, or "" where the parser put it there.
func (x *extractor) text(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	return x.b.Text(n)
}
