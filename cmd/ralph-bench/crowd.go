package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/bench"
)

// served runs a suite of real servers on each tree, writes and keeps its reports, and
// fails with errMissed where a mark is missed. server is set where it is empty.
func (f *flags) served(
	ctx context.Context, name string, server *string, stdout, stderr io.Writer, run func(context.Context, *bench.Config) (*bench.Report, error),
) error {
	if *server == "" {
		var err error
		if *server, err = productBeside(); err != nil {
			return err
		}
	}
	configs, done, err := f.configs(ctx, stderr)
	if err != nil {
		return err
	}
	defer done()
	all := &bench.Report{}
	for _, c := range configs {
		r, err := run(ctx, c)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", name, c.Tree, err)
		}
		if err := r.Write(stdout, f.json); err != nil {
			return err
		}
		all.Rows = append(all.Rows, r.Rows...)
	}
	if err := f.keep(name, all); err != nil {
		return err
	}
	if all.Failed() {
		return errMissed
	}
	return nil
}

// crowdCommand is no suite of `all`: it takes minutes and has options of its own.
func crowdCommand(f *flags, stdout, stderr io.Writer) *cobra.Command {
	var o bench.CrowdOptions
	c := &cobra.Command{
		Use: "crowd", Short: "many servers on one workspace, a writer, and leaders killed; answers checked", Args: cobra.NoArgs,
		Example: "  ralph-bench crowd --tree django --clients 8 --calls 500",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.served(cmd.Context(), "crowd", &o.Server, stdout, stderr, func(ctx context.Context, c *bench.Config) (*bench.Report, error) {
				return bench.Crowd(ctx, c, o)
			})
		},
	}
	c.Flags().StringVar(&o.Server, "server", "", "the program that serves (default: ralph-index beside this one)")
	c.Flags().IntVar(&o.Clients, "clients", 8, "clients, each with a server of its own")
	c.Flags().IntVar(&o.Calls, "calls", 500, "calls of each client")
	c.Flags().IntVar(&o.Seconds, "seconds", 30, "least duration of a turn, which may take more calls")
	c.Flags().IntVar(&o.Rounds, "turns", 2, "turns of the crowd and of the single server, which share the calls")
	c.Flags().IntVar(&o.Writes, "writes", 20, "files changed in a second")
	c.Flags().DurationVar(&o.KillEvery, "kill-every", 5*time.Second, "pause between killing leaders")
	c.Flags().BoolVar(&o.Mixed, "mixed", false, "in turn kill leaders, stop them for 4 s, and close them in order")
	return c
}

// productBeside is the program that serves, in the directory of this one.
func productBeside() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(self), "ralph-index"), nil
}
