package freshness

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// Changes is what a sweep found, each list in the order of the walk.
type Changes struct {
	Added   []tree.Entry
	Changed []tree.Entry
	Removed []graph.Path
	// Touched are records whose bytes proved equal although the signature was
	// racy: the ledger has the new record already; see TakeTouched.
	Touched []Record
	// Odd lists what the walk found Special or Unreadable, changed or not.
	Odd  []tree.Entry
	Seen int // entries walked
	// Seq is the moment up to which the sweep speaks: pass it to Settle.
	Seq uint64
	At  time.Time // when the sweep began
}

// Empty reports whether the index is up to date with the disk in the scope.
func (c *Changes) Empty() bool {
	return len(c.Added)+len(c.Changed)+len(c.Removed) == 0
}

// Sweep compares the disk with the records, in the scope (empty: everything), and
// remembers what differs. Signatures decide; only racy records are hashed. Marks
// set before it began and covered by the scope are resolved by it; marks set
// meanwhile stay. When it fails or ctx ends, nothing is resolved; a complete sweep
// of everything moves LastSweep. One sweep runs at a time.
func (l *Ledger) Sweep(ctx context.Context, t *tree.Tree, scope []graph.Path) (Changes, error) {
	select {
	case <-l.sweeping:
		defer func() { l.sweeping <- struct{}{} }()
	case <-ctx.Done():
		return Changes{}, ctx.Err()
	}
	l.mu.Lock()
	l.seq++
	c := Changes{Seq: l.seq, At: time.Now()}
	l.mu.Unlock()

	var seen []tree.Entry
	err := t.Walk(ctx, tree.WalkOptions{Scope: scope}, func(e tree.Entry) error {
		seen = append(seen, e)
		return nil
	})
	if err != nil {
		return Changes{}, err
	}
	c.Seen = len(seen)
	racy := l.compare(&c, seen, scope)
	if err := l.settleRacy(ctx, &c, racy); err != nil {
		return Changes{}, err
	}
	whole := slices.Contains(scope, "") || len(scope) == 0
	l.remember(&c, scope, whole)
	l.sharedIn(seen, whole)
	return c, nil
}

// suspect is a racy record with what the walk saw of its path.
type suspect struct {
	entry tree.Entry
	rec   Record
}

// compare sorts what was seen into the lists, and returns what only a hash tells.
func (l *Ledger) compare(c *Changes, seen []tree.Entry, scope []graph.Path) (racy []suspect) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, e := range seen {
		if e.Type != tree.File {
			c.Odd = append(c.Odd, e)
		}
		rec, ok := l.records[e.Path]
		if !ok {
			c.Added = append(c.Added, e)
			continue
		}
		rec.seen = c.Seq
		switch {
		case rec.Sig != e.Sig:
			c.Changed = append(c.Changed, e)
		case rec.Racy && e.Type == tree.File:
			racy = append(racy, suspect{e, rec.Record})
		}
	}
	if len(scope) == 0 {
		scope = []graph.Path{""}
	}
	for _, s := range scope {
		for _, p := range l.below(s) {
			// Scopes may overlap: the second one finds the path seen.
			if rec := l.records[p]; rec.seen != c.Seq {
				rec.seen = c.Seq
				c.Removed = append(c.Removed, p)
			}
		}
	}
	slices.SortFunc(c.Removed, tree.Compare)
	return racy
}

