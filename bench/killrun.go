package bench

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/bench/kill"
	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// killSteps names the moments at which a server can end itself.
func killSteps() []string {
	var out []string
	for _, s := range store.Steps() {
		out = append(out, string(s))
	}
	for _, s := range lexical.Steps() {
		out = append(out, string(s))
	}
	for _, s := range indexer.Steps() {
		out = append(out, string(s))
	}
	return out
}

// Kill kills servers on a copy of the tree, so many times, and compares what the
// next ones say with the files (package bench/kill). victim is the command of this
// program that serves a workspace: its arguments are the workspace, a step and at
// which time of reaching it to end.
func Kill(ctx context.Context, c *Config, kills, sameEvery int, victim []string) (*Report, error) {
	dir := filepath.Join(c.Work, "kill-"+c.Tree)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(c.Dir)); err != nil {
		return nil, fmt.Errorf("copy the tree: %w", err)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	copied := *c
	copied.Dir = dir
	out, err := kill.Run(ctx, kill.Options{
		Dir: dir, Kills: kills, Seed: c.Seed, Steps: killSteps(), SameEvery: sameEvery, Log: c.Log, Same: copied.sameAsNew,
		Server: func(step string, n int) *exec.Cmd {
			return exec.Command(victim[0], append(slices.Clone(victim[1:]), dir, step, strconv.Itoa(n))...)
		},
	})
	if err != nil {
		return nil, err
	}
	r := &Report{}
	at := 0
	for _, n := range out.AtSteps {
		at += n
	}
	r.add(c, "kill", "kills", float64(out.Kills), "", note("seed %d; %d at random moments, %d at steps", c.Seed, out.Kills-at, at))
	r.add(c, "kill", "answers compared with the files", float64(out.Checks), "", note("%d times by a process that was left alone", out.Takeovers))
	r.add(c, "kill", "wrong answers", float64(out.Wrong), "", atMost(0))
	r.add(c, "kill", "indexes compared with a new one", float64(out.Compared), "")
	r.add(c, "kill", "indexes that did not come back", float64(out.Stuck), "", atMost(0))
	r.add(c, "kill", "parts of an index built again for damage", float64(out.Rebuilt), "")
	r.add(c, "kill", "steps at which a server ended", float64(len(out.AtSteps)), "", note("of %d", len(killSteps())))
	for _, s := range slices.Sorted(maps.Keys(out.AtSteps)) {
		r.add(c, "kill", "at "+s, float64(out.AtSteps[s]), "")
	}
	for _, s := range out.Samples {
		_, _ = fmt.Fprintln(c.Log, s)
	}
	return r, nil
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
