package lexical_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// The benchmarks run over this repository, or over the tree that LEXICAL_TREE names.

type tree struct {
	files [][]byte
	bytes int64
}

func benchTree(b *testing.B) *tree {
	b.Helper()
	root := os.Getenv("LEXICAL_TREE")
	if root == "" {
		root = ".."
	}
	t := &tree{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		if err == nil && match.Classify(src) == graph.ContentText {
			t.files = append(t.files, src)
			t.bytes += int64(len(src))
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// feed fills an index as a cold start does.
func feed(b *testing.B, x *lexical.Index, t *tree) {
	b.Helper()
	scratch := lexical.NewScratch()
	var batch lexical.Batch
	size := 0
	flush := func() {
		if err := x.Apply(context.Background(), batch); err != nil {
			b.Fatal(err)
		}
		batch, size = lexical.Batch{}, 0
	}
	for i, src := range t.files {
		batch.Put = append(batch.Put, lexical.NewDoc(graph.FileID(i+1), src, scratch))
		if size += len(src); len(batch.Put) == 1000 || size > 12<<20 {
			flush()
		}
	}
	flush()
}

func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkFeed(b *testing.B) {
	t := benchTree(b)
	b.SetBytes(t.bytes)
	for b.Loop() {
		dir := b.TempDir()
		x, err := lexical.Open(dir, lexical.Options{})
		if err != nil {
			b.Fatal(err)
		}
		start := cpu(b)
		feed(b, x, t)
		fed := cpu(b)
		if err := x.Flush(context.Background()); err != nil {
			b.Fatal(err)
		}
		flushed := cpu(b)
		if err := x.Optimize(context.Background()); err != nil {
			b.Fatal(err)
		}
		done := cpu(b)
		size, err := x.StorageBytes()
		if err != nil {
			b.Fatal(err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
		reopened := time.Now()
		x, err = lexical.Open(dir, lexical.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := x.Held(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(reopened).Microseconds())/1000, "open-ms")
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric((fed - start).Seconds(), "feed-cpu-s")
		b.ReportMetric((flushed - fed).Seconds(), "flush-cpu-s")
		b.ReportMetric((done - flushed).Seconds(), "optimize-cpu-s")
		b.ReportMetric(float64(size)/float64(t.bytes), "size/source")
	}
}

// benchIndex is one filled index for all look-ups: filling it is the dear part.
var benchIndex = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "lexical-bench-") })

func BenchmarkCandidates(b *testing.B) {
	dir, err := benchIndex()
	if err != nil {
		b.Fatal(err)
	}
	x, err := lexical.Open(dir, lexical.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	defer os.RemoveAll(dir)
	t := benchTree(b)
	feed(b, x, t)
	if err := x.Optimize(context.Background()); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		spec match.Spec
	}{
		{"absent", match.Spec{Text: "PM_RESUME_zq", CaseSensitive: true}},
		{"absent3", match.Spec{Text: "zqj", CaseSensitive: true}},
		{"word", match.Spec{Text: "NewKubelet", CaseSensitive: true, WholeWord: true}},
		{"commonWord", match.Spec{Text: "context", CaseSensitive: true, WholeWord: true}},
		{"sub", match.Spec{Text: "Handshake", CaseSensitive: true}},
		{"subShort", match.Spec{Text: "mux", CaseSensitive: true}},
		{"subCommon", match.Spec{Text: "err", CaseSensitive: true}},
		{"sub2", match.Spec{Text: "Qu", CaseSensitive: true}},
		{"phrase", match.Spec{Text: "func NewFor", CaseSensitive: true}},
		{"phrase2", match.Spec{Text: "if err := s.", CaseSensitive: true}},
		{"fold", match.Spec{Text: "handshake"}},
		{"foldShort", match.Spec{Text: "mux"}},
		{"foldWord", match.Spec{Text: "newkubelet", WholeWord: true}},
		{"foldPhrase", match.Spec{Text: "func newfor"}},
		{"punct", match.Spec{Text: "->", CaseSensitive: true}},
		{"regex", match.Spec{Text: `func \(k \*Kube[a-z]+\) (sync|Run)`, Regex: true, CaseSensitive: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := match.Compile(c.spec)
			if err != nil {
				b.Fatal(err)
			}
			var got lexical.Candidates
			for b.Loop() {
				if got, err = x.Candidates(context.Background(), p); err != nil {
					b.Fatal(err)
				}
			}
			files := float64(len(got.IDs))
			if !got.Narrowed {
				files = -1
			}
			b.ReportMetric(files, "files")
		})
	}
}

// BenchmarkLines is the cost of the verifier alone, without reading files.
func BenchmarkLines(b *testing.B) {
	t := benchTree(b)
	for _, c := range []struct {
		name string
		spec match.Spec
	}{
		{"absent", match.Spec{Text: "PM_RESUME_zq", CaseSensitive: true}},
		{"common", match.Spec{Text: "err", CaseSensitive: true}},
		{"fold", match.Spec{Text: "pm_resume_zq"}},
		{"foldCommon", match.Spec{Text: "error"}},
		{"word", match.Spec{Text: "kubelet", CaseSensitive: true, WholeWord: true}},
		{"regexLiteral", match.Spec{Text: `func \(k \*Kube[a-z]+\) (sync|Run)`, Regex: true, CaseSensitive: true}},
		{"regexAlternatives", match.Spec{Text: `(TODO|FIXME|XXX)\(\w+\)`, Regex: true, CaseSensitive: true}},
		{"regexFold", match.Spec{Text: `handshake\s+(failed|done)`, Regex: true}},
		{"regexNoLiteral", match.Spec{Text: `[0-9]{5,}[a-f]{2}x`, Regex: true, CaseSensitive: true}},
		{"regexAnchor", match.Spec{Text: `^\s+\w+,$`, Regex: true, CaseSensitive: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := match.Compile(c.spec)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(t.bytes)
			lines := 0
			for b.Loop() {
				lines = 0
				for _, src := range t.files {
					if err := p.Lines(context.Background(), src, func(match.LineMatch) bool { lines++; return true }); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(lines), "lines")
		})
	}
}
