package extract

import (
	"reflect"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestDropNameless(t *testing.T) {
	f := &graph.Facts{
		Defs:       []graph.Def{{Name: "A", Container: graph.NoDef}, {Container: 0}, {Name: "C", Container: 1}, {Container: 3}, {Name: "E", Container: 2}},
		Refs:       []graph.Ref{{Enclosing: 1}, {Enclosing: 3}, {Enclosing: 4}, {Enclosing: graph.NoDef}},
		Imports:    []graph.Import{{Enclosing: 1}},
		Mentions:   []graph.Mention{{Enclosing: 2}},
		Heritage:   []graph.Heritage{{Def: 1}, {Def: 2}, {Def: graph.NoDef}},
		ValueCalls: []graph.ValueCalls{{Enclosing: graph.NoDef, Count: 1}, {Enclosing: 0, Count: 2}, {Enclosing: 1, Count: 3}, {Enclosing: 4, Count: 4}},
	}
	dropNameless(f)
	want := &graph.Facts{
		Defs:       []graph.Def{{Name: "A", Container: graph.NoDef}, {Name: "C", Container: 0}, {Name: "E", Container: 1}},
		Refs:       []graph.Ref{{Enclosing: 0}, {Enclosing: graph.NoDef}, {Enclosing: 2}, {Enclosing: graph.NoDef}},
		Imports:    []graph.Import{{Enclosing: 0}},
		Mentions:   []graph.Mention{{Enclosing: 1}},
		Heritage:   []graph.Heritage{{Def: 1}, {Def: graph.NoDef}},
		ValueCalls: []graph.ValueCalls{{Enclosing: graph.NoDef, Count: 1}, {Enclosing: 0, Count: 5}, {Enclosing: 2, Count: 4}},
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}
