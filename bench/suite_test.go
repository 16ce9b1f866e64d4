package bench

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/bench/accuracy"
)

// TestSuiteSlices compares the calls of an index with all that the programs of
// corpus/truth/suites make, each program by itself: none may be missing but those that are
// marked so, and none may be too many but those that are answered in their place.
func TestSuiteSlices(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "corpus", "truth", "suites", "*.txtar"))
	if err != nil || len(names) < 2 {
		t.Fatalf("slices %v: %v", names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			c := &Config{Tree: "suite", Dir: t.TempDir(), Work: t.TempDir(), Log: slogWriter{t}}
			cases, missed := suiteSlice(t, name, c.Dir)
			e, err := c.indexed(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = e.Close(t.Context()) }()
			export, err := exported(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			var s accuracy.SuiteScores
			for i := range cases {
				s.Add(&cases[i], inside(export, cases[i].Case))
			}
			for _, fault := range s.Faults() {
				if _, known := missed[fault]; !known {
					t.Errorf("%s", fault)
				}
				delete(missed, fault)
			}
			for fault := range missed {
				t.Logf("%s: that is no fault any more, take the mark away", fault)
			}
		})
	}
}

// inside keeps the records of one case, which is one directory.
func inside(export []accuracy.Record, dir string) (out []accuracy.Record) {
	for _, r := range export {
		if strings.HasPrefix(r.File, dir+"/") {
			out = append(out, r)
		}
	}
	return out
}

// suiteSlice writes the programs of a slice below dir, and reads their calls. missed has
// the faults that are known.
func suiteSlice(t *testing.T, name, dir string) (cases []accuracy.SuiteCase, missed map[string]struct{}) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	missed = map[string]struct{}{}
	files := map[string][]string{}
	for _, f := range txtar.Parse(data).Files {
		of := path.Dir(f.Name)
		if path.Base(f.Name) != "edges" {
			files[of] = append(files[of], f.Name)
			if err := os.MkdirAll(filepath.Join(dir, of), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		c := accuracy.SuiteCase{Suite: name, Case: of, Group: of, Files: files[of]}
		for line := range bytes.Lines(f.Data) {
			text, query := strings.CutPrefix(strings.TrimSpace(string(line)), "? ")
			text, instead := strings.CutPrefix(text, "! ")
			e, err := accuracy.ParseEdge(text)
			if err != nil {
				t.Fatalf("%s: %v", of, err)
			}
			e.Caller.File, e.Callee.File = of+"/"+e.Caller.File, of+"/"+e.Callee.File
			switch {
			case instead:
				missed[of+"\ttoo many\t"+e.String()] = struct{}{}
				continue
			case query:
				missed[of+"\tmissing\t"+e.String()] = struct{}{}
			}
			c.Edges = append(c.Edges, *e)
		}
		cases = append(cases, c)
	}
	return cases, missed
}
