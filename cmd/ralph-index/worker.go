package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/extract/worker"
)

// workerCommand is the name under which the engine starts this program to parse
// files.
const workerCommand = "extract-worker"

func newWorker(*app) *cobra.Command {
	return &cobra.Command{
		Use:    workerCommand,
		Short:  "Parse files for another process (not for people)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return worker.Serve(cmd.Context(), os.Stdin, os.Stdout)
		},
	}
}
