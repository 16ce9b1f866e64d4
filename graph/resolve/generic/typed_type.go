package generic

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// typ is a type as far as it is known: one of the workspace, with sym, or one from
// outside, with a name: "[]" is an array, "()" a tuple, "->" a function, whose last
// argument is its result. The zero value is not known.
type typ struct {
	sym  sym
	name string
	args []typ
	null bool // it may be null
	ext  bool // a function that extends the type of its first argument
}

type env map[string]typ

func (t typ) inTree() bool { return t.sym.f != nil }
func (t typ) known() bool  { return t.inTree() || t.name != "" }

func (t typ) equal(o typ) bool {
	if t.inTree() != o.inTree() || !t.known() || !o.known() {
		return false
	}
	if t.inTree() {
		return t.sym.symbol() == o.sym.symbol()
	}
	return t.name == o.name
}

// element returns what the type contains, where it is a collection.
func (t typ) element() typ {
	if len(t.args) == 0 || t.inTree() {
		return typ{}
	}
	if keyed(t.name) {
		return t.args[len(t.args)-1]
	}
	return t.args[0]
}

// keyed reports whether a collection of the library is one of keys and values.
func keyed(name string) bool {
	return strings.HasSuffix(name, "Dictionary") || strings.HasSuffix(name, "Map")
}

const maxTypeDepth = 8

// typeAt reads the text of a type as it is meant at a definition.
func (b binder) typeAt(text string, at sym, e env, depth int) typ {
	text = strings.TrimSpace(text)
	for {
		word, rest, ok := strings.Cut(text, " ")
		if !ok || !modifier(word) {
			break
		}
		text = strings.TrimSpace(rest)
	}
	if text == "" || depth > maxTypeDepth || !b.spend() {
		return typ{}
	}
	if rest := strings.TrimRight(text, "?!"); rest != text {
		t := b.typeAt(rest, at, e, depth+1)
		t.null = true
		return t
	}
	if strings.HasSuffix(text, "]") && !b.Receivers {
		if open := strings.LastIndexByte(text, '['); open > 0 {
			return typ{name: "[]", args: []typ{b.typeAt(text[:open], at, e, depth+1)}}
		}
	}
	if b.Receivers {
		if t, ok := b.functionType(text, at, e, depth); ok {
			return t
		}
	}
	if text[0] == '(' {
		end := closing(text, 0)
		if end != len(text)-1 {
			return typ{}
		}
		parts := splitTop(text[1:end])
		if len(parts) == 1 && b.Receivers {
			return b.typeAt(parts[0], at, e, depth+1)
		}
		return typ{name: "()"}
	}
	return b.namedType(text, at, e, depth)
}

func modifier(word string) bool {
	switch word {
	case "in", "out", "ref", "readonly", "params", "scoped", "suspend", "vararg", "noinline", "crossinline":
		return true
	}
	return false
}

// functionType reads (A, B) -> C and A.(B) -> C.
func (b binder) functionType(text string, at sym, e env, depth int) (typ, bool) {
	arrow, nesting := -1, 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i] {
		case '(', '<', '[':
			nesting++
		case ')', ']':
			nesting--
		case '>':
			if text[i-1] != '-' {
				nesting--
			}
		case '-':
			if nesting == 0 && text[i+1] == '>' && arrow < 0 {
				arrow = i
			}
		}
	}
	if arrow < 0 {
		return typ{}, false
	}
	t := typ{name: "->"}
	head := strings.TrimSpace(text[:arrow])
	open := strings.LastIndexByte(head, '(')
	if strings.HasSuffix(head, ")") {
		for open = 0; open < len(head) && (head[open] != '(' || closing(head, open) != len(head)-1); open++ {
		}
	}
	if open < 0 || open >= len(head) {
		return t, true
	}
	if receiver := strings.TrimSuffix(strings.TrimSpace(head[:open]), "."); receiver != "" && receiver != "suspend" {
		t.ext = true
		t.args = append(t.args, b.typeAt(receiver, at, e, depth+1))
	}
	for _, p := range splitTop(head[open+1 : len(head)-1]) {
		if _, after, ok := strings.Cut(p, ":"); ok {
			p = after
		}
		if p != "" {
			t.args = append(t.args, b.typeAt(p, at, e, depth+1))
		}
	}
	t.args = append(t.args, b.typeAt(text[arrow+2:], at, e, depth+1))
	return t, true
}

