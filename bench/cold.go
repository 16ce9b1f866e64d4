package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// Steps that a child process runs for Cold.
const (
	StepIndex = "index" // build the index from nothing
	StepFloor = "floor" // read every file and parse those with a grammar; nothing else
)

// Cold measures a first index in a process of its own against one that only reads
// and parses the same files: CPU of all processes, and wall time.
func Cold(ctx context.Context, c *Config) (*Report, error) {
	r := &Report{}
	var index, floor, indexWall, floorWall []float64
	for range max(c.Rounds, 1) {
		for _, step := range []string{StepFloor, StepIndex} {
			if err := os.RemoveAll(c.indexDir()); err != nil {
				return nil, err
			}
			cpu, wall, err := c.child(ctx, step)
			if err != nil {
				return nil, err
			}
			if step == StepFloor {
				floor, floorWall = append(floor, cpu), append(floorWall, wall)
			} else {
				index, indexWall = append(index, cpu), append(indexWall, wall)
			}
		}
	}
	base, cost := quantile(floor, 0.5), quantile(index, 0.5)
	r.add(c, "cold", "cpu / (read-all + parse-only)", cost/base, "x", atMost(2.0), note("%.2f s against %.2f s, median of %d", cost, base, len(index)))
	r.add(c, "cold", "wall / (read-all + parse-only)", quantile(indexWall, 0.5)/quantile(floorWall, 0.5), "x",
		note("%.2f s against %.2f s", quantile(indexWall, 0.5), quantile(floorWall, 0.5)))
	return r, c.afterCold(ctx, r)
}

// afterCold looks at the index that Cold left: a second run parses nothing, no file
// failed, and the size is in bounds.
func (c *Config) afterCold(ctx context.Context, r *Report) error {
	e, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close(ctx) }()
	var ans *api.ReindexAnswer
	again, err := timed(func() error {
		ans, err = e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
		return err
	})
	if err != nil {
		return err
	}
	r.add(c, "cold", "files parsed by a second run", float64(ans.ParseCount), "files", atMost(0), note("%.0f ms, %d files seen", again, ans.FilesSeen))
	st, err := e.Status(ctx)
	if err != nil {
		return err
	}
	why := map[string]int{}
	for _, f := range st.Failed {
		reason, _, _ := strings.Cut(f.Reason, ":")
		why[reason]++
	}
	r.add(c, "cold", "failed files", float64(len(st.Failed)), "files", atMost(0), note("of %d; %d partial; %v", st.FilesIndexed, st.Partial, why))
	disk, err := diskBytes(c.indexDir())
	if err != nil {
		return err
	}
	r.add(c, "cold", "index / source bytes (disk blocks)", float64(disk)/float64(st.SourceBytes), "x", atMost(0.6), note("%.1f MB for %.1f MB", float64(disk)/1e6, float64(st.SourceBytes)/1e6))
	return nil
}

// child runs a step in a process of its own.
func (c *Config) child(ctx context.Context, step string) (cpu, wall float64, err error) {
	args := append(c.Command[1:len(c.Command):len(c.Command)], "step", step, "--tree", c.Tree, "--dir", c.Dir, "--work", c.Work)
	cmd := exec.CommandContext(ctx, c.Command[0], args...)
	cmd.Stderr = c.Log
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("run step %s: %w", step, err)
	}
	return cpuSeconds(cmd.ProcessState), time.Since(began).Seconds(), nil
}

// Index is StepIndex.
func Index(ctx context.Context, c *Config) error {
	e, err := c.indexed(ctx)
	if err != nil {
		return err
	}
	return e.Close(ctx)
}

// Floor is StepFloor: the least that any indexer with these grammars must do.
func Floor(ctx context.Context, c *Config) error {
	t, err := tree.Open(c.Dir, tree.Options{})
	if err != nil {
		return fmt.Errorf("floor: %w", err)
	}
	defer func() { _ = t.Close() }()
	paths := make(chan graph.Path, 64)
	var wg sync.WaitGroup
	errs := make(chan error, runtime.GOMAXPROCS(0))
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			if err := parseAll(ctx, t, paths); err != nil {
				errs <- err
			}
			for range paths { // let the walk end
			}
		})
	}
	err = t.Walk(ctx, tree.WalkOptions{}, func(e tree.Entry) error {
		if e.Type == tree.File {
			paths <- e.Path
		}
		return nil
	})
	close(paths)
	wg.Wait()
	close(errs)
	for e := range errs {
		return e
	}
	return err
}

// parseFiles reads and parses files in parallel, in this process.
func parseFiles(ctx context.Context, t *tree.Tree, files []graph.Path) error {
	paths := make(chan graph.Path, len(files))
	for _, p := range files {
		paths <- p
	}
	close(paths)
	var g errgroup.Group
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		g.Go(func() error { return parseAll(ctx, t, paths) })
	}
	return g.Wait()
}

func parseAll(ctx context.Context, t *tree.Tree, paths <-chan graph.Path) error {
	x := extract.New(extract.Limits{})
	defer x.Close()
	var buf []byte
	for p := range paths {
		src, _, err := t.Read(p, buf)
		if err != nil {
			continue // the index reports it; the floor only pays for what can be read
		}
		buf = src[:0]
		if match.Classify(src) != graph.ContentText {
			continue
		}
		if lang := extract.Detect(p, src); lang != "" {
			if err := x.ParseOnly(ctx, lang, src); err != nil {
				return fmt.Errorf("parse %s: %w", p, err)
			}
		}
	}
	return nil
}
