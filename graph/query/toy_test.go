package query

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/graphtest"
)

// The tests speak a toy language, whose files are indented by two spaces:
//
//	package NAME | status STATUS | language NAME
//	func|method|class|iface|section|property|const|field NAME [exported local test fixture overload generated owner=T] [: BASE …]
//	call|read|type|dynamic|fixture [QUALIFIER.]NAME
//	import FILE NAME [as ALIAS]      NAME * is the module
//	mention NAME | link FILE
//
// Its names bind by scope, then by import, then when only one file defines them. A
// function given_NAME is given to the fields of that name.
type toyParser struct {
	f     *graph.Facts
	off   uint32
	stack []int32 // open definitions, by depth
}

// toyFile parses one file of the toy language; it panics on a text that is not.
func toyFile(path graph.Path, text string) *graph.Facts {
	p := toyParser{f: &graph.Facts{
		Path: path, Hash: sha256.Sum256([]byte(text)), Language: "toy", Status: graph.StatusOK, Role: graph.RoleOf(path),
	}}
	for n, line := range strings.SplitAfter(text, "\n") {
		if strings.TrimSpace(line) != "" {
			p.line(uint32(n+1), line)
			p.f.Lines = uint32(n + 1)
		}
		p.off += uint32(len(line))
	}
	return p.f
}

func (p *toyParser) line(n uint32, line string) {
	body := strings.TrimSpace(line)
	indent := strings.Index(line, body)
	words := strings.Fields(body)
	p.stack = p.stack[:min(indent/2, len(p.stack))]
	word, name := words[0], words[1]
	at := indent + strings.Index(body, name)
	span := func(from, to int) graph.Span {
		return graph.Span{
			Start: p.off + uint32(from), End: p.off + uint32(to),
			From: graph.Pos{Line: n, Col: uint32(from + 1)}, To: graph.Pos{Line: n, Col: uint32(to + 1)},
		}
	}
	encl := graph.NoDef
	if len(p.stack) > 0 {
		encl = p.stack[len(p.stack)-1]
	}
	end := indent + len(body)
	for _, d := range p.stack {
		s := &p.f.Defs[d].Span
		s.End, s.To = p.off+uint32(end), graph.Pos{Line: n, Col: uint32(end + 1)}
	}
	q, last := "", name
	if i := strings.LastIndexByte(name, '.'); i >= 0 && word != "link" && word != "import" {
		q, last = name[:i], name[i+1:]
	}
	nameSpan := span(at+len(name)-len(last), at+len(name))
	uses := map[string]graph.Use{
		"call": graph.UseCall, "read": graph.UseRead, "type": graph.UseType, "dynamic": graph.UseDynamic, "fixture": graph.UseFixture,
	}
	use, isRef := uses[word]
	switch {
	case isRef:
		p.f.Refs = append(p.f.Refs, graph.Ref{Name: last, Qualifier: q, Use: use, Span: nameSpan, Enclosing: encl, Args: -1})
	case word == "values":
		p.f.ValueCalls = append(p.f.ValueCalls, graph.ValueCalls{Enclosing: encl, Count: uint32(len(name))})
	case word == "package":
		p.f.Package = name
	case word == "status":
		p.f.Status = graph.Status(name)
		if len(words) > 2 {
			p.f.Reason = words[2]
		}
	case word == "language":
		p.f.Language = name
	case word == "import":
		im := graph.Import{Module: name, Name: words[2], Span: span(indent, end), Enclosing: encl}
		if im.Name == "*" {
			im.Name = ""
		}
		if len(words) == 5 {
			im.Alias = words[4]
		}
		p.f.Imports = append(p.f.Imports, im)
	case word == "mention":
		p.f.Mentions = append(p.f.Mentions, graph.Mention{Form: graph.MentionCode, Name: last, Qualifier: q, Span: nameSpan, Enclosing: encl})
	case word == "link":
		p.f.Mentions = append(p.f.Mentions, graph.Mention{Form: graph.MentionLink, Target: name, Span: nameSpan, Enclosing: encl})
	default:
		p.def(word, words, span(indent, end), nameSpan, encl)
	}
}

