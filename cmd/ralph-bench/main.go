// Command ralph-bench measures the engine on real trees and checks what needs one.
// Every suite prints figures with the figure of the same run that they are held
// against; a missed mark makes the exit code 1.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/bench"
	"github.com/ralph-index/ralph-index/corpus"
	"github.com/ralph-index/ralph-index/extract/worker"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command(os.Stdout, os.Stderr).ExecuteContext(ctx); err != nil {
		if !errors.Is(err, errMissed) {
			_, _ = fmt.Fprintln(os.Stderr, "ralph-bench:", err)
		}
		os.Exit(1)
	}
}

var errMissed = errors.New("a mark was missed")

// flags are shared by all suites.
type flags struct {
	trees  []string
	dir    string
	base   string
	work   string
	seed   uint64
	rounds int
	n      int
	json   bool
	out    string
	cpu    string
}

func command(stdout, stderr io.Writer) *cobra.Command {
	f := &flags{}
	root := &cobra.Command{
		Use: "ralph-bench", Short: "measure the engine on real trees", SilenceUsage: true, SilenceErrors: true,
		Example: "  ralph-bench fetch\n  ralph-bench cold --tree goroot\n  ralph-bench all --tree django --json",
	}
	p := root.PersistentFlags()
	p.StringSliceVar(&f.trees, "tree", nil, "trees of the corpus (default: all)")
	p.StringVar(&f.dir, "dir", "", "measure this directory instead; --tree is its name in reports")
	p.StringVar(&f.base, "trees", "corpus/trees", "where fetched trees lie")
	p.StringVar(&f.work, "work", "", "scratch directory (default: a temporary one)")
	p.Uint64Var(&f.seed, "seed", 1, "seed of every random choice")
	p.IntVar(&f.rounds, "rounds", 3, "repetitions of each measurement")
	p.IntVar(&f.n, "n", 1000, "literals of the equal suite, saves of the growth suite")
	p.BoolVar(&f.json, "json", false, "one JSON object a line")
	p.StringVar(&f.cpu, "cpuprofile", "", "write a CPU profile of the suites (not of their child processes)")
	p.StringVar(&f.out, "out", "", "also write the report of each suite into this directory")
	root.AddCommand(fetchCommand(f, stderr), accuracyCommand(f, stdout, stderr), tagsCommand(f, stdout), crowdCommand(f, stdout, stderr), modelCommand(f, stdout, stderr), killCommand(f, stdout, stderr), memoryCommand(f, stdout, stderr), victimCommand(), toolServerCommand(), stepCommand(f, stderr), parserCommand())
	names := []string{}
	for _, s := range suites() {
		names = append(names, s.name)
		root.AddCommand(&cobra.Command{
			Use: s.name, Short: s.short, Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), stdout, stderr, s.name) },
		})
	}
	root.AddCommand(&cobra.Command{
		Use: "all", Short: "run every suite", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), stdout, stderr, names...) },
	})
	return root
}

type suite struct {
	name, short string
	run         func(context.Context, *bench.Config, *flags) (*bench.Report, error)
}

func suites() []suite {
	plain := func(f func(context.Context, *bench.Config) (*bench.Report, error)) func(context.Context, *bench.Config, *flags) (*bench.Report, error) {
		return func(ctx context.Context, c *bench.Config, _ *flags) (*bench.Report, error) { return f(ctx, c) }
	}
	return []suite{
		{"cold", "a first index against reading and parsing the same files", plain(bench.Cold)},
		{"grep", "indexed search against ripgrep, result sets compared", plain(bench.Grep)},
		{"livegrep", "search without an index, through a running server, against ripgrep", plain(bench.LiveGrep)},
		{"tools", "files read, listed and found through a running server, against the least that each can take", plain(bench.Tools)},
		{"graph", "latency of each question", plain(bench.Graph)},
		{"save", "from a write to the answer that shows it", plain(bench.Save)},
		{"checkout", "git switches 2,000 files while questions are asked", plain(bench.Checkout)},
		{"open", "a first answer from an existing index; a run without changes", plain(bench.Open)},
		{"known", "callers and tests that were checked by hand", plain(bench.Known)},
		{"deadline", "the heaviest question under a short deadline", plain(bench.Deadline)},
		{"equal", "random literals: indexed, live and ripgrep's sets", func(ctx context.Context, c *bench.Config, f *flags) (*bench.Report, error) {
			return bench.Equal(ctx, c, f.n)
		}},
		{"growth", "what many saves of a few files leave behind", func(ctx context.Context, c *bench.Config, f *flags) (*bench.Report, error) {
			return bench.Growth(ctx, c, f.n)
		}},
	}
}

