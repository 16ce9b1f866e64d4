package accuracy

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Count is how many answers there were and how many were right, and how much of the
// truth they found. The two differ where one truth has several right answers.
type Count struct{ Right, Answered, Found, Known int }

// Precision is the share of answers that are right; 1 without answers.
func (c Count) Precision() float64 { return min(1, share(c.Right, c.Answered)) }

// Recall is the share of the truth that was found; 1 without truth.
func (c Count) Recall() float64 { return share(c.Found, c.Known) }

// F1 is the harmonic mean of the two.
func (c Count) F1() float64 {
	p, r := c.Precision(), c.Recall()
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Miss is a kind of what is wrong, with how often it is and one example.
type Miss struct {
	Kind    string
	Count   int
	Example string
}

// Scores is what an export is worth.
type Scores struct {
	Defs, Calls, Imports, Inherits Count
	PlainDefs, PlainCalls          Count // of the parts of a truth that are beyond dispute: see plain.go
	SpanRight, SpanJudged          int   // last lines of definitions that were found
	Sites                          int   // call sites in the tree that the export does not list
	NamedSites, MacroSites         int   // of them those where the name stands; and in arguments of a macro
	Abstained                      int   // listed, without an answer
	Leaving, LeavingAnswered       int   // calls that lead out of the tree; answered inside it
	Edges                          int   // calls with an answer
	Tiers                          []Tier
	Misses                         []Miss // the most frequent first
}

// site is the place of a name that is called.
type site struct {
	file      string
	line, col int
}

// Score compares an export with the truth. calls, where not nil, are the truth's calls
// in place of those among truth. text returns a file of the tree, or "" where there is
// none; nil means that nobody has the tree.
func Score(truth, calls, export []Record, text func(file string) string) *Scores {
	s := &scorer{Scores: &Scores{}, files: map[string]bool{}, misses: map[string]*Miss{}, text: text}
	if calls == nil {
		calls = truth
	}
	for i := range truth {
		if r := &truth[i]; r.K == "def" || r.K == "import" || r.K == "call" {
			s.files[r.File] = true
		}
	}
	s.defs(truth, export)
	s.calls(truth, calls, export)
	s.tiers(calls, export)
	s.imports(truth, export)
	s.inherits(truth, export)
	s.Misses = slices.SortedFunc(values(s.misses), func(a, b Miss) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
	return s.Scores
}

func values(m map[string]*Miss) func(func(Miss) bool) {
	return func(yield func(Miss) bool) {
		for _, v := range m {
			if !yield(*v) {
				return
			}
		}
	}
}

type scorer struct {
	*Scores
	files  map[string]bool // that the truth judges
	misses map[string]*Miss
	text   func(file string) string
}

func (s *scorer) miss(kind, example string) {
	m := s.misses[kind]
	if m == nil {
		m = &Miss{Kind: kind, Example: example}
		s.misses[kind] = m
	}
	m.Count++
	m.Example = min(m.Example, example) // the same whatever order they come in
}

// defs judges definitions by file, name and line of the name. Those that the truth
// calls local are optional.
func (s *scorer) defs(truth, export []Record) {
	type key struct {
		file, name string
		line       int
	}
	known, found := map[key]*Record{}, map[key]bool{}
	for i := range truth {
		if r := &truth[i]; r.K == "def" {
			known[key{r.File, r.Name, r.Line}] = r
		}
	}
	for i := range export {
		r := &export[i]
		k := key{r.File, r.Name, r.Line}
		if r.K != "def" || !s.files[r.File] || found[k] {
			continue
		}
		found[k] = true
		s.Defs.Answered++
		want := known[k]
		plain := !disputed(r) && (want == nil || !disputed(want))
		s.PlainDefs.Answered += one(plain)
		if want == nil {
			s.miss("definition too many: "+r.Kind, at(r)+" "+r.Name)
			continue
		}
		s.Defs.Right++
		s.PlainDefs.Right += one(plain)
		if want.End > 0 && r.End > 0 {
			s.SpanJudged++
			if want.End == r.End {
				s.SpanRight++
			}
		}
	}
	for k, r := range known {
		if r.Local {
			continue
		}
		s.Defs.Known++
		s.PlainDefs.Known += one(!disputed(r))
		if found[k] {
			s.Defs.Found++
			s.PlainDefs.Found += one(!disputed(r))
		} else {
			s.miss("definition missing: "+r.Kind, at(r)+" "+r.Name)
		}
	}
}

func at(r *Record) string { return fmt.Sprintf("%s:%d:%d", r.File, r.Line, max(r.Col, 1)) }

// truthSite is what the truth says of one call.
type truthSite struct {
	rec     *Record
	targets map[Place]bool // in the tree
	unknown bool           // the truth cannot tell
	leaves  bool
}

// sites reads the calls of the truth. A class and what makes its objects are one.
func sites(calls []Record) map[site]*truthSite {
	out := map[site]*truthSite{}
	for i := range calls {
		r := &calls[i]
		if r.K != "call" || r.Line == 0 {
			continue
		}
		k := site{r.File, r.Line, r.Col}
		t := out[k]
		if t == nil {
			t = &truthSite{rec: r, targets: map[Place]bool{}}
			out[k] = t
		}
		value := r.Dispatch == "value" && r.Form != "new" && r.Form != "new-anon"
		switch {
		case r.unknown() || value:
			t.unknown = true
		case r.Ext || r.CalleeFile == "":
			t.leaves = true
		default:
			r.addTargets(t.targets)
		}
	}
	return out
}

// answers are the places that an export gives for each call that it lists.
type answers map[site]map[Place]*Record

// calls judges calls by the place of the name that is called. A site without an answer
// costs recall and no precision; one that leaves the tree must have none; what the truth
// cannot tell is not judged.
func (s *scorer) calls(all, calls, export []Record) {
	truth, given := sites(calls), answers{}
	for i := range export {
		r := &export[i]
		if r.K != "call" || !s.files[r.File] {
			continue
		}
		k := site{r.File, r.Line, r.Col}
		if given[k] == nil {
			given[k] = map[Place]*Record{}
		}
		if r.CalleeFile != "" && !r.Ext {
			given[k][Place{r.CalleeFile, r.CalleeLine}] = r
		}
	}
	plain := s.plainSites(all)
	for k, t := range truth {
		known := len(t.targets) > 0
		c := Count{Known: one(known)}
		for p := range given[k] {
			if t.targets[p] {
				c.Found = 1
				c.Answered-- // a class and its constructor are one answer
			} else if !t.unknown {
				s.wrong(t, p)
			}
		}
		c.Right = c.Found
		c.Answered += c.Found
		if (known || t.leaves) && !t.unknown {
			c.Answered += len(given[k])
		}
		s.Calls.add(c)
		if plain(k, t) {
			s.PlainCalls.add(c)
		}
		if known && c.Found == 0 {
			s.unanswered(k, t, given)
		}
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// wrong notes an answer that is not right.
func (s *scorer) wrong(t *truthSite, p Place) {
	switch {
	case len(t.targets) > 0:
		s.miss("call answered with another definition: "+form(t.rec), at(t.rec)+" "+t.rec.Name+" -> "+p.String())
	case t.leaves:
		s.miss("call that leaves the tree answered inside it: "+form(t.rec), at(t.rec)+" "+t.rec.Name+" -> "+p.String())
	}
}

// unanswered notes a call of which no answer is right.
func (s *scorer) unanswered(k site, t *truthSite, given answers) {
	list, listed := given[k]
	switch {
	case !listed:
		s.Sites++
		kind := "call not listed: "
		if s.text != nil && s.named(k, t) {
			s.NamedSites++
			if inMacro(s.text(k.file), k) {
				s.MacroSites++
				kind = "call not listed, in arguments of a macro: "
			}
		}
		s.miss(kind+form(t.rec), at(t.rec)+" "+t.rec.Name)
	case len(list) == 0:
		s.Abstained++
		s.miss("call without an answer: "+form(t.rec), at(t.rec)+" "+t.rec.Name)
	}
}

// form says what kind of call it is, in the words of the truth.
func form(r *Record) string {
	words := strings.TrimSpace(r.Form + " " + r.Dispatch)
	if words == "" {
		return "call"
	}
	return words
}

// imports judges imports by file and target: a directory is right for each of its files.
func (s *scorer) imports(truth, export []Record) {
	type edge struct{ from, to string }
	target := func(r *Record) string { return cmp.Or(r.TargetFile, r.TargetDir) }
	known, given := map[edge]*Record{}, map[edge]bool{}
	for i := range truth {
		if r := &truth[i]; r.K == "import" && !r.Ext && target(r) != "" {
			known[edge{r.File, target(r)}] = r
		}
	}
	dirs := map[edge]bool{}
	for i := range export {
		if r := &export[i]; r.K == "import" && !r.Ext && target(r) != "" && s.files[r.File] {
			e := edge{r.File, target(r)}
			if given[e] {
				continue
			}
			given[e] = true
			dirs[edge{e.from, path.Dir(e.to)}] = true
			s.Imports.Answered++
			if known[e] != nil || known[edge{e.from, path.Dir(e.to)}] != nil {
				s.Imports.Right++
			} else {
				s.miss("import of another file", at(r)+" "+e.to)
			}
		}
	}
	for e, r := range known {
		s.Imports.Known++
		if given[e] || dirs[e] || given[edge{e.from, path.Dir(e.to)}] {
			s.Imports.Found++
		} else {
			s.miss("import missing", at(r)+" "+e.to)
		}
	}
}

// inherits judges bases by the lines of both types. What a Go type implements stands
// nowhere in its text, and is not judged.
func (s *scorer) inherits(truth, export []Record) {
	type edge struct{ of, base Place }
	of := func(r *Record) edge { return edge{Place{r.File, r.Line}, Place{r.BaseFile, r.BaseLine}} }
	judged := func(r *Record) bool {
		return r.K == "inherits" && !r.Ext && r.BaseFile != "" && (r.Rel != "implements" || path.Ext(r.File) != ".go")
	}
	known, given := map[edge]*Record{}, map[edge]bool{}
	for i := range truth {
		if r := &truth[i]; judged(r) {
			known[of(r)] = r
		}
	}
	for i := range export {
		r := &export[i]
		if !judged(r) || !s.files[r.File] || given[of(r)] {
			continue
		}
		given[of(r)] = true
		s.Inherits.Answered++
		if known[of(r)] != nil {
			s.Inherits.Right++
		} else {
			s.miss("base that is another type", fmt.Sprintf("%s -> %s:%d", at(r), r.BaseFile, r.BaseLine))
		}
	}
	for e, r := range known {
		s.Inherits.Known++
		if given[e] {
			s.Inherits.Found++
		} else {
			s.miss("base missing", fmt.Sprintf("%s -> %s:%d", at(r), r.BaseFile, r.BaseLine))
		}
	}
}
