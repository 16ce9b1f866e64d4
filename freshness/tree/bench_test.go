package tree

import (
	"context"
	"os"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// benchTree opens the tree named by TREE, else this repository.
func benchTree(b *testing.B) *Tree {
	root := os.Getenv("TREE")
	if root == "" {
		root = "../.."
	}
	t, err := Open(root, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { t.Close() })
	return t
}

func allFiles(b *testing.B, t *Tree) (paths []graph.Path) {
	err := t.Walk(context.Background(), WalkOptions{}, func(e Entry) error {
		if e.Type == File {
			paths = append(paths, e.Path)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return paths
}

func BenchmarkWalk(b *testing.B) {
	t := benchTree(b)
	n := 0
	for b.Loop() {
		n = len(allFiles(b, t))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/file")
	b.ReportMetric(float64(n), "files")
}

func BenchmarkStatAll(b *testing.B) {
	t := benchTree(b)
	paths := allFiles(b, t)
	for b.Loop() {
		if _, err := t.StatAll(context.Background(), paths); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(paths)), "ns/file")
}

func BenchmarkStat(b *testing.B) {
	t := benchTree(b)
	paths := allFiles(b, t)
	i := 0
	for b.Loop() {
		if _, err := t.Stat(paths[i%len(paths)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkRead(b *testing.B) {
	t := benchTree(b)
	paths := allFiles(b, t)
	var buf []byte
	i := 0
	for b.Loop() {
		var err error
		if buf, _, err = t.Read(paths[i%len(paths)], buf); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
