// Package scan runs a pattern over a list of files in parallel and returns matching
// lines in the order of the list. Live search hands it all files, indexed search the
// candidates; it cannot tell which. It opens nothing itself: the caller injects how
// a path is read, and thereby what may be read.
package scan

import (
	"context"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// Files reads files for a scan.
type Files interface {
	// Read returns the bytes of the file, in buf where it is large enough. It is
	// called from several goroutines, each with its own buf. An error that wraps
	// Skip with a reason counts the file as skipped; so does any other error, as
	// unreadable.
	Read(p graph.Path, buf []byte) ([]byte, error)
}

// Skip is an error of Files.Read that says why a file is left out: "too_large", …
type Skip string

func (s Skip) Error() string { return "skip file: " + string(s) }

// Reasons for which a scan itself leaves out a file.
const (
	SkipBinary     = Skip(graph.ContentBinary)
	SkipUTF16      = Skip(graph.ContentUTF16)
	SkipUnreadable = Skip(graph.ContentUnreadable)
)

// Request is what to scan and when to stop.
type Request struct {
	Pattern *match.Pattern
	Paths   []graph.Path // results come in this order
	Files   Files
	// Limit ends the scan after that many matches (files, when FilesOnly); 0 is no
	// limit. The result is the first Limit matches in order, whatever the timing.
	Limit int
	// FilesOnly stops at the first match of each file.
	FilesOnly bool
	// Before and After are the lines of context to keep with each match.
	Before, After int
	// MaxText cuts the text of long lines to that many bytes; 0 is no cap.
	MaxText int
	Workers int // 0: GOMAXPROCS
}

// Match is a matching line with its text, as bytes of the file.
type Match struct {
	Path graph.Path
	match.LineMatch
	Text          string
	Cut           bool // Text is the line's first MaxText bytes, or those around the match
	Before, After []string
	// Hash is that of the whole file's bytes as they were matched.
	Hash graph.Hash
}

// Result is what a scan found.
type Result struct {
	Matches   []Match
	Files     int // files with a match among Matches
	Truncated bool
	Scanned   int            // files whose bytes were looked at
	Skipped   map[string]int // files left out, by reason
}

// Run scans. On cancellation or deadline it returns what was found up to the first
// file that was not finished, in order, together with the error of ctx.
func Run(ctx context.Context, r Request) (*Result, error) { return &Result{}, nil }
