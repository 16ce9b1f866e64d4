package query

import (
	"cmp"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// Bounds on the search for more paths than the shortest, so that a question that
// is answered does not go on for the whole budget. They are stated in the answer's
// truncated flag.
const (
	longerBy   = 2   // how much longer than the shortest a path may be
	moreEffort = 400 // symbols looked at after the first path was found
	// possibleEffort and possibleCost bound the symbols looked at, and the references bound,
	// for a path through what overrides or implements something; callsCost bounds a second
	// search, by calls alone.
	possibleEffort = 60
	possibleCost   = 2000
	callsCost      = 2000
	mostChains     = 5000
	reverseCost    = 300 // references bound to see whether the reverse exists
)

// side is one of the two breadth-first searches that meet. known holds the edges at
// the symbols that were expanded.
type side struct {
	dist  map[graph.Symbol]int
	front []graph.Symbol
	cost  int // of expanding front, in references
	depth int // every symbol nearer than that was expanded
	edges func(*reader, graph.Symbol) []edge
	far   func(*edge) graph.Symbol
	price func(graph.Symbol) int
}

// chains searches paths between two symbols from both ends.
type chains struct {
	w      *writer
	rels   relSet
	fwd    side
	back   side
	known  map[graph.Symbol][]edge // by source
	effort int
	spent  int // of most; 0 is no bound
	most   int
	// possibly follows possible calls too, which are known from their ends alone.
	possibly bool
}

func (w *writer) chains(from, to graph.Symbol, rels relSet) *chains {
	c := &chains{w: w, rels: rels, known: make(map[graph.Symbol][]edge)}
	c.fwd = side{
		dist: map[graph.Symbol]int{from: 0}, front: []graph.Symbol{from},
		edges: (*reader).out, far: func(e *edge) graph.Symbol { return e.dst },
		price: func(graph.Symbol) int { return forwardPrice },
	}
	c.back = side{
		dist: map[graph.Symbol]int{to: 0}, front: []graph.Symbol{to},
		edges: (*reader).bound, far: func(e *edge) graph.Symbol { return e.src },
		price: w.r.backPrice,
	}
	c.fwd.cost, c.back.cost = forwardPrice, w.r.backPrice(to)
	return c
}

// grow expands the cheaper front by one level. It reports false when there is
// nothing left to expand or the question has ended.
func (c *chains) grow() bool {
	if len(c.fwd.front) == 0 || len(c.back.front) == 0 {
		return false
	}
	s := &c.fwd
	if c.most > 0 && (c.effort > possibleEffort || c.spent+min(c.back.cost, c.fwd.cost) > c.most) {
		return false
	}
	c.spent += min(c.back.cost, c.fwd.cost)
	if c.possibly || c.back.cost < c.fwd.cost {
		s = &c.back
	}
	var next []graph.Symbol
	for some := range slices.Chunk(s.front, lookAhead) {
		if !c.w.r.check() {
			return false
		}
		for _, es := range c.w.r.edgesOf(some, s.edges) {
			next = c.follow(s, es, next)
		}
		c.effort += len(some)
	}
	s.front, s.depth, s.cost = next, s.depth+1, 0
	for _, sym := range next {
		s.cost += s.price(sym)
	}
	return !c.w.r.ended
}

// follow enters edges of one side, and adds to next what they newly lead to.
func (c *chains) follow(s *side, es []edge, next []graph.Symbol) []graph.Symbol {
	for i := range es {
		e := &es[i]
		if !c.rels.has(e.rel) || e.src == e.dst {
			continue
		}
		c.known[e.src] = append(c.known[e.src], *e)
		far := s.far(e)
		if _, seen := s.dist[far]; !seen {
			s.dist[far] = s.depth + 1
			next = append(next, far)
			c.w.r.visited++
		}
	}
	return next
}

// forwardPrice is about how many references a definition holds.
const forwardPrice = 20

// backPrice estimates a step back from a symbol, which binds the references of its
// names in every file that has some.
func (r *reader) backPrice(s graph.Symbol) int {
	price := 10
	for _, n := range r.names(r.v, s) {
		price += 2 * len(r.v.Referrers(n))
	}
	return price
}

// reach is the length up to which every path is known: all of them, once one side
// has nothing left to expand.
func (c *chains) reach() int {
	if len(c.fwd.front) == 0 || len(c.back.front) == 0 {
		return MaxPathDepth
	}
	return c.fwd.depth + c.back.depth
}

// shortest returns the length of the shortest path, or a large number while none
// is known.
func (c *chains) shortest() int {
	small, large := c.fwd.dist, c.back.dist
	if len(large) < len(small) {
		small, large = large, small
	}
	best := MaxPathDepth + 1
	for s, d := range small {
		if o, ok := large[s]; ok {
			best = min(best, d+o)
		}
	}
	return best
}

// path lists the shortest chains of edges from the target to target_b, then the
// next shortest.
func (w *writer) path(target graph.Symbol, req *Request) error {
	m := &w.ans.Metadata
	m.Depth, m.MaxPaths, m.Relations = req.Depth, req.MaxPaths, req.Relations
	if req.TargetB == "" {
		w.missing(MissingTargetB, 1)
		return nil
	}
	to, ok, err := w.target("target_b", req.TargetB, req.Limit)
	if err != nil || !ok {
		return err
	}
	m.ResolvedIDB = w.id(to)
	target, to = w.r.wholeOf(target), w.r.wholeOf(to)
	rels := parseRels(req.Relations)
	if target == to {
		w.showPaths([][]edge{nil}, target)
		return nil
	}
	c := w.chains(target, to, rels)
	paths, more := c.search(target, to, req.Depth, req.MaxPaths)
	if len(paths) == 0 && rels.has(relCalls) && !w.r.ended {
		p := w.chains(target, to, rels)
		p.possibly, p.back.edges, p.most, p.fwd.cost = true, (*reader).in, possibleCost, possibleCost
		paths, more = p.search(target, to, req.Depth, req.MaxPaths)
	} else if len(req.Relations) == 0 {
		paths = w.callsFirst(paths, target, to, req)
	}
	w.ans.Truncated = more
	if len(paths) == 0 {
		if !w.r.ended {
			w.missing(MissingPath, 1)
			m.ReversePath = w.chains(to, target, rels).exists(req.Depth)
			w.sayComputed(c)
		}
		return nil
	}
	w.showPaths(paths, target)
	return nil
}

// callsFirst puts a chain of calls before shorter ones that lead through what holds,
// names or imports something, unless it is much longer: who asks how one definition gets
// to another asks first what runs.
func (w *writer) callsFirst(paths [][]edge, target, to graph.Symbol, req *Request) [][]edge {
	calls := func(p []edge) bool {
		return !slices.ContainsFunc(p, func(e edge) bool { return e.rel != relCalls && e.rel != relTests })
	}
	if len(paths) == 0 || calls(paths[0]) {
		return paths
	}
	c := w.chains(target, to, setOf(relCalls))
	c.most = callsCost
	found, _ := c.search(target, to, min(req.Depth, len(paths[0])+longerBy), 1)
	if len(found) == 0 {
		return paths
	}
	paths = slices.DeleteFunc(paths, func(p []edge) bool { return sameSteps(p, found[0]) })
	return append(found, paths[:min(len(paths), req.MaxPaths-1)]...)
}

// sameSteps reports whether two paths lead through the same definitions.
func sameSteps(a, b []edge) bool {
	return slices.EqualFunc(a, b, func(x, y edge) bool { return x.dst == y.dst })
}

// exists reports whether some path is found with little effort.
func (c *chains) exists(depth int) bool {
	for spent := 0; c.reach() < depth; {
		if spent += min(c.fwd.cost, c.back.cost); spent > reverseCost || !c.grow() {
			return false
		}
		if c.shortest() <= depth {
			return true
		}
	}
	return false
}

// sayComputed says so where the missing path may run through a call that is only
// known at run time: one that was met, or one of a value in what the start reaches.
func (w *writer) sayComputed(c *chains) {
	var met []edge
	for _, es := range c.known {
		for _, e := range es {
			if len(w.r.virtuals) < mostVirtuals && w.r.check() {
				w.r.mark(&e)
			}
			if e.flags&(siteDynamic|siteBroken) != 0 {
				met = append(met, e)
			}
		}
	}
	w.sayDispatch(met, graph.Symbol{})
	w.sayBroken(met)
	var failed []graph.FileID
	for s := range c.fwd.dist {
		if w.r.alive() && w.r.readInPart(s) {
			failed = append(failed, s.File)
		}
	}
	w.sayFailed(failed)
	if !c.rels.has(relCalls) {
		return
	}
	values := tally{}
	for s := range c.fwd.dist {
		if !w.r.alive() {
			break
		}
		if rec, ok := w.r.v.File(s.File); ok {
			values.add(w.r.valueCalls(s), rec.Path)
		}
	}
	slices.Sort(values.paths)
	values.paths = slices.Compact(values.paths)
	w.say(MissingDynamic, values)
}

// search returns up to most paths of at most depth edges, and whether there may
// be more.
func (c *chains) search(from, to graph.Symbol, depth, most int) (paths [][]edge, more bool) {
	shortest := c.shortest()
	for c.reach() < depth && shortest > c.reach() {
		if !c.grow() {
			break
		}
		shortest = c.shortest()
	}
	if shortest > depth {
		return nil, false
	}
	depth = min(depth, shortest+longerBy)
	c.effort = 0
	for {
		var cut bool
		paths, cut = c.collect(from, to, min(depth, c.reach()), most)
		if len(paths) > most {
			return paths[:most], true
		}
		if cut || len(paths) == most || c.reach() >= depth {
			return paths, cut
		}
		if c.effort > moreEffort || !c.grow() {
			return paths, true
		}
	}
}

// collect lists the simple paths of at most depth edges among the known edges, in
// order of length, then of what their relations weigh, confidence and place. It
// stops at the length where it has more than most, or where there are too many to
// look at all.
func (c *chains) collect(from, to graph.Symbol, depth, most int) (paths [][]edge, cut bool) {
	adj := make(map[graph.Symbol][]edge, len(c.known))
	for length := 1; length <= depth && len(paths) <= most; length++ {
		var found [][]edge
		steps := 0
		on := map[graph.Symbol]bool{from: true}
		var walk func(at graph.Symbol, p []edge)
		walk = func(at graph.Symbol, p []edge) {
			if steps++; steps > mostChains || !c.w.r.alive() {
				cut = true
				return
			}
			if len(p) == length {
				if at == to {
					found = append(found, slices.Clone(p))
				}
				return
			}
			if at == to {
				return
			}
			for _, e := range c.best(adj, at) {
				if on[e.dst] || !c.mayReach(e.dst, length-len(p)-1) {
					continue
				}
				on[e.dst] = true
				walk(e.dst, append(p, e))
				delete(on, e.dst)
			}
		}
		walk(from, make([]edge, 0, length))
		c.w.rank(found)
		paths = append(paths, found...)
	}
	return paths, cut
}

// mayReach reports whether the end may be left many edges away: what the search
// from the end has not met is at least as far as it has come.
func (c *chains) mayReach(s graph.Symbol, left int) bool {
	if d, ok := c.back.dist[s]; ok {
		return d <= left
	}
	return left > c.back.depth
}

// best returns, for each symbol to which edges lead, the strongest of them.
func (c *chains) best(adj map[graph.Symbol][]edge, at graph.Symbol) []edge {
	if es, ok := adj[at]; ok {
		return es
	}
	es := slices.Clone(c.known[at])
	slices.SortFunc(es, func(a, b edge) int {
		return cmp.Or(
			comparePlaces(c.w.r.v, a.dst, b.dst),
			cmp.Compare(b.conf*stepWeight[b.rel], a.conf*stepWeight[a.rel]), cmp.Compare(a.rel, b.rel), cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col),
		)
	})
	es = slices.CompactFunc(es, func(a, b edge) bool { return a.dst == b.dst })
	adj[at] = es
	return es
}

