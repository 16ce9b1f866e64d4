package query

import "github.com/ralph-index/ralph-index/graph"

// lookups is a View that asks the one behind it each question once, and notes what
// it is asked while something is derived from the answers. It serves one goroutine.
type lookups struct {
	graph.View
	kept    *nodeStore // shares what is derived with other questions; may be nil
	answers map[depKey]*answer
	known   map[graph.Derivation]*derivation
	since   map[graph.Generation]graph.Changes
	weight  int  // of what is here, in ids
	damaged bool // facts were not read, or not all: what follows from them is not kept

	// A resolver knows no context: one binding may read a package, or all that has a
	// name. While one is asked, over tells whether the question has ended; from then on
	// there are no facts, so that it comes to its end, and what it says is not used.
	over  func() bool
	asked int  // resolvers, one within the other
	cut   bool // facts were withheld

	// The recordings under way, one behind the other: marks tell whether a node is in
	// the last one already.
	now   []*node
	mark  uint32
	marks uint32
	depth int // of recordings; 0: none
}

// answer is one look-up with what came of it.
type answer struct {
	node  *node // nil until something depends on it
	print uint64
	id    graph.FileID
	ok    bool
	ids   []graph.FileID
	mark  uint32
}

// derivation is what a resolver made of answers.
type derivation struct {
	value any
	node  *node
	mark  uint32
}

// maxWeight bounds what one question keeps of look-ups, to some tens of megabytes.
const maxWeight = 2 << 20

// Once returns a view of outlines that asks v each question once. It is for one
// goroutine that binds much in one generation.
func Once(v graph.View) graph.View { return newLookups(graph.Outlines(v), nil) }

func newLookups(v graph.View, kept *nodeStore) *lookups {
	return &lookups{View: v, kept: kept, answers: make(map[depKey]*answer), known: make(map[graph.Derivation]*derivation)}
}

// recording is what record interrupts.
type recording struct {
	from int // in now
	mark uint32
}

// record starts to note look-ups. It must be ended by stop.
func (l *lookups) record() recording {
	l.trim()
	was := recording{len(l.now), l.mark}
	l.marks++
	l.mark = l.marks
	l.depth++
	return was
}

// trim forgets everything once that is too much. While a recording is under way it
// waits: marks are kept with the answers.
func (l *lookups) trim() {
	if l.depth == 0 && l.weight > maxWeight {
		clear(l.answers)
		clear(l.known)
		l.weight = 0
	}
}

// stop returns what was asked since record.
func (l *lookups) stop(was recording) []*node {
	asked := append(make([]*node, 0, len(l.now)-was.from), l.now[was.from:]...)
	clear(l.now[was.from:])
	l.now, l.mark = l.now[:was.from], was.mark
	l.depth--
	return asked
}

// ask returns the answer to k, which becomes a part of what is recorded.
func (l *lookups) ask(k depKey) *answer {
	a := l.answer(k)
	if l.depth > 0 && a.mark != l.mark && l.kept != nil {
		a.mark = l.mark
		if a.node == nil {
			a.node = l.kept.asked(k, a.print, l.Generation())
		}
		l.now = append(l.now, a.node)
	}
	return a
}

// affected reports whether the answer to k may be another than in an older generation.
func (l *lookups) affected(k depKey, old graph.Generation) bool {
	c, known := l.since[old]
	if !known {
		if v, ok := l.View.(graph.ChangeView); ok {
			c = v.Since(old)
		}
		if l.since == nil {
			l.since = make(map[graph.Generation]graph.Changes)
		}
		l.since[old] = c
	}
	if c == nil {
		return true
	}
	switch k.kind {
	case depLookup:
		return c.Path(graph.Path(k.key))
	case depDir:
		return c.Dir(graph.Path(k.key))
	case depHolds:
		return c.Tree(graph.Path(k.key))
	default:
		return c.Name(k.key)
	}
}

// print returns the fingerprint of the answer to k.
func (l *lookups) print(k depKey) uint64 { return l.answer(k).print }

