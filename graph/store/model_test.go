package store_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/graph/store/storetest"
)

// TestAgainstModel runs random scripts of changes, compactions, full batches,
// restarts and crashes, and compares what each generation shows with a map.
func TestAgainstModel(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := &script{t: t, r: rand.New(rand.NewPCG(seed, 1)), dir: filepath.Join(t.TempDir(), "0"), model: storetest.NewModel()}
			s.db = storetest.OpenDir(t, s.dir)
			for step := range 60 {
				s.step()
				if t.Failed() {
					t.Fatalf("failed after step %d", step)
				}
			}
			s.unpin(0)
		})
	}
}

type script struct {
	t     *testing.T
	r     *rand.Rand
	dir   string
	db    *store.Store
	model *storetest.Model

	full      *store.Batch // a full batch under way
	fullModel map[graph.Path]storetest.ModelFile
	atFull    map[graph.Path]storetest.ModelFile // what was there when it began
	since     map[graph.Path]bool                // paths that were changed since
	pinned    []*store.Snapshot
	pinModels []*storetest.Model
	shown     []*storetest.Model // generations of this process, the last ones
	version   int
	restarts  int
}

func (s *script) step() {
	switch n := s.r.IntN(100); {
	case n < 55:
		s.change(1 + s.r.IntN(4))
	case n < 62:
		s.change(50)
	case n < 65:
		s.change(1300) // more than one transaction and more than an overlay takes
	case n < 73 && s.full == nil:
		if err := s.db.Compact(s.t.Context()); err != nil {
			s.t.Fatalf("Compact: %v", err)
		}
	case n < 80:
		s.stepFull()
	case n < 88:
		s.pinned = append(s.pinned, s.db.Snapshot())
		s.pinModels = append(s.pinModels, s.model.Clone())
		s.unpin(2)
	case n < 92:
		s.restart()
	case n < 96:
		s.crash()
	default:
		s.discard()
	}
	s.compare()
}

func (s *script) compare() {
	s.t.Helper()
	v := s.db.Snapshot()
	defer v.Release()
	s.model.Compare(s.t, v, "absent", "dir0/absent.go")
	for _, old := range s.shown {
		s.model.CompareChanges(s.t, v, old)
	}
	if s.shown = append(s.shown, s.model.Clone()); len(s.shown) > 8 {
		s.shown = s.shown[1:]
	}
	for i, p := range s.pinned {
		s.pinModels[i].Compare(s.t, p)
	}
}

// unpin compares and releases the oldest snapshots until keep are left.
func (s *script) unpin(keep int) {
	for len(s.pinned) > keep {
		s.pinModels[0].Compare(s.t, s.pinned[0])
		s.pinned[0].Release()
		s.pinned, s.pinModels = s.pinned[1:], s.pinModels[1:]
	}
}

func (s *script) path() graph.Path {
	forms := []string{"f%d.go", "dir/f%d.go", "dir/sub/f%d.go", "dir.d/f%d.go", "dir/sub.go/f%d"}
	return graph.Path(fmt.Sprintf(forms[s.r.IntN(len(forms))], s.r.IntN(20)))
}

// change publishes an incremental batch of about n changes.
func (s *script) change(n int) {
	b := begin(s.t, s.db, store.Incremental)
	changed := false
	for range n {
		p := s.path()
		if n > 1000 {
			p = graph.Path(fmt.Sprintf("many/f%d.go", s.r.IntN(3*n)))
		}
		switch s.r.IntN(10) {
		case 0, 1:
			changed = s.remove(b, p) || changed
		case 2, 3:
			s.touch(b, p)
		default:
			s.model.Files[p] = s.put(b, p)
			s.mark(p)
			changed = true
		}
	}
	before := s.model.Generation
	s.model.Generation = publish(s.t, b)
	if changed && s.model.Generation != before+1 || s.model.Generation < before {
		s.t.Fatalf("generation went from %d to %d", before, s.model.Generation)
	}
}

func (s *script) put(b *store.Batch, p graph.Path) storetest.ModelFile {
	s.version++
	names := func() (out []string) {
		for range s.r.IntN(6) {
			out = append(out, fmt.Sprintf("n%d", s.r.IntN(40)))
		}
		return out
	}
	rec, f := storetest.File(p, s.version, names(), names())
	if s.r.IntN(8) == 0 {
		f, rec.Language, rec.Status = nil, "", ""
	}
	rec.ID = storetest.Put(s.t, b, rec, f)
	return storetest.ModelFile{File: rec, Facts: f}
}

