package blob_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

func TestRoundTrip(t *testing.T) {
	for seed := range uint64(400) {
		f := randomFacts(rand.New(rand.NewPCG(seed, 1)))
		b := blob.Encode(f)
		got, err := blob.Decode(b)
		if err != nil {
			t.Fatalf("seed %d: Decode: %v", seed, err)
		}
		if d := cmp.Diff(f, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("seed %d: facts changed (-want +got):\n%s", seed, d)
		}
		if again := blob.Encode(got); !slices.Equal(b, again) {
			t.Fatalf("seed %d: encoding the decoded facts gives other bytes", seed)
		}
	}
}

func TestDecodedStringsDoNotAliasInput(t *testing.T) {
	f := randomFacts(rand.New(rand.NewPCG(7, 1)))
	b := blob.Encode(f)
	got, err := blob.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	clear(b)
	if d := cmp.Diff(f, got, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("facts changed with the input (-want +got):\n%s", d)
	}
}

// TestRoundTripDense has many elements that take as few bytes as they can, and
// nothing after them: no count may be refused for being too large.
func TestRoundTripDense(t *testing.T) {
	at := func(i int) graph.Span {
		u := uint32(i)
		return graph.Span{Start: u, End: u, From: graph.Pos{Line: 1, Col: u + 1}, To: graph.Pos{Line: 1, Col: u + 1}}
	}
	for name, add := range map[string]func(*graph.Facts, int){
		"defs": func(f *graph.Facts, i int) { f.Defs = append(f.Defs, graph.Def{Container: graph.NoDef}) },
		"refs": func(f *graph.Facts, i int) { f.Refs = append(f.Refs, graph.Ref{Enclosing: graph.NoDef, Span: at(i)}) },
		"shapes": func(f *graph.Facts, i int) {
			f.Refs = append(f.Refs, graph.Ref{Args: int16(i), Enclosing: graph.NoDef, Span: at(i)})
		},
		"imports": func(f *graph.Facts, i int) { f.Imports = append(f.Imports, graph.Import{Enclosing: graph.NoDef}) },
		"heritage": func(f *graph.Facts, i int) {
			f.Heritage = append(f.Heritage, graph.Heritage{Def: graph.NoDef, Rel: graph.RelEmbeds})
		},
		"mentions": func(f *graph.Facts, i int) {
			f.Mentions = append(f.Mentions, graph.Mention{Enclosing: graph.NoDef, Form: graph.MentionCode})
		},
		"calls of values": func(f *graph.Facts, i int) {
			f.ValueCalls = append(f.ValueCalls, graph.ValueCalls{Enclosing: graph.NoDef, Count: uint32(i + 1)})
		},
		"manifest": func(f *graph.Facts, i int) { f.Manifest = append(f.Manifest, graph.Pair{}) },
	} {
		f := new(graph.Facts)
		for i := range 1000 {
			add(f, i)
		}
		got, err := blob.Decode(blob.Encode(f))
		if err != nil {
			t.Errorf("%s: Decode: %v", name, err)
		} else if d := cmp.Diff(f, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s changed (-want +got):\n%s", name, d)
		}
	}
}

// TestParts compares outlines and selections of references with the whole.
func TestParts(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		want := randomFacts(r)
		f, err := blob.Open(blob.Encode(want))
		if err != nil {
			t.Fatalf("seed %d: Open: %v", seed, err)
		}
		outline := *want
		outline.Refs = selected(want, func(ref graph.Ref) bool { return ref.Outlined() })
		if d := cmp.Diff(&outline, f.Outline(), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(graph.Facts{}, "Names")); d != "" {
			t.Fatalf("seed %d: outline (-want +got):\n%s", seed, d)
		}
		name, def := fmt.Sprintf("w%d", r.IntN(60)), int32(r.IntN(len(want.Defs)+1)-1)
		like := func(ref *graph.Ref) bool { return ref.Name == name || ref.Use.Calls() && ref.Qualifier == "" }
		in := func(at int32) bool { return at == def }
		for what, sel := range map[string]graph.Selection{"all": {}, "like": {Like: like}, "in": {In: in}, "both": {Like: like, In: in}} {
			got, err := f.Refs(sel)
			if err != nil {
				t.Fatalf("seed %d: %s: Refs: %v", seed, what, err)
			}
			refs := selected(want, func(ref graph.Ref) bool {
				return (sel.Like == nil || like(&ref)) && (sel.In == nil || in(ref.Enclosing))
			})
			if d := cmp.Diff(refs, got, cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("seed %d: %s (-want +got):\n%s", seed, what, d)
			}
		}
	}
}

