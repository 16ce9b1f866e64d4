package api

import "context"

// Files is what a Service answers about the files themselves.
type Files interface {
	// ReadMany reads several files or pieces of evidence. One that fails fails alone.
	ReadMany(ctx context.Context, req *ReadManyRequest) (*ReadManyAnswer, error)
	// Stat says what stands at a path. That nothing does is an answer.
	Stat(ctx context.Context, req *StatRequest) (*StatAnswer, error)
	// Roots lists the directories that paths may lead into, the workspace first.
	Roots(ctx context.Context) (*RootsAnswer, error)
}

// ReadManyRequest is several reads at once.
type ReadManyRequest struct {
	Items []ReadItem `json:"items"`
	// FailFast ends the call at the first item that fails; the ones after it are
	// reported as not read.
	FailFast bool `json:"fail_fast,omitempty"`
}

// ReadItem is one of them. Its MaxBytes bounds the content of this item.
type ReadItem struct {
	ReadRequest
	// Refused is an item that its caller could not make a read of. It fails with this.
	Refused *Error `json:"refused,omitempty"`
}

// ReadManyAnswer has one result for each item, in their order.
type ReadManyAnswer struct {
	Results []ReadResult `json:"results"`
	// Truncated says that some content is cut, or that some items were not read.
	Truncated bool       `json:"truncated"`
	Freshness *Freshness `json:"freshness,omitempty"` // when an item asked for metadata
}

// ReadResult is an answer, an error, or neither when the call ended before it.
type ReadResult struct {
	Answer *ReadAnswer `json:"answer,omitempty"`
	Error  *Error      `json:"error,omitempty"`
	// NotRead says why the item was not looked at: fail_fast, deadline_exceeded,
	// cancelled.
	NotRead string `json:"not_read,omitempty"`
}

// NotReadFailFast is the reason for items behind one that failed. The others are
// codes of errors.
const NotReadFailFast = "fail_fast"

// StatRequest names a path.
type StatRequest struct {
	Path string `json:"path"`
}

// PathType is what stands at a path.
type PathType string

// The types.
const (
	TypeFile    PathType = "file" // whatever is no directory
	TypeDir     PathType = "dir"
	TypeMissing PathType = "missing"
)

// StatAnswer describes what a path leads to, links inside its root followed. Of a
// missing path only the type is known.
type StatAnswer struct {
	Type         PathType `json:"type"`
	SizeBytes    int64    `json:"size_bytes"`    // 0 for directories
	CreatedUnix  float64  `json:"created_unix"`  // when the inode changed last: systems keep no more
	ModifiedUnix float64  `json:"modified_unix"` // Unix seconds
	Mode         uint32   `json:"mode"`          // type and permission bits, as the system has them
	Link         bool     `json:"link,omitempty"`
	Special      string   `json:"special,omitempty"` // a file that cannot be read: fifo, socket, device
}

// RootsAnswer lists the allowed roots.
type RootsAnswer struct {
	AllowedRoots []string `json:"allowed_roots"` // absolute, links resolved
}

// Cancelled reports whether items were not read because the caller gave up.
func (a *ReadManyAnswer) Cancelled() bool {
	for i := range a.Results {
		r := &a.Results[i]
		if r.NotRead == string(CodeCancelled) || r.Error != nil && r.Error.Code == CodeCancelled {
			return true
		}
	}
	return false
}
