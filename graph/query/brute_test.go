package query

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// randomTree writes a few toy files whose definitions call, import and extend
// each other at random.
func randomTree(rnd *rand.Rand) []string {
	pick := func(of ...string) string { return of[rnd.IntN(len(of))] }
	name := func() string { return fmt.Sprintf("f%d", rnd.IntN(7)) }
	dirs := []string{"a", "b", "tests/test_t", "gen/zz"}
	var out []string
	for n := range 2 + rnd.IntN(3) {
		var b strings.Builder
		path := dirs[n%len(dirs)] + ".toy"
		for range rnd.IntN(3) {
			m := pick("a", "b", "gone")
			fmt.Fprintf(&b, "import %s %s%s\n", m, pick("*", name()), pick("", " as g"+fmt.Sprint(rnd.IntN(3))))
		}
		used := func(indent string) {
			for range rnd.IntN(4) {
				fmt.Fprintf(&b, "%s%s %s\n", indent, pick("call", "call", "read", "type", "dynamic", "fixture", "mention"),
					pick(name(), name(), "C.m", "I.m", "self.m", "unknown.m", "g0", "g1", "C", "ext"))
			}
		}
		used("")
		for k := range 1 + rnd.IntN(4) {
			switch rnd.IntN(4) {
			case 0:
				fmt.Fprintf(&b, "class C%s\n", pick("", " : C", " : f1", " : I"))
				used("  ")
				fmt.Fprintf(&b, "  method m\n")
				used("    ")
				fmt.Fprintf(&b, "  method %s\n", pick("__init__", "n"))
				used("    ")
			case 1:
				b.WriteString("iface I\n  method m\n")
			default:
				fmt.Fprintf(&b, "func %s%s%s\n", name(), pick("", " overload", " local"), pick("", " test", " fixture"))
				used("  ")
				if k == 0 {
					fmt.Fprintf(&b, "  func inner local\n")
					used("    ")
				}
			}
		}
		out = append(out, path, b.String())
	}
	return out
}

// plain is an edge as the brute force sees it.
type plain struct {
	src, dst graph.Symbol
	rel      rel
}

// brute makes every edge of a view by going through every file once. It shares with
// the planner the rules for where an edge starts and which definition stands for
// another, not the way in which edges are found.
func brute(v *toyView) map[plain]float32 {
	out := make(map[plain]float32)
	var res toyResolver
	add := func(p plain, conf float32) { out[p] = max(out[p], conf) }
	facts := func(id graph.FileID) *graph.Facts { f, _ := v.Facts(id); return f }
	bind := func(f *graph.Facts, src graph.Symbol, rl rel, b graph.Binding) {
		sums := map[graph.Symbol]float32{}
		for _, c := range b.Targets {
			s := c.Symbol
			if s.Def != graph.NoDef {
				s.Def = canonical(facts(s.File), s.Def)
			}
			sums[s] += c.Confidence
		}
		for s, conf := range sums {
			add(plain{src, s, rl}, conf)
			if rl == relCalls && isTestDef(f, src.Def) && s.Def != graph.NoDef && !isTest(facts(s.File), s.Def) {
				add(plain{src, s, relTests}, conf)
			}
		}
	}
	for _, id := range v.Files() {
		f := facts(id)
		at := func(def int32) graph.Symbol { return graph.Symbol{File: id, Def: ownerOf(f, def)} }
		for i := range f.Defs {
			s := graph.Symbol{File: id, Def: int32(i)}
			if canonical(f, s.Def) != s.Def {
				continue
			}
			if !f.Defs[i].Has(graph.FlagLocal) {
				add(plain{fileOf(s), s, relDefines}, 1)
			}
			if c := f.Defs[i].Container; c != graph.NoDef {
				add(plain{graph.Symbol{File: id, Def: canonical(f, c)}, s, relContains}, 1)
			}
		}
		for i := range f.Refs {
			rl := relReferences
			if f.Refs[i].Use.Calls() {
				rl = relCalls
			}
			bind(f, at(f.Refs[i].Enclosing), rl, res.Ref(v, f, id, i))
		}
		for i := range f.Imports {
			b := res.Import(v, f, id, i)
			bind(f, at(f.Imports[i].Enclosing), relImports, b)
			for _, c := range b.Targets {
				if c.Symbol.File != id {
					add(plain{at(f.Imports[i].Enclosing), fileOf(c.Symbol), relImports}, c.Confidence)
				}
			}
		}
		for i := range f.Heritage {
			bind(f, graph.Symbol{File: id, Def: f.Heritage[i].Def}, relInherits, res.Base(v, f, id, i))
		}
		for i := range f.Mentions {
			bind(f, at(f.Mentions[i].Enclosing), relMentions, res.Mention(v, f, id, i))
		}
	}
	return out
}

