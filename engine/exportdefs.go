package engine

import (
	"github.com/ralph-index/ralph-index/graph"
)

// declared reports whether the i-th definition has a declaration of its own, which is
// what an export lists. It lists no field that the text makes on the way of something
// else: an embedded type, which stands among the bases; what a method or constructor
// gives its object, by an assignment or by a parameter; a member of a Go type without a
// name; nor data types in the bodies of Go functions, which can have no methods; nor
// tests of JavaScript, which have titles, nor the names that function expressions have for
// themselves alone.
func declared(f *graph.Facts, i int) bool {
	d := &f.Defs[i]
	around := graph.Kind("")
	if d.Container != graph.NoDef {
		around = f.Defs[d.Container].Kind
	}
	if f.Language == "go" && (goData(d.Kind) && d.Has(graph.FlagLocal) || around != "" && isGoMember(d.Kind) && (!goData(around) || f.Defs[d.Container].Has(graph.FlagLocal))) {
		return false
	}
	if scripted(f.Language) && (d.Has(graph.FlagTentative) || d.Signature == "" && d.Flags&(graph.FlagTest|graph.FlagFixture) != 0) {
		return false
	}
	if d.Kind != graph.KindField && d.Kind != graph.KindProperty || around == "" {
		return true
	}
	for j := range f.Heritage {
		if h := &f.Heritage[j]; h.Rel == graph.RelEmbeds && h.Def == d.Container && inside(h.Span, d.Span) && h.Name == d.Name {
			return false
		}
	}
	for j := range f.Defs {
		m := &f.Defs[j]
		if m.Container == d.Container && j != i && (m.Kind == graph.KindMethod || m.Kind == graph.KindFunction) && inside(d.NameSpan, m.Span) {
			return false
		}
	}
	return true
}

func goData(k graph.Kind) bool {
	return k == graph.KindStruct || k == graph.KindInterface || k == graph.KindType
}

// isGoMember reports whether a definition can stand in a type.
func isGoMember(k graph.Kind) bool { return k == graph.KindField || k == graph.KindMethod }

func inside(in, out graph.Span) bool { return out.Start <= in.Start && in.End <= out.End }

func scripted(language string) bool {
	return language == "javascript" || language == "typescript" || language == "tsx"
}

// required lists the variables that hold modules: const fs = require("fs"). For the graph
// they are imports.
func (e *exporter) required(f *graph.Facts) {
	const flags = graph.ImportDynamic | graph.ImportType | graph.ImportReexport | graph.ImportOptional
	for i := range f.Imports {
		im := &f.Imports[i]
		if !scripted(f.Language) || im.Flags&flags != graph.ImportDynamic || im.Alias == "" || im.Name != "" && im.Name != "*" || im.Enclosing != graph.NoDef {
			continue
		}
		e.put(exported{
			K: "def", File: string(f.Path), Line: im.Span.From.Line, Col: im.Span.From.Col, Kind: string(graph.KindVariable),
			Start: im.Span.From.Line, End: im.Span.To.Line, Name: im.Alias, QName: im.Alias, Confidence: 1, Provenance: string(graph.Extracted),
		})
	}
}

// caller returns the function around a reference, or the definition that holds it
// outside functions, NoDef for the body of a module: what gives a variable or a field
// its value is done by what is around it.
func caller(f *graph.Facts, def int32) int32 {
	for n := 0; def != graph.NoDef && n <= len(f.Defs); n++ {
		switch f.Defs[def].Kind {
		case graph.KindConstant, graph.KindVariable, graph.KindField:
			def = f.Defs[def].Container
		default:
			return def
		}
	}
	return graph.NoDef
}
