package accuracy

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// records reads a truth or an export that stands in a test.
func records(t *testing.T, text string) []Record {
	t.Helper()
	name := filepath.Join(t.TempDir(), "records.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const truthText = `
{"k":"def","file":"a.go","line":1,"name":"F","kind":"func","end":3}
{"k":"def","file":"a.go","line":5,"name":"G","kind":"func","end":6}
{"k":"def","file":"a.go","line":7,"name":"inner","kind":"func","local":true}
{"k":"call","file":"a.go","line":2,"col":2,"name":"G","caller_file":"a.go","caller_line":1,"callee":"G","callee_file":"a.go","callee_line":5,"form":"name"}
{"k":"call","file":"a.go","line":2,"col":9,"name":"C","caller_file":"a.go","caller_line":1,"callee":"C","callee_file":"c.py","callee_line":1,"init_file":"c.py","init_line":2,"form":"name"}
{"k":"call","file":"a.go","line":3,"col":2,"name":"Println","caller_file":"a.go","caller_line":1,"callee":"fmt.Println","ext":true,"form":"member"}
{"k":"call","file":"a.go","line":6,"col":2,"name":"f","callee":null,"form":"name"}
{"k":"import","file":"a.go","line":1,"path":"x/b","target_dir":"b"}
{"k":"inherits","file":"a.go","line":5,"rel":"embeds","base_file":"b/b.go","base_line":4}
{"k":"inherits","file":"a.go","line":5,"rel":"implements","base_file":"b/b.go","base_line":9}
`

func TestScore(t *testing.T) {
	s := Score(records(t, truthText), nil, records(t, `
{"k":"def","file":"a.go","line":1,"name":"F","kind":"function","end":3}
{"k":"def","file":"a.go","line":9,"name":"X","kind":"function"}
{"k":"def","file":"notes.md","line":1,"name":"X","kind":"h1"}
{"k":"call","file":"a.go","line":2,"col":2,"callee_file":"a.go","callee_line":5,"provenance":"extracted","confidence":1}
{"k":"call","file":"a.go","line":2,"col":9,"callee_file":"c.py","callee_line":1,"provenance":"inferred","confidence":0.85}
{"k":"call","file":"a.go","line":2,"col":9,"callee_file":"c.py","callee_line":2,"provenance":"inferred","confidence":0.85}
{"k":"call","file":"a.go","line":3,"col":2,"callee_file":"a.go","callee_line":1,"provenance":"inferred","confidence":0.4}
{"k":"call","file":"a.go","line":6,"col":2,"callee_file":"a.go","callee_line":1,"provenance":"inferred","confidence":0.4}
{"k":"import","file":"a.go","line":1,"target_file":"b/b.go"}
{"k":"import","file":"a.go","line":1,"target_file":"b/c.go"}
{"k":"import","file":"a.go","line":1,"target_file":"z/z.go"}
{"k":"inherits","file":"a.go","line":5,"rel":"embeds","base_file":"b/b.go","base_line":5}
`), nil)
	want := map[string]Count{
		"definitions": {Right: 1, Answered: 2, Found: 1, Known: 2},
		"calls":       {Right: 2, Answered: 3, Found: 2, Known: 2},
		"imports":     {Right: 2, Answered: 3, Found: 1, Known: 1},
		"inheritance": {Right: 0, Answered: 1, Found: 0, Known: 1},
	}
	got := map[string]Count{"definitions": s.Defs, "calls": s.Calls, "imports": s.Imports, "inheritance": s.Inherits}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	if s.SpanRight != 1 || s.SpanJudged != 1 || s.Leaving != 1 || s.LeavingAnswered != 1 || s.Sites != 0 || s.Abstained != 0 {
		t.Errorf("%+v", s)
	}
	wantTiers := []Tier{{"confidence 0.4+", 2, 1, 0}, {"confidence 0.8+", 2, 2, 2}, {"confidence 0.9+", 1, 1, 1}, {"extracted", 1, 1, 1}, {"inferred", 4, 3, 2}}
	if !reflect.DeepEqual(s.Tiers, wantTiers) {
		t.Errorf("tiers %+v", s.Tiers)
	}
	var out strings.Builder
	if err := s.Write(&out, "a"); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"call that leaves the tree answered inside it: member", "definition missing: func", "base missing", "import of another file"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the table does not name %q:\n%s", part, out.String())
		}
	}
}

// TestTruthScoresItself says that a truth has nothing against itself.
func TestTruthScoresItself(t *testing.T) {
	s := Score(records(t, truthText), nil, records(t, truthText), nil)
	for _, c := range []Count{s.Defs, s.Calls, s.Imports, s.Inherits} {
		if c.Precision() != 1 || c.Recall() != 1 || c.F1() != 1 {
			t.Errorf("%+v", s)
		}
	}
	if len(s.Misses) != 0 {
		t.Errorf("misses %+v", s.Misses)
	}
}

func TestUnlistedCalls(t *testing.T) {
	s := Score(records(t, truthText), nil, records(t, `{"k":"call","file":"a.go","line":2,"col":2}`), nil)
	if s.Sites != 1 || s.Abstained != 1 || s.Calls.Found != 0 || s.Calls.Known != 2 {
		t.Errorf("%+v", s)
	}
}

// told answers cases with what it was told.
type told struct {
	callers, callees, path, hubs []string
	affected                     []Affected
	tests                        []TestAt
}

func (t told) Neighbors(context.Context, string) ([]string, []string, error) {
	return t.callers, t.callees, nil
}
func (t told) Impact(context.Context, string) ([]Affected, error)     { return t.affected, nil }
func (t told) Path(context.Context, string, string) ([]string, error) { return t.path, nil }
func (t told) Hubs(context.Context, int) ([]string, error)            { return t.hubs, nil }
func (t told) Tests(context.Context, string, int) ([]TestAt, error)   { return t.tests, nil }

func TestScoreCases(t *testing.T) {
	cases := []Case{
		{Q: "neighbors", Fn: "a.go:1", Callers: []string{"a.go:5", "a.go:9"}},
		{Q: "impact", Fn: "a.go:5", Affected: []Affected{{"a.go:1", 1}, {"x.go:1", 2}}},
		{Q: "path", From: "a.go:1", To: "a.go:5", Len: 1},
		{Q: "path", From: "a.go:1", To: "a.go:9", Len: 1},
		{Q: "hubs", Top: []Affected{{Fn: "a.go:5"}, {Fn: "a.go:1"}}},
	}
	got, err := ScoreCases(context.Background(), cases, records(t, truthText), told{
		callers: []string{"a.go:5"}, path: []string{"a.go:1", "a.go:5"}, hubs: []string{"a.go:5", "q.go:1"},
		affected: []Affected{{"a.go:1", 1}, {"y.go:1", 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range got {
		values[f.Name] = f.Value
	}
	want := map[string]float64{
		"neighbors callers F1": 2.0 / 3, "neighbors callees F1": 1, "impact <= 1 recall": 1, "impact <= 1 precision": 1,
		"impact <= 2 recall": .5, "impact <= 2 precision": .5, "impact <= 3 recall": .5, "impact <= 3 precision": .5, "path right": .5, "hubs overlap@20": .5,
	}
	for name, v := range want {
		if d := values[name] - v; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s is %v, want %v", name, values[name], v)
		}
	}
	tests, err := ScoreTests(context.Background(), []TestCase{{File: "a.go", Line: 1, Tests: []TestAt{{"t.go", 1}, {"t.go", 2}}}}, told{tests: []TestAt{{"t.go", 2}, {"t.go", 9}}}, 0)
	if err != nil || tests[0].Value != .5 || tests[1].Value != 1 {
		t.Errorf("tests %+v, %v", tests, err)
	}
}

func TestReadRefuses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(name, []byte("{\"k\":\"def\"}\nnot json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}