// settleRacy hashes the suspects.
func (l *Ledger) settleRacy(ctx context.Context, c *Changes, racy []suspect) error {
	states := make([]State, len(racy))
	touched := make([]Record, len(racy))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range racy {
		g.Go(func() error {
			var err error
			states[i], touched[i], err = l.rehash(ctx, &racy[i].entry, racy[i].rec)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, s := range states {
		switch s {
		case Fresh:
			c.Touched = append(c.Touched, touched[i])
		case Missing:
			c.Removed = append(c.Removed, racy[i].entry.Path)
		default:
			c.Changed = append(c.Changed, racy[i].entry)
		}
	}
	if len(racy) > 0 {
		slices.SortFunc(c.Removed, tree.Compare)
		slices.SortFunc(c.Changed, func(a, b tree.Entry) int { return tree.Compare(a.Path, b.Path) })
	}
	return nil
}

// rehash reads a file and says whether its bytes are those of the record; then the
// record that describes them as they are now comes along. e follows what was read.
// The error is one that is not about the path.
func (l *Ledger) rehash(ctx context.Context, e *tree.Entry, rec Record) (State, Record, error) {
	if l.hash == nil || rec.Hash.IsZero() {
		return Changed, Record{}, nil
	}
	at := time.Now()
	h, sig, err := l.hash(ctx, rec.Path)
	if err != nil {
		if ctx.Err() != nil {
			return RacyState, Record{}, ctx.Err()
		}
		var te *tree.Error
		switch {
		case errors.Is(err, tree.ErrNotExist):
			return Missing, Record{}, nil
		case errors.As(err, &te):
			// It cannot be read any more; the index run says why.
			return Changed, Record{}, nil
		}
		return RacyState, Record{}, err
	}
	e.Sig = sig
	if h != rec.Hash {
		return Changed, Record{}, nil
	}
	rec.Sig, rec.Racy = sig, Racy(sig, at)
	return Fresh, rec, nil
}

// remember makes a finished sweep the ledger's knowledge.
func (l *Ledger) remember(c *Changes, scope []graph.Path, whole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p, f := range l.findings {
		if f.seq <= c.Seq && inScope(p, scope) {
			l.forget(p)
		}
	}
	for p, m := range l.marks {
		if inScope(p, scope) && l.answered(m, c.Seq) {
			delete(l.marks, p)
			l.judge(p, c.Seq)
		}
	}
	for _, list := range [...][]tree.Entry{c.Added, c.Changed} {
		for _, e := range list {
			l.observe(e, c.Seq)
		}
	}
	for _, p := range c.Removed {
		l.observeGone(p, c.Seq)
	}
	for _, r := range c.Touched {
		l.touch(r)
	}
	if whole {
		if l.all.seq > 0 && l.answered(l.all, c.Seq) {
			l.all = mark{}
			l.judge("", c.Seq)
		}
		if c.Seq >= l.ended {
			l.swept = c.Seq
		}
		l.last, l.took = c.At, time.Since(c.At)
	}
}

// judge notes that a look has answered a mark on a path. The caller holds mu.
func (l *Ledger) judge(p graph.Path, seq uint64) {
	for _, q := range l.below(p) {
		e := l.records[q]
		e.judged = max(e.judged, seq)
	}
}

// observe notes an entry that differs from its record, unless a younger look has
// said something already, or an index run has just recorded this very state. The
// caller holds mu.
func (l *Ledger) observe(e tree.Entry, seq uint64) {
	if f, ok := l.findings[e.Path]; ok && f.seq > seq {
		return
	}
	rec, ok := l.records[e.Path]
	switch {
	case !ok:
		l.find(e.Path, finding{Added, e, seq})
	case rec.Sig == e.Sig && !rec.Racy:
		l.forget(e.Path)
	default:
		l.find(e.Path, finding{Changed, e, seq})
	}
}

// observeGone notes a recorded path that is not on disk, unless a younger look has
// said something already. The caller holds mu.
func (l *Ledger) observeGone(p graph.Path, seq uint64) {
	if f, ok := l.findings[p]; ok && f.seq > seq {
		return
	}
	if e, ok := l.records[p]; ok && e.judged <= seq {
		l.find(p, finding{state: Missing, seq: seq})
	}
}

// touch replaces a record by one with the same bytes, unless an index run has
// recorded other bytes meanwhile. The caller holds mu.
func (l *Ledger) touch(r Record) {
	if e, ok := l.records[r.Path]; ok && e.Hash == r.Hash {
		e.Record = r
		l.touched[r.Path] = struct{}{}
	}
}
