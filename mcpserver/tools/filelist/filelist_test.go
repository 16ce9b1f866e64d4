package filelist

import (
	"encoding/json"
	"flag"
	"reflect"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
	"github.com/ralph-index/ralph-index/mcpserver/tool/tooltest"
)

var update = flag.Bool("update", false, "rewrite golden files")

type define func(api.Service) (tool.Tool, error)

func call(t *testing.T, d define, s *tooltest.Asked, args string) (tool.Result, error) {
	t.Helper()
	return tooltest.Must(t)(d(s)).Call(t.Context(), json.RawMessage(args))
}

func TestSchemas(t *testing.T) {
	for file, d := range map[string]define{
		"list_directory": ListDirectory, "list_directory_recursive": ListDirectoryRecursive, "directory_tree": DirectoryTree,
	} {
		tooltest.Schema(t, "testdata/"+file+".schema.json", tooltest.Must(t)(d(nil)), *update)
	}
}

func TestAskFor(t *testing.T) {
	two, zero := 2, 0
	list := api.ListRequest{Path: ".", Scope: api.ScopeDirectory, View: api.ViewRaw, LimitChildren: 100, UseIndex: api.IndexAuto}
	tree := list
	tree.Scope, tree.TimeoutMS = api.ScopeTree, 10000
	with := func(r api.ListRequest, f func(*api.ListRequest)) api.ListRequest { f(&r); return r }
	for _, c := range []struct {
		d    define
		args string
		want api.ListRequest
	}{
		{ListDirectory, `{}`, list},
		{ListDirectory, `{"path":"","recursive":false}`, list},
		{ListDirectory, `{"path":"","recursive":true}`, api.ListRequest{Path: ".", Scope: api.ScopeDump}},
		{ListDirectory, `{"directory":"a","recursive":true,"use_index":"never","view":"ranked"}`, api.ListRequest{Path: "a", Scope: api.ScopeDump}},
		{
			ListDirectory, `{"path":"a","view":"outline","include_counts":true,"include_symbols":"true","changed_only":true,"limit_children":-1,"use_index":"always"}`,
			api.ListRequest{
				Path: "a", Scope: api.ScopeDirectory, View: api.ViewOutline, IncludeCounts: true, IncludeSymbols: true, ChangedOnly: true,
				UseIndex: api.IndexAlways,
			},
		},
		{ListDirectoryRecursive, `{"path":"a"}`, api.ListRequest{Path: "a", Scope: api.ScopeDump}},
		{DirectoryTree, `{}`, tree},
		{DirectoryTree, `{"max_depth":0}`, with(tree, func(r *api.ListRequest) { r.Depth = &zero })},
		{
			DirectoryTree, `{"path":"a","max_depth":"2","exclude_patterns":["*.go"],"view":"compact","limit_children":5,"use_index":"never","timeout_ms":7}`,
			api.ListRequest{
				Path: "a", Scope: api.ScopeTree, Depth: &two, Exclude: []string{"*.go"}, View: api.ViewCompact, LimitChildren: 5,
				UseIndex: api.IndexNever, TimeoutMS: 7,
			},
		},
	} {
		var s tooltest.Asked
		if _, err := call(t, c.d, &s, c.args); err != nil {
			t.Errorf("%s: %v", c.args, err)
		} else if !reflect.DeepEqual(*s.Listed, c.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.args, *s.Listed, c.want)
		}
	}
}

func TestRefuses(t *testing.T) {
	tooltest.Refuses(t, tooltest.Must(t)(ListDirectory(&tooltest.Asked{})), map[string]string{
		`{"recursive":true,"view":"compact"}`: "recursive", `{"recursive":true,"changed_only":true}`: "recursive",
		`{"view":"tree"}`: "view", `{"view":""}`: "view", `{"limit_children":-2}`: "limit_children", `{"use_index":"yes"}`: "use_index",
		`{"path":5}`: "path", `{"max_depth":1}`: "max_depth", `{"include_counts":"many"}`: "include_counts",
	})
	tooltest.Refuses(t, tooltest.Must(t)(ListDirectoryRecursive(&tooltest.Asked{})), map[string]string{
		`{"view":"raw"}`: "view", `{"path":["a"]}`: "path",
	})
	tooltest.Refuses(t, tooltest.Must(t)(DirectoryTree(&tooltest.Asked{})), map[string]string{
		`{"max_depth":-1}`: "max_depth", `{"max_depth":"deep"}`: "max_depth", `{"exclude_patterns":"*.go"}`: "exclude_patterns",
		`{"timeout_ms":0}`: "timeout_ms", `{"timeout_ms":60001}`: "timeout_ms", `{"recursive":true}`: "recursive",
	})
}

