package freshness

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// Verdict is how one path stands.
type Verdict struct {
	Path  graph.Path
	State State
	Entry tree.Entry // what is on disk; the zero value where nothing is
}

// Verify looks at the paths now and says how each stands, in their order: one
// system call a file where paths of a directory stand together. What it finds is
// remembered as a sweep would. Paths whose signature moved or is racy are hashed,
// so that a file that was only touched is Fresh. The ignore rules are not asked
// about recorded paths, unless a sweep has found one missing: sweeps notice those that
// became ignored.
//
// When ctx ends in the middle, the paths not looked at are RacyState and the error
// is that of ctx.
func (l *Ledger) Verify(ctx context.Context, t *tree.Tree, paths []graph.Path) ([]Verdict, error) {
	v := verification{l: l, t: t, out: make([]Verdict, len(paths)), recs: make([]Record, len(paths)), known: make([]bool, len(paths)), solid: make([]bool, len(paths))}
	l.mu.RLock()
	v.seq = l.seq
	for i, p := range paths {
		v.out[i].Path = p
		if e, ok := l.records[p]; ok {
			v.recs[i], v.known[i] = e.Record, true
		}
		if _, ok := l.marks[p]; ok {
			v.noted = true
		}
		if f, ok := l.findings[p]; ok {
			v.noted = true
			if f.state == Missing {
				v.missed = append(v.missed, i)
			}
		}
	}
	l.mu.RUnlock()
	seen, err := t.StatAll(ctx, paths)
	for i := range seen {
		v.judge(i, &seen[i])
	}
	if err == nil {
		err = v.hash(ctx)
	}
	v.remember()
	l.sharedOf(v.out)
	return v.out, err
}

// verification is one call of Verify.
type verification struct {
	l     *Ledger
	t     *tree.Tree
	seq   uint64
	recs  []Record
	known []bool // recs[i] is set
	out   []Verdict
	open  []int    // to be hashed
	fresh []Record // brought up to date by hashing
	noted bool     // the ledger has marks or findings about some of the paths
	// missed are the recorded paths that were found missing, in order: what stands there
	// may be ignored by now.
	missed []int
	// solid[i] says that what stands at the path is no directory: with nothing recorded
	// below, the verdict is all there is to know.
	solid []bool
}

// judge decides what a signature can decide.
func (v *verification) judge(i int, s *tree.Stated) {
	out := &v.out[i]
	rec := &v.recs[i]
	v.solid[i] = s.Type != tree.Directory
	switch {
	case s.Err != nil && !errors.Is(s.Err, tree.ErrNotExist) && !errors.Is(s.Err, tree.ErrInvalid):
		out.State = RacyState
		return
	case s.Err != nil, s.Type == tree.Directory && (!v.known[i] || rec.Sig != s.Sig):
		if out.State = Missing; !v.known[i] {
			out.State = Unknown
		}
		return
	case v.outside(i, s.Path):
		out.State = Missing
		return
	}
	out.Entry = s.Entry
	switch {
	case !v.known[i]:
		if out.State = Added; v.t.Ignored(s.Path) {
			out.State, out.Entry = Unknown, tree.Entry{}
		}
	case s.Type == tree.Unreadable:
		out.State = Unreadable
	case s.Sig == rec.Sig && (!rec.Racy || s.Type != tree.File):
		out.State = Fresh
	case s.Type != tree.File || rec.Hash.IsZero():
		out.State = Changed
	default:
		if out.State = Changed; s.Sig == rec.Sig {
			out.State = RacyState
		}
		if v.l.hash != nil {
			v.open = append(v.open, i)
		}
	}
}

// outside reports whether a path was found missing because the rules exclude it.
func (v *verification) outside(i int, p graph.Path) bool {
	_, missed := slices.BinarySearch(v.missed, i)
	return missed && v.t.Ignored(p)
}

// hash decides the rest.
func (v *verification) hash(ctx context.Context) error {
	fresh := make([]Record, len(v.open))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for k, i := range v.open {
		g.Go(func() error {
			out := &v.out[i]
			state, rec, err := v.l.rehash(ctx, &out.Entry, v.recs[i])
			if err != nil {
				return err // the state stays what the signature said
			}
			if out.State, fresh[k] = state, rec; state == Missing {
				out.Entry = tree.Entry{}
			}
			return nil
		})
	}
	err := g.Wait()
	for k, i := range v.open {
		if v.out[i].State == Fresh {
			v.fresh = append(v.fresh, fresh[k])
		}
	}
	return err
}

// remember makes the verdicts the ledger's knowledge. Where all is as recorded and
// nobody had doubted it, which is the common case, no lock is taken.
func (v *verification) remember() {
	todo := v.noted || len(v.fresh) > 0
	for i := 0; i < len(v.out) && !todo; i++ {
		s := v.out[i].State
		todo = s != Fresh && s != Unknown && s != RacyState
	}
	if !todo {
		return
	}
	l := v.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range v.fresh {
		l.touch(r)
	}
	for i := range v.out {
		out := &v.out[i]
		if e, ok := l.records[out.Path]; ok && out.State != RacyState {
			if e.judged > v.seq {
				continue // a younger look has said something already
			}
			e.judged = v.seq
		}
		switch out.State {
		case Fresh, Unknown:
			if f, ok := l.findings[out.Path]; ok && f.seq <= v.seq {
				l.forget(out.Path)
			}
		case Added, Changed, Unreadable:
			l.observe(out.Entry, v.seq)
		case Missing:
			l.observeGone(out.Path, v.seq)
		case RacyState:
			continue
		}
		if v.solid[i] && !l.holds(out.Path, out.State) {
			l.unmark(out.Path, v.seq)
		}
	}
}

// holds reports whether something is recorded, or was found, below a path. The
// caller holds mu.
func (l *Ledger) holds(p graph.Path, s State) bool {
	if list := l.below(p); len(list) > 0 && list[len(list)-1] != p {
		return true
	}
	if s != Unknown && s != Missing {
		return false
	}
	for q := range l.findings {
		if q != p && q.Under(p) {
			return true
		}
	}
	return false
}
