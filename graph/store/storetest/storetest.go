// Package storetest opens stores for tests and checks them when the test ends, and
// holds a model of a store that is too simple to be wrong. It is not for use
// outside tests.
package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store"
)

// Open opens a new store, which is checked and closed when the test ends.
func Open(t testing.TB) *store.Store {
	t.Helper()
	return OpenDir(t, t.TempDir())
}

// OpenDir opens the store in dir, which is checked and closed when the test ends.
// A store that the test has closed itself is not checked.
func OpenDir(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: dir})
	if err != nil {
		t.Fatalf("open store: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Check(context.Background()); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("check store: %v", err)
		}
		if err := s.Err(); err != nil {
			t.Errorf("damage met: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	return s
}

// File makes a record and facts of a file: version stands for its text, defs and
// refs are the names that it defines and refers to.
func File(p graph.Path, version int, defs, refs []string) (graph.File, *graph.Facts) {
	hash := graph.Hash(sha256.Sum256(fmt.Appendf(nil, "%s %d", p, version)))
	f := &graph.Facts{
		Path: p, Hash: hash, Language: "go", Extractor: "test/1", Status: graph.StatusOK, Role: graph.RoleOf(p),
		Lines: uint32(version), Exports: uint64(version),
	}
	for i, d := range defs {
		f.Defs = append(f.Defs, graph.Def{Name: d, Local: d, Kind: graph.KindFunction, Container: graph.NoDef, Signature: fmt.Sprint(i)})
	}
	for _, r := range refs {
		f.Refs = append(f.Refs, graph.Ref{Name: r, Use: graph.UseCall, Enclosing: graph.NoDef, Args: -1})
	}
	rec := graph.File{
		Path: p, Hash: hash, Content: graph.ContentText, Language: f.Language, Status: f.Status, Role: f.Role,
		Lines: f.Lines, Defs: uint32(len(f.Defs)),
		Sig: graph.Signature{Size: int64(100 + version), MtimeNS: int64(version), CtimeNS: int64(version), Inode: 7, Mode: 0o100644},
	}
	return rec, f
}

// Put puts a file with its facts, which may be nil, and fails the test on an error.
func Put(t testing.TB, b *store.Batch, rec graph.File, f *graph.Facts) graph.FileID {
	t.Helper()
	var facts []byte
	if f != nil {
		facts = blob.Encode(f)
	}
	id, err := b.Put(rec, facts)
	if err != nil {
		t.Fatalf("put %q: %v", rec.Path, err)
	}
	return id
}
