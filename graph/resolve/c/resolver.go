// Package c binds the names of C and C++ facts: through includes, declarations and
// linkage, and by what the text says about the types of values.
//
// It holds no state and expands no macro: a View answers all its questions, a few at a
// time. Where a header is looked for is not in the text, so the places are inferred
// from the tree. extract/lang/c describes types and paths. graph/query calls it.
package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolver binds C and C++. The zero value is ready for use.
type Resolver struct{}

var (
	_ graph.Resolver  = Resolver{}
	_ graph.Denoter   = Resolver{}
	_ graph.Narrower  = Resolver{}
	_ graph.Overrider = Resolver{}
	_ graph.Giver     = Resolver{}
)

// Languages lists what it serves.
func (Resolver) Languages() []string { return []string{"c", "cpp"} }

// DenotesFiles says that only includes bind to files.
func (Resolver) DenotesFiles() bool { return false }

// Confidence of what the rules say.
const (
	sureConfidence     = 1    // the file itself defines it
	seenConfidence     = 0.98 // an include leads to it
	linkConfidence     = 0.97 // an include declares it, and one definition has its linkage
	nearConfidence     = 0.92 // of several definitions, the one that belongs to the declaration
	memberConfidence   = 0.9
	chainConfidence    = 0.86
	uniqueConfidence   = 0.6
	guessConfidence    = 0.5
	dispatchConfidence = 0.6
	valueConfidence    = 0.6
	misfitConfidence   = 0.5  // of a function that does not take the arguments
	asideConfidence    = 0.25 // in a copy that is no part of a program
)

// binder answers for one file.
type binder struct {
	v    graph.View
	f    *graph.Facts
	id   graph.FileID
	fuel int   // bounds the steps through declarations
	call *call // what is being bound, where it is a call
	// within is the class or namespace in which the names that are looked up stand.
	within string
}

// maxSteps bounds how many declarations one binding may go through.
const maxSteps = 40

func newBinder(v graph.View, f *graph.Facts, id graph.FileID) *binder {
	return &binder{v: v, f: f, id: id, fuel: maxSteps}
}

// at returns a binder for another file with the fuel that is left.
func (b *binder) at(s sym) *binder {
	within := placeOf(s.d())
	if s.id == b.id && within == b.within {
		return b
	}
	return &binder{v: b.v, f: s.f, id: s.id, fuel: b.fuel, within: within}
}

// placeOf is the scope in which the text of a definition stands: for a class itself.
func placeOf(d *graph.Def) string {
	if isType(d.Kind) && d.Kind != graph.KindType {
		return named(d.Local)
	}
	return scopeOf(d)
}

// stand tells a binder the definition in which its names stand.
func (b *binder) stand(def int32) {
	if def >= 0 && int(def) < len(b.f.Defs) {
		b.within = placeOf(&b.f.Defs[def])
	}
}

// facts returns those of a file of these languages, or nil.
func (b *binder) facts(id graph.FileID) *graph.Facts {
	if id == b.id {
		return b.f
	}
	f, err := b.v.Facts(id)
	if err != nil || f == nil || !serves(f.Language) {
		return nil // the store reports damage itself
	}
	return f
}

func serves(language string) bool { return language == "c" || language == "cpp" }

// sym is a definition with the facts that hold it.
type sym struct {
	f   *graph.Facts
	id  graph.FileID
	def int32
}

func (s sym) d() *graph.Def { return &s.f.Defs[s.def] }

func (s sym) symbol() graph.Symbol { return graph.Symbol{File: s.id, Def: s.def} }

// Ref binds f.Refs[i].
func (Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b := newBinder(v, f, id)
	plain, call := splitCall(&f.Refs[i])
	r := &plain
	b.call = call
	b.stand(r.Enclosing)
	out := b.ref(r)
	if r.Use == graph.UseCall {
		out = b.constructed(r, out)
		for i, t := range out.Targets {
			if holdsValue(v, t.Symbol) { // what runs is what it holds
				out.Dynamic = true
				out.Targets[i].Confidence = min(t.Confidence, valueConfidence)
			}
		}
	}
	if call.misfit {
		out = weaker(out, misfitConfidence)
	}
	if aside(f.Path) != "" {
		out = weaker(out, asideConfidence)
	}
	return out
}

// holdsValue reports whether a definition holds what is called, and is not itself that.
func holdsValue(v graph.View, s graph.Symbol) bool {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def == graph.NoDef {
		return false
	}
	k := f.Defs[s.Def].Kind
	return k == graph.KindVariable || k == graph.KindField
}

func (b *binder) ref(r *graph.Ref) graph.Binding {
	switch {
	case r.Qualifier == "":
		return b.bare(r)
	case strings.HasSuffix(r.Qualifier, "::"):
		return b.scoped(r)
	}
	return b.member(r)
}

