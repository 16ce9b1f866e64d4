package tags

import (
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestScore(t *testing.T) {
	defs := map[string][]graph.Def{"a.rb": {
		{Name: "m", Local: "A#m", NameSpan: graph.Span{From: graph.Pos{Line: 2}}},
		{Name: "x", Local: "A#x", NameSpan: graph.Span{From: graph.Pos{Line: 3}}},
	}}
	list := []tag{
		{Path: "a.rb", Line: 2, Name: "m", Kind: "method"},
		{Path: "a.rb", Line: 3, Name: "x=", Kind: "accessor"},
		{Path: "a.rb", Line: 4, Name: "gone", Kind: "method"},
		{Path: "a.rb", Line: 5, Name: "T", Kind: "class", in: true},
		{Path: "a.rb", Line: 6, Name: "set", Kind: "library"},
	}
	counts := score(readings()["Ruby"], list, defs)
	if c := counts["method"]; c.all != 2 || c.found != 1 || len(c.missed) != 1 || c.missed[0].Name != "gone" {
		t.Errorf("methods: %+v", c)
	}
	if c := counts["accessor"]; c.found != 1 {
		t.Errorf("accessors: %+v", c)
	}
	if c := counts["class"]; c.all != 0 || c.left["inside of a text or comment"] != 1 {
		t.Errorf("classes: %+v", c)
	}
	if c := counts["library"]; c.all != 0 || len(c.left) != 1 {
		t.Errorf("libraries: %+v", c)
	}
	var out strings.Builder
	recall, err := report(Options{Language: "Ruby", Examples: 1}, counts, len(defs), &out)
	if err != nil || recall < 0.66 || recall > 0.67 || !strings.Contains(out.String(), "a.rb:4 gone") {
		t.Errorf("recall %v, %v:\n%s", recall, err, out.String())
	}
}

// TestTexts looks at which lines are taken for text.
func TestTexts(t *testing.T) {
	for _, test := range []struct{ language, lines, want string }{
		{"Ruby", "a = <<~EOS\n  def x\n  EOS\ndef y", "-##-"},
		{"Sh", "cat <<-'END'\nf() {\nEND\ng() {", "-##-"},
		{"Elixir", "@doc \"\"\"\ndef f do\n\"\"\"\ndef g do", "-##-"},
		{"Elm", "{-| a\nf = 1\n-}\ng = 2", "-##-"},
		{"Lua", "--[[ a\nfunction f()\n]]\nfunction g()", "-##-"},
	} {
		var got strings.Builder
		for _, in := range readings()[test.language].texts(strings.Split(test.lines, "\n")) {
			if in {
				got.WriteByte('#')
			} else {
				got.WriteByte('-')
			}
		}
		if got.String() != test.want {
			t.Errorf("%s: %s, want %s", test.language, got.String(), test.want)
		}
	}
}

// TestReadings looks at what is left out, and why.
func TestReadings(t *testing.T) {
	for _, test := range []struct {
		language string
		tag      tag
		out      bool
	}{
		{"Kotlin", tag{Name: "a", Kind: "method", text: "list.fold(0) { a, b -> a + b }"}, true},
		{"Kotlin", tag{Name: "a", Kind: "method", text: "fun a() = 1"}, false},
		{"OCaml", tag{Name: "x", Kind: "var", text: "let x = 1 in"}, true},
		{"OCaml", tag{Name: "x", Kind: "var", text: "let x = 1"}, false},
		{"OCaml", tag{Name: "A", Kind: "module", Path: "lib/a.ml", Line: 1, text: "open B"}, true},
		{"Make", tag{Name: "$(OBJ)", Kind: "target", text: "$(OBJ): %.o: %.c"}, true},
		{"Make", tag{Name: "a.o", Kind: "target", text: "a.o: CFLAGS += -g"}, true},
		{"Make", tag{Name: "a.o", Kind: "target", text: "a.o: a.c"}, false},
		{"JSON", tag{Name: "0", Kind: "object", Scope: "list"}, true},
		{"CSS", tag{Name: "table td", Kind: "selector"}, true},
		{"CSS", tag{Name: ".a > b", Kind: "selector"}, false},
		{"Lua", tag{Name: "cmp", Kind: "function", text: "cmp = function_arg(2, cmp)"}, true},
	} {
		if got := readings()[test.language].out(test.tag, map[string]bool{}); (got != "") != test.out {
			t.Errorf("%s %+v: left out %q", test.language, test.tag, got)
		}
	}
}
