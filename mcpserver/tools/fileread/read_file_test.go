package fileread

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

func read(t *testing.T, s *tooltest.Asked, args string) (tool.Result, error) {
	t.Helper()
	return tooltest.Must(t)(ReadFile(s)).Call(t.Context(), json.RawMessage(args))
}

func TestSchema(t *testing.T) {
	tooltest.Schema(t, "testdata/read_file.schema.json", tooltest.Must(t)(ReadFile(nil)), *update)
}

const defaultMax = 5_000_000

func TestSelectorsAndModes(t *testing.T) {
	for args, want := range map[string]api.ReadRequest{
		`{"path":"a"}`:                        {Path: "a", MaxBytes: defaultMax},
		`{"file_path":"a"}`:                   {Path: "a", MaxBytes: defaultMax},
		`{"path":"a","max_bytes":10}`:         {Path: "a", MaxBytes: 10},
		`{"path":"a","return_metadata":true}`: {Path: "a", MaxBytes: defaultMax, ReturnMetadata: true},
		`{"path":"a","expected_content_hash":"00ff"}`: {
			Path: "a", MaxBytes: defaultMax, ExpectedContentHash: "00ff",
		},
		`{"path":"a","line_start":2,"line_end":"3"}`: {Path: "a", MaxBytes: defaultMax, LineStart: 2, LineEnd: 3},
		`{"path":"a","line_end":3}`:                  {Path: "a", MaxBytes: defaultMax, LineEnd: 3},
		`{"path":"a","head":4}`:                      {Path: "a", MaxBytes: defaultMax, Head: 4},
		`{"path":"a","tail":5}`:                      {Path: "a", MaxBytes: defaultMax, Tail: 5},
		`{"path":"a","offset":6,"limit":7}`:          {Path: "a", MaxBytes: defaultMax, Offset: 6, Limit: 7},
		`{"path":"a","limit":7,"offset":0}`:          {Path: "a", MaxBytes: defaultMax, Limit: 7},
		`{"evidence_id":"e:x","context_lines":3}`:    {EvidenceID: "e:x", MaxBytes: defaultMax, ContextLines: 3},
		`{"span_id":"sp:x"}`:                         {SpanID: "sp:x", MaxBytes: defaultMax},
		`{"symbol":"pkg.F"}`:                         {Symbol: "pkg.F", MaxBytes: defaultMax},
		// What brokers fill in says nothing.
		`{"path":"a","evidence_id":"","span_id":"","symbol":"","line_start":0,"line_end":0,"head":0,"tail":0,"offset":0,"limit":0,
		  "max_bytes":0,"expected_content_hash":"","context_lines":0}`: {Path: "a", MaxBytes: defaultMax},
		`{"path":"a","line_start":1,"offset":0}`: {Path: "a", MaxBytes: defaultMax, LineStart: 1},
		`{"path":"","symbol":"F","head":0}`:      {Symbol: "F", MaxBytes: defaultMax},
	} {
		var s tooltest.Asked
		if _, err := read(t, &s, args); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !reflect.DeepEqual(*s.WasRead, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", args, *s.WasRead, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	tooltest.Refuses(t, tooltest.Must(t)(ReadFile(&tooltest.Asked{})), map[string]string{
		`{}`:                                           "path",
		`{"path":""}`:                                  "path",
		`{"path":"a","symbol":"F"}`:                    "symbol",
		`{"evidence_id":"e:x","span_id":"sp:x"}`:       "span_id",
		`{"path":"a","line_start":1,"offset":2}`:       "offset",
		`{"path":"a","line_end":1,"limit":2}`:          "limit",
		`{"path":"a","head":1,"tail":2}`:               "tail",
		`{"path":"a","offset":1,"head":2}`:             "head",
		`{"path":"a","line_start":1,"tail":2}`:         "tail",
		`{"symbol":"F","line_start":1}`:                "line_start",
		`{"evidence_id":"e:x","limit":1}`:              "limit",
		`{"path":"a","context_lines":2}`:               "context_lines",
		`{"path":"a","line_start":5,"line_end":4}`:     "line_end",
		`{"path":"a","line_start":-1}`:                 "line_start",
		`{"path":"a","head":-1}`:                       "head",
		`{"path":"a","tail":-1}`:                       "tail",
		`{"path":"a","offset":-1}`:                     "offset",
		`{"path":"a","limit":-1}`:                      "limit",
		`{"path":"a","max_bytes":-1}`:                  "max_bytes",
		`{"path":"a","max_bytes":100000001}`:           "max_bytes",
		`{"symbol":"F","context_lines":-1}`:            "context_lines",
		`{"path":"a","line_start":"one"}`:              "line_start",
		`{"path":["a"]}`:                               "path",
		`{"path":"a","lines":"1-2"}`:                   "lines",
		`{"path":"a","return_metadata":"sure"}`:        "return_metadata",
		`{"path":"` + strings.Repeat("a", 4097) + `"}`: "path",
	})
}

