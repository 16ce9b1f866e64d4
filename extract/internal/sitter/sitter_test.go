package sitter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	binding "github.com/smacker/go-tree-sitter"
)

var samples = map[string]struct {
	grammar Grammar
	texts   []string
}{
	"go": {Go(), []string{
		"", "package p\n", "package p\n\nimport (\n\t\"fmt\"\n\tx \"a/b\"\n)\n\n// T is.\ntype T[P any] struct {\n\tA, B int `json:\"a\"`\n\t*E\n}\n\nfunc (t *T[P]) M(a, b int, c ...string) (n int, err error) {\n\tif x := f(a); x > 1 {\n\t\treturn x, nil\n\t}\n\tswitch v := any(t).(type) {\n\tcase int:\n\t\t_ = v\n\t}\n\tgo func() { defer close(ch) }()\n\treturn\n}\n",
		"package p\nfunc f( {\n", "func {{{ \x00 \xff", "package p\nvar s = \"é\xff\"\n",
	}},
	"java": {Java(), []string{
		"", "package a.b;\nimport static c.D.*;\n@A(x = 1)\npublic final class C<T extends E & F> extends G<T> implements H {\n  int a = 1, b[];\n  C(T t) { super(t); this.a = t.f(x -> x.g(), C::new, new I() { void r() {} }); }\n}\nenum K { L(1) { int m() { return 1; } }, M; }\nrecord R(int a) { R { } }\n",
		"class C { void m( { }", "class \x00 \xff {",
	}},
	"c": {CLang(), []string{
		"", "#include <a.h>\n#define X(a) a\nstatic struct s { int x : 3; } v = { .x = 1 };\nint f(int a, char *b) { if (a) return g(b[0], &v)->x; }\n",
		"int f( {\n", "struct {{ \x00 \xff",
	}},
	"cpp": {CPP(), []string{
		"", "namespace a { template <class T> class B : public C<T> { B() : c(1) {} ~B(); int operator()(int) const; }; }\nauto l = [&](int x) { return R\"x(\")x\"; };\n",
		"class A { public: int f(", "template <",
	}},
	"python": {Python(), []string{
		"", "@d(1)\nasync def f(a, *b, c: int = 3, **k) -> 'x':\n    \"\"\"doc\"\"\"\n    return [i for i in a if i]\n\nclass C(B, metaclass=M):\n    x: int = 1\n    def m(self):\n        yield self.x\n",
		"def f(:\n  pass\n", "class\n",
	}},
	"rust": {Rust(), []string{
		"", "/// Doc.\n#[derive(A)]\npub struct S<'a, T: B>(&'a T) where T: C;\nimpl<T> X for S<'_, T> { fn m(&self) -> R { vec![a.b(1)?; 2]; match x { P { a, .. } | Q(b) => |c| c, _ => r#\"s\"# } } }\nuse a::{b as c, d::*};\n",
		"fn f( {\n", "impl {",
	}},
	"typescript": {TypeScript(), []string{
		"", "export default class A<T> extends B implements C { private x?: number = 1; static async m(@D() a: string): Promise<void> { return f<T>(a) } }\nexport * from './x'\nenum E { A = 1 }\n",
		"class {", "const x: = 3",
	}},
	"tsx": {TSX(), []string{
		"const x = <A b={c}>text {d} <E/></A>;\nexport const F = (p: P) => <></>;\n", "const x = <A",
	}},
	"bash": {Bash(), []string{
		"", "f() { local x=$1; . ./a.sh; echo \"${x:-y} $(g <<<z)\" | h; }\ncat <<E\nx $y\nE\n", "if x; then", "f() {",
	}},
	"css":        {CSS(), []string{"", ".a > #b:hover { color: var(--x) }\n@import 'y.css';\n@keyframes k { from { a: b } }\n", ".a {", "@media ("}},
	"cue":        {CUE(), []string{"", "package p\nimport \"strings\"\n#A: { b?: int, c: [for v in x { v }] }\n", "a: {", "a: b: "}},
	"sql":        {SQL(), []string{"", "CREATE TABLE a (b INT);\nSELECT f(x), a.b FROM a JOIN c ON c.d = a.b;\n", "CREATE TABLE (", "SELECT FROM"}},
	"yaml":       {YAML(), []string{"", "a: &x\n  - b: {c: d}\n    e: |\n      text\nf: *x\n---\ng: 1\n", "a: [", "\t- x\n: :"}},
	"html":       {HTML(), []string{"", "<!DOCTYPE html><a href='x'>y<br><script>f()</script></a>\n", "<a", "</b><c"}},
	"svelte":     {Svelte(), []string{"", "<script lang=\"ts\">let a;</script>\n{#if a}<B {a} on:c={d}/>{/if}\n", "{#if", "<a {"}},
	"dockerfile": {Dockerfile(), []string{"", "FROM a:1 AS b\nENV A=b\nRUN x && \\\n y\nCOPY --from=b /a /b\n", "FROM"}},
	"hcl":        {HCL(), []string{"", "resource \"a\" \"b\" {\n  c = \"x-${var.d}\"\n  e = [for k in f : k]\n}\n", "a {", "x = <<E\ny\n"}},
	"lua": {Lua(), []string{
		"", "local M = {}\n-- doc\nfunction M:get(k, ...) return self.x[k] or f 'a' end\nreturn M\n", "function (", "x = = 1",
	}},
	"csharp": {CSharp(), []string{
		"", "using A = B.C<int>;\nnamespace D { [E] record F(int G) : H<I> { J K => x?.y($\"a{z}\"); } }\n", "class {", "namespace ;",
	}},
	"elixir": {Elixir(), []string{
		"", "defmodule A.B do\n  use C\n  def d(e) when e > 1, do: e |> F.g(\"#{e}\")\nend\n", "defmodule do", "def (",
	}},
	"elm": {Elm(), []string{
		"", "module A exposing (..)\nimport B as C\ntype D = E Int | F\ng h =\n    case h of\n        E i -> i\n        _ -> 1\n", "type =", "let in",
	}},
	"groovy": {Groovy(), []string{
		"", "package a\nimport b.C\nclass D extends E { def f(g) { g.h { it } } }\nplugins { id 'x' }\n", "class {", "def (",
	}},
	"kotlin": {Kotlin(), []string{
		"", "package a.b\nimport c.d as e\ndata class F<T>(val g: T) : H(), I { fun J.k(l: Int) = l.m { it } }\n", "class {", "fun (",
	}},
	"ocaml": {OCaml(), []string{
		"", "open A\nmodule B = struct let rec f ?(a=1) ~b = match b with C d -> D.e d | _ -> a end\ntype t = { x : int }\n", "let =", "val x : int\ntype",
	}},
	"php": {PHP(), []string{
		"", "<p><?php namespace A\\B; use C\\{D, E as F}; class G extends D { use T; function m(?D $x) { return $this->y::z($x) . <<<E\n {$x->y}\nE; } }\n", "<?php class {", "<?php $",
	}},
	"ruby": {Ruby(), []string{
		"", "class A::B < C\n  include D\n  def m(a, *b, k: 1) = a.f { |x, (y, z)| x }\n  X = <<~E\n    t #{u}\n  E\nend\n", "class {", "def (|",
	}},
	"scala": {Scala(), []string{
		"", "package a\nimport b.{c, d => e}\ncase class F[T](g: T) extends H with I { def j(k: Int) = k match { case l => s\"$l\" } }\n", "class {", "def (",
	}},
	"swift": {Swift(), []string{
		"", "import A\nextension B: C { func d<E>(f g: E) -> [H]? { guard let i = g?.j else { return nil }; return i.map { $0 } } }\n", "class {", "func (",
	}},
	"javascript": {JavaScript(), []string{
		"", "module.exports = { a, b: function () { return require('x') } }; class A extends B { #p = 1; get x() { return this.#p } }\n", "function (",
	}},
}

