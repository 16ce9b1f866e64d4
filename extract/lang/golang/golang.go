// Package golang extracts the facts of Go source files.
//
// It reads one file at a time and knows neither the other files of the package nor
// the packages imported: graph/resolve/golang binds the names. Only extract calls
// it.
//
// # Paths
//
// What a local variable holds is written as a path: an expression over names that
// mean the same outside the function, in a spelling that the resolver can read
// back. A path is a primary and suffixes:
//
//	primary  a name, or a type in parentheses: io, f, (*T), (map[string]T)
//	.name    a member of the package, type or value before
//	()       the first result of a call, or a conversion to the type before
//	#1       behind (): the second result
//	[]       an element, or an instance of the generic name before
//	[T]      an instance of the generic name before
//	[#]      what the first variable of a range clause holds
//	{a,b}    before (): paths of the arguments, for a function that may be generic;
//	         nothing for one that is of a type of the language, ? for one without a path
//
// Hints use them so: HintDeclared and HintElement carry a type, HintAssigned a path
// less its last "()" (f#1 is the second result of f), HintValue a path. Dereference,
// address-of, slicing and parentheses leave no trace in a path. Ref.Qualifier is
// such a path too, with local names kept as they are. Def.Type of a package variable
// without a declared type is a path.
package golang

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Go.
func Language() spec.Language {
	return spec.Language{
		Name: "go", Version: "go/4", Grammar: sitter.Go(),
		Vocabulary: sitter.Vocabulary{Kinds: kindNames(), Fields: fieldNames()},
		Extract:    extract,
	}
}

// extractor reads one file.
type extractor struct {
	b      *spec.Builder
	t      *sitter.Tree
	scopes spec.Scopes
	test   bool              // the file is a _test.go file
	flags  graph.DefFlags    // of every definition of the file
	pkgs   map[string]string // import paths by the names that imports are taken to bind
	plain  map[string]bool   // functions and types of the file without type parameters
	// redefined has the functions of the file that are named like those of the language.
	redefined map[string]bool
	// structs has the field lists that marks in hints stand for, by their offset.
	structs map[uint32]sitter.Node
	buf     []byte // of the path being written
	nesting int    // of calls whose arguments are being written
}

func extract(b *spec.Builder) {
	x := &extractor{b: b, t: b.Tree, pkgs: map[string]string{}, plain: map[string]bool{}, redefined: map[string]bool{}, structs: map[uint32]sitter.Node{}}
	x.test = strings.HasSuffix(b.Path.Base(), "_test.go")
	if x.t.Len() == 0 {
		return
	}
	x.header()
	x.notePlain()
	x.topLevel(sitter.Root)
}

// topLevel reads declarations, also those inside text that did not parse.
func (x *extractor) topLevel(parent sitter.Node) {
	for n := range x.t.Children(parent) {
		switch x.t.Kind(n) {
		case kComment:
			x.b.NoteComment(n)
		case kPackageClause:
			if id := x.t.First(n); id != sitter.None {
				x.b.Facts.Package = x.b.Text(id)
			}
		case kFuncDecl, kMethodDecl:
			x.function(n)
		case sitter.KindError:
			x.topLevel(n)
		default:
			if !x.declaration(n) {
				x.other(n)
			}
		}
	}
}

// other looks for imports, which stand one or two levels down, and reads anything
// else as code that lost its function.
func (x *extractor) other(n sitter.Node) {
	if x.t.Kind(n) != sitter.KindOther {
		x.visit(n)
		return
	}
	for c := n + 1; c < x.t.After(n); c++ {
		if x.t.Kind(c) == kImportSpec {
			x.importSpec(c)
		}
	}
}

func (x *extractor) importSpec(n sitter.Node) {
	path := x.t.Child(n, fPath)
	if path == sitter.None {
		return
	}
	im := graph.Import{Module: strings.Trim(x.b.Text(path), "\"`"), Span: x.b.Span(n)}
	if name := x.t.Child(n, fName); name != sitter.None {
		im.Alias = x.b.Text(name)
	}
	x.b.AddImport(im)
	switch im.Alias {
	case "":
		x.pkgs[assumedName(im.Module)] = im.Module
	case ".", "_":
	default:
		x.pkgs[im.Alias] = im.Module
	}
}

// assumedName guesses the package name of an import path: the last element, or the
// one before a major version, without "go-" and ".v2".
func assumedName(path string) string {
	last := path[strings.LastIndexByte(path, '/')+1:]
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		if head := strings.TrimSuffix(path, "/"+last); head != path {
			last = head[strings.LastIndexByte(head, '/')+1:]
		}
	}
	if i := strings.LastIndex(last, ".v"); i > 0 {
		last = last[:i]
	}
	return strings.TrimPrefix(last, "go-")
}

// header reads the comments above the package clause.
func (x *extractor) header() {
	for n := range x.t.Children(sitter.Root) {
		if x.t.Kind(n) != kComment {
			return
		}
		text := x.b.Text(n)
		switch {
		case strings.HasPrefix(text, "//go:build "):
			x.b.Facts.Constraint = strings.TrimSpace(text[len("//go:build "):])
			x.flags |= graph.FlagConditional
		case strings.HasPrefix(text, "// +build ") && x.b.Facts.Constraint == "":
			x.b.Facts.Constraint = strings.TrimSpace(text[len("//"):])
			x.flags |= graph.FlagConditional
		case strings.HasPrefix(text, "// Code generated ") && strings.HasSuffix(strings.TrimSpace(text), " DO NOT EDIT."):
			x.flags |= graph.FlagGenerated
		}
	}
}

// exported reports whether a name is visible in other packages.
func exported(name string) bool {
	if name == "" {
		return false
	}
	if c := name[0]; c < 0x80 {
		return 'A' <= c && c <= 'Z'
	}
	return strings.ToUpper(name[:runeLen(name)]) == name[:runeLen(name)] && strings.ToLower(name[:runeLen(name)]) != name[:runeLen(name)]
}

func runeLen(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// nameFlags returns the flags of a definition of the given name.
func (x *extractor) nameFlags(name string) graph.DefFlags {
	f := x.flags
	if exported(name) {
		f |= graph.FlagExported
	}
	return f
}
