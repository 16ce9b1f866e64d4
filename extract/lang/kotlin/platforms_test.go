package kotlin

import "testing"

// TestPrepare looks at what is kept from the parser, and what is not.
func TestPrepare(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"internal actual constructor(actual val a: Int)", "internal        constructor(       val a: Int)"},
		{"expect fun f()", "       fun f()"},
		{"val actual = expect(1)", "val actual = expect(1)"},
		{"actual\nfun f()", "      \nfun f()"},
		{"myactual fun", "myactual fun"},
		{"actual", "actual"},
		{"", ""},
	} {
		got, _ := prepare([]byte(test.src))
		if string(got) != test.want {
			t.Errorf("%q: %q, want %q", test.src, got, test.want)
		}
	}
}
