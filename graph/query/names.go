package query

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ralph-index/ralph-index/graph"
)

// normal writes a name in the form in which names are compared: without the marks
// of receivers and type arguments, and with one separator of members. So
// "net/http.(*Server).Serve", "net/http::Server#Serve" and "net/http.Server.Serve"
// are one name.
func normal(name string) string {
	if !strings.ContainsAny(name, "()*[]:#") {
		return name
	}
	var b strings.Builder
	b.Grow(len(name))
	nested := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '[':
			nested++
		case c == ']':
			nested = max(0, nested-1)
		case nested > 0 || c == '(' || c == ')' || c == '*':
		case c == ':' && i+1 < len(name) && name[i+1] == ':':
			b.WriteByte('.')
			i++
		case c == '#':
			b.WriteByte('.')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isBoundary(c byte) bool { return c == '.' || c == '/' || c == ':' || c == '\\' }

// lastName returns what stands behind the last boundary of a normal name.
func lastName(n string) string {
	for i := len(n) - 1; i >= 0; i-- {
		if isBoundary(n[i]) {
			return n[i+1:]
		}
	}
	return n
}

// endsWith reports whether the normal name n ends with t from a boundary on.
func endsWith(n, t string) bool {
	return strings.HasSuffix(n, t) && (len(n) == len(t) || isBoundary(n[len(n)-len(t)-1]))
}

// byName finds the definitions that a name denotes.
func (r *reader) byName(target string) []graph.Symbol {
	t := normal(target)
	m := matcher{r: r, target: t}
	last := lastName(t)
	if last != "" {
		m.collect(last)
	}
	if target != last {
		m.collect(target) // a heading may hold anything
	}
	return m.best()
}

// matcher gathers the definitions whose full name is, or ends with, the target.
type matcher struct {
	r      *reader
	target string
	exact  []graph.Symbol
	suffix []graph.Symbol
}

// crowd is the number of defining files from which on full names are only made
// where the element before the last one shows up.
const crowd = 200

func (m *matcher) collect(name string) {
	r := m.r
	ids := r.v.Definers(name)
	before := ""
	if head := strings.TrimSuffix(m.target, name); len(ids) > crowd && len(head) > 1 {
		before = lastName(head[:len(head)-1])
	}
	for _, id := range ids {
		if !r.alive() {
			return
		}
		f := r.facts(id)
		if f == nil {
			continue
		}
		for i := range f.Defs {
			if f.Defs[i].Name != name || canonical(f, int32(i)) != int32(i) {
				continue
			}
			if before != "" && f.Package != before && !strings.Contains(f.Defs[i].Local, before) && !strings.Contains(string(f.Path), before) {
				continue
			}
			m.consider(graph.Symbol{File: id, Def: int32(i)}, f)
		}
	}
}

func (m *matcher) consider(s graph.Symbol, f *graph.Facts) {
	d := &f.Defs[s.Def]
	full := normal(m.r.label(s))
	switch {
	case full == m.target:
		m.exact = append(m.exact, s)
	case endsWith(full, m.target), endsWith(normal(d.Local), m.target), d.Name == m.target:
		m.suffix = append(m.suffix, s)
	}
}

// best returns the full matches, or else the others; of either those that are no mere
// declarations, stand in what people write and not in what is built from it or brought
// in, and that other files can name, where there are such. A property's accessors are one symbol.
func (m *matcher) best() []graph.Symbol {
	def := func(s graph.Symbol) *graph.Def { return &m.r.facts(s.File).Defs[s.Def] }
	local := func(s graph.Symbol) bool { return def(s).Has(graph.FlagLocal) }
	if m.r.damage != nil {
		return nil
	}
	code := func(s graph.Symbol) bool {
		k := def(s).Kind
		return k != graph.KindKey && !isHeading(k) && !local(s)
	}
	if lastName(m.target) == m.target && (slices.ContainsFunc(m.exact, code) || slices.ContainsFunc(m.suffix, code)) {
		setting := func(s graph.Symbol) bool { return isSetting(def(s)) }
		m.exact, m.suffix = slices.DeleteFunc(m.exact, setting), slices.DeleteFunc(m.suffix, setting)
	}
	declared := func(s graph.Symbol) bool { return def(s).Has(graph.FlagDeclaration) }
	made := func(s graph.Symbol) bool { return m.r.facts(s.File).Role == graph.RoleGenerated }
	for _, list := range [...]*[]graph.Symbol{&m.exact, &m.suffix} {
		for _, lesser := range [...]func(graph.Symbol) bool{declared, made} {
			if slices.ContainsFunc(*list, func(s graph.Symbol) bool { return !lesser(s) }) {
				*list = slices.DeleteFunc(*list, lesser)
			}
		}
	}
	found := m.exact
	if len(found) == 0 {
		found = m.suffix
	}
	if !slices.ContainsFunc(found, func(s graph.Symbol) bool { return !local(s) }) {
		return m.accessors(found)
	}
	return m.accessors(slices.DeleteFunc(found, local))
}

// isSetting reports whether a definition is the key of a setting in a project file, such
// as "version": its name alone means code of that name, if there is any. A script is
// something that is run, like code.
func isSetting(d *graph.Def) bool {
	return d.Kind == graph.KindKey && !strings.Contains("."+d.Local, ".scripts.")
}

func (m *matcher) accessors(found []graph.Symbol) []graph.Symbol {
	var out []graph.Symbol
	for _, s := range found {
		f := m.r.facts(s.File)
		if f == nil {
			return nil
		}
		d := &f.Defs[s.Def]
		same := func(o graph.Symbol) bool {
			if o.File != s.File || d.Kind != graph.KindProperty {
				return false
			}
			e := &f.Defs[o.Def]
			return e.Kind == d.Kind && e.Local == d.Local && e.Container == d.Container
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, s)
		}
	}
	return out
}

// inFile finds the definitions of one file that a name, or a heading's slug,
// denotes.
func (r *reader) inFile(f *graph.Facts, file graph.FileID, name string) []graph.Symbol {
	m := matcher{r: r, target: normal(name)}
	slug := slugOf(name)
	for i := range f.Defs {
		d, s := &f.Defs[i], graph.Symbol{File: file, Def: int32(i)}
		if canonical(f, int32(i)) != int32(i) {
			continue
		}
		switch local := normal(d.Local); {
		case local == m.target || d.Local == name:
			m.exact = append(m.exact, s)
		case d.Name == name, endsWith(local, m.target), isHeading(d.Kind) && slugOf(d.Name) == slug:
			m.suffix = append(m.suffix, s)
		}
	}
	return m.best()
}

func isHeading(k graph.Kind) bool { return len(k) == 2 && k[0] == 'h' }

// slugOf writes a heading as the anchor by which links name it.
func slugOf(heading string) string {
	var b strings.Builder
	for _, c := range strings.TrimSpace(heading) {
		switch {
		case c == ' ' || c == '-':
			b.WriteByte('-')
		case c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
			b.WriteRune(unicode.ToLower(c))
		}
	}
	return b.String()
}
