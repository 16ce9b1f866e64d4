package query

import (
	"context"
	"errors"

	"github.com/ralph-index/ralph-index/graph"
)

func withDefaults(req *Request) {
	set := func(n *int, def, most int) {
		if *n <= 0 {
			*n = def
		}
		*n = min(*n, most)
	}
	set(&req.Limit, DefaultLimit, MaxLimit)
	set(&req.MaxPaths, DefaultMaxPaths, MaxPaths)
	switch req.Type {
	case Neighbors:
		set(&req.Depth, DefaultDepth, MaxNeighborDepth)
	case Path:
		set(&req.Depth, DefaultPathDepth, MaxPathDepth)
	}
	if req.Direction == "" {
		req.Direction = Both
	}
	if req.ChangeKind == "" {
		req.ChangeKind = ChangeUnknown
	}
	if req.Relation != "" {
		req.Relations = []graph.Relation{req.Relation}
	}
}

// run answers into w.ans. Where the context ends early the parts that are there
// stay.
func (w *writer) run(hubs *HubTable, req *Request) error {
	if req.Type == Hubs {
		return w.hubs(hubs, req)
	}
	if req.Target == "" {
		return ErrNoTarget
	}
	target, ok, err := w.target("target", req.Target, req.Limit)
	if err != nil || !ok {
		return err
	}
	w.ans.Metadata.ResolvedID, w.ans.Metadata.ResolvedName = w.id(target), w.r.label(target)
	switch req.Type {
	case Neighbors:
		w.neighbors(target, req)
	case Path:
		return w.path(target, req)
	case Impact:
		w.impact(target, req)
	case Tests:
		w.tests(target, req)
	}
	return nil
}

// target resolves an argument; where that fails the answer says why.
func (w *writer) target(arg, text string, limit int) (s graph.Symbol, ok bool, err error) {
	res, err := w.r.resolve(text)
	if err != nil {
		return s, false, err
	}
	if w.r.ended {
		return s, false, nil
	}
	m := &w.ans.Metadata
	m.Directory = m.Directory || res.Directory
	if res.Package {
		files := make([]graph.FileID, len(res.Symbols))
		for i, c := range res.Symbols {
			files[i] = c.File
		}
		return w.r.unite(files), true, nil
	}
	switch n := len(res.Symbols); n {
	case 0:
		word := MissingTarget
		if arg == "target_b" {
			word = MissingEndpoint
		}
		w.missing(word, 1)
		m.StaleID, m.Nearest = res.Stale, res.Nearest
		w.sayVanished(text)
		return s, false, nil
	case 1:
		return w.r.wholeOf(res.Symbols[0]), true, nil
	default:
		w.missing(MissingAmbiguous, n)
		m.AmbiguousArgument, m.Total = arg, n
		w.ans.Truncated = n > limit
		for _, c := range res.Symbols[:min(n, limit)] {
			one := found{sym: c, conf: 1 / float32(n), prov: provAmbiguous}
			if name := res.Packages[c]; name != "" {
				one.reasons = []string{"package " + name}
			}
			w.node(one)
		}
		return s, false, nil
	}
}

// endedBy says that the context cut the answer short, and which way.
func (w *writer) endedBy() {
	a := w.ans
	a.Truncated = true
	if errors.Is(w.r.end(), context.DeadlineExceeded) || errors.Is(context.Cause(w.r.ctx), context.DeadlineExceeded) {
		a.Deadline = true
		w.missing(MissingDeadline, 1)
		return
	}
	a.Cancelled = true
	w.missing(MissingCancelled, 1)
}
