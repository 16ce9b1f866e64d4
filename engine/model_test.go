package engine

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/bench/model"
)

var (
	modelSeed  = flag.Uint64("model.seed", 1, "seed of the random scripts of the model test")
	modelSteps = flag.Int("model.steps", 1000, "steps of each of the two scripts of the model test")
)

// modelConfig opens engines as a server does, but for parsing in this process.
func modelConfig(t *testing.T, background bool) model.Config {
	return model.Config{
		Work: t.TempDir(),
		Open: func(ctx context.Context, workspace, indexDir string, cold bool) (model.Engine, error) {
			e, err := Open(ctx, Options{Workspace: workspace, IndexDir: indexDir, Background: background && !cold})
			if err != nil {
				return nil, err // a nil engine in an interface is none
			}
			return e, nil
		},
		Stored: func(e model.Engine) (model.Stored, error) {
			l, ok := e.(*Engine).conn.svc.(*local)
			if !ok || l.x == nil {
				return nil, errors.New("the engine has no index")
			}
			return l.x.store.Snapshot(), nil
		},
	}
}

// TestModel holds an engine that follows random changes of a tree against one that
// indexes it anew. Another seed, or more steps: go test ./engine
// -run TestModel -model.seed 7 -model.steps 5000.
func TestModel(t *testing.T) {
	for _, background := range []bool{false, true} {
		t.Run(map[bool]string{false: "by sweeps", true: "as a server"}[background], func(t *testing.T) {
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