// namedType reads A.B<C>.
func (b binder) namedType(text string, at sym, e env, depth int) typ {
	text = strings.TrimPrefix(text, "global::")
	name, rest := text, ""
	if i := strings.IndexByte(text, '<'); i >= 0 {
		end := closing(text, i)
		if end < 0 {
			return typ{}
		}
		name, rest = text[:i], text[end+1:]
		text = text[i+1 : end]
	} else {
		text = ""
	}
	name = strings.Trim(name, "` ")
	if name == "" || strings.ContainsAny(name, " ()[]{}*&|") || name == "var" || name == "_" {
		return typ{}
	}
	if t, ok := e[name]; ok && text == "" {
		return t
	}
	if rest != "" { // a type inside of a generic one
		if nested := strings.TrimPrefix(rest, "."); nested != rest {
			return b.namedType(name+"."+nested, at, e, depth+1)
		}
		return typ{}
	}
	var args []typ
	for _, a := range splitTop(text) {
		args = append(args, b.typeAt(a, at, e, depth+1))
	}
	if builtinType(name) {
		return typ{name: plainType(name), args: args}
	}
	if t, ok := b.parameterBound(name, at, e, depth); ok {
		return t
	}
	s, external := b.typeSymbol(name, len(args), at)
	if s.f == nil {
		if external {
			_, last := b.split(name)
			return typ{name: plainType(last), args: args}
		}
		return typ{}
	}
	if alias := b.aliased(s); alias != "" && depth < maxTypeDepth {
		return b.in(s).typeAt(alias, s, nil, depth+2)
	}
	return typ{sym: s, args: args}
}

// aliased returns what an alias of a type stands for, where the text says it.
func (b binder) aliased(s sym) string {
	if !b.Receivers || s.d().Kind != graph.KindType {
		return ""
	}
	_, text, _ := strings.Cut(s.d().Signature, "=")
	return strings.TrimSpace(text)
}

// parameterBound reports whether a name is one of a type parameter around a place, and
// returns what it is bound by.
func (b binder) parameterBound(name string, at sym, e env, depth int) (typ, bool) {
	if strings.IndexByte(name, '.') >= 0 {
		return typ{}, false
	}
	for def := at.def; def != graph.NoDef; def = at.f.Defs[def].Container {
		s := sym{at.f, at.id, def}
		if sig := s.d().Signature; s.d().Kind == graph.KindNamespace || strings.IndexByte(sig, '<') < 0 {
			continue
		}
		h := b.headerOf(s)
		for _, g := range h.generics {
			if g == name {
				if text := h.bounds[name]; text != "" && text != name {
					return b.typeAt(text, s, e, depth+2), true
				}
				return typ{}, true
			}
		}
	}
	return typ{}, false
}

// foundType is what typeSymbol remembers.
type foundType struct {
	symbol   graph.Symbol
	external bool
}

const (
	ruleTyped = "generic.type"
	ruleBases = "generic.bases"
)

// typeSymbol finds a type by its name, with so many type arguments where several differ
// by them.
func (b binder) typeSymbol(name string, arity int, at sym) (sym, bool) {
	holder := at.def
	for holder != graph.NoDef && !holdsMembers(at.f.Defs[holder].Kind) && !b.holdsLocalType(at, holder) {
		holder = at.f.Defs[holder].Container
	}
	key := graph.Derivation{Rule: ruleTyped, File: at.id, Name: name, In: strconv.Itoa(int(holder)), Owner: strconv.Itoa(arity)}
	found := graph.Derived(b.v, key, func() foundType {
		fuel := maxTypedSteps
		in := b.in(at)
		in.fuel = &fuel
		return in.findType(strings.Clone(name), arity, holder)
	})
	if found.symbol.File == 0 && found.symbol.Def == graph.NoDef {
		return sym{}, found.external
	}
	f := b.facts(found.symbol.File)
	if f == nil || int(found.symbol.Def) >= len(f.Defs) {
		return sym{}, false
	}
	return sym{f, found.symbol.File, found.symbol.Def}, false
}

