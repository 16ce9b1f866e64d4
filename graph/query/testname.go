package query

import (
	"math"

	"github.com/ralph-index/ralph-index/graph"
)

// What the words of a target weigh by where they stand.
const (
	wordOfName   = 1.0
	wordOfHolder = 0.9
	wordOfStem   = 0.8
	wordOfDir    = 0.4
	wordOnWay    = 0.9 // of the name of what runs the target
)

// maxOnWay bounds the definitions between tests and target whose names are looked for in
// those of tests.
const maxOnWay = 10

// What names are worth, at best.
const (
	likePath   = 0.75 // a path that is all about the target
	sameStem   = 0.5  // besides: the file is called as that of the target
	likeName   = 0.7  // a test's name
	samePlace  = 0.5  // of all that, where the test stands in an unrelated directory
	beside     = 0.4  // a file in the target's directory, if it is the only one of tests
	leastMatch = 0.1
	leastTitle = 0.3
	leastCover = 0.3 // a test's name says more than what it is about
)

// query are the words of a target with their weights.
type words map[string]float64

func (q words) add(weight float64, list []string) {
	for _, w := range list {
		q[w] = max(q[w], weight)
	}
}

// best returns how well a word is met.
func (q words) best(word string) float64 {
	if w := q[word]; w > 0 {
		return w
	}
	most := 0.0
	for other, weight := range q {
		most = max(most, weight*alike(word, other))
	}
	return most
}

// wordsOfTarget gathers the words that say what the target is.
func (s *suggester) wordsOfTarget() (q words, stem, dirs []string) {
	rec, _ := s.w.r.v.File(s.target.File)
	dirs = placeWords(rec.Path.Dir())
	name := stemOf(rec.Path)
	if isEntry(name) && rec.Path.Dir() != "" {
		name = rec.Path.Dir().Base()
	}
	stem = subject(name)
	q = words{}
	q.add(wordOfDir, dirs)
	q.add(wordOfStem, stem)
	if f := s.w.r.facts(s.target.File); f != nil && s.target.Def != graph.NoDef {
		d := &f.Defs[s.target.Def]
		q.add(wordOfHolder, subject(d.Local))
		q.add(wordOfName, subject(d.Name))
	}
	return q, stem, dirs
}

// byPath finds files of tests whose names and places say that they are about the target.
func (s *suggester) byPath(t *testPaths) {
	q, stem, dirs := s.wordsOfTarget()
	s.byPlace(t)
	for i := range t.files {
		p := &t.files[i]
		if p.id == s.target.File || !s.w.r.alive() {
			continue
		}
		match, cover := t.match(p, q)
		near := nearness(p.dirs, dirs)
		if match < leastMatch || !s.names(p.lang) && !equal(p.stem, stem) {
			continue
		}
		proof := s.file(p.id)
		if proof == nil {
			continue
		}
		n := pointsOf(likePath * match * cover * near)
		if equal(p.stem, stem) {
			n += pointsOf(sameStem * near)
		}
		proof.add(n, "name")
	}
}

// byPlace adds the files of tests that stand beside the target's file: many runners take
// both for one package.
func (s *suggester) byPlace(t *testPaths) {
	rec, _ := s.w.r.v.File(s.target.File)
	var files []graph.FileID
	for i := range t.files {
		if p := &t.files[i]; p.id != s.target.File && p.path.Dir() == rec.Path.Dir() && s.names(p.lang) {
			files = append(files, p.id)
		}
	}
	each := pointsOf(beside / (1 + 0.3*math.Log2(float64(max(1, len(files))))))
	for _, id := range files {
		if p := s.file(id); p != nil {
			p.add(each, "stands beside")
		}
	}
}

// match says how much of the target is in the words of a path, and how much of the path's
// words is of the target.
func (t *testPaths) match(p *testPath, q words) (match, cover float64) {
	all := 0.0
	for _, w := range p.stem {
		r := t.rare(w)
		all += r
		match += r * q.best(w)
	}
	if all > 0 {
		cover = min(1, match/all)
	}
	for _, w := range p.dirs {
		match += 0.3 * t.rare(w) * q.best(w)
	}
	return min(1, match), cover
}

// nearness says how well the directory of a test fits that of the target.
func nearness(test, target []string) float64 {
	if len(test) == 0 {
		return 0.8 // all tests stand in one place
	}
	q := words{}
	q.add(1, target)
	sum := 0.0
	for _, w := range test {
		sum += q.best(w)
	}
	return samePlace + (1-samePlace)*sum/float64(len(test))
}

func equal(a, b []string) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if alike(a[i], b[i]) < 0.9 {
			return false
		}
	}
	return true
}

// byTitle adds the tests of some files whose own names are about the target.
func (s *suggester) byTitle(pool []graph.FileID) {
	q, _, _ := s.wordsOfTarget()
	for _, n := range s.near[:min(len(s.near), maxOnWay)] {
		if g := s.w.r.atHand(n.sym.File); g != nil {
			q.add(wordOnWay*n.score, subject(g.Defs[n.sym.Def].Name))
		}
	}
	with, all := make(map[string]int), 0
	titles := make(map[graph.Symbol][]string)
	for _, id := range pool {
		f := s.w.r.facts(id)
		if f == nil || !s.w.r.check() {
			return
		}
		if !s.names(f.Language) {
			continue
		}
		for i := range f.Defs {
			if !isTestDef(f, int32(i)) || f.Defs[i].Kind == graph.KindClass {
				continue
			}
			title := distinct(subject(f.Defs[i].Local))
			titles[graph.Symbol{File: id, Def: int32(i)}] = title
			for _, w := range title {
				with[w]++
			}
			all++
		}
	}
	t := &testPaths{files: make([]testPath, all), with: with}
	for sym, title := range titles {
		match, cover := t.match(&testPath{stem: title}, q)
		if match < leastTitle {
			continue
		}
		if p := s.test(sym); p != nil {
			p.add(pointsOf(likeName*match*max(cover, leastCover)), "name")
		}
	}
}
