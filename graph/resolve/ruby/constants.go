package ruby

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

func isClass(k graph.Kind) bool { return k == graph.KindClass || k == graph.KindModule }

// nesting lists the full names of the classes and modules around a place, innermost first.
func (p place) nesting() []string {
	var out []string
	for at := p.at; at != graph.NoDef; at = p.f.Defs[at].Container {
		if isClass(p.f.Defs[at].Kind) {
			out = append(out, p.f.Defs[at].Local)
		}
	}
	return out
}

// around returns the place of the innermost class around one, and whether it is that of
// a method of the class as an object, or in its body.
func (p place) around() (full string, static, body bool) {
	body = true
	for at := p.at; at != graph.NoDef; at = p.f.Defs[at].Container {
		d := &p.f.Defs[at]
		if isClass(d.Kind) {
			return d.Local, static || body, body
		}
		if d.Kind == graph.KindMethod {
			body, static = false, static || d.Has(graph.FlagStatic)
			if d.Owner != "" {
				return d.Owner, static, false
			}
		}
	}
	return "", false, false
}

// ownerOf returns the full name of the class or module that a method belongs to, or "".
func ownerOf(f *graph.Facts, def int32) string {
	if owner := f.Defs[def].Owner; owner != "" {
		return owner
	}
	for at := f.Defs[def].Container; at != graph.NoDef; at = f.Defs[at].Container {
		if isClass(f.Defs[at].Kind) {
			return f.Defs[at].Local
		}
	}
	return ""
}

func lastName(full string) string { return full[strings.LastIndexByte(full, ':')+1:] }

// open lists the places where a class or a module of a full name is opened.
func (r *run) open(full string) []sym {
	if known, ok := r.opened[full]; ok {
		return known
	}
	out := r.defined(full, isClass)
	r.opened[full] = out
	return out
}

// defined lists the definitions of a full name.
func (r *run) defined(full string, kinds func(graph.Kind) bool) (out []sym) {
	last := lastName(full)
	for n, id := range graph.ByPath(r.v, r.v.Definers(last)) {
		f := r.facts(id)
		if f == nil || n >= 2*maxFiles {
			continue
		}
		for i := f.NextNamed(last, 0); i != graph.NoDef; i = f.NextNamed(last, i+1) {
			if d := &f.Defs[i]; kinds(d.Kind) && d.Local == full {
				out = append(out, sym{f, id, i})
			}
		}
	}
	return out
}

func isConstant(k graph.Kind) bool { return isClass(k) || k == graph.KindConstant }

// constant finds what a path of constants denotes at a place: the full name of a
// definition.
func (r *run) constant(at place, path string, ancestors bool) (string, bool) {
	if !r.spend() {
		return "", false
	}
	if rest, ok := strings.CutPrefix(path, "::"); ok {
		return rest, len(r.defined(rest, isConstant)) > 0
	}
	head, rest, deep := strings.Cut(path, "::")
	base, ok := r.head(at, head, ancestors)
	if !ok || !deep {
		return base, ok
	}
	return r.under(base, rest, ancestors)
}

// under finds a path of constants in a class or module, or what it builds on.
func (r *run) under(base, path string, ancestors bool) (string, bool) {
	for name := range strings.SplitSeq(path, "::") {
		full := base + "::" + name
		if len(r.defined(full, isConstant)) == 0 {
			if !ancestors {
				return "", false
			}
			ok := false
			for _, a := range r.order(base).list {
				if full = a + "::" + name; len(r.defined(full, isConstant)) > 0 {
					ok = true
					break
				}
			}
			if !ok {
				return "", false
			}
		}
		base = full
	}
	return base, true
}

