package c

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// How an argument goes where a parameter stands, from best to worst.
const (
	noRank       = -1
	exactRank    = 0 // with 1 for a const that is added
	promoteRank  = 10
	convertRank  = 20 // with the number of classes between a class and its base
	looseRank    = 28 // to void*, and worse to bool
	userRank     = 40
	ellipsisRank = 60
	unknownRank  = 99
)

// convert says how an argument goes where a parameter of a type stands. names are of
// template parameters; user allows for conversions that classes define.
func convert(b *binder, a, p *ctype, names []string, user bool) int {
	if !p.known() || !a.known() {
		return unknownRank
	}
	if k, ok := generic(a, p, names); ok {
		return k
	}
	if p.ref == 1 && !p.isConst && a.ref == 0 && p.ptr == 0 || p.ref == 2 && a.ref == 1 {
		return noRank // a value has no place, or has one
	}
	k := plainConvert(b, a, p, user)
	if p.ref == 1 && p.ptr == 0 && !p.isConst && k >= promoteRank && (k < convertRank || p.isNumber()) {
		return noRank // what is converted has no place
	}
	if p.ref == 1 && p.ptr == 0 && !p.isConst && a.isConst && a.ptr == 0 && k == exactRank {
		return noRank
	}
	if k == exactRank && (p.ref == 1 && p.isConst && p.ptr == 0 && (!a.isConst || a.ref == 0)) {
		return exactRank + 1
	}
	return k
}

// generic is convert for the parameters of a template.
func generic(a, p *ctype, names []string) (rank int, ok bool) {
	switch {
	case slices.Contains(names, p.name):
		if p.ptr > 0 && a.ptr < p.ptr && !a.null {
			return noRank, number(a.name) != "" || a.ptr > 0 || len(a.class) > 0
		}
		if p.ptr > 0 && a.ptr >= p.ptr || p.ptr == 0 {
			return exactRank, true
		}
		return unknownRank, true
	case p.args != "" && slices.ContainsFunc(names, func(n string) bool { return hasWord(p.args, n) }):
		switch {
		case a.null || a.ptr != p.ptr || a.isNumber():
			return noRank, true
		case a.base() == p.base() || p.base() == "initializer_list":
			return exactRank, true
		case strings.HasPrefix(a.name, "std::") && strings.HasPrefix(p.name, "std::"):
			return noRank, true
		}
		return unknownRank, true
	case slices.ContainsFunc(names, func(n string) bool { return hasWord(p.name, n) }):
		return unknownRank, true
	}
	return 0, false
}

