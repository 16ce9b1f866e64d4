package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Marks of tools through a running server.
const (
	readMark   = 1.3 // of a tool that only answers with the same bytes
	treeMark   = 1.5 // of a walk that reads every directory
	searchMark = 10  // milliseconds
	readSize   = 1 << 20
)

// Tools measures calls of a running server with an index, over its pipe: a file of
// about a megabyte against a tool that answers with its bytes, the tree against a walk,
// and searches for names.
func Tools(ctx context.Context, c *Config) (*Report, error) {
	dir, err := filepath.EvalSymlinks(c.Dir) // a walk does not follow the link that the root may be
	if err != nil {
		return nil, err
	}
	file, text, err := fileOfSize(dir, readSize)
	if err != nil {
		return nil, err
	}
	no := filepath.Join(c.Work, "no_op")
	if err := os.WriteFile(no, text, 0o600); err != nil {
		return nil, err
	}
	s, err := c.toolServer(ctx, c.indexDir(), no)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.c.Close() }()
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	r := &Report{}
	for _, part := range []func() error{
		func() error { return readAgainstNothing(ctx, c, s, r, file, len(text)) },
		func() error { return treeAgainstWalk(ctx, c, s, r, dir) },
		func() error { return outlineBounded(ctx, c, s, r) },
		func() error { return searches(ctx, c, s, r) },
		func() error { return hotImpact(ctx, c, s, r) },
	} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// fileOfSize finds the text file whose size is nearest to what is wanted.
func fileOfSize(dir string, want int64) (path string, text []byte, err error) {
	best := int64(-1)
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if off := max(info.Size()-want, want-info.Size()); best < 0 || off < best {
			src, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			if validUTF8(src) && !strings.Contains(string(src), "\x00") {
				best, text = off, src
				path, err = filepath.Rel(dir, p)
			}
			return err
		}
		return nil
	})
	if err == nil && best < 0 {
		err = fmt.Errorf("%s holds no text", dir)
	}
	return path, text, err
}

func readAgainstNothing(ctx context.Context, c *Config, s *toolServer, r *Report, file string, size int) error {
	var read, none, readCPU, noneCPU []float64
	for range 10 * max(c.Rounds, 1) {
		_, took, err := s.call(ctx, "read_file", map[string]any{"path": file})
		if err != nil {
			return err
		}
		read, readCPU = append(read, took.wall), append(readCPU, took.cpu)
		_, took, err = s.call(ctx, noOp, nil)
		if err != nil {
			return err
		}
		none, noneCPU = append(none, took.wall), append(noneCPU, took.cpu)
	}
	r.add(c, "tools", fmt.Sprintf("read_file of %.2f MB: to a tool that does nothing", float64(size)/readSize), quantile(read, 0.5)/quantile(none, 0.5), "x",
		atMost(readMark), note("p50 %.2f against %.2f ms", quantile(read, 0.5), quantile(none, 0.5)))
	r.add(c, "tools", "the same, processor time", quantile(readCPU, 0.5)/quantile(noneCPU, 0.5), "x",
		note("%.2f against %.2f ms", quantile(readCPU, 0.5), quantile(noneCPU, 0.5)))
	return nil
}

// treeAgainstWalk holds a raw tree against filepath.WalkDir over the same directories,
// which looks at no file.
func treeAgainstWalk(ctx context.Context, c *Config, s *toolServer, r *Report, dir string) error {
	var tree, walk, treeCPU, walkCPU []float64
	entries, size := 0, 0
	for range 3 * max(c.Rounds, 1) {
		_, took, err := s.call(ctx, "directory_tree", map[string]any{"path": "."})
		if err != nil {
			return err
		}
		tree, treeCPU = append(tree, took.wall), append(treeCPU, took.cpu)
		s.mu.Lock()
		size = s.size
		s.mu.Unlock()
		entries = 0
		before := ownCPU()
		ms, err := timed(func() error {
			return filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
				if entries++; d != nil && d.IsDir() && d.Name() == ".git" {
					return filepath.SkipDir
				}
				return err
			})
		})
		if err != nil {
			return err
		}
		walk, walkCPU = append(walk, ms), append(walkCPU, milliseconds(ownCPU()-before))
	}
	r.add(c, "tools", "directory_tree of everything: to a bare walk", quantile(tree, 0.5)/quantile(walk, 0.5), "x", atMost(treeMark),
		note("p50 %.0f against %.0f ms, %d entries, an answer of %.1f MB", quantile(tree, 0.5), quantile(walk, 0.5), entries, float64(size)/(1<<20)))
	r.add(c, "tools", "the same, processor time", quantile(treeCPU, 0.5)/quantile(walkCPU, 0.5), "x",
		note("%.0f against %.0f ms", quantile(treeCPU, 0.5), quantile(walkCPU, 0.5)))
	return nil
}

