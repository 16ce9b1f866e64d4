package c

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// call is what the text says of the call that is being bound.
type call struct {
	args   []string // paths, as extract/lang/c writes them
	object byte     // 'c' is const, 'm' is not, 0 is not known
	types  []ctype  // of args, once they are looked up
	ref    *graph.Ref
	misfit bool // no function of the name takes the arguments
}

// splitCall takes what is known of arguments off a qualifier.
func splitCall(r *graph.Ref) (plain graph.Ref, c *call) {
	plain = *r
	c = &call{ref: &plain}
	i := strings.LastIndexByte(r.Qualifier, '{')
	if i < 0 || !strings.HasSuffix(r.Qualifier, "}") {
		return plain, c
	}
	list := r.Qualifier[i+1 : len(r.Qualifier)-1]
	plain.Qualifier = r.Qualifier[:i]
	if len(list) > 1 && list[1] == ':' && (list[0] == 'c' || list[0] == 'm') && !strings.HasPrefix(list[1:], "::") {
		c.object, list = list[0], list[2:]
	}
	if list != "" {
		c.args = strings.Split(list, ";")
	}
	return plain, c
}

// fresh looks at something with steps of its own, so that what a choice takes is not
// missing where the path goes on.
func (b *binder) fresh(do func()) {
	was, call := b.fuel, b.call
	b.fuel, b.call = maxChoiceSteps, nil
	do()
	b.fuel, b.call = was, call
}

const maxChoiceSteps = 200

// argumentTypes finds the types of the arguments of the call that is being bound.
func (b *binder) argumentTypes() []ctype {
	c := b.call
	if c == nil || len(c.args) == 0 {
		return nil
	}
	if c.types == nil {
		c.types = make([]ctype, len(c.args))
		b.fresh(func() {
			for i, a := range c.args {
				c.types[i] = b.argumentType(a, c.ref)
				c.types[i].look()
			}
		})
	}
	return c.types
}

// argumentType finds the type of one value.
func (b *binder) argumentType(path string, r *graph.Ref) ctype {
	switch {
	case path == "?" || path == "":
		return ctype{}
	case path[0] == '&':
		if t := b.argumentType(path[1:], r); t.known() {
			t.ptr, t.ref = t.ptr+1, 0
			return t
		}
		return ctype{}
	case path[0] == '*':
		if t := b.argumentType(path[1:], r); t.known() && t.ptr > 0 {
			t.ptr, t.ref = t.ptr-1, 1
			return t
		}
		return ctype{}
	case path[0] == '(' && strings.HasSuffix(path, ")") && strings.Count(path, "(") == 1:
		return b.readType(path[1 : len(path)-1])
	case strings.HasSuffix(path, "()"):
		return b.returned(path[:len(path)-2], r)
	case strings.HasSuffix(path, "]"):
		return ctype{}
	}
	syms := b.reached(path, r)
	if len(syms) != 1 {
		return ctype{}
	}
	switch syms[0].d().Kind {
	case graph.KindVariable, graph.KindField, graph.KindEnumMember:
		t := b.fullType(syms[0])
		t.ref = 1
		return t
	}
	return ctype{}
}

// returned is the type of what a call gives, where all that it may run agree.
func (b *binder) returned(path string, r *graph.Ref) ctype {
	if i := strings.IndexByte(path, '<'); i > 0 && strings.HasSuffix(path, ">") {
		switch strings.TrimPrefix(path[:i], "std::") {
		case "make_unique":
			return b.readType("std::unique_ptr" + path[i:])
		case "make_shared":
			return b.readType("std::shared_ptr" + path[i:])
		}
	}
	switch path {
	case "std::string", "std::string_view":
		return b.readType(path)
	}
	var out ctype
	for i, s := range b.reached(path, r) {
		var t ctype
		switch k := s.d().Kind; {
		case isType(k):
			t = ctype{name: s.d().Local, by: b.at(s), class: []sym{s}, looked: k != graph.KindType}
		case k == graph.KindFunction || k == graph.KindMethod:
			if strings.HasPrefix(s.d().Signature, "template") {
				return ctype{}
			}
			t = b.fullType(s)
			if t.ref > 1 {
				t.ref = 0
			}
		}
		t.look()
		if !t.known() || i > 0 && !alike(&out, &t) {
			return ctype{}
		}
		out = t
	}
	return out
}

func alike(a, c *ctype) bool {
	same, sure := sameName(a, c)
	return same && sure && a.ptr == c.ptr && a.isConst == c.isConst
}

