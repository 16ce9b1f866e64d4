package engine

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/graph/store"
)

// exported is one line of an export. Which fields a line has depends on k; lines
// and columns are 1-based, line 0 stands for the body of a module.
//
// A variant, and what an inherits_variant or a call that is excluded says, is what a plain
// build leaves out: tests in the file, other systems, options that are off. An impl is like
// an inherits, of a type that the tree does not define: its line is that of the impl.
type exported struct {
	K          string  `json:"k"` // def, decl, variant, call, expand, construct, import, inherits, inherits_variant, impl
	File       string  `json:"file"`
	Line       uint32  `json:"line"`
	Col        uint32  `json:"col,omitempty"`
	Kind       string  `json:"kind,omitempty"`
	Start      uint32  `json:"start,omitempty"`
	End        uint32  `json:"end,omitempty"`
	Name       string  `json:"name,omitempty"`
	QName      string  `json:"qname,omitempty"`
	Local      bool    `json:"local,omitempty"`
	Caller     string  `json:"caller,omitempty"`
	CallerFile string  `json:"caller_file,omitempty"`
	CallerLine *uint32 `json:"caller_line,omitempty"`
	Callee     string  `json:"callee,omitempty"`
	CalleeFile string  `json:"callee_file,omitempty"`
	CalleeLine uint32  `json:"callee_line,omitempty"`
	Path       string  `json:"path,omitempty"`
	TargetFile string  `json:"target_file,omitempty"`
	Rel        string  `json:"rel,omitempty"`
	Base       string  `json:"base,omitempty"`
	BaseFile   string  `json:"base_file,omitempty"`
	BaseLine   uint32  `json:"base_line,omitempty"`
	Ext        bool    `json:"ext,omitempty"`
	Dynamic    bool    `json:"dynamic,omitempty"`
	Excluded   bool    `json:"excluded,omitempty"`
	Confidence float64 `json:"confidence,omitempty"`
	Provenance string  `json:"provenance,omitempty"`
	Reason     string  `json:"reason,omitempty"`
}

// exporter writes the graph of one generation.
type exporter struct {
	x    *index
	view graph.View
	over *query.Overrides
	enc  *json.Encoder
	err  error
}

// Export writes definitions, calls, imports and heritage with what they are bound
// to, one JSON object a line, ordered by file. An ambiguous reference is one line
// for each candidate; an unbound one is a line without target.
func (l *local) Export(ctx context.Context, w io.Writer) error {
	if l.x == nil || l.x.store.Generation() == 0 && !l.x.complete.Load() {
		return &api.Error{Code: api.CodeIndexNotReady, Message: "there is nothing to export yet; run `ralph-index reindex` first"}
	}
	snap := l.x.store.Snapshot()
	defer snap.Release()
	buf := bufio.NewWriterSize(w, 1<<20)
	e := &exporter{x: l.x, view: query.Once(snap), over: l.x.planner.Overrides(ctx, lister{snap}), enc: json.NewEncoder(buf)}
	e.enc.SetEscapeHTML(false)
	snap.Files(func(f graph.File) bool {
		if e.err = ctx.Err(); e.err == nil {
			e.file(snap, f)
			e.err = cmp.Or(e.err, e.over.Err())
		}
		return e.err == nil
	})
	if e.err != nil {
		l.x.suspect(e.err)
		return fmt.Errorf("export: %w", e.err)
	}
	return buf.Flush()
}

func (e *exporter) put(r exported) {
	if e.err == nil {
		e.err = e.enc.Encode(r)
	}
}

