package python_test

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

// The line ending is no part of names, signatures or doc lines.
func TestLineEndings(t *testing.T) {
	const src = "class A(\n  B,\n  C,\n):\n  \"\"\"Doc.\n  More.\n  \"\"\"\n  def f(self,\n        x: Dict[str,\n                int]): return g(\n    x)\n"
	lf := extracttest.Extract(t, "a.py", src)
	crlf := extracttest.Extract(t, "a.py", strings.ReplaceAll(src, "\n", "\r\n"))
	if len(lf.Defs) != 2 || lf.Defs[0].Signature != "class A(B, C)" || lf.Defs[0].Doc != "Doc." {
		t.Fatalf("definitions: %+v", lf.Defs)
	}
	for i := range lf.Defs {
		a, b := lf.Defs[i], crlf.Defs[i]
		if a.Signature != b.Signature || a.Doc != b.Doc || a.Span.From != b.Span.From || a.Span.To != b.Span.To {
			t.Errorf("definition %d: %+v with LF, %+v with CRLF", i, a, b)
		}
	}
	if !reflect.DeepEqual(names(lf), names(crlf)) {
		t.Errorf("references: %q with LF, %q with CRLF", names(lf), names(crlf))
	}
}

func names(f *graph.Facts) (all []string) {
	f.RefNames(func(n string) { all = append(all, n) })
	return all
}

// FuzzExtract looks for texts that panic or that yield facts which contradict
// their text.
func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		"", "\x00", "def", "class A(", "def f(a, (b, c)=1, *, d: 'X' = 2, /): return a\n", "print 'x' % y\n",
		"x: 'A.B[C]' = [i for i in j if (k := i)]\n", "@\ndef f(): pass", "match x:\n  case A(b=[c, *d]) as e: pass\n",
		"class A:\n  def f(self):\n    self.x, self.y = 1, 2\n    global z\n    z = self.x\n", "from . import (a as b,\n", "\xff = 1\n",
		"if isinstance(x, Y): pass\nelif: pass\nlambda *a, **k: a\n", "type X[T] = list[T]\nexcept* A as b:\n", "a = b = c = d()\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		facts, err := extract.Extract(context.Background(), extract.File{Path: "a/__init__.py", Src: []byte(src)})
		if err != nil {
			t.Fatal(err)
		}
		if facts.Status == graph.StatusFailed {
			t.Fatalf("extraction failed: %s", facts.Reason)
		}
		extracttest.Check(t, facts, src)
	})
}
