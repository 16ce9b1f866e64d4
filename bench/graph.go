package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// strata are the numbers of calling definitions by which targets are chosen.
func strata() []struct {
	name     string
	from, to int
} {
	return []struct {
		name     string
		from, to int
	}{{"0", 0, 0}, {"1", 1, 1}, {"2-4", 2, 4}, {"5-20", 5, 20}}
}

const perStratum = 15

// definition is a place that an export names.
type definition struct {
	name, file string
	line       uint32
}

func (d definition) target() string { return d.file + ":" + strconv.Itoa(int(d.line)) }

// exportLine is what the suites read of an export.
type exportLine struct {
	K          string `json:"k"`
	File       string `json:"file"`
	Line       uint32 `json:"line"`
	Kind       string `json:"kind"`
	QName      string `json:"qname"`
	Local      bool   `json:"local"`
	CallerLine uint32 `json:"caller_line"`
	CalleeFile string `json:"callee_file"`
	CalleeLine uint32 `json:"callee_line"`
}

// callers counts the distinct calling definitions of each function and method.
func callers(ctx context.Context, e *engine.Engine) (map[definition]int, error) {
	pr, pw := io.Pipe()
	go func() { pw.CloseWithError(e.Export(ctx, pw)) }()
	type place struct {
		file string
		line uint32
	}
	defs, calls := map[place]string{}, map[place]map[place]bool{}
	for dec := json.NewDecoder(bufio.NewReaderSize(pr, 1<<20)); ; {
		var l exportLine
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read export: %w", err)
		}
		switch {
		case l.K == "def" && !l.Local && (l.Kind == "function" || l.Kind == "method"):
			defs[place{l.File, l.Line}] = l.QName
		case l.K == "call" && l.CalleeFile != "":
			to := place{l.CalleeFile, l.CalleeLine}
			if calls[to] == nil {
				calls[to] = map[place]bool{}
			}
			calls[to][place{l.File, l.CallerLine}] = true
		}
	}
	out := make(map[definition]int, len(defs))
	for p, name := range defs {
		out[definition{name, p.file, p.line}] = len(calls[p])
	}
	return out, nil
}

// targets picks definitions of each stratum.
func targets(rng *rand.Rand, counts map[definition]int) []definition {
	var out []definition
	for _, s := range strata() {
		var in []definition
		for d, n := range counts {
			if n >= s.from && n <= s.to {
				in = append(in, d)
			}
		}
		slices.SortFunc(in, func(a, b definition) int {
			if a.file != b.file {
				return slices.Compare([]byte(a.file), []byte(b.file))
			}
			return int(a.line) - int(b.line)
		})
		out = append(out, pick(rng, in, perStratum)...)
	}
	return out
}

// Graph measures each question over targets with 0, 1, 2-4 and 5-20 callers, asked of
// an engine that hears of every change as that of a server does: the first call after a
// publish, of what was never asked before, and a warm one. Beside them stand the same
// call after one more publish, and the time of the processor that the first one took,
// which says more on a machine that does other things as well.
func Graph(ctx context.Context, c *Config) (*Report, error) {
	e, err := c.served(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	counts, err := callers(ctx, e)
	if err != nil {
		return nil, err
	}
	chosen := targets(rand.New(rand.NewPCG(c.Seed, 3)), counts)
	r := &Report{}
	publish, done := publisher(c, e)
	defer done(ctx)
	for _, q := range []query.Type{query.Neighbors, query.Impact, query.Tests, query.Path, query.Hubs} {
		t, err := graphQuery(ctx, e, q, chosen, publish)
		if err != nil {
			return nil, err
		}
		row := func(name string, values []float64, opts ...func(*Row)) {
			n := note("p95 %.2f ms over %d targets", quantile(values, 0.95), len(values))
			r.add(c, "graph", string(q)+" "+name+" p50", quantile(values, 0.5), "ms", append(opts, n)...)
		}
		row("first after publish", t.first, atMost(5))
		row("first after publish, processor", t.processor)
		row("warm", t.warm, atMost(5))
		row("again after a publish", t.again)
	}
	return r, nil
}

// graphTimes are the times of one question in milliseconds, by target.
type graphTimes struct{ first, processor, warm, again []float64 }

func graphQuery(ctx context.Context, e *engine.Engine, q query.Type, chosen []definition, publish func(context.Context) error) (*graphTimes, error) {
	t := &graphTimes{}
	for i, d := range chosen {
		req := &api.GraphRequest{Request: query.Request{Type: q, Target: d.target()}}
		switch q {
		case query.Hubs:
			req.Target = ""
		case query.Path:
			req.TargetB = chosen[(i+1)%len(chosen)].target()
		}
		ask := func(into *[]float64) error {
			took, err := timed(func() error {
				_, err := e.Graph(ctx, req)
				return err
			})
			if err != nil {
				return fmt.Errorf("%s %s: %w", q, req.Target, err)
			}
			*into = append(*into, took)
			return nil
		}
		if err := publish(ctx); err != nil {
			return nil, err
		}
		before := processorTime()
		if err := ask(&t.first); err != nil {
			return nil, err
		}
		t.processor = append(t.processor, processorTime()-before)
		if err := ask(&t.warm); err != nil {
			return nil, err
		}
		if err := publish(ctx); err != nil {
			return nil, err
		}
		if err := ask(&t.again); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// processorTime is the time that all threads of this process have run, in
// milliseconds.
func processorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// publisher returns a function that makes a new generation by changing a file of its
// own in the tree, and one that takes that file away.
func publisher(c *Config, e *engine.Engine) (publish func(context.Context) error, done func(context.Context)) {
	name := "ralph-bench-scratch.md"
	path := filepath.Join(c.Dir, name)
	n := 0
	publish = func(ctx context.Context) error {
		n++
		if err := os.WriteFile(path, fmt.Appendf(nil, "# Scratch %d\n", n), 0o644); err != nil {
			return err
		}
		_, err := e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged, Scope: []string{name}}, nil)
		return err
	}
	done = func(ctx context.Context) {
		_ = os.Remove(path)
		_, _ = e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged, Scope: []string{name}}, nil)
	}
	return publish, done
}
