// Package bench measures the engine on real trees, as ratios within one run: against
// the floor of reading and parsing the same files, against ripgrep on the same list
// of files, and against marks that are stated beside each figure. It also holds the
// checks that need a large tree: equality of search results, and known callers.
//
// Nobody imports it but cmd/ralph-bench. It asserts nothing in unit tests: machines
// differ, and a figure is compared with the one beside it.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
)

// Config is what a suite runs with.
type Config struct {
	Tree    string   // name, for reports
	Dir     string   // the tree
	Work    string   // scratch; the index is built in it, never in the tree
	Seed    uint64   // of every random choice
	Rounds  int      // repetitions of each measurement
	Command []string // of this program, for measurements in processes of their own
	Workers []string // command of a parser process; empty: parse in process
	Log     io.Writer
}

// Row is one figure. Mark is what is asked of it; OK says whether it holds.
type Row struct {
	Suite string  `json:"suite"`
	Tree  string  `json:"tree"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Peer  float64 `json:"peer,omitempty"` // the figure of the same run that it is held against
	Mark  string  `json:"mark,omitempty"`
	OK    bool    `json:"ok"`
	Note  string  `json:"note,omitempty"`
}

// Report is what a suite found.
type Report struct{ Rows []Row }

func (r *Report) add(c *Config, suite, name string, value float64, unit string, opts ...func(*Row)) {
	row := Row{Suite: suite, Tree: c.Tree, Name: name, Value: value, Unit: unit, OK: true}
	for _, o := range opts {
		o(&row)
	}
	r.Rows = append(r.Rows, row)
}

func atMost(mark float64) func(*Row) {
	return func(r *Row) { r.Mark, r.OK = fmt.Sprintf("<= %g", mark), r.Value <= mark }
}

func atLeast(mark float64) func(*Row) {
	return func(r *Row) { r.Mark, r.OK = fmt.Sprintf(">= %g", mark), r.Value >= mark }
}

func peer(v float64) func(*Row) { return func(r *Row) { r.Peer = v } }

func note(format string, args ...any) func(*Row) {
	return func(r *Row) { r.Note = fmt.Sprintf(format, args...) }
}

// Write prints the rows for people, or one JSON object a line.
func (r *Report) Write(w io.Writer, asJSON bool) error {
	for _, row := range r.Rows {
		if asJSON {
			if err := json.NewEncoder(w).Encode(row); err != nil {
				return fmt.Errorf("write report: %w", err)
			}
			continue
		}
		state := "     "
		if row.Mark != "" {
			state = map[bool]string{true: "ok   ", false: "MISS "}[row.OK]
		}
		against := ""
		if row.Peer != 0 {
			against = fmt.Sprintf(" (against %.4g)", row.Peer)
		}
		if _, err := fmt.Fprintf(w, "%s%-6s %-11s %-44s %10.4g %-6s %-9s%s %s\n", state, row.Suite, row.Tree, row.Name, row.Value, row.Unit, row.Mark, against, row.Note); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
	}
	return nil
}

// Failed reports whether a mark was missed.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Rows, func(row Row) bool { return !row.OK })
}

// open opens an engine on the tree with an index in the work directory.
func (c *Config) open(ctx context.Context) (*engine.Engine, error) {
	return engine.Open(ctx, c.options())
}

func (c *Config) options() engine.Options {
	return engine.Options{
		Workspace: c.Dir, IndexDir: c.indexDir(), WorkerCommand: c.Workers,
		Logger: slog.New(slog.NewTextHandler(c.Log, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
}

// served opens an engine as a server does, and waits until its index is complete and
// it hears of every change.
func (c *Config) served(ctx context.Context) (*engine.Engine, error) {
	o := c.options()
	o.Background = true
	e, err := engine.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := settled(ctx, e); err != nil {
		_ = e.Close(ctx)
		return nil, err
	}
	return e, nil
}

func (c *Config) indexDir() string { return c.Work + "/index-" + c.Tree }

// indexed opens an engine and brings its index up to date.
func (c *Config) indexed(ctx context.Context) (*engine.Engine, error) {
	e, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	ans, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
	if err == nil && ans.JobStatus != api.JobOK && ans.JobStatus != api.JobSkipped {
		err = fmt.Errorf("index %s: %s", c.Tree, ans.JobStatus)
		if ans.ErrorSummary != nil {
			err = fmt.Errorf("%w: %s", err, *ans.ErrorSummary)
		}
	}
	if err != nil {
		_ = e.Close(ctx)
		return nil, err
	}
	return e, nil
}

// timed returns how long f took, in milliseconds.
func timed(f func() error) (float64, error) {
	t := time.Now()
	err := f()
	return float64(time.Since(t).Nanoseconds()) / 1e6, err
}

// quantile returns the q-quantile of values, which it sorts.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[int(q*float64(len(values)-1)+0.5)]
}

// diskBytes is the size of a directory in allocated blocks.
func diskBytes(dir string) (int64, error) {
	var total int64
	err := walkFiles(dir, func(info os.FileInfo) { total += allocated(info) })
	return total, err
}
