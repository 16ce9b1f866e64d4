package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ralph-index/ralph-index/bench/accuracy"
	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// HistoryOptions say which changes of a repository are asked about.
type HistoryOptions struct {
	Cases  string // file of changes
	GitDir string // of the repository; nothing is written there
	Every  int    // take each k-th change; 0 is all
	Skip   int    // of the first k
	Limit  int    // longest answer; 0 is the default of the tool
	Ranked string // file for the changes with what was answered; "" is none
}

// History checks out the parent of each change, brings the index up to date, and asks
// what a change of the functions concerns. It prints how much of what the commit did
// was foreseen.
func History(ctx context.Context, c *Config, o HistoryOptions, out io.Writer) error {
	changes, err := accuracy.ReadHistory(o.Cases)
	if err != nil {
		return err
	}
	var some []accuracy.Change
	for i := o.Skip; i < len(changes); i += max(o.Every, 1) {
		some = append(some, changes[i])
	}
	c.Dir = filepath.Join(c.Work, "history-"+c.Tree) // ours: what stands there is overwritten
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	e, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close(ctx) }()
	var took []float64
	for i := range some {
		if err := checkOutParent(ctx, c, o.GitDir, some[i].Parent); err != nil {
			return err
		}
		if _, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil); err != nil {
			return fmt.Errorf("index %s: %w", some[i].Parent, err)
		}
		ms, err := foresee(ctx, e, &some[i], o.Limit)
		if err != nil {
			return fmt.Errorf("ask about %s: %w", some[i].Commit, err)
		}
		took = append(took, ms...)
	}
	if err := writeRanked(o.Ranked, some); err != nil {
		return err
	}
	if err := accuracy.WriteFigures(out, accuracy.ScoreHistory(some)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "one answer: median %.1f ms, p95 %.1f ms\n", quantile(took, .5), quantile(took, .95))
	return err
}

// checkOutParent makes the tree that of a commit. Git's own index lies in the scratch
// directory.
func checkOutParent(ctx context.Context, c *Config, gitDir, commit string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "--git-dir", gitDir, "--work-tree", c.Dir, "read-tree", "-u", "--reset", commit)
	cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(c.Work, "git-index-"+c.Tree))
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("check out %s: %w: %s", commit, err, text)
	}
	return nil
}

// foresee asks for the tests and the impact of a change of each function, and merges
// the answers. It returns how long the answers with tests took, in milliseconds.
func foresee(ctx context.Context, e *engine.Engine, c *accuracy.Change, limit int) (took []float64, err error) {
	var tests, near [][]string
	for _, fn := range c.Changed {
		req := query.Request{Type: query.Tests, Target: fmt.Sprintf("%s:%d", fn.File, fn.Line), Limit: limit}
		start := time.Now()
		ans, err := e.Graph(ctx, &api.GraphRequest{Request: req})
		if err != nil {
			return nil, err
		}
		took = append(took, float64(time.Since(start).Nanoseconds())/1e6)
		var files []string
		for _, t := range ans.SuggestedTests {
			files = append(files, string(t.Path))
		}
		tests = append(tests, files)
		req.Type = query.Impact
		if ans, err = e.Graph(ctx, &api.GraphRequest{Request: req}); err != nil {
			return nil, err
		}
		near = append(near, sourcesOf(ans, c))
	}
	c.Ranked, c.Near = accuracy.Merge(tests), accuracy.Merge(near)
	return took, nil
}

// sourcesOf lists the files of an answer that are neither tests nor among those that
// are asked about.
func sourcesOf(ans *api.GraphAnswer, c *accuracy.Change) (out []string) {
	asked := map[graph.Path]bool{}
	for _, fn := range c.Changed {
		asked[graph.Path(fn.File)] = true
	}
	for _, p := range ans.ImpactedFiles {
		if !asked[p] && graph.RoleOf(p) == graph.RoleSource {
			out = append(out, string(p))
		}
	}
	return out
}

// writeRanked writes one line for each case.
func writeRanked[T any](name string, cases []T) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	for i := range cases {
		if err := enc.Encode(&cases[i]); err != nil {
			_ = f.Close()
			return err
		}
	}
	return f.Close()
}
