package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
)

const (
	// watchPoll is how often another process that leads is asked what it has done.
	watchPoll = 250 * time.Millisecond
	// watchBacklog is how many batches may wait to be printed.
	watchBacklog = 1024
)

func newWatch(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "watch",
		Short: "Keep the index up to date and show each batch of changes",
		Long: `Watches the workspace, indexes files as they change, and prints a line for each
batch: how many files came, changed and went. Where a server keeps the index
already, its batches are shown. Ctrl-C ends it.`,
		Example: "  ralph-index watch\n  ralph-index watch --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.watch(cmd.Context()) },
	}
}

// batch is what watch says of one job to programs.
type batch struct {
	Time       string  `json:"time"` // RFC 3339, of the end
	Generation uint64  `json:"generation"`
	Added      int     `json:"added"`
	Changed    int     `json:"changed"`
	Removed    int     `json:"removed"`
	ElapsedMS  float64 `json:"elapsed_ms"`
}

func (a *app) watch(ctx context.Context) error {
	if a.noIndex {
		return &exitError{exitNoIndex, errors.New("--no-index turns off the index that watch keeps up to date; leave it out")}
	}
	opts, err := a.engineOptions()
	if err != nil {
		return err
	}
	jobs := make(chan api.Job, watchBacklog)
	opts.Background = true
	opts.Indexed = func(j api.Job) {
		select {
		case jobs <- j:
		default: // nobody reads so far behind
		}
	}
	svc, err := a.open(ctx, opts)
	if err != nil {
		return fmt.Errorf("open %s: %w", opts.Workspace, err)
	}
	err = a.showBatches(ctx, svc, jobs)
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if cerr := svc.Close(late); cerr != nil && err == nil {
		err = fmt.Errorf("close %s: %w", opts.Workspace, cerr)
	}
	return err
}

// showBatches prints jobs until ctx ends, which is how watching ends. Those of another
// process come from its status: of several between two looks the newest is shown.
func (a *app) showBatches(ctx context.Context, svc api.Service, jobs <-chan api.Job) error {
	tick := time.NewTicker(watchPoll)
	defer tick.Stop()
	var shown string // the last job
	var said string  // the last state of the watcher, and whose it is
	for {
		select {
		case <-ctx.Done():
			return nil
		case j := <-jobs:
			shown = j.JobID
			if err := a.printBatch(&j); err != nil {
				return err
			}
		case <-tick.C:
			st, err := svc.Status(ctx)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			said = a.noteWatcher(st, said)
			j := st.LastJob
			if st.Leader || j == nil || j.JobID == shown {
				continue
			}
			first := shown == ""
			if shown = j.JobID; first || j.FilesChanged+j.FilesRemoved == 0 {
				continue // it was done before anybody watched
			}
			if err := a.printBatch(j); err != nil {
				return err
			}
		}
	}
}

// noteWatcher says how changes come to be known, and by whom, when that is news.
func (a *app) noteWatcher(st *api.Status, said string) string {
	w := st.Watcher
	now := fmt.Sprint(w.State, w.Reason, st.LeaderPID)
	if now == said || w.State == "starting" || w.State == "" {
		return said
	}
	switch {
	case st.Degraded != "":
		a.note("the index cannot be used: %s", visible(st.Degraded))
	case w.State == "active" && st.Leader:
		a.note("watching %s: %s directories", visible(st.Workspace), thousands(w.Watches))
	case w.State == "active":
		a.note("watching %s: %s directories, by process %d", visible(st.Workspace), thousands(w.Watches), st.LeaderPID)
	case w.State == "off":
		a.note("process %d, which keeps the index, does not watch", st.LeaderPID)
	default:
		a.note("%s: %s; changes are found by looking", w.State, visible(w.Reason))
	}
	return now
}

func (a *app) printBatch(j *api.Job) error {
	took := time.Duration((j.FinishedAt - j.StartedAt) * float64(time.Second))
	if a.asJSON {
		return writeJSON(a.stdout, batch{
			Time: unixTime(j.FinishedAt), Generation: uint64(j.Generation), Added: j.FilesAdded,
			Changed: j.FilesChanged - j.FilesAdded, Removed: j.FilesRemoved, ElapsedMS: float64(took.Microseconds()) / 1000,
		}, false)
	}
	p := a.printer()
	ms := fmt.Sprintf("%.0f", float64(took.Microseconds())/1000)
	if took < 10*time.Millisecond {
		ms = fmt.Sprintf("%.1f", float64(took.Microseconds())/1000)
	}
	p.line("%s %s in %s ms", p.paint(styleFaint, time.UnixMilli(int64(j.FinishedAt*1000)).Format(time.TimeOnly)),
		fmt.Sprintf("+%d ~%d -%d", j.FilesAdded, j.FilesChanged-j.FilesAdded, j.FilesRemoved), ms)
	return p.flush()
}
