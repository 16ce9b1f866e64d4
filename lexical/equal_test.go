package lexical_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical"
	"github.com/ralph-index/ralph-index/lexical/match"
	"github.com/ralph-index/ralph-index/lexical/scan"
)

// corpus is a tree of text files on disk with its index.
type corpus struct {
	root  string
	paths []graph.Path
	src   map[graph.Path][]byte
	ids   map[graph.FileID]graph.Path
	index *lexical.Index
}

func (c *corpus) Read(p graph.Path, buf []byte) ([]byte, error) { return append(buf, c.src[p]...), nil }

// load indexes the text files below root in several batches, so that there are
// several segments, some of them with deleted documents.
func load(t *testing.T, root string) *corpus {
	t.Helper()
	c := &corpus{root: root, src: map[graph.Path][]byte{}, ids: map[graph.FileID]graph.Path{}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil || match.Classify(src) != graph.ContentText {
			return err
		}
		rel, err := filepath.Rel(root, path)
		p := graph.Path(filepath.ToSlash(rel))
		c.paths, c.src[p] = append(c.paths, p), src
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(c.paths)
	if c.index, err = lexical.Open(t.TempDir(), lexical.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.index.Close(); err != nil {
			t.Error(err)
		}
	})
	c.feed(t)
	return c
}

func (c *corpus) feed(t *testing.T) {
	t.Helper()
	s := lexical.NewScratch()
	next := graph.FileID(1)
	for from := 0; from < len(c.paths); from += 97 {
		var b lexical.Batch
		for _, p := range c.paths[from:min(from+97, len(c.paths))] {
			// An older version of each file, dead when the next batch comes.
			b.Put = append(b.Put, lexical.NewDoc(next, []byte("older version "+p), s), lexical.NewDoc(next+1, c.src[p], s))
			b.Delete = append(b.Delete, next)
			c.ids[next+1] = p
			next += 2
		}
		del := b.Delete
		b.Delete = nil
		if err := c.index.Apply(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if err := c.index.Apply(t.Context(), lexical.Batch{Delete: del}); err != nil {
			t.Fatal(err)
		}
	}
}

func (c *corpus) scan(t *testing.T, p *match.Pattern, paths []graph.Path) []string {
	t.Helper()
	r, err := scan.Run(t.Context(), scan.Request{Pattern: p, Paths: paths, Files: c})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, 0, len(r.Matches))
	for _, m := range r.Matches {
		out = append(out, fmt.Sprintf("%s:%d", m.Path, m.Line))
	}
	slices.Sort(out)
	return out
}

