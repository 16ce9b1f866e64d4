package query

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
)

// What is derived from a view stays true while every answer of the view that went
// into it stays the same: file ids name fixed bytes. So each remembered value keeps
// the nodes that it consulted, and a later generation asks those again instead of
// binding again. A save then costs only what looked at that file.

// node is what remembered values depend on: a look-up with the fingerprint of its
// answer, or a derivation with the nodes that it was made of. It is immutable but for
// gen, and shared by all that depends on it.
type node struct {
	key   depKey // of a look-up
	print uint64
	from  []*node // of a derivation
	value any
	// gen is a generation for which the node is known to hold.
	gen atomic.Uint64
}

type depKind uint8

const (
	depDerived depKind = iota
	depLookup
	depDir
	depHolds
	depDefiners
	depReferrers
)

type depKey struct {
	kind depKind
	key  string
}

// holds reports whether a node is true in the view of l as well.
func (n *node) holds(l *lookups) bool {
	gen := uint64(l.Generation())
	if n.gen.Load() == gen {
		return true
	}
	if n.key.kind != depDerived {
		if l.affected(n.key, graph.Generation(n.gen.Load())) && l.print(n.key) != n.print {
			return false
		}
	} else if !holdAll(n.from, l) {
		return false
	}
	n.gen.Store(gen)
	return true
}

func holdAll(nodes []*node, l *lookups) bool {
	for _, n := range nodes {
		if !n.holds(l) {
			return false
		}
	}
	return true
}

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

// nodeStore shares nodes among questions. Like memo it keeps them in two halves; a
// node that was dropped lives on with what depends on it.
type nodeStore struct {
	mu         sync.Mutex
	young, old nodeMaps
	limit      int // of nodes in one half
}

type nodeMaps struct {
	asked   map[depKey]*node
	derived map[graph.Derivation]*node
}

// maxNodes bounds one half. A node with its key takes about 300 bytes.
const maxNodes = 25_000

func newNodeStore(limit int) *nodeStore {
	return &nodeStore{young: newNodeMaps(), old: newNodeMaps(), limit: limit}
}

func newNodeMaps() nodeMaps {
	return nodeMaps{asked: make(map[depKey]*node), derived: make(map[graph.Derivation]*node)}
}

// clear forgets everything.
func (s *nodeStore) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.young, s.old = newNodeMaps(), newNodeMaps()
}

// turn makes room in the young half.
func (s *nodeStore) turn() {
	if len(s.young.asked)+len(s.young.derived) >= s.limit {
		s.old, s.young = s.young, newNodeMaps()
	}
}

// asked returns the node of a look-up in a generation.
func (s *nodeStore) asked(k depKey, print uint64, gen graph.Generation) *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.young.asked[k]
	if n == nil {
		n = s.old.asked[k]
		if n != nil && n.print == print {
			s.turn()
			s.young.asked[n.key] = n
		}
	}
	if n == nil || n.print != print {
		s.turn()
		n = &node{key: depKey{k.kind, strings.Clone(k.key)}, print: print}
		delete(s.young.asked, n.key) // its key may be that of another node
		s.young.asked[n.key] = n
	}
	n.gen.Store(uint64(gen))
	return n
}

// derived returns what is kept under a key, or nil.
func (s *nodeStore) derived(k *graph.Derivation) *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.young.derived[*k]
	if n == nil {
		if n = s.old.derived[*k]; n != nil {
			s.put(k, n)
		}
	}
	return n
}

func (s *nodeStore) keep(k *graph.Derivation, n *node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(k, n)
}

// put enters a node under a copy of the key: facts share one text, which a key would
// keep alive.
func (s *nodeStore) put(k *graph.Derivation, n *node) {
	s.turn()
	own := *k
	own.In, own.Name = strings.Clone(k.In), strings.Clone(k.Name)
	own.Owner, own.Package = strings.Clone(k.Owner), strings.Clone(k.Package)
	s.young.derived[own] = n
}
