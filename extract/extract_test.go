package extract

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/graph"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ path, head, want string }{
		{"a/b.go", "", "go"}, {"a.c", "", "c"}, {"a.h", "int f(void);", "c"}, {"a.h", "namespace a {", "cpp"}, {"a.CC", "", "cpp"}, {"a.inc", "<?php", ""}, {"a.inc", "// x\nint a;", "c"}, {"x.PY", "", "python"}, {"x.pyi", "", "python"}, {"a.d.ts", "", "typescript"},
		{"a.tsx", "", "tsx"}, {"a.jsx", "", "javascript"}, {"a.mjs", "", "javascript"}, {"README.md", "", "markdown"},
		{"qt_de.ts", "<?xml version=\"1.0\"?>", ""}, {"go.mod", "", "gomod"}, {"a/go.mod/x", "", ""},
		{"tsconfig.build.json", "", "json"}, {"data.json", "", "json"}, {"a.ipynb", "", "notebook"}, {"GNUmakefile", "", "makefile"}, {"Cargo.lock", "", ""}, {"pyproject.toml", "", "toml"},
		{"bin/tool", "#!/usr/bin/env python3\n", "python"}, {"bin/tool", "#!/usr/bin/env -S node --x\n", "javascript"},
		{"bin/tool", "#!/bin/sh\n", "bash"}, {"bin/tool", "#!", ""}, {"bin/tool", "", ""}, {"bin/tool", "#!/usr/bin/awk -f\n", ""},
		{"debian/rules", "#!/usr/bin/make -f\n", "makefile"}, {"conf.in", "#!/usr/bin/env ruby\n", "ruby"}, {"a/Makefile.in", "", "makefile"}, {"a.conf", "# x\n\n[a]\nb = 1\n", "ini"}, {"a.conf", "a {\n}\n", ""}, {"tool", "#!/bin/sh\n# -*- tcl -*-\nexec tclsh", ""}, {"tool", "#!/bin/sh\n# vim: set sw=2 ft=lua :\n", "lua"},
		{"tool", "#!/usr/bin/python3\n# -*- ruby -*-\n", "python"}, {"notes", "-*- mode: Markdown; coding: utf-8 -*-\n", "markdown"}, {"notes", "# -*- coding: utf-8 -*-\n", ""},
		{"a.tmpl", "x\n" + strings.Repeat("line\n", 40) + "# vim: filetype=yaml.ansible\n\n", "yaml"}, {"a.tmpl", "# vim: ft=yaml\n" + strings.Repeat("line\n", 40), "yaml"},
		{"a.tmpl", strings.Repeat("line\n", 6) + "# vim: ft=yaml\n" + strings.Repeat("line\n", 6), ""}, {"a", "gvim: ft=yaml\n", ""}, {"a", "# vi: ts=2\n", ""}, {"a", "\r\n# ex: ft=sql\r\n", "sql"},
		{"a.h", "/* -*- C -*- */\nnamespace a {", "c"}, {"a.inc", "<?php // vim: ft=php", "php"}, {"a.py", "# vim: ft=ruby", "python"},
		{"a", "-*- c++-mode -*-", "cpp"}, {"a", "-*-", ""}, {"a", "-*- mode: nonsense -*-", ""},
		{"tool.sh", "#!/usr/bin/python\n", "python"}, {"tool.sh", "", "bash"}, {"Dockerfile.dev", "", "dockerfile"},
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
		"data":       {"export function f() {}\nconst data = \"" + strings.Repeat("QmFzZTY0", 4000) + "\";\n", false},
		"json":       {"const data = [" + strings.Repeat("{\"a\":1},", 4000) + "];\n", false},
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
		if !strings.HasPrefix(Version(l.Name), l.Version+"+") {
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

func TestHostileSources(t *testing.T) {
	x := New(Limits{})
	defer x.Close()
	deep := func(open, end string) string { return strings.Repeat(open, 10000) + strings.Repeat(end, 10000) }
	for _, c := range []struct {
		path, src string
		status    graph.Status
		reason    string
		def       string // must be there
	}{
		{"deep.go", "package p\nvar x = " + deep("(", ")") + "\nfunc After() {}\n", graph.StatusCapped, "depth", "After"},
		{"block.go", "package p\nfunc F() " + deep("{", "}") + "\nfunc After() {}\n", graph.StatusCapped, "depth", "After"},
		{"type.go", "package p\nvar x " + deep("func(", ")") + "\nfunc After() {}\n", graph.StatusCapped, "depth", "After"},
		{"deep.py", "x = " + deep("[", "]") + "\ndef after(): pass\n", graph.StatusCapped, "depth", "after"},
		{"deep.ts", "const x = " + deep("[\n", "]\n") + ";\nfunction after() {}\n", graph.StatusCapped, "depth", "after"},
		{"min.js", strings.Repeat("function a(){return 1};", 1000), graph.StatusCapped, "minified", ""},
		{"min.css", strings.Repeat(".a{b:c;d:e}.f>g{h:i;j:k}", 1000), graph.StatusCapped, "minified", ""},
		{"plain.css", strings.Repeat(".a {\n  b: c;\n}\n", 1000) + ".last { d: e }\n", graph.StatusOK, "", "last"},
		{"nul.go", "package p\n\x00\xff\xfe\nfunc After() {}\n", graph.StatusPartial, "syntax_error:2:1", "After"},
		{"empty.go", "", graph.StatusOK, "", ""},
		{"empty.py", "", graph.StatusOK, "", ""},
		{"empty.ts", "", graph.StatusOK, "", ""},
		{"empty.md", "", graph.StatusOK, "", ""},
		{"package.json", "", graph.StatusPartial, "invalid", ""},
		{"go.mod", "module ((", graph.StatusPartial, "invalid", ""},
	} {
		f, err := x.Extract(context.Background(), File{Path: graph.Path(c.path), Src: []byte(c.src)})
		if err != nil || f == nil {
			t.Errorf("%s: %v, %v", c.path, f, err)
			continue
		}
		if f.Status != c.status || f.Reason != c.reason {
			t.Errorf("%s: %s %q, want %s %q", c.path, f.Status, f.Reason, c.status, c.reason)
		}
		found := c.def == ""
		for i := range f.Defs {
			found = found || f.Defs[i].Name == c.def
		}
		if !found {
			t.Errorf("%s: %s is lost", c.path, c.def)
		}
	}
}

func TestBudgets(t *testing.T) {
	src := []byte("package p\nfunc First() {}\n" + strings.Repeat("var x = f(1, 2, g(3))\n", 100000))
	for _, c := range []struct {
		limits Limits
		reason string
	}{{Limits{Nodes: 1000, Time: time.Hour}, "node_budget"}, {Limits{Time: 1}, "time_budget"}} {
		x := New(c.limits)
		f, err := x.Extract(context.Background(), File{Path: "a.go", Src: src})
		if err != nil || f.Status != graph.StatusCapped || f.Reason != c.reason || f.Lines != 100002 {
			t.Errorf("%+v: %s %q, %d lines, %v", c.limits, f.Status, f.Reason, f.Lines, err)
		}
		if c.limits.Nodes > 0 && (len(f.Defs) < 10 || f.Defs[0].Name != "First") {
			t.Errorf("%+v: %d definitions", c.limits, len(f.Defs))
		}
		if f, err := x.Extract(context.Background(), File{Path: "b.go", Src: []byte("package p\n")}); c.limits.Nodes > 0 && (err != nil || f.Status != graph.StatusOK) {
			t.Errorf("%+v: extractor unusable after a spent budget", c.limits)
		}
		x.Close()
	}
}

func TestExportsHash(t *testing.T) {
	x := New(Limits{})
	defer x.Close()
	hash := func(src string) uint64 {
		f, err := x.Extract(context.Background(), File{Path: "a.go", Src: []byte(src)})
		if err != nil {
			t.Fatal(err)
		}
		return f.Exports
	}
	base := hash("package p\nfunc F(a int) {\n\tg()\n}\n")
	if hash("package p\n\n// moved\nfunc F(a int) {\n\th(1)\n}\n") != base {
		t.Error("the hash depends on a body or a place")
	}
	for _, src := range []string{"package q\nfunc F(a int) {}\n", "package p\nfunc F(a string) {}\n", "package p\nfunc G(a int) {}\n", "package p\nfunc F(a int) {}\ntype T int\n"} {
		if hash(src) == base {
			t.Errorf("%q has the same hash", src)
		}
	}
}

// Every mode leads to a language that there is.
func TestModes(t *testing.T) {
	for mode, language := range modes {
		if _, ok := find(language); !ok {
			t.Errorf("mode %s is of %s, which nothing reads", mode, language)
		}
	}
}

// TestWithoutTree looks at what is found where parsing takes too long.
func TestWithoutTree(t *testing.T) {
	x := New(Limits{Time: time.Nanosecond})
	defer x.Close()
	src := strings.Repeat("// a line\n", 5000) + "class A {\n  A(int n) { }\n  /** x { */ def run(List a) throws E {\n    if (a) { b(1) { it } }\n  }\n}\ndef top(x) { \"}\" }\n"
	f, err := x.Extract(context.Background(), File{Path: "a.groovy", Src: []byte(src)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range f.Defs {
		got = append(got, string(f.Defs[i].Kind)+" "+f.Defs[i].Local)
	}
	if f.Status != graph.StatusCapped || f.Reason != "time_budget" || strings.Join(got, ", ") != "class A, method A.A, method A.run, function top" {
		t.Errorf("%s %s: %q", f.Status, f.Reason, got)
	}
}
