package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/bench"
)

// modelCommand runs the model test for a while: it needs no tree.
func modelCommand(f *flags, stdout, stderr io.Writer) *cobra.Command {
	var o bench.ModelOptions
	c := &cobra.Command{
		Use: "model", Short: "random changes of a tree: an index that follows them against a new one", Args: cobra.NoArgs,
		Example: "  ralph-bench model --duration 20m --seed 7\n  ralph-bench model --script failing.jsonl",
		RunE: func(cmd *cobra.Command, _ []string) error {
			work, done, err := f.scratch()
			if err != nil {
				return err
			}
			defer done()
			return f.report(cmd.Context(), "model", stdout, func(ctx context.Context) (*bench.Report, error) {
				c, err := f.config("made up", "", work, stderr)
				if err != nil {
					return nil, err
				}
				return bench.Model(ctx, c, o, stdout)
			})
		},
	}
	c.Flags().DurationVar(&o.Duration, "duration", time.Minute, "begin scripts until then")
	c.Flags().IntVar(&o.Steps, "steps", 2000, "steps of each script")
	c.Flags().StringVar(&o.Script, "script", "", "run the script in `FILE` instead")
	return c
}

// report runs one suite that chooses its own tree.
func (f *flags) report(ctx context.Context, name string, stdout io.Writer, run func(context.Context) (*bench.Report, error)) error {
	r, err := run(ctx)
	if err != nil {
		return err
	}
	if err := r.Write(stdout, f.json); err != nil {
		return err
	}
	if err := f.keep(name, r); err != nil {
		return err
	}
	if r.Failed() {
		return errMissed
	}
	return nil
}

// scratch is the directory of --work, or a temporary one.
func (f *flags) scratch() (dir string, done func(), err error) {
	if f.work != "" {
		return f.work, func() {}, os.MkdirAll(f.work, 0o755)
	}
	if dir, err = os.MkdirTemp("", "ralph-bench-"); err != nil {
		return "", nil, err
	}
	return dir, func() { _ = os.RemoveAll(dir) }, nil
}

// config is the configuration for one tree.
func (f *flags) config(name, dir, work string, log io.Writer) (*bench.Config, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return &bench.Config{
		Tree: name, Dir: dir, Work: work, Seed: f.seed, Rounds: f.rounds,
		Command: []string{self}, Workers: []string{self, workerCommand}, Log: log,
	}, nil
}
