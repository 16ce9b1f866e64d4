package api

import (
	"context"

	"github.com/ralph-index/ralph-index/graph"
)

// Changes is how a Service changes files. The process that is asked changes them
// itself, and then tells the one that has the index.
type Changes interface {
	// Mutate makes one change. Once it is made it is no failure, whatever becomes of
	// the index.
	Mutate(ctx context.Context, req *MutateRequest) (*MutateAnswer, error)
	// Edit replaces pieces of a file, all of them or none. Once that is done it is no
	// failure, whatever becomes of the index.
	Edit(ctx context.Context, req *EditRequest) (*EditAnswer, error)
	// Changed takes note of files that the caller has changed.
	Changed(ctx context.Context, req *ChangedRequest) (*ChangedAnswer, error)
}

// Op is a kind of change.
type Op string

// The kinds.
const (
	OpWrite  Op = "write"
	OpAppend Op = "append"
	OpMkdir  Op = "create_directory"
	OpMove   Op = "move"
	OpCopy   Op = "copy"
	OpDelete Op = "delete"
)

// WriteClass says whose file a path is.
type WriteClass string

// The classes.
const (
	ClassTracked   WriteClass = "tracked"   // of the repository, or not ignored by it
	ClassEphemeral WriteClass = "ephemeral" // what git ignores
)

// ReindexPolicy is what follows a change.
type ReindexPolicy string

// The policies; the zero value means ReindexAuto.
const (
	ReindexAuto     ReindexPolicy = "auto"             // marked; a server indexes it at once, beside the answer
	ReindexSkip     ReindexPolicy = "skip"             // marked; whoever needs it indexes it
	ReindexBlocking ReindexPolicy = "changed_blocking" // indexed before the answer, within five seconds
)

// MutateRequest is one change. Paths are relative to the workspace, or absolute inside
// an allowed root.
type MutateRequest struct {
	Op        Op            `json:"op"`
	Path      string        `json:"path"`              // of OpMove and OpCopy the source
	Dest      string        `json:"dest,omitempty"`    // of OpMove and OpCopy
	Content   string        `json:"content,omitempty"` // of OpWrite and OpAppend
	Overwrite bool          `json:"overwrite,omitempty"`
	Recursive bool          `json:"recursive,omitempty"`
	Forbid    WriteClass    `json:"forbid,omitempty"` // OpWrite: files that the caller may not write
	Reindex   ReindexPolicy `json:"reindex,omitempty"`
}

// MutateAnswer is what a change did.
type MutateAnswer struct {
	Bytes     int64 `json:"bytes"`               // written or appended
	Created   bool  `json:"created,omitempty"`   // nothing stood there before
	Unchanged bool  `json:"unchanged,omitempty"` // the file had these bytes already
	// InPlace says that the bytes of the file were replaced, and not the file in one
	// step: it keeps its HardLinks names, or an owner that this process cannot give.
	InPlace   bool `json:"in_place,omitempty"`
	HardLinks int  `json:"hard_links,omitempty"` // 0: one
	// NotKept names extended attributes that the system did not let the new file have.
	NotKept     []string `json:"attributes_not_kept,omitempty"`
	Replaced    bool     `json:"replaced,omitempty"` // OpMove, OpCopy: a file that stood at the destination
	Directory   bool     `json:"directory,omitempty"`
	Entries     int      `json:"entries,omitempty"` // moved, copied or deleted, with those below
	ContentHash string   `json:"content_hash,omitempty"`
	// ChangedPaths are the files and directories that are not what they were, relative
	// to the workspace without links, or absolute in another root.
	ChangedPaths []string   `json:"changed_paths"`
	Freshness    *Freshness `json:"freshness,omitempty"` // nil: the index is disabled
}

// ChangedRequest names files and directories of the workspace that were changed: of
// directories, everything below them.
type ChangedRequest struct {
	Paths   []graph.Path  `json:"paths"`
	Reindex ReindexPolicy `json:"reindex,omitempty"`
}

// ChangedAnswer says how the index stands to them.
type ChangedAnswer struct {
	Freshness *Freshness `json:"freshness,omitempty"` // nil: the index is disabled
}
