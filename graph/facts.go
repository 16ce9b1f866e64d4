package graph

// Status says how much of a file its facts cover.
type Status string

// The closed set of statuses.
const (
	StatusOK      Status = "ok"      // everything the extractor knows to look for
	StatusPartial Status = "partial" // the text has syntax errors; what parses is there
	StatusCapped  Status = "capped"  // a time or node budget ended the walk: structure_capped
	StatusFailed  Status = "failed"  // no structure: the parser crashed or gave up
)

// Kind is what a definition is, in the words of its language family.
type Kind string

// The closed set of kinds.
const (
	KindModule     Kind = "module" // a file or package seen as a definition
	KindNamespace  Kind = "namespace"
	KindFunction   Kind = "function"
	KindMethod     Kind = "method"
	KindClass      Kind = "class"
	KindStruct     Kind = "struct"
	KindInterface  Kind = "interface"
	KindType       Kind = "type" // aliases and other named types
	KindEnum       Kind = "enum"
	KindEnumMember Kind = "enum_member"
	KindConstant   Kind = "constant"
	KindVariable   Kind = "variable"
	KindField      Kind = "field"
	KindProperty   Kind = "property"
	KindMacro      Kind = "macro" // a name that is expanded before the language is read: C's #define, Rust's macro_rules
	KindH1         Kind = "h1"    // Markdown sections; a section contains its subsections
	KindH2         Kind = "h2"
	KindH3         Kind = "h3"
	KindH4         Kind = "h4"
	KindH5         Kind = "h5"
	KindH6         Kind = "h6"
	KindKey        Kind = "key" // a named entry of a manifest or data file
)

// DefFlags are properties of a definition that are not its kind.
type DefFlags uint16

// The flags. Local means: nested in a function body, so not reachable by name
// from outside it.
const (
	FlagExported    DefFlags = 1 << iota // visible outside its file or package by the language's rule
	FlagTest                             // a test by marker or by the runner's naming rule
	FlagFixture                          // set-up that a runner injects (pytest fixture, TestMain, setUp)
	FlagLocal                            // defined inside a function body
	FlagConditional                      // defined under if, try or a build constraint in the file; with FlagLocal, in an inner block
	FlagAsync                            //
	FlagStatic                           // static or class method, or static field
	FlagAbstract                         // declared without a body (interface method, abstract, overload)
	FlagDefault                          // the default export of its module
	FlagGenerated                        // its file says that it is generated
	FlagOverload                         // one of several signatures of the next definition of the name
	FlagWhole                            // with FlagDefault: what its module is as a whole (module.exports =, export =)
	FlagRebound                          // of a method: the file also assigns an attribute of its name, of whatever object or class
	FlagTentative                        // a definition that gives way: a variable of C without a value, a function that has a name for itself alone
	FlagExcluded                         // under a condition that a plain build on a common machine does not meet: an option, another system
	FlagDeclaration                      // declared here, and defined in another place: a prototype, an extern variable, a method in its class
)

// NoDef is the index that stands for "none": the file itself.
const NoDef int32 = -1

// Def is one definition of one file.
type Def struct {
	Name string // the bare name as written
	// Local is the name qualified inside its file, in the language's own style:
	// "Class.method", "(*Server).Serve", "Outer.inner". What precedes it (package,
	// module) is known only with the rest of the tree: see Resolver.Qualify.
	Local     string
	Kind      Kind
	Span      Span // the whole definition, decorators and modifiers included, comments not
	NameSpan  Span
	Container int32 // index of the enclosing definition, or NoDef
	// Owner is the bare name of the type that a definition belongs to without
	// standing inside it: a Go method's receiver type, a JavaScript
	// prototype's constructor.
	Owner     string
	Signature string // one line as declared, without body; "" where the kind has none
	Doc       string // first line of the doc comment, without comment marks
	// Type is the type as written: of a variable, constant, field or property,
	// or the (first) result of a function; "" when the text does not say. Where it
	// is inferred from a constructor or call in an initialiser it ends in "()":
	// `x = Foo()` gives "Foo()".
	Type  string
	Flags DefFlags
}

// Has reports whether all flags in f are set.
func (d *Def) Has(f DefFlags) bool { return d.Flags&f == f }

// Use is what the text does with a name.
type Use uint8

// The closed set of uses.
const (
	UseRead      Use = iota // the value is read, or the name stands in an expression
	UseCall                 // called, or constructed: f(), T(), new T(), <T/>
	UseType                 // stands in a type position, or as a type argument
	UseWrite                // assigned to
	UseDecorator            // decorator or annotation
	UseFixture              // a test parameter that a runner fills by name
	UseDynamic              // reached by a computed name: getattr(x, "f"), x["f"], reflect
	UseExport               // named in an export list or __all__
	UseChoice               // one of several that a call may run: a and b in (a || b)()
	UseReplace              // assigned to, where a definition may be replaced: f in mod.f = g
)

