package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/bench"
)

// memoryCommand is no suite of `all`: it takes minutes, and only Linux tells what it
// asks.
func memoryCommand(f *flags, stdout, stderr io.Writer) *cobra.Command {
	var o bench.MemoryOptions
	c := &cobra.Command{
		Use: "memory", Short: "what the processes of a server take while it indexes and at rest (Linux)", Args: cobra.NoArgs,
		Example: "  ralph-bench memory --tree kubernetes",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Server == "" {
				if o.Server, err = productBeside(); err != nil {
					return err
				}
			}
			configs, done, err := f.configs(cmd.Context(), stderr)
			if err != nil {
				return err
			}
			defer done()
			all := &bench.Report{}
			for _, c := range configs {
				r, err := bench.Memory(cmd.Context(), c, o)
				if err != nil {
					return fmt.Errorf("memory on %s: %w", c.Tree, err)
				}
				if err := r.Write(stdout, f.json); err != nil {
					return err
				}
				all.Rows = append(all.Rows, r.Rows...)
			}
			if err := f.keep("memory", all); err != nil {
				return err
			}
			if all.Failed() {
				return errMissed
			}
			return nil
		},
	}
	c.Flags().StringVar(&o.Server, "server", "", "the program that serves (default: ralph-index beside this one)")
	c.Flags().IntVar(&o.Questions, "questions", 300, "what the server is asked before it comes to rest again")
	return c
}
