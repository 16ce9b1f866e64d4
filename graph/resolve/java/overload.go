package java

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// maxOverloads is how many overloads are listed where none is chosen: more say nothing.
const maxOverloads = 4

// choice is what overload resolution chooses. Not sure is one that hangs on an argument
// whose type is not known.
type choice struct {
	list []member
	sure bool
}

// overload is a candidate with what its parameters are.
type overload struct {
	member
	params   []typ
	variadic bool
	phase    int // of the language's three: as they are, boxed, any number
	maybe    bool
}

// choose picks among methods or constructors of one name. args is nil where only the
// number n is known, which is -1 where it is not.
func (b *binder) choose(list []member, args []typ, n int) choice {
	var fit []overload
	for _, m := range list {
		if m.id != b.id && strings.HasPrefix(m.d().Signature, "private ") {
			continue
		}
		texts, variadic := paramTypes(m.sym)
		if n >= 0 && len(texts) != n && (!variadic || n < len(texts)-1) {
			continue
		}
		fit = append(fit, overload{member: m, variadic: variadic})
		if len(fit) == 1 && len(list) == 1 {
			return choice{list, true}
		}
	}
	switch {
	case len(fit) == 0:
		return choice{}
	case len(fit) == 1:
		return choice{[]member{fit[0].member}, true}
	}
	for i := range fit {
		texts, _ := paramTypes(fit[i].sym)
		e := fit[i].env
		for _, t := range texts {
			fit[i].params = append(fit[i].params, b.typeAt(t, fit[i].scope(), e, 1))
		}
	}
	fit = dropOverridden(fit)
	if n >= 0 {
		fit = b.applicable(fit, args, n)
	} else {
		fit = plainFirst(fit)
	}
	if len(fit) == 1 {
		return choice{[]member{fit[0].member}, !fit[0].maybe || len(args) == n}
	}
	if i := exact(fit, args, n); i >= 0 {
		return choice{[]member{fit[i].member}, true}
	}
	return b.mostSpecific(fit, args, n)
}

// takenByNone reports whether no method of a list takes the arguments. Where a type
// builds on one that is not in the tree, that one has the method which is meant.
func (b *binder) takenByNone(list []member, args []typ) bool {
	for _, m := range list {
		texts, variadic := paramTypes(m.sym)
		o := overload{member: m, variadic: variadic}
		if len(texts) != len(args) && (!variadic || len(args) < len(texts)-1) {
			continue
		}
		for _, t := range texts {
			o.params = append(o.params, b.typeAt(t, o.scope(), m.env, 1))
		}
		if phase, _ := b.phaseOf(&o, args, len(args)); phase > 0 {
			return false
		}
	}
	return len(list) > 0 && len(args) > 0
}

// exact returns the overload whose parameters are of the types of the arguments, as far
// as the overloads differ in them, or -1. No other that takes them can be closer.
func exact(fit []overload, args []typ, n int) int {
	if n < 0 {
		return -1
	}
	for k := range fit {
		same := len(fit[k].params) == n && fit[k].phase < 3
		for i := 0; i < n && same; i++ {
			for j := range fit {
				if !sameType(paramAt(&fit[j], i), fit[k].params[i]) && !sameType(argAt(args, i), fit[k].params[i]) {
					same = false
					break
				}
			}
		}
		if same {
			return k
		}
	}
	return -1
}

// applicable keeps the overloads of the earliest phase to which the arguments fit; all
// of them where the types as they were followed fit none.
func (b *binder) applicable(fit []overload, args []typ, n int) []overload {
	var out []overload
	phase := 4
	for _, o := range fit {
		o.phase, o.maybe = b.phaseOf(&o, args, n)
		if o.phase == 0 || o.phase > phase {
			continue
		}
		if o.phase < phase {
			out, phase = nil, o.phase
		}
		out = append(out, o)
	}
	if len(out) == 0 {
		for i := range fit {
			fit[i].maybe = true
		}
		return fit
	}
	return out
}

