package python_test

import (
	"context"
	"flag"
	"testing"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/extract/extracttest"
	"github.com/ralph-index/ralph-index/graph"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

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
