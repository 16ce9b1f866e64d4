package engine

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/bench/model"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

var (
	modelSeed  = flag.Uint64("model.seed", 1, "seed of the random scripts of the model test")
	modelSteps = flag.Int("model.steps", 2000, "steps of each of the two scripts of the model test")
)

// modelConfig opens engines as a server does, but for parsing in this process.
func modelConfig(t *testing.T, background bool) model.Config {
	return model.Config{
		Work: t.TempDir(), Watched: background,
		Open: func(ctx context.Context, workspace, indexDir string, cold bool) (model.Engine, error) {
			// Half of the files count as large, and are extracted beside the runs.
			e, err := Open(ctx, Options{Workspace: workspace, IndexDir: indexDir, Background: background && !cold, largeFile: 100})
			if err != nil {
				return nil, err // a nil engine in an interface is none
			}
			return e, nil
		},
		Stored: func(e model.Engine) (model.Stored, error) {
			s, err := e.(*Engine).Snapshot()
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

// TestModel holds an engine that follows random changes of a tree against one that
// indexes it anew. Another seed, or more steps: go test ./engine
// -run TestModel -model.seed 7 -model.steps 5000.
func TestModel(t *testing.T) {
	for _, background := range []bool{false, true} {
		t.Run(map[bool]string{false: "by sweeps", true: "as a server"}[background], func(t *testing.T) {
			t.Parallel() // both wait for the disk more than they work
			c := modelConfig(t, background)
			began := time.Now()
			script, counts, err := model.Random(t.Context(), c, *modelSeed, *modelSteps, 25)
			t.Logf("seed %d: %s in %v", *modelSeed, counts, time.Since(began).Round(time.Millisecond))
			if err == nil {
				return
			}
			t.Errorf("seed %d: %v", *modelSeed, err)
			var f *model.Failure
			if !errors.As(err, &f) {
				return
			}
			c.Work = t.TempDir()
			small := model.Shrink(t.Context(), c, script, time.Now().Add(time.Minute))
			t.Logf("this script fails (keep it in testdata/model):\n%s", small)
			c.Work = t.TempDir()
			_, err = model.Replay(t.Context(), c, small)
			t.Logf("with %v", err)
		})
	}
}

// liar is an engine that keeps something to itself.
type liar struct {
	*Engine
	about string
}

func (l liar) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	ans, err := l.Engine.Grep(ctx, req)
	if err == nil && l.about == "search" && len(ans.Matches) > 1 && req.UseIndex != api.IndexNever {
		ans.Matches = ans.Matches[1:]
	}
	return ans, err
}

func (l liar) Graph(ctx context.Context, req *api.GraphRequest) (*api.GraphAnswer, error) {
	ans, err := l.Engine.Graph(ctx, req)
	if err == nil && l.about == "graph" {
		ans.Nodes = append(ans.Nodes, query.Node{Label: "nobody"})
	}
	return ans, err
}

func (l liar) Export(ctx context.Context, w io.Writer) error {
	if l.about != "export" {
		return l.Engine.Export(ctx, w)
	}
	var all bytes.Buffer
	if err := l.Engine.Export(ctx, &all); err != nil {
		return err
	}
	_, err := w.Write(all.Bytes()[bytes.IndexByte(all.Bytes(), '\n')+1:])
	return err
}

// The model notices what is wrong. The first barrier of 26 steps asks before it brings
// the engine up to date.
func TestModelNotices(t *testing.T) {
	for _, l := range []struct {
		about, what string
		every       int
	}{{"search", "search", 25}, {"graph", "graph", 25}, {"graph", "first", 26}, {"export", "export", 25}} {
		c := modelConfig(t, false)
		open := c.Open
		c.Stored = nil
		c.Open = func(ctx context.Context, workspace, indexDir string, cold bool) (model.Engine, error) {
			e, err := open(ctx, workspace, indexDir, cold)
			if err != nil || cold {
				return e, err
			}
			return liar{e.(*Engine), l.about}, nil
		}
		_, _, err := model.Random(t.Context(), c, 3, 60, l.every)
		var f *model.Failure
		if !errors.As(err, &f) || !strings.HasPrefix(f.What, l.what) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// TestModelScripts runs the scripts of testdata/model: what failed once.
func TestModelScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/model/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			script, err := model.Parse(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, background := range []bool{false, true} {
				if _, err := model.Replay(t.Context(), modelConfig(t, background), script); err != nil {
					t.Errorf("as a server %v: %v", background, err)
				}
			}
		})
	}
}