func (r *run) head(at place, head string, ancestors bool) (string, bool) {
	if len(r.v.Definers(head)) == 0 {
		return "", false
	}
	nesting := at.nesting()
	for _, n := range nesting {
		if full := n + "::" + head; len(r.defined(full, isConstant)) > 0 {
			return full, true
		}
	}
	if ancestors && len(nesting) > 0 {
		for _, a := range r.order(nesting[0]).list {
			if full := a + "::" + head; len(r.defined(full, isConstant)) > 0 {
				return full, true
			}
		}
	}
	top := r.defined(head, isConstant)
	for _, s := range top {
		if together(s.f.Path, at.f.Path) {
			return head, true
		}
	}
	if full, ok := r.included(at, head); ok {
		return full, true
	}
	return head, len(top) > 0
}

// together reports whether a program that has one file is likely to have another: a
// library, or what stands in its folder or one above or below.
func together(p, of graph.Path) bool {
	for _, lib := range [...]string{"lib/", "app/"} {
		if strings.HasPrefix(string(p), lib) || strings.Contains(string(p), "/"+lib) {
			return true
		}
	}
	a, b := string(p.Dir())+"/", string(of.Dir())+"/"
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// everything is the class that every object is of: what includes a module into it stands
// outside of classes, and is an import of all that the module holds.
const everything = "Object"

// included finds a constant of the modules that files of the folder, or of one above it,
// include into every object.
func (r *run) included(at place, head string) (string, bool) {
	for n, id := range graph.ByPath(r.v, r.v.Referrers(everything)) {
		f := r.facts(id)
		if f == nil || n >= maxFiles || !r.spend() {
			continue
		}
		dir := string(f.Path.Dir())
		if dir != "" && dir != string(at.f.Path.Dir()) && !strings.HasPrefix(string(at.f.Path), dir+"/") {
			continue
		}
		for i := range f.Imports {
			im := &f.Imports[i]
			if im.Alias != everything || im.Name != "*" || im.Module == head {
				continue
			}
			if full := strings.TrimPrefix(im.Module, "::") + "::" + head; len(r.defined(full, isConstant)) > 0 {
				return full, true
			}
		}
	}
	return "", false
}

// base finds the class or module that a heritage entry names.
func (r *run) base(at place, h *graph.Heritage) (string, bool) {
	path := h.Name
	if h.Qualifier != "" {
		path = h.Qualifier + "::" + h.Name
	}
	if h.Rel == graph.RelExtends {
		at.at = at.f.Defs[h.Def].Container
	}
	full, ok := r.constant(at, path, false)
	if !ok || len(r.open(full)) > 0 {
		return full, ok
	}
	for _, s := range r.defined(full, isConstant) { // A = B
		if typ := s.d().Type; typ != "" && typ[0] >= 'A' && typ[0] <= 'Z' && !strings.ContainsAny(typ, ".(|") && r.spend() {
			return r.constant(place{s.f, s.id, s.d().Container}, typ, false)
		}
	}
	return "", false
}

// main takes one of the places where a class is opened: the only one, that in the file
// of its name, or the longest.
func (r *run) main(at place, syms []sym) found {
	if len(syms) == 0 {
		return found{}
	}
	out := found{prov: graph.Extracted, reason: graph.ReasonPackage, conf: confSure}
	best, score := 0, -1
	for i, s := range syms {
		n := int(min(s.d().Span.End-s.d().Span.Start, 1<<20))
		if base := s.f.Path.Base(); plainName(strings.TrimSuffix(base, s.f.Path.Ext())) == plainName(s.d().Name) {
			n += 1 << 22
		}
		if s.f.Path.Dir() == at.f.Path.Dir() {
			n += 1 << 21
		}
		if n > score {
			best, score = i, n
		}
	}
	out.syms = []sym{syms[best]}
	if syms[best].id == at.id {
		out.reason = graph.ReasonScope
	}
	if len(syms) > 1 {
		out.prov, out.conf = graph.Inferred, confReopened
	}
	return out
}

func plainName(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// constantRef binds a path of constants.
func (r *run) constantRef(at place, path string) found {
	full, ok := r.constant(at, path, true)
	if !ok {
		return found{external: true}
	}
	if classes := r.open(full); len(classes) > 0 {
		return r.main(at, classes)
	}
	return r.main(at, r.defined(full, isConstant))
}
