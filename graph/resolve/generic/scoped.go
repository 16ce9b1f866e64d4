package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// scoped finds a name, or a path of names, in the namespaces, modules and types around a
// place, innermost first, wherever these are opened.
func (b binder) scoped(path string, from int32, reason graph.Reason, conf float32) result {
	_, last := b.split(path)
	found := b.definers(last)
	if len(found) == 0 {
		return result{}
	}
	nesting := b.nesting(from)
	if b.Closed && !b.proper(last) {
		nesting = nesting[:1]
	}
	for _, prefix := range nesting {
		full := path
		if prefix != "" {
			full = prefix + b.separator() + path
		}
		r := b.ofFull(found, full, reason, conf)
		if prefix == "" && !b.proper(last) && len(r.syms) > 0 { // several programs may share a tree
			r.prov, r.reason, r.conf = graph.Inferred, graph.ReasonUnique, confUnique
		}
		if len(r.syms) > 0 {
			return r
		}
	}
	return result{}
}

// nesting lists the full names of what is around a place, innermost first, and last the
// empty one.
func (b binder) nesting(from int32) []string {
	var out []string
	for at := from; at != graph.NoDef; at = b.f.Defs[at].Container {
		d := &b.f.Defs[at]
		if !holdsMembers(d.Kind) {
			continue
		}
		full := b.full(sym{b.f, b.id, at})
		for full != "" {
			out = append(out, full)
			if d.Kind != graph.KindNamespace || !b.Outward {
				break
			}
			full, _ = b.split(full)
		}
	}
	return append(out, "")
}

// ofFull keeps the definitions of a full name.
func (b binder) ofFull(found []sym, full string, reason graph.Reason, conf float32) result {
	r := result{prov: graph.Extracted, reason: reason, conf: conf}
	for _, s := range found {
		if !s.d().Has(graph.FlagLocal) && b.same(b.full(s), full) {
			r.syms = append(r.syms, s)
		}
	}
	return b.whole(r)
}

// whole takes what is defined in parts as its main part: the one in the file of its name,
// or else the longest.
func (b binder) whole(r result) result {
	if len(r.syms) < 2 {
		return r
	}
	best, score := 0, -1
	for i, s := range r.syms {
		if !holdsMembers(s.d().Kind) {
			return r.overloaded()
		}
		n := int(s.d().Span.End - s.d().Span.Start)
		if b.Receivers { // made anew for each platform
			n = b.nearness(s, 0)
		}
		if !b.Receivers && plainName(strings.TrimSuffix(s.f.Path.Base(), s.f.Path.Ext())) == plainName(s.d().Name) {
			n += 1 << 30
		}
		if n > score {
			best, score = i, n
		}
	}
	r.syms, r.prov, r.conf = r.syms[best:best+1], graph.Inferred, confStatic
	return r
}

func plainName(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// scopedMember finds qualifier.name where definitions are known by their full names.
func (b binder) scopedMember(qualifier, name string, from int32) result {
	sep := b.separator()
	if rest, ok := strings.CutPrefix(qualifier, sep); ok {
		return b.memberOfFull([]string{rest}, name)
	}
	head, rest := b.headOf(qualifier)
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		if b.boundBy(im) != head || im.Module == "" && im.Name == "" {
			continue
		}
		full := im.Module
		if im.Name != "" && im.Name != "*" {
			full = strings.TrimPrefix(full+sep+im.Name, sep)
		}
		if rest != "" {
			full += sep + rest
		}
		r := b.memberOfFull([]string{full}, name)
		r.external = len(r.syms) == 0 && r.external
		return r
	}
	var prefixes []string
	for _, prefix := range b.nesting(from) {
		prefixes = append(prefixes, strings.TrimPrefix(prefix+sep+qualifier, sep))
	}
	for i := range b.f.Imports {
		if im := &b.f.Imports[i]; im.Name == "*" && b.Imports == ImportsNames {
			prefixes = append(prefixes, im.Module+sep+qualifier)
		}
	}
	r := b.memberOfFull(prefixes, name)
	r.external = r.external && len(r.syms) > 0
	return r
}

// memberOfFull finds a member of a namespace, module or type by the full names that it
// may have. Where none of them is defined, it is outside.
func (b binder) memberOfFull(fulls []string, name string) result {
	members := b.definers(name)
	for _, full := range fulls {
		if r := b.ofFull(members, full+b.separator()+name, graph.ReasonModule, confStatic); len(r.syms) > 0 {
			return r
		}
		_, last := b.split(full)
		r := b.ofFull(b.definers(last), full, graph.ReasonModule, confStatic)
		for _, s := range b.types(r).syms {
			if s.d().Kind == graph.KindNamespace {
				continue
			}
			if m := b.of(s, name, graph.Extracted, graph.ReasonModule, confStatic); m.found() {
				m.through = sym{}
				return m
			}
			return result{}
		}
	}
	return result{external: true}
}

// boundBy returns the name that an import binds, or "".
func (b binder) boundBy(im *graph.Import) string {
	switch {
	case im.Alias != "":
		return im.Alias
	case im.Name == "*":
		return ""
	case im.Name != "" || b.Imports != ImportsNames:
		return im.Name
	}
	return b.lastPart(im.Module)
}