func (s *script) remove(b *store.Batch, p graph.Path) bool {
	_, want := s.model.Files[p]
	there, err := b.Remove(p)
	if err != nil || there != want {
		s.t.Fatalf("Remove(%q) = %v, %v, want %v", p, there, err, want)
	}
	delete(s.model.Files, p)
	if there {
		s.mark(p)
	}
	return there
}

// mark notes a change of a path for the full batch under way.
func (s *script) mark(p graph.Path) {
	if s.full != nil {
		s.since[p] = true
	}
}

func (s *script) touch(b *store.Batch, p graph.Path) {
	m, want := s.model.Files[p]
	m.File.Sig.MtimeNS += 1000
	m.File.Racy = s.r.IntN(2) == 0
	there, err := b.Touch(p, m.File.Sig, m.File.Racy)
	if err != nil || there != want {
		s.t.Fatalf("Touch(%q) = %v, %v, want %v", p, there, err, want)
	}
	if want {
		s.model.Files[p] = m
		s.mark(p)
	}
}

// stepFull begins a full batch, adds to it, or publishes or discards it.
func (s *script) stepFull() {
	if s.full == nil {
		s.full = begin(s.t, s.db, store.Full)
		s.atFull = maps.Clone(s.model.Files)
		s.fullModel, s.since = make(map[graph.Path]storetest.ModelFile), make(map[graph.Path]bool)
	}
	for range s.r.IntN(80) {
		p := s.path()
		s.fullModel[p] = s.put(s.full, p)
	}
	if s.r.IntN(2) == 0 {
		return
	}
	want := maps.Clone(s.fullModel)
	for p := range s.since {
		s.carry(want, p)
	}
	gen := publish(s.t, s.full)
	if gen != s.model.Generation+1 {
		s.t.Fatalf("generation went from %d to %d", s.model.Generation, gen)
	}
	s.model = &storetest.Model{Generation: gen, Files: want}
	s.full = nil
}

// carry applies to a full batch what happened to a path while it was under way. The
// versions of the full batch are all new, so a mere touch changes nothing.
func (s *script) carry(want map[graph.Path]storetest.ModelFile, p graph.Path) {
	now, there := s.model.Files[p]
	before, was := s.atFull[p]
	switch {
	case !there:
		delete(want, p)
	case !was || before.File.ID != now.File.ID:
		want[p] = now
	}
}

func (s *script) discard() {
	if s.full != nil {
		s.full.Discard()
		s.full = nil
	}
	b := begin(s.t, s.db, store.Incremental)
	for range 10 {
		s.put(b, s.path())
	}
	b.Discard()
}

func (s *script) restart() {
	s.unpin(0)
	s.full = nil
	if err := s.db.Check(s.t.Context()); err != nil {
		s.t.Fatalf("Check: %v", err)
	}
	if err := s.db.Close(); err != nil {
		s.t.Fatalf("Close: %v", err)
	}
	s.db = storetest.OpenDir(s.t, s.dir)
}

// crash goes on with a copy of the directory that is made while the store is open
// and a batch is under way.
func (s *script) crash() {
	s.unpin(0)
	b := begin(s.t, s.db, store.Incremental)
	for range 20 {
		s.put(b, s.path())
	}
	s.restarts++
	dir := filepath.Join(filepath.Dir(s.dir), fmt.Sprint(s.restarts))
	copyStill(s.t, s.dir, dir)
	b.Discard()
	if s.full != nil {
		s.full.Discard()
		s.full = nil
	}
	if err := s.db.Close(); err != nil {
		s.t.Fatalf("Close: %v", err)
	}
	s.dir = dir
	s.db = storetest.OpenDir(s.t, dir)
}

// copyStill copies a directory while tables are flushed and merged in it, again and
// again until they were the same before and after. Logs need no such care: what is
// torn in them was not committed.
func copyStill(t testing.TB, from, to string) {
	for {
		before := tables(t, from)
		copyDir(t, from, to)
		if slices.Equal(tables(t, from), before) {
			return
		}
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
	}
}

// tables lists names, sizes and times of the files that say where data is.
func tables(t testing.TB, dir string) (out []string) {
	names, err := filepath.Glob(filepath.Join(dir, "kv", "[0M]*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if info, err := os.Stat(n); err == nil {
			out = append(out, fmt.Sprint(n, info.Size(), info.ModTime()))
		}
	}
	return out
}

func copyDir(t testing.TB, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		target := filepath.Join(to, name[len(from):])
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		in, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was merged into another
		}
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := os.Create(target)
		if err != nil {
			return err
		}
		defer out.Close()
		_, err = io.Copy(out, in)
		return err
	})
	if err != nil {
		t.Fatalf("copy directory: %v", err)
	}
}
