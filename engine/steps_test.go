package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// stepFiles is more than what a run leaves to a later flush.
const stepFiles = 150

// killedAtStep is a process that does what an engine can do to its index, and kills
// itself when it reaches a step for the nth time: workspace, step, n. Without a step
// it lists those that it reaches.
func killedAtStep(args []string) int {
	n, _ := strconv.Atoi(args[2])
	seen := 0
	life := engineLife{dir: args[0], opts: Options{Workspace: args[0], Workers: 2, Reached: func(step string) {
		if args[1] == "" {
			fmt.Println(step)
		}
		if step != args[1] {
			return
		}
		if seen++; seen == n {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}}}
	if err := life.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// engineLife goes through everything that is done to an index.
type engineLife struct {
	dir  string
	opts Options
	e    *Engine
}

func (l *engineLife) run(ctx context.Context) (err error) {
	for version := range 2 {
		if l.e, err = Open(ctx, l.opts); err != nil {
			return err
		}
		steps := []func(context.Context) error{
			l.reindex(api.ReindexChanged), l.edit(5, 10*version+1), l.reindex(api.ReindexChanged), l.flush, l.optimize,
			l.edit(stepFiles, 10*version+2), l.reindex(api.ReindexChanged), l.compact, l.optimize,
			l.reindex(api.ReindexFull), l.edit(3, 10*version+3), l.reindex(api.ReindexChanged), l.persist, l.unpublished,
		}
		for _, f := range steps {
			if err := f(ctx); err != nil {
				return err
			}
		}
		if err := l.e.Close(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (l *engineLife) index() *index { return l.e.conn.svc.(*local).x }

func (l *engineLife) reindex(mode api.ReindexMode) func(context.Context) error {
	return func(ctx context.Context) error {
		ans, err := l.e.Reindex(ctx, &api.ReindexRequest{Mode: mode}, nil)
		if err == nil && ans.ErrorSummary != nil {
			err = errors.New(*ans.ErrorSummary)
		}
		return err
	}
}

// edit writes new versions of the first n files.
func (l *engineLife) edit(n, version int) func(context.Context) error {
	return func(context.Context) error {
		for i := range n {
			name, text := generated(i, version)
			if err := os.WriteFile(filepath.Join(l.dir, name), []byte(text), 0o644); err != nil {
				return err
			}
		}
		return nil
	}
}

func (l *engineLife) flush(ctx context.Context) error    { return l.index().writer.Flush(ctx, 1) }
func (l *engineLife) optimize(ctx context.Context) error { return l.index().lexical.Optimize(ctx) }
func (l *engineLife) persist(ctx context.Context) error  { return l.index().lexical.Flush(ctx) }
func (l *engineLife) compact(ctx context.Context) error  { return l.index().store.Compact(ctx) }

// unpublished leaves words of a run that never published.
func (l *engineLife) unpublished(ctx context.Context) error {
	newest := graph.FileID(0)
	l.index().withSnapshot(func(s *store.Snapshot) {
		s.Files(func(f graph.File) bool { newest = max(newest, f.ID); return true })
	})
	doc := lexical.NewDoc(newest+1, []byte("never published\n"), lexical.NewScratch())
	return l.index().lexical.Apply(ctx, lexical.Batch{Put: []lexical.Doc{doc}})
}

func TestKilledAtEveryStep(t *testing.T) {
	counts := stepsReached(t)
	for _, s := range Steps() {
		switch owner, _, _ := strings.Cut(s, ":"); owner {
		case "store", "write": // whose own tests reach what needs a large tree, or changes of files
		default:
			if counts[s] == 0 {
				t.Errorf("%s: never reached", s)
			}
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	t.Logf("%d steps", len(counts))
	for _, step := range slices.Sorted(maps.Keys(counts)) {
		count := counts[step]
		n := 1 + rng.IntN(count)
		t.Run(fmt.Sprintf("%s/%d of %d", step, n, count), func(t *testing.T) {
			t.Parallel()
			s := &testSpace{t: t, dir: t.TempDir()}
			generate(t, s.dir, stepFiles, 0)
			cmd := child(t, "step", s.dir, step, strconv.Itoa(n))
			err := cmd.Run()
			if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != syscall.SIGKILL {
				t.Fatalf("the process was not killed: %v", err)
			}
			patterns := []string{"shared", "nly_4_", "only_3_1", "only_3_2", "only_100_12", "only_2_13", "published"}
			s.open()
			sameAsLive(t, s, patterns)
			s.reindex(api.ReindexChanged)
			sameAsCold(t, s, patterns)
			s.write("go0/f0.go", "package p\n\nfunc Later() { shared() }\n")
			s.reindex(api.ReindexChanged)
			sameAsCold(t, s, append(patterns, "Later"))
			if err := s.index().store.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// stepsReached counts how often a life reaches each step.
func stepsReached(t *testing.T) map[string]int {
	t.Helper()
	dir := t.TempDir()
	generate(t, dir, stepFiles, 0)
	out, err := child(t, "step", dir, "", "0").Output()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for sc := bufio.NewScanner(strings.NewReader(string(out))); sc.Scan(); {
		counts[sc.Text()]++
	}
	return counts
}
