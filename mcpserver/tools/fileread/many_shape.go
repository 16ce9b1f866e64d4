package fileread

import (
	"maps"
	"slices"

	"github.com/ralph-index/ralph-index/engine/api"
)

type manyOut struct {
	Files     []any `json:"files"`
	Truncated bool  `json:"truncated"`
	*api.Freshness
}

// wholeItem is a whole file among several.
type wholeItem struct {
	Path       string `json:"path"`
	IsError    bool   `json:"is_error"`
	Content    string `json:"content"`
	Truncated  bool   `json:"truncated"`
	TotalBytes int64  `json:"total_bytes,omitempty"`
	limited
	extras
}

// linesItem is a range of lines among several items.
type linesItem struct {
	IsError   bool `json:"is_error"`
	LineStart int  `json:"line_start,omitempty"`
	linesShape
}

// foundItem is what an id or a symbol led to; Selector is how it was asked for.
type foundItem struct {
	IsError  bool   `json:"is_error"`
	Selector string `json:"selector"`
	indexedShape
}

func shapeMany(req *api.ReadManyRequest, ans *api.ReadManyAnswer, metadata bool) *manyOut {
	out := &manyOut{Files: make([]any, 0, len(req.Items)), Truncated: ans.Truncated}
	if metadata {
		out.Freshness = ans.Freshness
	}
	for i := range req.Items {
		var r api.ReadResult // a service that gives too few leaves the rest unread
		if i < len(ans.Results) {
			r = ans.Results[i]
		}
		out.Files = append(out.Files, shapeItem(&req.Items[i], &r, metadata))
	}
	return out
}

func shapeItem(item *api.ReadItem, r *api.ReadResult, metadata bool) any {
	name, value := selectorOf(&item.ReadRequest)
	switch {
	case r.Error != nil:
		return failedItem(name, value, r.Error)
	case r.Answer == nil:
		out := map[string]any{"is_error": true, "error": "not_read", "reason": r.NotRead}
		if name != "" {
			out[name] = value
		}
		return out
	}
	one := &readOut{ans: r.Answer, metadata: metadata}
	switch shape := one.shape().(type) {
	case linesShape:
		return linesItem{LineStart: item.LineStart, linesShape: shape}
	case indexedShape:
		return foundItem{Selector: value, indexedShape: shape}
	case oversizeShape:
		return wholeItem{
			Path: shape.Path, Content: shape.Content, Truncated: true, TotalBytes: shape.TotalBytes,
			limited: limited{shape.MaxBytes, shape.Reason}, extras: shape.extras,
		}
	case wholeShape:
		return wholeItem{Path: shape.Path, Content: shape.Content, extras: shape.extras}
	default:
		return shape
	}
}

// failedItem says what was asked for, and what read_file would have said.
func failedItem(name, value string, e *api.Error) map[string]any {
	out := map[string]any{"is_error": true, "status": e.Code, "error": e.Message}
	for _, k := range slices.Sorted(maps.Keys(e.Details)) {
		if k != "is_error" && k != "status" {
			out[k] = e.Details[k]
		}
	}
	if name != "" {
		out[name] = value
	}
	return out
}

func selectorOf(r *api.ReadRequest) (name, value string) {
	switch {
	case r.Path != "":
		return "path", r.Path
	case r.EvidenceID != "":
		return "evidence_id", r.EvidenceID
	case r.SpanID != "":
		return "span_id", r.SpanID
	case r.Symbol != "":
		return "symbol", r.Symbol
	}
	return "", ""
}
