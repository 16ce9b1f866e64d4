// Package api holds the requests and answers of an engine, and its errors. It is a
// leaf, so that the engine, its remote form over a socket (engine/share) and the
// tools that call either speak of the same types. Every type survives JSON.
package api

import (
	"context"
	"io"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// Service is an engine: in this process, or in the one that leads the workspace.
// Methods honour the deadline and cancellation of ctx and return *Error for what
// a caller can act on.
type Service interface {
	Status(ctx context.Context) (*Status, error)
	// Reindex reports progress, when the callback is not nil, at most ten times a
	// second and from one goroutine.
	Reindex(ctx context.Context, req *ReindexRequest, progress func(Progress)) (*ReindexAnswer, error)
	Graph(ctx context.Context, req *GraphRequest) (*GraphAnswer, error)
	Grep(ctx context.Context, req *GrepRequest) (*GrepAnswer, error)
	Read(ctx context.Context, req *ReadRequest) (*ReadAnswer, error)
	// Export writes one JSON object a line: definitions, calls, imports, heritage.
	Export(ctx context.Context, w io.Writer) error
	Files
	Lister
	Changes
}

// Code is a word of the closed list that tool failures carry as "status".
type Code string

// The codes.
const (
	CodeInvalidParams      Code = "invalid_params"
	CodeNotFound           Code = "not_found"
	CodeOutsideRoot        Code = "outside_workspace"
	CodeNotRegular         Code = "not_a_regular_file"
	CodePermission         Code = "permission_denied"
	CodeStaleEvidence      Code = "stale_evidence"
	CodeUnknownEvidence    Code = "unknown_evidence"
	CodeAmbiguousSymbol    Code = "ambiguous_symbol"
	CodeBinary             Code = "binary_or_invalid_utf8"
	CodeIndexUnavailable   Code = "indexed_selector_unavailable"
	CodeViewUnavailable    Code = "indexed_view_unavailable"
	CodeNotEligible        Code = "pattern_not_eligible"
	CodeIndexNotReady      Code = "index_not_ready"
	CodeCapabilityDenied   Code = "capability_denied"
	CodeUnknownTool        Code = "unknown_tool"
	CodeUnsupportedPattern Code = "unsupported_pattern"
	CodeDeadline           Code = "deadline_exceeded"
	CodeCancelled          Code = "cancelled"
	CodeNoMatch            Code = "no_match"
	CodeAmbiguousTarget    Code = "ambiguous_target"
	CodeExists             Code = "destination_exists"
	CodeProtected          Code = "protected_path"
	CodeIO                 Code = "io_error"
	CodeInternal           Code = "internal_error"
)

// Error is a failure that a caller can act on. Message says what to do next.
type Error struct {
	Code     Code           `json:"status"`
	Message  string         `json:"message"`
	Argument string         `json:"argument,omitempty"` // the argument at fault
	Details  map[string]any `json:"details,omitempty"`  // fields that the contract puts beside status
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Freshness is the block that every indexed answer carries.
type Freshness struct {
	IndexUsed       bool             `json:"index_used"`
	IndexGeneration graph.Generation `json:"index_generation"`
	// IsStale says that something the answer used was out of date.
	IsStale bool `json:"is_stale"`
	// StalePathsCount counts indexed paths whose bytes on disk are known to differ
	// or to be gone; DirtyPathsCount those that are marked and not yet looked at.
	StalePathsCount int `json:"stale_paths_count"`
	DirtyPathsCount int `json:"dirty_paths_count"`
	// ReindexInProgress says that a job is writing to the index.
	ReindexInProgress bool    `json:"reindex_in_progress"`
	FallbackReason    *string `json:"fallback_reason"`
	LastSweepAt       float64 `json:"last_sweep_at"` // Unix seconds; 0: not swept since the index was opened
}

// Fallback reasons.
const (
	FallbackNotEligible   = "pattern_not_eligible"
	FallbackNotSelective  = "not_selective"
	FallbackNoGeneration  = "no_committed_generation"
	FallbackNoIndex       = "no_index_handle"
	FallbackPathIgnored   = "path_ignored"
	FallbackIndexDisabled = "index_disabled"
	// FallbackUnswept marks an indexed answer before which nobody has looked at the
	// disk since the index was opened, or since something that may have changed
	// anything (a checkout, other ignore rules, lost events).
	FallbackUnswept      = "unswept"
	FallbackLeaderSilent = "leader_unresponsive" // the process that holds the index hangs
)

// Policy is how fresh an answer must be.
type Policy string

// The policies; the zero value means PreferFresh.
const (
	Required    Policy = "required"
	PreferFresh Policy = "prefer_fresh"
	AllowStale  Policy = "allow_stale"
)

// GraphRequest is a question and how fresh its answer must be.
type GraphRequest struct {
	query.Request
	Freshness Policy `json:"freshness,omitempty"`
	TimeoutMS int    `json:"timeout_ms,omitempty"`
	Cancel    bool   `json:"cancel,omitempty"`
}

// GraphAnswer is an answer with its freshness block.
type GraphAnswer struct {
	query.Answer
	Freshness
}

// RankBy orders grep matches.
type RankBy string

// The orders; the zero value means RankMatch (path, then line).
const (
	RankMatch   RankBy = "match"
	RankSymbol  RankBy = "symbol"
	RankGraph   RankBy = "graph"
	RankChanged RankBy = "changed"
	RankHybrid  RankBy = "hybrid"
)

// UseIndex says whether a search may use the index.
type UseIndex string

// The choices; the zero value means IndexAuto.
const (
	IndexAuto   UseIndex = "auto"
	IndexAlways UseIndex = "always"
	IndexNever  UseIndex = "never"
)

// GrepRequest is one content search. Regex is literal here: the tool's default
// (true) is applied by the tool.
type GrepRequest struct {
	Pattern           string   `json:"pattern"`
	Path              string   `json:"path"` // base: a directory or a file, relative or absolute inside a root; "" or "." is the workspace
	Regex             bool     `json:"regex"`
	CaseSensitive     bool     `json:"case_sensitive"`
	WholeWord         bool     `json:"whole_word"`
	Include           []string `json:"include,omitempty"`
	Exclude           []string `json:"exclude,omitempty"`
	ContextBefore     int      `json:"context_before,omitempty"`
	ContextAfter      int      `json:"context_after,omitempty"`
	Limit             int      `json:"limit,omitempty"` // 0: 1000
	MaxFileBytes      int64    `json:"max_file_bytes,omitempty"`
	UseIndex          UseIndex `json:"use_index,omitempty"`
	RankBy            RankBy   `json:"rank_by,omitempty"`
	GraphTarget       string   `json:"graph_target,omitempty"`
	ReturnEvidenceIDs bool     `json:"return_evidence_ids,omitempty"`
	MaxSnippetLines   int      `json:"max_snippet_lines,omitempty"` // of a match with its context; 0: no bound
	DedupeBySymbol    bool     `json:"dedupe_by_symbol,omitempty"`
	GraphContext      bool     `json:"include_graph_context,omitempty"`
	TimeoutMS         int      `json:"timeout_ms,omitempty"`
	FilesOnly         bool     `json:"files_only,omitempty"` // CLI and bench: paths alone
}

// Match is one matching line.
type Match struct {
	Path          graph.Path `json:"path"`
	PathID        string     `json:"path_id,omitempty"` // a symbol id that opens the file, where its path is no UTF-8
	Line          uint32     `json:"line"`
	Col           uint32     `json:"col"` // 1-based byte of the first match on the line
	Text          string     `json:"text"`
	TextTruncated bool       `json:"text_truncated,omitempty"` // the line was longer than the cap
	ContextBefore []string   `json:"context_before"`
	ContextAfter  []string   `json:"context_after"`
	ContextCut    bool       `json:"context_truncated,omitempty"` // MaxSnippetLines left out some of it
	EvidenceID    string     `json:"evidence_id,omitempty"`
	Symbol        string     `json:"symbol,omitempty"` // enclosing definition, when asked or ranked
}

// GraphContext is the enclosing definition of matches with what is around it.
type GraphContext struct {
	EvidenceID string     `json:"evidence_id"`
	Symbol     string     `json:"symbol"`
	Path       graph.Path `json:"path"`
	StartLine  uint32     `json:"start_line"`
	EndLine    uint32     `json:"end_line"`
	Callers    []string   `json:"callers,omitempty"`
	Tests      []string   `json:"tests,omitempty"`
}

// GrepAnswer is the result of a search. EvidenceIDs and ScoreReasons run parallel
// to Matches when they are present.
type GrepAnswer struct {
	Pattern      string         `json:"pattern"`
	Base         string         `json:"base"`
	Matches      []Match        `json:"matches"`
	Files        []graph.Path   `json:"files,omitempty"` // FilesOnly
	Truncated    bool           `json:"truncated"`
	SkippedFiles int            `json:"skipped_files"`
	Skipped      map[string]int `json:"skipped,omitempty"` // by reason: binary, utf16, unreadable, too_large
	RankedBy     RankBy         `json:"ranked_by"`
	// RankMissing says why the graph had no part in a ranking that was to be by it:
	// graph_target_required, index_not_ready, target_unresolved, ambiguous_symbol.
	RankMissing      string         `json:"rank_missing,omitempty"`
	DedupeBySymbol   bool           `json:"dedupe_by_symbol"`
	GraphContext     []GraphContext `json:"graph_context"`
	EvidenceIDs      []string       `json:"evidence_ids,omitempty"`
	ScoreReasons     [][]string     `json:"score_reasons,omitempty"`
	FilesScanned     int            `json:"files_scanned"`
	PrefilteredFiles int            `json:"prefiltered_files"`
	Deadline         bool           `json:"deadline_exceeded"`
	Cancelled        bool           `json:"cancelled"`
	// GaveUp are lines on which the pattern backtracks for too long: their files were not
	// searched from there on, and behind several of them no file was. Truncated is set.
	GaveUp []Place `json:"gave_up,omitempty"`
	Freshness
}

// Place is a line of a file.
type Place struct {
	Path graph.Path `json:"path"`
	Line uint32     `json:"line"`
}

// ReadRequest is one read. Exactly one selector of Path, EvidenceID, SpanID and
// Symbol is set.
type ReadRequest struct {
	Path                string `json:"path,omitempty"`
	EvidenceID          string `json:"evidence_id,omitempty"`
	SpanID              string `json:"span_id,omitempty"`
	Symbol              string `json:"symbol,omitempty"`
	LineStart           int    `json:"line_start,omitempty"`
	LineEnd             int    `json:"line_end,omitempty"`
	Head                int    `json:"head,omitempty"`
	Tail                int    `json:"tail,omitempty"`
	Offset              int64  `json:"offset,omitempty"`
	Limit               int64  `json:"limit,omitempty"`
	MaxBytes            int64  `json:"max_bytes"` // 0: 5,000,000
	ExpectedContentHash string `json:"expected_content_hash,omitempty"`
	ContextLines        int    `json:"context_lines,omitempty"`
	ReturnMetadata      bool   `json:"return_metadata,omitempty"`
}

// ReadMode says which shape a read has.
type ReadMode string

// The shapes of facts and contract: whole text, lines, bytes, cut text, evidence.
const (
	ReadWhole    ReadMode = "whole"
	ReadLines    ReadMode = "lines"
	ReadBytes    ReadMode = "bytes"
	ReadOversize ReadMode = "oversize"
	ReadIndexed  ReadMode = "indexed"
)

// ReadAnswer is the result of a read. Content is valid UTF-8.
type ReadAnswer struct {
	Mode          ReadMode   `json:"mode"`
	Path          string     `json:"path"`
	Content       string     `json:"content"`
	ContentHash   string     `json:"content_hash,omitempty"`
	TotalLines    int        `json:"total_lines,omitempty"`
	ReturnedLines int        `json:"returned_lines,omitempty"`
	TotalBytes    int64      `json:"total_bytes,omitempty"`
	ReturnedBytes int64      `json:"returned_bytes,omitempty"`
	MaxBytes      int64      `json:"max_bytes,omitempty"`
	Truncated     bool       `json:"truncated"`
	Reason        string     `json:"reason,omitempty"`
	InvalidUTF8   bool       `json:"invalid_utf8,omitempty"` // of an id: bytes that are no UTF-8 are shown as U+FFFD
	EvidenceID    string     `json:"evidence_id,omitempty"`
	SpanID        string     `json:"span_id,omitempty"`
	Symbol        string     `json:"symbol,omitempty"`
	StartLine     uint32     `json:"start_line,omitempty"`
	EndLine       uint32     `json:"end_line,omitempty"`
	ContextLines  int        `json:"context_lines,omitempty"`
	Freshness     *Freshness `json:"freshness,omitempty"`
}

// ReindexMode is changed or full.
type ReindexMode string

// The modes.
const (
	ReindexChanged ReindexMode = "changed"
	ReindexFull    ReindexMode = "full"
)

// ReindexRequest asks for a refresh. Scope limits it to files and directories.
type ReindexRequest struct {
	Mode      ReindexMode `json:"mode"`
	TimeoutMS int         `json:"timeout_ms,omitempty"` // 0: none
	Scope     []string    `json:"path_scope,omitempty"`
	Cancel    bool        `json:"cancel,omitempty"`
}

// JobStatus is how a job ended.
type JobStatus string

// The statuses.
const (
	JobRunning   JobStatus = "running"
	JobOK        JobStatus = "ok"
	JobSkipped   JobStatus = "skipped_no_changes"
	JobTimedOut  JobStatus = "timed_out"
	JobCancelled JobStatus = "cancelled"
	JobFailed    JobStatus = "failed"
)

// FailedFile is a file that the index holds in part or not at all, and why.
type FailedFile struct {
	Path   graph.Path `json:"path"`
	Reason string     `json:"reason"`
}

// OddKind says in which way files are not ordinary text that was read to its end.
type OddKind string

// The kinds, in the order in which a status lists them. A file may be of several.
const (
	OddFailed      OddKind = "failed"            // no structure: the parser crashed or gave up
	OddCapped      OddKind = "capped"            // the structure was cut at a budget
	OddPartial     OddKind = "partial"           // syntax errors; what parses is there
	OddUnreadable  OddKind = "unreadable"        // a file or directory that the system does not let us read
	OddBinary      OddKind = "binary"            // holds a NUL byte: not searched
	OddUTF16       OddKind = "utf16"             // starts with a UTF-16 byte order mark: not searched
	OddInvalidUTF8 OddKind = "invalid_utf8"      // searched as bytes, answered as valid text
	OddFIFO        OddKind = "fifo"              // never opened, nor are the next two
	OddSocket      OddKind = "socket"            //
	OddDevice      OddKind = "device"            //
	OddDangling    OddKind = "dangling_link"     // a symbolic link that leads to nothing
	OddLoop        OddKind = "link_loop"         // one that leads to itself
	OddOutside     OddKind = "link_outside"      // one that leaves the workspace: not followed
	OddLinkDir     OddKind = "link_to_directory" // not followed: the files are listed under their own paths
	OddLinkFile    OddKind = "link_to_file"      // likewise
	OddLarge       OddKind = "large"             // a text of 1 MiB or more; searched and, up to the budget, extracted
	OddEmpty       OddKind = "empty"             //
	OddName        OddKind = "odd_name"          // the name is no UTF-8 or holds control characters
)

// OddFiles are the files of one kind.
type OddFiles struct {
	Kind  OddKind   `json:"kind"`
	Count int       `json:"count"`
	Files []OddFile `json:"files"` // the first few by path
}

// OddFile is one of them.
type OddFile struct {
	Path   graph.Path `json:"path"`
	Reason string     `json:"reason,omitempty"` // more than the kind says: "syntax_error:3:1", "permission"
	// SymbolID opens a file whose path is no UTF-8, which no caller can write.
	SymbolID string `json:"symbol_id,omitempty"`
}

// ReindexAnswer is what a job did.
type ReindexAnswer struct {
	JobID           string           `json:"job_id"`
	JobStatus       JobStatus        `json:"job_status"`
	Generation      graph.Generation `json:"generation"`
	ChangedFiles    []graph.Path     `json:"changed_files"` // at most 1,000, sorted; ChangedCount has them all
	ChangedCount    int              `json:"changed_count"`
	AddedCount      int              `json:"added_count"` // of the changed ones, those that are new
	RemovedCount    int              `json:"removed_count"`
	FailedFiles     []FailedFile     `json:"failed_files"` // partial files are not failed
	PartialCount    int              `json:"partial_count"`
	ParseCount      int              `json:"parse_count"`
	FilesSeen       int              `json:"files_seen"`
	DirtyPathsCount int              `json:"dirty_paths_count"` // after the job
	ElapsedSeconds  float64          `json:"elapsed_seconds"`
	ErrorSummary    *string          `json:"error_summary"`
	Cancelled       bool             `json:"cancelled"`
}

// Progress is a step of a running job.
type Progress struct {
	Stage string `json:"stage"` // "walk", "lexical", "parse", "publish"
	Done  int    `json:"done"`
	Total int    `json:"total"` // 0: not known yet
	Bytes int64  `json:"bytes"`
}

// Job is one entry of the job history.
type Job struct {
	JobID        string           `json:"job_id"`
	Generation   graph.Generation `json:"generation"`
	Mode         ReindexMode      `json:"mode"`
	Status       JobStatus        `json:"status"`
	StartedAt    float64          `json:"started_at"` // Unix seconds
	FinishedAt   float64          `json:"finished_at"`
	FilesSeen    int              `json:"files_seen"`
	FilesAdded   int              `json:"files_added"` // among the changed ones
	FilesChanged int              `json:"files_changed"`
	FilesRemoved int              `json:"files_removed"`
	FilesFailed  int              `json:"files_failed"`
	ErrorSummary *string          `json:"error_summary"`
}

// IgnoreRule says whether .gitignore covers the index directory.
type IgnoreRule struct {
	Present bool   `json:"present"`
	Rule    string `json:"rule,omitempty"`
}

// IgnoreRepair is the next step where it does not.
type IgnoreRepair struct {
	Required         bool     `json:"required"`
	Action           string   `json:"action"`
	Reason           string   `json:"reason"`
	TargetFile       string   `json:"target_file,omitempty"`
	PatternsToAppend []string `json:"patterns_to_append,omitempty"`
	NextCommand      string   `json:"next_command,omitempty"`
	Description      string   `json:"description,omitempty"`
}

// LanguageCount is how much of one language an index holds.
type LanguageCount struct {
	Language    string `json:"language"`
	Files       int    `json:"files"`
	Definitions int    `json:"definitions"`
}

// Watcher says how changes come to be known.
type Watcher struct {
	// State is active (every change is heard of), starting, recovery (events were
	// lost, and a look at everything is due), degraded (some directories are not
	// watched), polling (no events) or off.
	State string `json:"state"`
	// Reason says why the state is degraded or polling: then, as in any state but
	// active, changes are found by looking at the files.
	Reason      string  `json:"reason,omitempty"`
	Watches     int     `json:"watches"`
	Events      uint64  `json:"events"`
	Overflows   uint64  `json:"overflows"`     // how often events were lost
	LastEventAt float64 `json:"last_event_at"` // Unix seconds; 0: none yet
}

// Process is one of those that share an index.
type Process struct {
	PID     int     `json:"pid"` // 0: not known
	Version string  `json:"version"`
	Since   float64 `json:"since"` // Unix seconds; when it began to lead, or to follow
	Calls   int64   `json:"calls"` // that it has made on this index since then
}

// Status is the health of an index.
type Status struct {
	Enabled           bool             `json:"enabled"`
	IndexExists       bool             `json:"index_exists"`
	Generation        graph.Generation `json:"generation"`
	IndexedAt         *float64         `json:"indexed_at"`
	FilesIndexed      int              `json:"files_indexed"`
	FilesStale        int              `json:"files_stale"`
	LastJob           *Job             `json:"last_job"`
	Capabilities      []string         `json:"capabilities"`
	GraphBackend      string           `json:"graph_backend"`
	DirtyPathsCount   int              `json:"dirty_paths_count"`
	ColdIndexRequired bool             `json:"cold_index_required"`
	LastRefreshKind   string           `json:"last_refresh_kind"` // none, changed, full
	IsStale           bool             `json:"is_stale"`
	StalePathsCount   int              `json:"stale_paths_count"`
	IndexStorageBytes int64            `json:"index_storage_bytes"` // disk blocks
	GitignoreCoverage IgnoreRule       `json:"gitignore_coverage"`
	IgnoreRulePresent bool             `json:"managed_ignore_rule_present"`
	IgnoreRuleRepair  IgnoreRepair     `json:"managed_ignore_rule_repair"`
	ReindexInProgress bool             `json:"reindex_in_progress"`
	Progress          *Progress        `json:"progress,omitempty"`
	LastSweepAt       float64          `json:"last_sweep_at"`
	Watcher           Watcher          `json:"watcher"`
	Workspace         string           `json:"workspace"`
	Leader            bool             `json:"leader"` // this process owns the index
	LeaderPID         int              `json:"leader_pid,omitempty"`
	Leading           *Process         `json:"leading_process,omitempty"`
	Followers         []Process        `json:"following_processes,omitempty"` // longest first
	Degraded          string           `json:"degraded,omitempty"`            // why tools run live, or why nothing new is indexed
	SourceBytes       int64            `json:"source_bytes"`
	Languages         []LanguageCount  `json:"languages"`
	Partial           int              `json:"files_partial"`
	Failed            []FailedFile     `json:"failed_files"` // at most 100
	Odd               []OddFiles       `json:"odd_files"`    // failed and partial ones among them, by kind
	HubsGeneration    graph.Generation `json:"hubs_generation,omitempty"`
}
