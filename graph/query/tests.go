package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Bounds of the search for tests. Chains longer than that say little: most tests
// reach most of a program somehow.
const (
	maxTestDistance = 4
	maxTestVisits   = 500
	maxImporters    = 400 // that many files import a module: to do so says little of a test
)

// Tiers of suggestions, best first.
const (
	tierChain  = iota // calls lead from the test to the target
	tierImport        // a test file imports the target's module
	tierName          // the name says so
)

// suggested is one test before it is written out.
type suggested struct {
	found
	tier   int
	whole  bool // a file, where no single test is known
	near   int  // how close its place and name are to the target's
	reason string
}

// tests lists tests that are likely to notice a change of the target, best first:
// by the distance of the calls that lead to it, then by import, then by name; of
// equally sure ones those close to the target come first.
func (w *writer) tests(target graph.Symbol, req *Request) {
	s := &suggester{w: w, req: req, target: target, known: make(map[graph.Symbol]bool), ends: make(map[graph.Symbol]bool)}
	w.ans.Metadata.Relations = req.Relations
	only := parseRels(req.Relations)
	if rels := only & setOf(relCalls, relTests, relReferences, relInherits); rels != 0 {
		s.byChain(rels)
	}
	if only.has(relImports) && len(s.all) < req.Limit {
		s.byImport()
	}
	if len(req.Relations) == 0 && len(s.all) < req.Limit {
		s.byName()
	}
	slices.SortStableFunc(s.all, func(a, b suggested) int {
		return cmp.Or(
			cmp.Compare(a.tier, b.tier), cmp.Compare(a.dist, b.dist), compareBool(a.whole, b.whole), cmp.Compare(b.conf, a.conf), cmp.Compare(b.near, a.near),
			cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line),
		)
	})
	w.ans.Metadata.Total = len(s.all)
	if len(s.all) > req.Limit {
		s.all, w.ans.Truncated = s.all[:req.Limit], true
	}
	for _, t := range s.all {
		w.suggest(t)
		w.ans.ImpactedFiles = append(w.ans.ImpactedFiles, t.path)
	}
	slices.Sort(w.ans.ImpactedFiles)
	w.ans.ImpactedFiles = slices.Compact(w.ans.ImpactedFiles)
	w.sayUnbound(target)
	w.missing(MissingCoverage, len(w.ans.SuggestedTests))
}

// suggest writes one suggestion.
func (w *writer) suggest(t suggested) {
	rec, ok := w.r.v.File(t.sym.File)
	if !ok {
		return
	}
	out := SuggestedTest{
		ID: w.id(t.sym), Path: rec.Path, Name: w.r.label(t.sym), Kind: "test", Line: max(1, t.line),
		Confidence: Round(t.conf), Provenance: t.prov.provenance(), Distance: t.dist, Reasons: []string{t.reason},
		EvidenceID: graph.EvidenceID(rec.Path, rec.Hash, 1, max(1, rec.Lines)),
	}
	if t.whole {
		out.Kind = "test_file"
	}
	if f := w.r.facts(t.sym.File); f != nil && t.sym.Def != graph.NoDef {
		out.EvidenceID = graph.SpanID(rec.Path, rec.Hash, f.Defs[t.sym.Def].Span)
	}
	w.ans.SuggestedTests = append(w.ans.SuggestedTests, out)
	w.weaken(t.conf, t.prov)
}

type suggester struct {
	w      *writer
	req    *Request
	target graph.Symbol
	all    []suggested
	known  map[graph.Symbol]bool
	ends   map[graph.Symbol]bool // tests at which a chain ends
}

// add takes a suggestion unless it is known, or outside what was asked for.
func (s *suggester) add(t suggested) {
	rec, ok := s.w.r.v.File(t.sym.File)
	if !ok || s.known[t.sym] || !rec.Path.Under(s.req.ScopePath) || s.req.Role != "" && rec.Role != s.req.Role {
		return
	}
	s.known[t.sym] = true
	one := []found{t.found}
	s.w.place(one)
	t.found = one[0]
	t.near = s.nearness(t.found)
	s.all = append(s.all, t)
}

// nearness counts the directories that a test shares with the target; a test that
// has the target's name in its own is nearer than any other.
func (s *suggester) nearness(t found) int {
	const named = 1000
	rec, ok := s.w.r.v.File(s.target.File)
	if !ok {
		return 0
	}
	n := 0
	a, b := strings.Split(string(rec.Path.Dir()), "/"), strings.Split(string(t.path.Dir()), "/")
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(lastName(normal(name)), "_", "")) }
	if name := plain(s.w.local(s.target)); len(name) > 2 && s.target.Def != graph.NoDef && strings.Contains(plain(s.w.local(t.sym)), name) {
		n += named
	}
	return n
}

// covered reports whether a test of the file is suggested already.
func (s *suggester) covered(file graph.FileID) bool {
	return slices.ContainsFunc(s.all, func(t suggested) bool { return t.sym.File == file })
}