func ownCPU() time.Duration {
	var ru syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &ru) // of this process: it cannot fail
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// outlineBounded asks for the largest answer there is, without a limit of its own.
func outlineBounded(ctx context.Context, c *Config, s *toolServer, r *Report) error {
	res, took, err := s.call(ctx, "directory_tree", map[string]any{"path": ".", "view": "outline"})
	if err != nil {
		return err
	}
	s.mu.Lock()
	size := s.size
	s.mu.Unlock()
	var ans struct {
		Tree outlineNode `json:"tree"`
	}
	if err := json.Unmarshal([]byte(res.Text), &ans); err != nil {
		return err
	}
	dirs, files, over := ans.Tree.cut()
	r.add(c, "tools", "outline of everything, answer", float64(size)/(1<<20), "MB", note("%.0f ms; cut with a mark: %d directories, %d files", took.wall, dirs, files))
	r.add(c, "tools", "outline of everything, nodes above the default limits", float64(over), "", atMost(0))
	return nil
}

// Most children and definitions that a node shows when no limit is given.
const (
	outlineChildren = 100
	outlineSymbols  = 100
)

type outlineNode struct {
	Children        []outlineNode     `json:"children"`
	ChildrenOmitted int               `json:"children_omitted"`
	Symbols         []json.RawMessage `json:"symbols"`
	SymbolsOmitted  int               `json:"symbols_omitted"`
}

// cut counts what was cut and says so, and what was to be cut and was not.
func (n *outlineNode) cut() (dirs, files, over int) {
	if n.ChildrenOmitted > 0 {
		dirs++
	}
	if n.SymbolsOmitted > 0 {
		files++
	}
	if len(n.Children) > outlineChildren || len(n.Symbols) > outlineSymbols {
		over++
	}
	for i := range n.Children {
		d, f, o := n.Children[i].cut()
		dirs, files, over = dirs+d, files+f, over+o
	}
	return dirs, files, over
}

// toolSearch is a search for names.
type toolSearch struct {
	name string
	args map[string]any
}

func toolSearches() []toolSearch {
	var out []toolSearch
	for _, glob := range []string{
		"*.go", "**/*.go", "*_test.go", "*.{yaml,json}", "Makefile", "doc.go", "**/testdata/**", "pkg/**/*.go", "staging/src/**/types.go",
		"cmd/*/*.go", "*kubelet*", "**/*[Cc]ontroller*.go",
	} {
		out = append(out, toolSearch{glob, map[string]any{"pattern": glob}})
	}
	with := func(name string, args map[string]any) { out = append(out, toolSearch{name, args}) }
	with("*.go, limit 20", map[string]any{"pattern": "*.go", "limit": 20})
	with("*.go, limit 10000", map[string]any{"pattern": "*.go", "limit": 10000})
	with("*.go, ranked", map[string]any{"pattern": "*.go", "ranked": true, "limit": 100})
	with("*.go, role test", map[string]any{"pattern": "*.go", "role": "test"})
	with("*.go, contains_symbol, ranked", map[string]any{"pattern": "*.go", "contains_symbol": "NewController", "ranked": true})
	with("*.go, frequent contains_symbol", map[string]any{"pattern": "*.go", "contains_symbol": "Error"})
	with("*.go, with ids", map[string]any{"pattern": "*.go", "return_evidence_ids": true})
	return out
}

func searches(ctx context.Context, c *Config, s *toolServer, r *Report) error {
	for _, q := range toolSearches() {
		var took []float64
		found := 0
		for range 10 * max(c.Rounds, 1) {
			res, cost, err := s.call(ctx, "search_files", q.args)
			if err != nil {
				return err
			}
			took = append(took, cost.wall)
			if found == 0 {
				var ans struct {
					Matches []string `json:"matches"`
				}
				if err := json.Unmarshal([]byte(res.Text), &ans); err != nil {
					return err
				}
				found = len(ans.Matches)
			}
		}
		r.add(c, "tools", "search_files "+q.name+", p50", quantile(took, 0.5), "ms", atMost(searchMark), note("p95 %.2f ms, %d files", quantile(took, 0.95), found))
	}
	return nil
}
