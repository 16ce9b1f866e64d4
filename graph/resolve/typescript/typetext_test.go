package typescript

import (
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
)

// show writes a type in prefix form.
func show(t *typeExpr) string {
	list := func(ts []*typeExpr) string {
		var out []string
		for _, a := range ts {
			out = append(out, show(a))
		}
		return strings.Join(out, " ")
	}
	switch t.kind {
	case typeNamed:
		s := t.name
		if t.module != "" {
			s = t.module + ":" + s
		}
		if len(t.args) > 0 {
			s += "<" + list(t.args) + ">"
		}
		return s
	case typeUnion:
		return "(| " + list(t.args) + ")"
	case typeBoth:
		return "(& " + list(t.args) + ")"
	case typeArray:
		return "(array " + list(t.args) + ")"
	case typeTuple:
		return "(tuple " + list(t.args) + ")"
	case typeLiteral:
		return "'" + t.name
	case typeQuery:
		return "typeof:" + t.name
	case typeFunc, typeObject:
		var out []string
		for _, p := range t.params {
			out = append(out, p.name+":"+p.text)
		}
		s := "{" + strings.Join(out, "; ") + "}"
		if t.kind == typeFunc {
			s = "(fn " + s + " " + show(t.result) + ")"
			if t.this != "" {
				s += "@" + t.this
			}
		}
		return s
	default:
	}
	return "?"
}

func TestParseType(t *testing.T) {
	for text, want := range map[string]string{
		"Foo":                                  "Foo",
		" | A | null":                          "(| A 'null)",
		"A.B<C, D[]>":                          "A.B<C (array D)>",
		"readonly string[][]":                  "(array (array 'string))",
		"(A | B)[]":                            "(array (| A B))",
		"A & { x: B; y?(z: C): D }":            "(& A {x:B; y:(z: C) => D})",
		"[a: A, B?, ...C[]]":                   "(tuple A B C)",
		"(x: A, ...y: B[]) => C | D":           "(fn {x:A; y:B[]} (| C D))",
		"<T>(this: S, f: (a: A) => B) => void": "(fn {f:(a: A) => B} 'void)@S",
		"new (x: A) => B":                      "(fn {x:A} B)",
		"T extends A ? B : C":                  "(| B C)",
		"keyof T":                              "?",
		"T['key']":                             "?",
		"typeof a.b":                           "typeof:a.b",
		"x is Foo":                             "'boolean",
		"asserts x is Foo":                     "'void",
		"'lit' | 1 | -2 | `t`":                 "(| 'string 'number 'number 'string)",
		"import('./m').A.B<C>":                 "./m:A.B<C>",
		"any":                                  "?",
		"":                                     "?",
		"Map<string, () => A>":                 "Map<'string (fn {} A)>",
	} {
		if got := show(parseType(text)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestSignatures(t *testing.T) {
	for sig, want := range map[string]struct{ types, params []string }{
		"function f<T, U extends A<B>>(a: T, b?: U, c = 1, ...d: X[]): void": {[]string{"T", "U:A<B>"}, []string{"a:T", "b:U?", "c:?", "d:X[]..."}},
		"class C<T = any> extends D<E> implements F<G>":                      {[]string{"T"}, nil},
		"class C extends D<E>":                         {nil, nil},
		"type A<T> = B<T>":                             {[]string{"T"}, nil},
		"type A = B<T>":                                {nil, nil},
		"const f = <T>(x: T): T":                       {[]string{"T"}, []string{"x:T"}},
		"const x: Foo<Bar>":                            {nil, nil},
		"constructor(private readonly a: A, { b }: C)": {nil, []string{"a:A", ":C"}},
		"method(this: A, cb: (x: B) => C): D<E>":       {nil, []string{"cb:(x: B) => C"}},
	} {
		var types, params []string
		for _, p := range signatureTypeParams(sig) {
			types = append(types, strings.TrimSuffix(p.name+":"+p.bound, ":"))
		}
		for _, p := range signatureParams(sig) {
			s := p.name + ":" + p.text
			if p.optional {
				s += "?"
			}
			if p.rest {
				s += "..."
			}
			params = append(params, s)
		}
		if !slices.Equal(types, want.types) || !slices.Equal(params, want.params) {
			t.Errorf("%q: types %q params %q, want %q %q", sig, types, params, want.types, want.params)
		}
	}
}

func TestMatchPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, spec, star string
		ok                  bool
	}{
		{"@app/*", "@app/a/b", "a/b", true}, {"lib", "lib", "", true}, {"lib", "lib/x", "", false},
		{"*.css", "a.css", "a", true}, {"a*a", "a", "", false},
	} {
		if star, ok := matchPattern(c.pattern, c.spec); star != c.star || ok != c.ok {
			t.Errorf("%q against %q: %q %v", c.pattern, c.spec, star, ok)
		}
	}
}

// FuzzExpressions reads any text as a type, a signature and an expression: it must
// come to an end and find nothing in an empty tree.
func FuzzExpressions(f *testing.F) {
	for _, s := range []string{"a.b()[0]#0#1~", "<A<B>>.c", "[x()]", "(a||b).c", "`t`.x", "a?.b!.c", "((((", "[", "<", "#this", "a#9#this.b", "x = () => {", "'"} {
		f.Add(s)
	}
	facts := &graph.Facts{Path: "a.ts", Language: "typescript"}
	v := graphtest.NewView(facts)
	f.Fuzz(func(t *testing.T, s string) {
		parseType(s)
		signatureParams(s)
		signatureTypeParams(s)
		baseArgs(s, "a")
		splitSpecifier(s)
		b := binder{v: v}
		got := b.expression(scope{facts, 1, graph.NoDef}, s, graph.Hint{})
		if got.kind == valDef {
			t.Errorf("%q denotes a definition of an empty tree", s)
		}
		b.objects(closure{t: parseType(s), at: scope{facts, 1, graph.NoDef}})
	})
}
