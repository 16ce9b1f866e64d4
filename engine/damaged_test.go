package engine

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

// copyIndex copies what is in an index directory, without sockets.
func copyIndex(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, name[len(from):])
		if d.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// filesOf lists the files of an index, relative to it.
func filesOf(t *testing.T, index string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(index, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name[len(index)+1:])
		}
		return err
	})
	if err != nil || len(names) < 8 {
		t.Fatalf("files of the index: %q, %v", names, err)
	}
	return names
}

// damages are the ways in which one file is damaged; nil deletes it.
func damages() map[string]func(b []byte) []byte {
	flip := func(at func(n int) int) func(b []byte) []byte {
		return func(b []byte) []byte {
			if len(b) > 0 {
				b[at(len(b))] ^= 0x55
			}
			return b
		}
	}
	return map[string]func(b []byte) []byte{
		"deleted":         func([]byte) []byte { return nil },
		"emptied":         func([]byte) []byte { return []byte{} },
		"halved":          func(b []byte) []byte { return b[:len(b)/2] },
		"first byte":      flip(func(int) int { return 0 }),
		"byte in a third": flip(func(n int) int { return n / 3 }),
		"byte near end":   flip(func(n int) int { return n - 1 - n/50 }),
		"last byte":       flip(func(n int) int { return n - 1 }),
		"longer":          func(b []byte) []byte { return append(b, "and more"...) },
	}
}

// TestEveryFileDamaged damages each file of an index, closed and left by a killed
// process, in every way. It opens rightly or is built again, without a human, and
// never answers wrongly.
func TestEveryFileDamaged(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	generate(t, s.dir, 120, 0)
	s.open()
	s.reindex(api.ReindexChanged)
	if err := s.index().lexical.Optimize(t.Context()); err != nil {
		t.Fatal(err)
	}
	generate(t, s.dir, 20, 1)
	s.reindex(api.ReindexChanged)
	var want bytes.Buffer
	if err := s.Export(t.Context(), &want); err != nil || want.Len() == 0 {
		t.Fatal(err)
	}
	crashed, closed := t.TempDir(), t.TempDir()
	copyIndex(t, s.indexDir(), crashed)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	copyIndex(t, s.indexDir(), closed)
	cases := 0
	for kind, index := range map[string]string{"closed": closed, "crashed": crashed} {
		for _, name := range filesOf(t, index) {
			for how, damage := range damages() {
				cases++
				t.Run(strings.Join([]string{kind, name, how}, "/"), func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					copyIndex(t, index, dir)
					damageFile(t, filepath.Join(dir, name), damage)
					checkDamaged(t, s.dir, dir, want.String())
				})
			}
		}
	}
	t.Logf("%d damages", cases)
}

func damageFile(t *testing.T, name string, damage func([]byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if text = damage(text); text == nil {
		err = os.Remove(name)
	} else {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func checkDamaged(t *testing.T, work, index, want string) {
	t.Helper()
	s := &testSpace{t: t, dir: work, opts: Options{IndexDir: index, Workspace: work}}
	e, err := Open(t.Context(), s.opts)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	s.Engine = e
	defer func() {
		if err := e.Close(t.Context()); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	patterns := []string{"shared", "only_3_1", "only_3_0", "nly_77_", "return f1"}
	var got bytes.Buffer
	if err := s.Export(t.Context(), &got); err == nil && got.String() != want {
		t.Errorf("export right after opening: %d bytes, want %d", got.Len(), len(want))
	}
	sameAsLive(t, s, patterns)
	untilWhole(t, s, "damaged")
	sameAsLive(t, s, patterns)
	got.Reset()
	if err := s.Export(t.Context(), &got); err != nil || got.String() != want {
		t.Errorf("export: %d bytes, want %d: %v", got.Len(), len(want), err)
	}
	if x := s.index(); x != nil {
		if err := x.store.Check(t.Context()); err != nil {
			t.Errorf("check: %v", err)
		}
	}
}
