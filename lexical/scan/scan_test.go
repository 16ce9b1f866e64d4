package scan

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// memory serves files from a map; a delay makes the order of completion vary.
type memory struct {
	files  map[graph.Path]string
	jitter bool
	read   func(graph.Path)
}

func (m memory) Read(p graph.Path, buf []byte) ([]byte, error) {
	if m.read != nil {
		m.read(p)
	}
	if m.jitter {
		for range rand.IntN(2000) {
			_ = rand.Int()
		}
	}
	src, ok := m.files[p]
	if !ok {
		return nil, errors.New("no such file")
	}
	if strings.HasPrefix(src, "skip:") {
		return nil, fmt.Errorf("read %s: %w", p, Skip(src[5:]))
	}
	return append(buf, src...), nil
}

func pattern(t *testing.T, s match.Spec) *match.Pattern {
	t.Helper()
	p, err := match.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func places(r *Result) []string {
	var out []string
	for _, m := range r.Matches {
		out = append(out, fmt.Sprintf("%s:%d", m.Path, m.Line))
	}
	return out
}

func TestLimitIsDeterministic(t *testing.T) {
	files := map[graph.Path]string{}
	var paths []graph.Path
	var all []string
	for i := range 200 {
		p := graph.Path(fmt.Sprintf("f%03d", i))
		paths = append(paths, p)
		files[p] = strings.Repeat("x\nneedle\n", i%5)
		for j := range i % 5 {
			all = append(all, fmt.Sprintf("%s:%d", p, 2*j+2))
		}
	}
	for _, limit := range []int{0, 1, 2, 7, 100, 399, 400, 401} {
		var first *Result
		for range 5 {
			r, err := Run(context.Background(), Request{
				Pattern: pattern(t, match.Spec{Text: "needle"}), Paths: paths,
				Files: memory{files: files, jitter: true}, Limit: limit, Workers: 8,
			})
			if err != nil {
				t.Fatal(err)
			}
			want := all
			if limit > 0 && limit < len(all) {
				want = all[:limit]
			}
			if fmt.Sprint(places(r)) != fmt.Sprint(want) || r.Truncated != (len(want) < len(all)) {
				t.Fatalf("limit %d: %d matches, truncated %v", limit, len(r.Matches), r.Truncated)
			}
			if first == nil {
				first = r
			}
			if r.Scanned != first.Scanned || r.Files != first.Files {
				t.Errorf("limit %d: scanned %d then %d files", limit, first.Scanned, r.Scanned)
			}
		}
	}
}

func TestSkips(t *testing.T) {
	files := memory{files: map[graph.Path]string{
		"a": "needle", "bin": "needle\x00", "big": "skip:too_large", "wide": "\xff\xfen\x00", "empty": "",
	}}
	r, err := Run(context.Background(), Request{
		Pattern: pattern(t, match.Spec{Text: "needle"}), Files: files,
		Paths: []graph.Path{"a", "big", "bin", "empty", "none", "wide"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "map[binary:1 too_large:1 unreadable:1 utf16:1]"
	if fmt.Sprint(r.Skipped) != want || r.Scanned != 2 || len(r.Matches) != 1 {
		t.Errorf("skipped %v, want %s; scanned %d; %d matches", r.Skipped, want, r.Scanned, len(r.Matches))
	}
}

func TestContextAndCuts(t *testing.T) {
	long := strings.Repeat("\u00e9", 100) + "needle" + strings.Repeat("z", 100)
	files := memory{files: map[graph.Path]string{"a": "one\r\ntwo\nthree needle\r\nfour\n\nsix", "b": long}}
	r, err := Run(context.Background(), Request{
		Pattern: pattern(t, match.Spec{Text: "needle"}), Files: files, Paths: []graph.Path{"a", "b"},
		Before: 5, After: 2, MaxText: 41,
	})
	if err != nil {
		t.Fatal(err)
	}
	m := r.Matches[0]
	if got := fmt.Sprintf("%q %q %q", m.Before, m.Text, m.After); got != `["one" "two"] "three needle" ["four" ""]` {
		t.Error(got)
	}
	if m.Hash.IsZero() {
		t.Error("no hash")
	}
	m = r.Matches[1]
	if !m.Cut || !strings.Contains(m.Text, "needle") || len(m.Text) > 41 || !strings.HasPrefix(m.Text, "\u00e9") {
		t.Errorf("cut %v to %q", m.Cut, m.Text)
	}
}

func TestCancelKeepsOrder(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	files := map[graph.Path]string{}
	var paths []graph.Path
	for i := range 100 {
		p := graph.Path(fmt.Sprintf("f%03d", i))
		paths, files[p] = append(paths, p), "needle"
	}
	r, err := Run(ctx, Request{
		Pattern: pattern(t, match.Spec{Text: "needle"}), Paths: paths, Workers: 3,
		Files: memory{files: files, read: func(p graph.Path) {
			if p == "f050" {
				cancel()
			}
		}},
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if len(r.Matches) == 0 || len(r.Matches) > 60 {
		t.Errorf("%d matches", len(r.Matches))
	}
	for i, m := range r.Matches {
		if m.Path != paths[i] {
			t.Fatalf("match %d is in %s", i, m.Path)
		}
	}
}

func TestGivesUpLines(t *testing.T) {
	dear := "ac\n" + strings.Repeat("a", 64) + "\nac\n"
	files := map[graph.Path]string{"a": "ac", "b": dear, "c": "ac"}
	request := Request{
		Pattern: pattern(t, match.Spec{Text: `^(a+)+(?=c)`, Regex: true, CaseSensitive: true}),
		Files:   memory{files: files}, Paths: []graph.Path{"a", "b", "c"},
	}
	r, err := Run(context.Background(), request)
	if err != nil || fmt.Sprint(places(r)) != "[a:1 b:1 c:1]" || fmt.Sprint(r.GaveUp) != "[{b 2}]" || r.Truncated {
		t.Errorf("error %v, matches %v, gave up %v, truncated %v", err, places(r), r.GaveUp, r.Truncated)
	}
	request.Limit = 1
	if r, err = Run(context.Background(), request); err != nil || len(r.GaveUp) != 0 || !r.Truncated {
		t.Errorf("error %v, gave up %v, truncated %v behind the limit", err, r.GaveUp, r.Truncated)
	}
}

func TestGivesUpPattern(t *testing.T) {
	files := map[graph.Path]string{"z": "ac"}
	var paths []graph.Path
	for i := range mostGivenUp {
		p := graph.Path(fmt.Sprintf("f%02d", i))
		paths, files[p] = append(paths, p), strings.Repeat("a", 64)
	}
	r, err := Run(context.Background(), Request{
		Pattern: pattern(t, match.Spec{Text: `^(a+)+(?=c)`, Regex: true, CaseSensitive: true}),
		Files:   memory{files: files}, Paths: append(paths, "z"), Workers: 4,
	})
	if err != nil || len(r.GaveUp) != mostGivenUp || len(r.Matches) != 0 || r.Scanned != mostGivenUp {
		t.Errorf("error %v, gave up %v, matches %v, %d scanned", err, r.GaveUp, places(r), r.Scanned)
	}
}

func TestFilesOnly(t *testing.T) {
	files := memory{files: map[graph.Path]string{"a": "needle\nneedle", "b": "x", "c": "needle"}}
	r, err := Run(context.Background(), Request{
		Pattern: pattern(t, match.Spec{Text: "needle"}), Files: files, Paths: []graph.Path{"a", "b", "c"}, FilesOnly: true,
	})
	if err != nil || fmt.Sprint(places(r)) != "[a:1 c:1]" || r.Truncated {
		t.Errorf("%v, %v", places(r), err)
	}
}
