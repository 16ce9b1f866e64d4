package query

import (
	"strings"
	"sync"

	"github.com/ralph-index/ralph-index/graph"
)

// cellKind tells apart what is remembered.
type cellKind uint8

const (
	cellOut       cellKind = iota // outgoing edges of a symbol
	cellName                      // what all references of a name bind to
	cellSymbol                    // which of them bind to a symbol
	cellTests                     // which of them do, of those in tests
	cellDispatch                  // whom a call of a method may reach
	cellBases                     // the methods that a method overrides
	cellAncestors                 // the types that a type builds on
	cellMembers                   // the names of a type's members
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
	deps  []*node // nil for a name: its entries keep their own
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

// clear forgets everything.
func (m *memo) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.young, m.old, m.cost = make(map[cellKey]*cell), nil, 0
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
		if holdAll(c.deps, r.v) {
			r.p.memo.confirm(c, gen)
			return c.value.(T)
		}
	}
	was := r.v.record()
	val, ok := build(r.v)
	deps := r.v.stop(was)
	if ok && !r.ended && r.v.kept != nil {
		r.p.memo.put(k, &cell{value: val, deps: deps, cost: 1 + cost(val) + len(deps)/2, gen: gen})
	}
	return val
}
