package kill

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	changedFiles = 1500
	changedMost  = 32 << 10 // bytes
)

// fileSet holds the Python files of the workspace: it alone changes them, so it
// knows what is in them.
type fileSet struct {
	dir     string
	texts   map[string]string // by path
	bases   map[string]string // of the files that are changed: without what is appended
	changed []string          // paths of bases, in order
	tokens  map[string]string // by path: the definition appended last
	old     []string          // tokens that stand nowhere any more
	words   []string          // of the tree as it was
	last    int
}

func prepare(dir string, rng *rand.Rand) (*fileSet, error) {
	s := &fileSet{dir: dir, texts: map[string]string{}, bases: map[string]string{}, tokens: map[string]string{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == ".agent"):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(path, ".py"):
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		s.texts[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the workspace: %w", err)
	}
	var small []string
	for p, text := range s.texts {
		if len(text) <= changedMost {
			small = append(small, p)
		}
	}
	slices.Sort(small)
	rng.Shuffle(len(small), func(i, j int) { small[i], small[j] = small[j], small[i] })
	s.changed = small[:min(len(small), changedFiles)]
	for _, p := range s.changed {
		s.bases[p] = s.texts[p]
		for line := range strings.Lines(s.texts[p]) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "def "); ok {
				if name, _, _ = strings.Cut(name, "("); len(name) > 5 {
					s.words = append(s.words, name)
				}
			}
		}
	}
	slices.Sort(s.words)
	s.words = slices.Compact(s.words)
	if len(s.changed) < 10 || len(s.words) < 10 {
		return nil, errors.New("the workspace has too few Python files with functions")
	}
	return s, nil
}

// change gives a file another definition, makes a file, or takes one away.
func (s *fileSet) change(rng *rand.Rand) error {
	return s.changeOne(s.changed[rng.IntN(len(s.changed))], rng)
}

// changeSome changes so many files, as far as there are.
func (s *fileSet) changeSome(rng *rand.Rand, n int) error {
	for _, i := range rng.Perm(len(s.changed))[:min(n, len(s.changed))] {
		if err := s.changeOne(s.changed[i], rng); err != nil {
			return err
		}
	}
	return nil
}

func (s *fileSet) changeOne(p string, rng *rand.Rand) error {
	switch rng.IntN(10) {
	case 0:
		return s.remove(p)
	case 1:
		return s.put(p, s.bases[p], "", rng) // as it was
	}
	text, token := s.next(p)
	return s.put(p, text, token, rng)
}

// next returns a new text for a file, and the name of the definition in it.
func (s *fileSet) next(p string) (text, token string) {
	n := s.number()
	token = fmt.Sprintf("killed_%d_end", n)
	return s.bases[p] + "\n\ndef " + token + "():\n    return " + fmt.Sprint(n) + "\n", token
}

// number returns one that was not there before.
func (s *fileSet) number() int {
	s.last++
	return s.last
}

// took notes what a file holds now.
func (s *fileSet) took(p, text, token string) {
	s.forget(p)
	s.texts[p] = text
	if token != "" {
		s.tokens[p] = token
	}
}

// moved notes that a file has another name.
func (s *fileSet) moved(from, to string) {
	s.texts[to] = s.texts[from]
	delete(s.texts, from)
	if t := s.tokens[from]; t != "" {
		s.tokens[to] = t
		delete(s.tokens, from)
	}
}

func (s *fileSet) forget(p string) {
	if t := s.tokens[p]; t != "" {
		s.old = append(s.old, t)
		delete(s.tokens, p)
	}
}

func (s *fileSet) remove(p string) error {
	err := os.Remove(s.path(p))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.forget(p)
	delete(s.texts, p)
	return nil
}

// put writes in place or as editors do.
func (s *fileSet) put(p, text, token string, rng *rand.Rand) error {
	path := s.path(p)
	target := path
	if rng.IntN(2) == 0 {
		target = filepath.Join(filepath.Dir(path), ".killed.tmp")
	}
	if err := os.WriteFile(target, []byte(text), 0o644); err != nil {
		return err
	}
	if target != path {
		if err := os.Rename(target, path); err != nil {
			return err
		}
	}
	s.took(p, text, token)
	return nil
}

func (s *fileSet) path(p string) string { return filepath.Join(s.dir, filepath.FromSlash(p)) }

// places lists "path:line" of the lines that hold a text.
func (s *fileSet) places(text string) []string {
	out := []string{}
	for p, all := range s.texts {
		if !strings.Contains(all, text) {
			continue
		}
		n := 0
		for line := range strings.SplitSeq(all, "\n") {
			if n++; strings.Contains(line, text) {
				out = append(out, fmt.Sprintf("%s:%d", p, n))
			}
		}
	}
	slices.Sort(out)
	return out
}

// recent returns a file with the token that it got last; ok is false where none has.
func (s *fileSet) recent(rng *rand.Rand) (path, token string, ok bool) {
	for range 50 {
		p := s.changed[rng.IntN(len(s.changed))]
		if t := s.tokens[p]; t != "" {
			return p, t, true
		}
	}
	return "", "", false
}
