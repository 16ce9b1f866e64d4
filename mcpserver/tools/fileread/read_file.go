// Package fileread holds the tools that read files and look at paths: read_file,
// read_multiple_files, stat_path, list_allowed_roots. A tool takes typed arguments,
// calls the service once, and shapes the answer.
package fileread

import (
	"context"
	_ "embed"
	"math"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed read_file.md
var readDoc string

// Limits and defaults of read_file.
const (
	defaultMaxBytes = 5_000_000
	ceilingBytes    = 100_000_000 // of max_bytes: an answer is held in memory several times
	maxContextLines = 1000
	maxPath         = 4096
	readBudget      = 30 * time.Second
)

type readIn struct {
	Path                string `json:"path"`
	EvidenceID          string `json:"evidence_id"`
	SpanID              string `json:"span_id"`
	Symbol              string `json:"symbol"`
	LineStart           int    `json:"line_start"`
	LineEnd             int    `json:"line_end"`
	Head                int    `json:"head"`
	Tail                int    `json:"tail"`
	Offset              int64  `json:"offset"`
	Limit               int64  `json:"limit"`
	MaxBytes            int64  `json:"max_bytes"`
	ExpectedContentHash string `json:"expected_content_hash"`
	ContextLines        int    `json:"context_lines"`
	ReturnMetadata      bool   `json:"return_metadata"`
}

func readArgs() []tool.Arg {
	line := func(name, doc string) tool.Arg {
		return tool.Arg{Name: name, Type: tool.Integer, Min: 1, Max: math.MaxInt32, EmptyAbsent: true, Doc: doc}
	}
	return []tool.Arg{
		{
			Name: "path", Type: tool.String, MaxLen: maxPath, EmptyAbsent: true,
			Aliases: []string{"file", "file_path", "filename"},
			Doc:     "File, relative to the workspace or absolute inside it.",
		},
		{Name: "evidence_id", Type: tool.String, MaxLen: 256, EmptyAbsent: true, Doc: "Any id from an evidence_ids list."},
		{Name: "span_id", Type: tool.String, MaxLen: 256, EmptyAbsent: true, Doc: "Id of a definition's source."},
		{Name: "symbol", Type: tool.String, MaxLen: 2000, EmptyAbsent: true, Doc: "Symbol id, qualified name or unambiguous suffix."},
		line("line_start", "First line, from 1."),
		line("line_end", "Last line, inclusive."),
		line("head", "Only the first lines."),
		line("tail", "Only the last lines."),
		{Name: "offset", Type: tool.Integer, Max: math.MaxInt64, EmptyAbsent: true, Doc: "First byte, from 0."},
		{Name: "limit", Type: tool.Integer, Min: 1, Max: ceilingBytes, EmptyAbsent: true, Doc: "Window in bytes: the characters that begin in it."},
		{
			Name: "max_bytes", Type: tool.Integer, Min: 1, Max: ceilingBytes, EmptyAbsent: true, Default: defaultMaxBytes,
			Doc: "Most bytes of content; what is larger is cut.",
		},
		{
			Name: "expected_content_hash", Type: tool.String, MaxLen: 256, EmptyAbsent: true,
			Doc: "SHA-256 in hex; refuse when the file differs.",
		},
		{
			Name: "context_lines", Type: tool.Integer, Max: maxContextLines, EmptyAbsent: true,
			Doc: "Lines to add around evidence_id, span_id or symbol.",
		},
		{Name: "return_metadata", Type: tool.Boolean, Default: false, Doc: "Answer JSON with content_hash and freshness."},
	}
}

// ReadFile defines read_file.
func ReadFile(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "read_file",
		Title:       "Read file",
		Description: readDoc,
		Capability:  tool.WorkspaceRead,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Budget:      tool.Budget{Default: readBudget, Max: readBudget},
		Args:        readArgs(),
		Example:     `{"path":"src/main.go","line_start":10,"line_end":40}`,
	}
	return tool.Define(spec, func(ctx context.Context, in readIn) (*readOut, error) {
		if err := in.check(); err != nil {
			return nil, err
		}
		ans, err := svc.Read(ctx, &api.ReadRequest{
			Path: in.Path, EvidenceID: in.EvidenceID, SpanID: in.SpanID, Symbol: in.Symbol,
			LineStart: in.LineStart, LineEnd: in.LineEnd, Head: in.Head, Tail: in.Tail,
			Offset: in.Offset, Limit: in.Limit, MaxBytes: in.MaxBytes,
			ExpectedContentHash: in.ExpectedContentHash, ContextLines: in.ContextLines, ReturnMetadata: in.ReturnMetadata,
		})
		if err != nil {
			return nil, err
		}
		return &readOut{ans: ans, metadata: in.ReturnMetadata}, nil
	})
}

// check refuses combinations that the schema cannot express.
func (in *readIn) check() error {
	selectors := given(
		named{"path", in.Path != ""}, named{"evidence_id", in.EvidenceID != ""},
		named{"span_id", in.SpanID != ""}, named{"symbol", in.Symbol != ""})
	switch len(selectors) {
	case 0:
		return tool.Invalid("path", "give exactly one of path, evidence_id, span_id, symbol; none was given. Example: {\"path\":\"README.md\"}")
	case 1:
	default:
		return tool.Invalid(selectors[1], "give exactly one of path, evidence_id, span_id, symbol; %s were given. Leave out all but one",
			strings.Join(selectors, " and "))
	}
	partial := given(
		named{"line_start", in.LineStart != 0}, named{"line_end", in.LineEnd != 0 && in.LineStart == 0},
		named{"offset", in.Offset != 0}, named{"limit", in.Limit != 0 && in.Offset == 0},
		named{"head", in.Head != 0}, named{"tail", in.Tail != 0})
	switch {
	case len(partial) > 1:
		return tool.Invalid(partial[1], "line_start/line_end, offset/limit, head and tail exclude each other; %s were given. Leave out all but one",
			strings.Join(partial, " and "))
	case len(partial) == 1 && in.Path == "":
		return tool.Invalid(partial[0], "%s applies to path only; with %s use context_lines to widen the answer", partial[0], selectors[0])
	case in.ContextLines != 0 && in.Path != "":
		return tool.Invalid("context_lines", "context_lines applies to evidence_id, span_id and symbol; with path use line_start and line_end")
	case in.LineEnd != 0 && in.LineEnd < in.LineStart:
		return tool.Invalid("line_end", "line_end %d is before line_start %d; give line_end from %d on, or leave it out",
			in.LineEnd, in.LineStart, in.LineStart)
	}
	return nil
}

type named struct {
	name string
	set  bool
}

func given(args ...named) []string {
	var out []string
	for _, a := range args {
		if a.set {
			out = append(out, a.name)
		}
	}
	return out
}
