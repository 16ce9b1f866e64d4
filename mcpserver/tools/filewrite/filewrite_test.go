package filewrite

import (
	"context"
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

func family(t *testing.T, s api.Service) map[string]tool.Tool {
	t.Helper()
	out := map[string]tool.Tool{}
	for _, define := range []func(api.Service) (tool.Tool, error){WriteFile, AppendFile, CreateDirectory, MoveFile, CopyFile, DeletePath} {
		tl := tooltest.Must(t)(define(s))
		out[tl.Spec().Name] = tl
	}
	return out
}

func TestSchemas(t *testing.T) {
	for name, tl := range family(t, nil) {
		tooltest.Schema(t, "testdata/"+name+".schema.json", tl, *update)
		if n := len(tl.Spec().Description) / 4; n > 120 {
			t.Errorf("%s: the description has %d tokens", name, n)
		}
	}
}

func TestRequests(t *testing.T) {
	for _, c := range []struct {
		tool, args string
		want       api.MutateRequest
	}{
		{"write_file", `{"path":"a","content":"x\r\n"}`, api.MutateRequest{Op: api.OpWrite, Path: "a", Content: "x\r\n"}},
		{"write_file", `{"file_path":"a","text":""}`, api.MutateRequest{Op: api.OpWrite, Path: "a"}},
		{"append_file", `{"path":"a","content":"x"}`, api.MutateRequest{Op: api.OpAppend, Path: "a", Content: "x"}},
		{"create_directory", `{"path":"a/b"}`, api.MutateRequest{Op: api.OpMkdir, Path: "a/b"}},
		{"move_file", `{"src":"a","dest":"b"}`, api.MutateRequest{Op: api.OpMove, Path: "a", Dest: "b"}},
		{"move_file", `{"source":"a","destination":"b","overwrite":"true"}`, api.MutateRequest{Op: api.OpMove, Path: "a", Dest: "b", Overwrite: true}},
		{"copy_file", `{"src":"a","dest":"b","overwrite":true}`, api.MutateRequest{Op: api.OpCopy, Path: "a", Dest: "b", Overwrite: true}},
		{"delete_path", `{"path":"a"}`, api.MutateRequest{Op: api.OpDelete, Path: "a"}},
		{"delete_path", `{"path":"a","recursive":true}`, api.MutateRequest{Op: api.OpDelete, Path: "a", Recursive: true}},
	} {
		var s tooltest.Asked
		if _, err := family(t, &s)[c.tool].Call(t.Context(), json.RawMessage(c.args)); err != nil {
			t.Errorf("%s %s: %v", c.tool, c.args, err)
			continue
		}
		if !reflect.DeepEqual(*s.Mutated, c.want) {
			t.Errorf("%s %s:\ngot  %+v\nwant %+v", c.tool, c.args, *s.Mutated, c.want)
		}
	}
}

func TestWhatASessionMayWrite(t *testing.T) {
	for _, c := range []struct {
		granted []tool.Capability
		forbid  api.WriteClass
	}{
		{[]tool.Capability{tool.WorkspaceWriteTracked, tool.WorkspaceWriteEphemeral}, ""},
		{[]tool.Capability{tool.WorkspaceWriteTracked}, api.ClassEphemeral},
		{[]tool.Capability{tool.WorkspaceWriteEphemeral}, api.ClassTracked},
	} {
		var s tooltest.Asked
		ctx := tool.WithGrants(t.Context(), func(g tool.Capability) bool {
			for _, have := range c.granted {
				if have == g {
					return true
				}
			}
			return false
		})
		if _, err := family(t, &s)["write_file"].Call(ctx, json.RawMessage(`{"path":"a","content":""}`)); err != nil {
			t.Fatal(err)
		}
		if s.Mutated.Forbid != c.forbid {
			t.Errorf("%v: forbids %q, want %q", c.granted, s.Mutated.Forbid, c.forbid)
		}
	}
}

func TestRefuses(t *testing.T) {
	tools := family(t, &tooltest.Asked{})
	for name, calls := range map[string]map[string]string{
		"write_file":       {`{"path":"a"}`: "content", `{"content":"a"}`: "path", `{"path":"a","content":5}`: "content"},
		"append_file":      {`{"path":"a"}`: "content", `{"path":null,"content":""}`: "path"},
		"create_directory": {`{}`: "path", `{"path":"` + strings.Repeat("a", 4097) + `"}`: "path"},
		"move_file":        {`{"src":"a"}`: "dest", `{"dest":"a"}`: "src", `{"src":"a","dest":"b","overwrite":"maybe"}`: "overwrite"},
		"copy_file":        {`{"src":"a"}`: "dest", `{"src":["a"],"dest":"b"}`: "src"},
		"delete_path":      {`{}`: "path", `{"path":"a","force":true}`: "force", `{"path":"a","recursive":1}`: "recursive"},
	} {
		tooltest.Refuses(t, tools[name], calls)
	}
}

func TestShapes(t *testing.T) {
	fresh := &api.Freshness{IndexUsed: true, IndexGeneration: 3, DirtyPathsCount: 1, IsStale: true}
	block := `"index_used":true,"index_generation":3,"is_stale":true,"stale_paths_count":0,"dirty_paths_count":1,` +
		`"reindex_in_progress":false,"fallback_reason":null,"last_sweep_at":0,"changed_paths":["a"]`
	for _, c := range []struct {
		tool, args string
		ans        api.MutateAnswer
		want       string
	}{
		{
			"write_file", `{"path":"a","content":"xyz"}`, api.MutateAnswer{Bytes: 3, Created: true, ContentHash: "ff"},
			`{"path":"a","bytes_written":3,"status":"ok","created":true,"content_hash":"ff",` + block + `}`,
		},
		{
			"append_file", `{"path":"a","content":"xyz"}`, api.MutateAnswer{Bytes: 3, InPlace: true, HardLinks: 2, ContentHash: "ff"},
			`{"path":"a","bytes_appended":3,"in_place":true,"hard_links":2,"content_hash":"ff",` + block + `}`,
		},
		{"create_directory", `{"path":"a"}`, api.MutateAnswer{Created: true}, `{"path":"a","created":true,` + block + `}`},
		{"create_directory", `{"path":"a"}`, api.MutateAnswer{}, `{"path":"a","created":true,"existed":true,` + block + `}`},
		{"move_file", `{"src":"b","dest":"a"}`, api.MutateAnswer{Entries: 7}, `{"src":"b","dest":"a","entries":7,` + block + `}`},
		{
			"copy_file", `{"src":"b","dest":"a"}`, api.MutateAnswer{Entries: 1, Replaced: true},
			`{"src":"b","dest":"a","entries":1,"replaced":true,` + block + `}`,
		},
		{
			"delete_path", `{"path":"a","recursive":true}`, api.MutateAnswer{Entries: 9},
			`{"path":"a","deleted":true,"recursive":true,"entries":9,` + block + `}`,
		},
	} {
		c.ans.Freshness, c.ans.ChangedPaths = fresh, []string{"a"}
		res, err := family(t, &tooltest.Asked{Changes: tooltest.Changes{MutateAnswer: c.ans}})[c.tool].Call(t.Context(), json.RawMessage(c.args))
		if err != nil || string(res.JSON) != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", c.tool, res.JSON, err, c.want)
		}
		c.ans.Freshness = nil // the index is disabled
		res, err = family(t, &tooltest.Asked{Changes: tooltest.Changes{MutateAnswer: c.ans}})[c.tool].Call(t.Context(), json.RawMessage(c.args))
		want := strings.Replace(c.want, ","+block, "", 1)
		if c.tool == "write_file" {
			want = "Wrote 3 bytes to a"
		}
		if err != nil || res.Text != want {
			t.Errorf("%s without an index:\ngot  %s, %v\nwant %s", c.tool, res.Text, err, want)
		}
	}
}

// refusing is a service that refuses every change.
type refusing struct{ tooltest.Asked }

func (*refusing) Mutate(context.Context, *api.MutateRequest) (*api.MutateAnswer, error) {
	return nil, &api.Error{Code: api.CodeProtected, Message: "no"}
}

func TestFailuresPass(t *testing.T) {
	for name, tl := range family(t, &refusing{}) {
		_, err := tl.Call(t.Context(), json.RawMessage(tl.Spec().Example))
		if e, ok := err.(*api.Error); !ok || e.Code != api.CodeProtected { //nolint:errorlint // passed as it is
			t.Errorf("%s: %v", name, err)
		}
	}
}
