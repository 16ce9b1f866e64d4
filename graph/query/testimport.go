package query

import (
	"math"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// maxImporters bounds the files that use a module's name for their imports of it to be
// looked at: where there are more, to import it says little of a test.
const maxImporters = 400

// importing is how far an import is believed that no other test file has.
const importing = 0.4

// byImport finds the files of tests that import the target or its module.
func (s *suggester) byImport() {
	r := s.w.r
	syms := []graph.Symbol{s.target}
	if s.target.Def != graph.NoDef {
		syms = append(syms, fileOf(s.target))
	}
	for _, sym := range syms {
		if sym.Def == graph.NoDef && sym != s.target && s.common(sym.File) {
			continue
		}
		es := s.importsOf(sym)
		files := make(map[graph.FileID]float32)
		for i := range es {
			e := &es[i]
			if rec, ok := r.v.File(e.at); ok && e.rel == relImports && maybeTests(&rec) {
				files[e.at] = max(files[e.at], e.conf)
			}
		}
		each := importing / (1 + math.Log2(float64(max(1, len(files)))))
		for id, conf := range files {
			if p := s.file(id); p != nil {
				p.add(pointsOf(each*float64(conf)), "imports "+r.label(sym))
			}
		}
	}
}

// common reports whether so many files use the name of a file that to import it says
// little.
func (s *suggester) common(file graph.FileID) bool {
	rec, ok := s.w.r.v.File(file)
	stem, _, _ := strings.Cut(rec.Path.Base(), ".")
	return ok && len(s.w.r.v.Referrers(stem)) >= maxImporters
}

// importsOf returns the edges to a symbol, of those to a file the ones from tests.
func (s *suggester) importsOf(sym graph.Symbol) []edge {
	r := s.w.r
	if sym.Def != graph.NoDef {
		return r.in(sym)
	}
	var es []edge
	for _, n := range r.names(r.v, sym) {
		t := r.tableOf(cellKey{kind: cellTests, name: n, sym: sym}, s.testsAmong(r.v.Referrers(n)))
		for _, h := range t.byTarget[sym] {
			es = append(es, t.edge(h, sym))
		}
	}
	return dedupe(es)
}

// testsAmong returns those of some files that are files of tests, and can name the target:
// what stands in another language means something else by the same name.
func (s *suggester) testsAmong(ids []graph.FileID) (tests []graph.FileID) {
	for _, id := range ids {
		if rec, ok := s.w.r.v.File(id); ok && maybeTests(&rec) && s.names(rec.Language) {
			tests = append(tests, id)
		}
	}
	return tests
}

// names reports whether text of a language can name the target: it is of the target's own
// or of one that is bound with it.
func (s *suggester) names(language string) bool {
	if language == s.language {
		return true
	}
	a, b := s.w.r.p.byLang[language], s.w.r.p.byLang[s.language]
	return a != nil && a == b || onJVM(language) && onJVM(s.language)
}

// onJVM reports whether a language shares its classes with others.
func onJVM(language string) bool {
	switch language {
	case "java", "kotlin", "scala", "groovy":
		return true
	}
	return false
}
