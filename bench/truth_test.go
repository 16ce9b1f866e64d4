package bench

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/bench/accuracy"
	"github.com/ralph-index/ralph-index/corpus"
)

var update = flag.Bool("update", false, "rewrite the figures of the truth slices")

// TestTruthSlices scores an index of each slice of corpus/truth and compares it with the
// figures beside it. A figure may rise (then -update writes it down), and none may fall.
func TestTruthSlices(t *testing.T) {
	names, err := corpus.Slices()
	if err != nil || len(names) < 6 {
		t.Fatalf("slices %v: %v", names, err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			got, table := measured(t, name)
			golden := filepath.Join("..", "corpus", "truth", name+".figures")
			if *update {
				if err := os.WriteFile(golden, []byte(written(got)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fallen(t, string(b), got) {
				t.Error(f)
			}
			if t.Failed() || testing.Verbose() {
				t.Log("\n" + table)
			}
		})
	}
}

// measured indexes a slice and scores it. The table is for people.
func measured(t *testing.T, name string) (figures []accuracy.Figure, table string) {
	t.Helper()
	c := &Config{Tree: name, Dir: t.TempDir(), Work: t.TempDir(), Log: slogWriter{t}}
	files, err := corpus.Slice(name, c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := accuracy.Marks(files)
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.indexed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	export, err := exported(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := accuracy.Score(truth, nil, export, accuracy.Texts(c.Dir))
	if err := s.Write(&out, name); err != nil {
		t.Fatal(err)
	}
	figures, err = accuracy.ScoreCases(t.Context(), accuracy.CasesOf(truth), truth, asker{e})
	if err != nil {
		t.Fatal(err)
	}
	return append(s.Figures(), figures...), out.String()
}

// written writes figures as lines: what falls in the fifth place is no fall.
func written(figures []accuracy.Figure) string {
	var b strings.Builder
	for _, f := range figures {
		fmt.Fprintf(&b, "%.4f %s\n", f.Value, f.Name)
	}
	return b.String()
}

// fallen says what is worse than it was.
func fallen(t *testing.T, before string, now []accuracy.Figure) (out []string) {
	t.Helper()
	value := map[string]float64{}
	for _, f := range now {
		value[f.Name] = f.Value
	}
	for line := range strings.Lines(before) {
		number, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		var was float64
		if _, err := fmt.Sscan(number, &was); err != nil {
			t.Fatalf("figures: %q: %v", line, err)
		}
		is, ok := value[name]
		delete(value, name)
		if !ok || is < was-5e-5 {
			out = append(out, fmt.Sprintf("%s: %.4f, was %.4f", name, is, was))
		}
	}
	for name := range value {
		out = append(out, name+" has no figure: run with -update")
	}
	return out
}

// TestFallenFigures says that a fall is one.
func TestFallenFigures(t *testing.T) {
	now := []accuracy.Figure{{Name: "calls recall", Value: .9}, {Name: "path right", Value: 1}}
	for before, want := range map[string]int{
		"0.9000 calls recall\n1.0000 path right\n":                 0,
		"0.8000 calls recall\n1.0000 path right\n":                 0,
		"0.9001 calls recall\n1.0000 path right\n":                 1,
		"0.9000 calls recall\n1.0000 path right\n1.0000 another\n": 1,
		"0.9000 calls recall\n":                                    1,
	} {
		if got := fallen(t, before, now); len(got) != want {
			t.Errorf("%q: %v", before, got)
		}
	}
}

// slogWriter shows what an engine logs beside the test.
type slogWriter struct{ t *testing.T }

func (w slogWriter) Write(b []byte) (int, error) {
	w.t.Logf("%s", bytes.TrimSpace(b))
	return len(b), nil
}
