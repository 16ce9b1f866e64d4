package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// maxBases bounds the ancestors that are looked at.
const maxBases = 64

// base finds the class that a heritage entry names.
func (r *run) base(f *graph.Facts, id graph.FileID, h *graph.Heritage) []found {
	e := env{f: f, id: id, at: f.Defs[h.Def].Container, pos: f.Defs[h.Def].NameSpan.Start - 1}
	var all []found
	for _, v := range r.member(e, h.Qualifier, h.Name) {
		if h.Rel == graph.RelEmbeds && !v.external {
			v.conf, v.reason = min(v.conf, confMade), graph.ReasonConstructed
		}
		all = append(all, v)
	}
	return all
}

// member finds qualifier.name, or the bare name, at e.
func (r *run) member(e env, qualifier, name string) []found {
	if qualifier == "" {
		return r.name(e, name, false)
	}
	var all []found
	for _, v := range r.eval(e, qualifier) {
		all = append(all, r.attribute(v, name)...)
	}
	return all
}

// beyond says what the ancestors of a class are besides those in the tree.
type beyond struct {
	outside bool // some stand outside the tree
	unknown bool // some could not be found: nothing can be said of what they have
}

func (b *beyond) add(o beyond) { b.outside, b.unknown = b.outside || o.outside, b.unknown || o.unknown }

// bases returns the direct bases of a class.
func (r *run) bases(class graph.Symbol) (bases []graph.Symbol, more beyond) {
	f := r.facts(class.File)
	if f == nil {
		return nil, beyond{unknown: true}
	}
	for i := range f.Heritage {
		h := &f.Heritage[i]
		if h.Def != class.Def {
			continue
		}
		here := beyond{unknown: true}
		for _, x := range r.base(f, class.File, h) {
			if x.external {
				here = beyond{outside: h.Name != "object"}
				continue
			}
			if s, ok := r.classOf(x.sym); ok && s != class {
				bases = append(bases, s)
				here = beyond{}
				break // of alternatives the first: a class has one layout
			}
		}
		more.add(here)
	}
	return bases, more
}

// classOf follows aliases ("X = Y") to a class.
func (r *run) classOf(s graph.Symbol) (graph.Symbol, bool) {
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef {
		return s, false
	}
	if isClass(&f.Defs[s.Def]) {
		return s, true
	}
	for _, v := range r.valueOf(s, value{}) {
		if v.kind == valueClass {
			return v.sym, true
		}
	}
	return s, false
}

// order returns a class and its ancestors in the order in which members are looked
// up: C3 where it exists, else depth first.
func (r *run) order(class graph.Symbol) (order []graph.Symbol, more beyond) {
	l := linearizer{r: r, done: make(map[graph.Symbol][]graph.Symbol)}
	order = l.of(class, 0)
	return order, l.more
}

type linearizer struct {
	r    *run
	done map[graph.Symbol][]graph.Symbol
	more beyond
}

func (l *linearizer) of(class graph.Symbol, depth int) []graph.Symbol {
	if got, ok := l.done[class]; ok {
		return got
	}
	l.done[class] = []graph.Symbol{class} // a cycle ends here
	if depth > 24 || len(l.done) > maxBases || !l.r.spend() {
		l.more.unknown = true
		return l.done[class]
	}
	bases, more := l.r.bases(class)
	l.more.add(more)
	var lists [][]graph.Symbol
	for _, b := range bases {
		lists = append(lists, l.of(b, depth+1))
	}
	lists = append(lists, bases)
	l.done[class] = append([]graph.Symbol{class}, merge(lists)...)
	return l.done[class]
}

// merge is the C3 merge. Where no order satisfies all lists, the first head is
// taken as it comes.
func merge(lists [][]graph.Symbol) []graph.Symbol {
	var out []graph.Symbol
	seen := make(map[graph.Symbol]bool)
	heads := make([]int, len(lists))
	for {
		next, any := graph.Symbol{}, false
		for i := range lists {
			for heads[i] < len(lists[i]) && seen[lists[i][heads[i]]] {
				heads[i]++
			}
			if heads[i] == len(lists[i]) {
				continue
			}
			candidate := lists[i][heads[i]]
			if !any {
				next, any = candidate, true
			}
			if !inTail(lists, heads, candidate) {
				next = candidate
				break
			}
		}
		if !any {
			return out
		}
		seen[next] = true
		out = append(out, next)
	}
}

func inTail(lists [][]graph.Symbol, heads []int, s graph.Symbol) bool {
	for i := range lists {
		for j := heads[i] + 1; j < len(lists[i]); j++ {
			if lists[i][j] == s {
				return true
			}
		}
	}
	return false
}

// classMember finds a member of a class or its ancestors. inherited says that it
// stands on an ancestor.
func (r *run) classMember(class graph.Symbol, name string) (member graph.Symbol, inherited bool, more beyond, ok bool) {
	// Most members are found without looking at the bases.
	if m, ok := r.ownMember(class, name); ok {
		return m, false, beyond{}, true
	}
	order, more := r.order(class)
	m, ok := r.memberIn(order[1:], name)
	if !ok {
		m, ok = r.metaMember(order, name)
	}
	return m, true, more, ok
}

// metaMember finds an attribute that a metaclass gives to the class: its own
// members, and the fields that it sets.
func (r *run) metaMember(order []graph.Symbol, name string) (graph.Symbol, bool) {
	for _, c := range order {
		f := r.facts(c.File)
		if f == nil {
			continue
		}
		meta := metaclassOf(f.Defs[c.Def].Signature)
		if meta == "" {
			continue
		}
		for _, v := range r.eval(env{f: f, id: c.File, at: f.Defs[c.Def].Container}, meta) {
			if v.kind != valueClass || v.sym == c {
				continue
			}
			order, _ := r.order(v.sym)
			return r.memberIn(order, name)
		}
	}
	return graph.Symbol{}, false
}

// metaclassOf reads the metaclass from the signature of a class: facts keep it
// nowhere else.
func metaclassOf(signature string) string {
	_, rest, ok := strings.Cut(signature, "metaclass=")
	if !ok {
		return ""
	}
	return rest[:strings.IndexFunc(rest+")", func(c rune) bool { return c == ',' || c == ')' || c == ' ' })]
}

// superMember finds what super() in after gives to an instance of class.
func (r *run) superMember(class, after graph.Symbol, name string) (member graph.Symbol, more beyond, ok bool) {
	order, more := r.order(class)
	for i, c := range order {
		if c == after {
			m, ok := r.memberIn(order[i+1:], name)
			return m, more, ok
		}
	}
	return graph.Symbol{}, beyond{unknown: true}, false
}

func (r *run) memberIn(order []graph.Symbol, name string) (graph.Symbol, bool) {
	for _, c := range order {
		if m, ok := r.ownMember(c, name); ok {
			return m, true
		}
	}
	return graph.Symbol{}, false
}

// ownMember finds a member in the body of one class. Of several the last counts,
// but a property's getter before its setter.
func (r *run) ownMember(class graph.Symbol, name string) (graph.Symbol, bool) {
	f := r.facts(class.File)
	if f == nil {
		return graph.Symbol{}, false
	}
	best := graph.NoDef
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Container != class.Def || d.Name != name {
			continue
		}
		// "f = staticmethod(f)" after a method is still that method.
		if best != graph.NoDef && (d.Kind == graph.KindProperty || d.Kind == graph.KindField || d.Has(graph.FlagConditional)) {
			continue
		}
		best = int32(i)
	}
	return graph.Symbol{File: class.File, Def: best}, best != graph.NoDef
}
