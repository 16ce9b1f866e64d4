package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/ralph-index/ralph-index/bench/model"
	"github.com/ralph-index/ralph-index/engine"
)

// ModelOptions are what Model runs with beyond a Config.
type ModelOptions struct {
	Duration time.Duration // scripts are begun until then
	Steps    int           // of each script
	Script   string        // a file with a script to run instead; "" is none
}

const (
	modelEvery  = 25 // steps between barriers
	modelShrink = 10 * time.Minute
)

// Model runs random scripts of changes, each with the next seed, half of them on an
// engine that sweeps and half on one that works as a server does, and compares what
// it says with what an engine says that indexes the tree anew (package bench/model).
// A script that fails is made smaller and written to out, and ends the run.
func Model(ctx context.Context, c *Config, o ModelOptions, out io.Writer) (*Report, error) {
	began := time.Now()
	var total model.Counts
	scripts, wrong := 0, 0
	for seed := c.Seed; wrong == 0 && ctx.Err() == nil && (scripts == 0 || time.Since(began) < o.Duration); seed++ {
		m, done, err := c.model(seed%2 == 0)
		if err != nil {
			return nil, err
		}
		counts, err := modelScript(ctx, m, o, seed, out)
		done()
		scripts++
		total.Add(counts)
		var f *model.Failure
		switch {
		case errors.As(err, &f):
			wrong++
		case err != nil:
			return nil, fmt.Errorf("script of seed %d: %w", seed, err)
		}
		if o.Script != "" {
			break
		}
	}
	r := &Report{}
	r.add(c, "model", "scripts", float64(scripts), "", note("seeds %d to %d, %.0f s", c.Seed, c.Seed+uint64(scripts)-1, time.Since(began).Seconds()))
	r.add(c, "model", "scripts with a wrong answer", float64(wrong), "", atMost(0), note("%s", total))
	return r, nil
}

// model prepares the engines of one script.
func (c *Config) model(background bool) (model.Config, func(), error) {
	work, err := os.MkdirTemp(c.Work, "model-")
	if err != nil {
		return model.Config{}, nil, err
	}
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return model.Config{}, nil, err
	}
	log := slog.New(slog.NewTextHandler(c.Log, &slog.HandlerOptions{Level: slog.LevelError}))
	m := model.Config{
		Work: work, Watched: background,
		Open: func(ctx context.Context, workspace, indexDir string, cold bool) (model.Engine, error) {
			e, err := engine.Open(ctx, engine.Options{
				Workspace: workspace, IndexDir: indexDir, Background: background && !cold, WorkerCommand: c.Workers, Logger: log,
			})
			if err != nil {
				return nil, err
			}
			return e, nil
		},
		Stored: func(e model.Engine) (model.Stored, error) {
			s, err := e.(*engine.Engine).Snapshot()
			if err != nil {
				return nil, err // a nil snapshot in an interface is none
			}
			return s, nil
		},
	}
	return m, func() { _ = os.RemoveAll(work) }, nil
}

// modelScript runs one script and tells of it.
func modelScript(ctx context.Context, m model.Config, o ModelOptions, seed uint64, out io.Writer) (counts model.Counts, err error) {
	began := time.Now()
	var s model.Script
	if o.Script != "" {
		f, openErr := os.Open(o.Script)
		if openErr != nil {
			return counts, openErr
		}
		s, err = model.Parse(f)
		_ = f.Close()
		if err == nil {
			counts, err = model.Replay(ctx, m, s)
		}
	} else {
		s, counts, err = model.Random(ctx, m, seed, o.Steps, modelEvery)
	}
	if ctx.Err() != nil {
		return counts, ctx.Err()
	}
	state := "ok"
	if err != nil {
		state = err.Error()
	}
	if _, err := fmt.Fprintf(out, "seed %d: %s in %.1f s: %s\n", seed, counts, time.Since(began).Seconds(), state); err != nil {
		return counts, err
	}
	var f *model.Failure
	if !errors.As(err, &f) {
		return counts, err
	}
	m.Work, _ = os.MkdirTemp(m.Work, "again-")
	small := model.Shrink(ctx, m, s, time.Now().Add(modelShrink))
	_, _ = fmt.Fprintf(out, "# the smallest script that was found to fail; run it with --script FILE\n%s", small)
	return counts, err
}
