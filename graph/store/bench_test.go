package store_test

import (
	"fmt"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/graph/store/storetest"
)

// benchFiles is the size of the tree that the benchmarks run on. Each file defines
// 20 names and refers to 80, of which some are in every file.
const benchFiles = 10_000

func benchFacts(i, version int) (graph.File, []byte) {
	var defs, refs []string
	for k := range 20 {
		defs = append(defs, fmt.Sprintf("Define%dOf%d", k, i))
	}
	for k := range 80 {
		switch {
		case k < 10:
			refs = append(refs, fmt.Sprint("common", k))
		default:
			refs = append(refs, fmt.Sprintf("Define%dOf%d", k%20, (i*31+k*977)%benchFiles))
		}
	}
	rec, f := storetest.File(graph.Path(fmt.Sprintf("dir%d/sub%d/file%d.go", i%17, i%129, i)), version, defs, refs)
	return rec, blob.Encode(f)
}

// benchStore returns a store of benchFiles files, closed.
func benchStore(b *testing.B) (dir string) {
	dir = b.TempDir()
	s := storetest.OpenDir(b, dir)
	fillBench(b, s)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

func fillBench(b *testing.B, s *store.Store) {
	batch := begin(b, s, store.Full)
	for i := range benchFiles {
		rec, facts := benchFacts(i, 1)
		if _, err := batch.Put(rec, facts); err != nil {
			b.Fatal(err)
		}
	}
	publish(b, batch)
}

func BenchmarkFull(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s, err := store.Open(b.Context(), store.Options{Dir: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		fillBench(b, s)
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchFiles), "ns/file")
}

func BenchmarkOpen(b *testing.B) {
	dir := benchStore(b)
	for b.Loop() {
		s, err := store.Open(b.Context(), store.Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkSave publishes one changed file.
func BenchmarkSave(b *testing.B) {
	s := storetest.OpenDir(b, benchStore(b))
	rec, facts := benchFacts(benchFiles/2, 2)
	for b.Loop() {
		batch, err := s.Begin(b.Context(), store.Incremental)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := batch.Put(rec, facts); err != nil {
			b.Fatal(err)
		}
		if _, err := batch.Publish(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead measures what answers are made of, on a base alone and below an
// overlay of a thousand files.
func BenchmarkRead(b *testing.B) {
	dir := benchStore(b)
	s := storetest.OpenDir(b, dir)
	b.Run("base", func(b *testing.B) { benchReads(b, s) })
	batch := begin(b, s, store.Incremental)
	for i := range 1000 {
		rec, facts := benchFacts(i*7, 2)
		if _, err := batch.Put(rec, facts); err != nil {
			b.Fatal(err)
		}
	}
	publish(b, batch)
	b.Run("overlay", func(b *testing.B) { benchReads(b, s) })
}

func benchReads(b *testing.B, s *store.Store) {
	v := s.Snapshot()
	defer v.Release()
	var paths []graph.Path
	for f := range v.Files {
		paths = append(paths, f.Path)
	}
	for name, read := range map[string]func(i int){
		"definers":      func(i int) { v.Definers(fmt.Sprintf("Define3Of%d", i*7919%benchFiles)) },
		"definers/hot":  func(i int) { v.Definers("Define3Of7") },
		"referrers":     func(i int) { v.Referrers(fmt.Sprintf("Define3Of%d", i*7919%benchFiles)) },
		"referrers/all": func(i int) { v.Referrers("common3") },
		"lookup":        func(i int) { v.Lookup(paths[i*7919%len(paths)]) },
		"dir":           func(i int) { v.Dir(paths[i*7919%len(paths)].Dir()) },
		"facts": func(i int) {
			id, _ := v.Lookup(paths[i*7919%len(paths)])
			if _, err := v.Facts(id); err != nil {
				b.Fatal(err)
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				read(i)
			}
		})
	}
}

func BenchmarkCompact(b *testing.B) {
	s := storetest.OpenDir(b, benchStore(b))
	rec, facts := benchFacts(benchFiles/2, 2)
	for b.Loop() {
		b.StopTimer()
		batch := begin(b, s, store.Incremental)
		if _, err := batch.Put(rec, facts); err != nil {
			b.Fatal(err)
		}
		publish(b, batch)
		b.StartTimer()
		if err := s.Compact(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
