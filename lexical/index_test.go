package lexical_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical"
	"github.com/ralph-index/ralph-index/lexical/match"
)

func open(t *testing.T, dir string) *lexical.Index {
	t.Helper()
	x, err := lexical.Open(dir, lexical.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func put(t *testing.T, x *lexical.Index, texts map[graph.FileID]string) {
	t.Helper()
	s := lexical.NewScratch()
	var b lexical.Batch
	for id, text := range texts {
		b.Put = append(b.Put, lexical.NewDoc(id, []byte(text), s))
	}
	if err := x.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func lookUp(t *testing.T, x *lexical.Index, s match.Spec) lexical.Candidates {
	t.Helper()
	p, err := match.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x.Candidates(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wantIDs(t *testing.T, x *lexical.Index, text string, want ...graph.FileID) {
	t.Helper()
	if got := lookUp(t, x, match.Spec{Text: text, CaseSensitive: true}); !got.Narrowed || !slices.Equal(got.IDs, want) {
		t.Errorf("%q: narrowed %v, files %v, want %v", text, got.Narrowed, got.IDs, want)
	}
}

func wantHeld(t *testing.T, x *lexical.Index, want ...graph.FileID) {
	t.Helper()
	held, err := x.Held(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := held.IDs(); !slices.Equal(got, want) || held.Len() != len(want) {
		t.Errorf("held %v (%d), want %v", got, held.Len(), want)
	}
}

func TestPutDeleteReopen(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir)
	wantHeld(t, x)
	wantIDs(t, x, "alpha")
	put(t, x, map[graph.FileID]string{1: "alpha beta", 2: "alphabet", 3: "gamma"})
	wantHeld(t, x, 1, 2, 3)
	wantIDs(t, x, "alpha", 1, 2)
	wantIDs(t, x, "alpha beta", 1)
	wantIDs(t, x, "amm", 3)
	if err := x.Apply(t.Context(), lexical.Batch{Delete: []graph.FileID{1, 99}}); err != nil {
		t.Fatal(err)
	}
	put(t, x, map[graph.FileID]string{3: "delta", 70: "alpha"}) // 3 again: the last one counts
	wantHeld(t, x, 2, 3, 70)
	wantIDs(t, x, "alpha", 2, 70)
	wantIDs(t, x, "delta", 3)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Held(t.Context()); !errors.Is(err, lexical.ErrClosed) {
		t.Errorf("after close: %v", err)
	}

	x = open(t, dir)
	defer x.Close()
	wantHeld(t, x, 2, 3, 70)
	wantIDs(t, x, "lpha", 2, 70)
	if err := x.Optimize(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantHeld(t, x, 2, 3, 70)
	wantIDs(t, x, "lpha", 2, 70)
	// An empty directory is none to git, which may remove it or bring it back.
	if err := os.Mkdir(filepath.Join(dir, "vocab"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := x.Optimize(t.Context()); err != nil {
		t.Error(err)
	}
	if n, err := x.StorageBytes(); err != nil || n == 0 {
		t.Errorf("storage %d, %v", n, err)
	}
}

// TestSegmentGone deletes the files of an open index: what is answered is right, or is
// said to be damage, after which the index is built again.
func TestSegmentGone(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir)
	put(t, x, map[graph.FileID]string{1: "alpha beta", 2: "alphabet"})
	if err := x.Close(); err != nil { // it is on the disk
		t.Fatal(err)
	}
	x = open(t, dir)
	defer x.Close()
	segments, err := filepath.Glob(filepath.Join(dir, "words", "*.zap"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("segments %v, %v", segments, err)
	}
	for _, s := range segments {
		if err := os.Remove(s); err != nil {
			t.Fatal(err)
		}
	}
	p, err := match.Compile(match.Spec{Text: "lpha"})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := x.Candidates(t.Context(), p); err == nil && !slices.Equal(c.IDs, []graph.FileID{1, 2}) || err != nil && !errors.Is(err, lexical.ErrCorrupt) {
		t.Errorf("files %v, %v", c.IDs, err)
	}
}

func TestIDSetAfterNewDoc(t *testing.T) {
	x := open(t, t.TempDir())
	defer x.Close()
	d := lexical.NewDoc(0, []byte("word"), lexical.NewScratch())
	d.ID = 5
	if err := x.Apply(t.Context(), lexical.Batch{Put: []lexical.Doc{d}}); err != nil {
		t.Fatal(err)
	}
	wantHeld(t, x, 5)
	wantIDs(t, x, "word", 5)
}

func TestNotNarrowed(t *testing.T) {
	x := open(t, t.TempDir())
	defer x.Close()
	texts := map[graph.FileID]string{}
	for id := graph.FileID(1); id <= 3000; id++ {
		texts[id] = "common text"
		if id%3 == 0 {
			texts[id] += " third"
		}
		if id == 17 {
			texts[id] += " seventeen"
		}
	}
	put(t, x, texts)
	for _, s := range []match.Spec{
		{Text: "->"}, {Text: ""}, {Text: "ommo"}, {Text: "third"}, {Text: "common", CaseSensitive: true, WholeWord: true}, {Text: "[a-z]+", Regex: true},
	} {
		if got := lookUp(t, x, s); got.Narrowed || got.Reason != lexical.NotSelective || got.IDs != nil || got.Held.Len() != 3000 {
			t.Errorf("%+v: narrowed %v, reason %q, %d files of %d", s, got.Narrowed, got.Reason, len(got.IDs), got.Held.Len())
		}
	}
	for _, s := range []match.Spec{
		{Text: "ommon text third seventee"}, {Text: "SEVENTEEN"}, {Text: "(common|text) third sev.*", Regex: true},
	} {
		if got := lookUp(t, x, s); s.Text != "ommon text third seventee" && (!got.Narrowed || len(got.IDs) > 1) {
			t.Errorf("%+v: narrowed %v to %d files", s, got.Narrowed, len(got.IDs))
		}
	}
}

func TestOddDocIsNotHeld(t *testing.T) {
	x := open(t, t.TempDir())
	defer x.Close()
	var many strings.Builder
	for i := range 1<<20 + 1 {
		fmt.Fprintf(&many, "%x ", i)
	}
	d := lexical.NewDoc(1, []byte(many.String()), lexical.NewScratch())
	if !d.Odd || d.Bytes != many.Len() {
		t.Errorf("odd %v, %d bytes", d.Odd, d.Bytes)
	}
	if err := x.Apply(t.Context(), lexical.Batch{Put: []lexical.Doc{d}}); err != nil {
		t.Fatal(err)
	}
	wantHeld(t, x)
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir)
	defer x.Close()
	if _, err := lexical.Open(dir, lexical.Options{LockWait: 60e6}); !errors.Is(err, lexical.ErrLocked) {
		t.Errorf("second open: %v", err)
	}
}

// TestCrash opens a copy of the directory of an index that was never closed.
func TestCrash(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir)
	defer x.Close()
	put(t, x, map[graph.FileID]string{1: "alpha"})
	if err := x.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, x, map[graph.FileID]string{2: "alpha"})
	after := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(after, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	y := open(t, after)
	defer y.Close()
	held, err := y.Held(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !held.Has(1) {
		t.Error("what was flushed is lost")
	}
	// Whatever is held is also found.
	wantIDs(t, y, "alpha", held.IDs()...)
}

func TestDamage(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"cut": func(t *testing.T, path string) {
			if err := os.Truncate(path, 10); err != nil {
				t.Fatal(err)
			}
		},
		"emptied": func(t *testing.T, path string) {
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		},
		"garbage": func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(strings.Repeat("garbage!", 5000)), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"removed": func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, glob := range []string{"words/root.bolt", "words/*.zap"} {
			t.Run(name+" "+glob, func(t *testing.T) {
				dir := t.TempDir()
				x := open(t, dir)
				put(t, x, map[graph.FileID]string{1: "alpha beta", 2: "alphabet"})
				if err := x.Close(); err != nil {
					t.Fatal(err)
				}
				files, err := filepath.Glob(filepath.Join(dir, glob))
				if err != nil || len(files) == 0 {
					t.Fatal("no file to damage", err)
				}
				damage(t, files[0])
				damaged(t, dir)
			})
		}
	}
}

// damaged opens an index and looks up in it: it says that it is damaged, or holds
// nothing, or answers right.
func damaged(t *testing.T, dir string) {
	x, err := lexical.Open(dir, lexical.Options{})
	if err != nil {
		if !errors.Is(err, lexical.ErrCorrupt) {
			t.Errorf("open: %v", err)
		}
		return
	}
	defer x.Close()
	p, err := match.Compile(match.Spec{Text: "lpha"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := x.Candidates(t.Context(), p)
	if err != nil {
		if !errors.Is(err, lexical.ErrCorrupt) {
			t.Errorf("look up: %v", err)
		}
		return
	}
	if !slices.Equal(c.IDs, c.Held.IDs()) {
		t.Errorf("%v of held %v", c.IDs, c.Held.IDs())
	}
}

// TestConcurrent puts, deletes, merges and looks up at once: an id that is held at
// one look-up and has the word is among its files.
func TestConcurrent(t *testing.T) {
	x := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		defer cancel()
		s := lexical.NewScratch()
		for round := range graph.FileID(60) {
			var b lexical.Batch
			for i := range graph.FileID(20) {
				id := round*20 + i + 1
				b.Put = append(b.Put, lexical.NewDoc(id, fmt.Appendf(nil, "needle%d hay%d", id%7, id), s))
				if id > 100 {
					b.Delete = append(b.Delete, id-100)
				}
			}
			if err := x.Apply(t.Context(), b); err != nil {
				t.Error(err)
				return
			}
			if round%20 == 19 {
				if err := x.Optimize(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 3 {
		wg.Go(func() {
			p, err := match.Compile(match.Spec{Text: "eedle3"})
			if err != nil {
				t.Error(err)
				return
			}
			for ctx.Err() == nil {
				c, err := x.Candidates(t.Context(), p)
				if err != nil {
					t.Error(err)
					return
				}
				for _, id := range c.Held.IDs() {
					if _, found := slices.BinarySearch(c.IDs, id); found != (id%7 == 3) {
						t.Errorf("held file %d: found %v", id, found)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

func TestDocOfAStoppedScratchIsOdd(t *testing.T) {
	s := lexical.NewScratch()
	s.Stop = func() bool { return true }
	src := []byte(strings.Repeat("some words ", 1<<18))
	if d := lexical.NewDoc(1, src, s); !d.Odd || d.Bytes != len(src) {
		t.Errorf("odd %v, %d bytes", d.Odd, d.Bytes)
	}
	s.Stop = nil
	if d := lexical.NewDoc(1, src, s); d.Odd {
		t.Error("odd though nobody stopped it")
	}
}

// A file that somebody writes to while it is in use is never answered from.
func TestFilesWrittenToWhileInUse(t *testing.T) {
	zero := func(name string) error {
		fi, err := os.Stat(name)
		if err != nil {
			return err
		}
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(make([]byte, fi.Size()))
		return errors.Join(err, f.Close())
	}
	for name, c := range map[string]struct {
		damage func(name string) error
		whole  bool
	}{
		"zeroed":  {zero, false},
		"cut":     {func(name string) error { return os.Truncate(name, 0) }, false},
		"touched": {func(name string) error { return os.Chtimes(name, time.Time{}, time.Unix(1e9, 0)) }, true},
		"deleted": {os.Remove, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			x := open(t, dir)
			defer x.Close()
			put(t, x, map[graph.FileID]string{1: "alpha beta", 2: "beta gamma"})
			if err := x.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantIDs(t, x, "beta", 1, 2)
			files, err := filepath.Glob(filepath.Join(dir, "words", "*.zap"))
			if err != nil || len(files) == 0 {
				t.Fatalf("segments: %q, %v", files, err)
			}
			for _, f := range files {
				if err := c.damage(f); err != nil {
					t.Fatal(err)
				}
			}
			if c.whole {
				wantIDs(t, x, "beta", 1, 2)
				if err := x.Sound(); err != nil {
					t.Errorf("sound: %v", err)
				}
				return
			}
			p, err := match.Compile(match.Spec{Text: "beta"})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := x.Candidates(t.Context(), p); !errors.Is(err, lexical.ErrCorrupt) {
				t.Errorf("candidates: %v, %v", got, err)
			}
			if err := x.Sound(); !errors.Is(err, lexical.ErrCorrupt) {
				t.Errorf("sound: %v", err)
			}
		})
	}
}

// The list of segments is cut while it is in use, and then written to: the process
// lives, says so, and closes.
func TestListOfSegmentsCutWhileInUse(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir)
	put(t, x, map[graph.FileID]string{1: "alpha"})
	if err := x.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "words", "root.bolt"), 0); err != nil {
		t.Fatal(err)
	}
	put(t, x, map[graph.FileID]string{2: "beta"})
	if err := x.Flush(t.Context()); !errors.Is(err, lexical.ErrCorrupt) {
		t.Errorf("flush: %v", err)
	}
	if err := x.Sound(); !errors.Is(err, lexical.ErrCorrupt) {
		t.Errorf("sound: %v", err)
	}
	wantIDs(t, x, "beta", 2) // what is in memory is whole
	if err := x.Close(); !errors.Is(err, lexical.ErrCorrupt) {
		t.Errorf("close: %v", err)
	}
}
