package query

import "github.com/ralph-index/ralph-index/graph"

// rel is the place of a relation in graph.Relations: the smaller, the stronger.
type rel uint8

const (
	relDefines rel = iota
	relImports
	relCalls
	relTests
	relReferences
	relMentions
	relInherits
	relContains
	relCount
)

func (r rel) relation() graph.Relation { return graph.Relations()[r] }

// mere reports whether a relation is that of a text to what it only names.
func mere(r rel) bool { return r == relReferences || r == relMentions }

// relSet is a set of relations.
type relSet uint16

const allRels relSet = 1<<relCount - 1

func (s relSet) has(r rel) bool { return s&(1<<r) != 0 }

func setOf(rels ...rel) (s relSet) {
	for _, r := range rels {
		s |= 1 << r
	}
	return s
}

// parseRels turns names into a set; no name, or an empty list, is everything.
func parseRels(names []graph.Relation) relSet {
	var s relSet
	for i, r := range graph.Relations() {
		for _, n := range names {
			if n == r {
				s |= 1 << i
			}
		}
	}
	if len(names) == 0 {
		return allRels
	}
	return s
}

// prov is a provenance by rank: the larger, the weaker.
type prov uint8

const (
	provExtracted prov = iota
	provInferred
	provAmbiguous
)

func provOf(p graph.Provenance) prov {
	switch p {
	case graph.Extracted:
		return provExtracted
	case graph.Ambiguous:
		return provAmbiguous
	}
	return provInferred
}

func (p prov) provenance() graph.Provenance {
	switch p {
	case provExtracted:
		return graph.Extracted
	case provAmbiguous:
		return graph.Ambiguous
	}
	return graph.Inferred
}

// reason is the place of a graph.Reason in reasons: sites are kept by the hundred
// thousand.
type reason uint8

// reasons is the closed list of graph, in its order, behind what is not in it.
var reasons = [...]graph.Reason{ //nolint:gochecknoglobals // immutable, looked into for every site
	"", graph.ReasonScope, graph.ReasonImport, graph.ReasonModule, graph.ReasonPackage, graph.ReasonReexport, graph.ReasonStar,
	graph.ReasonSelf, graph.ReasonDeclared, graph.ReasonConstructed, graph.ReasonMember, graph.ReasonInherited,
	graph.ReasonImplements, graph.ReasonOverride, graph.ReasonFixture, graph.ReasonPath, graph.ReasonUnique, graph.ReasonFlow, graph.ReasonCandidates,
}

func reasonOf(r graph.Reason) reason {
	for i, o := range reasons {
		if o == r {
			return reason(i)
		}
	}
	return 0
}

type siteFlags uint8

const (
	siteDynamic   siteFlags = 1 << iota // the call may reach other definitions
	siteConstruct                       // a call: of a class, it runs the constructor
	siteFixture                         // a runner fills the parameter
	siteFromTest                        // the source is a test definition
	siteComputed                        // the name is computed at run time
	siteLacks                           // an import of a name that its module has not
	siteGenerated                       // the source is in generated or vendored code
	siteBroken                          // the text does not parse there
)

// site is one place in a text that relates its source to something.
type site struct {
	src                graph.Symbol
	line, endLine, col uint32
	rel                rel
	prov               prov
	flags              siteFlags
	reason             reason
	through            graph.Symbol // as of a graph.Binding
}

// edge is a site with one of its targets. at is the file whose text shows it. via, where
// it is set, is what the site is bound to: at run time it may reach dst in its place.
type edge struct {
	site
	dst  graph.Symbol
	via  graph.Symbol
	at   graph.FileID
	conf float32
}

// possible reports whether the edge is no more than that: its text is bound to another
// definition, which dst overrides or implements.
func (e *edge) possible() bool { return e.via.File != 0 }

// confGuess is what a binding by the name alone must reach to count as one.
const confGuess = 0.6

// guessed reports whether the edge says no more than that something has the name which
// stands there.
func (e *edge) guessed() bool {
	if e.conf >= confGuess || e.rel == relMentions || e.rel == relImports {
		return false
	}
	r := reasons[e.reason]
	return r == graph.ReasonCandidates || r == graph.ReasonUnique
}

func place(s graph.Span) (line, endLine, col uint32) {
	return s.From.Line, max(s.From.Line, s.To.Line), s.From.Col
}

// fileOf is the symbol of the file that holds s.
func fileOf(s graph.Symbol) graph.Symbol { return graph.Symbol{File: s.File, Def: graph.NoDef} }

// ownerOf returns the definition from which an edge starts when its text stands in
// definition def: the innermost one that is a function, or that has a name outside the
// function it stands in. What a closure without a name does is done by the function
// that holds it. Tests and fixtures keep their edges wherever they are written.
func ownerOf(f *graph.Facts, def int32) int32 {
	for n := 0; def != graph.NoDef && int(def) < len(f.Defs) && n <= len(f.Defs); n++ {
		d := &f.Defs[def]
		named := d.Flags&graph.FlagLocal == 0 || d.Flags&(graph.FlagTest|graph.FlagFixture) != 0 || d.Kind == graph.KindFunction || d.Kind == graph.KindMethod
		if named || d.Container == graph.NoDef { // the latter: a local whose function has no name
			return canonical(f, def)
		}
		def = d.Container
	}
	return graph.NoDef
}

// canonical returns the definition that stands for def: of overload signatures the
// definition that they describe.
func canonical(f *graph.Facts, def int32) int32 {
	if def == graph.NoDef || int(def) >= len(f.Defs) || !f.Defs[def].Has(graph.FlagOverload) {
		return def
	}
	d := &f.Defs[def]
	for i := int(def) + 1; i < len(f.Defs); i++ {
		o := &f.Defs[i]
		if o.Container == d.Container && o.Local == d.Local && !o.Has(graph.FlagOverload) {
			return int32(i)
		}
	}
	return def
}

func isType(k graph.Kind) bool {
	switch k {
	case graph.KindClass, graph.KindStruct, graph.KindInterface, graph.KindType, graph.KindEnum:
		return true
	}
	return false
}

// Constructor returns the definition in f that runs when the type def is called or
// made, where it stands in the type itself, or graph.NoDef.
func Constructor(f *graph.Facts, def int32) int32 { return constructorOf(f, def) }

// constructorOf returns the constructor that stands in the type def, or NoDef.
func constructorOf(f *graph.Facts, def int32) int32 {
	if def == graph.NoDef || !isType(f.Defs[def].Kind) {
		return graph.NoDef
	}
	for i := range f.Defs {
		if f.Defs[i].Container == def && isConstructor(f, int32(i)) {
			return canonical(f, int32(i))
		}
	}
	return graph.NoDef
}

// isConstructor reports whether def is what a call of its type runs.
func isConstructor(f *graph.Facts, def int32) bool {
	d := &f.Defs[def]
	if d.Container == graph.NoDef || d.Kind != graph.KindMethod && d.Kind != graph.KindFunction {
		return false
	}
	return d.Name == "__init__" || d.Name == "constructor" || d.Name == f.Defs[d.Container].Name
}

// isTest reports whether the symbol is a test or stands in a file of tests: not
// what a test is about.
func isTest(f *graph.Facts, def int32) bool {
	if f.Role == graph.RoleTest {
		return true
	}
	return def != graph.NoDef && f.Defs[def].Flags&(graph.FlagTest|graph.FlagFixture) != 0
}

func isTestDef(f *graph.Facts, def int32) bool {
	return def != graph.NoDef && f.Defs[def].Has(graph.FlagTest)
}
