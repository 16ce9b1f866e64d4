package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/graph/store/storetest"
)

func TestPublishWithoutChange(t *testing.T) {
	s := storetest.Open(t)
	put(t, s, "a.go", 1)
	b := begin(t, s, store.Incremental)
	if there, err := b.Touch("a.go", graph.Signature{Size: 5}, true); !there || err != nil {
		t.Errorf("Touch = %v, %v", there, err)
	}
	if there, err := b.Remove("absent.go"); there || err != nil {
		t.Errorf("Remove of an absent file = %v, %v", there, err)
	}
	if gen := publish(t, b); gen != 1 {
		t.Errorf("generation = %d, want 1", gen)
	}
	v := s.Snapshot()
	defer v.Release()
	if f, _ := v.Record("a.go"); f.Sig.Size != 5 || !f.Racy {
		t.Errorf("record = %+v, want the new signature", f)
	}
}

func put(t testing.TB, s *store.Store, p graph.Path, version int) graph.File {
	t.Helper()
	b := begin(t, s, store.Incremental)
	rec, f := storetest.File(p, version, []string{"D"}, []string{"R"})
	rec.ID = storetest.Put(t, b, rec, f)
	publish(t, b)
	return rec
}

func TestPutRefusesForeignBytes(t *testing.T) {
	s := storetest.Open(t)
	b := begin(t, s, store.Incremental)
	if _, err := b.Put(graph.File{Path: "a.go"}, []byte("no facts")); !errors.Is(err, blob.ErrFormat) {
		t.Errorf("Put error = %v, want blob.ErrFormat", err)
	}
	if gen := publish(t, b); gen != 0 {
		t.Errorf("generation = %d, want 0", gen)
	}
}

func TestEndedBatch(t *testing.T) {
	s := storetest.Open(t)
	b := begin(t, s, store.Incremental)
	b.Discard()
	b.Discard()
	if _, err := b.Put(graph.File{Path: "a"}, nil); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Put error = %v, want ErrClosed", err)
	}
	if _, err := b.Publish(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Publish error = %v, want ErrClosed", err)
	}
}

func TestBeginWaits(t *testing.T) {
	s := storetest.Open(t)
	first := begin(t, s, store.Incremental)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Begin(ctx, store.Incremental); !errors.Is(err, context.Canceled) {
		t.Errorf("Begin beside a batch: %v, want context.Canceled", err)
	}
	begin(t, s, store.Full) // the two kinds do not wait for each other
	first.Discard()
	begin(t, s, store.Incremental)
}

func TestCancelledPublish(t *testing.T) {
	s := storetest.Open(t)
	put(t, s, "a.go", 1)
	for _, m := range []store.Mode{store.Incremental, store.Full} {
		b := begin(t, s, m)
		rec, f := storetest.File("b.go", 1, []string{"New"}, nil)
		storetest.Put(t, b, rec, f)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := b.Publish(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("mode %d: Publish error = %v, want context.Canceled", m, err)
		}
	}
	v := s.Snapshot()
	defer v.Release()
	if v.Generation() != 1 || v.Len() != 1 || v.Definers("New") != nil {
		t.Errorf("a cancelled batch shows: generation %d, %d files", v.Generation(), v.Len())
	}
}

func TestLargeBlob(t *testing.T) {
	dir := t.TempDir()
	s := storetest.OpenDir(t, dir)
	r := rand.New(rand.NewPCG(1, 1))
	name := func() string { return fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64()) }
	defs := make([]string, 100_000) // 3 MB that do not compress below 1.6 MB
	for i := range defs {
		defs[i] = name()
	}
	rec, f := storetest.File("big.go", 1, defs, nil)
	b := begin(t, s, store.Incremental)
	storetest.Put(t, b, rec, f)
	publish(t, b)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = storetest.OpenDir(t, dir)
	v := s.Snapshot()
	defer v.Release()
	id, _ := v.Lookup("big.go")
	got, err := v.Blob(id)
	if err != nil || !bytes.Equal(got, blob.Encode(f)) {
		t.Errorf("Blob = %d bytes, %v", len(got), err)
	}
	if ids := v.Definers(defs[77]); len(ids) != 1 {
		t.Errorf("Definers = %v", ids)
	}
}

