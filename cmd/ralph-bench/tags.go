package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/bench/tags"
)

// tagsCommand compares definitions with those of Universal Ctags.
func tagsCommand(f *flags, stdout io.Writer) *cobra.Command {
	var o tags.Options
	var least float64
	c := &cobra.Command{
		Use: "ctags", Short: "definitions of a tree against those that Universal Ctags lists", Args: cobra.NoArgs,
		Long: "ctags runs Universal Ctags on the directory of --dir for one language, and looks for each of its tags among the\n" +
			"definitions by file, line and name. It prints recall by kind, what is left out and why, and examples of misses.",
		Example: "  ralph-bench ctags --dir TREE --language Ruby",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Dir = f.dir; o.Dir == "" || o.Language == "" {
				return errors.New("ctags needs --dir and --language")
			}
			recall, err := tags.Compare(cmd.Context(), o, stdout)
			if err == nil && recall < least {
				return errMissed
			}
			return err
		},
	}
	c.Flags().StringVar(&o.Language, "language", "", "language, as ctags calls it")
	c.Flags().StringVar(&o.Program, "ctags", "ctags", "program `FILE`")
	c.Flags().IntVar(&o.Examples, "examples", 5, "misses shown of each kind")
	c.Flags().Float64Var(&least, "least", 0, "recall below which the exit code is 1")
	return c
}
