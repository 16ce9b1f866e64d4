package sitter

import "unsafe"

// Kind is a node kind: an index into the language's Vocabulary.Kinds.
type Kind uint16

// KindError marks text that the grammar could not read. KindOther is every kind
// that the vocabulary does not list.
const (
	KindOther Kind = 0
	KindError Kind = 0xffff
)

// Field is the role of a node in its parent: an index into Vocabulary.Fields, 0 for
// none.
type Field uint8

// Node names a node of one Tree. Nodes are numbered in preorder, so a node's
// descendants are the numbers from n+1 up to, not including, After(n).
type Node int32

// None is no node. Root is the whole file; every tree has one unless it was cut at
// zero nodes.
const (
	None Node = -1
	Root Node = 0
)

// node mirrors ri_flat in flatten.h.
type node struct{ what, start, end, parent, after uint32 }

const (
	missingBit = 1 << 24
	errorBit   = 1 << 25
	noParent   = 1<<32 - 1
)

// Tree holds the named nodes of one parsed file. All methods are constant time
// unless they say otherwise; a Node of another tree, or None where not allowed,
// panics.
type Tree struct {
	Src []byte

	nodes      []node
	hasError   bool
	tooDeep    bool
	tooMany    bool
	firstError uint32
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.nodes) }

// Clip makes the text end at size: the parser was given more, so that the last line ends
// as the grammar wants it. It takes time in the number of nodes where it did.
func (t *Tree) Clip(size uint32) {
	if uint32(len(t.Src)) <= size {
		return
	}
	t.Src = t.Src[:size]
	for i := range t.nodes {
		t.nodes[i].start, t.nodes[i].end = min(t.nodes[i].start, size), min(t.nodes[i].end, size)
	}
	t.firstError = min(t.firstError, size)
}

// Kind returns what n is.
func (t *Tree) Kind(n Node) Kind {
	w := t.nodes[n].what
	if w&errorBit != 0 {
		return KindError
	}
	return Kind(w)
}

// Field returns the role of n in its parent.
func (t *Tree) Field(n Node) Field { return Field(t.nodes[n].what >> 16) }

// IsError reports whether n is text that the grammar could not read.
func (t *Tree) IsError(n Node) bool { return t.nodes[n].what&errorBit != 0 }

// IsMissing reports whether n is not in the text: the parser put it there to go on.
func (t *Tree) IsMissing(n Node) bool { return t.nodes[n].what&missingBit != 0 }

// Start returns the byte offset of n.
func (t *Tree) Start(n Node) uint32 { return t.nodes[n].start }

// End returns the byte offset behind n.
func (t *Tree) End(n Node) uint32 { return t.nodes[n].end }

// Bytes returns the text of n, shared with Src.
func (t *Tree) Bytes(n Node) []byte { return t.Src[t.nodes[n].start:t.nodes[n].end] }

// Text returns a copy of the text of n.
func (t *Tree) Text(n Node) string { return string(t.Bytes(n)) }

// Is reports whether the text of n is s.
func (t *Tree) Is(n Node, s string) bool {
	b := t.Bytes(n)
	return len(b) == len(s) && unsafe.String(unsafe.SliceData(b), len(b)) == s
}

// Parent returns the nearest named node around n, or None. That of None is None: text that
// does not parse may lack any of the nodes that a rule goes up through.
func (t *Tree) Parent(n Node) Node {
	if n == None {
		return None
	}
	if p := t.nodes[n].parent; p != noParent {
		return Node(p)
	}
	return None
}

// After returns the number of the first node behind the subtree of n. It may be
// Len.
func (t *Tree) After(n Node) Node { return Node(t.nodes[n].after) }

// First returns the first child of n, or None.
func (t *Tree) First(n Node) Node {
	if c := n + 1; uint32(c) < t.nodes[n].after {
		return c
	}
	return None
}

// Next returns the next sibling of n, or None.
func (t *Tree) Next(n Node) Node {
	nd := &t.nodes[n]
	if nd.parent != noParent && nd.after < t.nodes[nd.parent].after {
		return Node(nd.after)
	}
	return None
}

// Children calls yield with each child of n in order.
func (t *Tree) Children(n Node) func(yield func(Node) bool) {
	return func(yield func(Node) bool) {
		end := t.nodes[n].after
		for c := uint32(n) + 1; c < end; c = t.nodes[c].after {
			if !yield(Node(c)) {
				return
			}
		}
	}
}

// Child returns the first child of n in field f, or None. It takes time in the
// number of children.
func (t *Tree) Child(n Node, f Field) Node {
	end := t.nodes[n].after
	for c := uint32(n) + 1; c < end; c = t.nodes[c].after {
		if Field(t.nodes[c].what>>16) == f {
			return Node(c)
		}
	}
	return None
}

// ChildOfKind returns the first child of n of kind k, or None. It takes time in the
// number of children.
func (t *Tree) ChildOfKind(n Node, k Kind) Node {
	end := t.nodes[n].after
	for c := uint32(n) + 1; c < end; c = t.nodes[c].after {
		if Kind(t.nodes[c].what) == k && t.nodes[c].what&errorBit == 0 {
			return Node(c)
		}
	}
	return None
}

// HasError reports whether the text has syntax errors, and the byte offset of the
// first.
func (t *Tree) HasError() (offset uint32, ok bool) { return t.firstError, t.hasError }

// TooDeep reports whether nodes below the depth limit were left out.
func (t *Tree) TooDeep() bool { return t.tooDeep }

// TooMany reports whether the nodes end at the node limit.
func (t *Tree) TooMany() bool { return t.tooMany }
