package query

import (
	"context"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// TestMissingWords has, for each word that the planner sets, a question that must
// have it with its count and scope, and one that must have no word at all.
func TestMissingWords(t *testing.T) {
	holders := func(_ context.Context, v graph.View, name string) (ids []graph.FileID) {
		if name != "held" {
			return nil
		}
		for _, p := range [...]graph.Path{"broken.toy", "partly.toy", "seen.toy", "other.lang"} {
			if id, ok := v.Lookup(p); ok {
				ids = append(ids, id)
			}
		}
		return ids
	}
	tests := []struct {
		name  string
		files []string
		req   Request
		want  []Missing
	}{
		{"nothing", []string{"a.toy", "func f\nfunc g\n  call f\n"}, Request{Type: Impact, Target: "f"}, nil},
		{"external is known", []string{"a.toy", "func ext\nfunc g\n  call ext\n"}, Request{Type: Impact, Target: "a.ext"}, nil},
		{"target", []string{"a.toy", "func f\n"}, Request{Type: Impact, Target: "gone"}, []Missing{{MissingTarget, 1, nil, nil}}},
		{"target_b", []string{"a.toy", "func f\n"}, Request{Type: Path, Target: "f"}, []Missing{{MissingTargetB, 1, nil, nil}}},
		{"endpoint", []string{"a.toy", "func f\n"}, Request{Type: Path, Target: "f", TargetB: "gone"}, []Missing{{MissingEndpoint, 1, nil, nil}}},
		{"no path", []string{"a.toy", "func f\nfunc g\n"}, Request{Type: Path, Target: "f", TargetB: "g"}, []Missing{{MissingPath, 1, nil, nil}}},
		{"a path", []string{"a.toy", "func f\n  call g\nfunc g\n"}, Request{Type: Path, Target: "f", TargetB: "g"}, nil},
		{"ambiguous", []string{"a.toy", "func f\nfunc f\n"}, Request{Type: Impact, Target: "f"}, []Missing{{MissingAmbiguous, 2, nil, nil}}},
		{"ambiguous end", []string{"a.toy", "func f\nfunc f\nfunc g\n"}, Request{Type: Path, Target: "g", TargetB: "f"}, []Missing{{MissingAmbiguous, 2, nil, nil}}},
		{"unresolved", []string{"a.toy", "func f\nclass C\n  method f\n", "b.toy", "func g\n  call unknown.f\n  call unknown.f\n", "c.toy", "func h\n  call unknown.f\n"},
			Request{Type: Impact, Target: "C.f"}, []Missing{{MissingUnresolved, 3, []graph.Path{"b.toy", "c.toy"}, []string{"f"}}}},
		{"computed name", []string{"a.toy", "func f\nfunc g\n  dynamic f\n"}, Request{Type: Neighbors, Target: "f"}, []Missing{{MissingDynamic, 1, []graph.Path{"a.toy"}, nil}}},
		{"outwards nothing is missing", []string{"a.toy", "func f\nfunc g\n  dynamic f\n"}, Request{Type: Neighbors, Target: "f", Direction: Out}, nil},
		{"calls of nothing", []string{"a.toy", "func f\n  call mystery\n  call mystery\n  read lost\n  call ext\n"}, Request{Type: Neighbors, Target: "f", Direction: Out},
			[]Missing{{MissingUnresolved, 3, []graph.Path{"a.toy"}, []string{"lost", "mystery"}}}},
		{"calls of nothing, further on", []string{"a.toy", "func f\n  call g\n", "b.toy", "func g\n  call mystery\n"}, Request{Type: Neighbors, Target: "f", Direction: Out, Depth: 2},
			[]Missing{{MissingUnresolved, 1, []graph.Path{"b.toy"}, []string{"mystery"}}}},
		{"calls of nothing, out of reach", []string{"a.toy", "func f\n  call g\n", "b.toy", "func g\n  call mystery\n"}, Request{Type: Neighbors, Target: "f", Direction: Out}, nil},
		{"calls of nothing, looking inwards", []string{"a.toy", "func f\n  call mystery\n"}, Request{Type: Neighbors, Target: "f", Direction: In}, nil},
		{"calls of nothing, not asked for", []string{"a.toy", "func f\n  call mystery\n"},
			Request{Type: Neighbors, Target: "f", Direction: Out, Relations: []graph.Relation{graph.ReferencesText}}, nil},
		{"calls of values", []string{"a.toy", "func f\n  values xx\n  func h local\n    values x\n", "b.toy", "func g\n  call f\n  values x\n"},
			Request{Type: Neighbors, Target: "f", Direction: Out}, []Missing{{MissingDynamic, 2, []graph.Path{"a.toy"}, nil}}},
		{"calls of values of a file", []string{"a.toy", "values x\nfunc f\n  values x\n"}, Request{Type: Neighbors, Target: "a.toy", Direction: Out},
			[]Missing{{MissingDynamic, 1, []graph.Path{"a.toy"}, nil}}},
		{"calls of values, further on", []string{"a.toy", "func f\n  call g\n", "b.toy", "func g\n  values x\n"}, Request{Type: Neighbors, Target: "f", Depth: 2, Direction: Out},
			[]Missing{{MissingDynamic, 1, []graph.Path{"b.toy"}, nil}}},
		{"calls of values, looking inwards", []string{"a.toy", "func f\n  values x\n"}, Request{Type: Neighbors, Target: "f", Direction: In}, nil},
		{"calls of values, not asked for", []string{"a.toy", "func f\n  values x\n"},
			Request{Type: Neighbors, Target: "f", Direction: Out, Relations: []graph.Relation{graph.ReferencesText}}, nil},
		{"a path that calls of values may make", []string{"a.toy", "func f\n  values x\nfunc g\n"}, Request{Type: Path, Target: "f", TargetB: "g"},
			[]Missing{{MissingPath, 1, nil, nil}, {MissingDynamic, 1, []graph.Path{"a.toy"}, nil}}},
		{"a call of its own name is counted once", []string{"a.toy", "class C\n  method f\n    call unknown.f\n"}, Request{Type: Neighbors, Target: "C.f"},
			[]Missing{{MissingUnresolved, 1, []graph.Path{"a.toy"}, []string{"f"}}}},
		{"a name that nothing defines any more", []string{"a.toy", "func f\n  call gone\n"}, Request{Type: Impact, Target: "m.gone"},
			[]Missing{{MissingTarget, 1, nil, nil}, {MissingUnresolved, 1, []graph.Path{"a.toy"}, []string{"gone"}}}},
		{"a path through an interface", []string{"a.toy", "iface I\n  method m\nfunc g\n  call I.m\n"}, Request{Type: Path, Target: "g", TargetB: "I.m"},
			[]Missing{{MissingDynamic, 1, []graph.Path{"a.toy"}, nil}}},
		{"interface call", []string{"a.toy", "iface I\n  method m\nfunc g\n  call I.m\n"}, Request{Type: Impact, Target: "I.m"}, []Missing{{MissingDynamic, 1, []graph.Path{"a.toy"}, nil}}},
		{"generated caller", []string{"a.toy", "func f\n", "vendor/b.toy", "func g\n  call f\n", "c.toy", "func h generated\n  call f\n"},
			Request{Type: Impact, Target: "f"}, []Missing{{MissingGenerated, 2, []graph.Path{"c.toy", "vendor/b.toy"}, nil}}},
		{"failed files", []string{"a.toy", "func held\n", "broken.toy", "status failed\n", "partly.toy", "status partial\n", "seen.toy", "status partial\nfunc g\n  call held\n"},
			Request{Type: Impact, Target: "held"}, []Missing{{MissingFailedFiles, 2, []graph.Path{"broken.toy", "partly.toy"}, nil}}},
		{"a call behind a syntax error", []string{"a.toy", "status partial syntax_error:3:1\nfunc f\nfunc g\n  call f\n  call f\n"},
			Request{Type: Neighbors, Target: "f", Direction: In}, []Missing{{MissingFailedFiles, 1, []graph.Path{"a.toy"}, nil}}},
		{"calls behind a syntax error", []string{"a.toy", "status partial syntax_error:3:1\nfunc f\nfunc g\n  call f\n"},
			Request{Type: Neighbors, Target: "g", Direction: Out}, []Missing{{MissingFailedFiles, 1, []graph.Path{"a.toy"}, nil}}},
		{"a call before a syntax error", []string{"a.toy", "status partial syntax_error:9:1\nfunc f\nfunc g\n  call f\n"},
			Request{Type: Neighbors, Target: "f", Direction: In}, nil},
		{"what may stand behind a syntax error", []string{"a.toy", "status partial syntax_error:3:1\nfunc f\nfunc g\nfunc h\n"},
			Request{Type: Neighbors, Target: "g", Direction: Out}, []Missing{{MissingFailedFiles, 1, []graph.Path{"a.toy"}, nil}}},
		{"what stands before a syntax error", []string{"a.toy", "status partial syntax_error:4:1\nfunc f\nfunc g\nfunc h\n"},
			Request{Type: Neighbors, Target: "f", Direction: Out}, nil},
		{"a test behind a syntax error", []string{"a.toy", "func f\n", "tests/test_a.toy", "status partial syntax_error:2:1\nfunc test_f test\n  call f\n"},
			Request{Type: Tests, Target: "f"}, []Missing{{MissingFailedFiles, 1, []graph.Path{"tests/test_a.toy"}, nil}, {MissingCoverage, 1, nil, nil}}},
		{"no path past a syntax error", []string{"a.toy", "status partial syntax_error:3:1\nfunc f\n  call g\nfunc g\nfunc h\n"},
			Request{Type: Path, Target: "f", TargetB: "h"}, []Missing{{MissingPath, 1, nil, nil}, {MissingFailedFiles, 1, []graph.Path{"a.toy"}, nil}}},
		{"a file is counted once", []string{"a.toy", "func held\n", "partly.toy", "status partial syntax_error:2:1\nimport a held as h\nfunc g\n  call h\n"},
			Request{Type: Impact, Target: "held"}, []Missing{{MissingFailedFiles, 1, []graph.Path{"partly.toy"}, nil}}},
		{"a file without structure", []string{"a.toy", "status capped\n"}, Request{Type: Neighbors, Target: "a.toy", Direction: Out},
			[]Missing{{MissingFailedFiles, 1, []graph.Path{"a.toy"}, nil}}},
		{"a name that files without structure hold", []string{"a.toy", "func f\n", "broken.toy", "status failed\n"}, Request{Type: Impact, Target: "held"},
			[]Missing{{MissingTarget, 1, nil, nil}, {MissingFailedFiles, 1, []graph.Path{"broken.toy"}, nil}}},
		{"language", []string{"a.toy", "func held\n", "other.lang", "language other\n"},
			Request{Type: Impact, Target: "held"}, []Missing{{MissingUnindexedLang, 1, []graph.Path{"other.lang"}, nil}}},
		{"tests", []string{"a.toy", "func f\n"}, Request{Type: Tests, Target: "f"}, []Missing{{MissingCoverage, 0, nil, nil}}},
		{"hubs", []string{"a.toy", "func f\n"}, Request{Type: Hubs}, []Missing{{MissingHubsPending, 1, nil, nil}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := newToyView(tt.files...)
			a, err := New([]graph.Resolver{toyResolver{}}, Options{Holders: holders}).Run(t.Context(), v, tt.req)
			if err != nil {
				t.Fatal(err)
			}
			got := a.Metadata.Missing
			if !slices.EqualFunc(got, tt.want, func(a, b Missing) bool {
				return a.Word == b.Word && a.Count == b.Count && slices.Equal(a.Scope, b.Scope) && slices.Equal(a.Names, b.Names)
			}) {
				t.Errorf("missing %+v, want %+v", got, tt.want)
			}
			for i, m := range got {
				if a.MissingData[i] != m.Word {
					t.Errorf("missing_data %v does not match %+v", a.MissingData, got)
				}
			}
		})
	}
}

func TestReversePath(t *testing.T) {
	a := ask(t, newToyView("a.toy", "func f\n  call g\nfunc g\n"), Request{Type: Path, Target: "g", TargetB: "f"})
	if !a.Metadata.ReversePath || len(a.Paths) != 0 {
		t.Errorf("answer %+v", a)
	}
}

func TestHubsOfAnOlderGeneration(t *testing.T) {
	v := newToyView("a.toy", "func f\nfunc g\n  call f\n")
	p := newToyPlanner()
	table, err := p.BuildHubs(t.Context(), v, nil)
	if err != nil {
		t.Fatal(err)
	}
	v.gen = 2
	a, err := p.RunWith(t.Context(), v, table, Request{Type: Hubs})
	if err != nil || a.Metadata.HubsAt != 1 || len(a.Nodes) != 1 || !slices.Equal(a.MissingData, []Word{MissingHubsPending}) {
		t.Errorf("answer %+v, %v", a, err)
	}
}
