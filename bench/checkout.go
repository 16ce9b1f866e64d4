package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

const (
	checkedOut    = 2000 // files that differ between the two commits
	checkoutLimit = 5 * time.Minute
)

// Checkout lets git switch between two commits that differ in 2,000 files, asks all
// the while, and measures how long the index takes to catch up, against reading and
// parsing those files. It works on a copy of the tree.
func Checkout(ctx context.Context, c *Config) (*Report, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 5))
	repo := *c
	repo.Tree, repo.Dir = c.Tree+"-git", filepath.Join(c.Work, "repo-"+c.Tree)
	files, err := makeRepository(ctx, c, repo.Dir, rng)
	if err != nil {
		return nil, err
	}
	e, err := repo.served(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	t, err := tree.Open(repo.Dir, tree.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }()
	var caught, floor []float64
	var seen asked
	for round := range max(c.Rounds, 2) {
		branch := [...]string{"edited", "base"}[round%2]
		ms, err := switchTo(ctx, &repo, e, branch, files, rng, &seen)
		if err != nil {
			return nil, err
		}
		caught = append(caught, ms)
		if ms, err = timed(func() error { return parseFiles(ctx, t, files) }); err != nil {
			return nil, err
		}
		floor = append(floor, ms)
	}
	r := &Report{}
	at, base := quantile(caught, 0.5), quantile(floor, 0.5)
	r.add(c, "checkout", "wrong answers meanwhile", float64(seen.wrong), "", atMost(0), note("of %d; %d said freshness_required, %d were about files in motion; %v", seen.all, seen.refused, seen.moved, seen.examples))
	r.add(c, "checkout", "catch-up / (read + parse of the files)", at/base, "x", atMost(2), note("%.2f s after git was done, against %.2f s; %d files", at/1e3, base/1e3, len(files)))
	return r, nil
}

// makeRepository makes two branches that differ in files of the tree, and returns
// those files.
func makeRepository(ctx context.Context, c *Config, dir string, rng *rand.Rand) ([]graph.Path, error) {
	paths, err := filesOf(ctx, c.Dir)
	if err != nil {
		return nil, err
	}
	if err := copyFiles(c.Dir, dir, paths); err != nil {
		return nil, err
	}
	files := pick(rng, editable(dir, paths), checkedOut)
	slices.Sort(files)
	for _, args := range [][]string{{"init", "-q", "-b", "base"}, {"add", "-A"}, {"commit", "-qm", "base"}, {"switch", "-qc", "edited"}} {
		if err := git(ctx, dir, args...); err != nil {
			return nil, err
		}
	}
	for i, p := range files {
		f, err := os.OpenFile(filepath.Join(dir, string(p)), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		_, err = f.WriteString(addition(p, i))
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{{"commit", "-qam", "edited"}, {"switch", "-q", "base"}} {
		if err := git(ctx, dir, args...); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func git(ctx context.Context, dir string, args ...string) error {
	args = append([]string{"-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0", "-c", "core.autocrlf=false"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// asked counts answers.
type asked struct {
	all, wrong, refused, moved int
	examples                   []string
}

// switchTo checks a branch out, asks until the index has caught up, and returns how
// long that took after git was done, in milliseconds.
func switchTo(ctx context.Context, c *Config, e *engine.Engine, branch string, files []graph.Path, rng *rand.Rand, seen *asked) (float64, error) {
	if err := settled(ctx, e); err != nil {
		return 0, err
	}
	var wg sync.WaitGroup
	done := make(chan error, 1)
	wg.Go(func() { done <- git(ctx, c.Dir, "switch", "-q", branch) })
	defer wg.Wait()
	for {
		select {
		case err := <-done:
			if err != nil {
				return 0, err
			}
			began := time.Now()
			for {
				current, err := isCurrent(ctx, e)
				if err != nil || current {
					return float64(time.Since(began).Nanoseconds()) / 1e6, err
				}
				if err := askOne(ctx, c, e, files, rng, seen); err != nil {
					return 0, err
				}
				if err := pause(ctx, 50*time.Millisecond); err != nil { // agents think, too
					return 0, err
				}
			}
		default:
			if err := askOne(ctx, c, e, files, rng, seen); err != nil {
				return 0, err
			}
		}
	}
}

// askOne asks for the definition that one of the files has on one branch only, and
// compares the answer with the file. A file that changed while it was asked about
// proves nothing.
func askOne(ctx context.Context, c *Config, e *engine.Engine, files []graph.Path, rng *rand.Rand, seen *asked) error {
	i := rng.IntN(len(files))
	p := files[i]
	name := fmt.Sprintf("ralphBench%d", i)
	before := holds(c.Dir, p, name)
	var got, refused bool
	kind := "grep"
	if rng.IntN(2) == 0 {
		ans, err := e.Grep(ctx, &api.GrepRequest{Pattern: name, CaseSensitive: true, WholeWord: true, Limit: 10})
		if err != nil {
			return err
		}
		got = slices.ContainsFunc(ans.Matches, func(m api.Match) bool { return m.Path == p })
	} else {
		kind = "graph"
		policy := [...]api.Policy{api.Required, api.PreferFresh}[rng.IntN(2)]
		ans, err := e.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: string(p) + "#" + name}, Freshness: policy})
		if err != nil {
			return err
		}
		got = ans.Metadata.ResolvedID != ""
		refused = slices.Contains(ans.MissingData, query.MissingFreshness) || ans.IsStale || ans.Deadline
		kind += " " + string(policy)
	}
	seen.all++
	switch {
	case refused:
		seen.refused++
	case holds(c.Dir, p, name) != before:
		seen.moved++
	case got != before:
		seen.wrong++
		seen.examples = append(seen.examples, fmt.Sprintf("%s of %s in %s: %v", kind, name, p, got))
	}
	return nil
}

func holds(dir string, p graph.Path, name string) bool {
	text, err := os.ReadFile(filepath.Join(dir, string(p)))
	return err == nil && strings.Contains(string(text), name+"(")
}

// isCurrent reports whether the index holds all that the watcher was told of.
func isCurrent(ctx context.Context, e *engine.Engine) (bool, error) {
	st, err := e.Status(ctx)
	if err != nil {
		return false, err
	}
	return !st.IsStale && !st.ReindexInProgress && st.DirtyPathsCount == 0, nil
}

// settled waits until the index is current and events are trusted.
func settled(ctx context.Context, e *engine.Engine) error {
	ctx, stop := context.WithTimeout(ctx, checkoutLimit)
	defer stop()
	for {
		st, err := e.Status(ctx)
		if err != nil {
			return err
		}
		if !st.IsStale && !st.ReindexInProgress && st.Watcher.State == "active" {
			return nil
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return fmt.Errorf("wait for the index: %w; watcher %+v", err, st.Watcher)
		}
	}
}
