// Package rust extracts the facts of Rust source files.
//
// It reads one file at a time and knows neither the other modules of the crate nor
// other crates: graph/resolve/rust binds the names. Only extract calls it.
//
// # Definitions
//
// A module in the file is a namespace and holds its items; a module in a file of its
// own (mod a;) is an import of "./a", or of the file that #[path] names. An impl block
// is no definition: what it holds has the bare name of the type as Owner, stands in the
// module that holds the block, and shows the block's header in its signature:
//
//	impl<T> Iterator<Item = T> for Iter<T> { fn next(&mut self) -> Option<Self::Item> }
//
// The associated types of the block stand there as bindings of the trait.
//
// # Paths
//
// What a local variable holds is written as a path: an expression over names that mean
// the same outside the function, in a spelling that the resolver can read back. A path
// is a primary and suffixes:
//
//	primary   a path of names (a::b, Vec::<T>::new, Self::X), a value of a type (<T>), or
//	          _ for a value of which nothing is known
//	.name     a field or method; .0 of a tuple
//	::name    behind <T> and <T as Trait>: an associated item
//	()        what a call gives
//	{path}    before (): the argument, of what only wraps it: Some{x}()
//	?         what is left of a Result or Option
//	[]        an element by index
//	[*]       what iteration yields
//	@V#n;     what the variant or struct V holds at n: 0, or the name of a field
//	|n#m;     behind a callee: the m-th parameter of the closure that is its n-th argument
//
// References, dereferences, parentheses and .await leave no trace. Hints use them so:
// HintDeclared carries a type, HintAssigned a path less its last "()", HintValue a path.
// Ref.Qualifier is such a path too, with local names kept as they are. The call of a
// macro has no number of arguments.
//
// # Conditions
//
// Facts.Constraint has a line for each part of the text that is compiled under a condition:
// the offsets of its first byte and of the first one behind it, and the condition without
// white space.
//
//	120 450 all(unix,feature="std")
//
// What tests alone compile has the condition test.
package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/extract/lang/rust/byexample"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Rust.
func Language() spec.Language {
	return spec.Language{
		Name: "rust", Version: "rust/5", Grammar: sitter.Rust(),
		Vocabulary: sitter.Vocabulary{Kinds: kindNames(), Fields: fieldNames()},
		Extract:    extract,
	}
}

// extractor reads one file.
type extractor struct {
	b      *spec.Builder
	t      *sitter.Tree
	scopes spec.Scopes    // local variables; none is open outside functions
	params []string       // type parameters that are in scope
	flags  graph.DefFlags // of every definition of the file
	// types has the types that the file defines at each of its modules: what an impl
	// block there builds on.
	types map[typeKey]int32
	impl  implHeader // of the block being read
	buf   []byte     // of the path being written
	// pending are impl blocks whose type stands behind them, or in another file.
	pending []heritage
	regions []region // calls of macros that hold items
	macros  map[string]*byexample.Macro
	made    map[uint32]bool // offsets of names that calls of macros define
	budget  int             // tokens that calls of macros may still make
	text    string          // of the file, once it is asked for
	cfg     []byte          // the conditions on parts of the text
}

type typeKey struct {
	in   int32
	name string
}

// implHeader is what is known of the impl block, or trait, being read.
type implHeader struct {
	owner string // bare name of the type
	self  string // the type as written
	text  string // the header, for signatures
	trait bool   // a trait, not an impl block
}

// heritage is a base whose type is looked for when the file has been read.
type heritage struct {
	key typeKey
	h   graph.Heritage
}

func extract(b *spec.Builder) {
	x := &extractor{b: b, t: b.Tree, types: map[typeKey]int32{}}
	if x.t.Len() == 0 {
		return
	}
	if b.Generated("//") {
		x.flags |= graph.FlagGenerated
	}
	x.items(sitter.Root)
	x.expand()
	b.Facts.Constraint = string(x.cfg)
	x.settings()
	for _, p := range x.pending {
		if def, ok := x.types[p.key]; ok {
			p.h.Def, p.h.Of = def, ""
		}
		b.Facts.Heritage = append(b.Facts.Heritage, p.h)
	}
}