func (p *toyParser) def(word string, words []string, span, name graph.Span, encl int32) {
	kinds := map[string]graph.Kind{
		"func": graph.KindFunction, "method": graph.KindMethod, "class": graph.KindClass, "iface": graph.KindInterface,
		"section": graph.KindH2, "key": graph.KindKey, "property": graph.KindProperty, "field": graph.KindField, "const": graph.KindConstant,
	}
	flags := map[string]graph.DefFlags{
		"exported": graph.FlagExported, "local": graph.FlagLocal, "test": graph.FlagTest, "fixture": graph.FlagFixture,
		"overload": graph.FlagOverload, "generated": graph.FlagGenerated,
	}
	kind, ok := kinds[word]
	if !ok {
		panic("toy: unknown word " + word)
	}
	d := graph.Def{Name: words[1], Local: words[1], Kind: kind, Span: span, NameSpan: name, Container: encl}
	rest := words[2:]
	bases := []string(nil)
	if i := slices.Index(rest, ":"); i >= 0 {
		rest, bases = rest[:i], rest[i+1:]
	}
	for _, w := range rest {
		if owner, ok := strings.CutPrefix(w, "owner="); ok {
			d.Owner = owner
			d.Local = "(*" + owner + ")." + d.Name
			continue
		}
		if flags[w] == 0 {
			panic("toy: unknown flag " + w)
		}
		d.Flags |= flags[w]
	}
	if encl != graph.NoDef {
		d.Local = p.f.Defs[encl].Local + "." + d.Name
	}
	def := int32(len(p.f.Defs))
	p.f.Defs = append(p.f.Defs, d)
	for _, b := range bases {
		p.f.Heritage = append(p.f.Heritage, graph.Heritage{Def: def, Rel: graph.RelExtends, Name: b, Span: name})
	}
	p.stack = append(p.stack, def)
}

// toyResolver binds the toy language.
type toyResolver struct{}

var (
	_ graph.Resolver = toyResolver{}
	_ graph.Giver    = toyResolver{}
)

func (toyResolver) Languages() []string { return []string{"toy"} }

func (toyResolver) Qualify(_ graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	module := strings.ReplaceAll(strings.TrimSuffix(string(f.Path), ".toy"), "/", ".")
	if def == graph.NoDef {
		return module
	}
	return module + "." + f.Defs[def].Local
}

func bindTo(reason graph.Reason, ss ...graph.Symbol) graph.Binding {
	b := graph.Binding{Provenance: graph.Extracted, Reason: reason}
	for _, s := range ss {
		b.Targets = append(b.Targets, graph.Candidate{Symbol: s, Confidence: 1 / float32(len(ss))})
	}
	if len(ss) > 1 {
		b.Provenance = graph.Ambiguous
	}
	return b
}

func (t toyResolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	ref := &f.Refs[i]
	if strings.HasPrefix(ref.Name, "ext") {
		return graph.Binding{External: true}
	}
	switch ref.Qualifier {
	case "":
		return t.name(v, f, id, ref.Name)
	case "unknown":
		return graph.Binding{}
	case "self":
		for c := ref.Enclosing; c != graph.NoDef; c = f.Defs[c].Container {
			if m, ok := member(f, c, ref.Name); ok && isType(f.Defs[c].Kind) {
				return bindTo(graph.ReasonSelf, graph.Symbol{File: id, Def: m})
			}
		}
		return graph.Binding{}
	}
	owner := t.name(v, f, id, ref.Qualifier)
	for _, c := range owner.Targets {
		g, err := v.Facts(c.Symbol.File)
		if err != nil || g == nil || c.Symbol.Def == graph.NoDef {
			continue
		}
		if m, ok := member(g, c.Symbol.Def, ref.Name); ok {
			b := bindTo(graph.ReasonDeclared, graph.Symbol{File: c.Symbol.File, Def: m})
			b.Provenance, b.Targets[0].Confidence = graph.Inferred, 0.9
			b.Dynamic = g.Defs[c.Symbol.Def].Kind == graph.KindInterface
			return b
		}
	}
	return graph.Binding{}
}

func member(f *graph.Facts, of int32, name string) (int32, bool) {
	for i := range f.Defs {
		if f.Defs[i].Container == of && f.Defs[i].Name == name {
			return int32(i), true
		}
	}
	return graph.NoDef, false
}

