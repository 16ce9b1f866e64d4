package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// pick keeps those of several functions that a call means, by the number and names of its
// arguments and by what is known of their types. Where it can mean none, nothing is left.
func (s site) pick(list []reached, args []path, known bool) []reached {
	if !known || len(list) == 0 {
		return nearest(list)
	}
	var named []string
	for i := range args {
		if args[i].name != "" {
			named = append(named, args[i].name)
		}
	}
	var kept []candidate
	for _, m := range list {
		if !isFunction(m.d()) && !isTypeDef(m.d()) { // a value that is called
			kept = append(kept, candidate{reached: m})
			continue
		}
		c := candidate{reached: m, head: s.headerOf(m.sym)}
		c.head.params = trimFirst(c.head.params, m.added || s.Receivers)
		if (c.head.hasList || isTypeDef(m.d())) && c.head.accepts(len(args), named) || c.head.cut {
			kept = append(kept, c)
		}
	}
	sure := len(kept) > 0
	if !sure && s.Defaults && !s.strict && len(named) == 0 { // another declaration may have the defaults
		for _, m := range list {
			if c := (candidate{reached: m, head: s.headerOf(m.sym)}); isFunction(m.d()) && c.head.hasList && len(args) < len(c.head.params) && elsewhere(m.d()) {
				kept = append(kept, c)
			}
		}
	}
	kept = withoutOverridden(kept)
	if len(args) > 0 && len(kept) > 0 {
		kept = s.fitting(kept, args)
	}
	if !s.Receivers {
		kept = atLeastDepth(kept)
	}
	if len(kept) > 1 && sure {
		kept = s.best(kept, args)
	}
	out := make([]reached, len(kept))
	for i := range kept {
		out[i] = kept[i].reached
	}
	return out
}

// elsewhere reports whether the values of parameters may be given in another declaration.
func elsewhere(d *graph.Def) bool {
	return strings.Contains(d.Signature, "actual ") || strings.Contains(d.Signature, "override ")
}

// candidate is a function that a call may mean.
type candidate struct {
	reached
	head header
	fits []int
	want []typ
}

// trimFirst drops the object of an extension method that is called on it.
func trimFirst(params []parameter, called bool) []parameter {
	if len(params) == 0 || !params[0].first {
		return params
	}
	if called {
		return params[1:]
	}
	out := append([]parameter(nil), params...)
	out[0].first = false
	return out
}

// nearest keeps what the nearest type has.
func nearest(list []reached) (out []reached) {
	for _, m := range list {
		if m.depth == list[0].depth {
			out = append(out, m)
		}
	}
	return out
}

// atLeastDepth keeps the candidates of the nearest type that has any.
func atLeastDepth(list []candidate) (out []candidate) {
	for _, c := range list {
		if c.depth == list[0].depth {
			out = append(out, c)
		}
	}
	return out
}

// withoutOverridden drops the functions of bases that one of a nearer type stands for.
func withoutOverridden(list []candidate) (out []candidate) {
	for i, c := range list {
		hidden := false
		for j := range i {
			if list[j].depth < c.depth && sameParameters(list[j].head.params, c.head.params) {
				hidden = true
			}
		}
		if !hidden {
			out = append(out, c)
		}
	}
	return out
}

func sameParameters(a, b []parameter) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].typ != b[i].typ {
			return false
		}
	}
	return true
}

// fitting drops the candidates that an argument does not fit.
func (s site) fitting(list []candidate, args []path) (out []candidate) {
	types := make([]typ, len(args))
	for i := range args {
		types[i] = s.asValue(s.eval(&args[i]))
	}
	for _, c := range list {
		if len(c.head.params) == 0 && !isFunction(c.d()) && !isTypeDef(c.d()) {
			out = append(out, c)
			continue
		}
		ok := true
		for i := range args {
			f, want := s.fitArgument(&c, &args[i], types[i], i, len(args))
			ok = ok && f != fitsNot
			c.fits, c.want = append(c.fits, f), append(c.want, want)
		}
		if ok {
			out = append(out, c)
		}
	}
	return out
}

