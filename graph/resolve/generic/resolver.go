// Package generic binds the names of languages by what most languages share: scopes of
// the file, members of the enclosing type and its bases, imports of paths or of full
// names, packages, and where all that says nothing, the only definition of a name.
//
// A Family tells it what a language does. It does no checking of types: a receiver is
// known by the type it is declared with or made of, and no other way. Languages that are
// bound by rules of their own have a resolver of their own. graph/query calls it.
package generic

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// How far bindings are believed.
const (
	confScope     = 1    // a scope of the file
	confImport    = 1    // an import names the file or the definition
	confPackage   = 0.95 // another file of the package
	confSelf      = 0.95
	confStatic    = 0.9 // a member of a type that is named
	confDeclared  = 0.85
	confMade      = 0.8
	confInherited = 0.8
	confNear      = 0.7 // the only one of the folder
	confUnique    = 0.6 // the only one of the workspace
	confMember    = 0.4 // the only member of the name, of a receiver that is not known
	confOverride  = 0.6
	maxCandidates = 5  // more say nothing
	maxOverloads  = 32 // of one type
	maxDefiners   = 64 // files read in search of a name
	maxBases      = 32
	maxSteps      = 64 // files and types looked at for one binding
)

// Resolver binds one family. It has no state.
type Resolver struct{ family *Family }

// folderResolver is the resolver of a family whose imports take folders as a whole.
type folderResolver struct{ Resolver }

var (
	_ graph.Resolver = Resolver{}
	_ graph.Packager = folderResolver{}
)

// New returns the resolver of a family.
func New(f Family) graph.Resolver {
	if f.Addresses {
		return folderResolver{Resolver{&f}}
	}
	return Resolver{&f}
}

// Package implements graph.Packager: the files of a folder.
func (r folderResolver) Package(v graph.View, dir graph.Path) []graph.FileID {
	var out []graph.FileID
	for _, id := range v.Dir(dir) {
		if f, ok := v.File(id); ok && r.family.serves(f.Language) {
			out = append(out, id)
		}
	}
	return out
}

// Languages implements graph.Resolver.
func (r Resolver) Languages() []string { return r.family.Languages }

// sym is a definition, or with NoDef a file, with the facts that hold it.
type sym struct {
	f   *graph.Facts
	id  graph.FileID
	def int32
}

func (s sym) d() *graph.Def        { return &s.f.Defs[s.def] }
func (s sym) symbol() graph.Symbol { return graph.Symbol{File: s.id, Def: s.def} }

// binder binds what stands in one file.
type binder struct {
	*Family
	v    graph.View
	f    *graph.Facts
	id   graph.FileID
	fuel *int
	busy map[graph.Symbol]bool // types whose bases are being looked for, where the family is Typed
	use  graph.Use             // of the reference that is bound; matters where there are two name spaces
}

// admits reports whether a definition stands in the name space that the reference is of.
func (b binder) admits(d *graph.Def) bool {
	return !b.Spaces || (d.Kind == graph.KindFunction) == (b.use.Calls() || b.use == graph.UseExport)
}

func (r Resolver) binder(v graph.View, f *graph.Facts, id graph.FileID) binder {
	fuel := maxSteps
	b := binder{Family: r.family, v: v, f: f, id: id, fuel: &fuel}
	if r.family.Typed {
		fuel, b.busy = maxTypedSteps, map[graph.Symbol]bool{}
	}
	return b
}

// in returns a binder for another file that shares the steps left.
func (b binder) in(s sym) binder {
	b.f, b.id = s.f, s.id
	return b
}

func (b binder) spend() bool {
	*b.fuel--
	return *b.fuel >= 0
}

// facts returns the facts of a file of the family, or nil.
func (b binder) facts(id graph.FileID) *graph.Facts {
	if id == b.id {
		return b.f
	}
	rec, ok := b.v.File(id)
	if !ok || !b.serves(rec.Language) {
		return nil
	}
	f, err := b.v.Facts(id)
	if err != nil {
		return nil
	}
	return f
}

// result is what a name was found to be.
type result struct {
	syms     []sym
	prov     graph.Provenance
	reason   graph.Reason
	conf     float32
	external bool
	whole    bool // all of syms are meant
	through  sym  // the type of the object whose member was found
}

func (r result) found() bool { return len(r.syms) > 0 || r.external }

// binding turns a result into what the planner reads.
func (r result) binding() graph.Binding {
	if len(r.syms) == 0 {
		return graph.Binding{External: r.external, Reason: r.reason}
	}
	if len(r.syms) > maxCandidates && !r.whole && (r.through.f == nil || len(r.syms) > maxOverloads) {
		r.syms = r.syms[:maxCandidates]
	}
	out := graph.Binding{Provenance: r.prov, Reason: r.reason}
	conf := r.conf
	if len(r.syms) > 1 && !r.whole {
		out.Provenance, conf = graph.Ambiguous, 1/float32(len(r.syms))
	}
	for _, s := range r.syms {
		out.Targets = append(out.Targets, graph.Candidate{Symbol: s.symbol(), Confidence: conf})
	}
	if r.through.f != nil && len(r.syms) == 1 {
		out.Through = r.through.symbol()
	}
	return out
}

