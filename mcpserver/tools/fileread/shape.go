package fileread

import (
	"encoding/json"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// readOut is one of five shapes: plain text, or JSON for metadata, lines, bytes,
// a cut file, and evidence. Each shows its own fields, zero or not.
type readOut struct {
	ans      *api.ReadAnswer
	metadata bool
}

// PlainText returns the content of a whole file when no metadata was asked for.
func (o *readOut) PlainText() (string, bool) {
	return o.ans.Content, o.ans.Mode == api.ReadWhole && !o.metadata
}

// extras are what return_metadata adds.
type extras struct {
	ContentHash string `json:"content_hash,omitempty"`
	*api.Freshness
}

type wholeShape struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	extras
}

// limited says that max_bytes ended a partial read.
type limited struct {
	MaxBytes int64  `json:"max_bytes,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

type linesShape struct {
	Path          string `json:"path"`
	Content       string `json:"content"`
	TotalLines    int    `json:"total_lines"`
	ReturnedLines int    `json:"returned_lines"`
	Truncated     bool   `json:"truncated"`
	limited
	extras
}

type bytesShape struct {
	Path          string `json:"path"`
	Content       string `json:"content"`
	TotalBytes    int64  `json:"total_bytes"`
	ReturnedBytes int64  `json:"returned_bytes"`
	Truncated     bool   `json:"truncated"`
	limited
	extras
}

type oversizeShape struct {
	Path       string `json:"path"`
	Content    string `json:"content"`
	Truncated  bool   `json:"truncated"`
	TotalBytes int64  `json:"total_bytes"`
	MaxBytes   int64  `json:"max_bytes"`
	Reason     string `json:"reason"`
	extras
}

type indexedShape struct {
	Path         string `json:"path"`
	EvidenceID   string `json:"evidence_id,omitempty"`
	SpanID       string `json:"span_id,omitempty"`
	Symbol       string `json:"symbol,omitempty"`
	StartLine    uint32 `json:"start_line"`
	EndLine      uint32 `json:"end_line"`
	ContextLines int    `json:"context_lines"`
	Content      string `json:"content"`
	InvalidUTF8  bool   `json:"invalid_utf8,omitempty"`
	Truncated    bool   `json:"truncated,omitempty"`
	TotalBytes   int64  `json:"total_bytes,omitempty"`
	limited
	extras
}

// MarshalJSON writes the shape of the answer's mode.
func (o *readOut) MarshalJSON() ([]byte, error) {
	return tool.MarshalJSON(o.shape())
}

var _ json.Marshaler = (*readOut)(nil)

func (o *readOut) shape() any {
	a := o.ans
	var more extras
	if o.metadata {
		more = extras{ContentHash: a.ContentHash, Freshness: a.Freshness}
	}
	limit := limited{a.MaxBytes, a.Reason}
	switch a.Mode {
	case api.ReadLines:
		return linesShape{a.Path, a.Content, a.TotalLines, a.ReturnedLines, a.Truncated, limit, more}
	case api.ReadBytes:
		return bytesShape{a.Path, a.Content, a.TotalBytes, a.ReturnedBytes, a.Truncated, limit, more}
	case api.ReadOversize:
		return oversizeShape{a.Path, a.Content, a.Truncated, a.TotalBytes, a.MaxBytes, a.Reason, more}
	case api.ReadIndexed:
		more.Freshness = a.Freshness // an indexed answer always says how fresh it is
		return indexedShape{
			a.Path, a.EvidenceID, a.SpanID, a.Symbol, a.StartLine, a.EndLine, a.ContextLines, a.Content, a.InvalidUTF8,
			a.Truncated, a.TotalBytes, limit, more,
		}
	case api.ReadWhole:
	}
	return wholeShape{a.Path, a.Content, more}
}
