package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/graph"
)

// reader is one question's access to one view. It looks at the context on a stride
// and says to stop once that, or the store, has ended the question. It serves one
// goroutine.
type reader struct {
	ctx     context.Context
	by      time.Time // when ctx ends; zero: at no time
	p       *Planner
	v       *lookups   // gives outlines
	whole   graph.View // as the caller gave it
	ticks   uint32
	ended   bool  // stop: by ctx, or by damage
	damage  error // of the store
	visited int   // definitions looked at
	recent  map[graph.FileID]*graph.Facts
	helpers []*reader // bind beside this one
	helps   bool      // shares work now

	virtuals map[virtual]bool // see overridden
	united   *packages        // nil until a target is a package
}

// maxRecent bounds how many facts a question holds beside the view's own cache.
const maxRecent = 256

// stride is how many references may be bound between two looks at the context: at a
// few microseconds each, far less than a millisecond.
const stride = 16

func (p *Planner) reader(ctx context.Context, v graph.View) *reader {
	r := &reader{ctx: ctx, p: p, v: newLookups(graph.Outlines(v), p.nodes), whole: v, recent: make(map[graph.FileID]*graph.Facts)}
	r.v.over = func() bool { return !r.check() }
	r.by, _ = ctx.Deadline()
	r.check()
	return r
}

// ask asks a resolver for a binding. Once the question has ended there is none, and
// nothing counts as unbound.
func (r *reader) ask(binding func() graph.Binding) graph.Binding {
	r.v.hurry()
	b := binding()
	r.v.relax()
	if r.ended {
		return graph.Binding{External: true}
	}
	return b
}

// alive counts one step of work and reports whether to go on.
func (r *reader) alive() bool {
	if r.ticks++; r.ticks%stride == 0 {
		return r.check()
	}
	return !r.ended
}

// check looks at the context at once: before steps that may take long.
func (r *reader) check() bool {
	if r.ctx.Err() != nil || !r.by.IsZero() && !time.Now().Before(r.by) {
		r.ended = true
	}
	return !r.ended
}

// end returns why the question has ended, or nil. Where every core works, the timer of a
// context is some milliseconds late.
func (r *reader) end() error {
	if err := r.ctx.Err(); err != nil || !r.ended {
		return err
	}
	return context.DeadlineExceeded
}

// facts returns the facts of a live file without its references; nil where there
// are none.
func (r *reader) facts(id graph.FileID) *graph.Facts {
	if f, ok := r.recent[id]; ok {
		return f
	}
	f, err := r.v.read(id)
	if err != nil {
		r.damage, r.ended = fmt.Errorf("read facts of file %d: %w", id, err), true
		return nil
	}
	if len(r.recent) >= maxRecent {
		clear(r.recent)
	}
	r.recent[id] = f
	return f
}

// atHand is facts as long as there is time, and then those alone that were read
// lately: what only orders and adorns an answer must not keep it.
func (r *reader) atHand(id graph.FileID) *graph.Facts {
	if r.check() {
		return r.facts(id)
	}
	return r.recent[id]
}

// withRefs returns facts with the references that sel selects: f itself where there
// are none.
func (r *reader) withRefs(f *graph.Facts, id graph.FileID, sel graph.Selection) *graph.Facts {
	part, ok := r.whole.(graph.PartView)
	if !ok || f == nil {
		return f
	}
	if len(f.Refs) > 0 {
		sel = graph.Selection{} // resolvers may want the export list, too
	}
	refs, err := part.Refs(id, sel)
	if err != nil {
		r.damage, r.ended = fmt.Errorf("read references of file %d: %w", id, err), true
		return f
	}
	if len(refs) == 0 {
		return f
	}
	some := *f
	some.Refs = refs
	return &some
}

func (r *reader) resolver(f *graph.Facts) graph.Resolver {
	if f == nil {
		return nil
	}
	return r.p.byLang[f.Language]
}

// canon returns the symbol that stands for s.
func (r *reader) canon(s graph.Symbol) graph.Symbol {
	if s.Def == graph.NoDef {
		return s
	}
	f := r.facts(s.File)
	if f == nil || int(s.Def) >= len(f.Defs) || s.Def < 0 {
		return fileOf(s)
	}
	s.Def = canonical(f, s.Def)
	return s
}

// targets returns the candidates of a binding with overload signatures merged into
// their definition, and the provenance that is left.
func (r *reader) targets(b *graph.Binding) ([]graph.Candidate, prov) {
	pv := provOf(b.Provenance)
	changed := false
	for i := range b.Targets {
		if s := r.canon(b.Targets[i].Symbol); s != b.Targets[i].Symbol {
			changed = true
		}
	}
	if !changed {
		return b.Targets, pv
	}
	out := make([]graph.Candidate, 0, len(b.Targets))
	for _, c := range b.Targets {
		c.Symbol = r.canon(c.Symbol)
		i := slices.IndexFunc(out, func(o graph.Candidate) bool { return o.Symbol == c.Symbol })
		switch {
		case i < 0:
			out = append(out, c)
		case pv == provAmbiguous:
			out[i].Confidence = min(1, out[i].Confidence+c.Confidence)
		default:
			out[i].Confidence = max(out[i].Confidence, c.Confidence)
		}
	}
	if len(out) == 1 && pv == provAmbiguous {
		pv = provInferred
	}
	return out, pv
}

