package query

import (
	"errors"

	"github.com/ralph-index/ralph-index/graph"
)

// Type is the kind of question.
type Type string

// The five questions.
const (
	Neighbors Type = "neighbors"
	Path      Type = "path"
	Impact    Type = "impact"
	Hubs      Type = "hubs"
	Tests     Type = "tests"
)

// Direction is the side of a node on which neighbors looks.
type Direction string

// The directions. The zero value means Both.
const (
	Out  Direction = "out"
	In   Direction = "in"
	Both Direction = "both"
)

// ChangeKind is what is going to happen to the target of an impact question. It
// selects the relations that carry the impact.
type ChangeKind string

// The kinds of change. The zero value means ChangeUnknown.
const (
	ChangeRename    ChangeKind = "rename"
	ChangeSignature ChangeKind = "signature"
	ChangeBehavior  ChangeKind = "behavior"
	ChangeDelete    ChangeKind = "delete"
	ChangeUnknown   ChangeKind = "unknown"
)

// Limits of the arguments, and their defaults.
const (
	DefaultLimit      = 25
	MaxLimit          = 100
	DefaultDepth      = 1 // neighbors
	MaxNeighborDepth  = 3
	DefaultPathDepth  = 6
	MaxPathDepth      = 6
	DefaultMaxPaths   = 3
	MaxPaths          = 10
	DefaultTimeoutMS  = 5000
	MaxTimeoutMS      = 30000
	UnlimitedDistance = 0 // impact depth: until limit or budget
)

// Request is one question. Zero fields take the defaults above; the caller has
// checked the ranges.
type Request struct {
	Type       Type             `json:"query_type"`
	Target     string           `json:"target,omitempty"`
	TargetB    string           `json:"target_b,omitempty"`
	Relations  []graph.Relation `json:"relations,omitempty"` // empty: all
	Limit      int              `json:"limit,omitempty"`
	Direction  Direction        `json:"direction,omitempty"`
	Depth      int              `json:"depth,omitempty"`
	MaxPaths   int              `json:"max_paths,omitempty"`
	ChangeKind ChangeKind       `json:"change_kind,omitempty"`
	ScopePath  graph.Path       `json:"scope_path,omitempty"` // a directory or file; "" is everything
	Relation   graph.Relation   `json:"relation,omitempty"`   // hubs and tests: only this one
	Role       graph.Role       `json:"role,omitempty"`       // hubs and tests: only files of this role
}

// Node is one symbol of an answer.
type Node struct {
	ID          string           `json:"id"`    // symbol id
	Kind        string           `json:"kind"`  // graph.Kind, or "file"
	Label       string           `json:"label"` // full qualified name; a file's path
	Path        graph.Path       `json:"path"`
	Line        uint32           `json:"line"` // of the definition's name; 1 for a file
	EndLine     uint32           `json:"end_line"`
	Signature   string           `json:"signature,omitempty"`
	Confidence  float64          `json:"confidence"`
	Provenance  graph.Provenance `json:"provenance"`
	EvidenceIDs []string         `json:"evidence_ids"` // span id of the definition; each opens with read_file
	Distance    int              `json:"distance,omitempty"`
	Score       float64          `json:"score,omitempty"`
	Reasons     []string         `json:"reasons,omitempty"`
}

// Edge is one relation of an answer.
type Edge struct {
	Source     string           `json:"source"` // node ids
	Target     string           `json:"target"`
	Relation   graph.Relation   `json:"relation"`
	Path       graph.Path       `json:"path"` // where the text of the edge stands
	Line       uint32           `json:"line"`
	Col        uint32           `json:"col"`
	Confidence float64          `json:"confidence"`
	Provenance graph.Provenance `json:"provenance"`
	Reason     graph.Reason     `json:"reason"`
	EvidenceID string           `json:"evidence_id"`
}

// SuggestedTest is one test that is likely to notice a change of the target.
type SuggestedTest struct {
	ID         string           `json:"id"`
	Path       graph.Path       `json:"path"`
	Name       string           `json:"name"` // qualified name of the test definition, or the path
	Kind       string           `json:"kind"` // "test", or "test_file" where no single test is known
	Line       uint32           `json:"line"`
	Confidence float64          `json:"confidence"`
	Provenance graph.Provenance `json:"provenance"`
	Distance   int              `json:"distance"` // calls between the test and the target; 0 where no chain is known
	Reasons    []string         `json:"reasons"`
	EvidenceID string           `json:"evidence_id"`
}

// Word is one entry of the closed vocabulary of missing data.
type Word string

// The vocabulary. Each word is set only by its trigger; ARCHITECTURE.md has the
// table of triggers and fixtures.
const (
	MissingDeadline      Word = "deadline_exceeded"               // the budget ended; the answer is what was found
	MissingCancelled     Word = "cancelled"                       // the caller gave up
	MissingFreshness     Word = "freshness_required"              // the promise could not be kept in time
	MissingTarget        Word = "target_unresolved"               // no definition or file matches target
	MissingEndpoint      Word = "endpoint_unresolved"             // path: no definition matches target_b
	MissingTargetB       Word = "target_b_required"               // path without target_b
	MissingAmbiguous     Word = "ambiguous_symbol"                // several definitions match: candidates are in nodes
	MissingPath          Word = "no_path"                         // none within depth
	MissingIndex         Word = "index_not_ready"                 // no generation was published yet
	MissingDynamic       Word = "dynamic_dispatch_possible"       // a call on the way may reach other definitions at run time, or is of a value
	MissingUnresolved    Word = "unresolved_names"                // references with the target's name, or made by what is expanded, that no rule could bind
	MissingFailedFiles   Word = "failed_files"                    // files without (full) structure that hold the target's name
	MissingGenerated     Word = "generated_vendor_caller_present" // callers in generated or vendored code
	MissingCoverage      Word = "behavioral_coverage_unproven"    // tests: reachability is not execution
	MissingHubsPending   Word = "hubs_pending"                    // hubs are still being computed for this generation
	MissingNotIndexed    Word = "files_not_indexed"               // files that are new or changed, and not indexed yet, hold a name of the answer
	MissingUnindexedLang Word = "language_not_covered"            // files of a language without structure hold the target's name
)

