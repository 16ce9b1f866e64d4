// Package kill tests that an index survives the end of its processes. Servers on one
// workspace index, save, compact, lead and change files, and are killed at random
// moments or at a chosen step of their writing, to which they are brought; after each
// kill another process answers, and its answers are compared with what is in the files.
//
// It starts the servers as it is told and speaks the protocol with them; what they
// are, its caller knows.
package kill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Options say what is killed, and how often.
type Options struct {
	Dir   string // the workspace, which is changed; names that begin with it are used beside it
	Kills int
	Seed  uint64
	// Steps are those at which a server can end itself: as many kills as there can be
	// are at the step that was met least often.
	Steps []Step
	// Unpublished is the step of a run of which words may be on the disk, and of which
	// nothing is published yet.
	Unpublished string
	// Server prepares a server process on the workspace. It kills itself when a Target
	// on the file says so, and says on its error stream "died at STEP".
	Server func(aim string) *exec.Cmd
	// Same compares the index, which no process holds, with a new one, and says how
	// they differ; "" when they do not. It is asked every SameEvery kills.
	Same      func(ctx context.Context) (string, error)
	SameEvery int
	Log       io.Writer
}

// Outcome is what was found.
type Outcome struct {
	Kills     int
	AtSteps   map[string]int // kills at each step
	Takeovers int            // verifications by a process that another's death left alone
	Checks    int            // answers that were compared
	Compared  int            // indexes that were compared with a new one
	Wrong     int
	Stuck     int // indexes that did not come back by themselves
	Rebuilt   int // times that a part of an index was damaged and built again
	Copied    int // indexes that were replaced by a copy made while they were in use
	Deleted   int // indexes that were deleted under their servers
	Samples   []string
}

const (
	maxSamples  = 20
	recoverTime = 2 * time.Minute  // within which an index must be back
	restTime    = 100              // milliseconds: the longest pause between edits
	stepTime    = 20 * time.Second // that a process has to reach its step
	randomShare = 4                // of so many kills one is at a random moment
	indexDir    = ".agent"
)

// foreign lists directories of other formats beside that of the index, which nobody
// may touch.
func foreign() []string {
	return []string{indexDir + "/ralph-explore/v0", indexDir + "/ralph-explore/v9999"}
}

// run is one test on its way.
type run struct {
	o     Options
	rng   *rand.Rand
	files *fileSet
	procs []*process
	aim   aim
	tries map[string]int // by step: rounds that aimed at it
	out   *Outcome
}

// Run kills servers until it has done so often enough. An error is one of the test
// itself: what is wrong with the servers is in the outcome.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	r := &run{
		o: o, rng: rand.New(rand.NewPCG(o.Seed, 5)), aim: aim{file: o.Dir + "-aim"}, tries: map[string]int{},
		out: &Outcome{AtSteps: map[string]int{}},
	}
	var err error
	if r.files, err = prepare(o.Dir, r.rng); err != nil {
		return nil, err
	}
	if err := r.forgetIndex(); err != nil {
		return nil, err
	}
	defer r.end()
	for r.out.Kills < o.Kills && ctx.Err() == nil {
		before := r.out.Kills
		if err := r.round(ctx); err != nil {
			return nil, err
		}
		if r.o.SameEvery > 0 && before/r.o.SameEvery != r.out.Kills/r.o.SameEvery {
			if err := r.compare(ctx); err != nil {
				return nil, err
			}
		}
	}
	return r.out, ctx.Err()
}

// round brings servers to where one dies, and looks at what the next one says.
func (r *run) round(ctx context.Context) error {
	step, ways, what := r.choose(), anyWay(), "a random moment"
	way := ways[r.rng.IntN(len(ways))]
	if step != nil {
		way, what = step.Ways[r.rng.IntN(len(step.Ways))], step.Name
	}
	died, err := r.drive(ctx, step, way)
	if err := errors.Join(err, r.aim.nowhere()); err != nil {
		return fmt.Errorf("%s, on the way %s: %w", what, way, err)
	}
	if died == nil && len(r.procs) > 0 {
		died = r.victim(ctx)
	}
	at := ""
	if died != nil {
		at = r.bury(died)
	}
	_, _ = fmt.Fprintf(r.o.Log, "kill %d at %q, wanted %q, on the way %s; %d checks, %d wrong, %d stuck\n",
		r.out.Kills, at, what, way, r.out.Checks, r.out.Wrong, r.out.Stuck)
	return r.verify(ctx)
}

// forgetIndex deletes the index, and puts directories of other formats where it was.
func (r *run) forgetIndex() error {
	dir := filepath.Join(r.o.Dir, indexDir)
	for range 10 { // its servers may be writing
		if os.RemoveAll(dir) == nil {
			break
		}
	}
	for _, f := range foreign() {
		if err := os.MkdirAll(filepath.Join(r.o.Dir, f), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.o.Dir, f, "kept"), []byte(f), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// victim kills a process: the leader mostly, sometimes while it closes.
func (r *run) victim(ctx context.Context) *process {
	p := r.leading(ctx)
	if r.rng.IntN(8) == 0 {
		p = r.procs[r.rng.IntN(len(r.procs))]
	}
	if r.rng.IntN(6) == 0 {
		_ = p.in.Close() // it begins to end by itself
		select {
		case <-p.gone:
		case <-time.After(time.Duration(r.rng.IntN(60)) * time.Millisecond):
		}
	}
	_ = p.cmd.Process.Kill()
	<-p.gone
	return p
}

// bury takes note of the end of a process, and returns the step that it was at.
func (r *run) bury(p *process) (step string) {
	for i := range r.procs {
		if r.procs[i] == p {
			r.procs = append(r.procs[:i], r.procs[i+1:]...)
			break
		}
	}
	p.close()
	r.out.Rebuilt += p.logs.count("building it again")
	if step = p.logs.after("died at "); step != "" {
		r.out.AtSteps[step]++
	}
	r.out.Kills++
	return step
}

// compare has a server remove what others left, ends all processes, and has the index
// compared with a new one.
func (r *run) compare(ctx context.Context) error {
	r.end()
	if err := r.verify(ctx); err != nil {
		return err
	}
	r.end()
	for _, f := range foreign() {
		if b, err := os.ReadFile(filepath.Join(r.o.Dir, f, "kept")); err != nil || string(b) != f {
			r.wrong("what lies in %s was changed: %q, %v", f, b, err)
		}
	}
	left, err := r.strays()
	if err != nil {
		return err
	}
	if len(left) > 0 {
		r.wrong("unfinished files are left: %q", left)
	}
	diff, err := r.o.Same(ctx)
	if err != nil {
		return err
	}
	r.out.Compared++
	if diff != "" {
		r.wrong("an index differs from a new one: %s", diff)
	}
	return nil
}

func (r *run) end() {
	for _, p := range r.procs {
		_ = p.cmd.Process.Kill()
		<-p.gone
		p.close()
	}
	r.procs = nil
}

func (r *run) wrong(format string, args ...any) {
	r.out.Wrong++
	r.sample(format, args...)
}

func (r *run) sample(format string, args ...any) {
	text := fmt.Sprintf("after kill %d: ", r.out.Kills) + fmt.Sprintf(format, args...)
	_, _ = fmt.Fprintln(r.o.Log, text)
	if len(r.out.Samples) < maxSamples {
		r.out.Samples = append(r.out.Samples, text)
	}
}
