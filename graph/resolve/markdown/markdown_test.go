package markdown_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
	"github.com/ralph-index/ralph-index/graph/resolve/markdown"
)

func view(t *testing.T, files map[string]string) *graphtest.View {
	t.Helper()
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	var facts []*graph.Facts
	for _, p := range paths {
		f, err := extract.Extract(context.Background(), extract.File{Path: graph.Path(p), Src: []byte(files[p])})
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			f = &graph.Facts{Path: graph.Path(p)}
		}
		facts = append(facts, f)
	}
	return graphtest.NewView(facts...)
}

// name renders a target as path#definition.
func name(v *graphtest.View, s graph.Symbol) string {
	f, _ := v.File(s.File)
	if s.Def == graph.NoDef {
		return string(f.Path)
	}
	facts, _ := v.Facts(s.File)
	return string(f.Path) + "#" + facts.Defs[s.Def].Local
}

func TestMention(t *testing.T) {
	files := map[string]string{
		"README.md":        "# Top\n## Über uns\n## Use\n## Use\n",
		"docs/guide.md":    "# Guide\n## Install\n",
		"docs/api/READ.md": "",
		"docs/README.md":   "# Docs\n",
		"pkg/server.py":    "class Server:\n  def run(self): pass\ndef start(): pass\n",
		"pkg/client.py":    "class Client:\n  def run(self): pass\n  def only(self): pass\n",
		"pkg/conf.py":      "py = 1\n",
		"tests/helper.py":  "def start(): pass\n",
		"data.txt":         "x",
	}
	for text, want := range map[string]string{
		"[a](../README.md)":               "extracted README.md",
		"[a](guide.md#install)":           "extracted docs/guide.md#install",
		"[a](guide.md#gone)":              "extracted docs/guide.md",
		"[a](#own)":                       "extracted docs/x.md#own",
		"[a](/pkg/server.py#L3)":          "extracted pkg/server.py",
		"[a](pkg/server.py)":              "extracted pkg/server.py",
		"[a](api/READ)":                   "extracted docs/api/READ.md",
		"[a](../docs)":                    "extracted docs/README.md",
		"[a](../../../etc/passwd)":        "",
		"[a](../README.md#%C3%BCber-uns)": "extracted README.md#über-uns",
		"[a](../README.md#use-1)":         "extracted README.md#use-1",
		"[a](../data.txt)":                "extracted data.txt",
		"![a](missing.png)":               "",
		"`pkg/server.py:3`":               "extracted pkg/server.py",
		"`Server`":                        "inferred pkg/server.py#Server",
		"`start()`":                       "inferred pkg/server.py#start",
		"`Server.run`":                    "inferred pkg/server.py#Server.run",
		"`pkg.client.Client.run()`":       "inferred pkg/client.py#Client.run",
		"`run`":                           "ambiguous pkg/client.py#Client.run pkg/server.py#Server.run",
		"`other.run`":                     "",
		"`only`":                          "inferred pkg/client.py#Client.only",
		"`nothing_like_it`":               "",
	} {
		files["docs/x.md"] = "# Own\n\n" + text + "\n"
		v := view(t, files)
		id, _ := v.Lookup("docs/x.md")
		f, _ := v.Facts(id)
		if len(f.Mentions) != 1 {
			t.Errorf("%s: %d mentions", text, len(f.Mentions))
			continue
		}
		b := markdown.New().Mention(v, f, id, 0)
		got := string(b.Provenance)
		sum := float32(0)
		for _, c := range b.Targets {
			got += " " + name(v, c.Symbol)
			sum += c.Confidence
		}
		if got != want {
			t.Errorf("%s binds to %q (%s), want %q", text, got, b.Reason, want)
		}
		if len(b.Targets) > 0 && (sum <= 0 || sum > 1) {
			t.Errorf("%s: confidences add up to %v", text, sum)
		}
	}
}

// A question about a document reads the files that refer to one of its names, so
// each link that leads there must have one of them as its last element.
func TestNames(t *testing.T) {
	v := view(t, map[string]string{"docs/README.md": "# Docs\n", "a/b.md": "# B\n## C\n"})
	for p, want := range map[graph.Path]string{"docs/README.md": "README.md README docs", "a/b.md": "b.md b"} {
		id, _ := v.Lookup(p)
		if got := strings.Join(markdown.New().Names(v, graph.Symbol{File: id, Def: graph.NoDef}), " "); got != want {
			t.Errorf("Names(%s) = %q, want %q", p, got, want)
		}
	}
	id, _ := v.Lookup("a/b.md")
	f, _ := v.Facts(id)
	if got := markdown.New().Qualify(v, f, id, 1); got != "a/b.md#c" {
		t.Errorf("Qualify = %q", got)
	}
	if got := markdown.New().Names(v, graph.Symbol{File: id, Def: 1}); got[0] != "C" || !slices.Contains(got, "b.md") {
		t.Errorf("Names of a section = %q", got)
	}
}
