package match

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/graph"
)

// lines returns the numbers of the matching lines.
func lines(t testing.TB, p *Pattern, src []byte) []uint32 {
	t.Helper()
	var out []uint32
	err := p.Lines(context.Background(), src, func(m LineMatch) bool {
		if m.Start > m.End || m.End > len(src) || m.Col < 1 {
			t.Fatalf("line bounds %+v of %d bytes", m, len(src))
		}
		if bytes.IndexByte(src[m.Start:m.End], '\n') >= 0 {
			t.Fatalf("line %d holds a line end", m.Line)
		}
		out = append(out, m.Line)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func compile(t testing.TB, s Spec) *Pattern {
	t.Helper()
	p, err := Compile(s)
	if err != nil {
		t.Fatalf("compile %+v: %v", s, err)
	}
	return p
}

func TestLines(t *testing.T) {
	const words = "a-foo\n -foo\nfoo-\nfoo-b\n\"foo\"\n\u201cfoo\u201d\n\u00e9foo\nfoo\u0301\nfoo bar\n_foo\n-foo-foo\nxfoo foo\n"
	const cases = "\ufefffoo\nbar\r\nKelvin\n\u212aelvin\nma\u017f\u017f\n"
	for _, tt := range []struct {
		spec Spec
		src  string
		want string // line numbers
	}{
		{Spec{Text: "-foo", CaseSensitive: true, WholeWord: true}, words, "[2 11]"},
		{Spec{Text: "foo-", CaseSensitive: true, WholeWord: true}, words, "[3]"},
		{Spec{Text: "foo", CaseSensitive: true, WholeWord: true}, words, "[1 2 3 4 5 6 9 11 12]"},
		{Spec{Text: "foo-foo", CaseSensitive: true, WholeWord: true}, words, "[11]"},
		{Spec{Text: "", CaseSensitive: true, WholeWord: true}, words, "[2 3 5 6 11]"},
		{Spec{Text: " ", CaseSensitive: true, WholeWord: true}, words, "[2]"},
		{Spec{Text: "-", CaseSensitive: true, WholeWord: true}, words, "[]"},
		{Spec{Text: "fo+|foo-foo", Regex: true, CaseSensitive: true, WholeWord: true}, words, "[1 2 3 4 5 6 9 11 12]"},
		{Spec{Text: `\s`, Regex: true, CaseSensitive: true}, words, "[2 9 12]"},
		{Spec{Text: `\Afoo`, Regex: true, CaseSensitive: true}, words, "[3 4 8 9]"},
		{Spec{Text: `foo\z`, Regex: true, CaseSensitive: true}, words, "[1 2 7 10 11 12]"},
		{Spec{Text: "^foo", Regex: true, CaseSensitive: true}, cases, "[1]"},
		{Spec{Text: "bar$", Regex: true, CaseSensitive: true}, cases, "[]"},
		{Spec{Text: "bar.$", Regex: true, CaseSensitive: true}, cases, "[2]"},
		{Spec{Text: "kelvin"}, cases, "[3 4]"},
		{Spec{Text: "\u212aELVIN"}, cases, "[3 4]"},
		{Spec{Text: "MASS"}, cases, "[5]"},
		{Spec{Text: ""}, cases, "[1 2 3 4 5]"},
		{Spec{Text: ""}, "", "[]"},
		{Spec{Text: "^$", Regex: true}, "a\n", "[]"},
		{Spec{Text: "^$", Regex: true}, "\n", "[1]"},
		{Spec{Text: "^$", Regex: true}, "a\n\nb\n\n", "[2 4]"},
		{Spec{Text: "a[^b]c", Regex: true}, "a\nc\na\rc", "[3]"},
		{Spec{Text: `(?s)a.*c`, Regex: true}, "a\nc\nabc", "[3]"},
		{Spec{Text: `(\w)\1`, Regex: true, CaseSensitive: true}, "abc\nabb\n", "[2]"},
		{Spec{Text: `foo(?=bar)`, Regex: true, CaseSensitive: true}, "foobaz\nfoobar\n\u00e9foobar", "[2 3]"},
		{Spec{Text: `(?<!x)foo`, Regex: true, CaseSensitive: true}, "xfoo\nfoo\n", "[2]"},
		{Spec{Text: "\xff"}, "a\xffb\n\u00ff\n", "[1]"},
	} {
		p := compile(t, tt.spec)
		if got := fmt.Sprint(lines(t, p, []byte(tt.src))); got != tt.want {
			t.Errorf("%+v on %q: lines %s, want %s", tt.spec, tt.src, got, tt.want)
		}
	}
}

func TestLineMatchPlaces(t *testing.T) {
	p := compile(t, Spec{Text: "b", CaseSensitive: true})
	var got []LineMatch
	if err := p.Lines(context.Background(), []byte("x\nabb\r\nb\r"), func(m LineMatch) bool {
		got = append(got, m)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	want := []LineMatch{
		{Line: 2, Start: 2, End: 5, Col: 2, Len: 1},
		{Line: 3, Start: 7, End: 9, Col: 1, Len: 1},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestWindows(t *testing.T) {
	// Several windows, a line longer than one, and matches on both sides of the cuts.
	var src bytes.Buffer
	var want []uint32
	line := uint32(0)
	for src.Len() < 5*window {
		line++
		if line%1000 == 0 {
			src.WriteString("xx Needle yy\n")
			want = append(want, line)
			continue
		}
		src.WriteString("some text that is of no interest here\n")
	}
	src.WriteString(strings.Repeat("z", 3*window) + "Needle\n")
	want = append(want, line+1)
	for _, s := range []Spec{
		{Text: "Needle", CaseSensitive: true}, {Text: "needle"}, {Text: "Needle$|Needle yy", Regex: true},
		{Text: "[N][e]+dle", Regex: true, CaseSensitive: true},
		{Text: "N[a-z]+e($| )", Regex: true, CaseSensitive: true},
	} {
		if got := lines(t, compile(t, s), src.Bytes()); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v: %d lines, want %d", s, len(got), len(want))
		}
	}
}

func TestCancelInLongLine(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := compile(t, Spec{Text: "[a-c]{3}x", Regex: true})
	if _, err := p.Match(ctx, bytes.Repeat([]byte("q"), 8<<20)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want cancelled", err)
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		spec      Spec
		kind      ErrorKind
		construct string
	}{
		{Spec{Text: strings.Repeat("x", 1001)}, TooLong, ""},
		{Spec{Text: "(", Regex: true}, BadSyntax, ""},
		{Spec{Text: "[a", Regex: true}, BadSyntax, ""},
		{Spec{Text: "*a", Regex: true}, BadSyntax, ""},
		{Spec{Text: "(?<=a", Regex: true}, BadSyntax, ""},
		{Spec{Text: "a++", Regex: true}, Unsupported, "possessive quantifier"},
		{Spec{Text: "a(?R)?b", Regex: true}, Unsupported, "recursion"},
		{Spec{Text: "(?=a)(?1)", Regex: true}, Unsupported, "recursion"},
		{Spec{Text: "(*FAIL)", Regex: true}, Unsupported, "verb"},
		{Spec{Text: `\Xa`, Regex: true}, Unsupported, `grapheme (\X)`},
		{Spec{Text: `a\Z`, Regex: true}, Unsupported, `escape \Z`},
		{Spec{Text: "a{2000}", Regex: true}, Unsupported, "repeat count over 1000"},
		{Spec{Text: "a\nb"}, Unsupported, "line break"},
		{Spec{Text: `a\nb.`, Regex: true}, Unsupported, "line break"},
	} {
		_, err := Compile(tt.spec)
		var pe *PatternError
		if !errors.As(err, &pe) || pe.Kind != tt.kind || pe.Construct != tt.construct {
			t.Errorf("%+v: %#v, want %s %q", tt.spec, err, tt.kind, tt.construct)
		}
	}
}

func TestEligible(t *testing.T) {
	for _, tt := range []struct {
		spec Spec
		want bool
	}{
		{Spec{Text: "a.b"}, true}, {Spec{Text: "foo", Regex: true}, true}, {Spec{Text: "k", Regex: true}, true},
		{Spec{Text: `fmt\.Println\(`, Regex: true}, true}, {Spec{Text: "a.b", Regex: true}, false},
		{Spec{Text: "", Regex: true}, true}, {Spec{Text: "two words", WholeWord: true}, true},
	} {
		if got, _ := compile(t, tt.spec).Eligible(); got != tt.want {
			t.Errorf("%+v: eligible %v", tt.spec, got)
		}
	}
}

func TestNeed(t *testing.T) {
	for _, tt := range []struct{ re, want string }{
		{`foo.*bar`, `(foo & bar)`},
		{`foobar|foobaz`, `(foobar | foobaz)`},
		{`colou?r`, `(color | colour)`},
		{`(?i)select\s+FROM`, `(select~ & from~)`},
		{`a*b*`, `any`},
		{`x(foo|ba.)+y`, `(x & (foo | ba) & y)`},
		{`(?:ax|)bc`, `(axbc | bc)`},
		{`[ab]{3}c`, `c`},
		{`(\w+)\s\1end`, `end`},
		{`foo(?!bar)`, `foo`},
	} {
		p := compile(t, Spec{Text: tt.re, Regex: true, CaseSensitive: true})
		if got := show(p.Need()); got != tt.want {
			t.Errorf("%s needs %s, want %s", tt.re, got, tt.want)
		}
	}
}

func show(n *Need) string {
	op := " & "
	switch n.Op {
	case NeedAny:
		return "any"
	case NeedNone:
		return "none"
	case NeedLit:
		if n.Lit.Fold {
			return strings.ToLower(n.Lit.Text) + "~"
		}
		return n.Lit.Text
	case NeedOr:
		op = " | "
	}
	var subs []string
	for _, s := range n.Sub {
		subs = append(subs, show(s))
	}
	return "(" + strings.Join(subs, op) + ")"
}

func TestClassify(t *testing.T) {
	for src, want := range map[string]graph.Content{
		"": graph.ContentText, "a\xff": graph.ContentText, "\xff\xfea\x00": graph.ContentUTF16, "\xfe\xff": graph.ContentUTF16,
		strings.Repeat("a", 1<<20) + "\x00": graph.ContentBinary,
	} {
		if got := Classify([]byte(src)); got != want {
			t.Errorf("%.10q: %s, want %s", src, got, want)
		}
	}
}

// naive matches each line for itself.
func naive(s Spec, src []byte) ([]uint32, error) {
	text := s.Text
	if !s.Regex {
		text = regexp.QuoteMeta(text)
	}
	if !s.CaseSensitive {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if len(src) == 0 {
		return nil, nil
	}
	var out []uint32
	for i, line := range bytes.Split(bytes.TrimSuffix(src, []byte{'\n'}), []byte{'\n'}) {
		if naiveLine(re, s.WholeWord, line) {
			out = append(out, uint32(i+1))
		}
	}
	return out, nil
}

func naiveLine(re *regexp.Regexp, word bool, line []byte) bool {
	if !word {
		return re.Match(line)
	}
	for i := 0; i <= len(line); {
		loc := re.FindIndex(line[i:])
		if loc == nil {
			return false
		}
		before, _ := utf8.DecodeLastRune(line[:i+loc[0]])
		after, _ := utf8.DecodeRune(line[i+loc[1]:])
		if !isWord(before) && !isWord(after) {
			return true
		}
		i += loc[0]
		_, size := utf8.DecodeRune(line[i:])
		i += max(size, 1)
	}
	return false
}

func FuzzLines(f *testing.F) {
	f.Add("foo", "a foo\nFOO\r\n_foo foo", false, true, true)
	f.Add("k\u017f", "K\u212as\nkS\nks", false, false, false)
	f.Add("a|b+c?$", "abc\n\nbbc", true, false, false)
	f.Add("^$", "\n\na\n", true, true, false)
	f.Add("-", "- a-b -\n--", false, true, true)
	f.Add("ss", "\u017f\u017f\nSs\xff", false, false, true)
	f.Add("(foo|ba[rz])x.*q", "foox q\nbazxq\nbar", true, true, false)
	f.Fuzz(func(t *testing.T, text, src string, regex, cased, word bool) {
		s := Spec{Text: text, Regex: regex, CaseSensitive: cased, WholeWord: word}
		if !utf8.ValidString(text) || len(text) > 64 || len(src) > 4096 || regex && word {
			return // the model speaks runes; whole-word alternatives need more than its leftmost match
		}
		if regex && (strings.Contains(text, `\A`) || strings.Contains(text, `\z`) || strings.Contains(text, "(?")) {
			return // anchors and flags that the model would read per line only
		}
		p, err := Compile(s)
		if err != nil {
			return
		}
		if _, ok := p.find.(*backtrackFinder); ok {
			return
		}
		want, err := naive(s, []byte(src))
		if err != nil {
			return
		}
		if got := lines(t, p, []byte(src)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v on %q: lines %v, want %v", s, src, got, want)
		}
		checkNeed(t, p.Need(), []byte(src), want)
	})
}

// checkNeed looks for what the pattern needs on each line that matches.
func checkNeed(t *testing.T, n *Need, src []byte, matching []uint32) {
	all := bytes.Split(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), []byte{'\n'})
	for _, line := range matching {
		if !holds(t, n, all[line-1]) {
			t.Errorf("line %q matches without %s", all[line-1], show(n))
		}
	}
}

func holds(t *testing.T, n *Need, line []byte) bool {
	switch n.Op {
	case NeedAny:
		return true
	case NeedNone:
		return false
	case NeedLit:
		ok, err := compile(t, Spec{Text: n.Lit.Text, CaseSensitive: !n.Lit.Fold}).Match(context.Background(), append(line, '\n'))
		return ok && err == nil
	}
	for _, s := range n.Sub {
		if holds(t, s, line) != (n.Op == NeedAnd) {
			return n.Op == NeedOr
		}
	}
	return n.Op == NeedAnd
}
