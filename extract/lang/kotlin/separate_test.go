package kotlin

import "testing"

// TestSeparate looks at what stands between members, and in the heads of classes.
func TestSeparate(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"class A { fun a() { } fun b() = 1 }", "class A { fun a() { };fun b() = 1;}"},
		{"class A { companion object { val x = 1 } operator fun b() {} }", "class A { companion object { val x = 1;};operator fun b() {};}"},
		{"class A(val x: Int) { fun a() { } fun b() = 1 }", "class A(val x: Int) { fun a() { };fun b() = 1;}"},
		{"class A { init { f() } constructor(a: Int) { } @X val y = 1; }", "class A { init { f() };constructor(a: Int) { };@X val y = 1; }"},
		{"fun f() { g { } val x = 1 }", "fun f() { g { } val x = 1 }"},
		{"fun f() = run { } infix x", "fun f() = run { } infix x"},
		{"class A { val s = \"} fun ${ if (x) { \"}\" } else y } fun\" }", "class A { val s = \"} fun ${ if (x) { \"}\" } else y } fun\";}"},
		{"class A { /* } fun /* */ */ val c = '}' }", "class A { /* } fun /* */ */ val c = '}';}"},
		{"enum class E { A { fun f() {} }; fun g() {} }", "enum class E { A { fun f() {};},;fun g() {};}"},
		{"enum class E { A { },\n  ;\n fun g() {} }", "enum class E { A { },\n  ;\n fun g() {};}"},
		{"enum class E { A, B; }", "enum class E { A, B; }"},
		{"fun interface F { fun f() }", "    interface F { fun f();}"},
		{"class T : I by a { val x by lazy { 1 } }", "class T : I      { val x by lazy { 1 };}"},
		{"class T(a: I) : I by a, J", "class T(a: I) : I by a, J"},
		{"class B\n// c\ninternal constructor(a: Int)", "class B      internal constructor(a: Int)"},
		{"class B\n\nfun f() {}", "class B\n\nfun f() {}"},
		{"when (x) { \"a\",\n -> 1 }", "when (x) { \"a\" \n -> 1 }"},
		{"A::class { } val x", "A::class { };val x"},
	} {
		got := []byte(test.src)
		if separate(got); string(got) != test.want {
			t.Errorf("%q:\n%q, want\n%q", test.src, got, test.want)
		}
	}
}

// FuzzSeparate holds it to texts of the same length.
func FuzzSeparate(f *testing.F) {
	f.Add("class A { \"${\"\"\"${'} fun")
	f.Fuzz(func(t *testing.T, src string) {
		text, _ := prepare([]byte(src))
		if len(text) != len(src) {
			t.Errorf("%d bytes of %d", len(text), len(src))
		}
	})
}
