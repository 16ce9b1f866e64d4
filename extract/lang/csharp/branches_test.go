package csharp

import "testing"

// TestPrepare looks at which branches are left to the parser.
func TestPrepare(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"#if A\nx\n#else\ny\n#endif\nz", "     \nx\n     \n \n      \nz"},
		{"#if A\n#if B\nx\n#else\ny\n#endif\n#elif C\nz\n#endif", "     \n     \nx\n     \n \n      \n       \n \n      "},
		{"#region R\n#if A\nx\n#endif", "#region R\n     \nx\n      "},
		{"#endif\n#if", "      \n   "},
		{"class A {}", "class A {}"},
		{"", ""},
	} {
		if got, _ := prepare([]byte(test.src)); string(got) != test.want {
			t.Errorf("%q: %q, want %q", test.src, got, test.want)
		}
	}
}