// fitArgument compares an argument with the parameter that it is for.
func (s site) fitArgument(c *candidate, arg *path, t typ, i, n int) (int, typ) {
	if s.Receivers && arg.op == '\\' && i == n-1 && arg.name == "" {
		i = lastParameter
	}
	p := c.head.parameterFor(i, arg.name)
	if p == nil {
		return fitUnknown, typ{}
	}
	for _, g := range c.head.generics {
		if p.typ == g {
			if bound := c.head.bounds[g]; bound != "" {
				want := s.in(c.sym).typeAt(bound, c.sym, c.env, 1)
				if f := s.fit(t, want, false); f == fitsNot {
					return fitsNot, typ{}
				}
			}
			return fitExact, typ{}
		}
	}
	want := s.in(c.sym).typeAt(p.typ, c.sym, c.env, 0)
	if arg.op == '#' && arg.text == "n" {
		if plainNumber(want.name) && !want.null || s.Receivers && want.known() && !want.null && !generic(p.typ, c) {
			return fitsNot, want
		}
		return fitConverted, want
	}
	if p.many && want.known() {
		if !s.Receivers && want.name == "[]" && (t.name != "[]" || i != n-1) {
			want = want.args[0]
		}
	}
	return s.fit(t, want, arg.op == '#'), want
}

func generic(text string, c *candidate) bool {
	for _, g := range c.head.generics {
		if text == g {
			return true
		}
	}
	return false
}

// plainNumber reports whether a type is one whose values are never null.
func plainNumber(name string) bool {
	switch name {
	case "int", "uint", "long", "ulong", "short", "ushort", "byte", "sbyte", "char", "bool", "float", "double", "decimal", "DateTime", "DateTimeOffset", "TimeSpan", "Guid":
		return true
	}
	return false
}

// best drops the candidates that another is better than.
func (s site) best(list []candidate, args []path) (out []candidate) {
	for i := range list {
		beaten := false
		for j := range list {
			beaten = beaten || i != j && s.better(&list[j], &list[i], args)
		}
		if !beaten {
			out = append(out, list[i])
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// better reports whether a call means a and not b, where both take its arguments.
func (s site) better(a, b *candidate, args []path) bool {
	if a.added != b.added {
		return !a.added
	}
	wins := false
	for i := range args {
		if i >= len(a.fits) || i >= len(b.fits) {
			return false
		}
		pa, pb := a.head.parameterFor(i, args[i].name), b.head.parameterFor(i, args[i].name)
		switch {
		case pa == nil || pb == nil:
			return false
		case pa.typ == pb.typ:
		case a.fits[i] == fitUnknown || b.fits[i] == fitUnknown:
			return false
		case a.fits[i] < b.fits[i]:
			return false
		case a.fits[i] > b.fits[i]:
			wins = true
		case !a.want[i].known() || !b.want[i].known():
		case s.fit(a.want[i], b.want[i], false) >= fitConverted && s.fit(b.want[i], a.want[i], false) < fitConverted:
			wins = true
		case s.fit(b.want[i], a.want[i], false) >= fitConverted && s.fit(a.want[i], b.want[i], false) < fitConverted:
			return false
		}
	}
	if wins {
		return true
	}
	if sa, sb := a.slack(len(args)), b.slack(len(args)); sa != sb {
		return sa < sb
	}
	return len(args) > 0 && len(a.head.generics) < len(b.head.generics)
}

// slack says how far a function takes more than a call gives it.
func (c *candidate) slack(n int) int {
	if k := len(c.head.params); k > 0 && c.head.params[k-1].many {
		return anyNumber - k
	}
	return max(len(c.head.params)-n, 0)
}

// constructors lists what constructs a type, the type itself among them where its head
// has the parameters, or where nothing else does.
func (b binder) constructors(t typ) (out []reached) {
	e := b.envOf(t)
	for _, part := range b.parts(t.sym) {
		f := part.f
		for i := f.NextNamed(part.d().Name, 0); i != graph.NoDef; i = f.NextNamed(part.d().Name, i+1) {
			if m := (sym{f, part.id, i}); f.Defs[i].Container == part.def && isConstructor(m) && (b.Receivers || !f.Defs[i].Has(graph.FlagStatic)) {
				out = append(out, reached{sym: m, env: e})
			}
		}
		if b.headerOf(part).hasList {
			out = append(out, reached{sym: part, env: e})
		}
	}
	return out
}

// constructedAs lists the words that construct a type, besides its name.
func (b binder) constructedAs(s sym) (out []string) {
	constructor := isConstructor(s)
	if !constructor && !isTypeDef(s.d()) {
		return nil
	}
	if short, ok := strings.CutSuffix(s.d().Name, "Attribute"); ok && !b.Receivers {
		out = append(out, short)
	}
	if !constructor {
		for _, m := range b.constructors(typ{sym: s}) {
			if m.symbol() != s.symbol() {
				return out
			}
		}
	}
	if b.Receivers {
		return append(out, "this", "super")
	}
	return append(out, "new", "this", "base")
}
