package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/rank"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical/glob"
)

const defaultFindLimit = 1000

// finding is one search for names on its way.
type finding struct {
	l      *local
	req    *api.FindRequest
	root   *workspace.Root
	base   graph.Path // as a walk lists it
	filter *glob.Filter
	ans    *api.FindAnswer
	pic    *picture        // nil: there is no index
	snap   *store.Snapshot // of pic; nil: live
	found  []foundFile

	byGit    map[graph.Path]bool // what git says has changed, where the index cannot tell
	noSymbol bool                // contains_symbol was asked for, and nothing is known of symbols
	symbols  *symbolFiles        // nil: not asked for, or not known
}

// foundFile is a file whose path matches.
type foundFile struct {
	path    graph.Path
	id      graph.FileID // 0: the index does not hold these bytes
	hash    graph.Hash
	lines   uint32
	text    bool
	changed bool
	score   int
	reasons []string
}

// Find looks for files by their paths: in the records of the index, or in a walk under
// the same rules where it cannot answer.
func (l *local) Find(ctx context.Context, req *api.FindRequest) (*api.FindAnswer, error) {
	if req.TimeoutMS > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Duration(req.TimeoutMS)*time.Millisecond)
		defer stop()
	}
	s, err := l.newFinding(req)
	if err != nil {
		return nil, err
	}
	if l.x != nil {
		s.pic = l.x.picture(ctx)
		defer s.pic.release()
		s.snap, s.ans.Freshness = s.pic.snap, s.pic.fresh
	}
	snap := s.snap
	if why := s.whyLive(); why != "" {
		s.ans.IndexUsed, s.ans.IsStale, s.ans.FallbackReason = false, false, reason(why)
		if req.ChangedOnly {
			var ok bool
			if s.byGit, ok = l.changedByGit(ctx, s.root, s.base); !ok {
				return nil, &api.Error{
					Code: api.CodeIndexNotReady, Argument: "changed_only", Details: map[string]any{"fallback_reason": why},
					Message: "changed_only needs the index, which cannot answer for this path now (" + why + "), and git cannot either; leave it out",
				}
			}
			s.ans.ChangedNote = reason(api.NoteLiveGit)
		}
		s.snap = nil
	}
	if err := s.symbol(ctx, snap); err != nil {
		return nil, err
	}
	if s.snap != nil {
		s.fromIndex(ctx)
	} else if err := s.fromWalk(ctx); err != nil && ctx.Err() == nil {
		return nil, err
	}
	s.shape(ctx)
	return s.ans, nil
}

func (l *local) newFinding(req *api.FindRequest) (*finding, error) {
	s := &finding{l: l, req: req, ans: &api.FindAnswer{Matches: []string{}}}
	var err error
	if s.filter, err = filterOf("pattern", []string{req.Pattern}, req.Exclude); err != nil {
		return nil, err
	}
	if s.root, s.base, err = l.resolve("path", req.Path); err != nil {
		return nil, err
	}
	if s.base != "" {
		if s.base, err = listed(s.root.Tree, s.base); err != nil {
			return nil, pathError("path", req.Path, err)
		}
	}
	return s, nil
}

// whyLive says why the index cannot be used; "" when it can.
func (s *finding) whyLive() string {
	x := s.l.x
	switch {
	case x == nil:
		return s.l.fallback()
	case s.snap.Generation() == 0, !x.complete.Load() && x.unswept():
		return api.FallbackNoGeneration
	case !s.root.Index, s.base != "" && s.root.Tree.Ignored(s.base):
		return api.FallbackPathIgnored
	case !s.pic.exact && s.req.ContainsSymbol == "" && !s.req.ChangedOnly && !s.req.Ranked:
		return api.FallbackUnswept // a walk tells all that was asked for
	}
	return ""
}

// symbol looks up the files that define or refer to the name that was asked for. Where
// nothing is known of symbols, the filter is left out and the answer says so.
func (s *finding) symbol(ctx context.Context, snap *store.Snapshot) error {
	name := s.req.ContainsSymbol
	switch {
	case name == "":
		return nil
	case s.snap == nil:
		s.noSymbol, s.ans.SymbolNote = true, reason(api.NoteNoIndex)
		return nil
	}
	var err error
	if s.symbols, err = s.l.symbolFiles(ctx, snap, name); err != nil {
		return err
	}
	switch {
	case s.symbols.none():
		s.ans.SymbolNote = reason(api.NoteNoMatchingSymbol)
	case s.req.Ranked:
		s.l.neighbors(ctx, s.symbols, name)
	}
	return nil
}