// phaseOf returns the first phase in which an overload takes the arguments, or 0.
func (b *binder) phaseOf(o *overload, args []typ, n int) (phase int, maybe bool) {
	if len(o.params) == n {
		phase = 1
		for i := range n {
			switch b.fit(argAt(args, i), o.params[i]) {
			case fitsNot:
				phase = 0
			case fitsMaybe:
				maybe = true
				if o.variadic && i == n-1 {
					phase = 0 // it is seldom given as an array
				}
			case fitsBoxed:
				phase = min(phase*2, 2)
			case fitsAlready:
			}
		}
		if phase > 0 || !o.variadic {
			return phase, maybe
		}
	}
	maybe = false
	for i := range n {
		p := o.params[min(i, len(o.params)-1)]
		if i >= len(o.params)-1 {
			p.dims--
		}
		switch b.fit(argAt(args, i), p) {
		case fitsNot:
			return 0, false
		case fitsMaybe:
			maybe = true
		default:
		}
	}
	return 3, maybe
}

func argAt(args []typ, i int) typ {
	if i < len(args) {
		return args[i]
	}
	return typ{}
}

// plainFirst drops overloads that take any number of arguments where others do not.
func plainFirst(fit []overload) []overload {
	var out []overload
	for _, o := range fit {
		if !o.variadic {
			out = append(out, o)
		}
	}
	if len(out) == 0 {
		return fit
	}
	return out
}

// dropOverridden keeps of methods with the same parameters the one that is called.
func dropOverridden(fit []overload) []overload {
	var out []overload
	for _, o := range fit {
		if !slices.ContainsFunc(fit, func(p overload) bool { return p.hides(&o) && sameParams(p.params, o.params) }) {
			out = append(out, o)
		}
	}
	return out
}

// hides reports whether o stands before p, which has the same parameters: a method with
// a body in a class before those of interfaces, and else what is nearer to the type.
func (o *overload) hides(p *overload) bool {
	face, other := o.ofInterface(), p.ofInterface()
	switch {
	case !face && other && !o.d().Has(graph.FlagAbstract):
		return true
	case face && !other:
		return p.d().Has(graph.FlagAbstract) && o.depth <= p.depth
	}
	return o.depth < p.depth
}

func (o *overload) ofInterface() bool {
	c := o.d().Container
	return c != graph.NoDef && o.f.Defs[c].Kind == graph.KindInterface
}

func sameParams(a, b []typ) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameType(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameType(a, b typ) bool {
	if a.kind != b.kind || a.dims != b.dims {
		return false
	}
	switch a.kind {
	case isClass:
		return a.sym.symbol() == b.sym.symbol()
	case isUnknown, isFunction, isNull:
		return false
	default:
	}
	return a.name == b.name && (a.outer == b.outer || a.outer == "" || b.outer == "")
}

// mostSpecific returns the overload whose parameters fit to those of all others. It is
// not sure where the overloads differ in a parameter whose argument is not known.
func (b *binder) mostSpecific(fit []overload, args []typ, n int) choice {
	best := -1
	for i := range fit {
		wins := true
		for j := range fit {
			if i != j && !b.moreSpecific(&fit[i], &fit[j], n) {
				wins = false
				break
			}
		}
		if wins {
			best = i
			break
		}
	}
	open := n < 0
	for i := range max(n, 0) {
		if a := argAt(args, i); a.kind == isUnknown || a.kind == isFunction {
			for j := 1; j < len(fit); j++ {
				open = open || !sameType(paramAt(&fit[0], i), paramAt(&fit[j], i))
			}
		}
	}
	if best >= 0 && !open {
		sure := true
		for i := range fit {
			sure = sure && (!fit[i].maybe || i == best)
		}
		return choice{[]member{fit[best].member}, sure}
	}
	if len(fit) > maxOverloads {
		return choice{}
	}
	var out choice
	if best >= 0 {
		out.list = append(out.list, fit[best].member)
	}
	for i := range fit {
		if i != best {
			out.list = append(out.list, fit[i].member)
		}
	}
	return out
}

func paramAt(o *overload, i int) typ {
	if i < len(o.params) {
		return o.params[i]
	}
	return typ{}
}

// moreSpecific reports whether all that o takes, p takes too.
func (b *binder) moreSpecific(o, p *overload, n int) bool {
	if len(o.params) != len(p.params) {
		return len(o.params) > len(p.params) && p.variadic
	}
	for i := range o.params {
		if n >= 0 && i >= n {
			break
		}
		if b.fit(o.params[i], p.params[i]) != fitsAlready {
			return false
		}
	}
	return !o.variadic || p.variadic
}
