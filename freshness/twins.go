package freshness

import (
	"slices"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// twins are the files of the tree that have several names (hard links). An event, or
// a write of ours, speaks of one name and changes the bytes of all.
type twins struct {
	names map[uint64][]graph.Path // by inode; those in the tree, often only one
	inode map[graph.Path]uint64
	seq   uint64 // of the last mark that was set because a name was found
	// links are the symbolic links: what one leads to may become another thing, of
	// which only its own path is told.
	links map[graph.Path]struct{}
}

func (t *twins) link(p graph.Path) {
	if t.links == nil {
		t.links = map[graph.Path]struct{}{}
	}
	t.links[p] = struct{}{}
}

// of lists the names of a file that has several.
func (t *twins) of(p graph.Path) []graph.Path {
	if ino, ok := t.inode[p]; ok {
		return t.names[ino]
	}
	return nil
}

// sharedIn takes note of the files with several names that a sweep has seen. After
// a look at everything, no others count.
func (l *Ledger) sharedIn(seen []tree.Entry, whole bool) {
	var shared []*tree.Entry
	for i := range seen {
		if seen[i].Shared || seen[i].Link {
			shared = append(shared, &seen[i])
		}
	}
	if !whole && len(shared) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !whole {
		l.pair(shared)
		return
	}
	l.twins = twins{seq: l.twins.seq}
	for _, e := range shared {
		if e.Link {
			l.twins.link(e.Path)
		} else {
			l.twins.add(e.Sig.Inode, e.Path)
		}
	}
}

// sharedOf is the same after a look at single paths.
func (l *Ledger) sharedOf(out []Verdict) {
	var shared []*tree.Entry
	for i := range out {
		if out[i].Entry.Shared || out[i].Entry.Link {
			shared = append(shared, &out[i].Entry)
		}
	}
	if len(shared) > 0 {
		l.mu.Lock()
		l.pair(shared)
		l.mu.Unlock()
	}
}

func (t *twins) add(ino uint64, p graph.Path) {
	if t.names == nil {
		t.names, t.inode = map[uint64][]graph.Path{}, map[graph.Path]uint64{}
	}
	if !slices.Contains(t.names[ino], p) {
		t.names[ino] = append(t.names[ino], p)
		t.inode[p] = ino
	}
}

// pair finds the other names of files that were not known to have any. What is
// written under the new name changes the old one, of which nobody was told: it is
// marked. The caller holds mu.
func (l *Ledger) pair(shared []*tree.Entry) {
	t := &l.twins
	fresh := map[uint64]bool{}
	for _, e := range shared {
		if e.Link {
			t.link(e.Path)
			continue
		}
		if ino, ok := t.inode[e.Path]; !ok || ino != e.Sig.Inode {
			fresh[e.Sig.Inode] = true
			t.add(e.Sig.Inode, e.Path)
		}
	}
	if len(fresh) == 0 {
		return
	}
	for p, e := range l.records {
		if fresh[e.Sig.Inode] {
			t.add(e.Sig.Inode, p)
		}
	}
	for p, f := range l.findings {
		if f.state != Missing && fresh[f.entry.Sig.Inode] {
			t.add(f.entry.Sig.Inode, p)
		}
	}
	l.seq++
	t.seq = l.seq
	for ino := range fresh {
		if names := t.names[ino]; len(names) > 1 {
			for _, p := range names {
				l.marks[p] = mark{Observed, l.seq}
			}
		}
	}
}
