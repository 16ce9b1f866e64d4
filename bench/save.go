package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

const (
	savedFiles   = 40
	savedMaxSize = 32 << 10
	savedQuiet   = 3 * time.Second // before each save
	smallTree    = 1000            // files of the tree that a save is compared on
)

// Save measures, on a server that watches the tree, the time from the end of a write
// to the answer that shows it: one file of at most 32 KB gets a new definition, and
// that is asked for at once. The same saves are made in turn on a tree of 1,000 of the
// files, those that are saved among them: a save costs what the file costs. The tree is
// left as it was.
func Save(ctx context.Context, c *Config) (*Report, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 4))
	paths, err := filesOf(ctx, c.Dir)
	if err != nil {
		return nil, err
	}
	saved := pick(rng, editable(c.Dir, paths), savedFiles)
	small := *c
	small.Tree, small.Dir = c.Tree+"-1000", filepath.Join(c.Work, "tree-1000-"+c.Tree)
	if err := copyFiles(c.Dir, small.Dir, withOthers(saved, pick(rng, paths, smallTree))); err != nil {
		return nil, err
	}
	large, err := newSaver(ctx, c, saved)
	if err != nil {
		return nil, err
	}
	defer large.close(ctx)
	few, err := newSaver(ctx, &small, saved)
	if err != nil {
		return nil, err
	}
	defer few.close(ctx)
	for n := range savedFiles {
		order := []*saver{large, few}
		if n%2 == 1 {
			order[0], order[1] = order[1], order[0]
		}
		for _, s := range order {
			if err := s.save(ctx, n); err != nil {
				return nil, err
			}
		}
	}
	r := &Report{}
	ratio := make([]float64, len(large.took)) // of one save to the same on the small tree
	for n := range ratio {
		ratio[n] = large.took[n] / few.took[n]
	}
	p50, peer50 := quantile(large.took, 0.5), quantile(few.took, 0.5)
	r.add(c, "save", "write -> queryable p50, watched", p50, "ms", atMost(15), note("%d files of at most 32 KB, quiet for %v before each", len(large.took), savedQuiet))
	r.add(c, "save", "write -> queryable p95, watched", quantile(large.took, 0.95), "ms", atMost(40))
	r.add(c, "save", "a save / the same on 1,000 files, p50", quantile(ratio, 0.5), "x", atMost(1.2), peer(peer50), note("p50 / p50 %.2f", p50/peer50))
	r.add(c, "save", "write -> found by search p50", quantile(large.found, 0.5), "ms", note("p95 %.1f ms", quantile(large.found, 0.95)))
	r.add(c, "save", "cpu of p50: read + parse of the file", quantile(large.floor, 0.5), "ms", note("in process, the least that a save needs"))
	return r, nil
}

// withOthers fills the files up to the size of a small tree.
func withOthers(saved, others []graph.Path) []graph.Path {
	out := slices.Clone(saved)
	for _, p := range others {
		if len(out) < smallTree && !slices.Contains(saved, p) {
			out = append(out, p)
		}
	}
	return out
}

// saver saves files of one tree, with a server beside it.
type saver struct {
	c                  *Config
	e                  *engine.Engine
	t                  *tree.Tree
	files              []graph.Path
	took, found, floor []float64
}

func newSaver(ctx context.Context, c *Config, files []graph.Path) (*saver, error) {
	s := &saver{c: c, files: files}
	var err error
	if s.e, err = c.served(ctx); err != nil {
		return nil, err
	}
	if s.t, err = tree.Open(c.Dir, tree.Options{}); err != nil {
		s.close(ctx)
		return nil, err
	}
	return s, nil
}

func (s *saver) close(ctx context.Context) {
	_ = s.e.Close(ctx) // an index in a scratch directory
	if s.t != nil {
		_ = s.t.Close()
	}
}

// save does one round on one file.
func (s *saver) save(ctx context.Context, n int) error {
	p := s.files[n%len(s.files)]
	path := filepath.Join(s.c.Dir, string(p))
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := pause(ctx, savedQuiet); err != nil {
		return err
	}
	name := fmt.Sprintf("ralphBench%d", n)
	after := append(before[:len(before):len(before)], addition(p, n)...)
	if err := os.WriteFile(path, after, info.Mode()); err != nil {
		return err
	}
	ms, err := timed(func() error {
		ans, err := s.e.Graph(ctx, &api.GraphRequest{Request: query.Request{Type: query.Neighbors, Target: string(p) + "#" + name}})
		if err == nil && ans.Metadata.ResolvedID == "" {
			err = fmt.Errorf("the new definition is not found: %v, %+v", ans.MissingData, ans.Freshness)
		}
		return err
	})
	s.took = append(s.took, ms)
	if err == nil {
		err = s.search(ctx, path, after, info)
	}
	if err == nil {
		ms, err = timed(func() error { return parseFiles(ctx, s.t, []graph.Path{p}) })
		s.floor = append(s.floor, ms)
	}
	if restoreErr := restore(path, before, info); err == nil {
		err = restoreErr
	}
	if err != nil {
		return fmt.Errorf("save %s: %w", p, err)
	}
	return nil
}

// search writes a word and searches for it at once.
func (s *saver) search(ctx context.Context, path string, text []byte, info os.FileInfo) error {
	word := fmt.Sprintf("ralphBenchWord%d", len(s.found))
	if err := os.WriteFile(path, append(text[:len(text):len(text)], "\n// "+word+"\n"...), info.Mode()); err != nil {
		return err
	}
	ms, err := timed(func() error {
		ans, err := s.e.Grep(ctx, &api.GrepRequest{Pattern: word, CaseSensitive: true})
		if err == nil && len(ans.Matches) != 1 {
			err = fmt.Errorf("%d matches of a word that was just written", len(ans.Matches))
		}
		return err
	})
	s.found = append(s.found, ms)
	return err
}

func restore(path string, text []byte, info os.FileInfo) error {
	if err := os.WriteFile(path, text, info.Mode()); err != nil {
		return err
	}
	return os.Chtimes(path, info.ModTime(), info.ModTime())
}

// filesOf lists the files that the ignore rules let through.
func filesOf(ctx context.Context, dir string) ([]graph.Path, error) {
	t, err := tree.Open(dir, tree.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }()
	var out []graph.Path
	err = t.Walk(ctx, tree.WalkOptions{}, func(e tree.Entry) error {
		if e.Type == tree.File && !e.Link {
			out = append(out, e.Path)
		}
		return nil
	})
	return out, err
}

// copyFiles makes dir a copy of the files.
func copyFiles(from, dir string, paths []graph.Path) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, p := range paths {
		to := filepath.Join(dir, string(p))
		text, err := os.ReadFile(filepath.Join(from, string(p)))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, text, 0o644)
		}
		if err != nil {
			return fmt.Errorf("copy tree: %w", err)
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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
