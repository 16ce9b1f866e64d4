package lexical

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/internal/bleveidx"
	"github.com/ralph-index/ralph-index/lexical/internal/vocab"
)

// view is the index at one moment with what was derived from its segments. It is
// shared by queries and released when the last one and the index let go of it.
type view struct {
	snap *bleveidx.Snapshot
	segs []*segmentView
	held *Set
	refs atomic.Int32
}

// segment is what is derived from one immutable segment. Views share it while the
// segment lives, also across its writing to disk, hence the reference count.
type segment struct {
	key  uint64
	dir  string // where vocabularies are kept
	ids  []uint32
	refs atomic.Int32

	mu    sync.Mutex
	vocab *vocab.Vocab // nil until asked for; guarded by mu
	// How the files looked when they were first looked at; guarded by mu.
	words, terms bleveidx.Print
}

// segmentView is a segment in one view: the deleted documents belong to the view.
type segmentView struct {
	*segment
	seg bleveidx.Segment
}

// current returns the view of the newest snapshot and what lets go of it.
func (x *Index) current() (*view, func(), error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil, nil, ErrClosed
	}
	snap, err := x.store.Snapshot()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if x.view != nil && x.view.snap.Same(snap) {
		if err := snap.Release(); err != nil {
			return nil, nil, fmt.Errorf("release snapshot: %w", err)
		}
	} else {
		v, err := x.newView(snap)
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("%w: %w", ErrCorrupt, err), snap.Release())
		}
		if x.view != nil {
			x.view.release(x.log)
		}
		x.view = v
	}
	v := x.view
	v.refs.Add(1)
	x.users.Add(1)
	return v, func() { v.release(x.log); x.users.Done() }, nil
}

func (x *Index) newView(snap *bleveidx.Snapshot) (*view, error) {
	v := &view{snap: snap, held: &Set{}}
	v.refs.Store(1)
	known := map[uint64]*segment{}
	if x.view != nil {
		for _, s := range x.view.segs {
			known[s.key] = s.segment
		}
	}
	for _, seg := range snap.Segments() {
		s := known[seg.Key()]
		if s == nil {
			ids, err := seg.IDs()
			if err != nil {
				return nil, err
			}
			s = &segment{key: seg.Key(), dir: filepath.Join(x.dir, vocabDir), ids: ids}
		}
		v.segs = append(v.segs, &segmentView{s, seg})
	}
	for _, s := range v.segs {
		s.refs.Add(1)
		dead := s.deadSet()
		for doc, id := range s.ids {
			if !dead.has(uint32(doc)) {
				v.held.add(graph.FileID(id))
			}
		}
	}
	return v, nil
}

func (v *view) release(log *slog.Logger) {
	if v.refs.Add(-1) > 0 {
		return
	}
	for _, s := range v.segs {
		if s.refs.Add(-1) > 0 || s.vocab == nil {
			continue
		}
		if err := s.vocab.Close(); err != nil {
			log.Warn("lexical index: unmap vocabulary", "err", err)
		}
	}
	if err := v.snap.Release(); err != nil {
		log.Warn("lexical index: release snapshot", "err", err)
	}
}

// intact returns ErrDamaged where somebody has written to the files that the segment is
// mapped from: what was just read from them may be anything.
func (v *view) intact() error {
	for _, s := range v.segs {
		path := s.seg.Path()
		if path == "" {
			continue
		}
		s.mu.Lock()
		err := s.words.Intact(path, bleveidx.VerifySegment)
		if err == nil && s.vocab.Mapped() {
			err = s.terms.Intact(filepath.Join(s.dir, vocabName(path)), func(string) error {
				return fmt.Errorf("%w: a vocabulary was written to", bleveidx.ErrDamaged)
			})
		}
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// deadSet returns the deleted documents of the segment in this view.
func (s *segmentView) deadSet() *docSet {
	d := newDocSet(len(s.ids))
	s.seg.Dead(d.add)
	return d
}

// saveFrom is the size from which a vocabulary is worth a file: smaller ones are
// built in some milliseconds.
const saveFrom = 256 << 10

// vocabulary returns the words of the segment in searchable form, from memory, from
// its file, or built from the dictionary.
func (s *segmentView) vocabulary(log *slog.Logger) (*vocab.Vocab, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.vocab != nil {
		return s.vocab, nil
	}
	stamp, file, err := s.file()
	if err != nil {
		return nil, err
	}
	if file != "" {
		v, err := vocab.Load(file, stamp)
		if err == nil {
			s.vocab = v
			return v, nil
		}
		if !errors.Is(err, vocab.ErrStale) {
			log.Warn("lexical index: read vocabulary", "err", err)
		}
	}
	terms, err := s.seg.Terms()
	if err != nil {
		return nil, err
	}
	var b vocab.Builder
	if err := terms.All(func(w string) error { b.Add(w); return nil }); err != nil {
		return nil, err
	}
	s.vocab = b.Build(stamp)
	if file != "" && s.vocab.Size() >= saveFrom {
		s.vocab = saved(s.vocab, file, stamp, log)
	}
	return s.vocab, nil
}

// saved writes a vocabulary to its file and returns it as mapped from there: then its
// bytes are the system's to drop. Where that fails, the one in memory serves.
func saved(v *vocab.Vocab, file string, stamp vocab.Stamp, log *slog.Logger) *vocab.Vocab {
	if err := v.Save(file); err != nil {
		log.Warn("lexical index: keep vocabulary", "err", err) // built again next time
		return v
	}
	mapped, err := vocab.Load(file, stamp)
	if err != nil {
		log.Warn("lexical index: read vocabulary", "err", err)
		return v
	}
	return mapped
}

// file returns where the vocabulary of a segment on disk is kept; "" for one that is
// only in memory.
func (s *segmentView) file() (vocab.Stamp, string, error) {
	path := s.seg.Path()
	if path == "" {
		return vocab.Stamp{}, "", nil
	}
	size, crc, err := s.seg.Stamp()
	if err != nil {
		return vocab.Stamp{}, "", fmt.Errorf("identify segment: %w", err)
	}
	return vocab.Stamp{Size: size, CRC: crc}, filepath.Join(s.dir, vocabName(path)), nil
}

func vocabName(segmentPath string) string {
	return strings.TrimSuffix(filepath.Base(segmentPath), ".zap") + ".voc"
}

// removeStale deletes the vocabularies of segments that are gone.
func (x *Index) removeStale(v *view) error {
	live := map[string]bool{}
	for _, s := range v.segs {
		live[vocabName(s.seg.Path())] = true
	}
	dir := filepath.Join(x.dir, vocabDir)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("list vocabularies: %w", err)
	}
	for _, e := range entries {
		if !live[e.Name()] {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove stale vocabulary: %w", err)
			}
		}
	}
	return nil
}