// Missing is the evidence behind a word: how often, and where.
type Missing struct {
	Word  Word         `json:"word"`
	Count int          `json:"count"`
	Scope []graph.Path `json:"scope,omitempty"` // at most ten paths, sorted
	Names []string     `json:"names,omitempty"` // unresolved_names: at most ten of the names, sorted
}

// Answer is what every question gets, whichever parts apply. Slices are never nil.
type Answer struct {
	Type           Type             `json:"query_type"`
	Nodes          []Node           `json:"nodes"`
	Edges          []Edge           `json:"edges"`
	Paths          [][]string       `json:"paths"`          // node ids, start to end
	ImpactedFiles  []graph.Path     `json:"impacted_files"` // the likeliest first
	SuggestedTests []SuggestedTest  `json:"suggested_tests"`
	Confidence     float64          `json:"confidence"` // least over what is returned; 0 when empty
	Provenance     graph.Provenance `json:"provenance"` // weakest over what is returned; "extracted" when empty
	EvidenceIDs    []string         `json:"evidence_ids"`
	MissingData    []Word           `json:"missing_data"`
	Generation     graph.Generation `json:"-"`         // the freshness block shows it
	Truncated      bool             `json:"truncated"` // more exists than limit let through
	Cancelled      bool             `json:"cancelled"`
	Deadline       bool             `json:"deadline_exceeded"`
	Metadata       Metadata         `json:"metadata"`
}

// Metadata says how the question was understood.
type Metadata struct {
	Target       string           `json:"target,omitempty"`
	ResolvedID   string           `json:"resolved_id,omitempty"`
	ResolvedName string           `json:"resolved_name,omitempty"`
	TargetB      string           `json:"target_b,omitempty"`
	ResolvedIDB  string           `json:"resolved_id_b,omitempty"`
	Direction    Direction        `json:"direction,omitempty"`
	Depth        int              `json:"depth,omitempty"`
	Limit        int              `json:"limit"`
	MaxPaths     int              `json:"max_paths,omitempty"`
	ChangeKind   ChangeKind       `json:"change_kind,omitempty"`
	Relations    []graph.Relation `json:"relations,omitempty"`
	Centrality   string           `json:"centrality,omitempty"` // hubs: what score counts
	HubsAt       graph.Generation `json:"hubs_generation,omitempty"`
	Total        int              `json:"total,omitempty"` // results before the limit, where it is known
	Missing      []Missing        `json:"missing,omitempty"`
	// AmbiguousArgument is the argument that several definitions match: target or
	// target_b. The candidates are in nodes.
	AmbiguousArgument string   `json:"ambiguous_argument,omitempty"`
	StaleID           bool     `json:"stale_id,omitempty"`            // the target is an id of bytes that have changed
	Directory         bool     `json:"directory,omitempty"`           // a target is the path of a directory
	Nearest           []string `json:"nearest,omitempty"`             // what comes close to a target that matches nothing
	ReversePath       bool     `json:"reverse_path_exists,omitempty"` // path: there is none, but one leads from target_b to target
	Visited           int      `json:"visited"`                       // definitions looked at
	// Outside counts the references whose edges would start at a definition of a
	// neighbors answer and that lead out of the workspace: to built-ins, standard
	// libraries, packages. They are known, and no missing data.
	Outside int `json:"external_references,omitempty"`
	// PossibleCallers says through what the target of neighbors, or what impact reached,
	// may be called or used beside the edges: at most 20 entries.
	PossibleCallers []Passage `json:"possible_callers,omitempty"`
}

// Passage is a method that Target overrides or implements: a call of the method may run
// Target. Asking for the neighbors of Through lists all its callers. Of impact it may also
// be Target itself, which callers may mean by its name: nothing else is known of them.
type Passage struct {
	Target     string       `json:"target"`  // node ids
	Through    string       `json:"through"` // the method
	Label      string       `json:"label"`
	Path       graph.Path   `json:"path"`
	Line       uint32       `json:"line"`
	Reason     graph.Reason `json:"reason"`     // override, implements; by the name: candidates, unique_name
	Confidence float64      `json:"confidence"` // that the surest of the calls runs Target
	Count      int          `json:"count"`      // callers
	Callers    []Caller     `json:"callers"`    // the surest of them: of all passages at most 25
}

// Caller is a definition, or a file, that calls something.
type Caller struct {
	ID    string     `json:"id"`
	Label string     `json:"label"`
	Path  graph.Path `json:"path"`
	Line  uint32     `json:"line"`
}

// ErrNoTarget is returned for a question that needs a target and has none.
var ErrNoTarget = errors.New("target is empty")
