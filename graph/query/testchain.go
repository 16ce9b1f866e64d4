package query

import (
	"cmp"
	"math"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Bounds of the search for tests along chains. What lies beyond says little: most tests
// reach most of a program somehow.
const (
	maxTestVisits = 400
	minStrength   = 0.02
	endsPerPlace  = 12 // tests found for each place in the answer
)

// What is left of the strength of a chain behind one more step of it.
const (
	keptCall    = 0.7
	keptRead    = 0.7 // the value is held, and run later or not
	keptInherit = 0.5
	keptImport  = 0.2  // of a file that runs what is on the chain when it is loaded
	keptHolder  = 0.12 // from a method to its type: who has an object may run the method
	keptUnnamed = 0.4  // the same where nobody is known to call the method: a framework does
	keptMember  = 0.8  // from a type to what it holds
)

// How much weaker a chain gets by the number of those who lead on from one of its ends,
// for each doubling of them.
const (
	crowded       = 0.02
	crowdedHolder = 0.4
)

// testChains walks from the target to those who use it, the strongest chain first, until
// tests are reached. A chain is weaker the longer it is, the less sure its edges are, and
// the more others lead on from one of its ends.
type testChains struct {
	s     *suggester
	w     *writer
	rels  relSet
	at    map[graph.Symbol]int // into nodes
	nodes []found              // score is the strength of the chain
	open  []bool               // nodes whose users are not looked for yet
	met   []edge
	ran   map[graph.Symbol]bool // files whose top level runs what was reached
	ends  int                   // tests that were reached
}

// byChain finds the tests that reach the target by calls and the like.
func (s *suggester) byChain(rels relSet) {
	c := &testChains{s: s, w: s.w, rels: rels, at: make(map[graph.Symbol]int), ran: make(map[graph.Symbol]bool)}
	for i, sym := range s.w.seeds(s.target, false) {
		strength := 1.0
		if i > 0 {
			strength = keptMember
		}
		c.enter(found{sym: sym, conf: 1, from: -1, score: strength})
	}
	for visits := 0; visits < maxTestVisits && c.ends < endsPerPlace*s.req.Limit; {
		front := c.strongest()
		if len(front) == 0 || !s.w.r.check() {
			break
		}
		visits += len(front)
		c.expand(front)
	}
	if c.ends >= endsPerPlace*s.req.Limit && c.left() { // else a higher limit shows no more
		s.w.ans.Truncated = true
	}
	c.keep()
	s.w.sayDispatch(c.met, s.target)
	s.w.sayBroken(c.met)
}

// enter adds a node, or the better chain to one.
func (c *testChains) enter(n found) {
	i, known := c.at[n.sym]
	if !known {
		rec, _ := c.w.r.v.File(n.sym.File)
		n.path = rec.Path
		c.at[n.sym] = len(c.nodes)
		c.nodes = append(c.nodes, n)
		end := n.from >= 0 && c.isEnd(n.sym)
		c.open = append(c.open, !end)
		if end {
			c.ends++
		}
		return
	}
	was := &c.nodes[i]
	if was.from < 0 || n.score < was.score || n.score == was.score && c.compareStarts(&n, was) >= 0 {
		return
	}
	if !c.open[i] && !c.isEnd(n.sym) {
		return // others came through it already
	}
	n.path = was.path
	*was = n
}

// compareStarts orders equally strong chains by the places that they come through, for the
// order in which they are met follows from the history of an index.
func (c *testChains) compareStarts(a, b *found) int {
	return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.rel, b.rel), comparePlaces(c.w.r.v, c.nodes[a.from].sym, c.nodes[b.from].sym))
}

// isEnd reports whether a chain ends at the symbol: it is a test.
func (c *testChains) isEnd(sym graph.Symbol) bool {
	f := c.w.r.facts(sym.File)
	return f != nil && isTestDef(f, sym.Def) && f.Defs[sym.Def].Kind != graph.KindClass
}

// strongest lists the open nodes with the strongest chains, a few at once.
func (c *testChains) strongest() []int {
	var front []int
	for i := range c.nodes {
		if c.open[i] && c.nodes[i].score >= minStrength {
			front = append(front, i)
		}
	}
	slices.SortFunc(front, func(a, b int) int {
		x, y := &c.nodes[a], &c.nodes[b]
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.path, y.path), cmp.Compare(x.sym.Def, y.sym.Def))
	})
	front = front[:min(len(front), lookAhead)]
	for _, i := range front {
		c.open[i] = false
	}
	return front
}

// left reports whether there is more to look at.
func (c *testChains) left() bool {
	for i := range c.nodes {
		if c.open[i] && c.nodes[i].score >= minStrength {
			return true
		}
	}
	return false
}

// expand follows the edges that end at some nodes.
func (c *testChains) expand(front []int) {
	symbols := make([]graph.Symbol, len(front))
	for k, i := range front {
		symbols[k] = c.nodes[i].sym
	}
	edges := c.w.r.edgesOf(symbols, (*reader).in)
	for k, i := range front {
		f := c.w.r.facts(symbols[k].File)
		if f == nil {
			continue
		}
		n := c.users(i, edges[k])
		c.fixtureUsers(i, f)
		c.holder(i, f, n > 0)
	}
}

