package worker

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/extract/extracttest"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

// nesting and long are what nobody writes by hand: levels of brackets, and bytes of a line.
const (
	nesting = 100_000
	long    = 1 << 19
	many    = 10_000                 // definitions in one file
	briefly = 500 * time.Millisecond // for the parser, of each file
)

// kept says which of the definitions around the odd part must be found.
type kept int

const (
	nothing kept = iota
	first
	both
)

// hostile is one way to make a file odd. make gets a language's sample; status lists
// what may be said of the result: a budget of time may always end first.
var hostile = []struct {
	name   string
	make   func(s *sample) string
	kept   kept
	status []graph.Status
}{
	{"plain", func(s *sample) string { return s.head + s.first + s.last }, both, []graph.Status{graph.StatusOK}},
	{"byte order mark", func(s *sample) string { return "\ufeff" + s.head + s.first + s.last }, both, []graph.Status{graph.StatusOK}},
	{"carriage returns", func(s *sample) string { return strings.ReplaceAll(s.head+s.first+s.last, "\n", "\r\n") }, both, []graph.Status{graph.StatusOK}},
	{"old line ends", func(s *sample) string { return strings.ReplaceAll(s.head+s.first+s.last, "\n", "\r") }, nothing, anyStatus},
	{"no last line end", func(s *sample) string { return strings.TrimRight(s.head+s.first+s.last, "\n") }, both, []graph.Status{graph.StatusOK}},
	{"latin 1", func(s *sample) string { return s.head + s.first + s.remark("caf\xe9 \xfc\xdf") + s.last }, both, []graph.Status{graph.StatusOK, graph.StatusPartial}},
	{"two bytes a letter", func(s *sample) string { return inUTF16(binary.LittleEndian, s.head+s.first+s.last) }, nothing, anyStatus},
	{"two bytes a letter, high first", func(s *sample) string { return inUTF16(binary.BigEndian, s.head+s.first+s.last) }, nothing, anyStatus},
	{"zero bytes", func(s *sample) string { return s.head + s.first + "\x00\x00\x00\n" + s.last }, first, anyStatus},
	{"zero bytes in a remark", func(s *sample) string { return s.head + s.first + s.remark("a\x00b") + s.last }, first, anyStatus},
	{"only zero bytes", func(*sample) string { return strings.Repeat("\x00", 1<<16) }, nothing, anyStatus},
	{"noise", func(s *sample) string { return s.head + s.first + noise(1<<16) + "\n" + s.last }, nothing, anyStatus},
	{"nested", func(s *sample) string {
		return s.head + s.first + s.deep(strings.Repeat(s.open, nesting)+s.core+strings.Repeat(s.end, nesting)) + s.last
	}, both, anyStatus},
	{"nested and not closed", func(s *sample) string { return s.head + s.first + s.deep(strings.Repeat(s.open, nesting)) + s.last }, nothing, anyStatus},
	{"closed and not opened", func(s *sample) string { return s.head + s.first + s.deep(strings.Repeat(s.end, nesting)) + s.last }, nothing, anyStatus},
	{"brackets only", func(*sample) string { return strings.Repeat("([{<", nesting) }, nothing, anyStatus},
	{"long remark", func(s *sample) string { return s.head + s.first + s.remark(strings.Repeat("x ", long/2)) + s.last }, both, anyStatus},
	{"remark at the end", func(s *sample) string { return s.head + s.first + s.last + strings.TrimRight(s.remark("x"), "\n") }, both, []graph.Status{graph.StatusOK}},
	{"cut in a remark", func(s *sample) string {
		return s.head + s.first + strings.TrimRight(strings.ReplaceAll(s.remark("x"), "*/", ""), "\n")
	}, first, anyStatus},
	{"cut in brackets", func(s *sample) string { return s.head + s.first + s.deep(s.open+s.open+s.core) + s.open }, first, anyStatus},
	{"cut in quotes", func(s *sample) string { return s.head + s.first + s.deep("\"\"\" '' \"x y") }, nothing, anyStatus},
	{"long word", func(s *sample) string { return s.head + s.first + s.last + strings.Repeat("x", long) + "\n" }, first, anyStatus},
	{"long line", func(s *sample) string {
		return s.head + s.first + strings.Repeat("a b ( ) { } ; = ' \" ", long/20) + "\n" + s.last
	}, nothing, anyStatus},
	{"many definitions", func(s *sample) string { return s.head + s.first + strings.Repeat(s.last, many) }, first, anyStatus},
	{"many quotes", func(s *sample) string { return s.head + s.first + strings.Repeat("'\"`", nesting/3) + "\n" + s.last }, nothing, anyStatus},
	{"empty", func(*sample) string { return "" }, nothing, anyStatus},
	{"blank", func(*sample) string { return strings.Repeat(" \t\n", nesting) }, nothing, anyStatus},
}