// Calls reports whether the use runs the thing named.
func (u Use) Calls() bool {
	return u == UseCall || u == UseDecorator || u == UseFixture || u == UseChoice
}

// HintRule says how an extractor knows what a qualifier is.
type HintRule uint8

// The closed set of hint rules. Hint below says what each puts into Type.
const (
	HintNone     HintRule = iota // the qualifier is not bound in the function: a module, type or global
	HintDeclared                 // a local or parameter with a declared type; Type is that type as written
	HintAssigned                 // a local assigned from a call or construction; Type is the callee as written
	HintSelf                     // self, this, or the receiver; Type is the enclosing type's Local name
	HintClass                    // cls, or the class itself inside it; Type as for HintSelf
	HintSuper                    // super(): Type is the enclosing type's Local name
	HintLiteral                  // a literal or comprehension; Type is the built-in's name: "str", "list", "string"
	HintLocal                    // a local value of unknown type: its name must not be looked up outside
	HintElement                  // an element of a local whose container type is known; Type is the container type as written
	HintValue                    // a local assigned from an expression that does not end in a call; Type is that expression as the language's extractor spells it
	HintCallback                 // a parameter of a function passed as an argument; Type is "callee#argument#parameter", both counted from 0
	// HintBlock is of a name that inner blocks of functions define: Type lists the
	// definitions of them that are visible here, innermost first, by the offsets of
	// their names: "120,45". Those of other blocks are not meant.
	HintBlock
	HintRebound // of a name without qualifier that the file also gives another value, or deletes
	// HintGiven is of a name that an assignment gives to a member of a module, a class
	// or an object as it stands; Type is that member as written: "mod.f" in mod.f = g.
	HintGiven
	// HintFlow is of a call of a value, under the name of what it may run. Type is the
	// offset of the name of that definition in the file, or an expression of the
	// language's extractor, and with "/n" behind it one of n that the call may run. The
	// reference stands where the call does, be its name there or not.
	HintFlow
)

// Hint is what the text of one file alone says about the type of a qualifier.
type Hint struct {
	Rule HintRule
	Type string
}

// Ref is one use of a name that its own function does not bind. Uses of locals and
// parameters are not refs; uses of members of them are (x in x.f is the qualifier).
type Ref struct {
	Name string // the last identifier: f in a.b.f
	// Qualifier is the expression before the last dot as written, white space
	// removed, at most 160 bytes: "a.b", "self", "pkg", "make()". "" is none.
	Qualifier string
	Use       Use
	Span      Span  // of the name token
	Enclosing int32 // innermost definition around it, or NoDef
	// Hint is about the first identifier of Qualifier, or about the whole
	// qualifier when that is one identifier, or with HintBlock about the name of a
	// reference without qualifier.
	Hint Hint
	// Args is the number of arguments of a call, or -1.
	Args int16
}

// Outlined reports whether the outline of a file keeps the reference: what it says
// matters for other references than itself.
func (r *Ref) Outlined() bool {
	return r.Use == UseExport || r.Use == UseReplace || r.Hint.Rule == HintGiven
}

// ImportFlags are properties of an import.
type ImportFlags uint8

// The flags.
const (
	ImportReexport ImportFlags = 1 << iota // also exported from this file: export … from, or a name in __init__
	ImportType                             // only types: import type
	ImportDynamic                          // require(), import(), importlib with a literal
	ImportOptional                         // under try or if
	ImportExport                           // export { a as b } of a local name: Module is ""
	ImportSystem                           // looked for along the search path alone: #include <...>
)

// ValueCalls counts the calls in one definition whose callee is a value that the
// text does not name outside its function: a parameter, a local, an element, what a
// call returned. They are no references, for there is no name to look up, and what
// they run is known at run time alone.
type ValueCalls struct {
	Enclosing int32 // innermost definition around them, or NoDef
	Count     uint32
}

// Import is one name that a file takes from another module.
type Import struct {
	Module    string // target as written: "net/http", "./a", "..up.b"; leading dots kept
	Name      string // the name taken from it; "" the module itself, "*" all of it, "default"
	Alias     string // the name it is bound to here; "" when none is bound; "." for a Go dot import, "_" for blank
	Span      Span
	Enclosing int32 // the function that holds the import, or NoDef
	Flags     ImportFlags
}

