package accuracy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func suite(t *testing.T, text string) ([]SuiteCase, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "suite.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadSuite(name)
}

const suiteText = `{"suite":"s","case":"g/one","dir":"x/one","files":["a.py"],"edges":[
 {"caller":{"name":"a","file":"a.py","line":0},"callee":{"name":"a.f","file":"a.py","line":1}},
 {"caller":{"name":"a.f","file":"a.py","line":1},"callee":{"name":"a.g","file":"a.py","line":3}},
 {"caller":{"name":"a.f","file":"a.py","line":1},"callee":{"name":"<builtin>.len","file":null,"line":null}}]}`

func TestSuiteScores(t *testing.T) {
	cases, err := suite(t, strings.ReplaceAll(suiteText, "\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	var s SuiteScores
	s.Add(&cases[0], records(t, `
{"k":"def","file":"a.py","line":7,"name":"C","kind":"class"}
{"k":"call","file":"a.py","line":9,"caller_file":"a.py","caller_line":0,"callee_file":"a.py","callee_line":1}
{"k":"call","file":"a.py","line":9,"caller_file":"a.py","caller_line":0,"callee_file":"a.py","callee_line":1}
{"k":"call","file":"a.py","line":9,"caller_file":"a.py","caller_line":0,"callee_file":"a.py","callee_line":7}
{"k":"call","file":"a.py","line":9,"caller_file":"a.py","caller_line":0,"callee_file":"a.py","callee_line":3}
{"k":"call","file":"a.py","line":9,"caller_file":"a.py","caller_line":0,"callee_file":"b.py","callee_line":3}
{"k":"call","file":"a.py","line":9,"caller_file":"a.py","caller_line":0}
`))
	if want := (Count{Right: 1, Answered: 2, Found: 1, Known: 2}); s.Total != want || s.Cases != 1 || s.Sound != 0 || s.Exact != 0 {
		t.Errorf("%+v", s)
	}
	var out strings.Builder
	if err := s.Write(&out, "s"); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"missing   a.py:1 -> a.py:3", "too many  a.py:0 -> a.py:3", "\ng  "} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the table does not say %q:\n%s", part, out.String())
		}
	}
}

func TestSuiteRefuses(t *testing.T) {
	if _, err := suite(t, `{"case":"a","files":["../b.py"]}`); err == nil || !strings.Contains(err.Error(), "../b.py") {
		t.Errorf("error %v", err)
	}
}
