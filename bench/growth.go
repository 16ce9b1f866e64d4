package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	growthFiles = 50
	// growthQuiet is how long the index must stay as it is to count as idle, and
	// growthPatience how long that is waited for.
	growthQuiet    = 4 * time.Second
	growthPatience = 2 * time.Minute
	// growthCache is what the cache of decoded facts may take, in MB, if it was empty
	// at first; growthTables are open files of the store that come and go.
	growthCache  = 96
	growthTables = 32
)

// growth is one run of the suite.
type growth struct {
	c      *Config
	e      *engine.Engine
	paths  []graph.Path
	before map[graph.Path][]byte
	times  map[graph.Path]time.Time
	most   int64 // largest size of the index meanwhile
}

// use is what a process and its index take.
type use struct {
	bytes       int64 // allocated below the index directory
	descriptors int
	goroutines  int
	heap        uint64
}

// Growth saves the same few files n times, beside the idle work of a server, and
// compares what the index and the process take before and after. The tree is left as
// it was.
func Growth(ctx context.Context, c *Config, n int) (_ *Report, err error) {
	cen, err := takeCensus(ctx, c.Dir, rand.New(rand.NewPCG(c.Seed, 5)))
	if err != nil {
		return nil, err
	}
	g := &growth{c: c, before: map[graph.Path][]byte{}, times: map[graph.Path]time.Time{}}
	g.paths = pick(rand.New(rand.NewPCG(c.Seed, 6)), editable(c.Dir, cen.paths), growthFiles)
	if len(g.paths) == 0 {
		return nil, errors.New("no file of the tree can be edited")
	}
	for _, p := range g.paths {
		if err := g.remember(p); err != nil {
			return nil, err
		}
	}
	defer func() { err = errors.Join(err, g.restore()) }()
	start := use{descriptors: descriptors(), goroutines: runtime.NumGoroutine()}
	if err := g.open(ctx); err != nil {
		return nil, err
	}
	first, last, err := g.saves(ctx, n)
	if err = errors.Join(err, g.e.Close(ctx)); err != nil {
		return nil, err
	}
	end := ended(start)
	r := &Report{}
	r.add(c, "growth", fmt.Sprintf("index after %d saves of %d files, idle", n, len(g.paths)), float64(last.bytes)/float64(first.bytes), "x", atMost(1.2),
		note("%.1f MB -> %.1f MB, at most %.1f MB meanwhile", mb(first.bytes), mb(last.bytes), mb(g.most)))
	r.add(c, "growth", "heap more after the saves", mb(int64(last.heap)-int64(first.heap)), "MB", atMost(growthCache), note("%.1f MB -> %.1f MB", mb(int64(first.heap)), mb(int64(last.heap))))
	r.add(c, "growth", "descriptors more, while serving", float64(last.descriptors-first.descriptors), "", atMost(growthTables), note("%d -> %d", first.descriptors, last.descriptors))
	r.add(c, "growth", "goroutines more, while serving", float64(last.goroutines-first.goroutines), "", atMost(4), note("%d -> %d", first.goroutines, last.goroutines))
	r.add(c, "growth", "descriptors left open by Close", float64(end.descriptors-start.descriptors), "", atMost(0))
	r.add(c, "growth", "goroutines left by Close", float64(end.goroutines-start.goroutines), "", atMost(0))
	return r, nil
}

func mb(n int64) float64 { return float64(n) / (1 << 20) }

func (g *growth) remember(p graph.Path) error {
	name := filepath.Join(g.c.Dir, string(p))
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	g.before[p], g.times[p] = text, info.ModTime()
	return nil
}

func (g *growth) restore() error {
	var err error
	for p, text := range g.before {
		name := filepath.Join(g.c.Dir, string(p))
		err = errors.Join(err, os.WriteFile(name, text, 0o644), os.Chtimes(name, g.times[p], g.times[p]))
	}
	return err
}

// open starts an engine that does idle work, on an index that was built before.
func (g *growth) open(ctx context.Context) error {
	e, err := g.c.indexed(ctx)
	if err != nil {
		return err
	}
	if err := e.Close(ctx); err != nil {
		return err
	}
	g.e, err = engine.Open(ctx, engine.Options{
		Workspace: g.c.Dir, IndexDir: g.c.indexDir(), Background: true,
		Logger: slog.New(slog.NewTextHandler(g.c.Log, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	return err
}

// saves returns what is used after a first round over the files, and after the last.
func (g *growth) saves(ctx context.Context, n int) (first, last use, err error) {
	for i := range n {
		if i == len(g.paths) {
			if first, err = g.idle(ctx); err != nil {
				return first, last, err
			}
		}
		if err := g.save(ctx, i); err != nil {
			return first, last, err
		}
		if i%100 == 0 {
			size, err := diskBytes(g.c.indexDir())
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return first, last, err
			}
			g.most = max(g.most, size)
		}
	}
	last, err = g.idle(ctx)
	return first, last, err
}

// save writes a new version of the next file and has it indexed.
func (g *growth) save(ctx context.Context, i int) error {
	p := g.paths[i%len(g.paths)]
	text := append(bytes.Clone(g.before[p]), addition(p, i)...)
	if err := os.WriteFile(filepath.Join(g.c.Dir, string(p)), text, 0o644); err != nil {
		return err
	}
	ans, err := g.e.Reindex(ctx, &api.ReindexRequest{Mode: api.ReindexChanged, Scope: []string{string(p)}}, nil)
	if err == nil && ans.ErrorSummary != nil {
		err = errors.New(*ans.ErrorSummary)
	}
	return err
}

// idle waits until the size of the index stays as it is, and measures.
func (g *growth) idle(ctx context.Context) (use, error) {
	size, since := int64(-1), time.Now()
	for began := time.Now(); time.Since(began) < growthPatience && time.Since(since) < growthQuiet; {
		now, err := diskBytes(g.c.indexDir())
		switch {
		case errors.Is(err, os.ErrNotExist): // merged away meanwhile
			continue
		case err != nil:
			return use{}, err
		case now != size:
			size, since = now, time.Now()
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return use{}, ctx.Err()
		}
	}
	u := use{bytes: size, descriptors: descriptors(), goroutines: runtime.NumGoroutine(), heap: math.MaxUint64}
	for range 5 { // idle work that happens to run holds memory of its own
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		u.heap = min(u.heap, m.HeapAlloc)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return use{}, ctx.Err()
		}
	}
	return u, nil
}

// ended waits a while for the process to be as it was at the start.
func ended(start use) use {
	var now use
	for range 50 {
		now = use{descriptors: descriptors(), goroutines: runtime.NumGoroutine()}
		if now.descriptors <= start.descriptors && now.goroutines <= start.goroutines {
			break
		}
		<-time.After(100 * time.Millisecond)
	}
	return now
}

// descriptors counts the open files of this process, where the system tells.
func descriptors() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}
