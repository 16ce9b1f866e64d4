// Package graphtest offers an in-memory graph.View, so that resolvers and the
// planner are tested on a few Facts values without a store. It is for tests and
// measuring alone: the product never imports it.
package graphtest

import (
	"fmt"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// View is a fixed generation made of facts. It is safe for concurrent use.
type View struct {
	files     []graph.File // the file with id n stands at n-1
	facts     []*graph.Facts
	paths     map[graph.Path]graph.FileID
	dirs      map[graph.Path][]graph.FileID
	definers  map[string][]graph.FileID
	referrers map[string][]graph.FileID
}

var (
	_ graph.View     = (*View)(nil)
	_ graph.PartView = (*View)(nil)
)

// NewView makes a view of the given files. Ids are handed out in the order of
// the arguments, from 1. It panics where two files share a path, since a test
// that does so is wrong.
func NewView(files ...*graph.Facts) *View {
	v := &View{
		paths:     make(map[graph.Path]graph.FileID, len(files)),
		dirs:      make(map[graph.Path][]graph.FileID),
		definers:  make(map[string][]graph.FileID),
		referrers: make(map[string][]graph.FileID),
	}
	for _, f := range files {
		v.add(f)
	}
	for _, ids := range v.dirs {
		slices.SortFunc(ids, func(a, b graph.FileID) int {
			return cmpPath(v.files[a-1].Path, v.files[b-1].Path)
		})
	}
	return v
}

func cmpPath(a, b graph.Path) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (v *View) add(f *graph.Facts) {
	if _, dup := v.paths[f.Path]; dup {
		panic(fmt.Sprintf("graphtest: two files at %q", f.Path))
	}
	id := graph.FileID(len(v.files) + 1)
	v.files = append(v.files, graph.File{
		ID: id, Path: f.Path, Hash: f.Hash, Content: graph.ContentText, Language: f.Language,
		Status: f.Status, Reason: f.Reason, Role: f.Role, Lines: f.Lines, Defs: uint32(len(f.Defs)),
	})
	// A file without a language stands for plain text, which has no facts.
	if f.Language == "" {
		f = nil
	}
	v.facts = append(v.facts, f)
	p := v.files[id-1].Path
	v.paths[p] = id
	v.dirs[p.Dir()] = append(v.dirs[p.Dir()], id)
	if f == nil {
		return
	}
	f.DefNames(func(n string) { post(v.definers, n, id) })
	f.RefNames(func(n string) { post(v.referrers, n, id) })
}

// post appends id to the list of a name once: files are added in order of id.
func post(m map[string][]graph.FileID, name string, id graph.FileID) {
	ids := m[name]
	if n := len(ids); n == 0 || ids[n-1] != id {
		m[name] = append(ids, id)
	}
}

// Generation returns 1.
func (v *View) Generation() graph.Generation { return 1 }

// Lookup implements graph.View.
func (v *View) Lookup(p graph.Path) (graph.FileID, bool) {
	id, ok := v.paths[p]
	return id, ok
}

// Holds implements graph.TreeView.
func (v *View) Holds(dir graph.Path) bool {
	return slices.ContainsFunc(v.files, func(f graph.File) bool { return f.Path != dir && f.Path.Under(dir) })
}

// Dir implements graph.View.
func (v *View) Dir(p graph.Path) []graph.FileID { return v.dirs[p] }

// File implements graph.View.
func (v *View) File(id graph.FileID) (graph.File, bool) {
	if id == 0 || int(id) > len(v.files) {
		return graph.File{}, false
	}
	return v.files[id-1], true
}

// Facts implements graph.View.
func (v *View) Facts(id graph.FileID) (*graph.Facts, error) {
	if id == 0 || int(id) > len(v.facts) {
		return nil, nil
	}
	return v.facts[id-1], nil
}

// Outline implements graph.PartView.
func (v *View) Outline(id graph.FileID) (*graph.Facts, error) {
	f, err := v.Facts(id)
	if f == nil || err != nil {
		return f, err
	}
	less := *f
	less.Refs, err = v.Refs(id, graph.Selection{Like: (*graph.Ref).Outlined})
	return &less, err
}

// Refs implements graph.PartView.
func (v *View) Refs(id graph.FileID, sel graph.Selection) ([]graph.Ref, error) {
	f, err := v.Facts(id)
	if f == nil || err != nil {
		return nil, err
	}
	var out []graph.Ref
	for _, r := range f.Refs {
		like := r
		like.Span, like.Enclosing = graph.Span{}, 0
		if (sel.Like == nil || sel.Like(&like)) && (sel.In == nil || sel.In(r.Enclosing)) {
			out = append(out, r)
		}
	}
	return out, nil
}

// Definers implements graph.View.
func (v *View) Definers(name string) []graph.FileID { return v.definers[name] }

// Referrers implements graph.View.
func (v *View) Referrers(name string) []graph.FileID { return v.referrers[name] }

// Files returns the ids of all files, in order.
func (v *View) Files() []graph.FileID {
	ids := make([]graph.FileID, len(v.files))
	for i := range ids {
		ids[i] = graph.FileID(i + 1)
	}
	return ids
}
