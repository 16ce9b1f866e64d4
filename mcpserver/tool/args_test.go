package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

type in struct {
	Path  string   `json:"path"`
	Mode  string   `json:"mode"`
	Limit int      `json:"limit"`
	From  int64    `json:"from"`
	Flag  bool     `json:"flag"`
	Globs []string `json:"globs"`
	Kinds []string `json:"kinds"`
}

func spec() tool.Spec {
	return tool.Spec{
		Name: "probe", Title: "Probe", Description: "Probes.", Capability: tool.WorkspaceRead,
		Budget:  tool.Budget{Default: time.Second, Max: time.Second},
		Example: `{"path":"a.go"}`,
		Args: []tool.Arg{
			{Name: "path", Type: tool.String, Doc: "d", Required: true, MaxLen: 5, Aliases: []string{"file", "file_path"}},
			{Name: "mode", Type: tool.String, Doc: "d", Enum: []string{"changed", "full"}, Default: "changed"},
			{Name: "limit", Type: tool.Integer, Doc: "d", Min: 1, Max: 100, Default: 25},
			{Name: "from", Type: tool.Integer, Doc: "d", Min: 1, Max: 1000, EmptyAbsent: true},
			{Name: "flag", Type: tool.Boolean, Doc: "d", Default: true},
			{Name: "globs", Type: tool.Strings, Doc: "d", MaxLen: 3},
			{Name: "kinds", Type: tool.Strings, Doc: "d", Enum: []string{"calls", "tests"}},
		},
	}
}