func TestResumeFull(t *testing.T) {
	dir := t.TempDir()
	s := storetest.OpenDir(t, dir)
	old := put(t, s, "old.go", 1)
	b := begin(t, s, store.Full)
	rec, f := storetest.File("a.go", 7, []string{"A"}, nil)
	storetest.Put(t, b, rec, f)
	b.Discard()
	if err := s.Compact(t.Context()); err != nil { // must not take what can be resumed
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = storetest.OpenDir(t, dir)
	b = begin(t, s, store.Full)
	got, ok, err := b.BlobFor("a.go", rec.Hash)
	if err != nil || !ok || !bytes.Equal(got, blob.Encode(f)) {
		t.Fatalf("BlobFor = %d bytes, %v, %v", len(got), ok, err)
	}
	if _, ok, _ := b.BlobFor("a.go", graph.Hash{1}); ok {
		t.Error("BlobFor found facts of other bytes")
	}
	if _, ok, err := b.BlobFor("old.go", old.Hash); !ok || err != nil {
		t.Errorf("BlobFor of a live file = %v, %v", ok, err)
	}
	if _, err := b.Put(rec, got); err != nil {
		t.Fatal(err)
	}
	if gen := publish(t, b); gen != 2 {
		t.Errorf("generation = %d, want 2", gen)
	}
	b = begin(t, s, store.Incremental)
	if _, ok, err := b.BlobFor("a.go", rec.Hash); !ok || err != nil {
		t.Errorf("BlobFor after the full batch = %v, %v", ok, err)
	}
}

func TestMeta(t *testing.T) {
	dir := t.TempDir()
	s := storetest.OpenDir(t, dir)
	large := []byte(strings.Repeat("0123456789abcdef", 1<<17)) // 2 MB: exactly four parts
	values := map[string][]byte{"jobs": []byte("[1]"), "empty": {}, "hubs": large, "hub": []byte("x")}
	if err := s.SetMeta(values); err != nil {
		t.Fatal(err)
	}
	if err := s.SetMeta(map[string][]byte{"hubs2": large[:5], "jobs": nil}); err != nil {
		t.Fatal(err)
	}
	delete(values, "jobs")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = storetest.OpenDir(t, dir)
	for name, want := range values {
		got, ok, err := s.Meta(name)
		if err != nil || !ok || !bytes.Equal(got, want) {
			t.Errorf("Meta(%q) = %d bytes, %v, %v, want %d bytes", name, len(got), ok, err, len(want))
		}
	}
	for _, name := range []string{"jobs", "never", "hu"} {
		if _, ok, err := s.Meta(name); ok || err != nil {
			t.Errorf("Meta(%q) = %v, %v, want nothing", name, ok, err)
		}
	}
}

func TestTombstones(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	first := put(t, s, "a.go", 1)
	second := put(t, s, "a.go", 2)
	b := begin(t, s, store.Incremental)
	if _, err := b.Remove("a.go"); err != nil {
		t.Fatal(err)
	}
	publish(t, b)
	for _, tt := range []struct {
		f    graph.File
		want store.Reason
	}{{first, store.ReasonChanged}, {second, store.ReasonDeleted}} {
		got, ok, err := s.Tombstone(evidence(t, tt.f))
		want := store.Tombstone{Path: "a.go", Hash: tt.f.Hash, Reason: tt.want, At: now}
		if err != nil || !ok || !got.At.Equal(want.At) || got.Path != want.Path || got.Hash != want.Hash || got.Reason != want.Reason {
			t.Errorf("Tombstone = %+v, %v, %v, want %+v", got, ok, err, want)
		}
	}
	now = now.Add(31 * 24 * time.Hour)
	if _, ok, _ := s.Tombstone(evidence(t, first)); ok {
		t.Error("a tombstone outlives its thirty days")
	}
}

func evidence(t testing.TB, f graph.File) graph.ID {
	t.Helper()
	id, ok := graph.ParseID(graph.EvidenceID(f.Path, f.Hash, 1, 2))
	if !ok {
		t.Fatal("evidence id does not parse")
	}
	return id
}

// TestConcurrentUse runs readers beside a writer, compactions and full batches, and
// closes the store under them.
func TestConcurrentUse(t *testing.T) {
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), CacheBytes: 100 << 10})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "0.go", 0)
	var wg sync.WaitGroup
	var closed atomic.Bool // what is kept in memory can be read for ever
	loop := func(f func(i int) error) {
		wg.Go(func() {
			for i := 0; !closed.Load(); i++ {
				if err := f(i); err != nil {
					if !errors.Is(err, store.ErrClosed) {
						t.Errorf("%v", err)
					}
					return
				}
			}
		})
	}
	for range 3 {
		loop(func(int) error { return readAll(s) })
	}
	loop(func(i int) error { return change(s, store.Incremental, 3, i) })
	loop(func(i int) error { return change(s, store.Incremental, 40, i) })
	loop(func(i int) error { return change(s, store.Full, 60, i) })
	loop(func(int) error { return s.Compact(context.Background()) })
	time.Sleep(1500 * time.Millisecond) // long enough for each loop to meet each other one
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	closed.Store(true)
	wg.Wait()
}

