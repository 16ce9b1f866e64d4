package query

import (
	"cmp"
	"math"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// suggester gathers what speaks for tests of a target, one kind of evidence after the
// other, and ranks the tests by all of it together.
type suggester struct {
	w      *writer
	req    *Request
	target graph.Symbol

	language string                  // of the target
	tests    map[graph.Symbol]*proof // of single tests
	files    map[graph.FileID]*proof // of files of tests as wholes
	near     []found                 // sources that run the target, nearest first
	shown    map[graph.FileID]bool   // see admits
}

// points are the weight of evidence, in thousandths. Points of evidence that is
// independent add up: what is left of the doubt after p of them is exp(-p/1000). They
// are whole numbers, so that a sum does not depend on the order in which the files of an
// index are looked at.
type points int

// pointsOf returns the points of evidence that is right with a probability.
func pointsOf(p float64) points { return points(-1000 * math.Log(1-min(p, 0.98))) }

// conf is the probability that what the points speak for is so.
func (p points) conf() float32 { return float32(1 - math.Exp(-float64(p)/1000)) }

// proof is what speaks for a test, or for a file of tests.
type proof struct {
	found   // the chain to the target, where there is one
	points  points
	reasons []given
	way     given // of the evidence of what lies between: all of it is for one and the same
}

// given is a reason with what it weighs.
type given struct {
	text   string
	points points
}

// add takes evidence. Of one reason, the strongest counts.
func (p *proof) add(n points, reason string) {
	if n <= 0 {
		return
	}
	for i := range p.reasons {
		if g := &p.reasons[i]; g.text == reason {
			p.points += max(0, n-g.points)
			g.points = max(g.points, n)
			return
		}
	}
	p.points += n
	p.reasons = append(p.reasons, given{reason, n})
}

// addWay takes evidence that the test has to do with something that runs the target. The
// strongest counts.
func (p *proof) addWay(n points, reason string) {
	if n > p.way.points || n == p.way.points && reason < p.way.text {
		p.way = given{reason, n}
	}
}

// all returns the points with the reasons, strongest first.
func (p *proof) all() (points, []given) {
	reasons := slices.Clone(p.reasons)
	if p.way.points > 0 {
		reasons = append(reasons, p.way)
	}
	slices.SortFunc(reasons, func(a, b given) int {
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(a.text, b.text))
	})
	return p.points + p.way.points, reasons
}

// test returns the proof of a test, nil where the request excludes it.
func (s *suggester) test(sym graph.Symbol) *proof {
	if !s.admits(sym.File) {
		return nil
	}
	p := s.tests[sym]
	if p == nil {
		p = &proof{found: found{sym: sym, conf: 1, prov: provInferred}}
		s.tests[sym] = p
	}
	return p
}

// file returns the proof of a file, nil where the request excludes it.
func (s *suggester) file(id graph.FileID) *proof {
	if !s.admits(id) {
		return nil
	}
	p := s.files[id]
	if p == nil {
		p = &proof{found: found{sym: graph.Symbol{File: id, Def: graph.NoDef}, conf: 1, prov: provInferred}}
		s.files[id] = p
	}
	return p
}

// admits reports whether tests of a file were asked for.
func (s *suggester) admits(id graph.FileID) bool {
	ok, known := s.shown[id]
	if !known {
		rec, live := s.w.r.v.File(id)
		ok = live && rec.Path.Under(s.req.ScopePath) && (s.req.Role == "" || rec.Role == s.req.Role)
		s.shown[id] = ok
	}
	return ok
}

// tests lists tests that are likely to notice a change of the target, best first.
func (w *writer) tests(target graph.Symbol, req *Request) {
	s := &suggester{
		w: w, req: req, target: target, tests: make(map[graph.Symbol]*proof), files: make(map[graph.FileID]*proof),
		shown: make(map[graph.FileID]bool),
	}
	if rec, ok := w.r.v.File(target.File); ok {
		s.language = rec.Language
	}
	w.ans.Metadata.Relations = req.Relations
	only := parseRels(req.Relations)
	if rels := only & setOf(relCalls, relTests, relReferences, relInherits); rels != 0 {
		s.byChain(rels)
	}
	if only.has(relImports) {
		s.byImport()
	}
	if len(req.Relations) == 0 {
		s.byLikeness()
	}
	ranked := s.rank()
	w.ans.Metadata.Total = len(ranked)
	if len(ranked) > req.Limit {
		ranked, w.ans.Truncated = choose(ranked, req.Limit), true
	}
	listed := make(map[graph.Path]bool)
	for _, t := range ranked {
		w.suggest(t)
		if !listed[t.path] {
			listed[t.path] = true
			w.ans.ImpactedFiles = append(w.ans.ImpactedFiles, t.path)
		}
	}
	w.sayUnbound(target)
	w.missing(MissingCoverage, len(w.ans.SuggestedTests))
}

