// Package rust binds the names of Rust facts: through modules, use trees, re-exports
// and crates, impl blocks and traits, and what the text says about the types of
// receivers.
//
// It holds no state and does no type checking: a View answers all its questions, a few
// at a time, and where the text of a declaration does not say what a value is, it says
// so. A call of a trait's method is bound to what the impl block of the receiver's type
// has, or where that is not known, or has nothing of the name, to the trait's declaration;
// Dispatch lists what the impl blocks have in its place. extract/lang/rust describes the paths that
// hints carry. graph/query calls it.
package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolver binds Rust. The zero value is ready for use.
type Resolver struct{}

var (
	_ graph.Resolver  = Resolver{}
	_ graph.Denoter   = Resolver{}
	_ graph.Inheritor = Resolver{}
	_ graph.Excluder  = Resolver{}
)

// Languages lists what it serves.
func (Resolver) Languages() []string { return []string{"rust"} }

// DenotesFiles says that a name in an expression may be a module that is a file.
func (Resolver) DenotesFiles() bool { return true }

// Confidence of what the rules say. Those of extracted bindings are near 1: the
// language itself binds the name so, and only conditional compilation or a macro could
// make it another.
const (
	sureConfidence     = 0.99
	importConfidence   = 0.98
	globConfidence     = 0.96
	typeConfidence     = 0.97
	selfConfidence     = 0.96
	declaredConfidence = 0.94
	madeConfidence     = 0.9
	chainConfidence    = 0.86
	traitConfidence    = 0.84
	looseConfidence    = 0.8
	uniqueConfidence   = 0.8
	implConfidence     = 0.6
	derefDiscount      = 0.02
)

// binder answers for one file.
type binder struct {
	v  graph.View
	f  *graph.Facts
	id graph.FileID
	*work
}

// work is what binders of several files share while one reference is bound.
type work struct {
	fuel int // bounds the steps through declarations
	busy map[busyKey]bool
	cut  bool // a cycle cut something short
	seen map[graph.FileID]*graph.Facts
}

type busyKey struct {
	at   place
	name string
	ns   namespace
}

// maxSteps bounds how many declarations one binding may go through; chains in real
// code need fewer than a hundred.
const maxSteps = 600

func newBinder(v graph.View, f *graph.Facts, id graph.FileID) *binder {
	w := &work{fuel: maxSteps, busy: map[busyKey]bool{}, seen: map[graph.FileID]*graph.Facts{id: f}}
	return &binder{v: v, f: f, id: id, work: w}
}

// on returns a binder for another file that shares the work.
func (b *binder) on(id graph.FileID, f *graph.Facts) *binder {
	if id == b.id {
		return b
	}
	return &binder{v: b.v, f: f, id: id, work: b.work}
}

// facts returns the facts of a file, or nil.
func (b *binder) facts(id graph.FileID) *graph.Facts {
	if f, ok := b.seen[id]; ok {
		return f
	}
	f, err := b.v.Facts(id)
	if err != nil {
		f = nil
	}
	b.seen[id] = f
	return f
}

// spend takes a step and reports whether none are left.
func (b *binder) spend() bool {
	b.fuel--
	return b.fuel < 0
}

func (b *binder) def(s place) *graph.Def {
	if f := b.facts(s.id); f != nil && s.def >= 0 && int(s.def) < len(f.Defs) {
		return &f.Defs[s.def]
	}
	return nil
}

// Ref binds f.Refs[i].
func (Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, r := newBinder(v, f, id), &f.Refs[i]
	switch {
	case r.Use == graph.UseCall && r.Args < 0:
		return b.macro(r)
	case r.Use == graph.UseDecorator:
		return b.attribute(r)
	case r.Qualifier == "":
		return b.bare(r)
	case r.Hint.Rule == graph.HintNone || r.Hint.Rule == graph.HintClass:
		if isPath(r.Qualifier) {
			return b.pathRef(r)
		}
	}
	return b.memberRef(r)
}

// isPath reports whether a qualifier is a path of names, and not a value.
func isPath(q string) bool {
	if strings.HasPrefix(q, "<") {
		end := closing(q, 0)
		return end == len(q)-1 || end > 0 && strings.HasPrefix(q[end+1:], "::") && pathEnd(q, end+1) == len(q)
	}
	return pathEnd(q, 0) == len(q)
}

// bare binds a name without a qualifier.
func (b *binder) bare(r *graph.Ref) graph.Binding {
	ns := nsType | nsValue
	if r.Use == graph.UseType {
		ns = nsType
	}
	if r.Name == "Self" {
		v := b.selfValue(r.Enclosing, nil).head()
		if v.kind == isNamed {
			return b.bind([]place{v.sym}, graph.Extracted, graph.ReasonSelf, selfConfidence)
		}
		return graph.Binding{External: true}
	}
	es := b.first(r.Name, r.Enclosing, ns, false)
	if r.Use == graph.UseCall {
		es = callable(b, es)
	}
	if len(es) > 0 {
		return b.entities(es, viaReason)
	}
	if r.Use == graph.UseCall {
		return graph.Binding{External: preludeValue(r.Name)}
	}
	return graph.Binding{External: preludeValue(r.Name) || isPrimitive(r.Name)}
}