// users enters those who use a node, and counts them.
func (c *testChains) users(i int, es []edge) int {
	sources := make(map[graph.Symbol]bool)
	for k := range es {
		if c.follows(i, &es[k]) {
			sources[es[k].src] = true
		}
	}
	crowd := crowded
	if c.nodes[i].rel == relContains {
		crowd = crowdedHolder
	}
	share := 1 / (1 + crowd*math.Log2(float64(max(1, len(sources)))))
	for k := range es {
		e := &es[k]
		if !c.follows(i, e) {
			continue
		}
		c.w.r.mark(e)
		if e.src.Def == graph.NoDef && e.rel != relImports {
			c.ran[e.src] = true
		}
		c.met = append(c.met, *e)
		c.w.r.visited++
		c.step(i, e, share)
	}
	return len(sources)
}

// follows reports whether an edge to node i leads on from it.
func (c *testChains) follows(i int, e *edge) bool {
	n := &c.nodes[i]
	if e.src == e.dst {
		return false
	}
	if n.rel == relContains && n.from >= 0 && !c.usesObject(e) {
		return false
	}
	return c.rels.has(e.rel) || e.rel == relImports && c.nodes[i].sym.Def == graph.NoDef && c.ran[c.nodes[i].sym]
}

// usesObject reports whether who is at the start of an edge to a type has objects of it
// made, or is a test that has to do with it: to name a type is no more than that.
func (c *testChains) usesObject(e *edge) bool {
	f := c.w.r.facts(e.src.File)
	return e.rel == relCalls || e.rel == relInherits || f != nil && isTest(f, e.src.Def)
}

// step enters the source of an edge to node i.
func (c *testChains) step(i int, e *edge, share float64) {
	at := c.nodes[i]
	kept := share * float64(e.conf)
	switch e.rel {
	case relReferences:
		kept *= keptRead
	case relInherits:
		kept *= keptInherit
	case relImports:
		kept *= keptImport
	case relContains: // see holder
	default:
		if at.dist > 0 {
			kept *= keptCall
		}
	}
	c.enter(found{
		sym: e.src, dist: at.dist + 1, conf: at.conf * e.conf, prov: max(at.prov, e.prov), rel: e.rel, from: i, flags: e.flags,
		score: at.score * kept,
	})
}

// holder enters the type of a method: what has an object of it may run the method,
// however that is called.
func (c *testChains) holder(i int, f *graph.Facts, used bool) {
	n := &c.nodes[i]
	if n.sym.Def == graph.NoDef || f.Role == graph.RoleTest || c.rels&setOf(relReferences) == 0 {
		return
	}
	t, ok := c.w.r.typeOf(c.w.r.v, n.sym)
	if !ok {
		return
	}
	e := edge{dst: n.sym, conf: 1}
	e.site = site{src: t, prov: provInferred, rel: relContains}
	kept := keptUnnamed
	if used {
		kept = keptHolder
	}
	c.step(i, &e, kept)
}

// keep takes the tests that were reached, and files of tests in which a chain ended
// outside of all tests. The sources on the way are noted.
func (c *testChains) keep() {
	for i := range c.nodes {
		n := &c.nodes[i]
		f := c.w.r.atHand(n.sym.File)
		if f == nil {
			continue
		}
		switch {
		case n.from < 0:
			if n.sym.Def != graph.NoDef && !isTest(f, n.sym.Def) && n.sym != c.s.target {
				c.s.near = append(c.s.near, *n)
			}
		case c.isEnd(n.sym):
			c.reached(n)
		case f.Role == graph.RoleTest:
			if p := c.s.file(n.sym.File); p != nil {
				p.add(pointsOf(0.5*n.score), c.reason(n))
			}
		case n.sym.Def != graph.NoDef && !isTest(f, n.sym.Def):
			c.s.near = append(c.s.near, *n)
		}
	}
	slices.SortFunc(c.s.near, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path), cmp.Compare(a.sym.Def, b.sym.Def))
	})
}

// sure is how far the strongest chain is believed: that a test reaches something does not
// say that it looks at it.
const sure = 0.95

func (c *testChains) reached(n *found) {
	p := c.s.test(n.sym)
	if p == nil {
		return
	}
	p.found = *n
	p.add(pointsOf(sure*n.score), c.reason(n))
}

// reason says how the chain from a node to the target begins.
func (c *testChains) reason(n *found) string { return reasonOfChain(c.w, n, &c.nodes[n.from]) }

func reasonOfChain(w *writer, n, next *found) string {
	switch {
	case n.flags&siteFixture != 0:
		return "fixture " + w.local(next.sym)
	case next.rel == relContains && next.dist > 0:
		return "uses " + w.local(next.sym)
	case next.dist == 0:
		return verb(n.rel)
	}
	return verb(n.rel) + " via helper " + w.local(next.sym)
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

// suggestion says how the chain from a node to the target begins.
func (b *backward) suggestion(n found) suggested {
	return suggested{found: n, reasons: []string{reasonOfChain(b.w, &n, &b.nodes[n.from])}}
}
