package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

func TestSchemaKeepsTheWrittenOrder(t *testing.T) {
	tl, err := tool.Define(spec(), func(context.Context, in) (struct{}, error) { return struct{}{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{` +
		`"path":{"type":"string","description":"d","maxLength":5},` +
		`"mode":{"type":"string","description":"d","enum":["changed","full"],"default":"changed"},` +
		`"limit":{"type":"integer","description":"d","minimum":1,"maximum":100,"default":25},` +
		`"from":{"type":"integer","description":"d","minimum":0,"maximum":1000},` +
		`"flag":{"type":"boolean","description":"d","default":true},` +
		`"globs":{"type":"array","description":"d","items":{"type":"string"},"maxItems":3},` +
		`"kinds":{"type":"array","description":"d","items":{"type":"string","enum":["calls","tests"]}}` +
		`},"required":["path"],"additionalProperties":false}`
	if got := string(tl.Schema()); got != want {
		t.Errorf("schema:\n%s\nwant:\n%s", got, want)
	}
}

func TestObjects(t *testing.T) {
	type in struct {
		Target json.RawMessage   `json:"target"`
		Edits  []json.RawMessage `json:"edits"`
	}
	fields := []tool.Arg{{Name: "oldText", Type: tool.String, Doc: "o", Required: true, MaxLen: 9}, {Name: "all", Type: tool.Boolean, Doc: "a"}}
	s := spec()
	s.Example = `{"target":{"oldText":"a"}}`
	s.Args = []tool.Arg{
		{Name: "target", Type: tool.Object, Fields: fields, Doc: "t", EmptyAbsent: true},
		{Name: "edits", Type: tool.Objects, Fields: fields, Doc: "e"},
	}
	var got in
	tl, err := tool.Define(s, func(_ context.Context, i in) (struct{}, error) { got = i; return struct{}{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	const properties = `"properties":{"oldText":{"type":"string","description":"o","maxLength":9},"all":{"type":"boolean","description":"a"}}`
	const want = `{"type":"object","properties":{"target":{"type":"object","description":"t",` + properties + `},` +
		`"edits":{"type":"array","description":"e","items":{"type":"object",` + properties + `}}},"additionalProperties":false}`
	if got := string(tl.Schema()); got != want {
		t.Errorf("schema:\n%s\nwant:\n%s", got, want)
	}
	for args, want := range map[string]string{
		`{"target":{"oldText":"a"}}`:        `{"oldText":"a"}`,
		`{"target":"{\"oldText\":\"a\"} "}`: `{"oldText":"a"}`,
		`{"target":{}}`:                     ``,
		`{"target":null}`:                   ``,
		`{}`:                                ``,
	} {
		got = in{}
		if _, err := tl.Call(t.Context(), json.RawMessage(args)); err != nil || string(got.Target) != want {
			t.Errorf("%s: got %s, %v", args, got.Target, err)
		}
	}
	for _, bad := range []string{`5`, `"a"`, `[]`, `"{"`, `true`} {
		if _, err := tl.Call(t.Context(), json.RawMessage(`{"target":`+bad+`}`)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	for name, f := range map[string][]tool.Arg{
		"none":   nil,
		"nested": {{Name: "a", Type: tool.Object, Fields: fields, Doc: "d"}},
		"name":   {{Name: "old-text", Type: tool.String, Doc: "d"}},
		"no doc": {{Name: "a", Type: tool.String}},
	} {
		s.Args[0].Fields = f
		if _, err := tool.Define(s, func(context.Context, in) (struct{}, error) { return struct{}{}, nil }); err == nil {
			t.Errorf("fields %s are taken", name)
		}
	}
}

func TestDefineRefusesWhatItCannotExpress(t *testing.T) {
	arg := func(change func(*tool.Arg)) func(*tool.Spec) {
		return func(s *tool.Spec) { change(&s.Args[2]) } // limit, an integer
	}
	for name, c := range map[string]struct {
		change func(*tool.Spec)
		says   string
	}{
		"name":              {func(s *tool.Spec) { s.Name = "Read-File" }, "snake_case"},
		"long name":         {func(s *tool.Spec) { s.Name = strings.Repeat("a", 33) }, "snake_case"},
		"title":             {func(s *tool.Spec) { s.Title = "" }, "title"},
		"description":       {func(s *tool.Spec) { s.Description = " " }, "description"},
		"long description":  {func(s *tool.Spec) { s.Description = strings.Repeat("a", 1025) }, "description"},
		"capability":        {func(s *tool.Spec) { s.Capability = "" }, "capability"},
		"hints":             {func(s *tool.Spec) { s.Annotations = tool.Annotations{ReadOnly: true, Destructive: true} }, "destructive"},
		"budget":            {func(s *tool.Spec) { s.Budget.Default = 0 }, "budget"},
		"example":           {func(s *tool.Spec) { s.Example = `{"limit":500}` }, "example"},
		"type":              {arg(func(a *tool.Arg) { a.Type = "number" }), "cannot be expressed"},
		"argument name":     {arg(func(a *tool.Arg) { a.Name = "max-results" }), "snake_case"},
		"no doc":            {arg(func(a *tool.Arg) { a.Doc = "" }), "description"},
		"enum of integers":  {arg(func(a *tool.Arg) { a.Enum = []string{"1"} }), "enum"},
		"empty range":       {arg(func(a *tool.Arg) { a.Min = 200 }), "range"},
		"default outside":   {arg(func(a *tool.Arg) { a.Default = 101 }), "default"},
		"default of a type": {arg(func(a *tool.Arg) { a.Default = "25" }), "default"},
		"required default":  {arg(func(a *tool.Arg) { a.Required = true }), "default"},
		"empty enum value":  {func(s *tool.Spec) { s.Args[1].Enum = []string{"changed", ""} }, "enum"},
		"range of a string": {func(s *tool.Spec) { s.Args[0].Max = 5 }, "range"},
		"twice":             {arg(func(a *tool.Arg) { a.Aliases = []string{"file"} }), "twice"},
		"no field":          {func(s *tool.Spec) { s.Args[3].Name = "start" }, "no field"},
		"no argument":       {func(s *tool.Spec) { s.Args = s.Args[:6] }, `field "kinds"`},
		"field type":        {func(s *tool.Spec) { s.Args[3] = tool.Arg{Name: "from", Type: tool.String, Doc: "d"} }, "does not fit"},
	} {
		s := spec()
		c.change(&s)
		_, err := tool.Define(s, func(context.Context, in) (struct{}, error) { return struct{}{}, nil })
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error is %v, want one about %s", name, err, c.says)
		}
	}
}

type answer struct {
	Code string `json:"code"`
	text string
}

func (a answer) PlainText() (string, bool) { return a.text, a.text != "" }

func TestAnswersAreTextOrCompleteJSON(t *testing.T) {
	for _, c := range []struct {
		out        answer
		text, json string
	}{
		{answer{text: "a<b"}, "a<b", ""},
		{answer{Code: "if a < b && c > d"}, `{"code":"if a < b && c > d"}`, `{"code":"if a < b && c > d"}`},
	} {
		tl, err := tool.Define(spec(), func(context.Context, in) (answer, error) { return c.out, nil })
		if err != nil {
			t.Fatal(err)
		}
		got, err := tl.Call(t.Context(), []byte(`{"path":"a"}`))
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != c.text || string(got.JSON) != c.json {
			t.Errorf("got %q and %q, want %q and %q", got.Text, got.JSON, c.text, c.json)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"path", "line_start", "line_end", "max_bytes", "query_type"}
	for in, want := range map[string]string{
		"paht": "path", "lines_start": "line_start", "start": "line_start", "maxbytes": "max_bytes",
		"query": "query_type", "PATH": "path", "zzz": "", "": "",
	} {
		if got := tool.Nearest(in, names); got != want {
			t.Errorf("nearest to %q is %q, want %q", in, got, want)
		}
	}
}