// suggested is one test before it is written out.
type suggested struct {
	found
	whole   bool // a file, where no single test is known
	reasons []string
}

// suggest writes one suggestion.
func (w *writer) suggest(t suggested) {
	rec, ok := w.r.v.File(t.sym.File)
	if !ok {
		return
	}
	out := SuggestedTest{
		ID: w.id(t.sym), Path: rec.Path, Name: w.r.label(t.sym), Kind: "test", Line: max(1, t.line),
		Confidence: Round(t.conf), Provenance: t.prov.provenance(), Distance: t.dist, Reasons: t.reasons,
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

// What a file's evidence counts for each of its tests that has evidence of its own, and
// for the file where none of them has.
const (
	fileForTest  = 0.5
	fileForWhole = 0.6
	fileReasons  = 2 // of the file, shown with each test
)

// leastBest is the least confidence of the best test where no chain leads from any: what
// names say below it is chance, and no answer says more.
const leastBest = 0.08

// rank orders what was found, best first: by evidence, then the nearer chain, then by
// place.
func (s *suggester) rank() []suggested {
	var out []suggested
	covered := make(map[graph.FileID]bool)
	for sym, p := range s.tests {
		n, reasons := p.all()
		if whole := s.files[sym.File]; whole != nil {
			m, more := whole.all()
			n += points(fileForTest * float64(m))
			for _, g := range more[:min(len(more), fileReasons)] {
				reasons = append(reasons, given{"its file " + g.text, g.points})
			}
		}
		covered[sym.File] = true
		out = append(out, p.suggested(n, reasons, false))
	}
	for id, p := range s.files {
		if n, reasons := p.all(); n > 0 && !covered[id] {
			out = append(out, p.suggested(points(fileForWhole*float64(n)), reasons, true))
		}
	}
	for i := range out {
		one := []found{out[i].found}
		s.w.place(one)
		out[i].found = one[0]
	}
	slices.SortFunc(out, compareSuggested)
	if !slices.ContainsFunc(out, func(t suggested) bool { return t.dist > 0 || t.conf >= leastBest }) {
		return nil
	}
	return out
}

func (p *proof) suggested(n points, reasons []given, whole bool) suggested {
	t := suggested{found: p.found, whole: whole}
	t.conf, t.score = n.conf(), float64(n)
	for _, g := range reasons {
		t.reasons = append(t.reasons, g.text)
	}
	return t
}

func compareSuggested(a, b suggested) int {
	return cmp.Or(
		cmp.Compare(b.score, a.score), compareBool(a.dist == 0, b.dist == 0), cmp.Compare(a.dist, b.dist),
		cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.sym.Def, b.sym.Def),
	)
}

// choose takes the best of what was found. A fifth of the places is kept for files that
// would not be seen at all: who runs tests runs files, and many tests of one file say no
// more than a few.
func choose(ranked []suggested, limit int) []suggested {
	seen := make(map[graph.FileID]bool)
	taken := make([]bool, len(ranked))
	left := limit
	for i := 0; left > limit/5; i++ {
		taken[i], left = true, left-1
		seen[ranked[i].sym.File] = true
	}
	for _, unseen := range [...]bool{true, false} {
		for i := range ranked {
			if left > 0 && !taken[i] && (!unseen || !seen[ranked[i].sym.File]) {
				taken[i], left = true, left-1
				seen[ranked[i].sym.File] = true
			}
		}
	}
	out := make([]suggested, 0, limit)
	for i, t := range ranked {
		if taken[i] {
			out = append(out, t)
		}
	}
	return out
}