// reached lists the definitions to which a path leads.
func (b *binder) reached(path string, r *graph.Ref) []sym {
	if i := lastDot(path); i > 0 {
		val, ok := b.eval(path[:i], graph.Hint{}, r)
		if !ok {
			return nil
		}
		return b.membersOf(val, path[i+1:])
	}
	ref := graph.Ref{Name: path, Use: graph.UseCall, Enclosing: r.Enclosing, Args: -1, Span: r.Span}
	if i := strings.IndexByte(ref.Name, '<'); i > 0 {
		ref.Name = ref.Name[:i]
	}
	if i := strings.LastIndex(ref.Name, "::"); i >= 0 {
		ref.Name, ref.Qualifier = ref.Name[i+2:], ref.Name[:i+2]
	}
	if b.fuel--; b.fuel < 0 || ref.Name == "" || ref.Name == "this" {
		return nil
	}
	var out []sym
	for _, t := range b.ref(&ref).Targets {
		if f := b.facts(t.Symbol.File); f != nil && t.Symbol.Def != graph.NoDef {
			out = append(out, sym{f, t.Symbol.File, t.Symbol.Def})
		}
	}
	return out
}

// lastDot returns the place of the last "." of a path outside brackets, or -1.
func lastDot(path string) int {
	depth := 0
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i] {
		case ')', '>':
			depth++
		case '(', '<':
			depth--
		case '.':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// signature is one function, however often it is declared.
type signature struct {
	syms        []sym
	params      []ctype
	texts       []string // of params
	names       []string // of template parameters
	least, most int      // arguments; most is -1 for any number
	known       bool     // the parameters could be read
	isConst     bool     // of a method: it leaves its object as it is
	object      bool     // of a method: it has one
	special     bool     // template<> …
}

// signatures sorts functions by what they take.
func (b *binder) signatures(syms []sym) []signature {
	var out []signature
	for _, s := range syms {
		g := b.signatureOf(s)
		at := slices.IndexFunc(out, func(o signature) bool {
			return o.known && g.known && o.isConst == g.isConst && o.special == g.special && len(o.names) == len(g.names) && alikeTexts(o.texts, g.texts)
		})
		if at < 0 {
			out = append(out, g)
			continue
		}
		out[at].syms = append(out[at].syms, s)
		out[at].least = min(out[at].least, g.least)
	}
	return out
}

// alikeTexts compares lists of types by how they are written, without scopes.
func alikeTexts(p, q []string) bool {
	return slices.EqualFunc(p, q, func(a, c string) bool { return unscoped(a) == unscoped(c) })
}

// unscoped leaves out of a type what qualifies its names.
func unscoped(t string) string {
	for {
		i := strings.Index(t, "::")
		if i < 0 {
			break
		}
		from := i
		for from > 0 && isWord(t[from-1]) {
			from--
		}
		t = t[:from] + t[i+2:]
	}
	t = strings.ReplaceAll(t, "struct ", "")
	if w := number(t); w != "" {
		return w
	}
	return t
}

func (b *binder) signatureOf(s sym) signature {
	sig := s.d().Signature
	g := signature{syms: []sym{s}, isConst: constMethod(sig), object: hasObject(s)}
	g.least, g.most, g.known = paramCount(sig)
	if !g.known || len(sig) >= maxSignature {
		g.known = false
		return g
	}
	g.names, g.special = templateNames(sig)
	for at := s.d().Container; at != graph.NoDef; at = s.f.Defs[at].Container {
		more, _ := templateNames(s.f.Defs[at].Signature)
		g.names = append(g.names, more...)
	}
	g.texts = parameterTypes(sig)
	c := b.at(s)
	c = &binder{v: c.v, f: c.f, id: c.id, fuel: maxChoiceSteps}
	for _, t := range g.texts {
		g.params = append(g.params, c.readType(t))
	}
	return g
}

// hasObject reports whether a function is called on an object: it is no constructor, and
// not static.
func hasObject(s sym) bool {
	d := s.d()
	made := d.Container != graph.NoDef && s.f.Defs[d.Container].Name == d.Name || d.Owner == d.Name
	return d.Kind == graph.KindMethod && !d.Has(graph.FlagStatic) && !made
}

// maxSignature is where extractors cut a signature.
const maxSignature = 470

// constMethod reports whether "const" stands behind the parameters.
func constMethod(sig string) bool {
	i := parameterStart(sig)
	if i < 0 {
		return false
	}
	depth := 0
	for ; i < len(sig); i++ {
		switch sig[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return strings.HasPrefix(strings.TrimSpace(sig[i+1:]), "const")
			}
		}
	}
	return false
}

