package markdown_test

import (
	"context"
	"flag"
	"reflect"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/extract/extracttest"
	"github.com/ralph-index/ralph-index/graph"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

// The line ending is no part of the structure: the same document with CRLF has the
// same sections, slugs and mentions on the same lines.
func TestLineEndings(t *testing.T) {
	const doc = "---\ntitle: x\n---\n# One\n\nTwo\n---\n\n```\n# no\n```\ntext `a.b` [l](c.md)\n\n## Three ##\n"
	type shape struct {
		local        string
		from, to     uint32
		mention      string
		mentionStart graph.Pos
	}
	shapes := func(src string) (all []shape) {
		f := extracttest.Extract(t, "a.md", src)
		for i := range f.Defs {
			d := &f.Defs[i]
			all = append(all, shape{local: d.Local, from: d.Span.From.Line, to: d.Span.To.Line})
		}
		for i := range f.Mentions {
			m := &f.Mentions[i]
			all = append(all, shape{mention: m.Target + m.Name, mentionStart: m.Span.From})
		}
		return all
	}
	want, got := shapes(doc), shapes(strings.ReplaceAll(doc, "\n", "\r\n"))
	if len(want) != 5 {
		t.Fatalf("%d shapes, want 3 sections and 2 mentions: %+v", len(want), want)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("with CRLF:\n%+v\nwith LF:\n%+v", got, want)
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		"", "#", "# a\n## b\n# c", "---\na\n---\n", "+++\n", "a\n=", "> # q\n", "[a](b#c \"t\")", "[a][b]\n\n[b]: <c d>", "`a`", "\xff# x\r\r\n",
		"\xef\xbb\xbf---\n...\n#\n#\n", "![a](b(c)d)", "<http://a>", "```\n# a", "[x](%zz)", "- # a\n  [b](c\n)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		facts, err := extract.Extract(context.Background(), extract.File{Path: "a.md", Src: []byte(src)})
		if err != nil {
			t.Fatal(err)
		}
		if facts.Status != graph.StatusOK {
			t.Fatalf("status %s: %s", facts.Status, facts.Reason)
		}
		extracttest.Check(t, facts, src)
		end := map[int32]uint32{graph.NoDef: uint32(len(src))}
		for i := range facts.Defs {
			d := &facts.Defs[i]
			if d.Span.End > end[d.Container] {
				t.Errorf("section %s runs past the one around it", d.Local)
			}
			end[int32(i)] = d.Span.End
		}
	})
}
