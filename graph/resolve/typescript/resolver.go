// Package typescript binds the names of TypeScript, TSX and JavaScript files to
// definitions: module specifiers to files, imports through re-exports to what
// they export, names by lexical scope, and members by the type of their receiver.
//
// It is not a type checker: a receiver's type is followed through declared types,
// constructions, results of functions and the parameters of callbacks, without
// inference of type arguments. It reads facts through a graph.View only; the
// planner calls it once for each reference that a question touches.
package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolver implements graph.Resolver for typescript, tsx and javascript. The zero
// value is ready and safe for concurrent use.
type Resolver struct{}

// New returns the resolver.
func New() *Resolver { return &Resolver{} }

var _ graph.Resolver = (*Resolver)(nil)

// Languages lists the languages served.
func (*Resolver) Languages() []string {
	return []string{"typescript", "tsx", "javascript", "svelte", "html"}
}

// Qualify returns the module path without its suffix, a dot, and the name inside
// the file: "src/internal/Observable.Observable.pipe". An index file counts under
// the name of its directory.
func (*Resolver) Qualify(_ graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	mod := modulePath(f.Path)
	if def < 0 || int(def) >= len(f.Defs) {
		return mod
	}
	return mod + "." + f.Defs[def].Local
}

// Ref binds f.Refs[i].
func (*Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b := binder{v: v}
	return b.ref(f, id, i)
}

// Import binds f.Imports[i]. A name that the module does not visibly export binds
// to the module's file, which lacks it; one that may come from outside through the
// module binds there too.
func (*Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b := binder{v: v}
	im := &f.Imports[i]
	r := b.imported(scope{f, id, im.Enclosing}, i, anySpace)
	if r.reason == graph.ReasonStar {
		return bind([]graph.Symbol{{File: r.module, Def: graph.NoDef}}, r.reason, sure, graph.Extracted)
	}
	if r.ok() || im.Module == "" {
		return b.binding(r, graph.UseExport)
	}
	file, _ := b.module(f.Path, im.Module)
	if file == 0 || file == id {
		return graph.Binding{External: r.external}
	}
	out := bind([]graph.Symbol{{File: file, Def: graph.NoDef}}, graph.ReasonImport, sure, graph.Extracted)
	out.External = r.external
	// What is no program exports what a bundler makes of it.
	out.Lacks = !r.external && b.servedFacts(file) != nil && !strings.ContainsAny(im.Module, "?!")
	return out
}

// Base binds f.Heritage[i].
func (*Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b := binder{v: v}
	h := &f.Heritage[i]
	at := graph.NoDef
	if h.Def >= 0 {
		at = f.Defs[h.Def].Container
	}
	r := b.baseOf(scope{f, id, at}, h)
	if r.reason == graph.ReasonMember {
		r.reason = graph.ReasonModule
	}
	out := b.binding(r, graph.UseType)
	if h.Rel == graph.RelEmbeds && out.Resolved() {
		out.Provenance, out.Reason, out.Dynamic = graph.Inferred, graph.ReasonConstructed, true
		for t := range out.Targets {
			out.Targets[t].Confidence = guessed
		}
	}
	return out
}

// Mention binds f.Mentions[i]: names by the scope of the file, paths beside it.
func (*Resolver) Mention(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b := binder{v: v}
	m := &f.Mentions[i]
	if m.Target != "" {
		if p, ok := f.Path.Dir().Join(m.Target); ok {
			if t, ok := v.Lookup(p); ok {
				return bind([]graph.Symbol{{File: t, Def: graph.NoDef}}, graph.ReasonPath, sure, graph.Extracted)
			}
		}
		return graph.Binding{}
	}
	sc := scope{f, id, m.Enclosing}
	if m.Qualifier == "" {
		return b.binding(b.name(sc, m.Name, anySpace), graph.UseRead)
	}
	recv := b.name(sc, m.Qualifier, anySpace)
	r := b.staticMember(recv.syms, m.Name)
	for _, s := range recv.syms {
		if !r.ok() && isTypeKind(b.def(s).Kind) {
			r = b.memberOfObject(object{sym: s}, m.Name, map[graph.Symbol]bool{}).found
		}
	}
	return b.binding(r, graph.UseRead)
}

// Names lists the names under which other files may refer to the symbol, the bare
// name first. A class adds "super" and a constructor its class besides.
func (*Resolver) Names(v graph.View, s graph.Symbol) []string {
	b := binder{v: v}
	return b.names(s)
}

// Dispatch lists overrides and implementations of a member in derived types.
func (*Resolver) Dispatch(v graph.View, s graph.Symbol) graph.Binding {
	b := binder{v: v}
	return b.dispatch(s)
}
