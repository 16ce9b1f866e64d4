// Package resolvetest checks resolvers against claims that stand in the sources of
// txtar archives, in comments behind the lines that they are about. It is for tests
// only; the product never imports it.
//
// A comment holds claims separated by ";", each of the form
//
//	WHAT -> WANT (reason)    one definition, several separated by " | ", "external",
//	                         "nothing", or "no reference" where nothing is looked up
//	WHAT ~ WANT              candidates of an ambiguous binding; one, where the call
//	                         may run something of another name
//	WHAT ? WANT              a definition that is inferred, in a strict suite
//
// WHAT is a name on the line, "NAME#2" for its second reference there, or a name
// after "import", "base" or "mention". An import goes by its alias, its name or its
// module. "(reason)" may be left out. Behind WANT may stand
//
//	at LINE                  the line of the definition's name
//	maybe                    the binding is not certain
//	exactly                  nothing can stand in its place
//	through TYPE             found on an object of TYPE or of what derives from it
//	dispatch A | B           what a call of it may run
package resolvetest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
)

// Suite says how the claims of one language, or of several, are read.
type Suite struct {
	Mark     string                               // what the comments with claims begin with
	Resolver func(language string) graph.Resolver // the one that serves a language
	// Label names what a binding leads to; nil takes the resolver's qualified names.
	Label func(v *graphtest.View, s graph.Symbol) string
	// Strict tells "->", which is extracted, from "?", which is inferred.
	Strict bool
}

// One serves every language with the same resolver.
func One(r graph.Resolver) func(string) graph.Resolver {
	return func(string) graph.Resolver { return r }
}

// Run checks every claim of the archives that match a pattern. An archive without
// claims fails, and so does a pattern without archives.
func (s *Suite) Run(t *testing.T, pattern string) {
	t.Helper()
	archives, err := filepath.Glob(pattern)
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			v, a := Load(t, name)
			if s.checkAll(t, v, a) == 0 {
				t.Error("no claims in the archive")
			}
		})
	}
}

// checkAll checks the claims of an archive and counts them.
func (s *Suite) checkAll(t *testing.T, v *graphtest.View, a *txtar.Archive) int {
	t.Helper()
	n := 0
	for _, f := range a.Files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			_, all, _ := strings.Cut(line, s.Mark)
			all = strings.TrimSuffix(strings.TrimSpace(all), "*)") // where a comment has an end
			for text := range strings.SplitSeq(all, ";") {
				if text = strings.TrimSpace(text); text == "" {
					continue
				}
				n++
				place := fmt.Sprintf("%s:%d: %s", f.Name, i+1, text)
				c, err := parse(text)
				if err != nil {
					t.Fatalf("%s: %v", place, err)
				}
				for _, wrong := range s.check(v, graph.Path(f.Name), uint32(i+1), &c) {
					t.Errorf("%s: %s", place, wrong)
				}
			}
		}
	}
	return n
}

// Load reads an archive and extracts the facts of its files.
func Load(t testing.TB, name string) (*graphtest.View, *txtar.Archive) {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return View(t, a), a
}

// View extracts the facts of the files of an archive. A file without structure is
// there without facts. Syntax errors are let pass: in a Dockerfile a claim is one.
func View(t testing.TB, a *txtar.Archive) *graphtest.View {
	t.Helper()
	var facts []*graph.Facts
	for _, f := range a.Files {
		got, err := extract.Extract(context.Background(), extract.File{Path: graph.Path(f.Name), Src: f.Data})
		switch {
		case err != nil:
			t.Fatal(err)
		case got == nil:
			got = &graph.Facts{Path: graph.Path(f.Name)}
		case got.Status != graph.StatusOK && got.Status != graph.StatusPartial:
			t.Fatalf("%s: status %s, %s", f.Name, got.Status, got.Reason)
		}
		facts = append(facts, got)
	}
	return graphtest.NewView(facts...)
}

// Find returns the definition of a name as Label writes it, or the module.
func (s *Suite) Find(t testing.TB, v *graphtest.View, name string) graph.Symbol {
	t.Helper()
	for _, id := range v.Files() {
		f, _ := v.Facts(id)
		if f == nil {
			continue
		}
		for i := range f.Defs {
			if sym := (graph.Symbol{File: id, Def: int32(i)}); !f.Defs[i].Has(graph.FlagOverload) && s.label(v, sym) == name {
				return sym
			}
		}
		if sym := (graph.Symbol{File: id, Def: graph.NoDef}); s.label(v, sym) == name {
			return sym
		}
	}
	t.Fatalf("no definition %s", name)
	return graph.Symbol{}
}

// Targets writes what a binding leads to as a claim does.
func (s *Suite) Targets(v *graphtest.View, b graph.Binding) string {
	if len(b.Targets) == 0 {
		if b.External {
			return "external"
		}
		return "nothing"
	}
	var names []string
	for _, c := range b.Targets {
		names = append(names, s.label(v, c.Symbol))
	}
	slices.Sort(names)
	list := strings.Join(names, " | ")
	if b.Lacks {
		list += " lacks"
	}
	return list
}

func (s *Suite) label(v *graphtest.View, sym graph.Symbol) string {
	if s.Label != nil {
		return s.Label(v, sym)
	}
	f, _ := v.Facts(sym.File)
	if f == nil {
		file, _ := v.File(sym.File)
		return string(file.Path)
	}
	return s.Resolver(f.Language).Qualify(v, f, sym.File, sym.Def)
}

// PathsAsModules makes a Label that writes a module as its path.
func PathsAsModules(r graph.Resolver) func(*graphtest.View, graph.Symbol) string {
	return func(v *graphtest.View, sym graph.Symbol) string {
		f, _ := v.Facts(sym.File)
		if f == nil || sym.Def == graph.NoDef {
			file, _ := v.File(sym.File)
			return string(file.Path)
		}
		return r.Qualify(v, f, sym.File, sym.Def)
	}
}
