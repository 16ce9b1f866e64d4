package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
)

func newReindex(a *app) *cobra.Command {
	full := false
	c := &cobra.Command{
		Use:   "reindex [PATH...]",
		Short: "Bring the index up to date",
		Long: `Brings the index up to date with the files, or rebuilds it with --full. PATHs,
files or directories, limit the work to them. An interrupted run keeps what it
has done, and the next one resumes.`,
		Example: "  ralph-index reindex\n  ralph-index reindex --full\n  ralph-index reindex src/server",
		RunE: func(cmd *cobra.Command, args []string) error {
			mode := api.ReindexChanged
			if full {
				mode = api.ReindexFull
			}
			first := a.indexAbsent()
			return a.withEngine(cmd.Context(), func(svc api.Service, dir string) error {
				if first {
					a.noteIgnoreRule(cmd.Context(), svc, dir)
				}
				return a.reindex(cmd.Context(), svc, dir, mode, args)
			})
		},
	}
	c.Flags().BoolVar(&full, "full", false, "rebuild beside the old index and swap")
	return c
}

func (a *app) reindex(ctx context.Context, svc api.Service, dir string, mode api.ReindexMode, paths []string) error {
	scope, err := a.scopeOf(dir, paths)
	if err != nil {
		return err
	}
	bar := a.newBar()
	start := time.Now()
	ans, err := svc.Reindex(ctx, &api.ReindexRequest{Mode: mode, Scope: scope}, bar.step)
	bar.clear()
	if err != nil {
		return err
	}
	if a.asJSON {
		err = a.printJSON(ans)
	} else {
		err = a.printReindex(ans, time.Since(start))
	}
	if err != nil {
		return err
	}
	switch ans.JobStatus {
	case api.JobOK, api.JobSkipped:
		return nil
	case api.JobCancelled:
		return &exitError{code: exitInterrupted}
	case api.JobTimedOut, api.JobRunning:
		return &exitError{code: exitBusy}
	case api.JobFailed:
	}
	return &exitError{code: exitInternal}
}

// scopeOf translates the paths of a command line; no scope is everything. One that
// does not exist may be what the index still holds.
func (a *app) scopeOf(dir string, paths []string) (scope []string, err error) {
	for _, p := range paths {
		rel, err := a.inWorkspace(dir, p)
		if err != nil {
			return nil, err
		}
		if rel == "." {
			return nil, nil
		}
		scope = append(scope, rel)
	}
	return scope, nil
}

// printReindex sums up a job. took is what the caller waited: the answer's own time
// leaves out the merges that come after the files.
func (a *app) printReindex(ans *api.ReindexAnswer, took time.Duration) error {
	p := a.printer()
	verb := map[api.JobStatus]string{
		api.JobOK: "indexed", api.JobSkipped: "up to date:", api.JobTimedOut: "ran out of time:",
		api.JobCancelled: "interrupted:", api.JobFailed: "failed:", api.JobRunning: "still running:",
	}[ans.JobStatus]
	what := fmt.Sprintf("%s changed, %s removed, %s parsed of %s", thousands(ans.ChangedCount), thousands(ans.RemovedCount),
		thousands(ans.ParseCount), counted(ans.FilesSeen, "file"))
	if ans.ChangedCount == ans.FilesSeen && ans.FilesSeen > 0 && ans.RemovedCount == 0 { // all are new, or done anew
		what = fmt.Sprintf("%s, %s parsed", counted(ans.FilesSeen, "file"), thousands(ans.ParseCount))
	}
	p.line("%s %s in %v; generation %d", verb, what, took.Round(time.Millisecond), ans.Generation)
	if err := p.flush(); err != nil {
		return err
	}
	if ans.ErrorSummary != nil {
		a.note("%s", visible(*ans.ErrorSummary))
	}
	a.noteFailed(ans.FailedFiles, ans.PartialCount)
	return nil
}

// noteFailed counts failed files by reason; -v lists them.
func (a *app) noteFailed(failed []api.FailedFile, partial int) {
	reasons := map[string]int{}
	for _, f := range failed {
		reasons[f.Reason]++
		if a.verbose > 0 {
			a.note("  %s: %s", visible(string(f.Path)), f.Reason)
		}
	}
	var parts []string
	for r, n := range reasons {
		parts = append(parts, fmt.Sprintf("%s %s", thousands(n), r))
	}
	sort.Strings(parts)
	switch {
	case len(failed) > 0 && a.verbose == 0:
		a.note("%s failed to parse (%s); -v lists them", counted(len(failed), "file"), strings.Join(parts, ", "))
	case len(failed) > 0:
		a.note("%s failed to parse", counted(len(failed), "file"))
	}
	if partial > 0 {
		a.note("%s indexed in part: syntax errors, or cut at a budget; ralph-index status names them", counted(partial, "file"))
	}
}

// inWorkspace translates a path of the command line, which is relative to the
// current directory when that lies in the workspace.
func (a *app) inWorkspace(dir, p string) (string, error) {
	rel, err := filepath.Rel(dir, a.absolute(dir, p))
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", usage(fmt.Errorf("%s lies outside the workspace %s", p, dir))
	}
	return filepath.ToSlash(rel), nil
}

// absolute resolves a path of the command line: against the current directory when
// that lies in the workspace, and where nothing has that path against the workspace,
// which the paths of answers are relative to.
func (a *app) absolute(dir, p string) string {
	if filepath.IsAbs(p) {
		return resolved(p)
	}
	above := filepath.Join(dir, p)
	cwd, err := filepath.EvalSymlinks(a.workingDir())
	if err != nil {
		return above
	}
	if rel, err := filepath.Rel(dir, cwd); err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return above
	}
	here := filepath.Join(cwd, p)
	if absent(here) && !absent(above) {
		return above
	}
	return here
}

func absent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// resolved follows the links of the directory of a path, so that it can be
// compared with the workspace; what does not exist is returned as it is.
func resolved(p string) string {
	if d, err := filepath.EvalSymlinks(filepath.Dir(p)); err == nil {
		return filepath.Join(d, filepath.Base(p))
	}
	return p
}