// TestRefsIn asks a file with many references for those of one definition after another.
func TestRefsIn(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 6))
		want := randomFacts(r)
		for len(want.Refs) < 2000 {
			more := randomFacts(r)
			for i := range more.Refs {
				more.Refs[i].Enclosing = int32(r.IntN(len(want.Defs)+1) - 1)
			}
			want.Refs = append(want.Refs, more.Refs...)
		}
		f, err := blob.Open(blob.Encode(want))
		if err != nil {
			t.Fatalf("seed %d: Open: %v", seed, err)
		}
		for def := graph.NoDef; int(def) < len(want.Defs); def++ {
			got, err := f.Refs(graph.Selection{In: func(at int32) bool { return at == def }})
			if err != nil {
				t.Fatalf("seed %d: Refs: %v", seed, err)
			}
			refs := selected(want, func(ref graph.Ref) bool { return ref.Enclosing == def })
			if d := cmp.Diff(refs, got, cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("seed %d: definition %d (-want +got):\n%s", seed, def, d)
			}
		}
	}
}

func selected(f *graph.Facts, keep func(graph.Ref) bool) (out []graph.Ref) {
	for _, r := range f.Refs {
		if keep(r) {
			out = append(out, r)
		}
	}
	return out
}

func TestNames(t *testing.T) {
	for seed := range uint64(100) {
		f := randomFacts(rand.New(rand.NewPCG(seed, 2)))
		wantDefs := hashes(f.DefNames)
		wantRefs := hashes(f.RefNames)
		defs, refs, err := blob.Names(blob.Encode(f))
		if err != nil {
			t.Fatalf("seed %d: Names: %v", seed, err)
		}
		if !slices.Equal(defs, wantDefs) {
			t.Errorf("seed %d: defs = %v, want %v", seed, defs, wantDefs)
		}
		if !slices.Equal(refs, wantRefs) {
			t.Errorf("seed %d: refs = %v, want %v", seed, refs, wantRefs)
		}
	}
}