// items reads the items of a file, a module, or a block of foreign items, also those
// inside text that did not parse.
func (x *extractor) items(parent sitter.Node) {
	var a attributes
	for n := range x.t.Children(parent) {
		x.itemOf(n, &a)
	}
}

// itemOf reads one child of what holds items; a are the attributes before it.
func (x *extractor) itemOf(n sitter.Node, a *attributes) {
	switch x.t.Kind(n) {
	case kLineComment, kBlockComment:
		x.comment(n)
	case kAttributeItem:
		x.attribute(n, a)
	case kInnerAttribute:
		x.innerAttribute(n)
	case sitter.KindError:
		x.items(n)
	default:
		if !x.item(n, a) {
			x.visit(n)
		}
		x.conditions(n, a)
		*a = attributes{}
	}
}

// comment notes a comment, unless it speaks of the module around it.
func (x *extractor) comment(n sitter.Node) {
	if text := x.b.Text(n); !strings.HasPrefix(text, "//!") && !strings.HasPrefix(text, "/*!") {
		x.b.NoteComment(n)
	}
}

// item reads an item and reports whether n is one.
func (x *extractor) item(n sitter.Node, a *attributes) bool {
	switch x.t.Kind(n) {
	case kMod:
		x.module(n, a)
	case kForeignMod:
		if body := x.t.Child(n, fBody); body != sitter.None {
			x.items(body)
		}
	case kFunction, kFunctionSig:
		x.function(n, a)
	case kStruct, kUnion:
		x.structure(n, a)
	case kEnum:
		x.enum(n, a)
	case kTrait:
		x.trait(n, a)
	case kImpl:
		x.implBlock(n, a)
	case kTypeItem, kAssocType:
		x.typeAlias(n, a)
	case kConst, kStatic:
		x.constant(n, a)
	case kUse:
		x.use(n, a)
	case kExternCrate:
		x.externCrate(n)
	case kMacroDef:
		x.macroDef(n, a)
	default:
		return false
	}
	return true
}

// newDef returns a definition of the item n, named by id, with what all items share.
func (x *extractor) newDef(n, id sitter.Node, kind graph.Kind, a *attributes) graph.Def {
	start := x.t.Start(n)
	if a.set && a.start < start {
		start = a.start
	}
	d := graph.Def{
		Name: x.b.Text(id), Kind: kind, Span: x.b.SpanBetween(start, x.t.End(n)), NameSpan: x.b.Span(id),
		Doc: x.b.DocAbove(start), Flags: x.flags | a.flags,
	}
	if x.t.ChildOfKind(n, kVisibility) != sitter.None {
		d.Flags |= graph.FlagExported
	}
	d.Local = d.Name
	if e := x.b.EnclosingDef(); e != nil {
		d.Local = e.Local + "::" + d.Name
		if x.scopes.Depth() > 0 {
			d.Flags = d.Flags&^graph.FlagExported | graph.FlagLocal
		}
	}
	return d
}

// named returns the name of an item, or None where the parser made it up.
func (x *extractor) named(n sitter.Node) sitter.Node {
	id := x.t.Child(n, fName)
	if id == sitter.None || x.t.Start(id) == x.t.End(id) || x.t.Kind(id) == kMetavariable {
		return sitter.None
	}
	return id
}

// inside reads with def as the enclosing definition.
func (x *extractor) inside(def int32, read func()) {
	x.b.Enter(def)
	read()
	x.b.Leave()
}

// apart reads an item that stands in a function: neither its locals nor its type
// parameters are visible there.
func (x *extractor) apart(read func()) {
	if x.scopes.Depth() == 0 && len(x.params) == 0 {
		read()
		return
	}
	scopes, params, impl := x.scopes, x.params, x.impl
	x.scopes, x.params = spec.Scopes{}, nil
	read()
	x.scopes, x.params, x.impl = scopes, params, impl
}