// bind lists definitions as the targets of one binding. Several of one file are
// variants under conditions; they share the confidence.
func (b *binder) bind(syms []sym, prov graph.Provenance, reason graph.Reason, conf float32) graph.Binding {
	if len(syms) == 0 {
		return graph.Binding{}
	}
	out := graph.Binding{Provenance: prov, Reason: reason}
	if len(syms) > maxCandidates {
		syms = syms[:maxCandidates]
	}
	likely := len(syms)
	if len(syms) > 1 {
		out.Provenance = graph.Ambiguous
		conf = min(conf, 1/float32(len(syms)))
		syms, likely = plainFirst(syms)
	}
	for i, s := range syms {
		c := conf
		switch {
		case likely == len(syms):
		case i < likely:
			c = plainShare / float32(likely)
		default:
			c = (1 - plainShare) / float32(len(syms)-likely)
		}
		out.Targets = append(out.Targets, graph.Candidate{Symbol: s.symbol(), Confidence: c})
	}
	return out
}

// plainShare is how likely it is that of variants one is meant that a plain build has.
const plainShare = 0.75

// plainFirst puts the definitions that a plain build has before the others, and counts
// them; where it has none all are alike.
func plainFirst(syms []sym) (sorted []sym, plain int) {
	var rest []sym
	for _, s := range syms {
		if s.d().Has(graph.FlagExcluded) {
			rest = append(rest, s)
		} else {
			sorted = append(sorted, s)
		}
	}
	if len(sorted) == 0 {
		return rest, len(rest)
	}
	return append(sorted, rest...), len(sorted)
}

// maxCandidates bounds the targets of one binding.
const maxCandidates = 16

// Import binds f.Imports[i]: an include to the file that it names, a using declaration
// to what it takes.
func (Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, im := newBinder(v, f, id), &f.Imports[i]
	if !isInclude(im) {
		return b.using(im)
	}
	files := b.included(im)
	if len(files.ids) == 0 {
		return graph.Binding{External: im.Flags&graph.ImportSystem != 0 || standardHeader(im.Module), Reason: graph.ReasonImport}
	}
	out := graph.Binding{Provenance: graph.Extracted, Reason: graph.ReasonPath}
	conf := float32(sureConfidence)
	switch {
	case len(files.ids) > 1:
		out.Provenance, conf = graph.Ambiguous, 1/float32(len(files.ids))
	case files.guessed:
		out.Provenance, conf = graph.Inferred, memberConfidence
	}
	for _, file := range files.ids {
		out.Targets = append(out.Targets, graph.Candidate{Symbol: graph.Symbol{File: file, Def: graph.NoDef}, Confidence: conf})
	}
	return out
}

// isInclude tells an include from a using declaration.
func isInclude(im *graph.Import) bool {
	return im.Alias == graph.Path(im.Module).Base() && im.Name == "*"
}

// using binds what a using declaration takes from a namespace. A namespace itself is
// many files and no definition.
func (b *binder) using(im *graph.Import) graph.Binding {
	if im.Name == "*" {
		return graph.Binding{External: true}
	}
	return b.scoped(&graph.Ref{Name: im.Name, Qualifier: im.Module + "::", Args: -1, Use: graph.UseRead, Enclosing: im.Enclosing})
}

// Base binds f.Heritage[i].
func (Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, h := newBinder(v, f, id), &f.Heritage[i]
	r := graph.Ref{Name: h.Name, Use: graph.UseType, Enclosing: h.Def, Args: -1}
	b.stand(h.Def)
	if h.Qualifier != "" {
		r.Qualifier = h.Qualifier + "::"
	}
	out := b.ref(&r)
	for i, t := range out.Targets { // a class builds on what a typedef stands for
		f := b.facts(t.Symbol.File)
		if f == nil || t.Symbol.Def == graph.NoDef || f.Defs[t.Symbol.Def].Kind != graph.KindType {
			continue
		}
		s := sym{f, t.Symbol.File, t.Symbol.Def}
		alias := b.at(s).readType(aliased(s.d()))
		if alias.look(); alias.ptr == 0 && len(alias.class) == 1 {
			out.Targets[i].Symbol = alias.class[0].symbol()
		}
	}
	return out
}

// Mention binds nothing: C facts have no mentions.
func (Resolver) Mention(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Names lists the names under which other files refer to a symbol: a file is included
// under the last element of its path.
func (Resolver) Names(v graph.View, s graph.Symbol) []string {
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return nil
	}
	if s.Def >= 0 && int(s.Def) < len(f.Defs) {
		return []string{f.Defs[s.Def].Name}
	}
	return []string{f.Path.Base()}
}

// Qualify returns the name of a definition with its namespaces and classes, or the path
// of a file.
func (Resolver) Qualify(_ graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	if def < 0 || int(def) >= len(f.Defs) {
		return string(f.Path)
	}
	return f.Defs[def].Local
}

// Narrow keeps the files that may refer to what is bound within its file: that file and
// those that include it.
func (Resolver) Narrow(v graph.View, s graph.Symbol, files []graph.FileID) (some []graph.FileID, ok bool) {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return nil, false
	}
	d := &f.Defs[s.Def]
	if d.Has(graph.FlagExported) || d.Container != graph.NoDef || len(v.Referrers(f.Path.Base())) > 0 {
		return nil, false
	}
	for _, id := range files {
		rec, live := v.File(id)
		if live && (id == s.File || !serves(rec.Language)) {
			some = append(some, id)
		}
	}
	return some, true
}
