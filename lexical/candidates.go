package lexical

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/internal/bleveidx"
	"github.com/ralph-index/ralph-index/lexical/internal/vocab"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// NotSelective is the reason in Candidates for an answer that is not narrowed: the
// pattern has no word to look up, or too many files have it.
const NotSelective = "not_selective"

const (
	// A pattern that keeps more than a tenth of the files, and more than few, is
	// scanned for in all: opening candidates one by one would gain nothing.
	broadShare = 10
	fewFiles   = 512
	// maxTermWords bounds the words that one term may stand in: reading the postings
	// of so many takes longer than other terms, or a scan.
	maxTermWords = 1 << 14
	// A term with a search over the vocabulary costs as much as verifying some files.
	enoughDocs = 8
)

// Candidates is an answer of the index.
type Candidates struct {
	// IDs lists in ascending order the held ids that may match. It is nil where
	// Narrowed is false.
	IDs []graph.FileID
	// Narrowed false means that the index does not say: look at all files.
	Narrowed bool
	Reason   string // why not narrowed
	// Held is what the index held when it answered: every live id outside it is a
	// candidate too. It is shared: do not change it.
	Held *Set
}

// Candidates says which files can have a line that p matches.
func (x *Index) Candidates(ctx context.Context, p *match.Pattern) (out Candidates, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer damaged(&err)
	v, leave, err := x.current()
	if err != nil {
		return Candidates{}, err
	}
	defer leave()
	defer func() {
		if cut := v.intact(); cut != nil && err == nil {
			out, err = Candidates{}, fmt.Errorf("%w: %w", ErrCorrupt, cut)
		}
	}()
	out = Candidates{Held: v.held, Reason: NotSelective}
	root := planFor(p.Need())
	limit := max(v.held.Len()/broadShare, fewFiles)
	var ids []graph.FileID
	for _, s := range v.segs {
		if err := ctx.Err(); err != nil {
			return Candidates{}, err
		}
		l := lookup{ctx: ctx, seg: s, log: x.log}
		docs, err := l.run(root)
		switch {
		case err != nil && ctx.Err() != nil:
			return Candidates{}, err
		case err != nil:
			return Candidates{}, fmt.Errorf("%w: %w", ErrCorrupt, err) // what is mapped may be gone from the disk
		}
		if docs == nil {
			return out, nil
		}
		docs.each(func(doc uint32) {
			if id := graph.FileID(s.ids[doc]); v.held.Has(id) {
				ids = append(ids, id)
			}
		})
		if len(ids) > limit {
			return out, nil
		}
	}
	slices.Sort(ids)
	// A document that was put again lives in one segment only; its dead version may
	// name the same id.
	return Candidates{IDs: slices.Compact(ids), Narrowed: true, Held: v.held}, nil
}

// lookup answers a plan in one segment.
type lookup struct {
	ctx   context.Context
	seg   *segmentView
	log   *slog.Logger
	terms *bleveidx.Terms
}

// run returns the documents that can fulfil the plan, nil for all of them.
func (l *lookup) run(p *plan) (*docSet, error) {
	switch p.op {
	case planNone:
		return newDocSet(len(l.seg.ids)), nil
	case planTerm:
		return l.term(&p.term)
	case planAnd:
		return l.all(p.sub)
	case planOr:
		return l.any(p.sub)
	}
	return nil, nil
}

func (l *lookup) all(subs []*plan) (*docSet, error) {
	var acc *docSet
	for _, s := range subs {
		if acc != nil && (acc.n == 0 || acc.n <= enoughDocs && (s.op != planTerm || !s.term.exact())) {
			return acc, nil
		}
		docs, err := l.run(s)
		switch {
		case err != nil:
			return nil, err
		case docs == nil:
		case acc == nil:
			acc = docs
		default:
			acc.and(docs)
		}
	}
	return acc, nil
}

func (l *lookup) any(subs []*plan) (*docSet, error) {
	acc := newDocSet(len(l.seg.ids))
	for _, s := range subs {
		docs, err := l.run(s)
		if docs == nil || err != nil {
			return nil, err
		}
		acc.or(docs)
	}
	return acc, nil
}

func (l *lookup) term(t *term) (*docSet, error) {
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	if l.terms == nil {
		var err error
		if l.terms, err = l.seg.seg.Terms(); err != nil {
			return nil, err
		}
	}
	docs := newDocSet(len(l.seg.ids))
	if t.exact() {
		return docs, l.terms.Docs([]byte(t.Text), docs.addAll)
	}
	v, err := l.seg.vocabulary(l.log)
	if err != nil {
		return nil, err
	}
	find := v.Find
	if !t.Fold && t.Left != vocab.Open && t.Right != vocab.Open {
		// A whole word: itself, and words with characters beyond ASCII beside it.
		if err := l.terms.Docs([]byte(t.Text), docs.addAll); err != nil {
			return nil, err
		}
		find = v.FindWide
	}
	words := make([][]byte, 0, 64)
	find(vocab.Query(*t), func(w []byte) bool {
		words = append(words, w)
		return len(words) <= maxTermWords
	})
	if len(words) > maxTermWords {
		return nil, nil
	}
	for i, w := range words {
		if err := l.terms.Docs(w, docs.addAll); err != nil {
			return nil, err
		}
		if i&1023 == 1023 && l.ctx.Err() != nil {
			return nil, l.ctx.Err()
		}
		if docs.n > len(l.seg.ids)/2 && docs.n > fewFiles {
			return nil, nil // too common to be worth completing
		}
	}
	return docs, nil
}
