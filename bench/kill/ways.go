package kill

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	someFiles  = 40   // are a few more than what idle work waits for
	manyFiles  = 1000 // do not fit into one transaction
	mostFiles  = 1400 // make a new base
	lingerTime = 1500 * time.Millisecond
)

// anyWay lists those that a process is killed on at a random moment, each as often as
// it stands there.
func anyWay() []Way {
	return []Way{Start, Make, Save, Save, Save, Burst, Rebase, Full, Full, Rest, Rest, End}
}

// drive brings servers to where one is to end, and returns the one that has; nil when
// none has. step is nil where none is to end by itself.
func (r *run) drive(ctx context.Context, step *Step, way Way) (*process, error) {
	switch way {
	case Start:
		return r.start(ctx, step)
	case Make:
		return r.make(ctx, step)
	case Resume:
		return r.resume(ctx, step)
	case Rebase:
		return r.afresh(ctx, step, mostFiles)
	case Burst:
		if r.rng.IntN(2) == 0 { // which then are the work of one run
			return r.afresh(ctx, step, manyFiles)
		}
	}
	if err := r.crew(ctx); err != nil {
		return nil, err
	}
	if err := r.aimAt(step); err != nil {
		return nil, err
	}
	edits := 0
	switch way {
	case Burst:
		edits = manyFiles
	case Full:
		defer r.ask(ctx, "full")()
		edits = []int{0, 3, someFiles, manyFiles}[r.rng.IntN(4)]
	case Rest:
		if r.rng.IntN(3) == 0 {
			defer r.ask(ctx, "full")()
		}
		edits = []int{someFiles, 3 * someFiles}[r.rng.IntN(2)]
	case End:
		if err := r.files.changeSome(r.rng, r.rng.IntN(someFiles)); err != nil {
			return nil, err
		}
		_ = r.leading(ctx).in.Close()
		return r.await(ctx, step, nil)
	case Write:
		return r.await(ctx, step, func() error { return r.useTool(ctx) })
	default:
		if r.rng.IntN(2) == 0 {
			defer r.ask(ctx, "changed")()
		}
	}
	if err := r.files.changeSome(r.rng, edits); err != nil {
		return nil, err
	}
	return r.await(ctx, step, func() error { return r.files.change(r.rng) })
}

// crew starts servers until there are two.
func (r *run) crew(ctx context.Context) error {
	for len(r.procs) < 2 {
		if err := r.launch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ask has a server index; the returned function gives up waiting for it.
func (r *run) ask(ctx context.Context, mode string) (stop func()) {
	p := r.procs[r.rng.IntN(len(r.procs))]
	return p.begin(ctx, "ralph_reindex", map[string]any{"mode": mode, "timeout_ms": 60_000})
}

func (r *run) aimAt(step *Step) error {
	if step == nil {
		return nil
	}
	return r.aim.at(step.Name, 1+r.rng.IntN(6)/5, 0)
}

// await makes edits until a process has ended. It gives up after a while, which is
// short where none is to end by itself.
func (r *run) await(ctx context.Context, step *Step, edit func() error) (*process, error) {
	limit := stepTime
	if step == nil {
		limit = time.Duration(r.rng.IntN(2500)) * time.Millisecond
	}
	for end := time.Now().Add(limit); time.Now().Before(end); {
		for _, p := range r.procs {
			select {
			case <-p.gone:
				return p, nil
			default:
			}
		}
		if edit != nil {
			if err := edit(); err != nil {
				return nil, err
			}
		}
		select {
		case <-time.After(time.Duration(r.rng.IntN(restTime)) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, nil
}

// afresh has files change while there is no server.
func (r *run) afresh(ctx context.Context, step *Step, n int) (*process, error) {
	r.end()
	if err := r.files.changeSome(r.rng, n); err != nil {
		return nil, err
	}
	if err := r.aimAt(step); err != nil {
		return nil, err
	}
	if err := r.crew(ctx); err != nil {
		return nil, err
	}
	return r.await(ctx, step, func() error { return r.files.change(r.rng) })
}

// start has a server open the index: one that starts, one whose leader dies, or one
// that finds a copy of an index that was in use.
func (r *run) start(ctx context.Context, step *Step) (*process, error) {
	if err := r.crew(ctx); err != nil {
		return nil, err
	}
	switch r.rng.IntN(3) {
	case 0:
		r.end()
	case 1:
		p := r.leading(ctx)
		if err := r.aimAt(step); err != nil {
			return nil, err
		}
		_ = p.cmd.Process.Kill()
		<-p.gone
		r.bury(p)
		return r.await(ctx, step, nil)
	default:
		if err := r.copyIndex(); err != nil {
			return nil, err
		}
	}
	if err := r.aimAt(step); err != nil {
		return nil, err
	}
	if err := r.launch(ctx); err != nil {
		return nil, err
	}
	return r.await(ctx, step, nil)
}

// copyIndex ends the servers and gives the workspace a copy of its index that was
// made while they changed it, as a workspace has that is copied.
func (r *run) copyIndex() error {
	if err := r.files.changeSome(r.rng, someFiles); err != nil {
		return err
	}
	index, copied := filepath.Join(r.o.Dir, indexDir), r.o.Dir+"-index"
	if err := errors.Join(os.RemoveAll(copied), copyTree(copied, index)); err != nil {
		return err
	}
	r.end()
	r.out.Copied++
	return errors.Join(os.RemoveAll(index), os.Rename(copied, index))
}

// make has a first index made: where there was none, or where it was deleted under
// its servers.
func (r *run) make(ctx context.Context, step *Step) (*process, error) {
	if r.rng.IntN(2) == 0 {
		if err := r.crew(ctx); err != nil {
			return nil, err
		}
		r.out.Deleted++
	} else {
		r.end()
	}
	if err := r.aimAt(step); err != nil {
		return nil, err
	}
	if err := r.forgetIndex(); err != nil {
		return nil, err
	}
	if err := r.crew(ctx); err != nil {
		return nil, err
	}
	return r.await(ctx, step, func() error { return r.files.change(r.rng) })
}

// resume has a server find words of a run that was cut off before it published.
func (r *run) resume(ctx context.Context, step *Step) (*process, error) {
	r.end()
	if err := r.files.changeSome(r.rng, manyFiles); err != nil {
		return nil, err
	}
	if err := r.aim.at(r.o.Unpublished, 1, lingerTime); err != nil {
		return nil, err
	}
	if err := r.launch(ctx); err != nil {
		return nil, err
	}
	select {
	case <-r.procs[0].gone:
	case <-time.After(2 * stepTime):
		return nil, r.aim.nowhere()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r.bury(r.procs[0])
	if err := r.aimAt(step); err != nil {
		return nil, err
	}
	if err := r.launch(ctx); err != nil {
		return nil, err
	}
	return r.await(ctx, step, nil)
}

// leading returns the process that leads, or one of those that there are.
func (r *run) leading(ctx context.Context) *process {
	pid := r.procs[0].leader(ctx)
	i := slices.IndexFunc(r.procs, func(p *process) bool { return p.cmd.Process.Pid == pid })
	return r.procs[max(i, 0)]
}