func (t toyResolver) name(v graph.View, f *graph.Facts, id graph.FileID, name string) graph.Binding {
	for i := range f.Defs {
		if d := &f.Defs[i]; d.Name == name && (d.Container == graph.NoDef || d.Has(graph.FlagLocal)) {
			return bindTo(graph.ReasonScope, graph.Symbol{File: id, Def: int32(i)})
		}
	}
	for i := range f.Imports {
		if im := &f.Imports[i]; im.Alias == name || im.Alias == "" && im.Name == name {
			return t.Import(v, f, id, i)
		}
	}
	var found []graph.Symbol
	for _, o := range v.Definers(name) {
		g, err := v.Facts(o)
		if err != nil || g == nil {
			continue
		}
		for i := range g.Defs {
			if g.Defs[i].Name == name && g.Defs[i].Container == graph.NoDef {
				found = append(found, graph.Symbol{File: o, Def: int32(i)})
			}
		}
	}
	b := bindTo(graph.ReasonUnique, found...)
	if len(found) == 1 {
		b.Provenance, b.Targets[0].Confidence = graph.Inferred, 0.8
	}
	return b
}

func (t toyResolver) Import(v graph.View, f *graph.Facts, _ graph.FileID, i int) graph.Binding {
	im := &f.Imports[i]
	file, ok := v.Lookup(graph.Path(im.Module + ".toy"))
	if !ok {
		return graph.Binding{External: true}
	}
	if im.Name == "" {
		return bindTo(graph.ReasonImport, graph.Symbol{File: file, Def: graph.NoDef})
	}
	if g, err := v.Facts(file); err == nil && g != nil {
		for i := range g.Defs {
			if g.Defs[i].Name == im.Name && g.Defs[i].Container == graph.NoDef {
				return bindTo(graph.ReasonImport, graph.Symbol{File: file, Def: int32(i)})
			}
		}
	}
	return graph.Binding{}
}

func (t toyResolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	return t.name(v, f, id, f.Heritage[i].Name)
}

func (t toyResolver) Mention(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	if m := &f.Mentions[i]; m.Target != "" {
		if file, ok := v.Lookup(graph.Path(m.Target)); ok {
			return bindTo(graph.ReasonPath, graph.Symbol{File: file, Def: graph.NoDef})
		}
		return graph.Binding{}
	}
	return t.name(v, f, id, f.Mentions[i].Name)
}

func (toyResolver) Names(v graph.View, s graph.Symbol) []string {
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return nil
	}
	if s.Def == graph.NoDef {
		return []string{graph.LastElement(strings.TrimSuffix(string(f.Path), ".toy"))}
	}
	return []string{f.Defs[s.Def].Name}
}

// Dispatch says that every class method of the name of an interface's method
// satisfies it.
func (toyResolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def == graph.NoDef {
		return graph.Binding{}
	}
	d := &f.Defs[s.Def]
	if d.Container == graph.NoDef || f.Defs[d.Container].Kind != graph.KindInterface {
		return graph.Binding{}
	}
	b := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonImplements}
	if d.Kind == graph.KindField {
		return toyNamed(v, b, graph.KindFunction, "given_"+d.Name)
	}
	for _, id := range v.Definers(d.Name) {
		g, err := v.Facts(id)
		if err != nil || g == nil {
			continue
		}
		for i := range g.Defs {
			o := &g.Defs[i]
			if o.Name == d.Name && o.Container != graph.NoDef && g.Defs[o.Container].Kind == graph.KindClass {
				b.Targets = append(b.Targets, graph.Candidate{Symbol: graph.Symbol{File: id, Def: int32(i)}, Confidence: 0.5})
			}
		}
	}
	return b
}

// Given implements graph.Giver.
func (toyResolver) Given(v graph.View, s graph.Symbol) graph.Binding {
	b := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonImplements}
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return b
	}
	name, ok := strings.CutPrefix(f.Defs[s.Def].Name, "given_")
	if !ok {
		return b
	}
	return toyNamed(v, b, graph.KindField, name)
}

