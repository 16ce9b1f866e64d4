package engine

import (
	"context"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/lexical/match"
	"github.com/ralph-index/ralph-index/lexical/scan"
)

// TestShapeOutOfTime: what was found stays when time ends before the graph is asked
// about it, and the answer says that it is not all.
func TestShapeOutOfTime(t *testing.T) {
	s := openSpace(t, map[string]string{"a.py": "def pipe():\n    pass\n"})
	s.reindex(api.ReindexChanged)
	c, err := s.enter()
	if err != nil {
		t.Fatal(err)
	}
	defer s.leave(c)
	late, stop := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer stop()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ctx := range map[string]context.Context{"in time": t.Context(), "too late": late, "cancelled": ended} {
		q, err := c.svc.(*local).newSearch(&api.GrepRequest{Pattern: "pipe", RankBy: api.RankSymbol})
		if err != nil {
			t.Fatal(err)
		}
		if err := q.choose(t.Context()); err != nil {
			t.Fatal(err)
		}
		res, err := scan.Run(t.Context(), scan.Request{Pattern: q.pat, Paths: q.paths, Files: files{q.root.Tree}})
		if err != nil {
			t.Fatal(err)
		}
		if err := q.shape(ctx, append(res.Matches, scan.Match{Path: "b.py", LineMatch: match.LineMatch{Line: 1}}), 10); err != nil {
			t.Fatal(err)
		}
		q.release()
		a := q.ans
		if len(a.Matches) != 2 || a.Deadline != (ctx == late) || a.Cancelled != (ctx == ended) || a.Truncated != (ctx.Err() != nil) {
			t.Errorf("%s: %+v", name, a)
		}
		if placed := a.Matches[0].Symbol != ""; placed != (ctx.Err() == nil) {
			t.Errorf("%s: the match is in %q", name, a.Matches[0].Symbol)
		}
	}
}
