package glob

import (
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		yes, no []graph.Path
	}{
		{"pkg", []graph.Path{"pkg", "pkg/a.go", "x/pkg/y/z.py"}, []graph.Path{"pkgx/a.go", "a/pkg.go", "Pkg/a"}},
		{"*.py", []graph.Path{"a.py", "x/y/a.py", "x.py/readme"}, []graph.Path{"a.pyc", "a.PY"}},
		{"pkg/*.py", []graph.Path{"pkg/a.py", "x/pkg/a.py"}, []graph.Path{"pkg/sub/a.py", "xpkg/a.py", "a.py"}},
		{"**/*.py", []graph.Path{"a.py", "x/y/a.py"}, []graph.Path{"a.pyc", "x.py/readme"}},
		{"src/**/t?.go", []graph.Path{"src/t1.go", "src/a/b/t2.go"}, []graph.Path{"x/src/t1.go", "src/t10.go"}},
		{"src/**", []graph.Path{"src/a", "src/a/b.go"}, []graph.Path{"x/src/a"}},
		{"[a-c]?.{go,py}", []graph.Path{"b1.go", "x/cc.py"}, []graph.Path{"d1.go", "b1.rs"}},
		{"{src/**,docs}", []graph.Path{"src/x/y", "a/docs/b"}, []graph.Path{"a/src/x"}},
		{"{a,b/{c,d}}.go", []graph.Path{"a.go", "x/a.go", "b/c.go", "x/b/d.go"}, []graph.Path{"c.go"}},
		{"/cmd", []graph.Path{"cmd"}, []graph.Path{"x/cmd", "cmd/a"}},
		{"./cmd/*.go", []graph.Path{"cmd/a.go"}, []graph.Path{"x/cmd/a.go"}},
		{"docs/", []graph.Path{"docs/a", "x/docs/b/c"}, []graph.Path{"docs", "x/docs"}},
		{"a**b", []graph.Path{"x/azzb"}, []graph.Path{"a/b"}},
		{"[!a].go", []graph.Path{"b.go"}, []graph.Path{"a.go"}},
		{"[]a].go", []graph.Path{"].go", "a.go"}, []graph.Path{"b.go"}},
		{"[!]a].go", []graph.Path{"b.go"}, []graph.Path{"].go", "a.go"}},
		{"v[[:digit:]_].go", []graph.Path{"v1.go", "v_.go"}, []graph.Path{"va.go", "v:.go"}},
		{"x/**/a[!b]c/*.go", []graph.Path{"x/a.c/d.go"}, []graph.Path{"x/a/c/d.go", "x/a/c/x/y.go"}},
		{"/a[+-9]b", []graph.Path{"a.b", "a0b"}, []graph.Path{"a/b"}},
		{"/a[!/]b", []graph.Path{"axb"}, []graph.Path{"a/b"}},
		{"/a[/]b", nil, []graph.Path{"a/b", "axb"}},
		{`/x\/**`, []graph.Path{"x", "x/y/z"}, []graph.Path{"y/x/z"}},
		{"/{a,**}/{b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r}", []graph.Path{"b", "a/b", "x/y/r"}, []graph.Path{"x/s"}},
		{"{a}", []graph.Path{"a"}, []graph.Path{"{a}"}},
		{`\*.go`, []graph.Path{"*.go"}, []graph.Path{"a.go"}},
		{"caf\u00e9?", []graph.Path{"x/caf\u00e9\u00e9"}, []graph.Path{"cafe1"}},
	} {
		g, err := Compile(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		for _, p := range tt.yes {
			if !g.Match(p) {
				t.Errorf("%s does not match %s", tt.pattern, p)
			}
		}
		for _, p := range tt.no {
			if g.Match(p) {
				t.Errorf("%s matches %s", tt.pattern, p)
			}
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for _, p := range []string{"", "[a", "[]", "[!]", "[a-", `[\`, `[a\]`, "[[:alpha:]", "[[:word:]]", "{a,b", "a}", `a\`, strings.Repeat("{a,b}", 11)} {
		if _, err := Compile(p); err == nil {
			t.Errorf("%q compiles", p)
		}
	}
}

func TestFilter(t *testing.T) {
	f, err := NewFilter([]string{"*.go", "*.md"}, []string{"vendor", "*_test.go"})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[graph.Path]bool{
		"a.go": true, "x/README.md": true, "vendor/a.go": false, "a_test.go": false, "a.py": false,
	} {
		if f.Keep(p) != want {
			t.Errorf("%s: keep %v", p, !want)
		}
	}
	var none *Filter
	if !none.Keep("a") {
		t.Error("no filter drops a path")
	}
	if _, err := NewFilter(nil, []string{"["}); err == nil {
		t.Error("a bad exclude compiles")
	}
}