// toyNamed adds to a binding what has a kind and a name.
func toyNamed(v graph.View, b graph.Binding, kind graph.Kind, name string) graph.Binding {
	for _, id := range v.Definers(name) {
		g, err := v.Facts(id)
		if err != nil || g == nil {
			continue
		}
		for i := range g.Defs {
			if g.Defs[i].Name == name && g.Defs[i].Kind == kind {
				b.Targets = append(b.Targets, graph.Candidate{Symbol: graph.Symbol{File: id, Def: int32(i)}, Confidence: 0.5})
			}
		}
	}
	return b
}

// toyView is a graphtest view with what a store offers beside a View.
type toyView struct {
	*graphtest.View
	gen graph.Generation
}

func (v *toyView) Generation() graph.Generation { return v.gen }

func (v *toyView) PathOf(k graph.PathKey) (graph.Path, bool) {
	for _, id := range v.Files() {
		if rec, ok := v.File(id); ok && graph.KeyOf(rec.Path) == k {
			return rec.Path, true
		}
	}
	return "", false
}

// newToyView parses the files given as path, text, path, text.
func newToyView(pathsAndTexts ...string) *toyView {
	var files []*graph.Facts
	for i := 0; i+1 < len(pathsAndTexts); i += 2 {
		files = append(files, toyFile(graph.Path(pathsAndTexts[i]), pathsAndTexts[i+1]))
	}
	return &toyView{View: graphtest.NewView(files...), gen: 1}
}

func newToyPlanner() *Planner { return New([]graph.Resolver{toyResolver{}}, Options{}) }

func ask(t *testing.T, v graph.View, req Request) *Answer {
	t.Helper()
	a, err := newToyPlanner().Run(t.Context(), v, req)
	if err != nil {
		t.Fatalf("Run(%+v): %v", req, err)
	}
	return a
}

// show writes an answer as lines that a person can check.
func show(a *Answer) string {
	var b strings.Builder
	labels := map[string]string{a.Metadata.ResolvedID: a.Metadata.ResolvedName}
	for _, n := range a.Nodes {
		labels[n.ID] = n.Label
	}
	label := func(id string) string {
		if l, ok := labels[id]; ok {
			return l
		}
		return "?"
	}
	for _, n := range a.Nodes {
		fmt.Fprintf(&b, "node %s %s:%d %s %g", n.Label, n.Path, n.Line, n.Kind, n.Confidence)
		if n.Distance > 0 {
			fmt.Fprintf(&b, " distance=%d", n.Distance)
		}
		if n.Score > 0 {
			fmt.Fprintf(&b, " score=%g", n.Score)
		}
		if len(n.Reasons) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(n.Reasons, "; "))
		}
		b.WriteByte('\n')
	}
	for _, e := range a.Edges {
		fmt.Fprintf(&b, "edge %s -> %s %s %s:%d:%d %g %s %s\n", label(e.Source), label(e.Target), e.Relation, e.Path, e.Line, e.Col, e.Confidence, e.Provenance, e.Reason)
	}
	for _, p := range a.Paths {
		b.WriteString("path")
		for _, id := range p {
			b.WriteString(" " + label(id))
		}
		b.WriteByte('\n')
	}
	for _, p := range a.ImpactedFiles {
		fmt.Fprintf(&b, "file %s\n", p)
	}
	for _, s := range a.SuggestedTests {
		fmt.Fprintf(&b, "test %s %s:%d %s %g distance=%d (%s)\n", s.Name, s.Path, s.Line, s.Kind, s.Confidence, s.Distance, strings.Join(s.Reasons, "; "))
	}
	for _, p := range a.Metadata.PossibleCallers {
		fmt.Fprintf(&b, "possible %s through %s %s:%d %g %s %d:", label(p.Target), p.Label, p.Path, p.Line, p.Confidence, p.Reason, p.Count)
		for _, c := range p.Callers {
			fmt.Fprintf(&b, " %s %s:%d", c.Label, c.Path, c.Line)
		}
		b.WriteByte('\n')
	}
	for _, m := range a.Metadata.Missing {
		fmt.Fprintf(&b, "missing %s %d %v\n", m.Word, m.Count, m.Scope)
	}
	if a.Truncated {
		b.WriteString("truncated\n")
	}
	return b.String()
}