// indexed searches the candidates alone.
func (c *corpus) indexed(t *testing.T, p *match.Pattern) (lines []string, narrowed bool) {
	t.Helper()
	got, err := c.index.Candidates(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Narrowed {
		return c.scan(t, p, c.paths), false
	}
	var paths []graph.Path
	for _, id := range got.IDs {
		path, ok := c.ids[id]
		if !ok {
			t.Fatalf("candidate %d is dead", id)
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return c.scan(t, p, paths), true
}

// ripgrep runs the reference, when it is there; only valid UTF-8 is compared.
func (c *corpus) ripgrep(t *testing.T, s match.Spec) (lines []string, ok bool) {
	t.Helper()
	rg, err := exec.LookPath("rg")
	if err != nil || s.Text == "" || !utf8.ValidString(s.Text) {
		return nil, false
	}
	args := []string{"-uu", "--no-config", "-j1", "--no-heading", "--with-filename", "-n", "--color=never", "--null", "--no-messages"}
	if !s.Regex {
		args = append(args, "-F")
	}
	if !s.CaseSensitive {
		args = append(args, "-i")
	}
	if s.WholeWord {
		args = append(args, "-w")
	}
	cmd := exec.Command(rg, append(args, "-e", s.Text, ".")...)
	cmd.Dir = c.root
	out, err := cmd.Output()
	if ee := (*exec.ExitError)(nil); errors.As(err, &ee) && ee.ExitCode() > 1 {
		t.Fatalf("rg %v: %s", cmd.Args, ee.Stderr)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\n"), "\n") {
		path, rest, found := strings.Cut(line, "\x00")
		if !found {
			continue
		}
		number, _, _ := strings.Cut(rest, ":")
		p := strings.TrimPrefix(path, "./")
		if src, known := c.src[graph.Path(p)]; known && utf8.Valid(src) {
			lines = append(lines, p+":"+number)
		}
	}
	slices.Sort(lines)
	return lines, true
}

// valid drops the lines of files that ripgrep is not compared on.
func (c *corpus) valid(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
		return !utf8.Valid(c.src[graph.Path(l[:strings.LastIndexByte(l, ':')])])
	})
}

func (c *corpus) check(t *testing.T, s match.Spec) (narrowed bool) {
	t.Helper()
	p, err := match.Compile(s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	live := c.scan(t, p, c.paths)
	got, narrowed := c.indexed(t, p)
	if !slices.Equal(got, live) {
		t.Errorf("%+v: indexed %d lines, live %d: %s", s, len(got), len(live), difference(got, live))
	}
	if want, ok := c.ripgrep(t, s); ok {
		if got := c.valid(live); !slices.Equal(got, want) {
			t.Errorf("%+v: live %d lines, ripgrep %d: %s", s, len(got), len(want), difference(got, want))
		}
	}
	return narrowed
}

// difference names the first line that only one side has.
func difference(a, b []string) string {
	for _, l := range a {
		if !slices.Contains(b, l) {
			return "first alone " + l
		}
	}
	for _, l := range b {
		if !slices.Contains(a, l) {
			return "second alone " + l
		}
	}
	return "repeated lines"
}

// literals draws texts of many kinds from the corpus.
func literals(c *corpus, rng *rand.Rand, n int) []string {
	punct := []string{"->", "::", "(", ")", "{}", "!=", "\"", "\\", ".", "$", "[]", "^", "|", "*", "?", "+", "//", "\t", "\r"}
	out := make([]string, 0, n)
	for len(out) < n {
		src := c.src[c.paths[rng.IntN(len(c.paths))]]
		if len(src) < 4 {
			continue
		}
		at := rng.IntN(len(src))
		var text string
		switch rng.IntN(8) {
		case 0: // a word
			text = wordAt(src, at)
		case 1: // part of a word
			w := wordAt(src, at)
			if len(w) > 3 {
				i := rng.IntN(len(w) - 2)
				text = w[i : i+2+rng.IntN(len(w)-i-1)]
			}
		case 2:
			text = punct[rng.IntN(len(punct))]
		case 3: // one or two bytes
			text = string(src[at:min(len(src), at+1+rng.IntN(2))])
		case 4: // a stretch of a line, spaces and all
			text = string(src[at:min(len(src), at+3+rng.IntN(30))])
		case 5: // nothing has it
			text = fmt.Sprintf("zq%dx_%d", rng.IntN(1000), rng.IntN(1000))
		case 6: // word, punctuation, word
			text = wordAt(src, at) + punct[rng.IntN(len(punct))] + wordAt(src, rng.IntN(len(src)))
		case 7: // around a character beyond ASCII
			for i := range len(src) {
				if j := (at + i) % len(src); src[j] >= 0x80 {
					text = string(src[max(0, j-rng.IntN(4)):min(len(src), j+3+rng.IntN(4))])
					break
				}
			}
		}
		text, _, _ = strings.Cut(text, "\n")
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

func wordAt(src []byte, at int) string {
	is := func(b byte) bool {
		return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
	}
	for at < len(src) && !is(src[at]) {
		at++
	}
	from, to := at, at
	for from > 0 && is(src[from-1]) {
		from--
	}
	for to < len(src) && is(src[to]) {
		to++
	}
	return string(src[from:to])
}

// otherCase changes the case of some letters, also to letters beyond ASCII.
func otherCase(text string, rng *rand.Rand) string {
	return strings.Map(func(r rune) rune {
		switch rng.IntN(12) {
		case 0, 1, 2, 3:
			return []rune(strings.ToUpper(string(r)))[0]
		case 4:
			switch r {
			case 'k':
				return '\u212a'
			case 's':
				return '\u017f'
			}
		}
		return r
	}, text)
}

func (c *corpus) property(t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	narrowed := 0
	for _, text := range literals(c, rng, n) {
		for _, cased := range []bool{true, false} {
			for _, word := range []bool{false, true} {
				s := match.Spec{Text: text, CaseSensitive: cased, WholeWord: word}
				if !cased {
					s.Text = otherCase(text, rng)
				}
				if c.check(t, s) {
					narrowed++
				}
			}
		}
	}
	if narrowed < n {
		t.Errorf("%d of %d look-ups were narrowed: too few to tell anything", narrowed, 4*n)
	}
}

// write makes a tree with what real trees seldom hold.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func odd(rng *rand.Rand) map[string]string {
	files := map[string]string{
		"crlf.txt":    "alpha beta\r\ngamma->delta\r\n\r\nend",
		"bom.txt":     "\ufefffirst line\nsecond\n",
		"kelvin.txt":  "\u212aelvin and ma\u017f\u017f and stra\u00dfe\nSTRASSE \u1e9e\n",
		"greek.txt":   "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2 \u03c3\u03c2\u03a3\n",
		"quotes.txt":  "\u201cquoted\u201d word\u2014dash na\u00efve caf\u00e9s foo\u0301bar \u00e9t\u00e9\n",
		"chinese.txt": "\u4e2d\u6587\u5b57\u7b26 mixed\u4e2dtext\n",
		"latin1.txt":  "caf\xe9 \xff\xfe na\xefve word\xe9tail\n",
		"dashes.txt":  "-foo a-foo foo- foo-b _foo foo_ -foo-foo\n",
		"noend.txt":   "no line end here",
		"empty.txt":   "",
		"blank.txt":   "\n\n\n",
		"long.txt":    strings.Repeat("x", 900) + "Needle" + strings.Repeat("y", 2000) + "tail end\n",
		"wide.txt":    strings.Repeat("\u00e9", 700) + "needle\u00e9" + strings.Repeat("\u212a", 600) + "\n",
		"dir/sub/a.c": "int main(void) { return p->next != NULL; }\n",
	}
	letters := []rune("aAbkKsS_1\u00e9\u00c9\u212a\u017f\u03c3\u03c2\u4e2d.-> \t(\r\n")
	for i := range 300 {
		var b strings.Builder
		for range rng.IntN(400) {
			b.WriteRune(letters[rng.IntN(len(letters))])
		}
		files[fmt.Sprintf("random/%03d.txt", i)] = b.String()
	}
	return files
}

func TestEqualOnOddTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := load(t, write(t, odd(rng)))
	for _, text := range []string{
		"alpha beta", "Needle", "xNeedle", "yytail", "tail end", "kelvin", "MASS", "\u017f\u017f", "foo", "-foo", "foo-", "quoted", "word", "caf\u00e9",
		strings.Repeat("y", 300), strings.Repeat("x", 250) + "Needle", strings.Repeat("\u00e9", 200) + "needle", strings.Repeat("k", 300),
		"gamma->delta", "p->next != NULL", "first", "\ufeff", "\xe9", "f\xe9", "na\xefve", "\u4e2d\u6587", "d\u4e2dt", "\u03c3\u03c2", "\u03a3\u03a3", " ", "\r",
	} {
		for _, s := range []match.Spec{{}, {CaseSensitive: true}, {WholeWord: true}, {CaseSensitive: true, WholeWord: true}} {
			s.Text = text
			c.check(t, s)
		}
	}
	c.property(t, rng, 100)
}

// TestEqualOnRealTree runs over the source of this package, or over the tree that
// LEXICAL_TREE names.
func TestEqualOnRealTree(t *testing.T) {
	root := os.Getenv("LEXICAL_TREE")
	if root == "" {
		root = "."
	}
	c := load(t, root)
	rng := rand.New(rand.NewPCG(3, 4))
	c.property(t, rng, 50)
	for _, re := range []string{
		`func \(\w+ \*?[A-Z]\w+\) [A-Z]\w+\(`, `return (nil|err)$`, `(?i)errorf\(".*%w`, `^\s*//.*\bnot\b`, `[Cc]andidates?\b`,
		`a.c`, `err(or)? != nil`, `^package (lexical|match)$`, `"[^"]+"\)$`, `x{3,}`,
	} {
		for _, s := range []match.Spec{{}, {CaseSensitive: true}, {CaseSensitive: true, WholeWord: true}} {
			s.Text, s.Regex = re, true
			c.check(t, s)
		}
	}
	// What a merge makes of the index answers the same.
	if err := c.index.Optimize(context.Background()); err != nil {
		t.Fatal(err)
	}
	c.property(t, rng, 15)
}
