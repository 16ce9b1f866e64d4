package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
)

func newStatus(a *app) *cobra.Command {
	check := false
	c := &cobra.Command{
		Use:   "status",
		Short: "Show the health of the index",
		Long: `Shows how much is indexed and how current it is: files that are stale (changed
since), dirty (marked as changed, not looked at yet), parsed in part (syntax errors, or
capped at a budget) or failed to parse, then files that are odd by kind, with some
of their names. An index with stale or dirty files is stale.`,
		Example: `  ralph-index status
  ralph-index status --check && echo current`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withExisting(cmd.Context(), func(svc api.Service, dir string) error {
				st, err := svc.Status(cmd.Context())
				if err != nil {
					return err
				}
				if st.Degraded == "" && !st.IndexExists && a.damaged() {
					st.Degraded = wordDamaged + ": it is built again by the next reindex, or by a server"
				}
				if a.asJSON {
					err = a.printJSON(st)
				} else {
					err = a.printStatus(st)
					a.adviseStatus(st, dir)
				}
				if err == nil && check && !stateOf(st).current() {
					return &exitError{code: exitNotFound}
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&check, "check", false, "exit with 1 when the index is stale, incomplete or absent")
	return c
}

func (a *app) printStatus(st *api.Status) error {
	p := a.printer()
	row := func(name, format string, args ...any) {
		p.line("%s %s", p.paint(styleFaint, fmt.Sprintf("%-10s", name)), fmt.Sprintf(format, args...))
	}
	row("workspace", "%s", visible(st.Workspace))
	row("index", "%s", describeIndex(st))
	if st.IndexedAt != nil && st.IndexExists {
		row("indexed", "%s", unixTime(*st.IndexedAt))
	}
	for _, s := range sharing(st, os.Getpid()) {
		row(s.role, "%s", s.text)
	}
	if !st.Enabled { // nothing more is known
		return p.flush()
	}
	row("files", "%s", describeFiles(st))
	for i, o := range st.Odd {
		name := ""
		if i == 0 {
			name = "odd"
		}
		row(name, "%s", describeOdd(&o))
	}
	row("changes", "%s", describeWatcher(&st.Watcher))
	var langs []string
	for _, l := range st.Languages {
		langs = append(langs, fmt.Sprintf("%s %s %s", l.Language, counted(l.Files, "file"), counted(l.Definitions, "definition")))
	}
	if len(langs) > 0 {
		row("languages", "%s", strings.Join(langs, "; "))
	}
	if st.SourceBytes > 0 {
		row("size", "%s of %s source", size(st.IndexStorageBytes), size(st.SourceBytes))
	} else {
		row("size", "%s", size(st.IndexStorageBytes))
	}
	if j := st.LastJob; j != nil {
		row("last job", "%s", describeJob(j))
	}
	return p.flush()
}

// describeFiles counts what is indexed, and what of it is behind or not whole. Those
// that were cut at a budget are partial too, and are shown among the odd ones under a
// name of their own.
func describeFiles(st *api.Status) string {
	s := fmt.Sprintf("%s indexed; %s stale, %s dirty; %s parsed in part", thousands(st.FilesIndexed),
		thousands(st.StalePathsCount), thousands(st.DirtyPathsCount), thousands(st.Partial))
	failed := len(st.Failed)
	for _, o := range st.Odd {
		switch {
		case o.Kind == api.OddCapped && o.Count > 0 && st.Partial >= o.Count:
			s += fmt.Sprintf(" (%s capped)", thousands(o.Count))
		case o.Kind == api.OddFailed:
			failed = o.Count // the list of names is cut
		}
	}
	return s + fmt.Sprintf(", %s failed to parse", thousands(failed))
}

// describeJob says what the last job did.
func describeJob(j *api.Job) string {
	end := map[api.JobStatus]string{
		api.JobOK: "done", api.JobSkipped: "nothing to do", api.JobTimedOut: "cut by its time budget, the rest is still to be done",
		api.JobCancelled: "interrupted", api.JobFailed: "failed", api.JobRunning: "running",
	}[j.Status]
	return fmt.Sprintf("%s, %s: %s changed, %s removed, %s failed, in %v", j.Mode, end, counted(j.FilesChanged, "file"),
		thousands(j.FilesRemoved), thousands(j.FilesFailed), time.Duration((j.FinishedAt-j.StartedAt)*float64(time.Second)).Round(time.Millisecond))
}

// oddShown is how many files of a kind a status names for a person.
const oddShown = 3

// describeOdd writes "2 binary: a.bin, b.bin" or "1 unreadable: dir (permission)".
func describeOdd(o *api.OddFiles) string {
	var names []string
	for _, f := range o.Files[:min(len(o.Files), oddShown)] {
		name := visible(string(f.Path))
		if f.Reason != "" {
			name += " (" + f.Reason + ")"
		}
		names = append(names, name)
	}
	if len(names) < o.Count {
		names = append(names, "…")
	}
	return thousands(o.Count) + " " + strings.ReplaceAll(string(o.Kind), "_", " ") + ": " + strings.Join(names, ", ")
}

// state is what an index can be relied on for.
type state string

const (
	stateOff        state = "off"
	stateSilent     state = "held by a process that does not answer"
	stateAbsent     state = "absent"
	stateDamaged    state = "damaged, to be built again"
	stateEmpty      state = "empty: nothing to index"
	stateIncomplete state = "incomplete"
	stateStale      state = "stale"
	stateFresh      state = "fresh"
)

// wordDamaged begins the reason of a status whose index was damaged.
const wordDamaged = "index_damaged"

// current reports whether the index has all that the workspace holds.
func (s state) current() bool { return s == stateFresh || s == stateEmpty }

func stateOf(st *api.Status) state {
	switch {
	case !st.Enabled && strings.HasPrefix(st.Degraded, api.FallbackLeaderSilent):
		return stateSilent
	case !st.IndexExists && strings.HasPrefix(st.Degraded, wordDamaged):
		return stateDamaged
	case !st.Enabled:
		return stateOff
	case !st.IndexExists:
		return stateAbsent
	case st.ColdIndexRequired:
		return stateIncomplete
	case st.IsStale:
		return stateStale
	case st.FilesIndexed == 0:
		return stateEmpty
	}
	return stateFresh
}

// adviseStatus names the next step where there is one.
func (a *app) adviseStatus(st *api.Status, dir string) {
	switch {
	case st.Degraded == "":
	case stateOf(st) == stateDamaged:
		if a.damaged() { // which has been said, with what to do
			return
		}
		a.note("the index was damaged and is built again")
		if !st.ReindexInProgress {
			a.note("to build it now, run: ralph-index reindex")
		}
		return
	case st.Enabled:
		a.note("%s", visible(st.Degraded))
	default:
		a.note("the index cannot be used, searches read the files alone: %s", visible(st.Degraded))
	}
	switch s := stateOf(st); {
	case st.ReindexInProgress:
	case s == stateAbsent:
		a.note("there is no index yet; run: ralph-index reindex")
	case s == stateIncomplete:
		a.note("incomplete: %s files indexed; to go on, run: ralph-index reindex", thousands(st.FilesIndexed))
	case s == stateStale && st.StalePathsCount == 0 && st.DirtyPathsCount > 0:
		a.note("%s marked as changed and not looked at yet; questions look first, or run: ralph-index reindex", counted(st.DirtyPathsCount, "path"))
	case s == stateStale:
		a.note("files have changed since they were indexed; run: ralph-index reindex")
	}
	if st.IgnoreRuleRepair.Required && inRepository(dir) {
		a.note("%s", ignoreAdvice)
	}
}

const ignoreAdvice = "the index is not covered by .gitignore; to add the line " + ignoreRule + ", run: ralph-index init"

// noteIgnoreRule says once, when an index is first made, that git would see it.
func (a *app) noteIgnoreRule(ctx context.Context, svc api.Service, dir string) {
	if !inRepository(dir) {
		return
	}
	st, err := svc.Status(ctx)
	if err == nil && st.Enabled && st.IgnoreRuleRepair.Required {
		a.note("%s", ignoreAdvice)
	}
}

// inRepository reports whether a directory lies in a git repository.
func inRepository(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// indexAbsent reports whether the workspace has no index directory yet. A workspace
// that cannot be found is the business of who opens it.
func (a *app) indexAbsent() bool {
	dir, err := a.workspaceDir()
	if err != nil {
		return false
	}
	_, err = os.Lstat(filepath.Join(dir, ".agent", "ralph-explore"))
	return errors.Is(err, fs.ErrNotExist)
}

func describeIndex(st *api.Status) string {
	s := string(stateOf(st))
	switch stateOf(st) {
	case stateOff, stateSilent:
		return s
	case stateAbsent, stateEmpty, stateDamaged:
	case stateIncomplete:
		s = fmt.Sprintf("generation %d, incomplete: %s files indexed", st.Generation, thousands(st.FilesIndexed))
	case stateStale, stateFresh:
		s = fmt.Sprintf("generation %d, %s", st.Generation, s)
	}
	if st.ReindexInProgress {
		s += ", a job is running"
		if st.Progress != nil {
			s += fmt.Sprintf(" (%s %s/%s)", st.Progress.Stage, thousands(st.Progress.Done), thousands(st.Progress.Total))
		}
	}
	if !st.Leader && st.LeaderPID != 0 {
		s += fmt.Sprintf(", served by process %d", st.LeaderPID)
	}
	return s
}

// describeWatcher says how changes come to be known.
func describeWatcher(w *api.Watcher) string {
	switch w.State {
	case "", "off":
		return "found by looking; no server watches"
	case "active":
		s := fmt.Sprintf("heard of, in %s directories", thousands(w.Watches))
		if w.LastEventAt > 0 {
			s += ", last " + unixTime(w.LastEventAt)
		}
		return s
	}
	s := "found by looking: " + w.State
	if w.Reason != "" {
		s += ", " + visible(w.Reason)
	}
	return s
}

func unixTime(sec float64) string {
	return time.UnixMilli(int64(sec * 1000)).Format(time.RFC3339)
}

// size writes bytes in the unit that shows two digits or more.
func size(n int64) string {
	switch {
	case n < 1e4:
		return thousands(int(n)) + " bytes"
	case n < 1e6:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
