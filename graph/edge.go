package graph

// Relation is what one symbol has to do with another. The set is closed; unknown
// names are refused.
type Relation string

// The relations, strongest first: where two edges are otherwise equal, the one
// that stands first here is shown first.
const (
	Defines        Relation = "defines"         // a file defines a symbol of its top level or below
	Imports        Relation = "imports"         // a file, or a function, imports a file or a symbol
	CallsSyntax    Relation = "calls_syntax"    // a definition calls, constructs, decorates with, or is handed a symbol
	Tests          Relation = "tests"           // a test definition exercises a symbol
	ReferencesText Relation = "references_text" // a definition names a symbol without calling it
	Mentions       Relation = "mentions"        // prose names a file or a symbol
	InheritsSyntax Relation = "inherits_syntax" // a type builds on a type
	Contains       Relation = "contains"        // a definition contains a definition
)

// Relations returns the closed set in order of strength.
func Relations() []Relation {
	return []Relation{Defines, Imports, CallsSyntax, Tests, ReferencesText, Mentions, InheritsSyntax, Contains}
}

// Provenance says how far an edge may be believed.
type Provenance string

// The closed set of provenances.
const (
	Extracted Provenance = "extracted" // the text alone proves it: an import or a scope binds it to one definition
	Inferred  Provenance = "inferred"  // a rule of ours chose it
	Ambiguous Provenance = "ambiguous" // several candidates; all are listed and share the confidence
)

// Symbol names a definition in one generation: Def is an index into the facts of
// File, or NoDef for the file itself.
type Symbol struct {
	File FileID
	Def  int32
}

// Candidate is one thing that a reference may denote.
type Candidate struct {
	Symbol     Symbol
	Confidence float32 // 0..1; of ambiguous candidates the sum is at most 1
}

// Binding is what a resolver makes of one reference, import, base or mention.
// No target and External false means: unresolved.
type Binding struct {
	Targets    []Candidate
	Provenance Provenance
	// Reason names the rule that decided, from the closed list in reason.go.
	Reason Reason
	// External says that the name is bound to something outside the workspace (an
	// import of a module that is not in the tree, a built-in): known, but no target.
	External bool
	// Dynamic says that the call may reach other definitions at run time:
	// interface dispatch, overridden methods, computed names.
	Dynamic bool
	// Through is the type of the object whose member was found, where a type derived
	// from it may have a definition of its own in place of the target: whether one
	// does is known only with the rest of the tree. The zero value says that what was
	// found is what is meant.
	Through Symbol
	// Lacks says that the target is the module which an import names, and that
	// nothing was found there under the name which the import takes from it.
	Lacks bool
	// Module is the file that an import names, where that only passes on what is taken
	// from it: the targets are defined elsewhere. The zero value says that it does not.
	Module Symbol
}

// Resolved reports whether the binding has a target in the workspace.
func (b *Binding) Resolved() bool { return len(b.Targets) > 0 }

// Unbound reports whether a name is left that no rule could bind.
func (b *Binding) Unbound() bool { return !b.External && (b.Lacks || len(b.Targets) == 0) }

// Reason is the rule that made a binding.
type Reason string

// The closed list of reasons, in the order in which rules are tried.
const (
	ReasonScope       Reason = "scope"       // lexical scope of the file
	ReasonImport      Reason = "import"      // an import names the definition
	ReasonModule      Reason = "module"      // a member of an imported module or package
	ReasonPackage     Reason = "package"     // another file of the same package
	ReasonReexport    Reason = "reexport"    // through a re-export or barrel
	ReasonStar        Reason = "star_import" // through a star or dot import
	ReasonSelf        Reason = "self"        // a member of the enclosing type
	ReasonDeclared    Reason = "declared_type"
	ReasonConstructed Reason = "constructed_type" // type of the call that made the receiver
	ReasonMember      Reason = "member_type"      // declared type of a field or result along the chain
	ReasonInherited   Reason = "inherited"        // found on a base or embedded type
	ReasonImplements  Reason = "implements"       // a method of a type that satisfies the interface
	ReasonOverride    Reason = "override"         // the same method on a derived type
	ReasonFixture     Reason = "fixture"          // a runner injects it by name
	ReasonPath        Reason = "path"             // a link or path names the file
	ReasonUnique      Reason = "unique_name"      // the only definition of the name in the workspace
	ReasonFlow        Reason = "value_flow"       // a value that the text hands on: assigned, passed, returned, held
	ReasonCandidates  Reason = "candidates"       // several definitions of the name
)
