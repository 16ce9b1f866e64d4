package typescript

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPrepareKeepsLengths writes texts of the parts that prepare looks at, in any order: it
// must take them all, and change no length and no text but what it mends.
func TestPrepareKeepsLengths(t *testing.T) {
	parts := []string{
		"<", ">", "<A>(", "interface X<", "class<", "in ", "out ", "const ", "A", ", ", "(", ")", "[", "]", "{", "}", "\n", "/*", "*/", "//",
		"\"", "'", "`", "\\`", "=>", ": ", ";", "import(", ").A[]", "export type *", "(type extends ", "export default abstract class {", "é",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(24) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		src := []byte(b.String())
		before := bytes.Clone(src)
		out, _ := prepare(src)
		if len(out) != len(src) || !bytes.Equal(src, before) {
			t.Fatalf("%q became %q", before, out)
		}
	}
}

func TestPrepareLeavesPlainTextsAlone(t *testing.T) {
	for _, src := range []string{
		"const a = b <c> (d);", "for (const x in out) {}", "f(a < in_, b > c)", "type T<A> = A;", "x = '\\\\`';",
		"class C { generic\n  <T>(x: T) {} }", "return (\n  <div>(x)</div>\n)", "let s = cond &&\n  <T>(x: T) => x;",
	} {
		if out, _ := prepare([]byte(src)); string(out) != src {
			t.Errorf("%q became %q", src, out)
		}
	}
}
