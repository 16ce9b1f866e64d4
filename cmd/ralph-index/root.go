package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

func newRoot(a *app) *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:   "ralph-index",
		Short: "An exact index of a source tree that follows the files, for agents and people",
		Example: `  ralph-index reindex                         index the enclosing workspace
  ralph-index graph impact QuerySet.filter    what a change would reach
  ralph-index grep -F 'a[i] = b' src          text, exactly
  claude mcp add ralph -- ralph-index serve   give it to an agent`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case version:
				return a.printVersion()
			case len(args) == 0:
				return cmd.Help()
			}
			return usage(unknownCommand(cmd, args[0]))
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.checkFlags() },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.Flags().BoolVar(&version, "version", false, "print the version of this program")
	f := root.PersistentFlags()
	f.StringVarP(&a.dir, "workspace", "W", "", "workspace `DIR` (default: $RALPH_WORKSPACE, or the enclosing repository)")
	f.StringArrayVar(&a.roots, "root", nil, "further `DIR` that read and grep may name; may be repeated")
	f.BoolVar(&a.noIndex, "no-index", false, "answer from the files alone")
	f.BoolVar(&a.asJSON, "json", false, "write JSON for programs")
	f.StringVar(&a.color, "color", "auto", "colour: auto, always or never")
	f.CountVarP(&a.verbose, "verbose", "v", "log to the error stream; twice for more (of grep too: it inverts nothing)")
	completeFlag(root, "color", colors())
	root.SetFlagErrorFunc(unknownFlag)
	root.AddCommand(
		newServe(a), newReindex(a), newStatus(a), newWatch(a), newInit(a), newGraph(a), newGrep(a), newRead(a), newExport(a),
		newCall(a), newDemo(a), newVersion(a), newWorker(a),
	)
	root.AddCommand(topics(a)...)
	root.SetHelpCommand(newHelp())
	strictCompletion(root)
	for _, c := range root.Commands() {
		c.Args = usageArgs(c.Args)
		for _, sub := range c.Commands() {
			sub.Args = usageArgs(sub.Args)
		}
	}
	return root
}

// unknownFlag names the flag that may have been meant.
func unknownFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := tool.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return usage(fmt.Errorf("%w; did you mean --%s? See %s --help", err, near, cmd.CommandPath()))
		}
	}
	return usage(fmt.Errorf("%w; see %s --help", err, cmd.CommandPath()))
}

func (a *app) checkFlags() error {
	if !slices.Contains(colors(), a.color) {
		return usage(fmt.Errorf("--color cannot be %q; allowed: auto, always, never", a.color))
	}
	return nil
}

func colors() []string { return []string{"auto", "always", "never"} }

func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := tool.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown command %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("unknown command %q; the commands are %s", name, strings.Join(names, ", "))
}

func usage(err error) error { return &exitError{exitUsage, err} }

// usageArgs gives wrong positional arguments the exit code of usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(cmd, args); err != nil {
			return usage(fmt.Errorf("%w; usage: %s", err, cmd.UseLine()))
		}
		return nil
	}
}
