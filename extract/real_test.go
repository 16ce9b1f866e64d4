package extract_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract/extracttest"
	"github.com/ralph-index/ralph-index/graph"
)

// TestRealFiles compares the facts of whole files with counts that a reader made from
// their text. The comment of an archive says them:
//
//	count: class 2, method 7, import 3, base 1, call 12
//	lacks: call 2 (a call in a string), class -1 (an alias is no class)
//	lacks: status partial (the grammar does not know the word)
//
// The words are kinds of definitions, "import" for each name imported, "base" for
// heritage, "call", "decorator", "read" and "typeref" for references of that use. What
// is not named is not there, but for reads and types, which are counted where named. A count is the truth about the text; "lacks" is by how many the facts stay
// below it, and must be taken out when they no longer do.
func TestRealFiles(t *testing.T) {
	archives, err := filepath.Glob("lang/*/testdata/real/*.txtar")
	if err != nil || len(archives) < realArchives {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, path := range archives {
		t.Run(strings.TrimPrefix(strings.TrimSuffix(path, ".txtar"), "lang/"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) != 1 {
				t.Fatalf("%d files", len(a.Files))
			}
			want, status, err := counted(string(a.Comment))
			if err != nil {
				t.Fatal(err)
			}
			f := extracttest.Extract(t, a.Files[0].Name, string(a.Files[0].Data))
			if f.Status != status {
				t.Errorf("status %s %q, want %s", f.Status, f.Reason, status)
			}
			got := count(f)
			for _, word := range []string{"read", "typeref"} {
				if _, named := want[word]; !named {
					delete(got, word)
				}
			}
			if diff := difference(want, got); diff != "" {
				t.Errorf("%s\n%s", diff, extracttest.Format(f))
			}
		})
	}
}

// realArchives is the least number of archives: three for each language that no compiler
// was asked about.
const realArchives = 79

// count counts the facts by the words of the table.
func count(f *graph.Facts) map[string]int {
	got := map[string]int{"import": len(f.Imports), "base": len(f.Heritage)}
	for i := range f.Defs {
		got[string(f.Defs[i].Kind)]++
	}
	for i := range f.Refs {
		switch f.Refs[i].Use {
		case graph.UseCall:
			got["call"]++
		case graph.UseDecorator:
			got["decorator"]++
		case graph.UseRead:
			got["read"]++
		case graph.UseType:
			got["typeref"]++
		}
	}
	return got
}

// counted reads the counts that the comment of an archive leads to expect.
func counted(comment string) (want map[string]int, status graph.Status, err error) {
	want, status = map[string]int{}, graph.StatusOK
	for line := range strings.Lines(comment) {
		word, rest, _ := strings.Cut(line, ":")
		sign := map[string]int{"count": 1, "lacks": -1}[word]
		if sign == 0 {
			continue
		}
		for item := range strings.SplitSeq(withoutReasons(rest), ",") {
			kind, number, _ := strings.Cut(strings.TrimSpace(item), " ")
			if kind == "status" {
				status = graph.Status(number)
				continue
			}
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, "", fmt.Errorf("read %q: %w", item, err)
			}
			want[kind] += sign * n
		}
	}
	if len(want) == 0 {
		return nil, "", fmt.Errorf("read counts: none in %q", comment)
	}
	return want, status, nil
}

// withoutReasons takes out what stands in parentheses.
func withoutReasons(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "(")
		b.WriteString(strings.TrimSpace(before))
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(rest, ")")
	}
}

// difference says where the counts differ, "" if nowhere.
func difference(want, got map[string]int) string {
	words := map[string]bool{}
	for w := range want {
		words[w] = true
	}
	for w := range got {
		words[w] = true
	}
	var out []string
	for _, w := range slices.Sorted(maps.Keys(words)) {
		if want[w] != got[w] {
			out = append(out, fmt.Sprintf("%s: %d, want %d", w, got[w], want[w]))
		}
	}
	return strings.Join(out, "; ")
}
