package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/bench"
)

// accuracyCommand scores an index against files of truth.
func accuracyCommand(f *flags, stdout, stderr io.Writer) *cobra.Command {
	var o bench.AccuracyOptions
	var h bench.HistoryOptions
	c := &cobra.Command{
		Use: "accuracy", Short: "what an index says of a tree against what a compiler says", Args: cobra.NoArgs,
		Long: "accuracy indexes the directory of --dir and prints for each language precision and recall of definitions, calls,\n" +
			"imports and inheritance, how sure the edges say they are, and the most frequent misses; then the answers to\n" +
			"questions. What is disputed (macros, calls out of macros) is counted with and without. Truth\n" +
			"is JSON lines in the form of `ralph-index export`; files that end in .gz are unpacked.\n" +
			"--suite scores small programs instead, each by itself, whose files lie below --dir.",
		Example: "  ralph-bench accuracy --dir TREE --oracle truth.jsonl.gz --cases graph.jsonl.gz",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if h.Limit, h.Ranked = o.Limit, o.Ranked; h.Cases != "" {
				return f.history(cmd.Context(), h, stdout, stderr)
			}
			if f.dir == "" || o.Oracle == "" && o.Cases == "" && o.Tests == "" && o.Suite == "" {
				return errors.New("accuracy needs --dir, and a file of truth: --oracle, --cases, --tests or --suite")
			}
			if o.Suite != "" && o != (bench.AccuracyOptions{Suite: o.Suite, Corrections: o.Corrections}) {
				return errors.New("--suite stands alone: its cases are no part of a tree")
			}
			if o.Corrections != "" && o.Suite == "" {
				return errors.New("--corrections needs --suite")
			}
			if o.Cases != "" && o.Oracle == "" {
				return errors.New("--cases needs --oracle: paths are checked against its calls")
			}
			work, done, err := f.scratch()
			if err != nil {
				return err
			}
			defer done()
			name := f.dir
			if len(f.trees) == 1 {
				name = f.trees[0]
			}
			config, err := f.config(name, f.dir, work, stderr)
			if err != nil {
				return err
			}
			return bench.Accuracy(cmd.Context(), config, o, stdout)
		},
	}
	c.Flags().StringVar(&o.Oracle, "oracle", "", "definitions, calls, imports and inheritance in `FILE`")
	c.Flags().StringVar(&o.Calls, "calls", "", "calls in `FILE`, in place of those of --oracle")
	c.Flags().StringVar(&o.Cases, "cases", "", "questions about the graph in `FILE`")
	c.Flags().StringVar(&o.Tests, "tests", "", "functions and the tests that run them in `FILE`")
	c.Flags().StringVar(&o.Suite, "suite", "", "small programs and the calls of each in `FILE`")
	c.Flags().StringVar(&o.Corrections, "corrections", "", "what --suite says wrong or leaves out in `FILE`; scores it as published and corrected")
	c.Flags().StringVar(&h.Cases, "history", "", "changes of a repository in `FILE`, in place of all that: their functions, and the test files that were changed with them")
	c.Flags().StringVar(&h.GitDir, "git-dir", "", "git `DIR` of that repository, which is only read")
	c.Flags().IntVar(&h.Every, "every", 1, "take each `K`-th change")
	c.Flags().IntVar(&h.Skip, "skip", 0, "begin behind `N` changes")
	c.Flags().IntVar(&o.Limit, "limit", 0, "longest answer about tests (default: that of the tool)")
	c.Flags().StringVar(&o.Ranked, "ranked", "", "write the cases of --tests or --history with the answers into `FILE`")
	return c
}

// history asks about the changes of a repository.
func (f *flags) history(ctx context.Context, h bench.HistoryOptions, stdout, stderr io.Writer) error {
	if h.GitDir == "" || f.dir != "" {
		return errors.New("--history needs --git-dir, and no --dir: it makes the trees itself")
	}
	work, done, err := f.scratch()
	if err != nil {
		return err
	}
	defer done()
	name := "repository"
	if len(f.trees) == 1 {
		name = f.trees[0]
	}
	config, err := f.config(name, "", work, stderr)
	if err != nil {
		return err
	}
	stop, err := f.profile()
	if err != nil {
		return err
	}
	defer stop()
	return bench.History(ctx, config, h, stdout)
}