// byChain walks from the target to those who use it until tests are reached.
func (s *suggester) byChain(rels relSet) {
	w := s.w
	b := w.backward(w.seeds(s.target, false), rels)
	helpers := make(map[graph.FileID]found) // ends of chains in files of tests
	open := func(i int) bool { return !s.ends[b.nodes[i].sym] }
	for i := 0; i < len(b.nodes); i++ {
		n := b.nodes[i]
		if n.dist > 0 && b.complete(i) && w.r.check() {
			for _, at := range b.nodes[i:] { // the whole distance: the cut is the same every time
				s.reached(b, at)
			}
			if len(s.all) >= s.req.Limit || len(b.nodes) > maxTestVisits || n.dist > maxTestDistance {
				w.ans.Truncated = true
				break
			}
		}
		if !b.look(i, open) {
			break
		}
		f := w.r.facts(n.sym.File)
		if f == nil || !open(i) {
			continue
		}
		before := len(b.nodes)
		b.expand(i)
		if n.dist > 0 || n.sym == s.target {
			b.fixtureUsers(i, f)
		}
		if _, dup := helpers[n.sym.File]; !dup && n.dist > 0 && len(b.nodes) == before && f.Role == graph.RoleTest {
			helpers[n.sym.File] = n
		}
	}
	w.sayDispatch(b.met, s.target)
	w.sayBroken(b.met)
	for file, n := range helpers {
		if !s.covered(file) {
			t := b.suggestion(n)
			t.whole, t.sym, t.conf = true, graph.Symbol{File: file, Def: graph.NoDef}, n.conf/2
			t.reason = "calls via helper " + w.local(n.sym)
			s.add(t)
		}
	}
}

// reached adds a node that is a test, or the top level of a file of tests. The
// chain ends there.
func (s *suggester) reached(b *backward, n found) {
	f := s.w.r.facts(n.sym.File)
	if f == nil {
		return
	}
	t := b.suggestion(n)
	t.whole = n.sym.Def == graph.NoDef
	if isTestDef(f, n.sym.Def) && f.Defs[n.sym.Def].Kind != graph.KindClass || t.whole && f.Role == graph.RoleTest {
		s.ends[n.sym] = true
		s.add(t)
	}
}

// fixtureUsers reaches the tests for which a runner runs a fixture without naming
// it: those of its class, or of its file.
func (b *backward) fixtureUsers(i int, f *graph.Facts) {
	def := b.nodes[i].sym.Def
	if def == graph.NoDef || !f.Defs[def].Has(graph.FlagFixture) {
		return
	}
	for _, e := range b.met {
		if e.dst == b.nodes[i].sym && e.flags&siteFixture != 0 {
			return // it is named where it is used
		}
	}
	holder := f.Defs[def].Container
	for k := range f.Defs {
		if f.Defs[k].Has(graph.FlagTest) && (holder == graph.NoDef || f.Defs[k].Container == holder) {
			e := edge{dst: b.nodes[i].sym, conf: 0.9}
			e.site = site{prov: provInferred, rel: relCalls, flags: siteFixture, reason: reasonOf(graph.ReasonFixture)}
			b.reach(i, graph.Symbol{File: b.nodes[i].sym.File, Def: int32(k)}, &e)
		}
	}
}

// suggestion says how the chain from a node to the target begins.
func (b *backward) suggestion(n found) suggested {
	t := suggested{found: n, tier: tierChain}
	next := b.nodes[n.from]
	switch {
	case n.flags&siteFixture != 0:
		t.reason = "fixture " + b.w.local(next.sym)
	case next.dist == 0:
		t.reason = verb(n.rel)
	default:
		t.reason = verb(n.rel) + " via helper " + b.w.local(next.sym)
	}
	return t
}

func verb(r rel) string {
	switch r {
	case relReferences:
		return "references"
	case relInherits:
		return "inherits"
	case relImports:
		return "imports"
	}
	return "calls"
}

// local returns a definition's name inside its file; a file's path.
func (w *writer) local(s graph.Symbol) string {
	if f := w.r.facts(s.File); f != nil && s.Def != graph.NoDef {
		return f.Defs[s.Def].Local
	}
	return w.r.label(s)
}