// hasWord reports whether a name stands in a text as a word.
func hasWord(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		if end := i + len(name); (i == 0 || !isWord(text[i-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		at = i + 1
	}
}

func plainConvert(b *binder, a, p *ctype, user bool) int {
	switch {
	case a.null:
		switch {
		case p.ptr > 0:
			return convertRank
		case p.name == "std::nullptr_t" || p.name == "nullptr_t":
			return exactRank
		case p.isNumber() || p.isEnum():
			return noRank
		}
		return userRank
	case p.ptr > 0:
		return toPointer(b, a, p)
	case a.ptr > 0:
		if p.name == "bool" {
			return looseRank + 1
		}
		if p.isNumber() || p.isEnum() {
			return noRank
		}
		return toClass(b, a, p, user)
	case p.isNumber():
		return toNumber(b, a, p)
	case p.isEnum() || a.isEnum():
		if same, _ := sameName(a, p); same {
			return exactRank
		}
		if p.isEnum() {
			if a.isNumber() || a.isEnum() {
				return noRank
			}
			return unknownRank
		}
	}
	return toClass(b, a, p, user)
}

func toPointer(b *binder, a, p *ctype) int {
	switch {
	case a.zero:
		return convertRank
	case a.ptr == 0 && (a.isNumber() || a.isEnum()):
		return noRank
	case a.ptr == 0:
		return converts(b, a, true)
	}
	loses := a.isConst && !p.isConst
	same, sure := sameName(a, p)
	switch {
	case same && !sure:
		return unknownRank
	case same && a.ptr == p.ptr:
		if loses {
			return noRank
		}
		if p.isConst && !a.isConst {
			return exactRank + 1
		}
		return exactRank
	case p.name == "void" && p.ptr == 1:
		if loses && a.ptr == 1 {
			return noRank
		}
		return looseRank
	case a.ptr != p.ptr || a.ptr > 1 || number(a.name) != "" || number(p.name) != "":
		return noRank
	}
	if k := derives(b, a, p); k != noRank && loses {
		return noRank
	} else {
		return k
	}
}

// derives says how a class goes where a base of it stands.
func derives(b *binder, a, p *ctype) int {
	if len(a.class) == 0 {
		if len(p.class) > 0 {
			return noRank // a class of the library builds on none of the tree
		}
		return unknownRank
	}
	open := false
	level := a.class
	seen := map[graph.Symbol]bool{}
	for depth := 1; depth <= maxBases && len(level) > 0; depth++ {
		var next []sym
		for _, s := range level {
			if seen[s.symbol()] {
				continue
			}
			seen[s.symbol()] = true
			for i := range s.f.Heritage {
				h := &s.f.Heritage[i]
				if h.Def != s.def {
					continue
				}
				c := b.at(s)
				u := c.readType(strings.TrimPrefix(h.Qualifier+"::"+h.Name, "::"))
				u.look()
				if same, _ := sameName(&u, p); same {
					return convertRank + min(depth, 7)
				}
				if len(u.class) == 0 {
					open = true
				}
				next = append(next, u.class...)
			}
		}
		level = next
	}
	if open && len(p.class) == 0 {
		return unknownRank
	}
	return noRank
}

func toNumber(b *binder, a, p *ctype) int {
	switch {
	case a.isNumber() && a.name == p.name:
		return exactRank
	case a.isNumber() && (p.name == "int" && small(a.name) || p.name == "double" && a.name == "float"):
		return promoteRank
	case a.isNumber():
		return convertRank
	case a.isEnum():
		switch {
		case scopedEnum(a.class[0].d()):
			return noRank
		case p.name == "int":
			return promoteRank
		}
		return convertRank
	}
	return converts(b, a, false)
}

// converts says whether a class may convert its objects to numbers or pointers.
func converts(b *binder, a *ctype, pointer bool) int {
	if len(a.class) == 0 {
		switch strings.TrimPrefix(a.name, "std::") {
		case "string", "string_view", "vector", "map", "set", "pair", "tuple", "unique_ptr", "shared_ptr", "unordered_map", "unordered_set", "deque", "list":
			return noRank
		}
		return unknownRank
	}
	level := a.class
	for range maxBases {
		var next []sym
		for _, s := range level {
			for i := range s.f.Defs {
				d := &s.f.Defs[i]
				if d.Container != s.def || !strings.HasPrefix(d.Name, "operator ") {
					continue
				}
				if to := strings.TrimPrefix(d.Name, "operator "); isWord(to[0]) && to != "new" && to != "delete" && (pointer || to != "bool" || !strings.Contains(d.Signature, "explicit")) {
					return userRank
				}
			}
			for i := range s.f.Heritage {
				h := &s.f.Heritage[i]
				if h.Def != s.def {
					continue
				}
				types, _ := b.at(s).types(strings.TrimPrefix(h.Qualifier+"::"+h.Name, "::"))
				if len(types) == 0 {
					return unknownRank
				}
				next = append(next, types...)
			}
		}
		if level = next; len(level) == 0 {
			break
		}
	}
	return noRank
}

// toClass says how a value goes where an object of a class stands.
func toClass(b *binder, a, p *ctype, user bool) int {
	if a.ptr == 0 && !a.isNumber() && !a.isEnum() {
		same, sure := sameName(a, p)
		switch {
		case same && !sure:
			return unknownRank
		case same:
			return exactRank
		}
		if k := derives(b, a, p); k != noRank {
			return k
		}
	}
	if !user {
		return noRank
	}
	if len(p.class) == 0 {
		if number(p.name) != "" || a.isNumber() && (p.base() == "string" || p.base() == "string_view") {
			return noRank
		}
		return userRank
	}
	if a.ptr == 0 && !a.isNumber() && !a.isEnum() && converts(b, a, true) != noRank {
		return userRank
	}
	return constructs(b, a, p)
}

// constructs says whether a class makes an object of one value without being told.
func constructs(b *binder, a, p *ctype) int {
	best := noRank
	for _, s := range p.class {
		if s.d().Kind == graph.KindType {
			return unknownRank
		}
		names, _ := templateNames(s.d().Signature)
		c := b.at(s)
		for _, m := range memberIn(s, s.d().Name) {
			sig := m.d().Signature
			least, most, ok := paramCount(sig)
			if m.d().Kind != graph.KindMethod || ok && (least > 1 || most == 0) || strings.Contains(sig[:max(0, parameterStart(sig))], "explicit") {
				continue
			}
			list := parameterTypes(sig)
			own, _ := templateNames(sig)
			if !ok || len(list) == 0 || len(own) > 0 {
				return userRank
			}
			t := c.readType(list[0])
			t.look()
			if k := convert(b, a, &t, names, false); k != noRank {
				best = userRank
			}
		}
		for i := range s.f.Imports { // constructors of a base
			if im := &s.f.Imports[i]; im.Enclosing == s.def && !isInclude(im) {
				return userRank
			}
		}
	}
	return best
}
