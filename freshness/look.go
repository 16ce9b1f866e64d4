package freshness

import (
	"context"
	"slices"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	// lookAtMost is how many marks are looked at one by one; above it, a sweep of
	// everything costs less.
	lookAtMost = 512
	// lookRounds bounds how often marks are looked at that came meanwhile: whoever
	// writes faster than we look does not hold us up.
	lookRounds = 3
)

// Look resolves the marks that there are: files by a look at each, directories by a
// sweep below them, and everything by a sweep where anything may have happened. What
// is marked meanwhile may stay. Then Pending says what differs, not only what may.
func (l *Ledger) Look(ctx context.Context, t *tree.Tree) error {
	l.mu.RLock()
	until := l.seq
	l.mu.RUnlock()
	for round := range lookRounds {
		paths, all := l.marked(until)
		if all || len(paths) > lookAtMost {
			_, err := l.Sweep(ctx, t, nil)
			return err
		}
		if len(paths) == 0 {
			return nil
		}
		links := round == 0 && !l.plain(paths)
		if links {
			paths = l.withLinks(paths)
		}
		verdicts, err := l.Verify(ctx, t, paths)
		if err == nil && round == 0 && !links && slices.ContainsFunc(verdicts, func(v Verdict) bool { return !v.plain() }) {
			_, err = l.Verify(ctx, t, l.withLinks(nil))
		}
		if err != nil {
			return err
		}
		// What is left are directories, and files whose hash is not known.
		if paths, _ = l.marked(until); len(paths) > 0 {
			if _, err := l.Sweep(ctx, t, paths); err != nil {
				return err
			}
		}
		l.mu.RLock()
		until = max(until, l.twins.seq)
		l.mu.RUnlock()
	}
	return nil
}

// plain reports whether all paths are recorded as files whose bytes were read, and
// none was seen to be anything else. Where they still are files, no link leads to
// another kind of thing than before: a save costs the same however many links there are.
func (l *Ledger) plain(paths []graph.Path) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return !slices.ContainsFunc(paths, func(p graph.Path) bool {
		e, ok := l.records[p]
		f, found := l.findings[p]
		return !ok || e.Hash.IsZero() || found && f.state != Changed
	})
}

// plain reports whether a file stands at a recorded path.
func (v *Verdict) plain() bool {
	switch v.State {
	case Fresh, Changed, RacyState:
		return v.Entry.Path != "" && v.Entry.Type == tree.File
	}
	return false
}

// withLinks adds the symbolic links: the marks may be about what they lead to.
func (l *Ledger) withLinks(paths []graph.Path) []graph.Path {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for p := range l.twins.links {
		if _, ok := l.records[p]; ok && !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// marked lists the marks up to a moment; all says that anything may have happened, and
// nobody has looked since.
func (l *Ledger) marked(until uint64) (paths []graph.Path, all bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for p, m := range l.marks {
		if m.seq <= until {
			paths = append(paths, p)
		}
	}
	return paths, l.doubt()
}