// fromIndex takes the files of a generation, and what is known to differ from it.
func (s *finding) fromIndex(ctx context.Context) {
	pending := s.pic.pending
	seen := 0
	s.snap.Files(func(f graph.File) bool {
		if seen++; seen&1023 == 0 && ctx.Err() != nil {
			return false
		}
		if !f.Path.Under(s.base) || !s.filter.Keep(f.Path) {
			return true
		}
		p, open := pending[f.Path]
		if open && p.State == freshness.Missing || !isFile(f.Sig.Mode, f.Reason) {
			return true
		}
		one := foundFile{path: f.Path, id: f.ID, hash: f.Hash, lines: f.Lines, text: f.Content == graph.ContentText}
		if open {
			one.id, s.ans.IsStale = 0, true
		}
		one.changed = open || s.l.x.recent.has(f.Path)
		s.take(one, f.Role, f.ID)
		return true
	})
	for at, p := range pending {
		if p.State == freshness.Added && at.Under(s.base) && s.filter.Keep(at) && isFile(p.Entry.Sig.Mode, string(p.Entry.Reason)) {
			s.take(foundFile{path: at, text: p.Entry.Type == tree.File, changed: true}, graph.RoleOf(at), 0)
		}
	}
}

// isFile tells files, and links to them, from directories.
func isFile(mode uint32, why string) bool {
	return mode&modeType != modeDir && why != string(tree.ReasonLinkDir)
}

// fromWalk takes what the rules let through at this moment.
func (s *finding) fromWalk(ctx context.Context) error {
	opts := tree.WalkOptions{NoIgnore: s.base != "" && s.root.Tree.Ignored(s.base), NamesOnly: true, ByPath: true}
	if s.base != "" {
		opts.Scope = []graph.Path{s.base}
	}
	return s.root.Tree.Walk(ctx, opts, func(e tree.Entry) error {
		if s.filter.Keep(e.Path) && isFile(e.Sig.Mode, string(e.Reason)) {
			s.take(foundFile{path: e.Path, text: e.Type == tree.File, changed: s.byGit[e.Path]}, graph.RoleOf(e.Path), 0)
		}
		return nil
	})
}

// take keeps a file that passes the filters.
func (s *finding) take(f foundFile, role graph.Role, known graph.FileID) {
	switch {
	case s.req.Role != "" && role != s.req.Role:
		return
	case s.req.ChangedOnly && !f.changed:
		return
	}
	defines, mentions := s.symbols.holds(known)
	if s.symbols != nil && !defines && !mentions {
		return
	}
	if s.req.Ranked {
		sig := rank.FileSignals{
			Basename: path.Base(s.req.Pattern) == f.path.Base(), Role: s.req.Role != "", Generated: role == graph.RoleGenerated,
		}
		if s.snap != nil || s.byGit != nil {
			sig.Changed = rank.Of(f.changed)
		}
		if s.snap != nil {
			sig.Definition, sig.Mention, sig.Neighbor = rank.Of(defines), rank.Of(mentions), s.symbols.neighbor(known)
		}
		f.score, f.reasons = rank.ScoreFile(sig, s.req.ContainsSymbol != "")
	}
	s.found = append(s.found, f)
}

// shape sorts what was found, cuts it, and adds what was asked for.
func (s *finding) shape(ctx context.Context) {
	slices.SortFunc(s.found, func(a, b foundFile) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(string(a.path), string(b.path)))
	})
	limit := s.req.Limit
	if limit <= 0 {
		limit = defaultFindLimit
	}
	if len(s.found) > limit {
		s.found, s.ans.Truncated = s.found[:limit], true
	}
	s.ans.Matches = make([]string, len(s.found))
	for i := range s.found {
		f := &s.found[i]
		s.ans.Matches[i] = s.display(f.path)
		if s.req.Ranked {
			s.ans.ScoreReasons = append(s.ans.ScoreReasons, api.FileScore{Path: s.ans.Matches[i], Score: f.score, Reasons: f.reasons})
		}
		if s.req.ReturnEvidenceIDs {
			s.ans.EvidenceIDs = append(s.ans.EvidenceIDs, s.evidence(ctx, f))
		}
	}
	if err := ctx.Err(); err != nil {
		s.ans.Deadline = errors.Is(err, context.DeadlineExceeded)
		s.ans.Cancelled = !s.ans.Deadline
		s.ans.Truncated = true
	}
}

// evidence mints an id of the whole file; "" for what is no text of the workspace. What
// the index does not hold is read.
func (s *finding) evidence(ctx context.Context, f *foundFile) string {
	if !f.text || !s.root.Index {
		return ""
	}
	if f.id == 0 {
		if ctx.Err() != nil {
			return ""
		}
		src, _, err := s.root.Tree.Read(f.path, nil)
		if err != nil || bytes.IndexByte(src, 0) >= 0 {
			return ""
		}
		f.hash, f.lines = sum(src), uint32(bytes.Count(src, []byte{'\n'}))
		if len(src) > 0 && src[len(src)-1] != '\n' {
			f.lines++
		}
	}
	return graph.EvidenceID(f.path, f.hash, 1, max(f.lines, 1))
}

// display is how a path is shown: absolute in a further root.
func (s *finding) display(p graph.Path) string {
	if s.root.Index {
		return valid(string(p))
	}
	return valid(strings.TrimSuffix(s.root.Path, "/") + "/" + string(p))
}