func (e *exporter) file(snap *store.Snapshot, rec graph.File) {
	f, err := snap.Facts(rec.ID)
	if err != nil {
		e.err = err
		return
	}
	if f == nil {
		return
	}
	r := e.x.rules.byLang[f.Language]
	for i := range f.Defs {
		if declared(f, i) {
			e.def(r, f, rec.ID, i)
		}
	}
	if r == nil {
		return
	}
	e.required(f)
	for i := range f.Refs {
		if f.Refs[i].Use.Calls() {
			b := r.Ref(e.view, f, rec.ID, i)
			f.Doubt(f.Refs[i].Span.From, &b)
			e.call(f, i, b, e.excluded(r, f, rec.ID, f.Refs[i].Span.Start))
		}
	}
	for i := range f.Imports {
		e.imported(f, i, e.module(r, f, rec.ID, i))
	}
	for i := range f.Heritage {
		b := r.Base(e.view, f, rec.ID, i)
		f.Doubt(f.Heritage[i].Span.From, &b)
		e.heritage(r, f, rec.ID, i, b)
	}
}

func (e *exporter) def(r graph.Resolver, f *graph.Facts, id graph.FileID, i int) {
	d := &f.Defs[i]
	name := d.Local
	if r != nil {
		name = r.Qualify(e.view, f, id, int32(i))
	}
	k := "def"
	switch {
	case d.Has(graph.FlagDeclaration), d.Has(graph.FlagTentative):
		k = "decl"
	case d.Has(graph.FlagExcluded), e.excluded(r, f, id, d.NameSpan.Start):
		k = "variant"
	}
	e.put(exported{
		K: k, File: string(f.Path), Line: d.NameSpan.From.Line, Col: d.NameSpan.From.Col, Kind: string(d.Kind),
		Start: d.Span.From.Line, End: d.Span.To.Line, Name: written(f, d), QName: name, Local: d.Has(graph.FlagLocal),
		Confidence: 1, Provenance: string(graph.Extracted),
	})
}

// excluded reports whether a plain build leaves out what stands at a place.
func (e *exporter) excluded(r graph.Resolver, f *graph.Facts, id graph.FileID, at uint32) bool {
	x, ok := r.(graph.Excluder)
	return ok && x.Excluded(e.view, f, id, at)
}

func (e *exporter) call(f *graph.Facts, i int, b graph.Binding, excluded bool) {
	ref := &f.Refs[i]
	line := uint32(0)
	name := "<module>"
	if by := caller(f, ref.Enclosing); by != graph.NoDef {
		line, name = f.Defs[by].NameSpan.From.Line, f.Defs[by].Local
	}
	base := exported{
		K: "call", File: string(f.Path), Line: ref.Span.From.Line, Col: ref.Span.From.Col, Name: ref.Name,
		Caller: name, CallerFile: string(f.Path), CallerLine: &line, Ext: b.External, Dynamic: b.Dynamic, Excluded: excluded,
	}
	k := e.runsNothing(f, b)
	if k != "" {
		e.put(base)
	}
	fill := func(r *exported, t target) {
		if r.Callee, r.CalleeFile, r.CalleeLine = t.name, t.file, t.line; k != "" {
			r.K = k
		}
	}
	e.targets(base, b, fill)
	if f.Language == "python" && ref.Use == graph.UseCall { // a call of a class runs its constructor too
		if made := e.constructors(b); len(made.Targets) > 0 {
			e.targets(base, made, fill)
		}
	}
}

// constructors leads a call of classes to the constructors that stand in them.
func (e *exporter) constructors(b graph.Binding) graph.Binding {
	targets := b.Targets
	b.Targets = nil
	for _, t := range targets {
		g, err := e.view.Facts(t.Symbol.File)
		if err != nil || g == nil || t.Symbol.Def == graph.NoDef {
			continue
		}
		if c := query.Constructor(g, t.Symbol.Def); c != graph.NoDef {
			t.Symbol.Def = c
			b.Targets = append(b.Targets, t)
		}
	}
	return b
}

// runsNothing returns what is written where nothing of the tree is called: the expansion
// of a macro, or the making of an object of a C++ class without a constructor.
func (e *exporter) runsNothing(f *graph.Facts, b graph.Binding) string {
	if len(b.Targets) == 0 || b.Targets[0].Symbol.Def == graph.NoDef {
		return ""
	}
	s := b.Targets[0].Symbol
	g, err := e.view.Facts(s.File)
	if err != nil || g == nil {
		return ""
	}
	switch k := g.Defs[s.Def].Kind; {
	case k == graph.KindMacro:
		return "expand"
	case f.Language == "cpp" && (k == graph.KindStruct || k == graph.KindClass || k == graph.KindType):
		return "construct"
	}
	return ""
}