func symbolsOf(v *toyView) (out []graph.Symbol) {
	for _, id := range v.Files() {
		out = append(out, graph.Symbol{File: id, Def: graph.NoDef})
		f, _ := v.Facts(id)
		for i := range f.Defs {
			if canonical(f, int32(i)) == int32(i) {
				out = append(out, graph.Symbol{File: id, Def: int32(i)})
			}
		}
	}
	return out
}

func collapse(es []edge) map[plain]float32 {
	out := make(map[plain]float32)
	for _, e := range es {
		p := plain{e.src, e.dst, e.rel}
		out[p] = max(out[p], e.conf)
	}
	return out
}

func eachTree(t *testing.T, n int, check func(t *testing.T, v *toyView, all map[plain]float32, rnd *rand.Rand)) {
	for seed := range n {
		rnd := rand.New(rand.NewPCG(uint64(seed), 7))
		tree := randomTree(rnd)
		v := newToyView(tree...)
		check(t, v, brute(v), rnd)
		if t.Failed() {
			t.Fatalf("seed %d, tree:\n%s", seed, strings.Join(tree, "\n"))
		}
	}
}

// TestEdgesEqualBruteForce holds the edges at each symbol, on either side, against
// those of the whole graph.
func TestEdgesEqualBruteForce(t *testing.T) {
	eachTree(t, 400, func(t *testing.T, v *toyView, all map[plain]float32, _ *rand.Rand) {
		p := newToyPlanner()
		for _, s := range symbolsOf(v) {
			outs, ins := map[plain]float32{}, map[plain]float32{}
			for e, c := range all {
				if e.src == s {
					outs[e] = c
				}
				if e.dst == s {
					ins[e] = c
				}
			}
			r := p.reader(t.Context(), v)
			if got := collapse(r.out(s)); !maps.Equal(got, outs) {
				t.Errorf("out(%s) = %v, want %v", p.Label(v, s), got, outs)
			}
			if got := collapse(r.bound(s)); !maps.Equal(got, ins) {
				t.Errorf("bound(%s) = %v, want %v", p.Label(v, s), got, ins)
			}
			// What in adds is derived: calls of the class or of an interface.
			for e := range collapse(r.in(s)) {
				if _, ok := ins[e]; !ok && e.rel != relCalls && e.rel != relTests {
					t.Errorf("in(%s) made %v", p.Label(v, s), e)
				}
			}
		}
	})
}