func call(t *testing.T, args string) (in, error) {
	t.Helper()
	var got in
	tl, err := tool.Define(spec(), func(_ context.Context, i in) (struct{}, error) {
		got = i
		return struct{}{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = tl.Call(t.Context(), json.RawMessage(args))
	return got, err
}

func TestArgumentsAreReadAndCoerced(t *testing.T) {
	base := in{Path: "a", Mode: "changed", Limit: 25, Flag: true}
	with := func(change func(*in)) in {
		i := base
		change(&i)
		return i
	}
	for _, c := range []struct {
		args string
		want in
	}{
		{`{"path":"a"}`, base},
		{`{"file":"a"}`, base},
		{`{"file_path":"a"}`, base},
		{`{"path":"a","limit":null,"mode":null,"flag":null,"globs":null,"from":null}`, base},
		{`{"path":"a","limit":"5"}`, with(func(i *in) { i.Limit = 5 })},
		{`{"path":"a","limit":5.0}`, with(func(i *in) { i.Limit = 5 })},
		{`{"path":"a","limit":1e1}`, with(func(i *in) { i.Limit = 10 })},
		{`{"path":"a","limit":1}`, with(func(i *in) { i.Limit = 1 })},
		{`{"path":"a","limit":100}`, with(func(i *in) { i.Limit = 100 })},
		{`{"path":"a","from":0}`, base},
		{`{"path":"a","from":7}`, with(func(i *in) { i.From = 7 })},
		{`{"path":"a","flag":false}`, with(func(i *in) { i.Flag = false })},
		{`{"path":"a","flag":"false"}`, with(func(i *in) { i.Flag = false })},
		{`{"path":"a","globs":["x","y"]}`, with(func(i *in) { i.Globs = []string{"x", "y"} })},
		{`{"path":"a","globs":"[\"x\"]"}`, with(func(i *in) { i.Globs = []string{"x"} })},
		{`{"path":"a","globs":[]}`, with(func(i *in) { i.Globs = []string{} })},
		{`{"path":"a","kinds":["tests"]}`, with(func(i *in) { i.Kinds = []string{"tests"} })},
		{`{"path":"äöüßé"}`, with(func(i *in) { i.Path = "äöüßé" })},
	} {
		got, err := call(t, c.args)
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.args, got, c.want)
		}
	}
}

func TestBadArgumentsAreNamed(t *testing.T) {
	for _, c := range []struct {
		args, argument string
		says           []string
	}{
		{`{}`, "path", []string{"path is required", `{"path":"a.go"}`}},
		{`null`, "path", []string{"path is required"}},
		{``, "path", []string{"path is required"}},
		{`{"path":null}`, "path", []string{"path is required"}},
		{`[]`, "", []string{"must be a JSON object"}},
		{`"x"`, "", []string{"must be a JSON object"}},
		{`{"path":5}`, "path", []string{"must be a string, not a number"}},
		{`{"path":["a"]}`, "path", []string{"must be a string, not an array"}},
		{`{"path":"abcdef"}`, "path", []string{"has 6 characters, more than 5"}},
		{`{"path":"a","limt":5}`, "limt", []string{`no argument "limt"`, `did you mean "limit"?`}},
		{`{"path":"a","zzzzzzz":5}`, "zzzzzzz", []string{"it takes path, mode, limit"}},
		{`{"path":"a","file":"b"}`, "path", []string{"given twice"}},
		{`{"path":"a","mode":"fulll"}`, "mode", []string{`did you mean "full"?`, "allowed: changed, full"}},
		{`{"path":"a","mode":7}`, "mode", []string{"must be a string, not a number", "allowed: changed, full"}},
		{`{"path":"a","mode":""}`, "mode", []string{"allowed: changed, full"}},
		{`{"path":"a","limit":0}`, "limit", []string{"cannot be 0; allowed: 1 to 100"}},
		{`{"path":"a","limit":101}`, "limit", []string{"cannot be 101; allowed: 1 to 100"}},
		{`{"path":"a","limit":-3}`, "limit", []string{"cannot be -3; allowed: 1 to 100"}},
		{`{"path":"a","limit":1.5}`, "limit", []string{"not the fraction 1.5; allowed: 1 to 100"}},
		{`{"path":"a","limit":"abc"}`, "limit", []string{`not the text "abc"; allowed: 1 to 100`}},
		{`{"path":"a","limit":""}`, "limit", []string{"must be an integer"}},
		{`{"path":"a","limit":true}`, "limit", []string{"not a boolean"}},
		{`{"path":"a","limit":{}}`, "limit", []string{"not an object"}},
		{`{"path":"a","limit":1e300}`, "limit", []string{"too large"}},
		{`{"path":"a","limit":1e999}`, "limit", []string{"must be an integer"}},
		{`{"path":"a","from":-1}`, "from", []string{"cannot be -1; allowed: 1 to 1000"}},
		{`{"path":"a","flag":1}`, "flag", []string{"must be true or false, not a number"}},
		{`{"path":"a","flag":"yes"}`, "flag", []string{"must be true or false, not a string"}},
		{`{"path":"a","globs":"x"}`, "globs", []string{"must be an array of strings, not a string"}},
		{`{"path":"a","globs":["x",5]}`, "globs", []string{"item 2 is a number"}},
		{`{"path":"a","globs":["x",null]}`, "globs", []string{"item 2 is null"}},
		{`{"path":"a","globs":["1","2","3","4"]}`, "globs", []string{"has 4 items, more than 3"}},
		{`{"path":"a","kinds":["call"]}`, "kinds", []string{`did you mean "calls"?`, "allowed: calls, tests"}},
	} {
		_, err := call(t, c.args)
		var e *api.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error is %v, want an *api.Error", c.args, err)
			continue
		}
		if e.Code != api.CodeInvalidParams || e.Argument != c.argument {
			t.Errorf("%s: code %s argument %q, want invalid_params %q", c.args, e.Code, e.Argument, c.argument)
		}
		for _, s := range c.says {
			if !strings.Contains(e.Message, s) {
				t.Errorf("%s: message %q lacks %q", c.args, e.Message, s)
			}
		}
		if ex, _ := e.Details["example"].(json.RawMessage); string(ex) != `{"path":"a.go"}` {
			t.Errorf("%s: details %v lack the example", c.args, e.Details)
		}
	}
}

func FuzzArguments(f *testing.F) {
	f.Add(`{"path":"a","limit":"5","globs":["x"]}`)
	f.Add(`{"path":"a","limit":1e999,"kinds":"[\"calls\"]"}`)
	f.Add(`{"path":"\ud800","flag":"true"}`)
	f.Fuzz(func(t *testing.T, args string) {
		got, err := call(t, args)
		var e *api.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Fatalf("%q: error %v is no *api.Error", args, err)
		case err == nil && (got.Limit < 1 || got.Limit > 100 || got.Path == "" && !strings.Contains(args, `"`)):
			t.Fatalf("%q: accepted as %+v", args, got)
		}
	})
}
