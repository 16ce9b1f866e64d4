package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/bench"
	"github.com/ralph-index/ralph-index/bench/kill"
	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/mcpserver"
)

const victimCommandName = "victim"

// killCommand is no suite of `all`: it takes long and changes its tree.
func killCommand(f *flags, stdout, stderr io.Writer) *cobra.Command {
	var o bench.KillOptions
	c := &cobra.Command{
		Use: "kill", Short: "servers killed while they index, save, compact and lead; answers compared", Args: cobra.NoArgs,
		Example: "  ralph-bench kill --kills 200 --tree django",
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			o.Victim = []string{self, victimCommandName}
			configs, done, err := f.configs(cmd.Context(), stderr)
			if err != nil {
				return err
			}
			defer done()
			return f.report(cmd.Context(), "kill", stdout, func(ctx context.Context) (*bench.Report, error) {
				all := &bench.Report{}
				for _, c := range configs {
					r, err := bench.Kill(ctx, c, o)
					if err != nil {
						return nil, fmt.Errorf("kill on %s: %w", c.Tree, err)
					}
					all.Rows = append(all.Rows, r.Rows...)
				}
				return all, nil
			})
		},
	}
	c.Flags().IntVar(&o.Kills, "kills", 200, "how often a server is killed")
	c.Flags().IntVar(&o.SameEvery, "same-every", 25, "kills between comparisons with a new index")
	c.Flags().StringArrayVar(&o.Steps, "step", nil, "a step at which servers end, as the report names it; may be repeated (default: all)")
	return c
}

// victimCommand serves a workspace as the product does, and can end itself at a step
// of the writing of its index or of files. Idle work comes early and often.
func victimCommand() *cobra.Command {
	return &cobra.Command{
		Use: victimCommandName + " WORKSPACE AIM", Hidden: true, Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			target := kill.NewTarget(args[1])
			log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
			e, err := engine.Open(cmd.Context(), engine.Options{
				Workspace: args[0], WorkerCommand: []string{self, workerCommand}, Background: true, Version: "victim", Logger: log,
				Idle: engine.Idle{Tick: 50 * time.Millisecond, Flush: 4, Compact: 20, Collect: 10, Optimize: 20},
				Reached: func(step string) {
					if linger, end := target.Reached(step); end {
						_, _ = fmt.Fprintln(os.Stderr, "died at "+step)
						<-time.After(linger) // the rest of the process goes on
						_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
						select {}
					}
				},
			})
			if err != nil {
				return err
			}
			server, err := mcpserver.New(mcpserver.Options{Service: e, Version: "victim", Logger: log})
			if err != nil {
				return err
			}
			err = server.ServeStdio(cmd.Context(), os.Stdin, os.Stdout)
			if closeErr := e.Close(context.WithoutCancel(cmd.Context())); err == nil {
				err = closeErr
			}
			return err
		},
	}
}
