package api

import "github.com/ralph-index/ralph-index/graph"

// FindRequest asks for files by the form of their paths. The filters come before the
// limit.
type FindRequest struct {
	Pattern string   `json:"pattern"` // a glob
	Path    string   `json:"path"`    // base: a directory or a file; "" or "." is the workspace
	Exclude []string `json:"exclude,omitempty"`
	Limit   int      `json:"limit,omitempty"` // 0: 1000
	Ranked  bool     `json:"ranked,omitempty"`
	// Role limits the answer to files of one role; "" is any.
	Role graph.Role `json:"role,omitempty"`
	// ContainsSymbol limits it to files that define or refer to a name.
	ContainsSymbol    string `json:"contains_symbol,omitempty"`
	ChangedOnly       bool   `json:"changed_only,omitempty"`
	ReturnEvidenceIDs bool   `json:"return_evidence_ids,omitempty"`
	TimeoutMS         int    `json:"timeout_ms,omitempty"`
}

// Notes on contains_symbol.
const (
	NoteNoIndex          = "no_explore_index_handle" // the filter was not applied
	NoteNoMatchingSymbol = "no_matching_symbol"      // nothing defines or refers to the name
)

// NoteLiveGit says that git was asked what changed, for want of an index.
const NoteLiveGit = "live_git_status"

// FileScore is the score of one file, with its reasons.
type FileScore struct {
	Path    string   `json:"path"`
	Score   int      `json:"score"`
	Reasons []string `json:"score_reasons"`
}

// FindAnswer lists files: by path, or best first. EvidenceIDs run parallel to Matches
// when they were asked for; "" stands where there is no text to read.
type FindAnswer struct {
	Matches      []string    `json:"matches"`
	Truncated    bool        `json:"truncated"`
	SymbolNote   *string     `json:"contains_symbol_note,omitempty"`
	ChangedNote  *string     `json:"changed_only_note,omitempty"`
	ScoreReasons []FileScore `json:"score_reasons,omitempty"`
	EvidenceIDs  []string    `json:"evidence_ids,omitempty"`
	Deadline     bool        `json:"deadline_exceeded,omitempty"`
	Cancelled    bool        `json:"cancelled,omitempty"`
	Freshness
}