// walk lists the named nodes by means of the binding's own cursor.
func walk(t *testing.T, g Grammar, src string) []string {
	t.Helper()
	p := binding.NewParser()
	defer p.Close()
	p.SetLanguage(g.load())
	if g.begin != nil {
		defer g.begin()()
	}
	tree, err := p.ParseCtx(context.Background(), nil, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	var out []string
	c := binding.NewTreeCursor(tree.RootNode())
	defer c.Close()
	var rec func(parent int)
	rec = func(parent int) {
		n := c.CurrentNode()
		me := parent
		if n.IsNamed() {
			me = len(out)
			out = append(out, fmt.Sprintf("%s %s %d-%d ^%d missing=%v", n.Type(), c.CurrentFieldName(), n.StartByte(), n.EndByte(), parent, n.IsMissing()))
		}
		if c.GoToFirstChild() {
			for {
				rec(me)
				if !c.GoToNextSibling() {
					break
				}
			}
			c.GoToParent()
		}
	}
	rec(-1)
	return out
}

// dump lists the nodes of a flat tree in the form of walk.
func dump(tr *Tree, v Vocabulary) []string {
	var out []string
	for n := Node(0); int(n) < tr.Len(); n++ {
		kind := "ERROR"
		if !tr.IsError(n) {
			kind = v.Kinds[tr.Kind(n)]
		}
		out = append(out, fmt.Sprintf("%s %s %d-%d ^%d missing=%v", kind, v.Fields[tr.Field(n)], tr.Start(n), tr.End(n), tr.Parent(n), tr.IsMissing(n)))
	}
	return out
}

func newParser(t *testing.T, g Grammar) (*Parser, Vocabulary) {
	t.Helper()
	v, err := g.FullVocabulary()
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewParser(g, v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, v
}

func TestFlattenEqualsCursorWalk(t *testing.T) {
	for name, s := range samples {
		t.Run(name, func(t *testing.T) {
			if s.grammar.Name() != name {
				t.Errorf("grammar calls itself %q", s.grammar.Name())
			}
			p, v := newParser(t, s.grammar)
			for _, src := range s.texts {
				want := walk(t, s.grammar, src)
				err := p.WithTree([]byte(src), Limits{}, func(tr *Tree) {
					got := dump(tr, v)
					if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
						t.Errorf("%q:\n--- got\n%s\n--- want\n%s", src, g, w)
					}
					checkShape(t, tr)
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// checkShape checks the navigation against the parent links alone.
func checkShape(t *testing.T, tr *Tree) {
	t.Helper()
	kids := map[Node][]Node{}
	for n := Node(0); int(n) < tr.Len(); n++ {
		kids[tr.Parent(n)] = append(kids[tr.Parent(n)], n)
	}
	for n := Node(0); int(n) < tr.Len(); n++ {
		var got []Node
		for c := range tr.Children(n) {
			got = append(got, c)
		}
		if fmt.Sprint(got) != fmt.Sprint(kids[n]) {
			t.Errorf("children of %d = %v, want %v", n, got, kids[n])
		}
		got = got[:0]
		for c := tr.First(n); c != None; c = tr.Next(c) {
			got = append(got, c)
			if f := tr.Field(c); f != 0 && tr.Field(tr.Child(n, f)) != f {
				t.Errorf("child of %d in field %d not found", n, f)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(kids[n]) {
			t.Errorf("first/next of %d = %v, want %v", n, got, kids[n])
		}
	}
	if len(kids[None]) != 1 || tr.Next(Root) != None || int(tr.After(Root)) != tr.Len() {
		t.Errorf("more than one root: %v", kids[None])
	}
}

func TestErrorPosition(t *testing.T) {
	p, _ := newParser(t, Go())
	for src, want := range map[string]int{"package p\n": -1, "package p\n\nfunc f() { x := }\n": 22} {
		err := p.WithTree([]byte(src), Limits{}, func(tr *Tree) {
			off, ok := tr.HasError()
			if ok != (want >= 0) || ok && int(off) < want-3 || ok && int(off) > want+6 {
				t.Errorf("%q: first error %d, %v, want about %d", src, off, ok, want)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDeepNesting(t *testing.T) {
	const deep = 10000
	for name, src := range map[string]string{
		"go":         "package p\n\nvar x = " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep) + "\n\nfunc After() {}\n",
		"javascript": "x = " + strings.Repeat("[", deep) + strings.Repeat("]", deep) + ";\nfunction after() {}\n",
		"python":     "x = " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep) + "\n\ndef after(): pass\n",
	} {
		p, v := newParser(t, samples[name].grammar)
		err := p.WithTree([]byte(src), Limits{}, func(tr *Tree) {
			if !tr.TooDeep() {
				t.Errorf("%s: depth limit not reported", name)
			}
			last := ""
			for n := range tr.Children(Root) {
				last = v.Kinds[tr.Kind(n)]
			}
			if !strings.Contains(last, "function") {
				t.Errorf("%s: what stands behind the nesting is lost: last is %s", name, last)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLimits(t *testing.T) {
	p, _ := newParser(t, Go())
	src := []byte("package p\n" + strings.Repeat("var x = f(1, 2, g(3))\n", 200))
	err := p.WithTree(src, Limits{Nodes: 50}, func(tr *Tree) {
		if tr.Len() != 50 || !tr.TooMany() {
			t.Errorf("%d nodes, too many = %v", tr.Len(), tr.TooMany())
		}
		checkShape(t, tr)
	})
	if err != nil {
		t.Fatal(err)
	}
	big := []byte("package p\n" + strings.Repeat("var x = f(1, 2, g(3))\n", 200000))
	if err := p.WithTree(big, Limits{Time: time.Microsecond}, func(*Tree) {}); !errors.Is(err, ErrTimeBudget) {
		t.Errorf("error %v, want ErrTimeBudget", err)
	}
	if err := p.Parse(src, Limits{}); err != nil {
		t.Errorf("parser unusable after a spent budget: %v", err)
	}
	p.Close()
	if err := p.Parse(src, Limits{}); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
}

func TestVocabularyIsChecked(t *testing.T) {
	for _, v := range []Vocabulary{
		{Kinds: []string{"", "no_such_kind"}}, {Fields: []string{"", "no_such_field"}}, {Kinds: []string{"", ""}},
	} {
		if p, err := NewParser(Go(), v); err == nil {
			p.Close()
			t.Errorf("%v accepted", v)
		}
	}
}

func FuzzFlatten(f *testing.F) {
	for _, s := range samples {
		for _, src := range s.texts {
			f.Add([]byte(src))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, s := range samples {
			p, v := newParser(t, s.grammar)
			err := p.WithTree(src, Limits{}, func(tr *Tree) {
				if got, want := dump(tr, v), walk(t, s.grammar, string(src)); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: trees differ", s.grammar.Name())
				}
			})
			if err != nil && !errors.Is(err, ErrTimeBudget) {
				t.Fatal(err)
			}
		}
	})
}

// TestBudgetOfOneStep parses texts of which a grammar lexes one step for longer than the
// budget, and texts that stand across the chunks in which they are given.
func TestBudgetOfOneStep(t *testing.T) {
	for _, c := range []struct {
		grammar Grammar
		text    string
	}{
		{Lua(), strings.Repeat("'\"`", 100_000)}, // each quote may begin a string that ends at the end
		{Bash(), strings.Repeat("\x00", 1<<18)},  // from each zero byte the scanner looks for the end
	} {
		p, _ := newParser(t, c.grammar)
		err := p.Parse([]byte(c.text), Limits{Time: 50 * time.Millisecond})
		if !errors.Is(err, ErrTimeBudget) {
			t.Errorf("%s: error %v", c.grammar.Name(), err)
		}
		p.Close()
	}
	for _, filler := range []string{"é", "\xff", "漢", "x\xe6\xbc"} {
		for pad := range 4 {
			src := "package p\n// " + strings.Repeat("x", pad) + strings.Repeat(filler, 50_000) + "\nfunc F() {}\n"
			p, v := newParser(t, Go())
			err := p.WithTree([]byte(src), Limits{}, func(tr *Tree) {
				if got, want := dump(tr, v), walk(t, Go(), src); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%q after %d: trees differ", filler, pad)
				}
			})
			if err != nil {
				t.Error(err)
			}
			p.Close()
		}
	}
}
