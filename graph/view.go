package graph

import (
	"slices"
	"strings"
)

// Signature is what stat says of a file. Equal signatures mean equal bytes, unless
// the file was written within the clock's grain of being read (see freshness).
type Signature struct {
	Size    int64
	MtimeNS int64
	CtimeNS int64
	Inode   uint64
	Mode    uint32 // type and permission bits as the system has them
}

// Content says what kind of bytes a file holds.
type Content string

// The closed set of content kinds. Only text is searched and extracted.
const (
	ContentText       Content = "text"       // no NUL byte; may hold invalid UTF-8: ReasonInvalidUTF8
	ContentBinary     Content = "binary"     // holds a NUL byte
	ContentUTF16      Content = "utf16"      // starts with a UTF-16 byte order mark
	ContentUnreadable Content = "unreadable" // permission or I/O error: Reason says which
	ContentSpecial    Content = "special"    // FIFO, socket, device, dangling or looping link
)

// ReasonInvalidUTF8 is in the Reason of a text that is not UTF-8, after a comma where
// its Status has a reason too.
const ReasonInvalidUTF8 = "invalid_utf8"

// File is the record of one indexed file version. Every file that the ignore rules
// let through has one, whatever it holds.
type File struct {
	ID       FileID
	Path     Path
	Hash     Hash // zero where the bytes were not read
	Sig      Signature
	Content  Content
	Language string // "" where nothing is extracted
	Status   Status // of its facts; "" where nothing is extracted
	Reason   string // why Status is not ok, Content not text, or a text no UTF-8
	Role     Role
	Lines    uint32
	Defs     uint32 // number of definitions
	Racy     bool   // read within the clock's grain of its last change: hash again before believing Sig
}

// View is one generation of an index as resolvers and the planner read it. A View
// is safe for concurrent use; what it returns is shared and must not be changed.
type View interface {
	Generation() Generation
	// Lookup finds the current version of a path.
	Lookup(Path) (FileID, bool)
	// Dir lists the files that stand directly in a directory, sorted by path.
	Dir(Path) []FileID
	// File returns the record of a live file.
	File(FileID) (File, bool)
	// Facts returns the facts of a live file; nil without an error for a file that
	// has none (plain text). An error means that the store is damaged.
	Facts(FileID) (*Facts, error)
	// Definers lists live files that define the name, in ascending order of id. It
	// may list a few that do not: callers check the facts.
	Definers(name string) []FileID
	// Referrers is the same for files whose RefNames include the name.
	Referrers(name string) []FileID
}

// Selection says which references of a file are wanted. The zero value is all.
type Selection struct {
	// Like is asked once for each distinct reference, without Span and Enclosing.
	Like func(*Ref) bool
	// In is asked for the definitions that enclose references, and for NoDef.
	In func(def int32) bool
}

// PartView is what a View offers when it can give a part of a file's facts for less
// than the whole. References are most of them, and few are of interest at a time.
type PartView interface {
	// Outline is Facts without the references, but for those that are Outlined.
	Outline(FileID) (*Facts, error)
	// Refs returns the selected references in source order.
	Refs(FileID, Selection) ([]Ref, error)
}

// Outlines returns a view that gives outlines where it is asked for facts: for
// resolvers, which look at no references but the one that they are to bind, and at
// export lists. A view that is no PartView is returned as it is.
func Outlines(v View) View {
	if p, ok := v.(PartView); ok {
		return outlines{v, p}
	}
	return v
}

type outlines struct {
	View
	part PartView
}

func (o outlines) Facts(id FileID) (*Facts, error) { return o.part.Outline(id) }

// Holds implements TreeView. Where it is not known, something may stand there.
func (o outlines) Holds(dir Path) bool {
	t, ok := o.View.(TreeView)
	return !ok || t.Holds(dir)
}

// Since implements ChangeView.
func (o outlines) Since(old Generation) Changes {
	if c, ok := o.View.(ChangeView); ok {
		return c.Since(old)
	}
	return nil
}

// Derivation names something that a resolver derives from a view. Rule tells apart
// what is derived, and is unique among all resolvers; what the other fields mean is
// the rule's business.
type Derivation struct {
	Rule                     string
	In, Name, Owner, Package string
	File                     FileID
	Flag                     bool
}

// Deriver is what a View offers when it keeps what a resolver derives from its
// answers, so that the same is not derived again for as long as it holds.
type Deriver interface {
	// Derived returns what is kept under the key.
	Derived(key *Derivation) (any, bool)
	// Derive keeps what derive returns under the key, and returns it. The value must
	// follow from the key and the view alone, must not be changed, and must not hold on
	// to facts.
	Derive(key *Derivation, derive func() any) any
}

// Derived returns what the view keeps under the key, or else what derive returns, which it
// keeps where it can.
func Derived[T any](v View, key Derivation, derive func() T) T {
	d, ok := v.(Deriver)
	if !ok {
		return derive()
	}
	if kept, ok := d.Derived(&key); ok {
		return kept.(T)
	}
	return d.Derive(&key, func() any { return derive() }).(T)
}