func TestShapes(t *testing.T) {
	fresh := &api.Freshness{IndexUsed: true, IndexGeneration: 3}
	block, err := tool.MarshalJSON(fresh)
	if err != nil {
		t.Fatal(err)
	}
	freshness := strings.Trim(string(block), "{}") // its fields stand beside the others
	for name, c := range map[string]struct {
		args   string
		answer api.ReadAnswer
		text   string // the answer when it is text
		json   string
	}{
		"whole": {`{"path":"a"}`, api.ReadAnswer{Mode: api.ReadWhole, Path: "a", Content: "x\r\n<"}, "x\r\n<", ""},
		"empty": {`{"path":"a"}`, api.ReadAnswer{Mode: api.ReadWhole, Path: "a"}, "", ""},
		"whole with metadata": {
			`{"path":"a","return_metadata":true}`,
			api.ReadAnswer{Mode: api.ReadWhole, Path: "a", Content: "x", ContentHash: "ff", Freshness: fresh},
			"", `{"path":"a","content":"x","content_hash":"ff",` + freshness + `}`,
		},
		"lines of an empty file": {
			`{"path":"a","head":1}`, api.ReadAnswer{Mode: api.ReadLines, Path: "a"}, "",
			`{"path":"a","content":"","total_lines":0,"returned_lines":0,"truncated":false}`,
		},
		"lines": {
			`{"path":"a","line_start":10}`,
			api.ReadAnswer{Mode: api.ReadLines, Path: "a", Content: "l", TotalLines: 120, ReturnedLines: 3, Freshness: fresh},
			"",
			`{"path":"a","content":"l","total_lines":120,"returned_lines":3,"truncated":false}`,
		},
		"bytes": {
			`{"path":"a","limit":9}`,
			api.ReadAnswer{Mode: api.ReadBytes, Path: "a", Content: "p", TotalBytes: 50000, ReturnedBytes: 1000, Truncated: true},
			"",
			`{"path":"a","content":"p","total_bytes":50000,"returned_bytes":1000,"truncated":true}`,
		},
		"lines that are cut": {
			`{"path":"a","tail":9}`,
			api.ReadAnswer{
				Mode: api.ReadLines, Path: "a", Content: "l", TotalLines: 120, ReturnedLines: 3, Truncated: true, MaxBytes: 7, Reason: "oversize",
			},
			"",
			`{"path":"a","content":"l","total_lines":120,"returned_lines":3,"truncated":true,"max_bytes":7,"reason":"oversize"}`,
		},
		"bytes that are cut": {
			`{"path":"a","limit":9}`,
			api.ReadAnswer{
				Mode: api.ReadBytes, Path: "a", Content: "p", TotalBytes: 12, ReturnedBytes: 1, Truncated: true, MaxBytes: 7, Reason: "oversize",
			},
			"",
			`{"path":"a","content":"p","total_bytes":12,"returned_bytes":1,"truncated":true,"max_bytes":7,"reason":"oversize"}`,
		},
		"evidence that is cut": {
			`{"evidence_id":"e:1"}`,
			api.ReadAnswer{
				Mode: api.ReadIndexed, Path: "a", EvidenceID: "e:1", StartLine: 2, EndLine: 4, Content: "c", Truncated: true, TotalBytes: 12,
				MaxBytes: 7, Reason: "oversize",
			},
			"",
			`{"path":"a","evidence_id":"e:1","start_line":2,"end_line":4,"context_lines":0,"content":"c","truncated":true,"total_bytes":12,"max_bytes":7,"reason":"oversize"}`,
		},
		"oversize": {
			`{"path":"a"}`,
			api.ReadAnswer{
				Mode: api.ReadOversize, Path: "a", Content: "f", Truncated: true, TotalBytes: 12, MaxBytes: 5, Reason: "oversize",
			},
			"",
			`{"path":"a","content":"f","truncated":true,"total_bytes":12,"max_bytes":5,"reason":"oversize"}`,
		},
		"evidence": {
			`{"evidence_id":"e:1"}`,
			api.ReadAnswer{
				Mode: api.ReadIndexed, Path: "a", EvidenceID: "e:1", StartLine: 2, EndLine: 4, Content: "c", ContentHash: "ff",
				Freshness: fresh,
			},
			"",
			`{"path":"a","evidence_id":"e:1","start_line":2,"end_line":4,"context_lines":0,"content":"c",` + freshness + `}`,
		},
		"symbol with metadata": {
			`{"symbol":"F","return_metadata":true,"context_lines":1}`,
			api.ReadAnswer{
				Mode: api.ReadIndexed, Path: "a", SpanID: "sp:1", StartLine: 2, EndLine: 4, ContextLines: 1, Content: "c",
				ContentHash: "ff", Freshness: fresh,
			},
			"",
			`{"path":"a","span_id":"sp:1","start_line":2,"end_line":4,"context_lines":1,"content":"c","content_hash":"ff",` + freshness + `}`,
		},
	} {
		res, err := read(t, &tooltest.Asked{ReadAnswer: c.answer}, c.args)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if string(res.JSON) != c.json {
			t.Errorf("%s:\ngot  %s\nwant %s", name, res.JSON, c.json)
		}
		want := c.text
		if c.json != "" {
			want = c.json
		}
		if res.Text != want {
			t.Errorf("%s: text is %q, want %q", name, res.Text, want)
		}
	}
}
