package kill

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Way is how servers are brought to a step.
type Way string

// The ways.
const (
	Start  Way = "start"  // a server starts, takes over, or finds a copy of an index
	Make   Way = "make"   // there is no index, or no longer
	Save   Way = "save"   // few files change
	Burst  Way = "burst"  // hundreds of files change at once
	Rebase Way = "rebase" // almost all of the files change at once
	Full   Way = "full"   // everything is indexed anew
	Rest   Way = "rest"   // after much work comes idle work, beside saves
	End    Way = "end"    // a server ends in order
	Resume Way = "resume" // a run was cut off before it published
	Write  Way = "write"  // tools change files
)

// Step is a moment at which a server can end itself, and the ways to it.
type Step struct {
	Name string
	Ways []Way
}

// aim is the file that tells servers at which step the first of them is to end.
type aim struct {
	file string
	n    int // aims so far: none is like another
}

// at has the first server that reaches the step for the nth time end there, linger
// after it has reached it.
func (a *aim) at(step string, n int, linger time.Duration) error {
	a.n++
	tmp := a.file + ".tmp"
	if err := os.WriteFile(tmp, fmt.Appendf(nil, "%s\n%d\n%d\n%d", step, n, linger.Milliseconds(), a.n), 0o600); err != nil {
		return fmt.Errorf("aim at a step: %w", err)
	}
	return os.Rename(tmp, a.file)
}

// nowhere takes the aim back.
func (a *aim) nowhere() error {
	if err := os.Remove(a.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("aim nowhere: %w", err)
	}
	return nil
}

// Target is the side of the servers. It is safe for concurrent use.
type Target struct {
	file string
	mu   sync.Mutex
	aim  string
	seen int
}

// NewTarget returns the target for a server that was given the file.
func NewTarget(file string) *Target { return &Target{file: filepath.Clean(file)} }

// Reached reports whether the process is to end now, at a step that it has reached,
// and how long after this moment. It says so to one process, once for each aim.
func (t *Target) Reached(step string) (linger time.Duration, end bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text, err := os.ReadFile(t.file)
	if err != nil { // there is no aim
		return 0, false
	}
	if string(text) != t.aim {
		t.aim, t.seen = string(text), 0
	}
	name, rest, _ := strings.Cut(t.aim, "\n")
	if name != step {
		return 0, false
	}
	var n, ms int
	if _, err := fmt.Sscan(rest, &n, &ms); err != nil {
		return 0, false
	}
	if t.seen++; t.seen < n || os.Remove(t.file) != nil { // which one process succeeds in
		return 0, false
	}
	return time.Duration(ms) * time.Millisecond, true
}

// choose picks the step that servers have ended at, or were brought to in vain, least
// often; nil is a random moment.
func (r *run) choose() *Step {
	if len(r.o.Steps) == 0 || r.rng.IntN(randomShare) == 0 {
		return nil
	}
	effort := func(s *Step) int { return 3*r.out.AtSteps[s.Name] + r.tries[s.Name] }
	var best *Step
	for _, i := range r.rng.Perm(len(r.o.Steps)) {
		if s := &r.o.Steps[i]; best == nil || cmp.Less(effort(s), effort(best)) {
			best = s
		}
	}
	r.tries[best.Name]++
	return best
}
