package engine

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// lister adds to a snapshot what the planner asks of a view beyond graph.View.
type lister struct{ *store.Snapshot }

// Files lists the live files.
func (v lister) Files() []graph.FileID {
	out := make([]graph.FileID, 0, v.Len())
	v.Snapshot.Files(func(f graph.File) bool {
		out = append(out, f.ID)
		return true
	})
	return out
}

// consulted is a view that remembers whose facts an answer used, so that their
// signatures can be checked afterwards.
type consulted struct {
	lister
	mu    sync.Mutex
	used  map[graph.FileID]struct{}
	names map[string]struct{}
	// behind says that files were known to differ from the index before the view was
	// taken: the view may be older than what is known by now.
	behind bool
}

func consult(s *store.Snapshot) *consulted {
	return &consulted{lister: lister{s}, used: map[graph.FileID]struct{}{}, names: map[string]struct{}{}}
}

// Consulted implements query.Witness.
func (v *consulted) Consulted(name string) {
	v.mu.Lock()
	v.names[name] = struct{}{}
	v.mu.Unlock()
}

// consultedNames lists the names that the answer was made of.
func (v *consulted) consultedNames() [][]byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := make([][]byte, 0, len(v.names))
	for n := range v.names {
		if n != "" {
			out = append(out, []byte(n))
		}
	}
	return out
}

// Facts implements graph.View.
func (v *consulted) Facts(id graph.FileID) (*graph.Facts, error) {
	v.use(id)
	return v.lister.Facts(id)
}

// Outline implements graph.PartView.
func (v *consulted) Outline(id graph.FileID) (*graph.Facts, error) {
	v.use(id)
	return v.lister.Outline(id)
}

// Refs implements graph.PartView.
func (v *consulted) Refs(id graph.FileID, sel graph.Selection) ([]graph.Ref, error) {
	v.use(id)
	return v.lister.Refs(id, sel)
}

func (v *consulted) use(id graph.FileID) {
	v.mu.Lock()
	v.used[id] = struct{}{}
	v.mu.Unlock()
}

// checkAtMost bounds the files of an answer whose signatures are checked: beyond it,
// only those whose facts were read are.
const checkAtMost = 3000

// paths lists the files that the answer depends on, sorted: those whose facts were
// read, and those that refer to a name it was made of.
func (v *consulted) paths() []graph.Path {
	v.mu.Lock()
	defer v.mu.Unlock()
	for name := range v.names {
		for _, id := range v.Referrers(name) {
			if len(v.used) >= checkAtMost {
				break
			}
			v.used[id] = struct{}{}
		}
	}
	out := make([]graph.Path, 0, len(v.used))
	for id := range v.used {
		if f, ok := v.File(id); ok {
			out = append(out, f.Path)
		}
	}
	slices.Sort(out)
	return out
}

// sets are kept beside the generations: what a search or a question would else have
// to find by a pass over all files. They follow each publish; an entry may be a
// generation ahead of a reader, who checks it against the view.
type sets struct {
	mu   sync.RWMutex
	odd  map[graph.Path]graph.Content // files that are not text
	bare map[graph.Path]graph.FileID  // text files without full structure
}

func newSets(snap *store.Snapshot) *sets {
	s := &sets{odd: map[graph.Path]graph.Content{}, bare: map[graph.Path]graph.FileID{}}
	snap.Files(func(f graph.File) bool {
		s.put(&f)
		return true
	})
	return s
}

// put enters the current version of a file. The caller holds mu, or owns s.
func (s *sets) put(f *graph.File) {
	delete(s.odd, f.Path)
	delete(s.bare, f.Path)
	switch {
	case f.Content != graph.ContentText:
		s.odd[f.Path] = f.Content
	case bareStructure(f):
		s.bare[f.Path] = f.ID
	}
}

// follow applies what a generation changed.
func (s *sets) follow(snap *store.Snapshot, added []graph.FileID, removed []graph.Path) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range removed {
		delete(s.odd, p)
		delete(s.bare, p)
	}
	for _, id := range added {
		if f, ok := snap.File(id); ok {
			s.put(&f)
		}
	}
}

// oddFiles calls yield with every file that is not text, in no order.
func (s *sets) oddFiles(yield func(graph.Path, graph.Content) bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for p, c := range s.odd {
		if !yield(p, c) {
			return
		}
	}
}

// bareIDs lists the text files without full structure, by path.
func (s *sets) bareIDs() []graph.FileID {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]graph.FileID, 0, len(s.bare))
	for _, p := range slices.Sorted(maps.Keys(s.bare)) {
		out = append(out, s.bare[p])
	}
	return out
}

// bareStructure reports whether a file may hold uses of names that its facts do not
// show: it was not read to its end, or its language is not covered.
func bareStructure(f *graph.File) bool {
	switch f.Status {
	case graph.StatusFailed, graph.StatusCapped, graph.StatusPartial:
		return true
	case graph.StatusOK:
		return false
	}
	return f.Language == "" && uncovered(f.Path.Ext())
}

// uncovered reports whether a suffix is that of a programming language from which
// nothing is extracted.
func uncovered(ext string) bool {
	switch ext {
	case ".pl", ".pm", ".r", ".jl", ".m", ".mm", ".dart", ".hs", ".vue", ".zig", ".s", ".tcl", ".erl", ".clj":
		return true
	}
	return false
}

// verifyHolders bounds how many files are read to be sure that they hold a name.
const verifyHolders = 64

// holders lists files without full structure whose bytes hold the name as a word.
func (x *index) holders(ctx context.Context, v graph.View, name string) []graph.FileID {
	snap, ok := snapshotOf(v)
	if !ok || name == "" {
		return nil
	}
	p, err := match.Compile(match.Spec{Text: name, CaseSensitive: true, WholeWord: true})
	if err != nil {
		return nil
	}
	c, err := x.lexical.Candidates(ctx, p)
	if err != nil {
		x.suspect(err)
		return nil
	}
	ids := c.IDs
	if c.Narrowed {
		x.writer.Unheld(func(id graph.FileID, _ graph.Path) bool {
			ids = append(ids[:len(ids):len(ids)], id)
			return true
		})
	} else {
		ids = x.sets.bareIDs()
	}
	var out []graph.FileID
	read := 0
	for _, id := range ids {
		f, live := snap.File(id)
		if !live || f.Content != graph.ContentText || !bareStructure(&f) {
			continue
		}
		if read++; read > verifyHolders || ctx.Err() != nil {
			break
		}
		if x.holds(ctx, f.Path, p) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

func (x *index) holds(ctx context.Context, p graph.Path, pat *match.Pattern) bool {
	src, _, err := x.tree.Read(p, nil)
	if err != nil {
		return false
	}
	ok, err := pat.Match(ctx, src)
	return err == nil && ok
}

func snapshotOf(v graph.View) (*store.Snapshot, bool) {
	switch v := v.(type) {
	case *consulted:
		return v.Snapshot, true
	case lister:
		return v.Snapshot, true
	case *store.Snapshot:
		return v, true
	}
	return nil, false
}
