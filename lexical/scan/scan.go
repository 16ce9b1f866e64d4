// Package scan runs a pattern over a list of files in parallel and returns matching
// lines in the order of the list. Live search hands it all files, indexed search the
// candidates; it cannot tell which. It opens nothing itself: the caller injects how
// a path is read, and thereby what may be read.
package scan

import (
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// firstBuffer holds most files.
const firstBuffer = 64 << 10

// keepBuffer is the largest read buffer that a worker keeps for its next file.
const keepBuffer = 4 << 20

// Files reads files for a scan.
type Files interface {
	// Read returns the bytes of the file, in buf where it is large enough. It is
	// called from several goroutines, each with its own buf. An error that wraps a
	// Skip counts the file as skipped for that reason; any other, as unreadable.
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
	// FilesOnly stops at the first match of each file and leaves out text and hash.
	FilesOnly bool
	// NoHash leaves out Match.Hash, which costs about a millisecond a megabyte of the
	// files that match.
	NoHash bool
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
	Cut           bool // Text is not the whole line: its first MaxText bytes, or those around the match
	Before, After []string
	// Hash is that of the whole file's bytes as they were matched; zero with
	// FilesOnly or NoHash.
	Hash graph.Hash
}

// Place is a line of a file.
type Place struct {
	Path graph.Path
	Line uint32 // 1-based
}

// mostGivenUp ends a scan: a pattern that is too dear for so many files is the mistake.
const mostGivenUp = 4

// Result is what a scan found.
type Result struct {
	Matches   []Match
	Files     int  // files with a match among Matches
	Truncated bool // there are more matches than Limit
	// GaveUp are the lines that took a backtracking pattern's whole budget. What their
	// files hold before them is among Matches, what they hold from there on was not
	// looked at; behind mostGivenUp of them nothing was.
	GaveUp  []Place
	Scanned int            // files whose bytes were looked at, up to the last one needed
	Skipped map[string]int // files left out among those, by reason
}

// Run scans. On cancellation or deadline it returns what was found up to the first
// file that was not finished, in order, together with the error of ctx. The result is
// never nil.
func Run(ctx context.Context, r Request) (*Result, error) {
	s := &scan{Request: r, slots: make([]*slot, len(r.Paths)), want: math.MaxInt}
	if r.Limit > 0 {
		s.want = r.Limit + 1 // one more tells whether there is more
	}
	s.last.Store(int64(len(r.Paths)) - 1)
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	for range min(workers, len(r.Paths)) {
		wg.Go(func() { s.work(ctx) })
	}
	wg.Wait()
	return s.result(ctx)
}

// scan is one run. Workers claim files in order; the frontier moves over finished
// ones, and as soon as it holds enough matches nothing behind it is claimed.
type scan struct {
	Request
	want  int
	slots []*slot      // nil: not finished; most are nothing
	next  atomic.Int64 // next file to claim
	last  atomic.Int64 // last file worth claiming
	found atomic.Int64 // matches before the frontier

	nothing slot // what most files give

	mu       sync.Mutex
	frontier int // first file that is not finished
	gaveUp   int // files before the frontier that were left at a line
}

// slot is the result of one file.
type slot struct {
	skip    Skip
	err     error
	gaveUp  uint32 // line, or 0
	matches []Match
}

func (s *scan) work(ctx context.Context) {
	buf, out := make([]byte, 0, firstBuffer), &slot{}
	for {
		i := s.next.Add(1) - 1
		if i > s.last.Load() || ctx.Err() != nil {
			return
		}
		buf = s.file(ctx, s.Paths[i], buf, out)
		if ctx.Err() != nil && out.err != nil {
			return // not finished
		}
		if s.finish(int(i), out) {
			out = &slot{}
		}
		if cap(buf) > keepBuffer {
			buf = nil
		}
	}
}

// finish stores the result of a file and moves the frontier. kept is false for a result
// that is nothing.
func (s *scan) finish(i int, out *slot) (kept bool) {
	if kept = out.skip != "" || out.err != nil || out.gaveUp > 0 || len(out.matches) > 0; !kept {
		out = &s.nothing
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots[i] = out
	for ; s.frontier < len(s.slots) && s.slots[s.frontier] != nil; s.frontier++ {
		f := s.slots[s.frontier]
		if f == &s.nothing {
			continue
		}
		dear := f.gaveUp > 0
		if dear {
			s.gaveUp++
		}
		if s.found.Add(int64(len(f.matches))) >= int64(s.want) || f.err != nil || dear && s.gaveUp == mostGivenUp {
			s.last.Store(min(s.last.Load(), int64(s.frontier)))
		}
	}
	return kept
}

// file scans one file into out and returns the buffer for the next.
func (s *scan) file(ctx context.Context, p graph.Path, buf []byte, out *slot) []byte {
	src, err := s.Files.Read(p, buf[:0])
	if err != nil {
		if !errors.As(err, &out.skip) {
			out.skip = SkipUnreadable
		}
		return buf
	}
	if c := match.Classify(src); c != graph.ContentText {
		out.skip = Skip(c)
		return src
	}
	room := s.want - int(s.found.Load())
	out.err = s.Pattern.Lines(ctx, src, func(m match.LineMatch) bool {
		out.matches = append(out.matches, s.match(p, src, m))
		return !s.FilesOnly && len(out.matches) < room
	})
	var dear *match.PatternError
	if errors.As(out.err, &dear) && dear.Kind == match.OverBudget {
		out.err, out.gaveUp = nil, dear.Line
	}
	if len(out.matches) > 0 && !s.FilesOnly && !s.NoHash {
		h := graph.Hash(sha256.Sum256(src))
		for i := range out.matches {
			out.matches[i].Hash = h
		}
	}
	return src
}

// result gathers the finished files in order.
func (s *scan) result(ctx context.Context) (*Result, error) {
	r := &Result{Skipped: map[string]int{}}
	for i, f := range s.slots {
		if f == nil {
			return r, ctx.Err()
		}
		if f.skip != "" {
			r.Skipped[string(f.skip)]++
			continue
		}
		r.Scanned++
		room := s.want - len(r.Matches)
		if s.Limit > 0 && len(f.matches) >= room {
			f.matches = f.matches[:room-1]
			r.Truncated = true
		}
		if len(f.matches) > 0 {
			r.Files++
			r.Matches = append(r.Matches, f.matches...)
		}
		if r.Truncated {
			return r, nil
		}
		if f.err != nil {
			return r, f.err
		}
		if f.gaveUp > 0 {
			r.GaveUp = append(r.GaveUp, Place{s.Paths[i], f.gaveUp})
			if len(r.GaveUp) == mostGivenUp {
				return r, nil
			}
		}
	}
	return r, nil
}
