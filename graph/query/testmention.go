package query

import (
	"cmp"
	"math"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Bounds of the search for names in tests.
const (
	maxNames       = 40  // names looked for
	maxModuleNames = 100 // names of the target's file that are counted
	maxNamedIn     = 400 // files; a name that stands in more says little
	maxPool        = 40  // files whose tests are looked at one by one
)

// What it is worth that a test names something, at best: the rarer the name, the more.
const (
	namesTarget = 0.7
	namesHolder = 0.4
	namesOnWay  = 0.4 // what runs the target
	usesModule  = 0.35
)

// nameToFind is a name to look for in tests.
type nameToFind struct {
	name   string
	weight float64
	reason string
	way    bool // of what runs the target
}

// speak adds that a test, or a file of tests, uses the name.
func (c *nameToFind) speak(p *proof, n points) {
	if c.way {
		p.addWay(n, c.reason)
	} else {
		p.add(n, c.reason)
	}
}

// byLikeness adds what names tell: those that tests mention, and those of the tests.
func (s *suggester) byLikeness() {
	t := s.w.r.testPaths()
	if len(t.files) == 0 {
		return
	}
	s.byPath(t)
	s.byModule(t)
	names := s.namesAround()
	s.byMention(t, names)
	pool := s.pool()
	s.mentionedIn(pool, names)
	s.byTitle(pool)
}

// namesAround lists the names whose mention in a test speaks for it: of the target, of
// its type, and of what runs it.
func (s *suggester) namesAround() []nameToFind {
	r := s.w.r
	f := r.facts(s.target.File)
	if f == nil || s.target.Def == graph.NoDef {
		return nil
	}
	var out []nameToFind
	add := func(name string, weight float64, way bool) {
		known := slices.ContainsFunc(out, func(c nameToFind) bool { return c.name == name })
		if len(name) > 2 && len(out) < maxNames && !known {
			out = append(out, nameToFind{name, weight, "mentions " + name, way})
		}
	}
	d := &f.Defs[s.target.Def]
	if !isSpecial(d.Name) {
		add(d.Name, namesTarget, false)
	}
	if t, ok := r.typeOf(r.v, s.target); ok {
		if g := r.facts(t.File); g != nil {
			add(g.Defs[t.Def].Name, namesHolder, false)
		}
	}
	for _, n := range s.near {
		if g := r.atHand(n.sym.File); g != nil && !isSpecial(g.Defs[n.sym.Def].Name) {
			add(g.Defs[n.sym.Def].Name, namesOnWay*n.score, true)
		}
	}
	return out
}

// isSpecial reports whether a name has a meaning of its own in its language, and many
// owners.
func isSpecial(name string) bool {
	return len(name) > 4 && name[:2] == "__" && name[len(name)-2:] == "__" || name == "constructor" || name == "main"
}

// namedIn lists the files of tests that use a name; nil where too many do.
func (s *suggester) namedIn(name string) []graph.FileID {
	ids := s.testsAmong(s.w.r.v.Referrers(name))
	if len(ids) > maxNamedIn {
		return nil
	}
	return ids
}

// byMention adds files of tests that use names around the target.
func (s *suggester) byMention(t *testPaths, names []nameToFind) {
	for _, c := range names {
		if !s.w.r.alive() {
			return
		}
		ids := s.namedIn(c.name)
		each := pointsOf(c.weight * t.rarity(len(ids)))
		for _, id := range ids {
			if p := s.file(id); p != nil {
				c.speak(p, each)
			}
		}
	}
}

// byModule adds files of tests by how much of what the target's file defines they use.
func (s *suggester) byModule(t *testPaths) {
	f := s.w.r.facts(s.target.File)
	if f == nil {
		return
	}
	uses := make(map[graph.FileID]points)
	seen := make(map[string]bool)
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Has(graph.FlagLocal) || len(d.Name) < 3 || isSpecial(d.Name) || seen[d.Name] || len(seen) >= maxModuleNames {
			continue
		}
		if !s.w.r.alive() {
			return
		}
		seen[d.Name] = true
		ids := s.namedIn(d.Name)
		each := points(1000 * t.rarity(len(ids)) / math.Sqrt(float64(max(1, len(s.w.r.v.Definers(d.Name))))))
		for _, id := range ids {
			uses[id] += each
		}
	}
	most := points(1)
	for _, n := range uses {
		most = max(most, n)
	}
	for id, n := range uses {
		if p := s.file(id); p != nil {
			p.add(pointsOf(usesModule*float64(n)/float64(most)), "uses "+string(f.Path))
		}
	}
}

// pool lists the files whose tests are worth looking at, best first.
func (s *suggester) pool() []graph.FileID {
	best := make(map[graph.FileID]points)
	for id, p := range s.files {
		best[id] += p.points
	}
	for sym, p := range s.tests {
		best[sym.File] = max(best[sym.File], p.points)
	}
	ids := make([]graph.FileID, 0, len(best))
	paths := make(map[graph.FileID]graph.Path, len(best))
	for id := range best {
		rec, _ := s.w.r.v.File(id)
		ids, paths[id] = append(ids, id), rec.Path
	}
	slices.SortFunc(ids, func(a, b graph.FileID) int {
		return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(paths[a], paths[b]))
	})
	return ids[:min(len(ids), maxPool)]
}

// mentionedIn adds the single tests of some files that use names around the target.
func (s *suggester) mentionedIn(pool []graph.FileID, names []nameToFind) {
	of := make(map[string]*nameToFind, len(names))
	for i := range names {
		of[names[i].name] = &names[i]
	}
	users := make(map[string][]graph.Symbol)
	for _, id := range pool {
		f := s.w.r.facts(id)
		if f == nil || !s.w.r.check() {
			return
		}
		if !s.names(f.Language) {
			continue
		}
		g := s.w.r.withRefs(f, id, graph.Selection{Like: func(ref *graph.Ref) bool { return of[ref.Name] != nil }})
		for i := range g.Refs {
			ref := &g.Refs[i]
			if of[ref.Name] == nil {
				continue
			}
			if def := testAround(f, ref.Enclosing); def != graph.NoDef {
				sym := graph.Symbol{File: id, Def: def}
				if list := users[ref.Name]; !slices.Contains(list, sym) {
					users[ref.Name] = append(list, sym)
				}
			}
		}
	}
	for name, syms := range users {
		c := of[name]
		each := pointsOf(c.weight / (1 + 0.2*math.Log2(float64(len(syms)))))
		for _, sym := range syms {
			if p := s.test(sym); p != nil {
				c.speak(p, each)
			}
		}
	}
}

// testAround returns the innermost test that holds a definition.
func testAround(f *graph.Facts, def int32) int32 {
	for n := 0; def != graph.NoDef && n <= len(f.Defs); n++ {
		if d := &f.Defs[def]; d.Has(graph.FlagTest) && d.Kind != graph.KindClass {
			return def
		}
		def = f.Defs[def].Container
	}
	return graph.NoDef
}