var anyStatus = []graph.Status{graph.StatusOK, graph.StatusPartial, graph.StatusCapped}

// TestHostileFiles gives files of every language that no editor wrote to a worker: it
// must answer, and what it says must be true of the bytes.
func TestHostileFiles(t *testing.T) {
	p := startPool(t, "brief", Options{Workers: 2, Deadline: 10 * time.Minute})
	byName := map[string]*sample{}
	for i := range samples {
		byName[samples[i].language] = &samples[i]
	}
	for _, language := range extract.Languages() {
		s := byName[language]
		if s == nil {
			t.Errorf("%s has no sample", language)
			continue
		}
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for _, h := range hostile {
				src := h.make(s)
				f := extracted(t, p, s.path, src)
				if f.Language != language && h.kept != nothing {
					t.Errorf("%s: language %q", h.name, f.Language)
				}
				if !slices.Contains(h.status, f.Status) && f.Reason != "time_budget" {
					t.Errorf("%s: %s %s", h.name, f.Status, f.Reason)
				}
				if f.Status == graph.StatusOK == (f.Reason != "") {
					t.Errorf("%s: %s %q", h.name, f.Status, f.Reason)
				}
				s.check(t, h.name, h.kept, f)
			}
		})
	}
}

// extracted sends a file through a pool and checks that the facts hold together.
func extracted(t *testing.T, p *Pool, path, src string) *graph.Facts {
	t.Helper()
	b, err := p.Extract(context.Background(), file(path, src))
	if err != nil {
		t.Fatal(err)
	}
	if b == nil {
		return &graph.Facts{Status: graph.StatusOK}
	}
	f, err := blob.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	extracttest.Check(t, f, src)
	return f
}

// check looks for the definitions of a sample that must be there.
func (s *sample) check(t *testing.T, kind string, want kept, f *graph.Facts) {
	t.Helper()
	if f.Reason == "time_budget" || s.firstName == "" {
		return
	}
	has := func(name string) bool {
		return slices.ContainsFunc(f.Defs, func(d graph.Def) bool { return d.Name == name })
	}
	if want >= first && !has(s.firstName) {
		t.Errorf("%s: %s is lost (%s %s)", kind, s.firstName, f.Status, f.Reason)
	}
	if want == both && !has(s.lastName) {
		t.Errorf("%s: %s is lost (%s %s)", kind, s.lastName, f.Status, f.Reason)
	}
}

// remark writes words as a comment, where the language has comments.
func (s *sample) remark(words string) string {
	if s.comment == "" {
		return ""
	}
	return fmt.Sprintf(s.comment, words)
}

// deep writes brackets where the language takes them.
func (s *sample) deep(brackets string) string { return fmt.Sprintf(s.nest, brackets) }

func inUTF16(order binary.AppendByteOrder, s string) string {
	b := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// noise is the same bytes each time, in no order.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(2463534242)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return string(b)
}
