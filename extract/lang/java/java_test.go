package java_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract/extracttest"
	"github.com/ralph-index/ralph-index/graph"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

func TestLineEndsDoNotMatter(t *testing.T) {
	const src = "package a;\n\n/** Doc. */\nclass C {\n  @Override\n  int m(int a,\n        String... b) {\n    return f(\n      a, b);\n  }\n}\n"
	unix := extracttest.Extract(t, "a/C.java", src)
	dos := extracttest.Extract(t, "a/C.java", strings.ReplaceAll(src, "\n", "\r\n"))
	if len(unix.Defs) != 2 || len(unix.Defs) != len(dos.Defs) || len(unix.Refs) != len(dos.Refs) {
		t.Fatalf("%d and %d definitions, %d and %d references", len(unix.Defs), len(dos.Defs), len(unix.Refs), len(dos.Refs))
	}
	for i := range unix.Defs {
		u, d := &unix.Defs[i], &dos.Defs[i]
		if u.Signature != d.Signature || u.Doc != d.Doc || u.NameSpan.From != d.NameSpan.From || u.Span.To.Line != d.Span.To.Line {
			t.Errorf("%+v and %+v", u, d)
		}
	}
}

func TestNestingAndErrors(t *testing.T) {
	for name, src := range map[string]string{
		"parentheses": "class C { int x = " + strings.Repeat("(", 20000) + "1" + strings.Repeat(")", 20000) + "; void after() {} }",
		"calls":       "class C { void m() { a" + strings.Repeat(".b(1)", 20000) + "; } void after() {} }",
		"lambdas":     "class C { F f = " + strings.Repeat("x -> ", 5000) + "1; void after() {} }",
		"blocks":      "class C { void m() " + strings.Repeat("{", 3000) + strings.Repeat("}", 3000) + " void after() {} }",
		"classes":     strings.Repeat("class C { ", 2000) + "void after() {}" + strings.Repeat("}", 2000),
		"missing":     "class C { void m( { x. } void after() { y(; } }",
		"sums":        "class C { String s = a" + strings.Repeat(" + b", 20000) + "; void after() {} }",
	} {
		f := extracttest.Extract(t, "C.java", src)
		if f.Status == graph.StatusFailed || f.NextNamed("C", 0) == graph.NoDef {
			t.Errorf("%s: %s %s, %d definitions", name, f.Status, f.Reason, len(f.Defs))
		}
	}
}

func FuzzExtract(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".java") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if got := extracttest.Extract(t, "a/src/test/A.java", src); got.Status == graph.StatusFailed {
			t.Errorf("%s", got.Reason)
		}
	})
}
