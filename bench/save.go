package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

const (
	savedFiles   = 40
	savedMaxSize = 32 << 10
)

// Save measures the time from the end of a write to the answer that shows it: one
// file of at most 32 KB gets a new definition, is named to the index, and the
// definition is asked for. The tree is left as it was.
func Save(ctx context.Context, c *Config) (*Report, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 4))
	cen, err := takeCensus(ctx, c.Dir, rng)
	if err != nil {
		return nil, err
	}
	e, err := c.indexed(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	var took []float64
	for i, p := range pick(rng, editable(c.Dir, cen.paths), savedFiles) {
		ms, err := saveOne(ctx, c, e, p, i)
		if err != nil {
			return nil, fmt.Errorf("save %s: %w", p, err)
		}
		took = append(took, ms)
	}
	r := &Report{}
	r.add(c, "save", "write -> queryable p50", quantile(took, 0.5), "ms", atMost(20), note("p95 %.1f ms over %d files", quantile(took, 0.95), len(took)))
	return r, nil
}

func editable(dir string, paths []graph.Path) []graph.Path {
	var out []graph.Path
	for _, p := range paths {
		info, err := os.Lstat(filepath.Join(dir, string(p)))
		if err == nil && info.Mode().IsRegular() && info.Size() <= savedMaxSize && addition(p, 0) != "" {
			out = append(out, p)
		}
	}
	return out
}

// addition is a definition to append, in the language of the file.
func addition(p graph.Path, n int) string {
	switch p.Ext() {
	case ".go":
		return fmt.Sprintf("\nfunc ralphBench%d() {}\n", n)
	case ".py":
		return fmt.Sprintf("\n\ndef ralphBench%d():\n    pass\n", n)
	case ".ts":
		return fmt.Sprintf("\nexport function ralphBench%d(): void {}\n", n)
	}
	return ""
}

func saveOne(ctx context.Context, c *Config, e *engine.Engine, p graph.Path, n int) (float64, error) {
	path := filepath.Join(c.Dir, string(p))
	before, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	scope := []string{string(p)}
	restore := func() error {
		if err := os.WriteFile(path, before, info.Mode()); err != nil {
			return err
		}
		_ = os.Chtimes(path, info.ModTime(), info.ModTime())
		_, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged, Scope: scope}, nil)
		return err
	}
	after := append(before[:len(before):len(before)], addition(p, n)...)
	if err := os.WriteFile(path, after, info.Mode()); err != nil {
		return 0, err
	}
	took, err := timed(func() error {
		if _, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged, Scope: scope}, nil); err != nil {
			return err
		}
		ans, err := e.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: fmt.Sprintf("%s#ralphBench%d", p, n)}})
		if err == nil && ans.Metadata.ResolvedID == "" {
			err = fmt.Errorf("the new definition is not found: %v", ans.MissingData)
		}
		return err
	})
	if restoreErr := restore(); err == nil {
		err = restoreErr
	}
	return took, err
}