// holdsLocalType reports whether a function defines a type.
func (b binder) holdsLocalType(at sym, def int32) bool {
	for i := int(def) + 1; i < len(at.f.Defs) && at.f.Defs[i].Span.Start < at.f.Defs[def].Span.End; i++ {
		if at.f.Defs[i].Container == def && holdsMembers(at.f.Defs[i].Kind) {
			return true
		}
	}
	return false
}

func (b binder) findType(name string, arity int, from int32) foundType {
	qualifier, last := b.split(name)
	var r result
	if qualifier == "" {
		r = b.typeName(last, from)
	} else {
		r = b.types(b.qualified(qualifier, last, from))
		if len(r.syms) == 0 {
			if s, _ := b.typeSymbol(qualifier, 0, sym{b.f, b.id, from}); s.f != nil {
				for _, m := range b.membersOf(typ{sym: s}, last, isTypeDef).list {
					r.syms = append(r.syms, m.sym)
				}
			}
		}
	}
	if len(r.syms) == 0 {
		return foundType{symbol: graph.Symbol{Def: graph.NoDef}, external: r.external}
	}
	best, score := r.syms[0], -1
	for _, s := range r.syms {
		if n := b.nearness(s, arity); n > score {
			best, score = s, n
		}
	}
	return foundType{symbol: best.symbol()}
}

// nearness ranks types of one name: by whether they take so many type arguments, then, of
// those that are made anew for each platform, by how near in the tree they are, and what
// all platforms share before the others.
func (b binder) nearness(s sym, arity int) int {
	n := 0
	if len(b.headerOf(s).generics) == arity {
		n = 1 << 16
	}
	if !b.Receivers {
		return n
	}
	n += 2 * sharedFolders(string(s.f.Path), string(b.f.Path))
	if strings.Contains(s.d().Signature, "expect ") {
		n++
	}
	return n
}

// sharedFolders counts the folders that two paths begin with.
func sharedFolders(a, b string) (n int) {
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

func isTypeDef(d *graph.Def) bool { return holdsMembers(d.Kind) && d.Kind != graph.KindNamespace }

// typeName finds a type by its name alone: properties may have the same.
func (b binder) typeName(name string, from int32) result {
	for at := from; at != graph.NoDef; at = b.f.Defs[at].Container {
		d := &b.f.Defs[at]
		if !holdsMembers(d.Kind) {
			for i := b.f.NextNamed(name, 0); i != graph.NoDef; i = b.f.NextNamed(name, i+1) {
				if b.f.Defs[i].Container == at && isTypeDef(&b.f.Defs[i]) {
					return result{syms: []sym{{b.f, b.id, i}}}
				}
			}
			continue
		}
		if d.Kind == graph.KindNamespace {
			continue
		}
		if d.Name == name {
			return result{syms: []sym{{b.f, b.id, at}}}
		}
		if ms := b.membersOf(typ{sym: sym{b.f, b.id, at}}, name, isTypeDef); len(ms.list) > 0 {
			r := result{}
			for _, m := range ms.list {
				r.syms = append(r.syms, m.sym)
			}
			return r
		}
	}
	top := from
	for top != graph.NoDef && b.f.Defs[top].Kind != graph.KindNamespace {
		top = b.f.Defs[top].Container
	}
	if r := b.types(b.name(name, top)); len(r.syms) > 0 {
		return r
	}
	if r := b.types(b.globallyImported(name)); len(r.syms) > 0 {
		return r
	}
	return result{external: b.proper(name) || len(b.definers(name)) == 0}
}