// run runs suites over the chosen trees.
func (f *flags) run(ctx context.Context, stdout, stderr io.Writer, names ...string) error {
	configs, done, err := f.configs(ctx, stderr)
	if err != nil {
		return err
	}
	defer done()
	stop, err := f.profile()
	if err != nil {
		return err
	}
	defer stop()
	missed := false
	for _, s := range suites() {
		chosen := false
		for _, n := range names {
			chosen = chosen || n == s.name
		}
		if !chosen {
			continue
		}
		all := &bench.Report{}
		for _, c := range configs {
			_, _ = fmt.Fprintf(stderr, "%s %s %s\n", time.Now().Format(time.TimeOnly), s.name, c.Tree)
			r, err := s.run(ctx, c, f)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", s.name, c.Tree, err)
			}
			if err := r.Write(stdout, f.json); err != nil {
				return err
			}
			all.Rows = append(all.Rows, r.Rows...)
		}
		missed = missed || all.Failed()
		if err := f.keep(s.name, all); err != nil {
			return err
		}
	}
	if missed {
		return errMissed
	}
	return nil
}

// profile starts a CPU profile where --cpuprofile says.
func (f *flags) profile() (stop func(), err error) {
	if f.cpu == "" {
		return func() {}, nil
	}
	w, err := os.Create(f.cpu)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(w); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = w.Close() // a profile that was cut off does not open: nothing to add
	}, nil
}

// keep writes the report of a suite where --out says.
func (f *flags) keep(name string, r *bench.Report) error {
	if f.out == "" || len(r.Rows) == 0 {
		return nil
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	w, err := os.Create(filepath.Join(f.out, name+".txt"))
	if err != nil {
		return err
	}
	return errors.Join(r.Write(w, false), w.Close())
}

// configs prepares one configuration for each tree.
func (f *flags) configs(ctx context.Context, log io.Writer) ([]*bench.Config, func(), error) {
	work, done, err := f.scratch()
	if err != nil {
		return nil, nil, err
	}
	if f.dir != "" {
		name := "dir"
		if len(f.trees) > 0 {
			name = f.trees[0]
		}
		dir, err := filepath.Abs(f.dir)
		if err != nil {
			return nil, done, err
		}
		c, err := f.config(name, dir, work, log)
		return []*bench.Config{c}, done, err
	}
	trees, err := f.chosen()
	if err != nil {
		return nil, done, err
	}
	var out []*bench.Config
	for _, t := range trees {
		dir, err := corpus.Fetch(ctx, f.base, t, log)
		if err != nil {
			return nil, done, err
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, done, err
		}
		c, err := f.config(t.Name, dir, work, log)
		if err != nil {
			return nil, done, err
		}
		out = append(out, c)
	}
	return out, done, nil
}

func (f *flags) chosen() ([]corpus.Tree, error) {
	if len(f.trees) == 0 {
		return corpus.Trees()
	}
	var out []corpus.Tree
	for _, name := range f.trees {
		t, err := corpus.Find(name)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func fetchCommand(f *flags, log io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "fetch", Short: "fetch the trees of the corpus through the package registries", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, done, err := f.configs(cmd.Context(), log)
			if done != nil {
				done()
			}
			return err
		},
	}
}

// workerCommand is the name under which the engine starts this program to parse
// files: the product parses in processes of its own, so that is what is measured.
const workerCommand = "extract-worker"

func parserCommand() *cobra.Command {
	return &cobra.Command{
		Use: workerCommand, Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return worker.Serve(cmd.Context(), os.Stdin, os.Stdout) },
	}
}

// stepCommand is what a measurement in a process of its own runs.
func stepCommand(f *flags, log io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "step NAME", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			c := &bench.Config{Tree: f.trees[0], Dir: f.dir, Work: f.work, Seed: f.seed, Workers: []string{self, workerCommand}, Log: log}
			switch args[0] {
			case bench.StepIndex:
				return bench.Index(cmd.Context(), c)
			case bench.StepFloor:
				return bench.Floor(cmd.Context(), c)
			}
			return fmt.Errorf("no step %q", args[0])
		},
	}
}
