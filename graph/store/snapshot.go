package store

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

// Snapshot is one generation, pinned. It is a graph.View. It is safe for
// concurrent use until Release.
type Snapshot struct {
	s        *Store
	st       *state
	released atomic.Bool
}

var (
	_ graph.View       = (*Snapshot)(nil)
	_ graph.PartView   = (*Snapshot)(nil)
	_ graph.TreeView   = (*Snapshot)(nil)
	_ graph.ChangeView = (*Snapshot)(nil)
)

// Release lets go of the generation. Calls after the first do nothing.
func (v *Snapshot) Release() {
	if !v.released.Swap(true) {
		v.s.unpin(v.st)
	}
}

// Generation implements graph.View.
func (v *Snapshot) Generation() graph.Generation { return v.st.gen }

// Lookup implements graph.View.
func (v *Snapshot) Lookup(p graph.Path) (graph.FileID, bool) {
	if r := v.st.record(p); r != nil {
		return r.ID, true
	}
	return 0, false
}

// Record returns the record of a path.
func (v *Snapshot) Record(p graph.Path) (graph.File, bool) {
	if r := v.st.record(p); r != nil {
		return r.File, true
	}
	return graph.File{}, false
}

// Dir implements graph.View.
func (v *Snapshot) Dir(p graph.Path) []graph.FileID {
	var ids []graph.FileID
	prefix := string(p)
	if prefix != "" {
		prefix += "/"
	}
	from := prefix
	for more := true; more; {
		more = false
		v.st.merge(graph.Path(from), func(r *record) bool {
			rest, in := strings.CutPrefix(string(r.Path), prefix)
			if !in {
				return false
			}
			if sub := strings.IndexByte(rest, '/'); sub >= 0 {
				// Go on behind the subdirectory, however large it is.
				from, more = prefix+rest[:sub]+"0", true // '0' is the byte after '/'
				return false
			}
			ids = append(ids, r.ID)
			return true
		})
	}
	return ids
}

// Holds implements graph.TreeView.
func (v *Snapshot) Holds(p graph.Path) (found bool) {
	if p == "" {
		return v.Len() > 0
	}
	prefix := string(p) + "/"
	v.st.merge(graph.Path(prefix), func(r *record) bool {
		found = strings.HasPrefix(string(r.Path), prefix)
		return false
	})
	return found
}

// File implements graph.View.
func (v *Snapshot) File(id graph.FileID) (graph.File, bool) {
	if r := v.st.recordID(id); r != nil {
		return r.File, true
	}
	return graph.File{}, false
}

// Facts implements graph.View. They are nil without an error for an id that is not
// live here, too. The references are decoded anew each time: who can do with an
// outline asks for that.
func (v *Snapshot) Facts(id graph.FileID) (*graph.Facts, error) {
	f, err := v.file(id)
	if f == nil || err != nil {
		return nil, err
	}
	whole, err := f.Facts()
	if err != nil {
		return nil, v.damaged(id, err)
	}
	return whole, nil
}

// Outline implements graph.PartView.
func (v *Snapshot) Outline(id graph.FileID) (*graph.Facts, error) {
	f, err := v.file(id)
	if f == nil || err != nil {
		return nil, err
	}
	return f.Outline(), nil
}

// Refs implements graph.PartView.
func (v *Snapshot) Refs(id graph.FileID, sel graph.Selection) ([]graph.Ref, error) {
	f, err := v.file(id)
	if f == nil || err != nil {
		return nil, err
	}
	refs, err := f.Refs(sel)
	if err != nil {
		return nil, v.damaged(id, err)
	}
	return refs, nil
}

// file returns the facts of a live file in the form in which they are kept.
func (v *Snapshot) file(id graph.FileID) (*blob.File, error) {
	r := v.st.recordID(id)
	if r == nil || !r.facts {
		return nil, nil
	}
	if f := v.s.cache.get(id); f != nil {
		return f, nil
	}
	room := v.s.pack.room()
	defer v.s.pack.giveBack(room)
	b, err := v.s.readBlobInto(id, *room)
	if err != nil {
		return nil, err
	}
	*room = b
	f, err := blob.Open(b) // keeps nothing of b
	if err != nil {
		return nil, v.damaged(id, err)
	}
	v.s.cache.put(id, f)
	return f, nil
}

func (v *Snapshot) damaged(id graph.FileID, err error) error {
	f, _ := v.File(id)
	return fmt.Errorf("%w: facts of %q: %w", ErrCorrupt, f.Path, err)
}

// Blob returns the encoded facts of a live file, nil where it has none.
func (v *Snapshot) Blob(id graph.FileID) ([]byte, error) {
	r := v.st.recordID(id)
	if r == nil || !r.facts {
		return nil, nil
	}
	return v.s.readBlob(id)
}

// BlobFor returns the encoded facts of a path if its live version has the hash.
// Whether the extractor that made them is the current one, the caller checks.
func (v *Snapshot) BlobFor(p graph.Path, h graph.Hash) (b []byte, ok bool, err error) {
	return v.s.blobFor(v.st, p, h)
}

func (s *Store) blobFor(st *state, p graph.Path, h graph.Hash) ([]byte, bool, error) {
	r := st.record(p)
	if r == nil || !r.facts || r.Hash != h {
		return nil, false, nil
	}
	b, err := s.readBlob(r.ID)
	return b, err == nil, err
}

// Definers implements graph.View. Damage is reported by Store.Err.
func (v *Snapshot) Definers(name string) []graph.FileID { return v.posted(false, name) }

// Referrers implements graph.View. Damage is reported by Store.Err.
func (v *Snapshot) Referrers(name string) []graph.FileID { return v.posted(true, name) }

func (v *Snapshot) posted(refs bool, name string) []graph.FileID {
	ids, err := v.st.lookup(v.s, refs, blob.HashName(name))
	if err != nil {
		v.s.report(err)
	}
	return ids
}

// Files yields the records of all files in the order of their paths.
func (v *Snapshot) Files(yield func(graph.File) bool) {
	v.st.merge("", func(r *record) bool { return yield(r.File) })
}

// Len is the number of files.
func (v *Snapshot) Len() int { return v.st.counts.files }

// Counts returns totals, kept up to date by each batch.
func (v *Snapshot) Counts() Counts { return v.st.counts.public() }

// PathOf finds the path that ids carry as k.
func (v *Snapshot) PathOf(k graph.PathKey) (graph.Path, bool) { return v.st.pathOf(k) }
