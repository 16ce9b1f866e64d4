package accuracy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func corrections(t *testing.T, text string) ([]Correction, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "corrections.txt")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadCorrections(name)
}

func TestCorrect(t *testing.T) {
	cases, err := suite(t, strings.ReplaceAll(suiteText, "\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	made, err := corrections(t, "# why\n"+
		"g/one\tadd\ta.py:0 -> a.py:3\tthe last line calls g\n"+
		"g/one\tdrop\ta.py:0 -> a.py:1\tnothing calls f\n"+
		"g/one\tmove\ta.py:1 -> a.py:3 => a.py:1 -> a.py:4\tg stands on line 4\n")
	if err != nil {
		t.Fatal(err)
	}
	right, err := Correct(cases, made)
	if err != nil {
		t.Fatal(err)
	}
	var edges []string
	for i := range right[0].Edges {
		if e := &right[0].Edges[i]; e.Callee.File != "" {
			edges = append(edges, e.places().String())
		}
	}
	if got := strings.Join(edges, ", "); got != "a.py:0 -> a.py:3, a.py:1 -> a.py:4" {
		t.Error(got)
	}
	if got := cases[0].Edges[0].places().String(); got != "a.py:0 -> a.py:1" || len(cases[0].Edges) != 3 {
		t.Errorf("the published truth was changed: %v", cases[0].Edges)
	}
}

func TestCorrectRefuses(t *testing.T) {
	cases, err := suite(t, strings.ReplaceAll(suiteText, "\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"g/two\tadd\ta.py:0 -> a.py:3\twhy":                      "no such case",
		"g/one\tadd\ta.py:0 -> a.py:1\twhy":                      "it has the edge",
		"g/one\tdrop\ta.py:0 -> a.py:7\twhy":                     "it has no edge",
		"g/one\tmove\ta.py:0 -> a.py:7 => a.py:0 -> a.py:3\twhy": "it has no edge",
		"g/one\tadd\ta.py:0 -> b.py:3\twhy":                      "it has no file",
		"g/one\tadd\ta.py:0 -> a.py:3\t":                         "reason",
		"g/one\tadd\ta.py:0 -> a.py:3":                           "reason",
		"g/one\tmove\ta.py:0 -> a.py:3\twhy":                     "change",
		"g/one\tadd\ta.py -> a.py:3\twhy":                        "no file and line",
		"g/one\tadd\ta.py:3\twhy":                                "edge",
	} {
		made, err := corrections(t, text+"\n")
		if err == nil {
			_, err = Correct(cases, made)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}
