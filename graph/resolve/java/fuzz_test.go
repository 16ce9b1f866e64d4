package java_test

import (
	"context"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
	"github.com/ralph-index/ralph-index/graph/resolve/java"
)

// FuzzBind binds everything in a text, which stands beside one that builds on its
// types: whatever the text is, the answers name definitions that exist.
func FuzzBind(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(string(file.Data))
		}
	}
	f.Add("package a; class A extends B<A> { A a; void m(A... x) { a.m(a, x[0], () -> { }); } } class B<T extends B<T>> extends A { T t; { t.t.m(this); } }")
	const beside = "package a; import static a.R.*; class User extends R { { m(null, null); new R().self().own.name(); f(1, x -> x); } Kind k = Kind.ONE; }"
	f.Fuzz(func(t *testing.T, src string) {
		var facts []*graph.Facts
		for p, text := range map[graph.Path]string{"a/R.java": src, "a/User.java": beside} {
			got, err := extract.Extract(context.Background(), extract.File{Path: p, Src: []byte(text)})
			if err != nil {
				t.Fatal(err)
			}
			facts = append(facts, got)
		}
		v := graphtest.NewView(facts...)
		for _, g := range facts {
			id, _ := v.Lookup(g.Path)
			bindAll(t, v, g, id)
		}
	})
}

func bindAll(t *testing.T, v *graphtest.View, f *graph.Facts, id graph.FileID) {
	var r java.Resolver
	sound := func(what string, b graph.Binding) {
		for _, c := range b.Targets {
			g, err := v.Facts(c.Symbol.File)
			if err != nil || g == nil || c.Symbol.Def < 0 || int(c.Symbol.Def) >= len(g.Defs) || c.Confidence <= 0 || c.Confidence > 1 {
				t.Errorf("%s is bound to %+v", what, c)
			}
		}
	}
	for i := range f.Refs {
		sound(f.Refs[i].Name, r.Ref(v, f, id, i))
	}
	for i := range f.Imports {
		sound(f.Imports[i].Module, r.Import(v, f, id, i))
	}
	for i := range f.Heritage {
		sound(f.Heritage[i].Name, r.Base(v, f, id, i))
	}
	for i := range f.Defs {
		s := graph.Symbol{File: id, Def: int32(i)}
		sound(f.Defs[i].Local, r.Dispatch(v, s))
		r.Names(v, s)
		r.Narrow(v, s, []graph.FileID{id})
	}
}