func change(s *store.Store, m store.Mode, n, i int) error {
	b, err := s.Begin(context.Background(), m)
	if err != nil {
		return err
	}
	defer b.Discard()
	for k := range n {
		rec, f := storetest.File(graph.Path(fmt.Sprintf("d/%d.go", k)), i, []string{"D", fmt.Sprint("d", k)}, []string{"R"})
		if _, err := b.Put(rec, blob.Encode(f)); err != nil {
			return err
		}
	}
	_, err = b.Publish(context.Background())
	return err
}

// readAll checks that a snapshot agrees with itself whatever happens beside it.
func readAll(s *store.Store) error {
	v := s.Snapshot()
	defer v.Release()
	n := 0
	for f := range v.Files {
		n++
		facts, err := v.Facts(f.ID)
		if err != nil {
			return err
		}
		if facts == nil || facts.Hash != f.Hash {
			return fmt.Errorf("facts of %q are not those of its record", f.Path)
		}
	}
	if ids := v.Referrers("R"); len(ids) != n {
		if err := s.SetMeta(nil); err != nil {
			return err // closed meanwhile: lookups find nothing
		}
		return fmt.Errorf("%d of %d files refer to R", len(ids), n)
	}
	return nil
}

func TestTombstonesAreBounded(t *testing.T) {
	const most, extra = 10_000, 200
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var files []graph.File
	for step := range (most + extra) / 100 {
		b := begin(t, s, store.Incremental)
		for i := range 100 {
			rec, _ := storetest.File(graph.Path(fmt.Sprintf("f%d", step*100+i)), 1, nil, nil)
			storetest.Put(t, b, rec, nil)
			files = append(files, rec)
		}
		publish(t, b)
	}
	for step := range (most + extra) / 100 {
		now = now.Add(time.Minute)
		b := begin(t, s, store.Incremental)
		for _, f := range files[step*100 : step*100+100] {
			if _, err := b.Remove(f.Path); err != nil {
				t.Fatal(err)
			}
		}
		publish(t, b)
	}
	if s.Garbage() < extra {
		t.Errorf("Garbage = %d before a collection", s.Garbage())
	}
	if err := s.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.Garbage() != 0 {
		t.Errorf("Garbage = %d after a collection", s.Garbage())
	}
	for i, f := range files {
		if _, ok, err := s.Tombstone(evidence(t, f)); ok != (i >= extra) || err != nil {
			t.Fatalf("tombstone %d of %d: %v, %v", i, len(files), ok, err)
		}
	}
	// A clock that goes back makes no tombstone older than it is.
	now = now.Add(-365 * 24 * time.Hour)
	last := put(t, s, "late", 1)
	put(t, s, "late", 2)
	if err := s.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.Tombstone(evidence(t, files[len(files)-1])); !ok || err != nil {
		t.Errorf("a tombstone of a later time: %v, %v", ok, err)
	}
	now = now.Add(366 * 24 * time.Hour)
	if _, ok, _ := s.Tombstone(evidence(t, last)); ok {
		t.Error("a tombstone outlives its thirty days")
	}
}

// Many saves of a few files leave nothing behind but tombstones.
func TestSavesDoNotAddUp(t *testing.T) {
	s := storetest.Open(t)
	save := func(rounds int) {
		for range rounds {
			for i := range 20 {
				b := begin(t, s, store.Incremental)
				rec, f := storetest.File(graph.Path(fmt.Sprintf("f%d.go", i)), int(s.Generation()), []string{"A"}, []string{"B"})
				storetest.Put(t, b, rec, f)
				publish(t, b)
			}
			if s.Garbage() > 500 {
				if err := s.Collect(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	save(100)
	if s.Pending() > 20 || s.Garbage() > 540 {
		t.Errorf("after 2,000 saves: %d overlay records, %d useless keys", s.Pending(), s.Garbage())
	}
}
