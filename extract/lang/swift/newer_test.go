package swift

import "testing"

// TestPrepare looks at what is kept from the parser, and what is not.
func TestPrepare(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"#expect(a == b)", " expect(a == b)"},
		{"if #available(iOS 13, *) {}", "if #available(iOS 13, *) {}"},
		{"#if DEBUG\n#endif", "#if DEBUG\n#endif"},
		{"func f() throws(My.Error) -> Int", "func f() throws           -> Int"},
		{"func f() throws -> Int", "func f() throws -> Int"},
		{`let s = #"raw "# + "#tag"`, `let s = #"raw "# + "#tag"`},
		{"throws(", "throws("},
		{"@Flag() var a: Bool\n@Flag(name: 1) var b", "@Flag   var a: Bool\n@Flag(name: 1) var b"},
		{"for try await a in try b.c {}", "for           a in     b.c {}"},
		{"format a", "format a"},
		{"a.b() // no\n  // whole\n  .c() // last\nlet d", "a.b() // no\n  // whole\n  .c() // last\nlet d"},
		{"a.b() // no\n  .c() // last\nlet", "a.b()      \n  .c() // last\nlet"},
		{"let a = \"http://b\"\n  .c", "let a = \"http://b\"\n  .c"},
		{"", ""},
	} {
		got, _ := prepare([]byte(test.src))
		if string(got) != test.want {
			t.Errorf("%q: %q, want %q", test.src, got, test.want)
		}
	}
}
