package match

import (
	"bytes"
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

// judged returns the lines that a pattern matches, with their places.
func judged(t testing.TB, p *Pattern, src []byte) []LineMatch {
	t.Helper()
	var out []LineMatch
	if err := p.Lines(context.Background(), src, func(m LineMatch) bool {
		out = append(out, m)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// bare is the pattern without its automaton.
func bare(p *Pattern) (*Pattern, bool) {
	f := p.find
	g, isGuarded := f.(guardFinder)
	if isGuarded {
		f = g.of
	}
	d, ok := f.(*dfaFinder)
	if !ok {
		return nil, false
	}
	q := *p
	q.find = d.of
	if isGuarded {
		q.find = guardFinder{guard: g.guard, of: d.of}
	}
	return &q, true
}

// same compares both on texts and reports whether there was an automaton at all.
func same(t testing.TB, s Spec, texts ...[]byte) bool {
	t.Helper()
	p, err := Compile(s)
	if err != nil {
		return false
	}
	q, ok := bare(p)
	if !ok {
		return false
	}
	for _, src := range texts {
		if got, want := judged(t, p, src), judged(t, q, src); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v on %q:\nautomaton %+v\nlibrary   %+v", s, src, got, want)
		}
	}
	return true
}

// randomRegex writes an expression of at most depth levels over a few characters.
func randomRegex(r *rand.Rand, depth int) string {
	atoms := []string{
		"a", "b", "_", "1", " ", ".", `\w`, `\W`, `\s`, `\d`, `\b`, `\B`, "^", "$", "[ab]", "[^a]", `[^\s]`, "é", "[é-ü]", "€", `\p{Greek}`,
		"[[:upper:]]", "K", "ſ", "ω", `\x{fffd}`, "()", "(?i:k)", "(?i)s", "[^\x00-\x7f]", `\r`, "(?s:.)", "😀",
	}
	if depth == 0 {
		return atoms[r.IntN(len(atoms))]
	}
	sub := func() string { return randomRegex(r, depth-1) }
	switch r.IntN(9) {
	case 0:
		return sub() + "*"
	case 1:
		return sub() + "+?"
	case 2:
		return "(?:" + sub() + "|" + sub() + ")"
	case 3:
		return "(" + sub() + ")?"
	case 4:
		return "(?:" + sub() + "){1,3}"
	case 5, 6, 7:
		return sub() + sub()
	}
	return atoms[r.IntN(len(atoms))]
}

func randomText(r *rand.Rand) []byte {
	parts := []string{
		"a", "b", "ab", "_", "1", " ", "\n", "\n\n", "\r\n", "é", "ü", "€", "K", "k", "\u212a", "ſ", "S", "\xff", "\xc3", "\xe2\x82", "\ufffd", "😀", "ω", "Ω", "A", "-", "\t",
	}
	var b bytes.Buffer
	for range r.IntN(40) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.Bytes()
}

func TestAutomatonAgreesWithTheLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for range 500 {
		s := Spec{Text: randomRegex(r, r.IntN(5)), Regex: true, CaseSensitive: r.IntN(2) == 0, WholeWord: r.IntN(10) == 0}
		if same(t, s, randomText(r), randomText(r), randomText(r), randomText(r), randomText(r), randomText(r)) {
			tried++
		}
	}
	if tried < 200 {
		t.Errorf("only %d comparisons", tried)
	}
}

func TestAutomatonAgreesOnSources(t *testing.T) {
	files, err := filepath.Glob("d*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, re := range regexes() {
			for _, s := range []Spec{{Text: re, Regex: true, CaseSensitive: true}, {Text: re, Regex: true}, {Text: re, Regex: true, WholeWord: true}} {
				if !same(t, s, src) {
					t.Fatalf("%q has no automaton", re)
				}
			}
		}
	}
}

func regexes() []string {
	return []string{`\w+\s*\(`, `[a-z]+_[0-9]+`, `(foo|bar|baz)qux?`, `^\s*//.*\bthe\b`, `\bfunc\b.*\berror\b`, `[A-Z]\w*Error$`, `.*`, `\S{40,}`, `"[^"]*"\s*:`}
}

// An automaton that needs too much room must give up and leave the same lines.
func TestAutomatonThatGrowsTooLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var text bytes.Buffer
	for range 40_000 {
		text.WriteByte("ab"[r.IntN(2)])
		if r.IntN(60) == 0 {
			text.WriteByte('\n')
		}
	}
	s := Spec{Text: `a[ab]{17}[c-e]|ab{9}$`, Regex: true, CaseSensitive: true}
	if !same(t, s, text.Bytes()) {
		t.Fatal("no automaton")
	}
	p := compile(t, s)
	d := p.find.(*dfaFinder).machines.Get().(*dfa)
	if hit, err := d.find(t.Context(), bytes.ReplaceAll(text.Bytes(), []byte("bbbb"), []byte("bba")), 0); err != nil || hit != gaveUp {
		t.Errorf("hit %d, %v, with %d entries: the text is no test", hit, err, len(d.table))
	}
	if len(d.table)+d.held > maxTable+maxInsts+d.columns {
		t.Errorf("the table has %d entries and %d instructions", len(d.table), d.held)
	}
}

func FuzzAutomaton(f *testing.F) {
	for _, re := range regexes() {
		f.Add(re, "foo_1 (barqux)\n\"a\": the func error\n\xff\xfe é\r\n", true, false)
	}
	f.Add(`(?i)k\b`, "K\u212ak\xff\n", false, true)
	f.Fuzz(func(t *testing.T, re, text string, sensitive, word bool) {
		if len(re) > 60 || len(text) > 400 || strings.Count(re, "{") > 2 {
			return
		}
		same(t, Spec{Text: re, Regex: true, CaseSensitive: sensitive, WholeWord: word}, []byte(text))
	})
}

// userCPU is the time that this process computed: the clock on the wall says little
// on a busy machine.
func userCPU(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}

// The benchmark runs over this module, or over the tree that LEXICAL_TREE names.
func BenchmarkRegex(b *testing.B) {
	root := os.Getenv("LEXICAL_TREE")
	if root == "" {
		root = "../.."
	}
	var files [][]byte
	size := int64(0)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || size > 60<<20 {
			return err
		}
		src, err := os.ReadFile(path)
		if err == nil && Classify(src) == "text" {
			files = append(files, src)
			size += int64(len(src))
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, re := range append(regexes(), `func \w+Handler`, `(?i)todo|fixme`) {
		p := compile(b, Spec{Text: re, Regex: true, CaseSensitive: true})
		run := func(name string, p *Pattern) {
			b.Run(name+"/"+re, func(b *testing.B) {
				b.SetBytes(size)
				before := userCPU(b)
				defer func() {
					b.ReportMetric(float64(size)*float64(b.N)/1e6/(userCPU(b)-before).Seconds(), "MB/cpu-s")
				}()
				for b.Loop() {
					for _, src := range files {
						if err := p.Lines(b.Context(), src, func(LineMatch) bool { return true }); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
		run("automaton", p)
		if q, ok := bare(p); ok {
			run("library", q)
		}
	}
}
