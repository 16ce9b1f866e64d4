package generic

import "strings"

// Family says how the files of one language name each other's definitions, or of
// several that share their definitions.
type Family struct {
	// Languages are values of Facts.Language. Definitions of each are seen by all.
	Languages []string
	// Separator stands between the parts of a full name; "." if empty.
	Separator string
	// Imports says what the module of an import is.
	Imports Imports
	// Suffixes are tried behind the path that an import names: ".rb", "/init.lua".
	Suffixes []string
	// Folders are tried where neither the importing file's folder nor one above it holds
	// the path: "lib", "src".
	Folders []string
	// Open says that a name without an import may be defined in any file: the language
	// has no imports, or loads what it is told by other means.
	Open bool
	// Outside says that a name which nothing defines is one of the world outside: a
	// command, an image.
	Outside bool
	// Addresses says that a qualified name is the name inside the file of a definition
	// of the same folder: var.region.
	Addresses bool
	// Schemas says that a qualified name may be a definition's name inside its file, in
	// whatever file, and that a member may be named without what holds it: app.users, id.
	Schemas bool
	// Constructors are names of members of a type that make a value of it: "new". A call
	// of a type makes one too.
	Constructors []string
	// Builtin reports whether a name is the language's own, or its library's: where
	// nothing nearer defines it, it is outside of the workspace.
	Builtin func(name string) bool
	// Scoped says that a definition is known in all files by its full name, and that a name
	// is looked up in the namespaces, modules and types around it wherever they are opened.
	Scoped bool
	// Outward says that a.b sees what a holds, of a namespace whose name has parts.
	Outward bool
	// Proper reports whether a name is one of a type, a module or a constant: where
	// nothing defines it, it is outside of the workspace.
	Proper func(name string) bool
	// Strict says that nothing is bound by its name alone: of a receiver that is not
	// known, no member is found.
	Strict bool
	// Arity says that functions of one name differ by their parameters, and Defaults that
	// a declaration elsewhere may give these a value.
	Arity, Defaults bool
	// Typed says that references carry paths, which the types of receivers and arguments
	// are worked out from, and Receivers that a function names the type that it extends
	// before its own name.
	Typed, Receivers bool
	// Declares is how the names of files end that declare what others define.
	Declares string
	// Variants says that the members of an enumeration are seen where the enumeration is.
	Variants bool
	// Keyed says that a qualified name is a key below a key of the same file.
	Keyed bool
	// DefaultMark stands before the value of a parameter that has one; an equals sign, if empty.
	DefaultMark string
	// Closed says that a module sees no function of the modules around it.
	Closed bool
	// Tables says that a variable may hold members, as a type does elsewhere.
	Tables bool
	// Companions says that a type and an object may share a name: a type, or what is
	// constructed, is the former, a value the latter.
	Companions bool
	// Attributes are what the heads of types say that may stand as attributes: where these
	// are given, no other type is meant by one.
	Attributes []string
	// Spaces says that functions and variables are two name spaces: a call never means a
	// variable, nor a use of a value a function.
	Spaces bool
	// Fold makes two spellings one where the language does; nil where case matters.
	Fold bool
}

// Imports is what the module of an import is.
type Imports uint8

// The kinds of imports.
const (
	ImportsNothing Imports = iota
	ImportsPaths           // a path, from the importing file or from a root
	ImportsDotted          // a path whose parts are separated as names are
	ImportsNames           // the full name of a definition, or of a package
)

func (f *Family) separator() string {
	if f.Separator == "" {
		return "."
	}
	return f.Separator
}

// serves reports whether definitions of a language are the family's.
func (f *Family) serves(language string) bool {
	for _, l := range f.Languages {
		if l == language {
			return true
		}
	}
	return false
}

func (f *Family) builtin(name string) bool { return f.Builtin != nil && f.Builtin(name) }

func (f *Family) proper(name string) bool { return f.Proper != nil && f.Proper(name) }

// same reports whether two spellings are one name.
func (f *Family) same(a, b string) bool { return a == b || f.Fold && strings.EqualFold(a, b) }

func (f *Family) constructor(name string) bool {
	for _, c := range f.Constructors {
		if c == name {
			return true
		}
	}
	return false
}
