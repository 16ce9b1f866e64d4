package filelist

import (
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// What is written by hand is what the tags of the types say.
func TestAppendJSON(t *testing.T) {
	zero, two := 0, 2
	odd := []string{"", "a", "a b", `q"uote`, `back\slash`, "line\nbreak", "tab\t", "\x00", "\x1f", "\x7f", "é", "<&>", "\u2028", "\ufffd", "日本"}
	node := api.Node{Name: ".", Type: api.TypeDir, Children: []api.Node{}}
	for i, s := range odd {
		node.Children = append(node.Children, api.Node{Name: s, Type: api.TypeFile, Path: "d/" + s, Link: i%2 == 0})
	}
	node.Children = append(node.Children,
		api.Node{Name: "d", Type: api.TypeDir, Path: "d", Children: []api.Node{}, ChildrenOmitted: 3, Counts: &api.Counts{Files: 1, Symbols: &two}},
		api.Node{Name: "e", Type: api.TypeDir, Path: "e", Children: []api.Node{{Name: "x", Path: "e/x", Type: api.TypeFile}}, Counts: &api.Counts{}},
		api.Node{Name: "f", Type: api.TypeFile, Path: "f", Counts: &api.Counts{Symbols: &zero}, SymbolsOmitted: 9, Symbols: []api.ListedSymbol{{Name: "F<T>", Kind: "function", Line: 4}}},
		api.Node{Name: "g", Type: api.TypeFile, Path: "g", Symbols: []api.ListedSymbol{}},
	)
	for _, out := range []bareOut{{Node: &node}, {&node, true, true, false}, {&node, true, false, true}, {Node: &api.Node{Type: api.TypeFile}}} {
		want, err := tool.MarshalJSON(out)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := out.AppendJSON(nil); err != nil || string(got) != string(want) {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
}
