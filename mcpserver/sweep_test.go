package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/internal/sdk"
	"github.com/ralph-index/ralph-index/mcpserver/session"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
	"github.com/ralph-index/ralph-index/mcpserver/tool/tooltest"
)

// sweep is every tool of the catalogue before a service that takes anything.
func sweep(t *testing.T, each func(t *testing.T, spec *tool.Spec, call func(args string) sdk.Reply)) {
	tools, err := Catalog(&tooltest.Asked{})
	if err != nil {
		t.Fatal(err)
	}
	c := newChain(tools, Options{Service: &tooltest.Asked{}, Drain: session.Development, Logger: testLogger(t)})
	for _, tl := range tools {
		spec := tl.Spec()
		t.Run(spec.Name, func(t *testing.T) {
			each(t, &spec, func(args string) sdk.Reply {
				return c.call(t.Context(), sdk.Call{Name: spec.Name, Arguments: json.RawMessage(args)})
			})
		})
	}
}

// bases are good calls in which each argument of a tool can be tried. A tool that is
// not listed takes its example.
func bases(t *testing.T, spec *tool.Spec) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, text := range map[string][]string{
		"ralph_graph": {
			`{"query_type":"neighbors","target":"a"}`, `{"query_type":"path","target":"a","target_b":"b"}`,
			`{"query_type":"impact","target":"a"}`, `{"query_type":"hubs"}`, `{"query_type":"tests","target":"a"}`,
		},
		"list_directory": {`{"path":"a"}`, `{"path":"a","view":"compact"}`},
		"edit_file": {
			`{"path":"a","edits":[{"oldText":"a","newText":"b"}],"dry_run":true}`,
			`{"path":"a","edits":[{"oldText":"a"}],"target":{"symbol":"a"}}`,
		},
		"read_multiple_files": {`{"paths":["a"]}`, `{"items":[{"path":"a"}]}`},
		"read_file":           {`{"path":"a"}`, `{"evidence_id":"e:a"}`, `{"span_id":"sp:a"}`, `{"symbol":"a"}`},
	}[spec.Name] {
		out = append(out, parse(t, text))
	}
	if out == nil {
		out = append(out, parse(t, spec.Example))
	}
	return out
}

func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// refusal reads a reply that must be one, and checks its form.
func refusal(t *testing.T, args string, r sdk.Reply) (argument string) {
	t.Helper()
	var body struct {
		Status            api.Code
		Message, Argument string
	}
	if !r.IsError || json.Unmarshal(r.Structured, &body) != nil || body.Status != api.CodeInvalidParams {
		t.Errorf("%.120s: got %.200s, want invalid_params", args, r.Text)
		return ""
	}
	if !strings.Contains(body.Message, body.Argument) || len(r.Text) > 3000 {
		t.Errorf("%.120s: the message does not name %q, or is long: %.400s", args, body.Argument, r.Text)
	}
	return body.Argument
}

func TestEveryBadArgumentIsRefusedByName(t *testing.T) {
	total := 0
	sweep(t, func(t *testing.T, spec *tool.Spec, call func(string) sdk.Reply) {
		for _, base := range bases(t, spec) {
			for _, c := range tooltest.Bad(spec, base) {
				total++
				if got := refusal(t, c.Args, call(c.Args)); got != c.Argument {
					t.Errorf("%.120s: refused for %q, want %q", c.Args, got, c.Argument)
				}
			}
		}
		for _, args := range tooltest.Odd() {
			refusal(t, args, call(args))
		}
	})
	if total < 1000 {
		t.Errorf("only %d bad calls were made", total)
	}
	t.Logf("%d bad calls", total)
}

// Each good value of each argument is taken in at least one of the base calls.
func TestEveryGoodArgumentIsTaken(t *testing.T) {
	sweep(t, func(t *testing.T, spec *tool.Spec, call func(string) sdk.Reply) {
		for i := range spec.Args {
			a := &spec.Args[i]
			for _, v := range tooltest.Good(a) {
				var last sdk.Reply
				taken := slices.ContainsFunc(bases(t, spec), func(base map[string]any) bool {
					last = call(tooltest.With(base, a.Name, v))
					return !last.IsError
				})
				if !taken {
					t.Errorf("%s %.60v is refused everywhere: %.300s", a.Name, v, last.Text)
				}
			}
		}
	})
}

// Two good arguments together are taken, or refused for one of them.
func TestEveryPairOfArguments(t *testing.T) {
	sweep(t, func(t *testing.T, spec *tool.Spec, call func(string) sdk.Reply) {
		refused := 0
		for _, base := range bases(t, spec) {
			for i := range spec.Args {
				for j := range spec.Args[:i] {
					a, b := &spec.Args[i], &spec.Args[j]
					args := tooltest.With(parse(t, tooltest.With(base, a.Name, tooltest.Good(a)[0])), b.Name, tooltest.Good(b)[0])
					r := call(args)
					if !r.IsError {
						continue
					}
					refused++
					// Another question may need what the base lacks.
					if got := refusal(t, args, r); got != a.Name && got != b.Name && base[got] == nil && b.Name != "query_type" {
						t.Errorf("%s: refused for %q, which was not given", args, got)
					}
				}
			}
		}
		t.Logf("%d pairs refused", refused)
	})
}

func TestContradictionsAreRefused(t *testing.T) {
	for name, calls := range map[string]map[string]string{
		"read_file": {
			`{}`:                                           "path",
			`{"path":"a","symbol":"b"}`:                    "symbol",
			`{"path":"a","evidence_id":"e:a"}`:             "evidence_id",
			`{"span_id":"sp:a","symbol":"b"}`:              "symbol",
			`{"path":"a","line_start":1,"head":1}`:         "head",
			`{"path":"a","head":1,"tail":1}`:               "tail",
			`{"path":"a","offset":1,"line_end":1}`:         "offset",
			`{"path":"a","line_start":9,"line_end":3}`:     "line_end",
			`{"symbol":"a","head":2}`:                      "head",
			`{"path":"a","context_lines":1}`:               "context_lines",
			`{"path":"a","span_id":"sp:a","symbol":"b"}`:   "span_id",
			`{"evidence_id":"e:a","offset":1,"limit":100}`: "offset",
		},
		"ralph_graph": {
			`{"query_type":"hubs","target":"a"}`:                                                    "target",
			`{"query_type":"hubs","direction":"in"}`:                                                "direction",
			`{"query_type":"impact"}`:                                                               "target",
			`{"query_type":"impact","target":"a","target_b":"b"}`:                                   "target_b",
			`{"query_type":"neighbors","target":"a","max_paths":2}`:                                 "max_paths",
			`{"query_type":"neighbors","target":"a","relation":"imports"}`:                          "relation",
			`{"query_type":"tests","target":"a","relation":"imports","relations":["calls_syntax"]}`: "relation",
			`{"query_type":"path","target":"a","target_b":"b","change_kind":"delete"}`:              "change_kind",
			`{"query_type":"impact","target":"a","scope_path":"src"}`:                               "scope_path",
			`{"query_type":"neighbors","target":"a","role":"test"}`:                                 "role",
			`{"query_type":"neighbors","target":"a","depth":4}`:                                     "depth",
		},
	} {
		sweep(t, func(t *testing.T, spec *tool.Spec, call func(string) sdk.Reply) {
			if spec.Name != name {
				return
			}
			for args, argument := range calls {
				if got := refusal(t, args, call(args)); got != argument {
					t.Errorf("%s: refused for %q, want %q", args, got, argument)
				}
			}
		})
	}
}
