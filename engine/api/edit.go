package api

import (
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// TextEdit replaces OldText, which is not empty, by NewText.
type TextEdit struct {
	OldText string `json:"old_text"`
	NewText string `json:"new_text"`
}

// EditTarget is the part of a file that edits may touch: exactly one of an id and a
// symbol is set. Path, when not "", must be that of the file.
type EditTarget struct {
	Path       string `json:"path,omitempty"`
	EvidenceID string `json:"evidence_id,omitempty"`
	SpanID     string `json:"span_id,omitempty"`
	Symbol     string `json:"symbol,omitempty"`
}

// MatchStrategy says where in a target old texts are looked for.
type MatchStrategy string

// The strategies; the zero value means MatchExact.
const (
	MatchExact  MatchStrategy = "exact"
	MatchWithin MatchStrategy = "within_target"
	MatchAll    MatchStrategy = "all_in_target"
)

// EditRequest edits one file.
type EditRequest struct {
	Path                  string        `json:"path"`
	Edits                 []TextEdit    `json:"edits"`
	DryRun                bool          `json:"dry_run,omitempty"`
	ExpectedContentHash   string        `json:"expected_content_hash,omitempty"`
	Target                *EditTarget   `json:"target,omitempty"`
	MatchStrategy         MatchStrategy `json:"match_strategy,omitempty"`
	Reindex               ReindexPolicy `json:"reindex,omitempty"`
	ImpactPreview         bool          `json:"impact_preview,omitempty"` // needs DryRun
	ReturnEvidenceUpdates bool          `json:"return_evidence_updates,omitempty"`
}

// What an edit came to.
const (
	EditPreview = "preview"
	EditApplied = "applied"
)

// EditAnswer is what edits do to a file, or would do.
type EditAnswer struct {
	Status       string `json:"status"`
	Path         string `json:"path"`
	Diff         string `json:"diff"` // unified; "" when nothing changes
	EditsApplied int    `json:"edits_applied"`
	// BytesWritten is the size of the new file; 0 when nothing changed, for then it is
	// not touched. A preview has none.
	BytesWritten *int64 `json:"bytes_written,omitempty"`
	ContentHash  string `json:"content_hash"` // of the new text
	// OtherMatches lists edits whose old text stands elsewhere too.
	OtherMatches []OtherMatches `json:"other_matches,omitempty"`
	// HardLinks is how many names a file has whose bytes were replaced in place.
	HardLinks int `json:"hard_links,omitempty"`
	// NotKept names extended attributes that the system did not let the new file have.
	NotKept []string `json:"attributes_not_kept,omitempty"`

	ImpactPreview     *ImpactPreview `json:"impact_preview,omitempty"`
	ImpactUnavailable bool           `json:"impact_preview_unavailable,omitempty"`
	ImpactReason      string         `json:"impact_preview_unavailable_reason,omitempty"`

	EvidenceUpdates *EvidenceUpdates `json:"evidence_updates,omitempty"`
	// Freshness and ChangedPaths are of an applied edit; there are none when the index is
	// disabled.
	Freshness    *Freshness `json:"freshness,omitempty"`
	ChangedPaths []string   `json:"changed_paths,omitempty"`
}

// OtherMatches says that an edit left occurrences of its old text alone.
type OtherMatches struct {
	EditIndex int `json:"edit_index"`
	Line      int `json:"line"`     // of the one that was replaced
	Replaced  int `json:"replaced"` // occurrences
	Others    int `json:"others"`   // at most 1,000 are counted
}

// ImpactPreview is what an edit may reach.
type ImpactPreview struct {
	Available       bool                  `json:"available"`
	Reason          string                `json:"reason,omitempty"` // why it is not
	Targets         []string              `json:"targets,omitempty"`
	ImpactedFiles   []graph.Path          `json:"impacted_files"`
	SuggestedTests  []query.SuggestedTest `json:"suggested_tests"`
	MissingData     []query.Word          `json:"missing_data"`
	Truncated       bool                  `json:"truncated"`
	IsStale         bool                  `json:"is_stale"`
	IndexGeneration graph.Generation      `json:"index_generation"`
}

// EvidenceUpdates are the ids of what was touched, on the bytes as they are now.
type EvidenceUpdates struct {
	PreviousContentHash string           `json:"previous_content_hash"`
	ContentHash         string           `json:"content_hash"`
	Spans               []EvidenceUpdate `json:"spans"`
	Truncated           bool             `json:"truncated,omitempty"`
	Target              *EvidenceUpdate  `json:"target,omitempty"` // of the request
}

// EvidenceUpdate is one of them. Ids are "" where there is nothing to
// name: in an emptied file, or outside the workspace.
type EvidenceUpdate struct {
	Replaces   string `json:"replaces"` // the id on the bytes before
	EvidenceID string `json:"evidence_id"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
}