// callable leaves out modules, and what cannot be called where something else can.
func callable(b *binder, es []entity) []entity {
	out, others := es[:0:0], es[:0:0]
	for _, e := range es {
		if e.kind != isModule {
			others = append(others, e)
		}
		if d := b.def(e.place); e.kind == isItem && d != nil && (d.Kind == graph.KindFunction || d.Kind == graph.KindStruct || d.Kind == graph.KindEnumMember || d.Kind == graph.KindType) {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return others
	}
	return out
}

// viaReason says which rule found an entity.
func viaReason(b *binder, e entity) (graph.Reason, float32) {
	switch e.via {
	case viaImport:
		return graph.ReasonImport, importConfidence
	case viaGlob:
		return graph.ReasonStar, globConfidence
	default:
	}
	return graph.ReasonScope, sureConfidence
}

// pathReason says the same of what stands behind a path.
func pathReason(*binder, entity) (graph.Reason, float32) { return graph.ReasonModule, importConfidence }

// entities binds to what a path denotes.
func (b *binder) entities(es []entity, rule func(*binder, entity) (graph.Reason, float32)) graph.Binding {
	var items []place
	for _, e := range es {
		switch e.kind {
		case isItem, isModule:
			items = append(items, e.place)
		default:
		}
	}
	if len(items) == 0 {
		return graph.Binding{External: len(es) > 0}
	}
	reason, conf := rule(b, es[0])
	return b.bind(b.plain(items), graph.Extracted, reason, conf)
}

// plain prefers, of several definitions, those that are not bound to a condition.
func (b *binder) plain(items []place) []place {
	if len(items) < 2 {
		return items
	}
	var out []place
	for _, s := range items {
		if d := b.def(s); d != nil && !d.Has(graph.FlagConditional) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return items
	}
	return out
}

// bind lists definitions as the targets of one binding. Several are variants under
// conditions, or a guess: they share the confidence.
func (b *binder) bind(items []place, prov graph.Provenance, reason graph.Reason, conf float32) graph.Binding {
	if len(items) == 0 {
		return graph.Binding{}
	}
	out := graph.Binding{Provenance: prov, Reason: reason}
	if len(items) > 1 {
		out.Provenance = graph.Ambiguous
		conf /= float32(len(items))
	}
	for _, s := range items {
		out.Targets = append(out.Targets, graph.Candidate{Symbol: graph.Symbol{File: s.id, Def: s.def}, Confidence: conf})
	}
	return out
}

// Import binds f.Imports[i].
func (Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, im := newBinder(v, f, id), &f.Imports[i]
	if strings.HasPrefix(im.Module, "./") {
		if file := b.moduleFile(f, id, i); file != 0 {
			return b.bind([]place{{file, graph.NoDef}}, graph.Extracted, graph.ReasonPath, sureConfidence)
		}
		return graph.Binding{}
	}
	if im.Name == "*" {
		return b.importBinding(b.path(splitPath(im.Module), im.Enclosing, nsType, true), im)
	}
	es := b.imported(i, nsType|nsValue|nsMacro)
	if len(es) == 0 && im.Name != "" {
		if m := b.macroNamed(im.Name, false); len(m) > 0 {
			return b.bind(m[:1], graph.Extracted, graph.ReasonImport, importConfidence)
		}
		module := b.path(splitPath(im.Module), im.Enclosing, nsType, true)
		if out := b.importBinding(module, im); len(out.Targets) > 0 {
			out.Lacks = true
			return out
		}
	}
	return b.importBinding(es, im)
}

func (b *binder) importBinding(es []entity, im *graph.Import) graph.Binding {
	if len(es) == 0 {
		head, _, _ := strings.Cut(strings.TrimPrefix(im.Module, "::"), "::")
		local := head == "crate" || head == "self" || head == "super"
		return graph.Binding{External: !local && len(b.first(head, im.Enclosing, nsType, true)) == 0, Reason: graph.ReasonImport}
	}
	out := b.entities(es, func(*binder, entity) (graph.Reason, float32) { return graph.ReasonImport, importConfidence })
	if out.External {
		out.Reason = graph.ReasonImport
	}
	return out
}

// Base binds f.Heritage[i].
func (Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, h := newBinder(v, f, id), &f.Heritage[i]
	near := b.around(h.Span.Start)
	es := b.path(splitPath(joinPath(h.Qualifier, h.Name)), near, nsType, false)
	if len(es) == 0 {
		return graph.Binding{External: true}
	}
	out := b.entities(es, viaReason)
	if es[0].kind == isItem {
		if d := b.def(es[0].place); d != nil && d.Kind != graph.KindInterface && d.Kind != graph.KindType {
			return graph.Binding{External: true} // the macro of a derive, or a type of the name of one
		}
	}
	return out
}

// Heir implements graph.Inheritor.
func (Resolver) Heir(v graph.View, f *graph.Facts, id graph.FileID, i int) (graph.Symbol, bool) {
	of := f.Heritage[i].Of
	if s, ok := newBinder(v, f, id).heir(i); ok && !strings.HasPrefix(of, "&") && !strings.HasPrefix(of, "*") {
		return graph.Symbol{File: s.id, Def: s.def}, true
	}
	return graph.Symbol{File: id, Def: graph.NoDef}, isBlanket(of)
}

// Mention binds nothing: Rust facts have no mentions.
func (Resolver) Mention(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}
