package query

import (
	"cmp"
	"context"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// A call of a member of an object runs what the object's type has, which a derived
// type may have replaced. Which types derive from one is known only with the whole
// tree, and changes with files that the call's own never heard of. So bindings only
// say through which type they found the member; whether something else may run is
// asked for the few edges that an answer is made of, when it is made.

const (
	confVirtual  = 0.9 // at most, in a target that is not the only one
	confReplaced = 0.8 // how much stays for what may run in place of the target
	mostVirtuals = 200 // pairs that are looked into where no answer comes of it
)

// mark says on an edge whether something else than its target may run.
func (r *reader) mark(e *edge) {
	if e.through.File == 0 || e.flags&siteDynamic != 0 || !r.overridden(e.dst, e.through) {
		return
	}
	e.flags |= siteDynamic
	e.prov = max(e.prov, provInferred)
	e.conf = min(e.conf, confVirtual)
}

// Overrides says of one reference after another, as the edges of answers do, whether
// something else than what it is bound to may run. It is for one goroutine that binds
// much in one generation.
type Overrides struct{ r *reader }

// Overrides looks into a view until ctx ends.
func (p *Planner) Overrides(ctx context.Context, v graph.View) *Overrides {
	return &Overrides{p.reader(ctx, v)}
}

// Judge returns how sure the i-th target of a binding is and how that is known, and
// whether the call may reach other definitions. After an error of Err it is not known.
func (o *Overrides) Judge(b *graph.Binding, i int) (conf float32, pv graph.Provenance, dynamic bool) {
	t := &b.Targets[i]
	e := edge{site: site{prov: provOf(b.Provenance), through: b.Through}, dst: t.Symbol, conf: t.Confidence}
	if b.Dynamic {
		e.flags |= siteDynamic
	}
	if e.through.File != 0 && !b.Dynamic {
		e.dst = o.r.canon(e.dst)
		o.r.mark(&e)
	}
	return e.conf, e.prov.provenance(), e.flags&siteDynamic != 0
}

// Err says why Judge stopped: the end of ctx, or damage of the store.
func (o *Overrides) Err() error { return cmp.Or(o.r.damage, o.r.end()) }

// virtual is a member as reached through an object of a type.
type virtual struct{ member, through graph.Symbol }

// overridden reports whether a type that derives from through, or is it, has another
// definition in place of member.
func (r *reader) overridden(member, through graph.Symbol) bool {
	k := virtual{member, through}
	if known, ok := r.virtuals[k]; ok {
		return known
	}
	b := r.dispatch(member)
	if r.ended {
		return false
	}
	holder, ok := r.typeOf(r.v, member)
	found := b.Dynamic && len(b.Targets) == 0 // the search was cut short
	for i := 0; i < len(b.Targets) && !found && r.alive(); i++ {
		if found = ok && holder == through; !found {
			t, is := r.typeOf(r.v, b.Targets[i].Symbol)
			found = is && r.derives(t, through)
		}
	}
	if r.virtuals == nil {
		r.virtuals = make(map[virtual]bool)
	}
	r.virtuals[k] = found
	return found
}

// derives reports whether base is t, or one of the types that t builds on.
func (r *reader) derives(t, base graph.Symbol) bool {
	if t == base {
		return true
	}
	k := cellKey{kind: cellAncestors, sym: t}
	above := remember(r, k, func(s []graph.Symbol) int { return len(s) / 4 }, func(v graph.View) ([]graph.Symbol, bool) {
		var out []graph.Symbol
		r.above(v, t, func(a via) bool {
			out = append(out, a.sym)
			return true
		})
		return out, !r.ended
	})
	return slices.Contains(above, base)
}

// above calls yield with the types that t builds on, the nearest first, each with
// how sure that is.
func (r *reader) above(v graph.View, t graph.Symbol, yield func(via) bool) {
	level := []via{{sym: t, conf: 1}}
	seen := map[graph.Symbol]bool{t: true}
	for depth := 0; depth < maxBaseDepth && len(level) > 0; depth++ {
		var next []via
		for _, at := range level {
			for _, base := range r.bases(v, at.sym) {
				if seen[base.sym] || !r.alive() {
					continue
				}
				seen[base.sym] = true
				base.conf *= at.conf
				next = append(next, base)
				if !yield(base) {
					return
				}
			}
		}
		level = next
	}
}

// reaches reports whether a call bound to a base's or an interface's method may run s
// instead, which stands in the type holder, and marks it so.
func (r *reader) reaches(e *edge, s *graph.Def, holder graph.Symbol) bool {
	if e.rel != relCalls && (e.rel != relReferences || s.Kind != graph.KindProperty) {
		return false
	}
	if e.through.File != 0 {
		// Through a type beside holder's line, holder's method is out of reach.
		if !r.derives(holder, e.through) {
			return false
		}
		e.flags |= siteDynamic
	}
	return e.flags&siteDynamic != 0
}
