package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/graph"
)

// nearest lists full names that come close to a target that matches nothing: of
// definitions with its last name or with another spelling of it, else of those that one
// slip of a finger leads to.
func (r *reader) nearest(target string) []string {
	last := lastName(normal(target))
	var out []string
	for _, n := range spellings(last) {
		out = r.namesOf(n, r.v.Definers(n), out)
	}
	if len(out) > 0 {
		return out
	}
	slips(last, func(n string) bool {
		// There are hundreds of them, and nothing follows from those that lead nowhere.
		if ids := r.whole.Definers(n); len(ids) > 0 {
			out = r.namesOf(n, ids, out)
		}
		return len(out) < nearestMost && r.alive()
	})
	return out
}

// namesOf adds the full names of the definitions of a name in some files.
func (r *reader) namesOf(name string, ids []graph.FileID, out []string) []string {
	// By path: in the order of ids two indexes of one tree would choose differently.
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b graph.FileID) int {
		return comparePlaces(r.v, graph.Symbol{File: a}, graph.Symbol{File: b})
	})
	for _, id := range ids {
		f := r.facts(id)
		if len(out) >= nearestMost || f == nil || !r.alive() {
			break
		}
		for i := range f.Defs {
			if l := ""; f.Defs[i].Name == name && len(out) < nearestMost {
				if l = r.label(graph.Symbol{File: id, Def: int32(i)}); !slices.Contains(out, l) {
					out = append(out, l)
				}
			}
		}
	}
	return out
}

// nearestIn lists what comes close to a name that a file does not define.
func (r *reader) nearestIn(f *graph.Facts, file graph.FileID, name string) []string {
	last := lastName(normal(name))
	near := make(map[string]bool)
	for _, n := range spellings(last) {
		near[n] = true
	}
	slips(last, func(n string) bool {
		near[n] = true
		return true
	})
	var out []string
	for i := range f.Defs {
		if near[f.Defs[i].Name] && len(out) < nearestMost {
			out = append(out, r.label(graph.Symbol{File: file, Def: int32(i)}))
		}
	}
	return out
}

// slips calls yield with the ways in which a name may have been mistyped by one letter,
// until it returns false: two letters swapped, one too many, one too few, another one.
// Short names are left alone: everything is near to them.
func slips(name string, yield func(string) bool) {
	const least, most = 3, 64
	if len(name) < least || len(name) > most || strings.ContainsFunc(name, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return
	}
	letters := "abcdefghijklmnopqrstuvwxyz_"
	if strings.ContainsFunc(name, unicode.IsUpper) {
		letters += "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	}
	for i := 0; i+1 < len(name); i++ {
		if name[i] != name[i+1] && !yield(name[:i]+name[i+1:i+2]+name[i:i+1]+name[i+2:]) {
			return
		}
	}
	for i := range name {
		if !yield(name[:i] + name[i+1:]) {
			return
		}
	}
	for i := 0; i <= len(name); i++ {
		for k := range letters {
			if !yield(name[:i] + letters[k:k+1] + name[i:]) {
				return
			}
			if i < len(name) && name[i] != letters[k] && !yield(name[:i]+letters[k:k+1]+name[i+1:]) {
				return
			}
		}
	}
}

// spellings lists ways in which a name may have been meant.
func spellings(name string) []string {
	out := []string{name}
	add := func(s string) {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	c, n := utf8.DecodeRuneInString(name)
	if n == 0 {
		return nil
	}
	add(string(unicode.ToUpper(c)) + name[n:])
	add(string(unicode.ToLower(c)) + name[n:])
	add(strings.ToLower(name))
	add(snake(name))
	add(camel(name))
	return out
}

func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

func camel(name string) string {
	var b strings.Builder
	up := false
	for _, c := range name {
		if c == '_' {
			up = b.Len() > 0
			continue
		}
		if up {
			c = unicode.ToUpper(c)
		}
		up = false
		b.WriteRune(c)
	}
	return b.String()
}
