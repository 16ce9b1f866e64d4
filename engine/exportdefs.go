package engine

import (
	"strings"

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

// wholeDeclarator reports whether an import is written as name = require("module"), with
// or without a member behind it, and not as a part of a pattern.
func wholeDeclarator(im *graph.Import) bool {
	if im.Name == "" || im.Name == "*" {
		return true
	}
	return int(im.Span.End-im.Span.Start) >= len(im.Alias)+len(im.Module)+len(`=require("").`)+len(im.Name)
}

// written is the name of a definition as the text has it: in quotes, where a member or a
// module of scripts is declared by a string.
func written(f *graph.Facts, d *graph.Def) string {
	switch d.Kind {
	case graph.KindModule, graph.KindProperty, graph.KindMethod, graph.KindField:
	default:
		return d.Name
	}
	if !scripted(f.Language) {
		return d.Name
	}
	sig := d.Signature
	for _, word := range [...]string{"declare ", "module ", "static ", "readonly ", "async ", "get ", "set "} {
		sig = strings.TrimPrefix(sig, word)
	}
	for _, quote := range [...]string{`"`, "'"} {
		if name := quote + d.Name + quote; strings.HasPrefix(sig, name) {
			return name
		}
	}
	return d.Name
}

// required lists the variables that hold modules: const fs = require("fs"). For the graph
// they are imports.
func (e *exporter) required(f *graph.Facts) {
	const flags = graph.ImportDynamic | graph.ImportType | graph.ImportReexport | graph.ImportOptional
	for i := range f.Imports {
		im := &f.Imports[i]
		if !scripted(f.Language) || im.Flags&flags != graph.ImportDynamic || im.Alias == "" || im.Enclosing != graph.NoDef || !wholeDeclarator(im) {
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