// TestNeighborsEqualBruteForce compares the set of nodes within a distance.
func TestNeighborsEqualBruteForce(t *testing.T) {
	eachTree(t, 200, func(t *testing.T, v *toyView, all map[plain]float32, rnd *rand.Rand) {
		p := newToyPlanner()
		syms := symbolsOf(v)
		start := syms[rnd.IntN(len(syms))]
		depth := 1 + rnd.IntN(3)
		want := distances(all, start, allRels, depth)
		delete(want, start)
		id := symbolID(v, start)
		a, err := p.Run(t.Context(), v, Request{Type: Neighbors, Target: id, Direction: Out, Depth: depth, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, n := range a.Nodes {
			got[n.ID] = n.Distance
		}
		wantIDs := map[string]int{}
		for s, d := range want {
			wantIDs[symbolID(v, s)] = d
		}
		if !maps.Equal(got, wantIDs) {
			t.Errorf("neighbors(%s, %d) = %v, want %v", p.Label(v, start), depth, got, wantIDs)
		}
		for _, e := range a.Edges {
			if _, ok := got[e.Source]; !ok && e.Source != id {
				t.Errorf("edge from %s, which is not listed", e.Source)
			}
		}
	})
}

func symbolID(v *toyView, s graph.Symbol) string {
	f, _ := v.Facts(s.File)
	if s.Def == graph.NoDef {
		return graph.FileSymbolID(f.Path)
	}
	return graph.SymbolID(f, s.Def)
}

func distances(all map[plain]float32, start graph.Symbol, rels relSet, depth int) map[graph.Symbol]int {
	dist := map[graph.Symbol]int{start: 0}
	for d := 0; d < depth; d++ {
		for e := range all {
			if at, ok := dist[e.src]; ok && at == d && rels.has(e.rel) {
				if _, seen := dist[e.dst]; !seen {
					dist[e.dst] = d + 1
				}
			}
		}
	}
	return dist
}

// TestPathEqualsBruteForce compares the lengths of the listed paths with those of
// all simple paths.
func TestPathEqualsBruteForce(t *testing.T) {
	found := 0
	eachTree(t, 800, func(t *testing.T, v *toyView, all map[plain]float32, rnd *rand.Rand) {
		p := newToyPlanner()
		syms := symbolsOf(v)
		from, to := syms[rnd.IntN(len(syms))], syms[rnd.IntN(len(syms))]
		if from == to {
			return
		}
		depth := 1 + rnd.IntN(6)
		lengths := simplePaths(all, from, to, depth)
		if len(lengths) > 0 {
			lengths = slices.DeleteFunc(lengths, func(n int) bool { return n > lengths[0]+longerBy })
			found++
		}
		a, err := p.Run(t.Context(), v, Request{Type: Path, Target: symbolID(v, from), TargetB: symbolID(v, to), Depth: depth, MaxPaths: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		seen := map[string]bool{}
		for _, ids := range a.Paths {
			got = append(got, len(ids)-1)
			key := strings.Join(ids, " ")
			if seen[key] || ids[0] != symbolID(v, from) || ids[len(ids)-1] != symbolID(v, to) {
				t.Errorf("path %s is listed twice, or leads elsewhere", key)
			}
			seen[key] = true
			for i := range ids[1:] {
				if !slices.ContainsFunc(a.Edges, func(e Edge) bool { return e.Source == ids[i] && e.Target == ids[i+1] }) {
					t.Errorf("path %s has a step without an edge", key)
				}
			}
		}
		if len(lengths) == 0 && len(got) > 0 { // through what is only possible, which the edges say
			if !slices.ContainsFunc(a.Edges, func(e Edge) bool { return e.Provenance != graph.Extracted && e.Relation == graph.CallsSyntax }) {
				t.Errorf("path(%s, %s, %d) has %d paths without a possible call", p.Label(v, from), p.Label(v, to), depth, len(got))
			}
			return
		}
		want := slices.Clone(lengths[:min(len(lengths), 10)])
		if len(want) == 10 && got[0] > want[9] {
			want[9] = got[0] // calls come first
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("path(%s, %s, %d) has lengths %v, want %v", p.Label(v, from), p.Label(v, to), depth, got, want)
		}
		if none := len(lengths) == 0; none != slices.Contains(a.MissingData, MissingPath) {
			t.Errorf("missing_data = %v, with %d paths", a.MissingData, len(lengths))
		}
	})
	if found < 50 {
		t.Errorf("only %d trees had a path: the test says little", found)
	}
}

func simplePaths(all map[plain]float32, from, to graph.Symbol, depth int) (lengths []int) {
	next := map[graph.Symbol]map[graph.Symbol]bool{}
	for e := range all {
		if next[e.src] == nil {
			next[e.src] = map[graph.Symbol]bool{}
		}
		next[e.src][e.dst] = true
	}
	on := map[graph.Symbol]bool{from: true}
	var walk func(at graph.Symbol, n int)
	walk = func(at graph.Symbol, n int) {
		if at == to {
			lengths = append(lengths, n)
			return
		}
		if n == depth {
			return
		}
		for s := range next[at] {
			if !on[s] {
				on[s] = true
				walk(s, n+1)
				delete(on, s)
			}
		}
	}
	walk(from, 0)
	slices.Sort(lengths)
	return lengths
}

// TestHubsEqualBruteForce compares scores, and a table that was patched with one
// that was made at once.
func TestHubsEqualBruteForce(t *testing.T) {
	eachTree(t, 200, func(t *testing.T, v *toyView, all map[plain]float32, _ *rand.Rand) {
		p := newToyPlanner()
		table, err := p.BuildHubs(t.Context(), v, nil)
		if err != nil {
			t.Fatal(err)
		}
		type pair struct{ src, dst graph.Symbol }
		best := map[pair]float32{}
		type user struct {
			file graph.FileID
			dst  graph.Symbol
		}
		users := map[user]bool{} // files that call or build on something
		for e := range all {
			if (e.rel == relCalls || e.rel == relInherits) && e.src != e.dst {
				users[user{e.src.File, e.dst}] = true
			}
		}
		runs := map[pair]bool{}
		for e := range all {
			runs[pair{e.src, e.dst}] = runs[pair{e.src, e.dst}] || e.rel == relCalls || e.rel == relInherits
		}
		for e, c := range all {
			if e.rel == relImports && users[user{e.src.File, e.dst}] && !runs[pair{e.src, e.dst}] {
				continue
			}
			if (e.rel == relCalls || e.rel == relImports || e.rel == relInherits) && e.dst.Def != graph.NoDef && e.src != e.dst {
				k := pair{e.src, e.dst}
				best[k] = max(best[k], c)
			}
		}
		want := map[string]float64{}
		for k, c := range best {
			want[p.Label(v, k.dst)] += float64(uint8(c*hubUnit+0.5)) / hubUnit
		}
		a, err := p.RunWith(t.Context(), v, table, Request{Type: Hubs, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		last := 1e9
		for _, n := range a.Nodes {
			got[n.Label] += n.Score
			if n.Score > last {
				t.Errorf("%s stands after a lower score", n.Label)
			}
			last = n.Score
		}
		for l, s := range want {
			if d := got[l] - s; d > 0.2 || d < -0.2 {
				t.Errorf("score of %s = %g, want %g", l, got[l], s)
			}
		}
		if len(got) > len(want) {
			t.Errorf("hubs %v, want %v", got, want)
		}
	})
}
