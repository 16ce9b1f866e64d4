package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/bench/kill"
	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// killWays says how servers are brought to each step of an engine (engine.Steps).
func killWays() map[string][]kill.Way {
	out := map[string][]kill.Way{}
	ways := func(w ...kill.Way) func(steps ...string) {
		return func(steps ...string) {
			for _, s := range steps {
				out[s] = w
			}
		}
	}
	ways(kill.Start)(string(engine.StepLeads), string(engine.StepListens), string(engine.StepServes),
		string(store.StepMarked), string(store.StepOpened), string(lexical.StepOpened))
	ways(kill.Make)(string(store.StepCreated))
	ways(kill.End)(string(engine.StepRests), string(engine.StepShut), string(store.StepClosed), string(lexical.StepClosing), string(lexical.StepClosed))
	ways(kill.Save, kill.Burst, kill.Full)(string(indexer.StepLooked), string(indexer.StepPlanned), string(indexer.StepPrepared), string(indexer.StepNoted),
		string(indexer.StepPublished), string(indexer.StepSettled))
	ways(kill.Save)(string(store.StepCommit), string(store.StepCommitted))
	ways(kill.Burst, kill.Make)(string(indexer.StepFed), string(lexical.StepApplied))
	ways(kill.Burst)(string(store.StepOverlayAhead))
	ways(kill.Burst, kill.Rebase, kill.Full)(string(store.StepBlobsAhead))
	ways(kill.Rebase)(string(store.StepTombstones))
	ways(kill.Rebase, kill.Full, kill.Rest)(string(store.StepBaseTable), string(store.StepBaseDefs), string(store.StepBaseRefs),
		string(store.StepBase), string(store.StepFlipped), string(store.StepSynced))
	ways(kill.Full)(string(store.StepStaged), string(store.StepStagedForgotten))
	ways(kill.Full, kill.Rest)(string(store.StepCollect), string(store.StepCollected))
	ways(kill.Rest)(string(store.StepCarried), string(store.StepReclaimed), string(indexer.StepFlushed),
		string(lexical.StepMerged), string(lexical.StepWarmed), string(lexical.StepTidied))
	ways(kill.Save, kill.Rest)(string(store.StepMeta))
	ways(kill.Resume)(string(lexical.StepFlushed), string(indexer.StepDisowned))
	for _, s := range engine.Steps() {
		if strings.HasPrefix(s, "write: ") {
			ways(kill.Write)(s)
		}
	}
	return out
}

// killSteps lists the steps of an engine that are named in only; all when that is empty.
func killSteps(only []string) ([]kill.Step, error) {
	ways := killWays()
	var out []kill.Step
	for _, s := range engine.Steps() {
		if len(only) == 0 || slices.Contains(only, s) {
			out = append(out, kill.Step{Name: s, Ways: ways[s]})
		}
	}
	if len(out) < len(only) {
		return nil, fmt.Errorf("not all of %q are steps of an engine; these are %q", only, engine.Steps())
	}
	return out, nil
}

// KillOptions are what Kill runs with beyond a Config.
type KillOptions struct {
	Kills     int
	SameEvery int      // kills between comparisons with a new index
	Steps     []string // at which servers end, of engine.Steps; empty: all
	// Victim is the command of this program that serves a workspace. Its arguments are
	// the workspace and the file that says at which step to end.
	Victim []string
}

// Kill kills servers on a copy of the tree, and compares what the next ones say with
// the files (package bench/kill).
func Kill(ctx context.Context, c *Config, o KillOptions) (*Report, error) {
	steps, err := killSteps(o.Steps)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(c.Work, "kill-"+c.Tree)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(c.Dir)); err != nil {
		return nil, fmt.Errorf("copy the tree: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	copied := *c
	copied.Dir = dir
	out, err := kill.Run(ctx, kill.Options{
		Dir: dir, Kills: o.Kills, Seed: c.Seed, Steps: steps, Unpublished: string(indexer.StepNoted),
		SameEvery: o.SameEvery, Log: c.Log, Same: copied.sameAsNew,
		Server: func(aim string) *exec.Cmd {
			return exec.Command(o.Victim[0], append(slices.Clone(o.Victim[1:]), dir, aim)...)
		},
	})
	if err != nil {
		return nil, err
	}
	r := &Report{}
	c.killRows(r, out, steps)
	for _, s := range out.Samples {
		_, _ = fmt.Fprintln(c.Log, s)
	}
	return r, nil
}

// killTwice is how often each step is to be met in a run that has so many kills to each.
const killTwice = 3

func (c *Config) killRows(r *Report, out *kill.Outcome, steps []kill.Step) {
	at, twice := 0, 0
	for _, n := range out.AtSteps {
		at += n
		if n >= 2 {
			twice++
		}
	}
	r.add(c, "kill", "kills", float64(out.Kills), "", note("seed %d; %d at random moments, %d at steps", c.Seed, out.Kills-at, at))
	r.add(c, "kill", "answers compared with the files", float64(out.Checks), "", note("%d times by a process that was left alone", out.Takeovers))
	r.add(c, "kill", "wrong answers", float64(out.Wrong), "", atMost(0))
	r.add(c, "kill", "indexes compared with a new one", float64(out.Compared), "",
		note("%d were replaced by a copy made in use, %d deleted under their servers", out.Copied, out.Deleted))
	r.add(c, "kill", "indexes that did not come back", float64(out.Stuck), "", atMost(0))
	r.add(c, "kill", "parts of an index built again for damage", float64(out.Rebuilt), "")
	mark := atLeast(0)
	if out.Kills >= killTwice*len(steps) {
		mark = atLeast(float64(len(steps)))
	}
	r.add(c, "kill", "steps at which a server ended twice or more", float64(twice), "", mark, note("of %d; at %d once or more", len(steps), len(out.AtSteps)))
	for _, s := range steps {
		r.add(c, "kill", "at "+s.Name, float64(out.AtSteps[s.Name]), "")
	}
}

// sameAsNew brings the index in the tree up to date and compares its export with
// that of a new one.
func (c *Config) sameAsNew(ctx context.Context) (string, error) {
	export := func(indexDir string) (string, error) {
		e, err := engine.Open(ctx, engine.Options{Workspace: c.Dir, IndexDir: indexDir, WorkerCommand: c.Workers})
		if err != nil {
			return "", err
		}
		ans, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
		var out bytes.Buffer
		if err == nil && ans.ErrorSummary != nil {
			err = fmt.Errorf("index: %s", *ans.ErrorSummary)
		}
		if err == nil {
			err = e.Export(ctx, &out)
		}
		if closeErr := e.Close(ctx); err == nil {
			err = closeErr
		}
		return out.String(), err
	}
	got, err := export("")
	if err != nil {
		return "", fmt.Errorf("export the index: %w", err)
	}
	fresh := filepath.Join(c.Work, "kill-new")
	defer func() { _ = os.RemoveAll(fresh) }()
	want, err := export(fresh)
	if err != nil {
		return "", fmt.Errorf("export a new index: %w", err)
	}
	if got == want {
		return "", nil
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			return fmt.Sprintf("line %d of %d: %s; of a new one, with %d: %s", i+1, len(gotLines), gotLines[i], len(wantLines), wantLines[i]), nil
		}
	}
	return fmt.Sprintf("%d lines, a new one %d", len(gotLines), len(wantLines)), nil
}
