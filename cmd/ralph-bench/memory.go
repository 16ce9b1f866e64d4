package main

import (
	"context"
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
			return f.served(cmd.Context(), "memory", &o.Server, stdout, stderr, func(ctx context.Context, c *bench.Config) (*bench.Report, error) {
				return bench.Memory(ctx, c, o)
			})
		},
	}
	c.Flags().StringVar(&o.Server, "server", "", "the program that serves (default: ralph-index beside this one)")
	c.Flags().IntVar(&o.Questions, "questions", 300, "what the server is asked before it comes to rest again")
	return c
}