// templateNames lists the parameters of a template. special says that it has none: it
// stands for certain arguments.
func templateNames(sig string) (names []string, special bool) {
	for {
		rest, ok := strings.CutPrefix(strings.TrimSpace(sig), "template")
		if !ok {
			return names, special
		}
		rest = strings.TrimSpace(rest)
		if !strings.HasPrefix(rest, "<") {
			return names, special
		}
		depth, end := 0, -1
		for i := 0; i < len(rest) && end < 0; i++ {
			switch rest[i] {
			case '<', '(':
				depth++
			case '>', ')':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		if end < 0 {
			return names, special
		}
		list := strings.TrimSpace(rest[1:end])
		special = list == ""
		for _, p := range splitArgs(list) {
			p, _, _ = strings.Cut(p, "=")
			p = strings.TrimSpace(p)
			if i := strings.LastIndexAny(p, " ."); i >= 0 {
				names = append(names, p[i+1:])
			}
		}
		sig = rest[end+1:]
	}
}

// choose keeps, of several functions of a name, what overload resolution may choose for
// the call: all declarations and definitions of it.
func (b *binder) choose(r *graph.Ref, syms []sym) []sym {
	if r.Args < 0 || b.f.Language != "cpp" || len(syms) == 0 || slices.ContainsFunc(syms, func(s sym) bool {
		return s.d().Kind != graph.KindFunction && s.d().Kind != graph.KindMethod
	}) {
		return syms
	}
	var out []sym
	all := b.signatures(syms)
	for _, g := range b.best(r, all) {
		out = append(out, g.syms...)
	}
	if len(out) == 0 {
		if b.call != nil {
			b.call.misfit = true
		}
		return syms
	}
	return out
}

// best returns the functions that no other is better than, of those that the arguments
// fit.
func (b *binder) best(r *graph.Ref, all []signature) []signature {
	args := b.argumentTypes()
	if len(args) != int(r.Args) {
		args = make([]ctype, r.Args)
	}
	var fit []signature
	var ranks [][]int
	for _, g := range all {
		if rank, ok := b.rank(args, &g); ok {
			fit, ranks = append(fit, g), append(ranks, rank)
		}
	}
	var out []signature
	for i := range fit {
		if !slices.ContainsFunc(indices(len(fit)), func(j int) bool { return j != i && better(&fit[j], &fit[i], ranks[j], ranks[i]) }) {
			out = append(out, fit[i])
		}
	}
	return out
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// better reports whether a function is chosen before another: no argument fits it worse,
// and one better; else what is no template comes before what is.
func better(g, h *signature, p, q []int) bool {
	some := false
	for i := range p {
		switch {
		case p[i] == q[i] && p[i] != unknownRank:
		case p[i] == unknownRank || q[i] == unknownRank:
			if i == 0 && (g.isConst == h.isConst || !g.object || !h.object) {
				continue
			}
			if i == 0 || i-1 >= len(g.texts) || i-1 >= len(h.texts) || unscoped(g.texts[i-1]) != unscoped(h.texts[i-1]) {
				return false
			}
		case p[i] > q[i]:
			return false
		default:
			some = true
		}
	}
	if some || slices.Contains(p[1:], unknownRank) {
		return some
	}
	return (len(g.names) == 0) != (len(h.names) == 0) && len(g.names) == 0 || g.special && !h.special && len(h.names) > 0
}

// rank says how each argument fits, the object of a member call first.
func (b *binder) rank(args []ctype, g *signature) (ranks []int, ok bool) {
	if !g.known {
		ranks = make([]int, len(args)+1)
		for i := range ranks {
			ranks[i] = unknownRank
		}
		return ranks, true
	}
	if len(args) < g.least || g.most >= 0 && len(args) > g.most {
		return nil, false
	}
	ranks = append(ranks, exactRank)
	if g.object {
		switch object := b.object(); {
		case object == 'c' && !g.isConst:
			return nil, false
		case object == 0:
			ranks[0] = unknownRank
		case g.isConst && object == 'm':
			ranks[0] = exactRank + 1
		}
	}
	b.fresh(func() {
		for i := range args {
			k := unknownRank
			switch {
			case i < len(g.params):
				g.params[i].look()
				k = convert(b, &args[i], &g.params[i], g.names, true)
			case g.most < 0:
				k = ellipsisRank
			}
			if k == noRank {
				ok = false
				return
			}
			ranks = append(ranks, k)
			ok = true
		}
	})
	return ranks, ok || len(args) == 0
}

// object says whether the object of the call is const.
func (b *binder) object() byte {
	if b.call == nil {
		return 0
	}
	if b.call.object != 0 {
		return b.call.object
	}
	if r := b.call.ref; r.Qualifier == "" && r.Enclosing != graph.NoDef && b.f.Defs[r.Enclosing].Kind == graph.KindMethod {
		if constMethod(b.f.Defs[r.Enclosing].Signature) {
			return 'c'
		}
		return 'm'
	}
	return 0
}
