package resolvetest

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/resolve/golang"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]claim{
		"f -> a.F":                            {kind: "ref", name: "f", nth: 1, sep: "->", want: "a.F"},
		"f#2 ~ a.F | b.F (same_name)":         {kind: "ref", name: "f", nth: 2, sep: "~", want: "a.F | b.F", reason: "same_name"},
		"# -> x":                              {kind: "ref", name: "#", nth: 1, sep: "->", want: "x"},
		"base T -> a.T.T(int i) (import)":     {kind: "base", name: "T", nth: 1, sep: "->", want: "a.T.T(int i)", reason: "import"},
		"f -> a.F (scope) at 85":              {kind: "ref", name: "f", nth: 1, sep: "->", want: "a.F", reason: "scope", at: 85},
		"m ? a.T.m through a.T (self)":        {kind: "ref", name: "m", nth: 1, sep: "?", want: "a.T.m", through: "a.T", reason: "self"},
		"m -> a.T.m exactly":                  {kind: "ref", name: "m", nth: 1, sep: "->", want: "a.T.m", exactly: true},
		"m -> a.T.m maybe dispatch b.m | c.m": {kind: "ref", name: "m", nth: 1, sep: "->", want: "a.T.m", maybe: true, dispatch: "b.m | c.m"},
	} {
		if got, err := parse(text); err != nil || got != want {
			t.Errorf("%s: %+v (%v), want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"f", "f->g", "f -> g at noon"} {
		if c, err := parse(text); err == nil {
			t.Errorf("%s is read as %+v", text, c)
		}
	}
}

// TestWrongClaims sees that a claim that does not hold is found out.
func TestWrongClaims(t *testing.T) {
	v := View(t, txtar.Parse([]byte(`
-- go.mod --
module m
-- a.go --
package m

type T struct{}

func (T) do() {}

func f() { g(); T{}.do() }

func g() {}
`)))
	s := Suite{Mark: "//> ", Resolver: One(golang.Resolver{}), Strict: true}
	for text, right := range map[string]bool{
		"g -> m.g": true, "g -> m.f": false, "g -> external": false, "g -> nothing": false, "g -> no reference": false,
		"h -> no reference": true, "h -> m.g": false, "g ~ m.g": false, "g ? m.g": false, "g -> m.g at 9": true, "g -> m.g at 8": false,
		"g -> m.g (nonsense)": false, "g -> m.g maybe": false, "g -> m.g through m.T": false, "g -> m.g dispatch m.f": false,
		"g#2 -> m.g": false, "import g -> m.g": false, "base g -> m.g": false, "mention g -> m.g": false,
	} {
		c, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := s.check(v, graph.Path("a.go"), 7, &c); (len(wrong) == 0) != right {
			t.Errorf("%s: %v", text, wrong)
		}
	}
}