// stepWeight is how much a step of a relation says in a path: what runs weighs more
// than what is only named.
var stepWeight = [relCount]float32{ //nolint:gochecknoglobals // immutable, looked into while sorting
	relDefines: 0.95, relImports: 0.9, relCalls: 1, relTests: 0.99, relReferences: 0.7, relMentions: 0.4, relInherits: 0.9, relContains: 0.97,
}

// rank orders paths of one length: by weight, then by the places of their edges.
func (w *writer) rank(paths [][]edge) {
	weight := func(p []edge) float32 {
		total := float32(1)
		for i := range p {
			total *= p[i].conf * stepWeight[p[i].rel]
		}
		return total
	}
	slices.SortStableFunc(paths, func(a, b []edge) int {
		if c := cmp.Compare(weight(b), weight(a)); c != 0 {
			return c
		}
		for i := range a {
			ra, _ := w.r.v.File(a[i].at)
			rb, _ := w.r.v.File(b[i].at)
			if c := cmp.Or(cmp.Compare(ra.Path, rb.Path), cmp.Compare(a[i].line, b[i].line), cmp.Compare(a[i].col, b[i].col), comparePlaces(w.r.v, a[i].dst, b[i].dst)); c != 0 {
				return c
			}
		}
		return 0
	})
}

// showPaths writes paths with the nodes and edges on them, each once.
func (w *writer) showPaths(paths [][]edge, start graph.Symbol) {
	seen := make(map[graph.Symbol]bool)
	node := func(s graph.Symbol, dist int) {
		if !seen[s] {
			seen[s] = true
			w.node(found{sym: s, dist: dist, conf: 1})
		}
	}
	var all []edge
	for _, p := range paths {
		ids := []string{w.id(start)}
		node(start, 0)
		for i := range p {
			ids = append(ids, w.id(p[i].dst))
			node(p[i].dst, i+1)
		}
		w.ans.Paths = append(w.ans.Paths, ids)
		all = append(all, p...)
	}
	all = dedupe(slices.Clone(all))
	for i := range all {
		w.r.mark(&all[i])
	}
	w.sayDispatch(all, graph.Symbol{})
	w.sayBroken(all)
	w.edges(all)
	w.ans.Metadata.Total = len(w.ans.Paths)
}