func sample() api.ListAnswer {
	three := 3
	return api.ListAnswer{Root: &api.Node{Name: "a", Type: api.TypeDir, Path: "a", ChildrenOmitted: 2, Children: []api.Node{
		{Name: "b", Type: api.TypeDir, Path: "a/b", Counts: &api.Counts{Files: 1, Symbols: &three}, Children: []api.Node{
			{Name: "n\nl", Type: api.TypeFile, Path: "a/b/n\nl", Symbols: []api.ListedSymbol{{Name: "F", Kind: "function", Line: 4}}},
		}},
		{Name: "c", Type: api.TypeFile, Path: "a/c"},
	}}}
}

// What the contract fixes, to the byte.
func TestText(t *testing.T) {
	s := tooltest.Asked{ListAnswer: sample()}
	for _, c := range []struct {
		d          define
		args, want string
	}{
		{ListDirectoryRecursive, `{"path":"a"}`, "Directory (recursive): a\n[DIR] a/b\n  [FILE] \"a/b/n\\nl\"\n[FILE] a/c"},
		{ListDirectory, `{"path":"./a","recursive":true}`, "Directory (recursive): ./a\n[DIR] a/b\n  [FILE] \"a/b/n\\nl\"\n[FILE] a/c"},
	} {
		if res, err := call(t, c.d, &s, c.args); err != nil || res.JSON != nil || res.Text != c.want {
			t.Errorf("%s: %q, %v", c.args, res.Text, err)
		}
	}
	s.ListAnswer.Root.Children[0].Children = []api.Node{}
	if res, err := call(t, ListDirectory, &s, `{"path":"a"}`); err != nil || res.Text != "Directory: a\n  [DIR] a/b\n  [FILE] a/c" {
		t.Errorf("%q, %v", res.Text, err)
	}
	s.ListAnswer.Truncated = true
	if res, err := call(t, ListDirectoryRecursive, &s, `{"path":"a"}`); err != nil || strings.Count(res.Text, "\n") != 3 || !strings.Contains(res.Text, "\n… there is more") {
		t.Errorf("%q, %v", res.Text, err)
	}
	if res, err := call(t, ListDirectory, &tooltest.Asked{}, `{"path":"gone"}`); err != nil || res.Text != "Directory: gone" {
		t.Errorf("%q, %v", res.Text, err)
	}
}

func TestTreeIsTheBareNode(t *testing.T) {
	s := tooltest.Asked{ListAnswer: sample()}
	const want = `{"name":"a","type":"dir","path":"a","children":[` +
		`{"name":"b","type":"dir","path":"a/b","counts":{"files":1,"symbols":3},"children":[` +
		`{"name":"n\nl","type":"file","path":"a/b/n\nl","symbols":[{"name":"F","kind":"function","line":4}]}]},` +
		`{"name":"c","type":"file","path":"a/c"}],"children_omitted":2}`
	for _, args := range []string{`{"path":"a"}`, `{"path":"a","use_index":"never","view":"ranked","include_counts":true}`} {
		if res, err := call(t, DirectoryTree, &s, args); err != nil || string(res.JSON) != want || res.Text != want {
			t.Errorf("%s: %s, %v", args, res.JSON, err)
		}
	}
	s.ListAnswer = api.ListAnswer{Root: &api.Node{Name: ".", Type: api.TypeDir, Children: []api.Node{}}, Truncated: true, Deadline: true}
	if res, err := call(t, DirectoryTree, &s, `{}`); err != nil || string(res.JSON) != `{"name":".","type":"dir","path":"","children":[],"truncated":true,"deadline_exceeded":true}` {
		t.Errorf("%s, %v", res.JSON, err)
	}
}

func TestEnvelopes(t *testing.T) {
	common := []string{
		"view", "include_counts", "include_symbols", "limit_children", "changed_only", "index_used", "index_generation", "is_stale",
		"stale_paths_count", "dirty_paths_count", "fallback_reason",
	}
	for _, args := range []string{`{"path":"./a","view":"compact"}`, `{"path":"./a","include_counts":true}`, `{"path":"./a","use_index":"always"}`} {
		s := tooltest.Asked{ListAnswer: sample()}
		s.ListAnswer.Freshness = &api.Freshness{IndexUsed: true, IndexGeneration: 2}
		res, err := call(t, DirectoryTree, &s, args)
		if err != nil {
			t.Fatal(err)
		}
		tooltest.Fields(t, res, append(common, "tree")...)
		if !strings.HasPrefix(string(res.JSON), `{"tree":{"name":"a","type":"dir","path":"./a",`) {
			t.Errorf("%s: %s", args, res.JSON)
		}
		if res, err = call(t, ListDirectory, &s, args); err != nil {
			t.Fatal(err)
		}
		tooltest.Fields(t, res, append(common, "entries", "children_omitted")...)
		if !strings.HasPrefix(string(res.JSON), `{"entries":[{"name":"b","type":"dir","path":"a/b","counts":{"files":1,"symbols":3}},{"name":"c",`) {
			t.Errorf("%s: %s", args, res.JSON)
		}
	}
	res, err := call(t, ListDirectory, &tooltest.Asked{}, `{"view":"ranked"}`) // of a service that gives nothing
	if err != nil {
		t.Fatal(err)
	}
	tooltest.Fields(t, res, append(common, "entries")...)
}
