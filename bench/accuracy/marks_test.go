package accuracy

import (
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	got, err := Marks(map[string]string{
		"a.py": "def f():  #: fn f\n  g(g(1)); h(C())  #: call g; call g; ext h; call C|C.__init__; end f\nimport b  #: import b.py\n",
		"b.py": "class C(D):  #: def C; base b.D\n  def __init__(self):  #: fn C.__init__\n    g2()  #: call g2=g; end C.__init__; end C\ndef g(): pass  #: fn g\nclass D: pass  #: def b.D\n",
		"c.py": "def unmarked(): pass\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range got {
		b.WriteString(strings.TrimRight(strings.Join([]string{r.K, at(&r), r.Name, Place{r.File, r.End}.String(), Place{r.CallerFile, r.CallerLine}.String(), Place{r.CalleeFile, r.CalleeLine}.String(), r.TargetFile, Place{r.BaseFile, r.BaseLine}.String()}, " "), " ") + "\n")
	}
	want := `def a.py:1:5 f a.py:2 :0 :0  :0
def b.py:1:7 C b.py:3 :0 :0  :0
def b.py:2:7 __init__ b.py:3 :0 :0  :0
def b.py:4:5 g b.py:4 :0 :0  :0
def b.py:5:7 D b.py:5 :0 :0  :0
call a.py:2:3 g a.py:0 a.py:1 b.py:4  :0
call a.py:2:5 g a.py:0 a.py:1 b.py:4  :0
call a.py:2:12 h a.py:0 a.py:1 :0  :0
call a.py:2:14 C a.py:0 a.py:1 b.py:1  :0
import a.py:3:1  a.py:0 :0 :0 b.py :0
inherits b.py:1:1 C b.py:0 :0 :0  b.py:5
call b.py:3:5 g2 b.py:0 b.py:2 b.py:4  :0
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	for text, part := range map[string]string{
		"f() //: call nothing\n": "no such label",
		"f() //: cal f\n":        "unknown word",
		"func f() {} //: fn g\n": "does not stand",
		"//: opt f\n":            "no such label",
		"func f() {} //: fn f\nf() //: call f; call f\n": "2 times",
		"func f() {} //: fn f\nfunc f() {} //: fn f\n":   "another one",
		"//: end f\n": "no such label",
	} {
		if _, err := Marks(map[string]string{"a.go": text}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCasesOf(t *testing.T) {
	truth, err := Marks(map[string]string{"a.go": "func a() { b() } //: fn a; call b\nfunc b() { c() } //: fn b; call c\nfunc c() { c() } //: fn c; call c\n"})
	if err != nil {
		t.Fatal(err)
	}
	ask := told{callers: []string{"a.go:1"}, path: []string{"a.go:1", "a.go:2", "a.go:3"}, hubs: []string{"a.go:2", "a.go:3"}, affected: []Affected{{"a.go:1", 1}}}
	got, err := ScoreCases(t.Context(), CasesOf(truth), truth, ask)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"neighbors callers F1": 1.0 / 3, "impact <= 1 recall": .5, "path right": 1, "hubs overlap@20": 1}
	for _, f := range got {
		if w, ok := want[f.Name]; ok && (f.Value < w-1e-9 || f.Value > w+1e-9) {
			t.Errorf("%s is %v, want %v", f.Name, f.Value, w)
		}
		delete(want, f.Name)
	}
	if len(want) > 0 {
		t.Errorf("no figures of %v", want)
	}
}

func TestPlain(t *testing.T) {
	text := map[string]string{"a.rs": "fn f() {\n    assert!(g(1), \"{}\", [h(2)]);\n    g(2);\n}\n"}
	read := func(f string) string { return text[f] }
	truth := records(t, `
{"k":"def","file":"a.rs","line":9,"name":"g","kind":"func"}
{"k":"def","file":"a.rs","line":9,"name":"0","kind":"field"}
{"k":"call","file":"a.rs","line":2,"col":13,"name":"g","callee":"g","callee_file":"a.rs","callee_line":9}
{"k":"call","file":"a.rs","line":2,"col":26,"name":"h","callee":"h","callee_file":"a.rs","callee_line":8}
{"k":"call","file":"a.rs","line":3,"col":5,"name":"g","callee":"g","callee_file":"a.rs","callee_line":9}
{"k":"call","file":"a.rs","line":3,"col":7,"name":"g","callee":"g","callee_file":"a.rs","callee_line":9}
`)
	s := Score(truth, nil, records(t, `{"k":"def","file":"a.rs","line":7,"name":"m","kind":"macro"}`), read)
	if s.Sites != 4 || s.NamedSites != 3 || s.MacroSites != 2 {
		t.Errorf("%d sites, %d named, %d in macros", s.Sites, s.NamedSites, s.MacroSites)
	}
	if s.Defs != (Count{Answered: 1, Known: 2}) || s.PlainDefs != (Count{Known: 1}) {
		t.Errorf("definitions %+v, plain %+v", s.Defs, s.PlainDefs)
	}
	if s.Calls.Known != 4 || s.PlainCalls.Known != 2 {
		t.Errorf("calls %+v, plain %+v", s.Calls, s.PlainCalls)
	}
}
