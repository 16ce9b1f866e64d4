package byexample

import (
	"strings"
	"testing"
)

func lexAll(s string) []Token { return Lex(s, 0, uint32(len(s))) }

func texts(toks []Token) string {
	var out []string
	for _, t := range toks {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}

func TestLex(t *testing.T) {
	for src, want := range map[string]string{
		"a::b->c=>d..=e...f..g":                    "a :: b -> c => d ..= e ... f .. g",
		"x // no\n/* no /* no */ no */ y":          "x y",
		"/// doc\nfn f() {}":                       `# [ doc = "" ] fn f ( ) { }`,
		`"a\"b" 'x' '\'' 'a r"q" br#"a"b"# b'z' c`: `"a\"b" 'x' '\'' 'a r"q" br#"a"b"# b'z' c`,
		"1.5e-3 0xfe_u8 1..2 r#type été":           "1.5e-3 0xfe_u8 1 .. 2 r#type été",
		`"open`:                                    `"open`,
		"/* open":                                  "",
	} {
		if got := texts(lexAll(src)); got != want {
			t.Errorf("%q reads %q, want %q", src, got, want)
		}
	}
}

func TestExpand(t *testing.T) {
	for _, c := range []struct{ macro, args, want string }{
		{"($a:ident) => { fn $a() {} }", "f", "fn f ( ) { }"},
		{"($a:ident) => { one $a } ; ($a:ident $b:ident) => { two $b $a };", "x y", "two y x"},
		{"($($a:ident),* $(,)?) => { $(<$a>)* }", "x, y,", "< x > < y >"},
		{"($($a:ident)+) => { $($a)|+ }", "x y z", "x | y | z"},
		{"($($a:ident)+) => { yes }", "", "no rule"},
		{"($($n:ident: $t:ty),*) => { $($n = $t;)* }", "a: Vec<Vec<u8>>, b: &'a [u8; 4], c: dyn A + B", "a = Vec < Vec < u8 > > ; b = & 'a [ u8 ; 4 ] ; c = dyn A + B ;"},
		{"($e:expr => $b:block) => { $b if $e }", "a + (b, c) => { d }", "{ d } if a + ( b , c )"},
		{"($v:vis $i:ident $l:literal) => { $v : $i : $l }", "pub(crate) x -1", "pub ( crate ) : x : - 1"},
		{"($v:vis $i:ident) => { $v : $i }", "x", ": x"},
		{"($(#[$m:meta])* $p:path) => { $p $(, $m)* }", "#[a(b)] #[c = 1] x::y<z>", "x :: y < z > , a ( b ) , c = 1"},
		{"($($k:ident { $($v:ident)* })*) => { $($( $k . $v )*)* }", "a { b c } d { } e { f }", "a . b a . c e . f"},
		{"($it:item) => { [ $it ] }", "pub fn f(x: u8) { x; }", "[ pub fn f ( x : u8 ) { x ; } ]"},
		{"($p:pat => $l:lifetime $t:tt) => { $t $l $p }", "Some(x) | None => 'a (1 2)", "( 1 2 ) 'a Some ( x ) | None"},
		{"(@go $a:tt $($r:tt)*) => { $crate::next!($($r)*) $a }", "@go (x) y z", "crate :: next ! ( y z ) ( x )"},
		{"($a:ident) => { $other $a $", "x", "no rule"},
		{"(a) => { b }", "c", "no rule"},
	} {
		budget := 1000
		got, ok := Parse(lexAll(c.macro)).Expand(lexAll(c.args), &budget)
		if text := texts(got); ok && text != c.want || !ok && c.want != "no rule" {
			t.Errorf("%s with %q makes %q (%v), want %q", c.macro, c.args, text, ok, c.want)
		}
	}
}

// TestPlaces has what stands in the call keep its place.
func TestPlaces(t *testing.T) {
	src := "($a:ident) => { fn $a }  name"
	budget := 10
	got, ok := Parse(Lex(src, 0, 24)).Expand(Lex(src, 25, uint32(len(src))), &budget)
	if !ok || len(got) != 2 || got[1].Start != 25 || got[1].End != 29 || got[0].Start != 16 || budget != 7 {
		t.Errorf("%+v %d", got, budget)
	}
}

// TestBudget has a macro that makes more than it is given stop there.
func TestBudget(t *testing.T) {
	m := Parse(lexAll("($($a:ident)*) => { $( $($a)* )* $($a $a $a)* }"))
	budget := 700
	got, ok := m.Expand(lexAll(strings.Repeat("x ", 500)), &budget)
	if !ok || len(got) != 198 || budget != 0 {
		t.Errorf("%d tokens, %d left, %v", len(got), budget, ok)
	}
}

func FuzzExpand(f *testing.F) {
	f.Add("($($a:ident: $t:ty),* $(,)?) => { $(fn $a() -> $t {})* }", "a: Vec<u8>, b: [u8; 2]")
	f.Add("($v:vis $e:expr; $($l:literal)+) => { $crate $e }", "pub(in x) a + b; 1 'c' r#\"s\"#")
	f.Add("(@a $($r:tt)*) => { $($r)* } ; () => {}", "@a ((([{")
	f.Fuzz(func(t *testing.T, macro, args string) {
		toks := lexAll(args)
		last := uint32(0)
		for _, k := range toks {
			if k.Start < last && k.Text == args[k.Start:k.End] || int(k.End) > len(args) || k.Start > k.End {
				t.Fatalf("token %+v behind %d", k, last)
			}
			last = k.Start
		}
		budget := 5000
		got, _ := Parse(lexAll(macro)).Expand(toks, &budget)
		if len(got)+budget > 5000 || budget < 0 {
			t.Fatalf("%d tokens, %d left", len(got), budget)
		}
	})
}
