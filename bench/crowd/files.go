package crowd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	changedFiles = 120
	changedMost  = 32 << 10 // bytes
)

// file is one that the writer changes. Who holds mu for reading knows what is in it:
// the writer takes another one meanwhile.
type file struct {
	path string // below the workspace
	base string // without what the writer appends

	mu      sync.RWMutex
	content string
	line    int    // of the definition that the writer appended; 0: none yet
	token   string // its name, which stands nowhere else
	old     string // the one before, which stands nowhere any more
	version int
}

// fileSet are the files that the writer changes, and a word for each that the tree
// had before.
type fileSet struct {
	dir   string
	seed  uint64
	files []*file
	words []string
}

// prepare chooses files of the workspace.
func prepare(o Options) (*fileSet, error) {
	s := &fileSet{dir: o.Dir, seed: o.Seed}
	var paths []string
	err := filepath.WalkDir(o.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err == nil && info.Mode().IsRegular() && info.Size() <= changedMost && strings.HasSuffix(path, ".py") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("choose files: %w", err)
	}
	r := rng(o.Seed, 0, -2)
	r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for _, p := range paths[:min(len(paths), changedFiles)] {
		b, err := os.ReadFile(p)
		if err != nil {
			return nil, fmt.Errorf("choose files: %w", err)
		}
		rel, err := filepath.Rel(o.Dir, p)
		if err != nil {
			return nil, fmt.Errorf("choose files: %w", err)
		}
		f := &file{path: filepath.ToSlash(rel), base: string(b), content: string(b)}
		if f.base != "" && !strings.HasSuffix(f.base, "\n") {
			f.base += "\n"
		}
		s.files = append(s.files, f)
		s.words = append(s.words, definitions(string(b))...)
	}
	slices.Sort(s.words)
	s.words = slices.Compact(s.words)
	if len(s.files) == 0 || len(s.words) == 0 {
		return nil, errors.New("choose files: the workspace has no Python files with functions")
	}
	return s, nil
}

// definitions lists the functions that a file names at the beginning of a line.
func definitions(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "def "); ok {
			name, _, _ = strings.Cut(name, "(")
			if len(name) > 4 {
				out = append(out, name)
			}
		}
	}
	return out
}

// write changes files until ctx ends.
func (s *fileSet) write(ctx context.Context, o Options, out *Outcome, r *rand.Rand) {
	if o.Writes == 0 {
		return
	}
	tick := time.NewTicker(time.Second / time.Duration(o.Writes))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for range len(s.files) {
			i := r.IntN(len(s.files))
			f := s.files[i]
			if !f.mu.TryLock() {
				continue // somebody checks an answer about it
			}
			err := s.change(f, i, r)
			f.mu.Unlock()
			if err != nil {
				_, _ = fmt.Fprintln(o.Log, "writer:", err)
			}
			out.Writes++
			break
		}
	}
}

// change gives a file another definition at its end, in place or as editors do it.
func (s *fileSet) change(f *file, i int, r *rand.Rand) error {
	f.version++
	token := fmt.Sprintf("crowd%x_%d_%d_end", s.seed, i, f.version)
	content := f.base + "\n\ndef " + token + "():\n    return " + fmt.Sprint(f.version) + "\n"
	path := filepath.Join(s.dir, filepath.FromSlash(f.path))
	target := path
	replace := r.IntN(2) == 0
	if replace {
		target = filepath.Join(filepath.Dir(path), fmt.Sprintf(".crowd%d.tmp", i))
	}
	if err := os.WriteFile(target, []byte(content), 0o644); err != nil {
		return err
	}
	if replace {
		if err := os.Rename(target, path); err != nil {
			return err
		}
	}
	f.content, f.old, f.token = content, f.token, token
	f.line = strings.Count(f.base, "\n") + 3
	return nil
}

// known returns a file that the writer has changed, with its lock held for reading.
func (s *fileSet) known(r *rand.Rand) *file {
	for range 1000 {
		f := s.files[r.IntN(len(s.files))]
		f.mu.RLock()
		if f.token != "" {
			return f
		}
		f.mu.RUnlock()
	}
	return nil
}
