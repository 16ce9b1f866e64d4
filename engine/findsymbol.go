package engine

import (
	"context"
	"strings"

	"github.com/ralph-index/ralph-index/engine/rank"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/graph/store"
)

// neighborSymbols bounds of how many definitions of a name the edges are looked at: a
// search ranks by them, and must not take as long as a question for each. Of files beyond
// the bound it is not known.
const neighborSymbols = 3

// checkMentions bounds the files whose facts are read to be sure that they hold a
// name. Postings are kept under hashes of names: of a name that more files hold, one
// that does not could be among them, once in some ten thousand names.
const checkMentions = 1000

// symbolFiles are the files that define a symbol or refer to its name.
type symbolFiles struct {
	snap     *store.Snapshot
	name     string // without qualification
	resolved bool   // definers come from the resolver, and are not looked at again
	definers map[graph.FileID]bool
	mentions map[graph.FileID]bool
	near     map[graph.FileID]bool // have an edge with what the name denotes; nil: nobody looked
	nearAll  bool                  // no other file has one
}

// symbolFiles looks a name up. A qualified one is resolved; then only files that refer
// to its last part count as mentioning it, if anything defines it at all.
func (l *local) symbolFiles(ctx context.Context, snap *store.Snapshot, name string) (*symbolFiles, error) {
	s := &symbolFiles{snap: snap, name: bareName(name), definers: map[graph.FileID]bool{}, mentions: map[graph.FileID]bool{}}
	if s.resolved = s.name != name; s.resolved {
		res, err := l.x.planner.Resolve(ctx, lister{snap}, name)
		if err != nil {
			return nil, nameError("contains_symbol", err)
		}
		for _, sym := range res.Symbols {
			s.definers[sym.File] = true
		}
		if len(s.definers) == 0 {
			return s, nil
		}
	} else {
		for _, id := range snap.Definers(s.name) {
			s.definers[id] = true
		}
	}
	for _, id := range snap.Referrers(s.name) {
		s.mentions[id] = true
	}
	return s, nil
}

// neighbors looks for the files that have an edge with a definition of the name, as far
// as there is time. A definition's own file is none of them.
func (l *local) neighbors(ctx context.Context, s *symbolFiles, name string) {
	v := lister{s.snap}
	res, err := l.x.planner.Resolve(ctx, v, name)
	if err != nil || len(res.Symbols) == 0 {
		return
	}
	near, all := map[graph.FileID]bool{}, len(res.Symbols) <= neighborSymbols
	for _, sym := range res.Symbols[:min(len(res.Symbols), neighborSymbols)] {
		ans, err := l.x.planner.Run(ctx, v, query.Request{Type: query.Neighbors, Target: l.x.idOf(s.snap, sym), Limit: query.MaxLimit})
		if err != nil || ans.Deadline || ans.Cancelled {
			return
		}
		all = all && !ans.Truncated
		for i := range ans.Nodes {
			if at, ok := s.snap.Lookup(ans.Nodes[i].Path); ok && at != sym.File {
				near[at] = true
			}
		}
	}
	s.near, s.nearAll = near, all
}

// neighbor says whether a file has such an edge.
func (s *symbolFiles) neighbor(id graph.FileID) rank.Fact {
	switch {
	case s == nil || s.near == nil || !s.near[id] && !s.nearAll:
		return rank.Unknown
	default:
		return rank.Of(s.near[id])
	}
}

func (s *symbolFiles) none() bool { return len(s.definers)+len(s.mentions) == 0 }

// holds reports whether a file defines the symbol, and whether it refers to it.
func (s *symbolFiles) holds(id graph.FileID) (defines, mentions bool) {
	if s == nil || !s.definers[id] && !s.mentions[id] {
		return false, false
	}
	defines, mentions = s.definers[id], s.mentions[id]
	if len(s.definers)+len(s.mentions) > checkMentions {
		return defines, mentions
	}
	f, err := s.snap.Facts(id)
	if err != nil || f == nil {
		return false, false // damage is reported by the store
	}
	has := func(names func(func(string))) bool {
		found := false
		names(func(n string) { found = found || n == s.name })
		return found
	}
	return defines && (s.resolved || has(f.DefNames)), mentions && has(f.RefNames)
}

// bareName is the last part of a qualified name; of one that is not, the name.
func bareName(name string) string {
	at := strings.LastIndexAny(name, ".:#/")
	if at < 0 || at == len(name)-1 {
		return name
	}
	return name[at+1:]
}
