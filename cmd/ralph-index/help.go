package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver"
	"github.com/ralph-index/ralph-index/mcpserver/session"
	"github.com/ralph-index/ralph-index/mcpserver/tools/explore"
)

// topics are the pages of help that belong to no command.
func topics(a *app) []*cobra.Command {
	codes := map[int]string{}
	for _, row := range exitCodes() {
		codes[row.code] = row.meaning
	}
	missing := map[query.Word]string{}
	for _, m := range missingWords() {
		missing[m.word] = m.meaning
	}
	return []*cobra.Command{
		a.topic("exit-codes", "The exit codes of every command", exitCodeHelp(), codes),
		a.topic("missing-data", "The words that say what an answer may lack", missingHelp(), missing),
	}
}

// topic is a page of help. For programs it is a map of what it explains.
func (a *app) topic(name, short, text string, meanings any) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short, Long: text}
	c.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !a.asJSON {
			cmd.Parent().HelpFunc()(cmd, args)
			return
		}
		_ = a.printJSON(meanings) // help has no way to fail
	})
	return c
}

// newHelp is the help command. Unlike cobra's own it fails for what it does not know.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command or topic",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			if len(args) == 0 {
				for _, c := range cmd.Root().Commands() {
					if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
						names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return usage(err)
			}
			if len(rest) > 0 && !slices.Contains(questions(), rest[0]) {
				return usage(unknownCommand(found, rest[0]))
			}
			found.InitDefaultHelpFlag()
			found.HelpFunc()(found, args)
			return nil
		},
	}
}

// strictCompletion makes "completion SHELL" fail for a shell that it does not know.
func strictCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usage(unknownCommand(cmd, args[0]))
		}
	}
}

// questions are the names of the graph's questions.
func questions() []string {
	var out []string
	for _, q := range []query.Type{query.Neighbors, query.Path, query.Impact, query.Hubs, query.Tests} {
		out = append(out, string(q))
	}
	return out
}

// helpOfQuestion shows, when the command line names a question, only the flags that
// it has.
func helpOfQuestion(cmd *cobra.Command, args []string) {
	i := slices.IndexFunc(args, func(s string) bool { return slices.Contains(questions(), s) })
	if i >= 0 {
		for argument, types := range explore.Restricted() {
			f := cmd.Flags().Lookup(flagName(argument))
			if f != nil && !slices.Contains(types, query.Type(args[i])) {
				f.Hidden = true
			}
		}
	}
	cmd.Parent().HelpFunc()(cmd, args)
}

// completeFirst offers words for the first positional argument and none for others.
func completeFirst(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlag offers words for the value of a flag that the command has.
func completeFlag(c *cobra.Command, name string, words []string) {
	if err := c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // no such flag, or twice: found by every test
	}
}

func drains() []string {
	var out []string
	for _, d := range session.Drains() {
		out = append(out, string(d))
	}
	return out
}

func toolNames() []string {
	tools, err := mcpserver.Catalog(nil) // only their names are asked for
	if err != nil {
		panic(err) // a tool that cannot be described: found by every test
	}
	var out []string
	for _, t := range tools {
		out = append(out, t.Spec().Name)
	}
	return out
}
