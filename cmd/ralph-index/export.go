package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
)

func newExport(a *app) *cobra.Command {
	format := ""
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the whole graph: definitions, calls, imports, heritage",
		Long: `Writes one JSON object a line for every definition, call, import and base, with
its resolved targets, confidence and provenance.

Definitions are those with a declaration of their own: no fields that a method gives
its object by an assignment, no embedded types, which stand among the bases, and no
data types in the bodies of Go functions.`,
		Example: "  ralph-index export --format jsonl > graph.jsonl",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "jsonl" {
				return usage(fmt.Errorf("--format cannot be %q; allowed: jsonl", format))
			}
			return a.withEngine(cmd.Context(), func(svc api.Service, _ string) error {
				w := bufio.NewWriterSize(a.stdout, 1<<20)
				if err := svc.Export(cmd.Context(), w); err != nil {
					return err
				}
				if err := w.Flush(); err != nil {
					return fmt.Errorf("write output: %w", err)
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", "`FORMAT` of the output: jsonl")
	completeFlag(c, "format", []string{"jsonl"})
	return c
}
