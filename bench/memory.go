package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const (
	peakMB = 1000 // of all processes while the tree is indexed for the first time
	idleMB = 250  // of all processes at rest

	memoryTick = 50 * time.Millisecond
	// A server is at rest when its processes have used no more than restWork in the last
	// restSpan, though not before restLeast: idle work waits for up to half a minute. It
	// is then watched for restWatched, in which a sweep falls.
	restWork     = 400 * time.Millisecond
	restSpan     = 8 * time.Second
	restLeast    = 45 * time.Second
	restWatched  = 65 * time.Second
	restPatience = 5 * time.Minute
	// restLong is when a server has dropped what questions left in its memory.
	restLong = 150 * time.Second
	// goroutinesMore may be busy at the moment of a count.
	goroutinesMore = 4
)

// MemoryOptions say what serves, and how much it is asked.
type MemoryOptions struct {
	Server    string // the program: ralph-index
	Questions int
}

// memory is one run of the suite.
type memory struct {
	c      *Config
	server string
	dir    string // a copy of the tree, without an index
	r      *Report
}

// Memory has a server index a copy of the tree, asks it what nobody has asked before,
// and says what its processes take meanwhile, and at rest before and after. Linux alone
// tells what that is.
func Memory(ctx context.Context, c *Config, o MemoryOptions) (*Report, error) {
	if err := procPresent(); err != nil {
		return nil, err
	}
	questions, err := memoryQuestionsOf(ctx, c, o.Questions)
	if err != nil {
		return nil, err
	}
	m := &memory{c: c, server: o.Server, dir: filepath.Join(c.Work, "memory-"+c.Tree), r: &Report{}}
	if err := os.RemoveAll(m.dir); err != nil {
		return nil, err
	}
	if err := os.CopyFS(m.dir, os.DirFS(c.Dir)); err != nil {
		return nil, fmt.Errorf("copy the tree: %w", err)
	}
	if err := os.RemoveAll(filepath.Join(m.dir, ".agent")); err != nil {
		return nil, err
	}
	asked, err := m.used(ctx, questions)
	if err != nil {
		return nil, err
	}
	fresh, err := m.unused(ctx)
	if err != nil {
		return nil, err
	}
	m.r.add(c, "memory", "goroutines more than of one that nobody asked", float64(asked-fresh), "", atMost(goroutinesMore), note("%d -> %d", fresh, asked))
	return m.r, nil
}

// used measures a server that indexes the tree and is asked, and returns its goroutines.
func (m *memory) used(ctx context.Context, questions []memoryQuestion) (goroutines int, err error) {
	s, err := m.serve(ctx)
	if err != nil {
		return 0, err
	}
	defer s.kill()
	if err := s.indexed(ctx); err != nil {
		return 0, err
	}
	before, err := s.rest(ctx, restLeast)
	if err != nil {
		return 0, err
	}
	peak := s.peak.take() // with what is done after an index is there
	m.r.add(m.c, "memory", "peak of all processes, cold indexing", mb(peak.anon), "MB", atMost(peakMB),
		note("%.0f MB of them the server's, %d processes", mb(peak.own), peak.processes))
	m.idle("at rest after indexing", before, idleMB)
	for _, q := range questions {
		if err := s.ask(ctx, q); err != nil {
			return 0, err
		}
	}
	asked := time.Now()
	after, err := s.rest(ctx, restLeast)
	if err != nil {
		return 0, err
	}
	peak = s.peak.take()
	m.r.add(m.c, "memory", fmt.Sprintf("peak of all processes, %d questions", len(questions)), mb(peak.anon), "MB",
		note("%.0f MB of them the server's, %d processes", mb(peak.own), peak.processes))
	m.idle(fmt.Sprintf("soon after %d questions", len(questions)), after, 0)
	m.r.add(m.c, "memory", "descriptors more after the questions", float64(after.descriptors-before.descriptors), "", atMost(0),
		note("%d -> %d; threads %d -> %d", before.descriptors, after.descriptors, before.threads, after.threads))
	long, err := s.rest(ctx, restLong-time.Since(asked))
	if err != nil {
		return 0, err
	}
	m.idle(fmt.Sprintf("at rest, %.0f s after the questions", restLong.Seconds()), long, idleMB)
	return s.quit(ctx)
}

// unused measures a server on the index that is there, and returns its goroutines.
func (m *memory) unused(ctx context.Context) (goroutines int, err error) {
	s, err := m.serve(ctx)
	if err != nil {
		return 0, err
	}
	defer s.kill()
	if err := s.indexed(ctx); err != nil {
		return 0, err
	}
	at, err := s.rest(ctx, restLeast)
	if err != nil {
		return 0, err
	}
	m.idle("at rest, opened on an index", at, idleMB)
	return s.quit(ctx)
}

// idle reports what was seen at rest; a mark of 0 is none.
func (m *memory) idle(name string, at rested, mark float64) {
	said := []func(*Row){
		note("the most in %.0f s, least %.0f MB; %.0f MB the server's, %d processes", restWatched.Seconds(), mb(at.least), mb(at.own), at.processes),
	}
	if mark > 0 {
		said = append(said, atMost(mark))
	}
	m.r.add(m.c, "memory", name, mb(at.anon), "MB", said...)
}
