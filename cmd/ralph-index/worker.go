package main

import (
	"errors"

	"github.com/spf13/cobra"
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
		RunE: func(*cobra.Command, []string) error {
			return errors.New("parser processes are not built in yet")
		},
	}
}