// byImport adds files of tests that import the target or its module.
func (s *suggester) byImport() {
	r := s.w.r
	syms := []graph.Symbol{s.target}
	if s.target.Def != graph.NoDef {
		syms = append(syms, fileOf(s.target))
	}
	for _, sym := range syms {
		if sym != s.target && s.common(sym.File) {
			continue
		}
		es := s.importsOf(sym)
		for i := range es {
			e := &es[i]
			rec, ok := r.v.File(e.at)
			if e.rel != relImports || !ok || rec.Role != graph.RoleTest || s.covered(e.at) {
				continue
			}
			t := suggested{tier: tierImport, whole: true, reason: "imports " + r.label(sym)}
			t.found = found{sym: graph.Symbol{File: e.at, Def: graph.NoDef}, conf: e.conf * 0.6, prov: provInferred}
			s.add(t)
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
		var tests []graph.FileID
		for _, id := range r.v.Referrers(n) {
			if rec, ok := r.v.File(id); ok && rec.Role == graph.RoleTest {
				tests = append(tests, id)
			}
		}
		t := r.tableOf(cellKey{kind: cellTests, name: n, sym: sym}, tests)
		for _, h := range t.byTarget[sym] {
			es = append(es, t.edge(h, sym))
		}
	}
	return dedupe(es)
}

// byName adds tests and files whose names say that they are about the target.
func (s *suggester) byName() {
	r := s.w.r
	if f := r.facts(s.target.File); f != nil && s.target.Def != graph.NoDef {
		s.namedTests(f)
	}
	for _, part := range r.partsOf(fileOf(s.target)) {
		rec, _ := r.v.File(part.File)
		for _, p := range testPaths(rec.Path) {
			id, ok := r.v.Lookup(p)
			if !ok || !r.alive() || id == part.File || s.covered(id) {
				continue
			}
			t := suggested{tier: tierName, whole: true, reason: "name"}
			t.found = found{sym: graph.Symbol{File: id, Def: graph.NoDef}, conf: 0.3, prov: provInferred}
			s.add(t)
		}
	}
}

func (s *suggester) namedTests(f *graph.Facts) {
	r := s.w.r
	d := &f.Defs[s.target.Def]
	holder := d.Owner
	if d.Container != graph.NoDef {
		holder = f.Defs[d.Container].Name
	}
	for _, n := range testNames(d.Name, holder) {
		ids := r.v.Definers(n)
		for _, id := range ids {
			g := r.facts(id)
			if g == nil || !r.alive() {
				break
			}
			// A common name says little from far away.
			if len(ids) > 1 && g.Path.Dir() != f.Path.Dir() {
				continue
			}
			for i := range g.Defs {
				if g.Defs[i].Name == n && (g.Defs[i].Has(graph.FlagTest) || g.Role == graph.RoleTest && isType(g.Defs[i].Kind)) {
					t := suggested{tier: tierName, reason: "name"}
					t.found = found{sym: graph.Symbol{File: id, Def: int32(i)}, conf: 0.4, prov: provInferred}
					s.add(t)
				}
			}
		}
	}
}

// testNames lists how a test of a definition may be called.
func testNames(name, holder string) []string {
	bare := strings.TrimLeft(name, "_")
	if bare == "" {
		return nil
	}
	upper := strings.ToUpper(bare[:1]) + bare[1:]
	names := []string{"test_" + bare, "test_" + snake(bare), "Test" + upper, "Test_" + bare, upper + "Test", upper + "Tests", upper + "TestCase"}
	if holder != "" {
		names = append(names, "Test"+holder+upper, "Test"+holder+"_"+bare, "Test"+holder+"_"+upper, "test_"+snake(holder)+"_"+bare)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// testPaths lists where the tests of a source file may stand.
func testPaths(p graph.Path) []graph.Path {
	ext := string(p[len(p)-len(p.Ext()):])
	stem := strings.TrimSuffix(p.Base(), ext)
	var files []string
	switch ext {
	case ".go":
		files = []string{stem + "_test.go"}
	case ".java":
		files = []string{stem + "Test.java", stem + "Tests.java", "Test" + stem + ".java", stem + "TestCase.java", stem + "IT.java"}
	case ".py":
		files = []string{"test_" + stem + ".py", stem + "_test.py", "tests/test_" + stem + ".py", "../tests/test_" + stem + ".py", "../../tests/test_" + stem + ".py", "tests/" + stem + ".py"}
	case ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs":
		for _, mark := range [...]string{".test", ".spec", "-test", "-spec", "_test"} {
			files = append(files, stem+mark+ext, "__tests__/"+stem+mark+ext, "tests/"+stem+mark+ext, "test/"+stem+mark+ext)
		}
		files = append(files, "__tests__/"+stem+ext)
	}
	var out []graph.Path
	for _, file := range files {
		for _, dir := range mirrors(p.Dir()) {
			if q, ok := dir.Join(file); ok && !slices.Contains(out, q) {
				out = append(out, q)
			}
		}
	}
	return out
}

// mirrors lists directories of tests that repeat a directory of sources.
func mirrors(dir graph.Path) []graph.Path {
	out := []graph.Path{dir}
	if before, after, ok := strings.Cut("/"+string(dir)+"/", "/main/"); ok { // src/main/java
		if q, ok := graph.Path("").Join(strings.Trim(before+"/test/"+after, "/")); ok {
			out = append(out, q)
		}
	}
	_, below, _ := strings.Cut(string(dir), "/")
	flat := strings.TrimPrefix(strings.TrimPrefix(below, "internal"), "/")
	for _, top := range [...]graph.Path{"test", "tests", "spec"} {
		for _, rest := range [...]string{string(dir), below, flat} {
			if q, ok := top.Join(rest); ok {
				out = append(out, q)
			}
		}
	}
	return out
}