// names lists the names under which other files may refer to s.
func (r *reader) names(v graph.View, s graph.Symbol) []string {
	f := r.facts(s.File)
	var names []string
	if res := r.resolver(f); res != nil {
		names = res.Names(v, s)
	}
	if s.Def == graph.NoDef {
		if rec, ok := r.v.File(s.File); ok && !slices.Contains(names, rec.Path.Base()) {
			names = append(slices.Clip(names), rec.Path.Base())
		}
	} else if f != nil && int(s.Def) < len(f.Defs) && len(names) == 0 {
		names = []string{f.Defs[s.Def].Name}
	}
	return names
}

// typeOf returns the type whose member s is, or ok false.
func (r *reader) typeOf(v graph.View, s graph.Symbol) (t graph.Symbol, ok bool) {
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef {
		return t, false
	}
	d := &f.Defs[s.Def]
	if d.Container != graph.NoDef {
		return graph.Symbol{File: s.File, Def: canonical(f, d.Container)}, isType(f.Defs[d.Container].Kind)
	}
	if d.Owner == "" {
		return t, false
	}
	find := func(id graph.FileID, g *graph.Facts) bool {
		for i := g.NextNamed(d.Owner, 0); i != graph.NoDef; i = g.NextNamed(d.Owner, i+1) {
			if o := &g.Defs[i]; o.Container == graph.NoDef && isOwner(o) {
				t, ok = graph.Symbol{File: id, Def: canonical(g, i)}, true
				return false
			}
		}
		return r.alive()
	}
	if !find(s.File, f) || f.Package == "" {
		return t, ok
	}
	among := v.Definers(d.Owner)
	for _, o := range v.Dir(f.Path.Dir()) {
		if _, in := slices.BinarySearch(among, o); !in || o == s.File {
			continue
		}
		if rec, live := r.v.File(o); !live || rec.Language != f.Language {
			continue
		}
		if g := r.facts(o); g != nil && g.Package == f.Package && !find(o, g) {
			break
		}
	}
	return t, ok
}

// isOwner reports whether members may stand apart from the definition: types, and
// the functions that JavaScript uses as such.
func isOwner(d *graph.Def) bool { return isType(d.Kind) || d.Kind == graph.KindFunction }

// members calls yield with the definitions that the definition s contains.
func (r *reader) members(v graph.View, s graph.Symbol, yield func(graph.Symbol, *graph.Facts) bool) {
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef {
		return
	}
	d := &f.Defs[s.Def]
	more := true
	for i := range f.Defs {
		if m := int32(i); more && f.Defs[i].Container != graph.NoDef && canonical(f, f.Defs[i].Container) == s.Def && canonical(f, m) == m {
			more = yield(graph.Symbol{File: s.File, Def: m}, f)
		}
	}
	if !more || d.Container != graph.NoDef || !isOwner(d) {
		return
	}
	if !isType(d.Kind) || f.Package == "" {
		for _, m := range ownedIn(f, d.Name) { // what claims a package gives no members to functions
			if !yield(graph.Symbol{File: s.File, Def: m}, f) {
				return
			}
		}
		return
	}
	owned := r.owned(v, f)[d.Name]
	for _, here := range [...]bool{true, false} { // those of the type's file come first
		for _, m := range owned {
			if (m.File == s.File) != here {
				continue
			}
			if g := r.facts(m.File); g != nil && !yield(m, g) {
				return
			}
		}
	}
}

func ownedIn(f *graph.Facts, owner string) (out []int32) {
	for i := range f.Defs {
		if o := &f.Defs[i]; o.Owner == owner && o.Container == graph.NoDef {
			out = append(out, int32(i))
		}
	}
	return out
}

// owned lists what stands apart from its type in the package of a file, by the type.
func (r *reader) owned(v graph.View, f *graph.Facts) map[string][]graph.Symbol {
	derive := func() any {
		out := make(map[string][]graph.Symbol)
		for _, id := range v.Dir(f.Path.Dir()) {
			if !r.alive() {
				r.v.damaged = true // it is not all
				break
			}
			rec, ok := r.v.File(id)
			if !ok || rec.Language != f.Language {
				continue
			}
			g := r.facts(id)
			if g == nil || g.Package != f.Package {
				continue
			}
			for i := range g.Defs {
				o := &g.Defs[i]
				if o.Owner == "" || o.Container != graph.NoDef {
					continue
				}
				key := o.Owner
				if out[key] == nil {
					key = strings.Clone(key)
				}
				out[key] = append(out[key], graph.Symbol{File: id, Def: int32(i)})
			}
		}
		return out
	}
	k := graph.Derivation{Rule: "owned", In: string(f.Path.Dir()), Name: f.Language, Package: f.Package}
	if known, ok := r.v.Derived(&k); ok {
		return known.(map[string][]graph.Symbol)
	}
	return r.v.Derive(&k, derive).(map[string][]graph.Symbol)
}
