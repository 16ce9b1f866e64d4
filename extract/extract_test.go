package extract

import (
	"context"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ path, head, want string }{
		{"a/b.go", "", "go"}, {"x.PY", "", "python"}, {"x.pyi", "", "python"}, {"a.d.ts", "", "typescript"},
		{"a.tsx", "", "tsx"}, {"a.jsx", "", "javascript"}, {"a.mjs", "", "javascript"}, {"README.md", "", "markdown"},
		{"qt_de.ts", "<?xml version=\"1.0\"?>", ""}, {"go.mod", "", "gomod"}, {"a/go.mod/x", "", ""},
		{"tsconfig.build.json", "", "json"}, {"data.json", "", ""}, {"pyproject.toml", "", "toml"},
		{"bin/tool", "#!/usr/bin/env python3\n", "python"}, {"bin/tool", "#!/usr/bin/env -S node --x\n", "javascript"},
		{"bin/tool", "#!/bin/sh\n", ""}, {"bin/tool", "#!", ""}, {"bin/tool", "", ""}, {"tool.sh", "#!/usr/bin/python\n", ""},
	} {
		if got := Detect(graph.Path(c.path), []byte(c.head)); got != c.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", c.path, c.head, got, c.want)
		}
	}
}

func TestMinified(t *testing.T) {
	long := strings.Repeat("a=b;", 4000)
	normal := strings.Repeat("const a = 1\n", 2000)
	for name, c := range map[string]struct {
		src  string
		want bool
	}{
		"bundle":     {"/*! x */\n" + long, true},
		"normal":     {normal, false},
		"source map": {normal + "//# sourceMappingURL=data:" + long + long, false},
		"mixed":      {normal + normal + long, false},
		"small":      {strings.Repeat("a", 5000), false},
	} {
		if got := minified([]byte(c.src)); got != c.want {
			t.Errorf("%s: minified = %v, want %v", name, got, c.want)
		}
	}
}

func TestEveryLanguageLoads(t *testing.T) {
	x := New(Limits{})
	defer x.Close()
	seen := map[string]bool{}
	for _, l := range languages() {
		if seen[l.Name] || l.Version == "" || l.Extract == nil {
			t.Errorf("language %q: duplicate or incomplete", l.Name)
		}
		seen[l.Name] = true
		if Version(l.Name) != l.Version {
			t.Errorf("Version(%q) = %q", l.Name, Version(l.Name))
		}
		if l.Grammar.IsZero() {
			continue
		}
		if err := x.ParseOnly(context.Background(), l.Name, []byte("x")); err != nil {
			t.Error(err)
		}
	}
}

func TestNothingToExtract(t *testing.T) {
	f, err := Extract(context.Background(), File{Path: "a.txt", Src: []byte("x")})
	if f != nil || err != nil {
		t.Errorf("Extract = %v, %v", f, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Extract(ctx, File{Path: "a.md"}); err == nil {
		t.Error("no error from a cancelled context")
	}
}
