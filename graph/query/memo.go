package query

import (
	"strings"
	"sync"
	"unique"

	"github.com/ralph-index/ralph-index/graph"
)

// What is derived from a view stays true while every answer of the view that went
// into it stays the same: file ids name fixed bytes. So each remembered value
// keeps the look-ups that it consulted, and a later generation asks them again
// instead of binding again. A save then costs only what looked at that file.

type depKind uint8

const (
	depLookup depKind = iota
	depDir
	depDefiners
	depReferrers
)

type depKey struct {
	kind depKind
	key  string
}

// dep is one look-up and the fingerprint of its answer, as it is kept. Keys are
// shared among all deps, and hold on to no facts.
type dep struct {
	key   unique.Handle[string]
	print uint64
	kind  depKind
}

func (a *answer) dep() dep { return dep{unique.Make(a.key), a.print, a.kind} }

func (d *dep) depKey() depKey { return depKey{d.kind, d.key.Value()} }

func printID(id graph.FileID, ok bool) uint64 {
	if !ok {
		return 0
	}
	return uint64(id) + 1
}

func printIDs(ids []graph.FileID) uint64 {
	h := uint64(14695981039346656037)
	for _, id := range ids {
		h = (h ^ uint64(id)) * 1099511628211
		h ^= h >> 29
	}
	return h ^ uint64(len(ids))<<48
}

// asker asks a view the recorded look-ups again.
type asker struct{ v graph.View }

func (a asker) holds(deps []dep) bool {
	for i := range deps {
		if a.ask(deps[i].depKey()) != deps[i].print {
			return false
		}
	}
	return true
}

func (a asker) ask(k depKey) uint64 {
	switch k.kind {
	case depLookup:
		return printID(a.v.Lookup(graph.Path(k.key)))
	case depDir:
		return printIDs(a.v.Dir(graph.Path(k.key)))
	case depDefiners:
		return printIDs(a.v.Definers(k.key))
	default:
		return printIDs(a.v.Referrers(k.key))
	}
}

// cellKind tells apart what is remembered.
type cellKind uint8

const (
	cellOut        cellKind = iota // outgoing edges of a symbol
	cellName                       // what all references of a name bind to
	cellDispatch                   // whom a call of a method may reach
	cellBases                      // the methods that a method overrides
	cellInterfaces                 // the interface methods of a name
	cellAncestors                  // the types that a type builds on
)

type cellKey struct {
	kind cellKind
	sym  graph.Symbol
	name string
}

// cell is one remembered value. value is immutable; gen is the last generation for
// which it is known to hold.
type cell struct {
	value any
	deps  []dep // nil for a name: its entries keep their own
	cost  int
	gen   graph.Generation
}

// memo keeps cells in two halves: when the young one is full it becomes the old
// one, and the old one is dropped. What is used moves to the young half.
type memo struct {
	mu         sync.Mutex
	young, old map[cellKey]*cell
	cost       int // of young
	limit      int // of one half
}

func newMemo(limit int) *memo {
	return &memo{young: make(map[cellKey]*cell), limit: max(limit/2, 1)}
}

// get returns a cell and the generation for which it is known to hold.
func (m *memo) get(k cellKey) (*cell, graph.Generation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.young[k]; c != nil {
		return c, c.gen
	}
	c := m.old[k]
	if c == nil {
		return nil, 0
	}
	delete(m.old, k)
	m.insert(k, c)
	return c, c.gen
}

func (m *memo) put(k cellKey, c *cell) {
	k.name = strings.Clone(k.name) // facts share one text: do not keep it alive
	m.mu.Lock()
	defer m.mu.Unlock()
	if was := m.young[k]; was != nil {
		m.cost -= was.cost
	}
	delete(m.old, k)
	m.insert(k, c)
}

// confirm notes that a cell holds for a generation.
func (m *memo) confirm(c *cell, gen graph.Generation) {
	m.mu.Lock()
	c.gen = gen
	m.mu.Unlock()
}

func (m *memo) insert(k cellKey, c *cell) {
	if m.cost+c.cost > m.limit && len(m.young) > 0 {
		m.old, m.young, m.cost = m.young, make(map[cellKey]*cell), 0
	}
	m.young[k] = c
	m.cost += c.cost
}

// remember returns the value of a key, made by build where none is kept that holds
// for the view. build returns ok false when it was cut short: then the value is
// used and forgotten.
func remember[T any](r *reader, k cellKey, cost func(T) int, build func(v graph.View) (T, bool)) T {
	gen := r.v.Generation()
	if c, at := r.p.memo.get(k); c != nil {
		if at == gen {
			return c.value.(T)
		}
		if (asker{v: r.v}).holds(c.deps) {
			r.p.memo.confirm(c, gen)
			return c.value.(T)
		}
	}
	was := r.v.record()
	val, ok := build(r.v)
	asked := r.v.stop(was)
	if ok {
		deps := make([]dep, len(asked))
		for i, a := range asked {
			deps[i] = a.dep()
		}
		r.p.memo.put(k, &cell{value: val, deps: deps, cost: 1 + cost(val) + len(deps)/2, gen: gen})
	}
	return val
}
