package python_test

import (
	"context"
	"testing"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
	"github.com/ralph-index/ralph-index/graph/resolve/python"
)

// TestRebound checks that a call of a name which the file changes is not certain,
// and that others stay so.
func TestRebound(t *testing.T) {
	const head = "def f(): pass\ndef g():\n"
	for _, c := range []struct {
		name, src string
		certain   bool
	}{
		{"plain", head + "    f()\n", true},
		{"global", head + "    global f\n    f = 4\n    f()\n", false},
		{"deleted", head + "    f()\ndel f\n", false},
		{"other", head + "    f()\ndef h(): pass\ndel h\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := extract.Extract(context.Background(), extract.File{Path: "m.py", Src: []byte(c.src)})
			if err != nil {
				t.Fatal(err)
			}
			v := graphtest.NewView(f)
			id, _ := v.Lookup("m.py")
			seen := false
			for i := range f.Refs {
				if f.Refs[i].Use != graph.UseCall {
					continue
				}
				seen = true
				b := python.New().Ref(v, f, id, i)
				if got := b.Provenance == graph.Extracted; got != c.certain || len(b.Targets) != 1 || b.Dynamic == c.certain {
					t.Errorf("call of f: %+v, want certain %v", b, c.certain)
				}
			}
			if !seen {
				t.Error("no call")
			}
		})
	}
}
