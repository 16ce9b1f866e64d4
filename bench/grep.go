package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
)

// everything is a limit that no search reaches.
const everything = 100_000_000

// Grep measures indexed searches against ripgrep on the same tree, class by class,
// and compares the result sets. ripgrep is a whole process, as whoever uses it pays
// for one; ours is a call of the engine with its freshness check.
func Grep(ctx context.Context, c *Config) (*Report, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 1))
	cen, err := takeCensus(ctx, c.Dir, rng)
	if err != nil {
		return nil, err
	}
	e, err := c.indexed(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	r := &Report{}
	for _, class := range []struct {
		name     string
		literals []string
		mark     float64
	}{
		{"rare (< 0.1 % of files)", cen.band(rng, 20, 0, 0.001), 10},
		{"absent", cen.absent(rng, 5), 10},
		{"medium (0.1-2 %)", cen.band(rng, 20, 0.001, 0.02), 3},
		{"sub-word", cen.subWords(rng, 20), 3},
		{"broad (10-40 %)", cen.band(rng, 5, 0.1, 0.4), 0},
	} {
		if err := grepClass(ctx, c, e, cen, r, class.name, class.literals, class.mark); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func grepClass(ctx context.Context, c *Config, e *engine.Engine, cen *census, r *Report, name string, literals []string, mark float64) error {
	var ours, rg []float64
	differ := 0
	for _, lit := range literals {
		for round := range max(c.Rounds, 1) {
			var got *api.GrepAnswer
			took, err := timed(func() (err error) {
				got, err = e.Grep(ctx, &api.GrepRequest{Pattern: lit, CaseSensitive: true, Limit: everything})
				return err
			})
			if err != nil {
				return err
			}
			var out []byte
			rgTook, err := timed(func() (err error) {
				out, err = ripgrep(ctx, c.Dir, "-F", "-s", "-e", lit)
				return err
			})
			if err != nil {
				return err
			}
			ours, rg = append(ours, took), append(rg, rgTook)
			if round == 0 && !equal(cen, got, placesOf(cen, out)) {
				differ++
			}
		}
	}
	p50, peer50 := quantile(ours, 0.5), quantile(rg, 0.5)
	opts := []func(*Row){peer(peer50), note("p95 %.2f ms, %d literals, %d rounds", quantile(ours, 0.95), len(literals), max(c.Rounds, 1))}
	r.add(c, "grep", name+" p50", p50, "ms", opts...)
	if mark > 0 {
		r.add(c, "grep", name+": ripgrep / ours, p50", peer50/p50, "x", atLeast(mark))
	} else {
		r.add(c, "grep", name+": ripgrep / ours, p50", peer50/p50, "x")
	}
	r.add(c, "grep", name+": result sets that differ", float64(differ), "", atMost(0))
	return nil
}

// ripgrep runs it on the whole tree and returns what it prints.
func ripgrep(ctx context.Context, dir string, args ...string) ([]byte, error) {
	base := []string{"--no-config", "-uu", "--no-heading", "--with-filename", "-n", "--color", "never", "--no-messages", "-j2", "--null"}
	cmd := exec.CommandContext(ctx, "rg", append(append(base, args...), ".")...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil // nothing found
	}
	if err != nil && (len(out) == 0 || !errors.As(err, &exit) || exit.ExitCode() < 0) {
		return nil, fmt.Errorf("run rg: %w", err) // a file it could not open is exit code 2, with all the rest found
	}
	return out, nil
}

// placesOf reads "path:line" of each match in files of the census.
func placesOf(cen *census, out []byte) map[string]bool {
	set := map[string]bool{}
	for line := range bytes.Lines(out) {
		path, rest, ok := bytes.Cut(line, []byte{0})
		num, _, _ := bytes.Cut(rest, []byte{':'})
		if p := string(bytes.TrimPrefix(path, []byte("./"))); ok && cen.has(graph.Path(p)) {
			set[p+":"+string(num)] = true
		}
	}
	return set
}

func (c *census) has(p graph.Path) bool {
	_, ok := slices.BinarySearch(c.paths, p)
	return ok && !c.bad[p]
}

func equal(cen *census, got *api.GrepAnswer, want map[string]bool) bool {
	return difference(cen, got, want) == ""
}

// difference names a place that is in one set only, "" where the sets are the same.
func difference(cen *census, got *api.GrepAnswer, want map[string]bool) string {
	seen := make(map[string]bool, len(got.Matches))
	for i := range got.Matches {
		m := &got.Matches[i]
		if !cen.has(m.Path) {
			continue
		}
		place := string(m.Path) + ":" + strconv.Itoa(int(m.Line))
		if !want[place] {
			return place + " is ours alone"
		}
		seen[place] = true
	}
	for place := range want {
		if !seen[place] {
			return place + " is ripgrep's alone"
		}
	}
	return ""
}

// Equal checks, for N random literals of every kind in every mode, that the indexed
// set, the live set and ripgrep's set are the same.
func Equal(ctx context.Context, c *Config, n int) (*Report, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 2))
	cen, err := takeCensus(ctx, c.Dir, rng)
	if err != nil {
		return nil, err
	}
	e, err := c.indexed(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	differ, examples, began, indexUsed := 0, []string{}, time.Now(), 0
	for i := range n {
		lit := cen.random(rng)
		if lit == "" {
			continue
		}
		req := api.GrepRequest{Pattern: lit, CaseSensitive: i%2 == 0, WholeWord: i%4 >= 2, Limit: everything}
		diff, used, err := equalOne(ctx, c, e, cen, req)
		if err != nil {
			return nil, fmt.Errorf("literal %q: %w", lit, err)
		}
		if used {
			indexUsed++
		}
		if diff != "" {
			differ++
			examples = append(examples, fmt.Sprintf("%q case=%v word=%v: %s", lit, req.CaseSensitive, req.WholeWord, diff))
		}
	}
	r := &Report{}
	r.add(c, "equal", fmt.Sprintf("of %d literals, sets that differ", n), float64(differ), "", atMost(0),
		note("seed %d, %.0f s, index used for %d; %v", c.Seed, time.Since(began).Seconds(), indexUsed, examples[:min(len(examples), 5)]))
	return r, nil
}

func equalOne(ctx context.Context, c *Config, e *engine.Engine, cen *census, req api.GrepRequest) (diff string, used bool, err error) {
	got, err := e.Grep(ctx, &req)
	if err != nil {
		return "", false, err
	}
	live := req
	live.UseIndex = api.IndexNever
	scanned, err := e.Grep(ctx, &live)
	if err != nil {
		return "", false, err
	}
	args := []string{"-F", "-s", "-e", req.Pattern}
	if !req.CaseSensitive {
		args[1] = "-i"
	}
	if req.WholeWord {
		args = append(args, "-w")
	}
	out, err := ripgrep(ctx, c.Dir, args...)
	if err != nil {
		return "", false, err
	}
	if diff = difference(cen, got, placesOf(cen, out)); diff != "" {
		return diff, got.IndexUsed, nil
	}
	if len(got.Matches) != len(scanned.Matches) {
		return fmt.Sprintf("%d indexed, %d live", len(got.Matches), len(scanned.Matches)), got.IndexUsed, nil
	}
	for i := range got.Matches {
		if a, b := &got.Matches[i], &scanned.Matches[i]; a.Path != b.Path || a.Line != b.Line {
			return fmt.Sprintf("match %d is %s:%d indexed, %s:%d live", i, a.Path, a.Line, b.Path, b.Line), got.IndexUsed, nil
		}
	}
	return "", got.IndexUsed, nil
}
