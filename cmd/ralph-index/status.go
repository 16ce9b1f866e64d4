package main

import (
	"fmt"
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
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withEngine(cmd.Context(), func(svc api.Service, _ string) error {
				st, err := svc.Status(cmd.Context())
				if err != nil {
					return err
				}
				if a.asJSON {
					err = a.printJSON(st)
				} else {
					err = a.printStatus(st)
				}
				if err == nil && check && (st.IsStale || !st.IndexExists) {
					return &exitError{code: exitNotFound}
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&check, "check", false, "exit with 1 when the index is stale or absent")
	return c
}

func (a *app) printStatus(st *api.Status) error {
	p := a.printer()
	row := func(name, format string, args ...any) {
		p.line("%s %s", p.paint(styleFaint, fmt.Sprintf("%-10s", name)), fmt.Sprintf(format, args...))
	}
	row("workspace", "%s", visible(st.Workspace))
	row("index", "%s", describeIndex(st))
	if st.IndexedAt != nil {
		row("indexed", "%s", unixTime(*st.IndexedAt))
	}
	row("files", "%s indexed, %s stale, %s dirty, %s partial, %s without structure", thousands(st.FilesIndexed),
		thousands(st.StalePathsCount), thousands(st.DirtyPathsCount), thousands(st.Partial), thousands(len(st.Failed)))
	var langs []string
	for _, l := range st.Languages {
		langs = append(langs, fmt.Sprintf("%s %s files %s definitions", l.Language, thousands(l.Files), thousands(l.Definitions)))
	}
	if len(langs) > 0 {
		row("languages", "%s", strings.Join(langs, "; "))
	}
	if st.SourceBytes > 0 {
		row("size", "%s of %s source", megabytes(st.IndexStorageBytes), megabytes(st.SourceBytes))
	} else {
		row("size", "%s", megabytes(st.IndexStorageBytes))
	}
	if j := st.LastJob; j != nil {
		row("last job", "%s %s, %s files changed, %s failed, in %v", j.Mode, j.Status, thousands(j.FilesChanged),
			thousands(j.FilesFailed), time.Duration((j.FinishedAt-j.StartedAt)*float64(time.Second)).Round(time.Millisecond))
	}
	if err := p.flush(); err != nil {
		return err
	}
	a.adviseStatus(st)
	return nil
}

// adviseStatus names the next step where there is one.
func (a *app) adviseStatus(st *api.Status) {
	if st.Degraded != "" {
		a.note("answers come from the files alone: %s", visible(st.Degraded))
	}
	if st.ColdIndexRequired && st.Enabled && !st.ReindexInProgress {
		a.note("there is no index yet; run: ralph-index reindex")
	}
	if st.IgnoreRuleRepair.Required {
		a.note("the index is not covered by .gitignore; run: %s", st.IgnoreRuleRepair.NextCommand)
	}
}

func describeIndex(st *api.Status) string {
	var s string
	switch {
	case !st.Enabled:
		return "off"
	case !st.IndexExists:
		s = "absent"
	case st.IsStale:
		s = fmt.Sprintf("generation %d, stale", st.Generation)
	default:
		s = fmt.Sprintf("generation %d, fresh", st.Generation)
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

func unixTime(sec float64) string {
	return time.UnixMilli(int64(sec * 1000)).Format(time.RFC3339)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
