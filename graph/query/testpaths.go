package query

import (
	"math"
	"path"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// testPaths are the paths of the files of tests in one generation, in words. It is
// immutable.
type testPaths struct {
	gen   graph.Generation
	files []testPath
	with  map[string]int // how many of the paths hold a word
}

type testPath struct {
	id   graph.FileID
	path graph.Path
	lang string
	stem []string // words of the name, without those that say that it is a test
	dirs []string // of the directories, without those that say nothing
}

// testPaths lists the files of tests; those of one generation are read once.
func (r *reader) testPaths() *testPaths {
	if known := r.p.tests.Load(); known != nil && known.gen == r.v.Generation() {
		return known
	}
	t := &testPaths{gen: r.v.Generation(), with: make(map[string]int)}
	lister, ok := r.whole.(FileLister)
	if !ok {
		return t
	}
	for _, id := range lister.Files() {
		if !r.alive() {
			return t
		}
		rec, live := r.v.File(id)
		if !live || rec.Language == "" || rec.Defs == 0 || !maybeTests(&rec) {
			continue
		}
		p := testPath{id: id, path: rec.Path, lang: rec.Language, stem: subject(stemOf(rec.Path)), dirs: placeWords(rec.Path.Dir())}
		for _, w := range distinct(p.stem, p.dirs) {
			t.with[w]++
		}
		t.files = append(t.files, p)
	}
	slices.SortFunc(t.files, func(a, b testPath) int { return comparePaths(a.path, b.path) })
	r.p.tests.Store(t)
	return t
}

// maybeTests reports whether a file's place or name says that it may hold tests. What
// people run as tests is not everywhere kept apart from the sources.
func maybeTests(rec *graph.File) bool {
	return rec.Role == graph.RoleTest || rec.Role == graph.RoleSource && slices.ContainsFunc(wordsOf(stemOf(rec.Path)), isTestWord)
}

func comparePaths(a, b graph.Path) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// rarity says how much a word or name tells that occurs in n files of tests: 1 is one
// that occurs in one alone, 0 one that occurs in all.
func (t *testPaths) rarity(n int) float64 {
	all := float64(len(t.files) + 1)
	return max(0, math.Log(all/float64(max(1, n)))) / math.Log(max(2, all))
}

func (t *testPaths) rare(word string) float64 { return t.rarity(t.with[word]) }

// stemOf returns a file's name without all that follows its first dot, but for dots
// within the name that tests are given after what they test: app.use.js.
func stemOf(p graph.Path) string {
	base := p.Base()
	return base[:len(base)-len(path.Ext(base))]
}

// subject returns the words of a test's name that say what it is about.
func subject(name string) []string {
	return slices.DeleteFunc(wordsOf(name), isTestWord)
}

// placeWords returns the words of a directory that tell its files from others.
func placeWords(dir graph.Path) []string {
	return slices.DeleteFunc(wordsOf(string(dir)), func(w string) bool { return isTestWord(w) || isPlaceWord(w) })
}

func distinct(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}
