package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/bench"
)

// toolServerCommand serves the tools and one that does nothing, for the suites that
// measure tools.
func toolServerCommand() *cobra.Command {
	return &cobra.Command{
		Use: bench.ToolServerCommand + " WORKSPACE INDEX FILE", Hidden: true, Args: cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			return bench.ServeTools(cmd.Context(), args[0], args[1], args[2], []string{self, workerCommand})
		},
	}
}
