package php

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// place is where a name stands: in a definition of a file.
type place struct {
	f  *graph.Facts
	id graph.FileID
	at int32
}

func isType(k graph.Kind) bool {
	return k == graph.KindClass || k == graph.KindInterface || k == graph.KindEnum
}

func isTypeOrNamespace(k graph.Kind) bool { return isType(k) || k == graph.KindNamespace }
func isFunction(k graph.Kind) bool        { return k == graph.KindFunction }
func isConstant(k graph.Kind) bool        { return k == graph.KindConstant }
func isValue(k graph.Kind) bool           { return k == graph.KindFunction || k == graph.KindConstant }

// namespace returns the one that a place stands in.
func (p place) namespace() string {
	for at := p.at; at != graph.NoDef; at = p.f.Defs[at].Container {
		if p.f.Defs[at].Kind == graph.KindNamespace {
			return p.f.Defs[at].Local
		}
	}
	return ""
}

// class returns the innermost class around a place.
func (p place) class() (sym, bool) {
	for at := p.at; at != graph.NoDef; at = p.f.Defs[at].Container {
		if isType(p.f.Defs[at].Kind) {
			return sym{p.f, p.id, at}, true
		}
	}
	return sym{}, false
}

// full returns the full name of what a class, or a path of names, is at a place, and why.
func (p place) full(text string) (string, graph.Reason) {
	if rest, ok := strings.CutPrefix(text, `\`); ok {
		return rest, graph.ReasonModule
	}
	head, rest, deep := strings.Cut(text, `\`)
	if strings.EqualFold(head, "namespace") && deep {
		return inside(p.namespace(), rest), graph.ReasonPackage
	}
	for i := range p.f.Imports {
		im := &p.f.Imports[i]
		if im.Flags&graph.ImportType == 0 || !strings.EqualFold(bound(im), head) {
			continue
		}
		if deep {
			return imported(im) + `\` + rest, graph.ReasonModule
		}
		return imported(im), graph.ReasonImport
	}
	return inside(p.namespace(), text), graph.ReasonPackage
}

func inside(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + `\` + name
}

// bound returns the name that use binds.
func bound(im *graph.Import) string {
	if im.Alias != "" {
		return im.Alias
	}
	return im.Name
}

// class finds the class that a text names at a place.
func (r *run) class(at place, text string) found {
	full, reason := at.full(text)
	out := r.named(at, full, isType)
	if len(out.syms) > 0 && out.syms[0].id == at.id && reason == graph.ReasonPackage {
		reason = graph.ReasonScope
	}
	out.reason = reason
	return out
}

// named finds the definitions of a full name: of several the one of the file, or else
// the nearest.
func (r *run) named(at place, full string, kinds func(graph.Kind) bool) found {
	out := found{prov: graph.Extracted, conf: confSure}
	last := lastName(full)
	for n, id := range graph.ByPath(r.v, r.v.Definers(last)) {
		f := at.f
		if id != at.id {
			f = r.facts(id)
		}
		if f == nil || n >= 4*maxFiles {
			continue
		}
		for i := f.NextNamed(last, 0); i != graph.NoDef; i = f.NextNamed(last, i+1) {
			d := &f.Defs[i]
			if kinds(d.Kind) && d.Local == full && d.Container != graph.NoDef == (d.Local != d.Name) {
				out.syms = append(out.syms, sym{f, id, i})
			} else if kinds(d.Kind) && d.Local == full && d.Kind == graph.KindConstant {
				out.syms = append(out.syms, sym{f, id, i})
			}
		}
	}
	if len(out.syms) == 0 {
		return found{external: true}
	}
	if len(out.syms) > 1 {
		out.syms = nearest(at.f.Path, out.syms)
		out.prov, out.conf = graph.Inferred, confStatic
	}
	return out
}

// nearest keeps those whose files have most of their path in common with one.
func nearest(p graph.Path, syms []sym) []sym {
	best, most := syms[:0:0], -1
	for _, s := range syms {
		n := 0
		for n < len(p) && n < len(s.f.Path) && p[n] == s.f.Path[n] {
			n++
		}
		if i := strings.LastIndexByte(string(p[:n]), '/'); n < len(p) {
			n = i + 1
		}
		switch {
		case n > most:
			best, most = append(best[:0:0], s), n
		case n == most:
			best = append(best, s)
		}
	}
	return best
}

// lastName returns what stands behind the last backslash of a full name.
func lastName(full string) string { return full[strings.LastIndexByte(full, '\\')+1:] }

// value finds the function or the constant that a text names at a place: one that use
// names, one of the namespace, or else the global one.
func (r *run) value(at place, text string, kinds func(graph.Kind) bool) found {
	if strings.Contains(text, `\`) {
		full, reason := at.full(text)
		out := r.named(at, full, kinds)
		out.reason = reason
		return out
	}
	for i := range at.f.Imports {
		im := &at.f.Imports[i]
		if im.Flags&(graph.ImportType|graph.ImportDynamic) != 0 || bound(im) != text {
			continue
		}
		if out := r.named(at, imported(im), kinds); len(out.syms) > 0 {
			out.reason = graph.ReasonImport
			return out
		}
	}
	if ns := at.namespace(); ns != "" {
		if out := r.named(at, inside(ns, text), kinds); len(out.syms) > 0 {
			out.reason = graph.ReasonPackage
			if out.syms[0].id == at.id {
				out.reason = graph.ReasonScope
			}
			return out
		}
	}
	return r.global(at, text, kinds)
}

// global finds the global function of a name.
func (r *run) global(at place, name string, kinds func(graph.Kind) bool) found {
	out := r.named(at, name, kinds)
	if len(out.syms) == 0 {
		return out
	}
	out.reason = graph.ReasonScope
	if out.syms[0].id != at.id {
		out.prov, out.conf, out.reason = graph.Inferred, confGlobal, graph.ReasonUnique
		if len(out.syms) > 1 {
			out.reason = graph.ReasonCandidates
		}
	}
	return out
}
