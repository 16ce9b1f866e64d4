// Package kill tests that an index survives the end of its processes. Servers on one
// workspace index, save, compact and lead while files change, and are killed at
// random moments or at a chosen step of their writing; after each kill another
// process answers, and its answers are compared with what is in the files.
//
// It starts the servers as it is told and speaks the protocol with them; what they
// are, its caller knows.
package kill

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// Options say what is killed, and how often.
type Options struct {
	Dir   string // the workspace, which is changed
	Kills int
	Seed  uint64
	Steps []string // names of the steps at which a server can end itself
	// Server prepares a server process on the workspace. It kills itself when it
	// reaches the step for the n-th time, and says so on its error stream as
	// "died at STEP"; "" is never.
	Server func(step string, n int) *exec.Cmd
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
	Samples   []string
}

const (
	maxSamples  = 20
	recoverTime = 2 * time.Minute // within which an index must be back
	restTime    = 300             // milliseconds: the longest pause between edits
	stepTime    = 5 * time.Second // that a process has to reach its step
)

// run is one test on its way.
type run struct {
	o     Options
	rng   *rand.Rand
	files *fileSet
	procs []*process
	out   *Outcome
}

// Run kills servers until it has done so often enough. An error is one of the test
// itself: what is wrong with the servers is in the outcome.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	r := &run{o: o, rng: rand.New(rand.NewPCG(o.Seed, 5)), out: &Outcome{AtSteps: map[string]int{}}}
	var err error
	if r.files, err = prepare(o.Dir, r.rng); err != nil {
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
		_, _ = fmt.Fprintf(o.Log, "%d kills, %d checks, %d wrong, %d stuck\n", r.out.Kills, r.out.Checks, r.out.Wrong, r.out.Stuck)
	}
	return r.out, ctx.Err()
}

// round works until a process dies, and looks at what the next one says.
func (r *run) round(ctx context.Context) error {
	if r.rng.IntN(12) == 0 { // a first index now and then
		r.end()
		if err := os.RemoveAll(filepath.Join(r.o.Dir, ".agent")); err != nil {
			return err
		}
	}
	for len(r.procs) < 2 {
		if err := r.launch(ctx, true); err != nil {
			return err
		}
	}
	died, err := r.work(ctx)
	if err != nil {
		return err
	}
	r.bury(died)
	return r.verify(ctx)
}

// work changes files until a process has ended itself, or kills the leader.
func (r *run) work(ctx context.Context) (*process, error) {
	end := time.Now().Add(time.Duration(r.rng.IntN(2500)) * time.Millisecond)
	if slices.ContainsFunc(r.procs, func(p *process) bool { return p.ends }) {
		end = end.Add(stepTime)
	}
	burst := []int{1, 3, 80, 300, 500}[r.rng.IntN(5)]
	job := ""
	switch r.rng.IntN(4) {
	case 0:
		job = "full"
	case 1, 2:
		job = "changed"
	}
	if job != "" {
		p := r.procs[r.rng.IntN(len(r.procs))]
		ask := p.begin(ctx, "ralph_reindex", map[string]any{"mode": job, "timeout_ms": 60_000})
		defer ask()
	}
	for ctx.Err() == nil {
		for range burst {
			if err := r.files.change(r.rng); err != nil {
				return nil, err
			}
		}
		burst = 1 + burst/3
		pause := time.Duration(r.rng.IntN(restTime)) * time.Millisecond
		for _, p := range r.procs {
			select {
			case <-p.gone:
				return p, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(pause / 2):
			}
		}
		if time.Now().After(end) {
			return r.victim(ctx), nil
		}
	}
	return nil, ctx.Err()
}

// victim kills a process: the leader mostly, sometimes while it closes.
func (r *run) victim(ctx context.Context) *process {
	p := r.procs[0]
	if pid := p.leader(ctx); pid != 0 && pid != p.cmd.Process.Pid {
		p = r.procs[1]
	}
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

// bury takes note of the end of a process.
func (r *run) bury(p *process) {
	for i := range r.procs {
		if r.procs[i] == p {
			r.procs = append(r.procs[:i], r.procs[i+1:]...)
			break
		}
	}
	p.close()
	r.out.Rebuilt += p.logs.count("building it again")
	if step := p.logs.after("died at "); step != "" {
		r.out.AtSteps[step]++
	}
	r.out.Kills++
}

// compare ends all processes and has the index compared with a new one.
func (r *run) compare(ctx context.Context) error {
	r.end()
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
