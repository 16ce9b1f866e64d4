package query

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// modules compares files with a target that may name a module, a package, or the end
// of a path.
type modules struct {
	r               *reader
	target          string
	t, base, dotted string // as a normal name, its last element, and with slashes for dots
	known           map[packageDir]named
}

type packageDir struct {
	language string
	dir      graph.Path
}

// named says how the name of a package matches.
type named struct {
	files []graph.FileID
	how   match
}

type match uint8

const (
	matchNone match = iota
	matchSuffix
	matchExact
)

// byModule finds files by the name of their module or by the end of their path, and
// packages by their name.
func (r *reader) byModule(target string) *Resolution {
	l, ok := r.whole.(FileLister)
	if !ok {
		return &Resolution{}
	}
	target = strings.TrimSuffix(strings.TrimPrefix(target, "./"), "/")
	m := modules{r: r, target: target, t: normal(target), known: make(map[packageDir]named)}
	m.base, m.dotted = lastName(m.t), strings.ReplaceAll(m.t, ".", "/")
	var byHow [matchExact + 1][]graph.Symbol
	for _, id := range l.Files() {
		if !r.alive() {
			break
		}
		if rec, ok := r.v.File(id); ok {
			if s, how := m.match(&rec); how != matchNone && !slices.Contains(byHow[how], s) {
				byHow[how] = append(byHow[how], s)
			}
		}
	}
	found := byHow[matchExact]
	if len(found) == 0 {
		found = byHow[matchSuffix]
	}
	return m.resolution(found)
}

// match compares one file; what it names may be another file, the first of a package.
// The cheap comparisons come first.
func (m *modules) match(rec *graph.File) (graph.Symbol, match) {
	s := graph.Symbol{File: rec.ID, Def: graph.NoDef}
	dir := string(rec.Path.Dir())
	switch {
	case !strings.Contains(string(rec.Path), m.base):
		return s, matchNone
	case endsWith(string(rec.Path), m.target):
		return s, matchSuffix
	case !endsWith(dir, m.base) && !endsWith(dir, m.dotted) && !strings.Contains(rec.Path.Base(), m.base):
		return s, matchNone
	}
	at := packageDir{rec.Language, rec.Path.Dir()}
	if known, ok := m.known[at]; ok && (known.how != matchNone || slices.Contains(known.files, rec.ID)) {
		return graph.Symbol{File: known.files[0], Def: graph.NoDef}, known.how
	}
	how := matchNone
	switch full := normal(m.r.packageName(rec.ID)); {
	case full == "":
	case full == m.t:
		how = matchExact
	case endsWith(full, m.t):
		how = matchSuffix
	}
	if files := m.r.packageOf(rec.ID); files != nil {
		m.known[at] = named{files, how}
		s.File = files[0]
	}
	return s, how
}

// resolution leaves out the tests of packages that were found, and takes a package that
// was found alone as a whole.
func (m *modules) resolution(found []graph.Symbol) *Resolution {
	var whole []graph.FileID
	found = slices.DeleteFunc(found, func(s graph.Symbol) bool {
		rec, _ := m.r.v.File(s.File)
		known := m.known[packageDir{rec.Language, rec.Path.Dir()}]
		if known.how == matchNone || endsWith(string(rec.Path), m.target) {
			return false
		}
		whole = known.files
		return known.files[0] != s.File
	})
	if len(found) == 1 && len(whole) > 0 && found[0].File == whole[0] {
		return packageResolution(whole)
	}
	res := &Resolution{Symbols: found, Packages: make(map[graph.Symbol]string)}
	for _, s := range found {
		rec, _ := m.r.v.File(s.File)
		if known := m.known[packageDir{rec.Language, rec.Path.Dir()}]; known.how != matchNone && known.files[0] == s.File {
			res.Packages[s] = m.r.packageName(s.File)
		}
	}
	return res
}

func packageResolution(files []graph.FileID) *Resolution {
	res := &Resolution{Package: true}
	for _, id := range files {
		res.Symbols = append(res.Symbols, graph.Symbol{File: id, Def: graph.NoDef})
	}
	return res
}

// inManifest returns the files of the package in whose directory a manifest names its
// module, where that name, and nothing else, was found.
func (r *reader) inManifest(found []graph.Symbol) []graph.FileID {
	if len(found) != 1 {
		return nil
	}
	f := r.facts(found[0].File)
	if f == nil || f.Defs[found[0].Def].Kind != graph.KindModule {
		return nil
	}
	for _, id := range r.v.Dir(f.Path.Dir()) {
		if files := r.packageOf(id); files != nil && r.packageName(files[0]) == f.Defs[found[0].Def].Name {
			return files
		}
	}
	return nil
}