// TreeView is what a View offers when it can tell whether anything stands in a
// directory or below it.
type TreeView interface {
	Holds(dir Path) bool
}

// ChangeView is what a View offers when it can tell what came after an older generation.
type ChangeView interface {
	// Since returns what changed after that generation; nil where that is not known.
	Since(Generation) Changes
}

// Changes says which look-ups may have another answer than they had. It may name some
// that do not.
type Changes interface {
	Name(string) bool // Definers and Referrers
	Path(Path) bool   // Lookup
	Dir(Path) bool    // Dir
	Tree(Path) bool   // Holds
}

// Denoter is what a Resolver offers that knows whether its Ref and Base may bind to a
// file, and not only Import and Mention. One that does not offer it may.
type Denoter interface {
	DenotesFiles() bool
}

// Packager is what a Resolver offers in whose language the files of a directory make one
// package, which an import takes as a whole.
type Packager interface {
	// Package lists the files of the package that a directory is, by path: those to which
	// an import of it leads.
	Package(v View, dir Path) []FileID
}

// Overrider is what a Resolver offers in whose language a type may have several methods
// of one name.
type Overrider interface {
	// Overrides reports whether the method s may stand in for base, which has its name
	// and stands in a type that the type of s builds on.
	Overrides(v View, s, base Symbol) bool
}

// Giver is what a Resolver offers in whose language a function may be the value of a field,
// as one of a table of functions.
type Giver interface {
	// Given lists the fields that a function is given to: a call of one of them may run it.
	// Dispatch says the same of the fields.
	Given(v View, s Symbol) Binding
}

// Inheritor is what a Resolver offers in whose language a type may be said to build on
// another in a file that does not define it.
type Inheritor interface {
	// Heir returns the type that f.Heritage[i], whose Def is NoDef, is about: one without
	// a Def stands for every type. ok is false for a type that the tree does not define.
	Heir(v View, f *Facts, id FileID, i int) (s Symbol, ok bool)
}

// Excluder is what a Resolver offers that can tell what a plain build leaves out: one of
// the program alone, on a common machine, with no options chosen. FlagExcluded says the
// same where the text of a definition's own file decides it.
type Excluder interface {
	// Excluded reports whether a plain build leaves out what stands at a byte offset of f.
	Excluded(v View, f *Facts, id FileID, at uint32) bool
}

// Narrower is what a Resolver offers that can tell, without reading them, which files
// of its language may refer to a definition.
type Narrower interface {
	// Narrow returns those of the files, which are sorted, that may refer to the symbol,
	// and all that are of other languages. ok is false where it cannot tell.
	Narrow(v View, s Symbol, files []FileID) (some []FileID, ok bool)
}

// Resolver holds one language family's binding rules. It is stateless: what it
// learns comes from the View. All methods return quickly (no loop over all files);
// the planner checks deadlines between calls.
type Resolver interface {
	// Languages lists the Facts.Language values it serves.
	Languages() []string
	// Qualify returns the full name of a definition in the language's own style
	// ("pkg.mod.Class.method", "net/http.(*Server).Serve"), or of the file's module
	// when def is NoDef ("pkg.mod", "net/http", "src/a").
	Qualify(v View, f *Facts, id FileID, def int32) string
	// Ref binds f.Refs[i]. f may hold a part of the file's references.
	Ref(v View, f *Facts, id FileID, i int) Binding
	// Import binds f.Imports[i]: to a symbol, or to a file (or all files of a
	// package) when the module itself is taken.
	Import(v View, f *Facts, id FileID, i int) Binding
	// Base binds f.Heritage[i].
	Base(v View, f *Facts, id FileID, i int) Binding
	// Mention binds f.Mentions[i].
	Mention(v View, f *Facts, id FileID, i int) Binding
	// Names lists the names under which other files may refer to the symbol, the
	// bare name first: a default export adds "default", a constructor its class, an
	// aliased re-export the alias, a module its last element.
	Names(v View, s Symbol) []string
	// Dispatch lists definitions that a call of the symbol may reach at run time:
	// implementations of an interface method, overrides. The Reason says which.
	Dispatch(v View, s Symbol) Binding
}

// ByPath returns files in the order of their paths. Which of them has the lower id depends
// on the order in which they were indexed, so who takes the first of several, or not all,
// must go by this one, to answer alike from any two indexes of the same tree.
func ByPath(v View, ids []FileID) []FileID {
	if len(ids) < 2 {
		return ids
	}
	type at struct {
		path Path
		id   FileID
	}
	list := make([]at, 0, len(ids))
	for _, id := range ids {
		if f, ok := v.File(id); ok {
			list = append(list, at{f.Path, id})
		}
	}
	slices.SortFunc(list, func(a, b at) int { return strings.Compare(string(a.path), string(b.path)) })
	out := make([]FileID, len(list))
	for i := range list {
		out[i] = list[i].id
	}
	return out
}