// answer returns the answer to k, which it asks for the first time.
func (l *lookups) answer(k depKey) *answer {
	if a := l.answers[k]; a != nil {
		return a
	}
	l.trim()
	a := new(answer)
	switch k.kind {
	case depLookup:
		a.id, a.ok = l.View.Lookup(graph.Path(k.key))
		a.print = printID(a.id, a.ok)
	case depDir:
		a.list(l.View.Dir(graph.Path(k.key)))
	case depHolds:
		t, known := l.View.(graph.TreeView)
		a.ok = !known || t.Holds(graph.Path(k.key))
		a.print = printID(0, a.ok)
	case depDefiners:
		a.list(l.View.Definers(k.key))
	default:
		a.list(l.View.Referrers(k.key))
	}
	l.answers[k] = a
	l.weight += 40 + len(k.key)/4 + len(a.ids)
	return a
}

func (a *answer) list(ids []graph.FileID) { a.ids, a.print = ids, printIDs(ids) }

// Lookup implements graph.View.
func (l *lookups) Lookup(p graph.Path) (graph.FileID, bool) {
	a := l.ask(depKey{depLookup, string(p)})
	return a.id, a.ok
}

// Dir implements graph.View.
func (l *lookups) Dir(p graph.Path) []graph.FileID { return l.ask(depKey{depDir, string(p)}).ids }

// Holds implements graph.TreeView.
func (l *lookups) Holds(p graph.Path) bool { return l.ask(depKey{depHolds, string(p)}).ok }

// Definers implements graph.View.
func (l *lookups) Definers(name string) []graph.FileID { return l.ask(depKey{depDefiners, name}).ids }

// Referrers implements graph.View.
func (l *lookups) Referrers(name string) []graph.FileID { return l.ask(depKey{depReferrers, name}).ids }

// hurry says that a resolver is going to be asked, and relax that it has answered.
func (l *lookups) hurry() { l.asked++ }

func (l *lookups) relax() {
	if l.asked--; l.asked == 0 {
		l.cut = false
	}
}

// Facts implements graph.View.
func (l *lookups) Facts(id graph.FileID) (*graph.Facts, error) {
	if l.asked > 0 && l.over != nil && l.over() {
		l.cut = true
		return nil, nil
	}
	return l.read(id)
}

// read returns facts however late it is.
func (l *lookups) read(id graph.FileID) (*graph.Facts, error) {
	f, err := l.View.Facts(id)
	l.damaged = l.damaged || err != nil
	return f, err
}

// Derived implements graph.Deriver.
func (l *lookups) Derived(k *graph.Derivation) (any, bool) {
	d := l.known[*k]
	if d == nil {
		if l.kept == nil {
			return nil, false
		}
		n := l.kept.derived(k)
		if n == nil || !n.holds(l) {
			return nil, false
		}
		d = l.know(k, &derivation{value: n.value, node: n})
	}
	return l.use(d), true
}

// Derive implements graph.Deriver.
func (l *lookups) Derive(k *graph.Derivation, derive func() any) any {
	if l.kept == nil {
		d := &derivation{value: derive()}
		if l.cut {
			return d.value
		}
		return l.know(k, d).value
	}
	was := l.record()
	n := &node{value: derive()}
	n.from = l.stop(was)
	if l.cut {
		return n.value
	}
	n.gen.Store(uint64(l.Generation()))
	if !l.damaged {
		l.kept.keep(k, n)
	}
	return l.use(l.know(k, &derivation{value: n.value, node: n}))
}

func (l *lookups) know(k *graph.Derivation, d *derivation) *derivation {
	l.known[*k] = d
	l.weight += 80
	return d
}

// use makes a derivation a part of what is recorded.
func (l *lookups) use(d *derivation) any {
	if l.depth > 0 && d.mark != l.mark && d.node != nil {
		d.mark = l.mark
		l.now = append(l.now, d.node)
	}
	return d.value
}