// HeritageRel is how a type builds on another.
type HeritageRel string

// The closed set of heritage relations.
const (
	RelExtends    HeritageRel = "extends"
	RelImplements HeritageRel = "implements"
	RelEmbeds     HeritageRel = "embeds"
)

// Heritage says that Defs[Def] builds on the named base.
type Heritage struct {
	// Def is NoDef where the text that says it stands in another file than the type, as
	// an impl block of Rust may: Of is then the type as written.
	Def       int32
	Of        string
	Rel       HeritageRel
	Name      string // last identifier of the base
	Qualifier string // what stands before it: "models" in models.Model
	Span      Span
}

// MentionForm is where a mention stands.
type MentionForm string

// The closed set of mention forms.
const (
	MentionLink    MentionForm = "link"    // a Markdown link or image: Target is its destination
	MentionCode    MentionForm = "code"    // inline code in a text
	MentionComment MentionForm = "comment" // an identifier in a comment or doc string, marked up as code
)

// Mention is a name or a path that prose refers to.
type Mention struct {
	Form      MentionForm
	Target    string // link destination or path-like text as written, without fragment; ""
	Fragment  string // after '#' in a link
	Name      string // last identifier of a symbol-like text; ""
	Qualifier string // what stands before it
	Span      Span
	Enclosing int32
}

// Pair is one setting of a project manifest.
type Pair struct{ Key, Value string }

// Facts is what one file yields, made from its bytes and its path alone.
type Facts struct {
	Path      Path
	Hash      Hash   // of the bytes it was made from
	Language  string // "go", "python", "typescript", "tsx", "javascript", "markdown", "gomod", "json", …
	Extractor string // version of the rules that made it, such as "go/3"
	Status    Status
	Reason    string // why the status is not ok: "syntax_error:12:5", "node_budget"
	Role      Role
	// Package is the name that the file itself claims: Go's package clause.
	Package string
	// Constraint is the text of a Go build constraint, or the conditions on parts of a
	// Rust file in the form that extract/lang/rust describes, or "".
	Constraint string
	Lines      uint32
	// Exports is a hash over the names, kinds and signatures that other files can
	// see. Equal hashes mean that no other file's bindings can have changed.
	Exports uint64

	Defs []Def
	Refs []Ref // in source order
	// ValueCalls has one entry for each definition that makes such calls, in the order
	// of the definitions.
	ValueCalls []ValueCalls
	Imports    []Import
	Heritage   []Heritage
	Mentions   []Mention
	// Manifest holds what a project file (go.mod, package.json, tsconfig.json,
	// pyproject.toml, …) says, in file order. Keys are listed in extract.
	Manifest []Pair

	// Names speeds up NextNamed. IndexNames makes it; it is no part of what a file yields.
	Names *NameIndex
}

// DefNames calls yield with every name under which definitions of this file are
// looked up. Names may repeat. A file of C is looked up by its own name too, for it is
// included from a directory that no text names.
func (f *Facts) DefNames(yield func(string)) {
	for i := range f.Defs {
		yield(f.Defs[i].Name)
	}
	if f.Language == "c" || f.Language == "cpp" {
		yield(f.Path.Base())
	}
}

// RefNames calls yield with every name that this file refers to: a question about
// a definition reads only the files that refer to its name. Names may repeat.
// An import counts under the name it takes, under its alias, and under the last
// element of its module; a link under the base name of its target.
func (f *Facts) RefNames(yield func(string)) {
	for i := range f.Refs {
		yield(f.Refs[i].Name)
	}
	f.OtherRefNames(yield)
}

// OtherRefNames is RefNames without the names of Refs.
func (f *Facts) OtherRefNames(yield func(string)) {
	for i := range f.Imports {
		im := &f.Imports[i]
		for _, n := range [...]string{im.Name, im.Alias, LastElement(im.Module)} {
			if n != "" && n != "*" && n != "." && n != "_" {
				yield(n)
			}
		}
	}
	for i := range f.Heritage {
		yield(f.Heritage[i].Name)
	}
	for i := range f.Mentions {
		if n := f.Mentions[i].Name; n != "" {
			yield(n)
		}
		if t := Path(f.Mentions[i].Target); t != "" {
			yield(t.Base())
		}
	}
}

// LastElement returns the part of a module or path text after its last '/', or
// else after its last '.'-separated dot where no slash stands in it and the text
// is not a file name with a known suffix: "net/http" gives "http", "os.path" gives
// "path", "./a/b.js" gives "b.js".
func LastElement(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return s[i+1:]
		}
	}
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[i+1:]
		}
	}
	return s
}
