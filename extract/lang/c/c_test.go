package c_test

import (
	"context"
	"flag"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/extract/extracttest"
	"github.com/ralph-index/ralph-index/extract/lang/c"
	"github.com/ralph-index/ralph-index/graph"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

func FuzzExtract(f *testing.F) {
	for _, name := range []string{"testdata/tour.txtar", "testdata/macros.txtar", "testdata/cpp.txtar"} {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(string(file.Data), strings.HasSuffix(file.Name, ".cc"))
		}
	}
	f.Fuzz(func(t *testing.T, src string, cpp bool) {
		name := "a.c"
		if cpp {
			name = "a.cc"
		}
		if got := extracttest.Extract(t, name, src); got.Status == graph.StatusFailed {
			t.Errorf("%s", got.Reason)
		}
	})
}

func TestHeaders(t *testing.T) {
	for text, want := range map[string]bool{
		"#ifndef A_H\n#define A_H\nint f(void);\n#endif\n":                     false,
		"#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n":           false,
		"#ifdef __cplusplus\nnamespace a { class B; }\n#endif\nint f(void);\n": false,
		"namespace a {\nint f();\n}\n":                                         true,
		"#include <vector>\n":                                                  true,
		"#include <stdio.h>\n#include <sys/stat.h>\n":                          false,
		"class Foo;\n":                                    true,
		"struct A {\n  virtual int f();\n};\n":            true,
		"template <typename T>\nT f(T t);\n":              true,
		"/* a\nclass of things = 1.\n */\nint using_x;\n": false,
		"struct a { int class; };\n":                      false,
		"// -*- C++ -*-\n":                                true,
		"#ifdef X\n#ifdef __cplusplus\nclass A;\n#endif\n#endif\nstruct b { int x; };": false,
	} {
		if got := c.IsCPP([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestDeep asks for texts that nest beyond what is read, and for an end.
func TestDeep(t *testing.T) {
	for _, piece := range []string{"{", "(", "[", "if(x){", "#if 1\n", "struct a{", "f(", "namespace a{", "a<", "x->", "*", "!"} {
		for _, name := range []string{"a.c", "a.cc"} {
			src := "int f(void){" + strings.Repeat(piece, 3000)
			if got := extracttest.Extract(t, name, src); got.Status == graph.StatusFailed {
				t.Errorf("%s of %q: %s", name, piece, got.Reason)
			}
		}
	}
}

// TestManyMacros asks that a header of constants alone is cut and says so.
func TestManyMacros(t *testing.T) {
	src := strings.Repeat("#define REG_A__FIELD_MASK 0x0000FFFFL\n", 30000) + "int f(void);\n"
	got, err := extract.Extract(context.Background(), extract.File{Path: "regs.h", Src: []byte(src)})
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != graph.StatusCapped || got.Reason != "macro_budget" || len(got.Defs) < 1000 || len(got.Defs) > 25000 {
		t.Errorf("%s %s: %d definitions", got.Status, got.Reason, len(got.Defs))
	}
	if got.NextNamed("f", 0) == graph.NoDef {
		t.Error("what is no macro is lost")
	}
}