// Ref implements graph.Resolver.
func (r Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, ref := r.binder(v, f, id), &f.Refs[i]
	b.use = ref.Use
	if b.Typed {
		return b.typed(ref).binding()
	}
	if ref.Qualifier == "" {
		return b.narrowed(b.attribute(b.companion(b.name(ref.Name, ref.Enclosing))), ref).binding()
	}
	return b.narrowed(b.attribute(b.member(ref)), ref).binding()
}

// attribute drops what an attribute cannot mean; what is left of none is outside.
func (b binder) attribute(r result) result {
	if b.use != graph.UseDecorator || len(b.Attributes) == 0 {
		return r
	}
	r.syms = slices.DeleteFunc(r.syms, func(s sym) bool {
		return s.def == graph.NoDef || !slices.ContainsFunc(b.Attributes, func(mark string) bool { return strings.Contains(s.d().Signature, mark) })
	})
	r.external = r.external || len(r.syms) == 0
	return r
}

// companion chooses between a type and the object of its name, by what is done with it.
func (b binder) companion(r result) result {
	if !b.Companions || len(r.syms) != 2 || r.syms[0].def == graph.NoDef || r.syms[1].def == graph.NoDef {
		return r
	}
	object := func(s sym) bool {
		words := strings.Fields(s.d().Signature)
		i := slices.Index(words, "object")
		return i >= 0 && i+1 < len(words) && strings.HasPrefix(words[i+1], s.d().Name)
	}
	first := object(r.syms[0])
	if first == object(r.syms[1]) {
		return r
	}
	if value := b.use == graph.UseRead; first != value {
		r.syms = r.syms[1:]
	} else {
		r.syms = r.syms[:1]
	}
	return r
}

// Base implements graph.Resolver.
func (r Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	h := &f.Heritage[i]
	return r.binder(v, f, id).base(h).binding()
}

// Mention implements graph.Resolver: facts of these languages have no mentions.
func (Resolver) Mention(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Qualify implements graph.Resolver: the package, or where the file claims none the
// path, and the name inside the file.
func (r Resolver) Qualify(_ graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	prefix := f.Package
	if def == graph.NoDef {
		if prefix == "" || r.family.Imports != ImportsNames {
			return string(f.Path)
		}
		return prefix
	}
	local := f.Defs[def].Local
	if prefix == "" || f.Defs[def].Kind == graph.KindNamespace {
		return local
	}
	return prefix + r.family.separator() + local
}

// Names implements graph.Resolver: the bare name, and those that imports give it.
func (r Resolver) Names(v graph.View, s graph.Symbol) []string {
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return nil
	}
	b := r.binder(v, f, s.File)
	if s.Def == graph.NoDef {
		return b.fileNames()
	}
	name := f.Defs[s.Def].Name
	out := []string{name}
	if b.constructor(name) && f.Defs[s.Def].Container != graph.NoDef {
		out = append(out, f.Defs[f.Defs[s.Def].Container].Name)
	}
	if b.Typed {
		for _, also := range b.constructedAs(sym{f, s.File, s.Def}) {
			out = appendNew(out, also)
		}
	}
	for n, id := range graph.ByPath(v, v.Referrers(name)) {
		g := b.facts(id)
		if g == nil || n == maxDefiners {
			continue
		}
		for i := range g.Imports {
			im := &g.Imports[i]
			if im.Alias != "" && im.Alias != name && (im.Name == name || im.Name == "" && b.lastPart(im.Module) == name) {
				out = appendNew(out, im.Alias)
			}
		}
	}
	return out
}

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

// Dispatch implements graph.Resolver: the members of the same name of types that are
// built on the one that holds the definition.
func (r Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def == graph.NoDef {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	if d.Container == graph.NoDef || d.Has(graph.FlagStatic) || d.Kind != graph.KindMethod && d.Kind != graph.KindProperty {
		return graph.Binding{}
	}
	b := r.binder(v, f, s.File)
	top := sym{f, s.File, d.Container}
	out := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonOverride, Dynamic: true}
	if b.Typed && top.d().Kind == graph.KindInterface {
		out.Reason = graph.ReasonImplements
	}
	for n, id := range graph.ByPath(v, v.Definers(d.Name)) {
		g := b.facts(id)
		if g == nil || n == maxDefiners {
			continue
		}
		for i := g.NextNamed(d.Name, 0); i != graph.NoDef; i = g.NextNamed(d.Name, i+1) {
			owner := g.Defs[i].Container
			if owner == graph.NoDef || id == s.File && owner == d.Container {
				continue
			}
			*b.fuel = maxSteps
			if b.Typed && !b.standsFor(sym{g, id, i}, sym{f, s.File, s.Def}) {
				continue
			}
			if b.in(sym{g, id, owner}).derives(sym{g, id, owner}, top) {
				out.Targets = append(out.Targets, graph.Candidate{Symbol: graph.Symbol{File: id, Def: i}, Confidence: confOverride})
			}
		}
	}
	if len(out.Targets) == 0 {
		return graph.Binding{}
	}
	return out
}
