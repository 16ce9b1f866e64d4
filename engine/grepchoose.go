package engine

import (
	"context"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/graph"
)

// look brings the index up to date for the search: what lies below a base is looked
// at, for a base is small; of everything, what the policy says.
func (s *search) look(ctx context.Context) {
	x := s.l.x
	s.since = x.writer.Settled()
	switch {
	case s.req.UseIndex == api.IndexNever || x.store.Generation() == 0 || !s.root.Index:
	case x.hear(ctx, api.PreferFresh):
		// What differs is known, and is searched whether it is indexed or not; facts of
		// it are needed only where matches are weighed or shown by them.
		if s.looked, s.heard = true, true; s.usesFacts() {
			x.catchUp(ctx, api.PreferFresh)
		}
	default:
		s.unheard(ctx)
	}
}

// unheard looks at the disk where no events tell of it. What differs is indexed on the
// way, unless a run is under way or about to begin: who only searches does not wait for
// that, but is content to know what differs.
func (s *search) unheard(ctx context.Context) {
	x := s.l.x
	running, _ := x.writer.Running()
	switch {
	case running || s.base == "" && x.beginning():
	case s.base != "" && affordable(ctx, cheapSweep):
		s.looked = x.lookAt(ctx, s.base)
	case s.base == "":
		s.looked = x.catchUnheard(ctx)
	}
	if s.looked {
		s.since = x.writer.Settled()
	} else if x.worthLook(ctx, s.base) {
		s.sight(ctx, s.base)
	}
}

// sight makes known what differs in a part of the tree, and indexes nothing.
func (s *search) sight(ctx context.Context, part graph.Path) {
	s.since = s.l.x.writer.Settled()
	s.looked = s.l.x.sight(ctx, part)
}

// pinTries is how often a search starts again because a generation was published
// while it collected candidates.
const pinTries = 3

// choose fills paths: what the scan looks at. The words of a file version may leave
// the lexical index as soon as a newer generation is published; so candidates count
// only if the pinned generation is still the current one after they were collected.
func (s *search) choose(ctx context.Context) error {
	if s.l.x == nil {
		return s.collect(ctx, true)
	}
	for try := 1; ; try++ {
		s.release()
		s.snap = s.l.x.store.Snapshot()
		s.paths, s.ans.Skipped = nil, map[string]int{}
		s.ans.Freshness = s.l.x.freshness(s.snap)
		s.ans.IndexUsed = false
		err := s.collect(ctx, try <= pinTries)
		now := s.l.x.store.Generation()
		if err == nil && s.listed && (now != s.since && s.vague() || try > pinTries && now != s.snap.Generation()) {
			return s.relist(ctx)
		}
		// An answer that is not the index's is a live one: it needs the files of now.
		if err == nil && s.listed && !s.ans.IndexUsed && !s.looked && s.base == "" && affordable(ctx, cheapSweep) {
			if running, _ := s.l.x.writer.Running(); running || !s.l.x.lookAt(ctx, "") {
				s.sight(ctx, "")
			} else {
				s.since = s.l.x.writer.Settled()
			}
			s.looked = true
			continue
		}
		if err != nil || try > pinTries || now == s.snap.Generation() {
			return err
		}
	}
}

// vague reports whether the list of files may lack one of which no file is told. The
// look that was taken for the search compared the disk with what was the index then. A
// run that published since may have dropped a file that has come back before that
// look: where events are heard of, something is then marked that is no file, and stays
// so until somebody has compared it with what was published. What counts is what was
// known when the files were listed, not what is known by now.
func (s *search) vague() bool {
	return s.looked && !s.heard || unlisted(s.snap, s.known)
}

// relist takes the list of files from a walk after all. A search that insists on the
// index keeps what that gave, and says that it may be out of date.
func (s *search) relist(ctx context.Context) error {
	if s.req.UseIndex == api.IndexAlways {
		s.ans.IsStale = true
		return nil
	}
	s.listed, s.paths, s.ans.Skipped = false, nil, map[string]int{}
	s.ans.IndexUsed, s.ans.PrefilteredFiles = false, 0
	s.ans.FallbackReason = reason(api.FallbackUnswept)
	return s.fromWalk(ctx)
}

// pending holds what the index does not answer for: such files are looked at
// whatever it says, or not at all when they are gone (which may mean: ignored now).
func (s *search) pending() map[graph.Path]freshness.Pending {
	s.known = freshness.Known{}
	if c := s.l.x.ledger.Counts(); dirty(c) > 0 || c.All {
		s.known = s.l.x.ledger.Known()
	}
	out := make(map[graph.Path]freshness.Pending, len(s.known.Pending))
	for _, p := range s.known.Pending {
		out[p.Path] = p
	}
	if s.l.o.listed != nil {
		s.l.o.listed()
	}
	return out
}
