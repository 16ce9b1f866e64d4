package query

import (
	"cmp"
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// label returns the full name of a symbol; of a file its path.
func (r *reader) label(s graph.Symbol) string {
	if r.isPackage(s) {
		return r.packageName(s.File)
	}
	f := r.facts(s.File)
	if s.Def == graph.NoDef || f == nil || int(s.Def) >= len(f.Defs) {
		rec, _ := r.v.File(s.File)
		return string(rec.Path)
	}
	if res := r.resolver(f); res != nil {
		if q := res.Qualify(r.v, f, s.File, s.Def); q != "" {
			return q
		}
	}
	return f.Defs[s.Def].Local
}

// found is a symbol of an answer before it is written out.
type found struct {
	sym     graph.Symbol
	dist    int
	conf    float32 // product along the chain that led to it
	prov    prov    // weakest along the chain
	rel     rel     // of the edge that led to it
	last    bool    // shown after the others of its distance
	flags   siteFlags
	reason  reason       // of that edge
	via     graph.Symbol // of that edge
	from    int          // of a walk: the node before, or -1
	score   float64
	reasons []string
	path    graph.Path
	line    uint32
}

// writer makes the parts of an answer.
type writer struct {
	r   *reader
	ans *Answer
	ids map[graph.Symbol]string

	failed map[graph.FileID]bool // files that failed_files counts
}

func newWriter(r *reader, req *Request) *writer {
	return &writer{r: r, ids: make(map[graph.Symbol]string), ans: &Answer{
		Type: req.Type, Nodes: []Node{}, Edges: []Edge{}, Paths: [][]string{}, ImpactedFiles: []graph.Path{},
		SuggestedTests: []SuggestedTest{}, Provenance: graph.Extracted, EvidenceIDs: []string{}, MissingData: []Word{},
		Generation: r.v.Generation(),
		Metadata:   Metadata{Target: req.Target, TargetB: req.TargetB, Limit: req.Limit},
	}}
}

func (w *writer) id(s graph.Symbol) string {
	if id, ok := w.ids[s]; ok {
		return id
	}
	id := ""
	if f := w.r.facts(s.File); f != nil && s.Def != graph.NoDef {
		id = graph.SymbolID(f, s.Def)
	} else if rec, ok := w.r.v.File(s.File); ok {
		id = graph.FileSymbolID(rec.Path)
	}
	w.ids[s] = id
	return id
}

// place fills in the path and line by which results are ordered; without time left,
// the line may be 0, and the order of definitions stands for it.
func (w *writer) place(fs []found) {
	for i := range fs {
		s := fs[i].sym
		rec, _ := w.r.v.File(s.File)
		fs[i].path, fs[i].line = rec.Path, 0
		if s.Def == graph.NoDef {
			continue
		}
		if f := w.r.atHand(s.File); f != nil {
			fs[i].line = f.Defs[s.Def].NameSpan.From.Line
		}
	}
}

// sort orders results: the nearest first, then the surest, then by the strength of
// the relation that led to them, then by place. mereLast lets those that are only
// named stand behind the others of their distance, however sure they are.
func (w *writer) sort(fs []found, mereLast bool) {
	w.place(fs)
	slices.SortFunc(fs, func(a, b found) int {
		return cmp.Or(
			cmp.Compare(a.dist, b.dist), compareBool(a.last, b.last), compareBool(mereLast && mere(a.rel), mereLast && mere(b.rel)),
			cmp.Compare(b.conf, a.conf), cmp.Compare(a.rel, b.rel),
			cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.sym.Def, b.sym.Def),
		)
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (w *writer) node(n found) {
	s := n.sym
	rec, ok := w.r.v.File(s.File)
	if !ok {
		return
	}
	out := Node{
		ID: w.id(s), Kind: "file", Label: w.r.label(s), Path: rec.Path, Line: 1, EndLine: max(1, rec.Lines),
		Confidence: Round(n.conf), Provenance: n.prov.provenance(), EvidenceIDs: []string{},
		Distance: n.dist, Score: n.score, Reasons: n.reasons,
	}
	if f := w.r.facts(s.File); f != nil && s.Def != graph.NoDef {
		d := &f.Defs[s.Def]
		out.Kind, out.Signature = string(d.Kind), d.Signature
		out.Line, out.EndLine = d.NameSpan.From.Line, max(d.NameSpan.From.Line, d.Span.To.Line)
		out.EvidenceIDs = append(out.EvidenceIDs, graph.SpanID(rec.Path, rec.Hash, d.Span))
	} else if rec.Lines > 0 && !rec.Hash.IsZero() {
		out.EvidenceIDs = append(out.EvidenceIDs, graph.EvidenceID(rec.Path, rec.Hash, 1, rec.Lines))
	}
	if w.r.isPackage(s) {
		out.Kind = string(graph.KindModule)
	}
	w.ans.Nodes = append(w.ans.Nodes, out)
	w.weaken(n.conf, n.prov)
}

func (w *writer) edge(e edge) {
	rec, ok := w.r.v.File(e.at)
	if !ok {
		return
	}
	w.ans.Edges = append(w.ans.Edges, Edge{
		Source: w.id(e.src), Target: w.id(e.dst), Relation: e.rel.relation(), Path: rec.Path, Line: e.line, Col: e.col,
		Confidence: Round(e.conf), Provenance: e.prov.provenance(), Reason: reasons[e.reason],
		EvidenceID: graph.EvidenceID(rec.Path, rec.Hash, e.line, e.endLine),
	})
	w.weaken(e.conf, e.prov)
}

// weaken keeps the answer's confidence and provenance at those of its weakest part.
func (w *writer) weaken(conf float32, p prov) {
	a := w.ans
	if len(a.Nodes)+len(a.Edges)+len(a.SuggestedTests) == 1 || Round(conf) < a.Confidence {
		a.Confidence = Round(conf)
	}
	if p > provOf(a.Provenance) {
		a.Provenance = p.provenance()
	}
}

// Round keeps three digits of a confidence: more would say more than is known.
func Round(c float32) float64 { return float64(int(float64(c)*1000+0.5)) / 1000 }

// sortEdges orders edges: surest, strongest, by place.
func (w *writer) sortEdges(es []edge) {
	slices.SortFunc(es, func(a, b edge) int {
		ap, bp := graph.Path(""), graph.Path("")
		if a.at != b.at {
			ra, _ := w.r.v.File(a.at)
			rb, _ := w.r.v.File(b.at)
			ap, bp = ra.Path, rb.Path
		}
		c := cmp.Or(
			cmp.Compare(b.conf, a.conf), cmp.Compare(a.rel, b.rel), cmp.Compare(ap, bp), cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col),
		)
		if c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(w.id(a.src), w.id(b.src)), cmp.Compare(w.id(a.dst), w.id(b.dst)))
	})
}

// sitesShown is how many places of one relation between two symbols are listed: who
// renames by an answer needs them all, and nobody reads more of one pair.
const sitesShown = 50

// edges writes edges in order. Where a pair has more places than are listed, the
// answer says that it is cut.
func (w *writer) edges(es []edge) {
	type pair struct {
		src, dst graph.Symbol
		rel      rel
	}
	w.sortEdges(es)
	shown := make(map[pair]int, len(es))
	line := make(map[pair]uint32) // of the import before
	for _, e := range es {
		if e.rel == relImports && e.dst.Def == graph.NoDef {
			k := pair{e.src, e.dst, e.rel}
			if line[k] == e.line {
				continue // a statement that takes many names from a file imports the file once
			}
			line[k] = e.line
		}
		if k := (pair{e.src, e.dst, e.rel}); shown[k] < sitesShown {
			shown[k]++
			w.edge(e)
		} else {
			w.ans.Truncated = true
		}
	}
}

func (w *writer) missing(word Word, count int) {
	w.ans.MissingData = append(w.ans.MissingData, word)
	w.ans.Metadata.Missing = append(w.ans.Metadata.Missing, Missing{Word: word, Count: count})
}

// first sorts paths or names and keeps the first ten.
func first[T ~string](all []T) []T {
	const most = 10
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), most)]
}

// finish gathers the evidence and says how the question ended.
func (w *writer) finish() *Answer {
	a := w.ans
	seen := make(map[string]bool, len(a.Edges)+len(a.Nodes))
	add := func(id string) {
		if id != "" && !seen[id] {
			seen[id] = true
			a.EvidenceIDs = append(a.EvidenceIDs, id)
		}
	}
	for i := range a.Edges {
		add(a.Edges[i].EvidenceID)
	}
	for i := range a.Nodes {
		for _, id := range a.Nodes[i].EvidenceIDs {
			add(id)
		}
	}
	for i := range a.SuggestedTests {
		add(a.SuggestedTests[i].EvidenceID)
	}
	a.Metadata.Visited = w.r.visited
	if w.r.ended && w.r.damage == nil {
		w.endedBy()
	}
	return a
}
