package api

import "context"

// Lister is what a Service answers about the names of files.
type Lister interface {
	// List shows what a directory holds.
	List(ctx context.Context, req *ListRequest) (*ListAnswer, error)
	// Find looks for files by the form of their paths.
	Find(ctx context.Context, req *FindRequest) (*FindAnswer, error)
}

// ListScope says how far a listing goes and what it leaves out.
type ListScope string

// The scopes; the zero value means ScopeDirectory.
const (
	// ScopeDirectory is one directory, everything in it.
	ScopeDirectory ListScope = "directory"
	// ScopeDump is everything below: caches, dependencies and nested repositories are
	// named and not entered. It ends after 10,000 entries, and 50 levels down.
	ScopeDump ListScope = "dump"
	// ScopeTree is everything below, down to Depth, without what ScopeDump does not
	// enter by name, and without what Exclude names.
	ScopeTree ListScope = "tree"
)

// View says what a listing shows.
type View string

// The views; the zero value means ViewRaw. Raw is what the disk holds; the others
// show the files that the ignore rules let through, with what the index knows of
// them: counts, best first by definitions, or the definitions themselves.
const (
	ViewRaw     View = "raw"
	ViewCompact View = "compact"
	ViewRanked  View = "ranked"
	ViewOutline View = "outline"
)

// ListRequest asks for a listing.
type ListRequest struct {
	Path           string    `json:"path"`
	Scope          ListScope `json:"scope,omitempty"`
	Depth          *int      `json:"depth,omitempty"`   // ScopeTree: levels below the path; nil: all
	Exclude        []string  `json:"exclude,omitempty"` // ScopeTree: globs
	View           View      `json:"view,omitempty"`
	IncludeCounts  bool      `json:"include_counts,omitempty"`
	IncludeSymbols bool      `json:"include_symbols,omitempty"`
	ChangedOnly    bool      `json:"changed_only,omitempty"`
	LimitChildren  int       `json:"limit_children,omitempty"` // of each directory, in indexed listings; 0 and less: no limit
	UseIndex       UseIndex  `json:"use_index,omitempty"`
	TimeoutMS      int       `json:"timeout_ms,omitempty"`
}

// Indexed reports whether the index is asked for anything.
func (r *ListRequest) Indexed() bool {
	if r.UseIndex == IndexNever {
		return false
	}
	return r.View != "" && r.View != ViewRaw || r.IncludeCounts || r.IncludeSymbols || r.ChangedOnly || r.UseIndex == IndexAlways
}

// Node is a file, or a directory with what is shown of it.
type Node struct {
	Name string   `json:"name"`
	Type PathType `json:"type"`
	Path string   `json:"path"` // from the root; absolute in a further root
	Link bool     `json:"link,omitempty"`
	// Counts are those of everything below a directory, shown or not.
	Counts  *Counts        `json:"counts,omitempty"`
	Symbols []ListedSymbol `json:"symbols,omitempty"` // of a file: its outermost definitions
	// SymbolsOmitted counts those that are not listed for want of room.
	SymbolsOmitted int    `json:"symbols_omitted,omitempty"`
	Children       []Node `json:"children,omitzero"` // of a directory, never nil
	// ChildrenOmitted counts what LimitChildren cut from them.
	ChildrenOmitted int `json:"children_omitted,omitempty"`
}

// Counts say how much there is.
type Counts struct {
	Files   int  `json:"files,omitempty"`   // of a directory
	Symbols *int `json:"symbols,omitempty"` // definitions; nil: not known, for want of an index
}

// ListedSymbol is a definition in an outline.
type ListedSymbol struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Line uint32 `json:"line"`
}

// ListAnswer is a listing.
type ListAnswer struct {
	Root *Node `json:"root"` // nil: the path is no directory; only of raw listings without tree
	// Truncated says that a dump ended at its bounds, or that time ran out.
	Truncated bool `json:"truncated,omitempty"`
	Deadline  bool `json:"deadline_exceeded,omitempty"`
	Cancelled bool `json:"cancelled,omitempty"`
	// ChangedNote says who was asked what changed, when that was not the index.
	ChangedNote *string    `json:"changed_only_note,omitempty"`
	Freshness   *Freshness `json:"freshness,omitempty"` // when the index was asked for
}