func hashes(names func(func(string))) []uint32 {
	var out []uint32
	names(func(s string) {
		if s != "" {
			out = append(out, blob.HashName(s))
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

func TestDecodeRefuses(t *testing.T) {
	good := blob.Encode(randomFacts(rand.New(rand.NewPCG(3, 3))))
	newer := slices.Clone(good)
	newer[0]++
	outside := &graph.Facts{Path: "a", Refs: []graph.Ref{{Name: "x", Enclosing: 0}}}
	for _, tt := range []struct {
		name string
		b    []byte
		want error
	}{
		{"empty", nil, blob.ErrCorrupt},
		{"one byte", good[:1], blob.ErrCorrupt},
		{"newer version", newer, blob.ErrFormat},
		{"cut short", good[:len(good)-1], blob.ErrCorrupt},
		{"bytes after the end", append(slices.Clone(good), 0), blob.ErrCorrupt},
		{"enclosing outside the definitions", blob.Encode(outside), blob.ErrCorrupt},
		{"count beyond the end", binary.AppendUvarint(slices.Clone(good[:2]), 1<<40), blob.ErrCorrupt},
	} {
		if _, err := blob.Decode(tt.b); !errors.Is(err, tt.want) {
			t.Errorf("%s: Decode error = %v, want %v", tt.name, err, tt.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(blob.Encode(randomFacts(rand.New(rand.NewPCG(seed, 1)))))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defs, refs, namesErr := blob.Names(b)
		got, err := blob.Decode(b)
		if err != nil {
			return
		}
		if namesErr != nil {
			t.Fatalf("Decode takes what Names refuses: %v", namesErr)
		}
		if len(defs)+len(refs) > 2*len(b) {
			t.Fatalf("%d names from %d bytes", len(defs)+len(refs), len(b))
		}
		again, err := blob.Decode(blob.Encode(got))
		if err != nil {
			t.Fatalf("Decode of Encode: %v", err)
		}
		if d := cmp.Diff(got, again, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("facts changed (-first +second):\n%s", d)
		}
	})
}

// randomFacts makes facts of every shape: most spans are as an extractor writes
// them, some are not.
func randomFacts(r *rand.Rand) *graph.Facts {
	words := make([]string, 1+r.IntN(40))
	for i := range words {
		words[i] = fmt.Sprintf("w%d", r.IntN(60))
	}
	word := func() string {
		if r.IntN(4) == 0 {
			return ""
		}
		return words[r.IntN(len(words))]
	}
	g := generator{r: r, word: word}
	f := &graph.Facts{
		Path: graph.Path(word() + "/x.go"), Language: word(), Extractor: "go/1", Reason: word(),
		Status: pick(r, graph.StatusOK, graph.StatusPartial, graph.StatusCapped, graph.StatusFailed, "", "novel"),
		Role:   pick(r, graph.RoleSource, graph.RoleTest, "", "other"), Package: word(), Constraint: word(),
		Lines: r.Uint32N(5000), Exports: r.Uint64(),
	}
	for i := range f.Hash {
		f.Hash[i] = byte(r.Uint32())
	}
	for i := range r.IntN(30) {
		d := g.def(i)
		if d.Container != graph.NoDef && r.IntN(2) == 0 {
			d.Local = f.Defs[d.Container].Local + "." + d.Name
		}
		f.Defs = append(f.Defs, d)
	}
	g.at, g.pos = 0, graph.Pos{Line: 1, Col: 1}
	for range r.IntN(200) {
		f.Refs = append(f.Refs, g.ref(len(f.Defs)))
	}
	for range r.IntN(5) {
		f.Imports = append(f.Imports, graph.Import{
			Module: pick(r, "net/http", "a.b.c", "./x", word()), Name: pick(r, "*", word()), Alias: pick(r, "_", ".", word()),
			Span: g.span(word()), Enclosing: g.index(len(f.Defs)), Flags: graph.ImportFlags(r.IntN(256)),
		})
		if len(f.Defs) > 0 {
			f.Heritage = append(f.Heritage, graph.Heritage{
				Def: int32(r.IntN(len(f.Defs))), Rel: pick(r, graph.RelEmbeds, graph.RelExtends, "else"),
				Name: word(), Qualifier: word(), Span: g.span(word()),
			})
		}
		f.Mentions = append(f.Mentions, graph.Mention{
			Form: pick(r, graph.MentionLink, graph.MentionCode, "odd"), Target: pick(r, "../a.md", word()), Fragment: word(),
			Name: word(), Qualifier: word(), Span: g.span(word()), Enclosing: g.index(len(f.Defs)),
		})
		f.Manifest = append(f.Manifest, graph.Pair{Key: word(), Value: word()})
		f.ValueCalls = append(f.ValueCalls, graph.ValueCalls{Enclosing: g.index(len(f.Defs)), Count: pick(r, 1, r.Uint32())})
	}
	return f
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

type generator struct {
	r    *rand.Rand
	word func() string
	at   uint32
	pos  graph.Pos
}

// span walks on through the text and returns the span of a token.
func (g *generator) span(token string) graph.Span {
	if g.r.IntN(12) == 0 {
		u := g.r.Uint32
		return graph.Span{Start: u(), End: u(), From: graph.Pos{Line: u(), Col: u()}, To: graph.Pos{Line: u(), Col: u()}}
	}
	if g.r.IntN(3) == 0 {
		lines := 1 + g.r.Uint32N(3)
		g.at += lines + g.r.Uint32N(30)
		g.pos = graph.Pos{Line: g.pos.Line + lines, Col: 1}
	}
	gap := g.r.Uint32N(40)
	g.at += gap
	g.pos.Col += gap
	s := graph.Span{Start: g.at, From: g.pos}
	g.at += uint32(len(token))
	g.pos.Col += uint32(len(token))
	s.End, s.To = g.at, g.pos
	return s
}

func (g *generator) index(defs int) int32 { return int32(g.r.IntN(defs+1)) - 1 }

func (g *generator) def(i int) graph.Def {
	name, owner := g.word(), g.word()
	local := pick(g.r, name, "T."+name, owner+"."+name, "(*"+owner+")."+name, strings.Repeat("long", 70)+name)
	d := graph.Def{
		Name: name, Local: local, Kind: pick(g.r, graph.KindFunction, graph.KindClass, "gadget"),
		Span: g.span("func body"), Container: g.index(i), Owner: owner,
		Signature: pick(g.r, g.word(), "func "+name+"(x int)", name+" = 1", strings.Repeat(name, 90)), Doc: g.word(), Type: g.word(),
		Flags: graph.DefFlags(g.r.IntN(1 << 16)),
	}
	d.NameSpan = g.span(name)
	if g.r.IntN(2) == 0 {
		at := g.r.Uint32N(10)
		from := graph.Pos{Line: d.Span.From.Line, Col: d.Span.From.Col + at}
		n := uint32(len(name))
		d.NameSpan = graph.Span{
			Start: d.Span.Start + at, End: d.Span.Start + at + n, From: from, To: graph.Pos{Line: from.Line, Col: from.Col + n},
		}
	}
	return d
}

func (g *generator) ref(defs int) graph.Ref {
	name := g.word()
	ref := graph.Ref{
		Name: name, Qualifier: g.word(), Use: graph.Use(g.r.IntN(8)), Span: g.span(name), Enclosing: g.index(defs),
		Args: int16(g.r.IntN(5) - 1),
	}
	if g.r.IntN(3) == 0 {
		ref.Hint = graph.Hint{Rule: graph.HintRule(g.r.IntN(9)), Type: g.word()}
	}
	if g.r.IntN(50) == 0 {
		ref.Args = int16(g.r.Uint32())
	}
	return ref
}
