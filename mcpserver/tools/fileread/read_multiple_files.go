package fileread

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed read_multiple_files.md
var manyDoc string

const (
	maxManyItems = 200
	itemExample  = `{"path":"src/main.go","line_start":1,"line_end":40}`
)

type manyIn struct {
	Paths           []string          `json:"paths"`
	Items           []json.RawMessage `json:"items"`
	PerItemMaxBytes int64             `json:"per_item_max_bytes"`
	FailFast        bool              `json:"fail_fast"`
	ReturnMetadata  bool              `json:"return_metadata"`
}

type itemIn struct {
	Path                string `json:"path"`
	EvidenceID          string `json:"evidence_id"`
	SpanID              string `json:"span_id"`
	Symbol              string `json:"symbol"`
	LineStart           int    `json:"line_start"`
	LineEnd             int    `json:"line_end"`
	ContextLines        int    `json:"context_lines"`
	ExpectedContentHash string `json:"expected_content_hash"`
}

func itemArgs() []tool.Arg {
	line := func(name, doc string) tool.Arg {
		return tool.Arg{Name: name, Type: tool.Integer, Min: 1, Max: math.MaxInt32, EmptyAbsent: true, Doc: doc}
	}
	return []tool.Arg{
		{Name: "path", Type: tool.String, MaxLen: maxPath, EmptyAbsent: true, Aliases: []string{"file", "file_path", "filename"}, Doc: "File."},
		{Name: "evidence_id", Type: tool.String, MaxLen: 256, EmptyAbsent: true, Doc: "Any id from an evidence_ids list."},
		{Name: "span_id", Type: tool.String, MaxLen: 256, EmptyAbsent: true, Doc: "Id of a definition's source."},
		{Name: "symbol", Type: tool.String, MaxLen: 2000, EmptyAbsent: true, Doc: "Symbol id or name."},
		line("line_start", "First line of path."),
		line("line_end", "Last line, inclusive."),
		{Name: "context_lines", Type: tool.Integer, Max: maxContextLines, EmptyAbsent: true, Doc: "Lines around an id or symbol."},
		{Name: "expected_content_hash", Type: tool.String, MaxLen: 256, EmptyAbsent: true, Doc: "Refuse when the file differs."},
	}
}

func manyArgs() []tool.Arg {
	return []tool.Arg{
		{Name: "paths", Type: tool.Strings, MaxLen: maxManyItems, Doc: "Whole files to read."},
		{Name: "items", Type: tool.Objects, MaxLen: maxManyItems, Fields: itemArgs(), Doc: "Instead of paths: one selector each."},
		{
			Name: "per_item_max_bytes", Type: tool.Integer, Min: 1, Max: ceilingBytes, EmptyAbsent: true,
			Doc: "Most bytes of content of each item; default 5000000.",
		},
		{Name: "fail_fast", Type: tool.Boolean, Default: false, Doc: "Stop at the first item that fails."},
		{Name: "return_metadata", Type: tool.Boolean, Default: false, Doc: "Add content_hash and freshness to each item."},
	}
}

// ReadMultipleFiles defines read_multiple_files.
func ReadMultipleFiles(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "read_multiple_files",
		Title:       "Read multiple files",
		Description: manyDoc,
		Capability:  tool.WorkspaceRead,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: readBudget, Max: readBudget},
		Args:        manyArgs(),
		Example:     `{"items":[{"path":"src/main.go","line_start":1,"line_end":40},{"symbol":"pkg.Type.Method"}]}`,
	}
	return tool.Define(spec, func(ctx context.Context, in manyIn) (*manyOut, error) {
		req, err := in.request()
		if err != nil {
			return nil, err
		}
		ctx, stop := context.WithTimeout(ctx, readBudget)
		defer stop()
		ans, err := svc.ReadMany(ctx, req)
		if err != nil {
			return nil, err
		}
		return shapeMany(req, ans, in.ReturnMetadata), nil
	})
}

func (in *manyIn) request() (*api.ReadManyRequest, error) {
	switch {
	case len(in.Paths) > 0 && len(in.Items) > 0:
		return nil, tool.Invalid("items", "give paths or items, not both: items takes {\"path\":…} too")
	case len(in.Paths) == 0 && len(in.Items) == 0:
		return nil, tool.Invalid("paths", "give paths, or items; neither was given")
	}
	req := &api.ReadManyRequest{FailFast: in.FailFast}
	for _, p := range in.Paths {
		req.Items = append(req.Items, in.item(&itemIn{Path: p}))
	}
	for _, raw := range in.Items {
		one, err := readItem(raw)
		if err != nil {
			refused := &api.Error{}
			if !errors.As(err, &refused) {
				return nil, err
			}
			req.Items = append(req.Items, api.ReadItem{ReadRequest: one.read(in), Refused: refused})
			continue
		}
		req.Items = append(req.Items, in.item(one))
	}
	return req, nil
}

// item makes a read of an item, or says why there is none.
func (in *manyIn) item(one *itemIn) api.ReadItem {
	out := api.ReadItem{ReadRequest: one.read(in)}
	if err := one.check(); err != nil {
		out.Refused = err
	}
	return out
}

func (one *itemIn) read(in *manyIn) api.ReadRequest {
	return api.ReadRequest{
		Path: one.Path, EvidenceID: one.EvidenceID, SpanID: one.SpanID, Symbol: one.Symbol, LineStart: one.LineStart,
		LineEnd: one.LineEnd, ContextLines: one.ContextLines, ExpectedContentHash: one.ExpectedContentHash,
		MaxBytes: in.PerItemMaxBytes, ReturnMetadata: in.ReturnMetadata,
	}
}

// readItem reads one element of items. What can be told of a bad one is returned with
// the error: its result should say which it was.
func readItem(raw json.RawMessage) (*itemIn, error) {
	one := &itemIn{}
	if !strings.HasPrefix(strings.TrimSpace(string(raw)), "{") {
		return one, itemError("item_not_a_dict", tool.Invalid("items", "an item must be an object such as %s", itemExample))
	}
	err := tool.Decode(itemArgs(), itemExample, raw, one)
	if err == nil {
		return one, nil
	}
	*one = itemIn{}
	var shown struct {
		Path any `json:"path"`
	}
	if json.Unmarshal(raw, &shown) == nil {
		one.Path, _ = shown.Path.(string)
	}
	var bad *api.Error
	if !errors.As(err, &bad) {
		return one, err
	}
	word := "invalid_item"
	if bad.Argument == "path" {
		word = "missing_path"
	}
	return one, itemError(word, bad)
}

// check refuses an item without exactly one selector, or with what does not go with it.
func (one *itemIn) check() *api.Error {
	in := readIn{
		Path: one.Path, EvidenceID: one.EvidenceID, SpanID: one.SpanID, Symbol: one.Symbol,
		LineStart: one.LineStart, LineEnd: one.LineEnd, ContextLines: one.ContextLines,
	}
	var bad *api.Error
	if err := in.check(); !errors.As(err, &bad) {
		return nil
	}
	word := "invalid_item"
	if in.selectors() != 1 {
		word = "invalid_selector"
	}
	return itemError(word, bad)
}

func (in *readIn) selectors() int {
	n := 0
	for _, s := range []string{in.Path, in.EvidenceID, in.SpanID, in.Symbol} {
		if s != "" {
			n++
		}
	}
	return n
}

// itemError puts the word that the result of a bad item carries beside its message.
func itemError(word string, e *api.Error) *api.Error {
	out := *e
	out.Details = map[string]any{"error": word, "reason": e.Message}
	return &out
}
