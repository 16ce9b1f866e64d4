package ruby

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// order is the order in which the methods of an object are looked for.
type order struct {
	list  []string // full names of classes and modules
	above []string // the class and its super classes alone
	open  bool     // a part of it is not in the tree
}

// order returns that of the objects of a class, or of a module.
func (r *run) order(full string) *order {
	if known, ok := r.orders[full]; ok {
		return known
	}
	o := &order{list: []string{full}, above: []string{full}}
	r.orders[full] = o // what includes itself ends here
	made := r.linear(full, 0)
	*o = *made
	return o
}

func (r *run) linear(full string, depth int) *order {
	o := &order{}
	if depth > maxDepth || !r.spend() {
		return &order{list: []string{full}, above: []string{full}, open: true}
	}
	var before, behind []string
	super := ""
	for _, s := range r.open(full) {
		marked := prepended(s.d().Type)
		for i := range s.f.Heritage {
			h := &s.f.Heritage[i]
			if h.Def != s.def || h.Rel == graph.RelImplements {
				continue
			}
			base, ok := r.base(s.place(), h)
			switch {
			case !ok:
				o.open = o.open || !isCoreClass(path(h))
			case base == full:
			case h.Rel == graph.RelExtends:
				super = base
			case contains(marked, path(h)):
				before = append(before, base)
			default:
				behind = append(behind, base)
			}
		}
	}
	add := func(name string) {
		in := r.linear(name, depth+1)
		for _, x := range in.list {
			o.list = appendNew(o.list, x)
		}
		o.open = o.open || in.open
	}
	for i := len(before) - 1; i >= 0; i-- {
		add(before[i])
	}
	o.list, o.above = appendNew(o.list, full), []string{full}
	for i := len(behind) - 1; i >= 0; i-- {
		add(behind[i])
	}
	if super != "" {
		in := r.linear(super, depth+1)
		for _, x := range in.list {
			o.list = appendNew(o.list, x)
		}
		o.above = append(o.above, in.above...)
		o.open = o.open || in.open
	}
	return o
}

func path(h *graph.Heritage) string {
	if h.Qualifier != "" {
		return h.Qualifier + "::" + h.Name
	}
	return h.Name
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if strings.TrimPrefix(x, "::") == s {
			return true
		}
	}
	return false
}

// parts calls yield with each part of the type of a class.
func parts(typ string) func(yield func(string) bool) {
	if typ == "" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(typ, ";")
}

// prepended lists the modules that the type of a class says are looked through before it.
func prepended(typ string) (out []string) {
	for p := range parts(typ) {
		if name, ok := strings.CutPrefix(p, "<"); ok {
			out = append(out, name)
		}
	}
	return out
}

// marked reports whether the type of a class has a part.
func (r *run) marked(full, part string) bool {
	for _, s := range r.open(full) {
		for p := range parts(s.d().Type) {
			if p == part {
				return true
			}
		}
	}
	return false
}

// step is one place where a method is looked for: a class or module, and whether its own
// methods as an object are meant.
type step struct {
	full   string
	static bool
}

// steps lists them for an object of a class, or for the class as an object.
func (r *run) steps(full string, static bool) (out []step, open bool) {
	o := r.order(full)
	if !static {
		for _, name := range o.list {
			out = append(out, step{name, false})
			if r.marked(name, "functions") {
				out = append(out, step{name, true})
			}
		}
		return out, o.open
	}
	open = o.open
	for _, name := range o.above {
		out = append(out, step{name, true})
		extended, outside := r.extended(name)
		out, open = append(out, extended...), open || outside
		if r.marked(name, "self") {
			for _, n := range r.order(name).list {
				out = append(out, step{n, false})
			}
		}
	}
	for _, name := range o.list { // what modules add to the classes that include them
		out = append(out, r.hooked(name)...)
	}
	return out, open
}

// extended lists the modules that a class is extended with.
func (r *run) extended(full string) (out []step, open bool) {
	for _, s := range r.open(full) {
		for i := range s.f.Heritage {
			h := &s.f.Heritage[i]
			if h.Def != s.def || h.Rel != graph.RelImplements {
				continue
			}
			base, ok := r.base(s.place(), h)
			if !ok {
				open = open || !isCoreClass(path(h))
				continue
			}
			for _, name := range r.order(base).list {
				out = append(out, step{name, false})
			}
		}
	}
	return out, open
}

// hooked lists what a module adds to a class, as an object, that includes it.
func (r *run) hooked(full string) (out []step) {
	for _, s := range r.open(full) {
		for p := range parts(s.d().Type) {
			if name, ok := strings.CutPrefix(p, "+"); ok {
				if base, ok := r.constant(s.place(), name, false); ok {
					out = append(out, step{base, false})
				}
			} else if p == "*" {
				out = append(out, step{full, true})
			}
		}
	}
	if full := full + "::ClassMethods"; len(r.v.Definers("ClassMethods")) > 0 && len(r.open(full)) > 0 {
		out = append(out, step{full, false})
	}
	return out
}

// method is a method with the class or module that it belongs to; "" is none.
type method struct {
	sym
	owner  string
	static bool
}

// named lists the methods of a name.
func (r *run) named(name string) []method {
	if known, ok := r.methods[name]; ok {
		return known
	}
	var out []method
	for n, id := range graph.ByPath(r.v, r.v.Definers(name)) {
		f := r.facts(id)
		if f == nil || n >= 2*maxFiles {
			continue
		}
		for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
			switch d := &f.Defs[i]; d.Kind {
			case graph.KindMethod, graph.KindProperty, graph.KindFunction:
				out = append(out, method{sym{f, id, i}, ownerOf(f, i), d.Has(graph.FlagStatic)})
			default:
			}
		}
	}
	r.methods[name] = out
	return out
}

// lookup finds a method on the steps, the first that has it. Several are those of a class
// that defines it more than once.
func (r *run) lookup(steps []step, name string) (syms []sym, at step, ok bool) {
	all := r.named(name)
	if len(all) == 0 {
		return nil, step{}, false
	}
	for _, st := range steps {
		for _, m := range all {
			if m.owner == st.full && m.static == st.static && m.owner != "" {
				syms = append(syms, m.sym)
			}
		}
		if len(syms) > 0 {
			return written(syms), st, true
		}
	}
	return nil, step{}, false
}

// written drops attributes where methods of the name are written out, and of those of one
// file all but the last.
func written(syms []sym) []sym {
	var out []sym
	for _, s := range syms {
		if s.d().Kind != graph.KindProperty {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		out = syms
	}
	var kept []sym
	for i, s := range out {
		if i+1 == len(out) || out[i+1].id != s.id || out[i+1].d().Container != s.d().Container {
			kept = append(kept, s)
		}
	}
	return kept
}