// module binds an import to the file that it names. What is taken from there by name may
// stand elsewhere, which is another edge's business: those who use it lead there.
func (e *exporter) module(r graph.Resolver, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b := r.Import(e.view, f, id, i)
	im := f.Imports[i]
	if len(b.Targets) == 0 || b.Targets[0].Symbol.Def == graph.NoDef || im.Name == "" {
		return b
	}
	whole := *f
	im.Name, im.Alias = "", ""
	whole.Imports = slices.Clone(f.Imports)
	whole.Imports[i] = im
	if m := r.Import(e.view, &whole, id, i); len(m.Targets) == 1 && m.Targets[0].Symbol.Def == graph.NoDef {
		return m
	}
	return b
}

func (e *exporter) imported(f *graph.Facts, i int, b graph.Binding) {
	im := &f.Imports[i]
	base := exported{
		K: "import", File: string(f.Path), Line: im.Span.From.Line, Col: im.Span.From.Col, Name: im.Name,
		Path: im.Module, Ext: b.External,
	}
	e.targets(base, b, func(r *exported, t target) { r.TargetFile = t.file })
}

func (e *exporter) heritage(r graph.Resolver, f *graph.Facts, id graph.FileID, i int, b graph.Binding) {
	h := &f.Heritage[i]
	heir, of, known := graph.Symbol{File: id, Def: h.Def}, f, true
	if h.Def == graph.NoDef {
		other, ok := r.(graph.Inheritor)
		if !ok {
			return
		}
		if heir, known = other.Heir(e.view, f, id, i); known {
			if of, e.err = e.view.Facts(heir.File); of == nil {
				return
			}
		}
	}
	k, name, line := "impl", h.Of, h.Span.From.Line
	if known {
		k = "inherits"
	}
	if heir.Def != graph.NoDef {
		name, line = of.Defs[heir.Def].Name, of.Defs[heir.Def].NameSpan.From.Line
	}
	if e.excluded(r, f, id, h.Span.Start) {
		k = "inherits_variant"
	}
	base := exported{
		K: k, File: string(of.Path), Line: line, Name: name, Rel: string(h.Rel),
		Base: h.Name, Ext: b.External,
	}
	e.targets(base, b, func(r *exported, t target) { r.BaseFile, r.BaseLine = t.file, t.line })
}

// target is where a binding leads.
type target struct {
	name, file string
	line       uint32
	confidence float32
	provenance graph.Provenance
	dynamic    bool
}

// targets writes one line for each candidate, or one without a target.
func (e *exporter) targets(base exported, b graph.Binding, fill func(*exported, target)) {
	if len(b.Targets) == 0 {
		e.put(base)
		return
	}
	base.Reason = string(b.Reason)
	list := make([]target, 0, len(b.Targets))
	for i, c := range b.Targets {
		rec, ok := e.view.File(c.Symbol.File)
		if !ok {
			continue
		}
		t := target{file: string(rec.Path)}
		t.confidence, t.provenance, t.dynamic = e.over.Judge(&b, i)
		if c.Symbol.Def != graph.NoDef {
			g, err := e.view.Facts(c.Symbol.File)
			if err != nil || g == nil {
				continue
			}
			d := &g.Defs[c.Symbol.Def]
			t.name, t.line = d.Local, d.NameSpan.From.Line
		}
		list = append(list, t)
	}
	// Equal candidates come in the order of ids, which tell the history of the index.
	slices.SortStableFunc(list, func(a, b target) int {
		return cmp.Or(cmp.Compare(b.confidence, a.confidence), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	for _, t := range list {
		r := base
		r.Confidence, r.Provenance, r.Dynamic = query.Round(t.confidence), string(t.provenance), t.dynamic
		fill(&r, t)
		e.put(r)
	}
}
