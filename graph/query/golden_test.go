package query

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
)

var update = flag.Bool("update", false, "write the answers into the goldens")

// TestGolden asks the questions of testdata: each archive holds toy files, then
// pairs of a question in JSON and the answer.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("goldens: %v, %v", names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			golden(t, name)
		})
	}
}

func golden(t *testing.T, name string) {
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var files []*graph.Facts
	for _, f := range ar.Files {
		if strings.HasSuffix(f.Name, ".toy") {
			files = append(files, toyFile(graph.Path(f.Name), string(f.Data)))
		}
	}
	v := &toyView{View: graphtest.NewView(files...), gen: 1}
	p := newToyPlanner()
	hubs, err := p.BuildHubs(t.Context(), v, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(ar.Files); i++ {
		q := ar.Files[i]
		if !strings.HasPrefix(q.Name, "ask") {
			continue
		}
		var req Request
		if err := json.Unmarshal(q.Data, &req); err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		a, err := p.RunWith(t.Context(), v, hubs, req)
		if err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		checkEvidence(t, v, a)
		got := show(a)
		if *update {
			ar.Files[i+1].Data = []byte(got)
		} else if want := string(ar.Files[i+1].Data); got != want {
			t.Errorf("%s: answer to %sis\n%swant\n%s", q.Name, q.Data, got, want)
		}
		i++
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkEvidence fails the test for an id that is not understood, or that does not
// belong to a live file's present bytes.
func checkEvidence(t *testing.T, v *toyView, a *Answer) {
	t.Helper()
	for _, s := range a.EvidenceIDs {
		id, ok := graph.ParseID(s)
		if !ok || id.Kind == graph.IDSymbol {
			t.Errorf("evidence id %q is not one", s)
			continue
		}
		p, ok := v.PathOf(id.Path)
		if !ok {
			t.Errorf("evidence id %q names no file", s)
			continue
		}
		file, _ := v.Lookup(p)
		rec, _ := v.File(file)
		if !id.Matches(rec.Hash) || id.Kind == graph.IDEvidence && (id.From < 1 || id.To > rec.Lines) {
			t.Errorf("evidence id %q of %s names %d..%d of %d lines", s, p, id.From, id.To, rec.Lines)
		}
	}
	for _, e := range a.Edges {
		if e.EvidenceID == "" || e.Line == 0 || e.Col == 0 || e.Source == "" || e.Target == "" {
			t.Errorf("edge without a place: %+v", e)
		}
	}
}
