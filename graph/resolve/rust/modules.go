package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// place is a definition, or with NoDef a file: as a module, or as an item.
type place struct {
	id  graph.FileID
	def int32
}

// entity is what a path denotes.
type entity struct {
	kind entityKind
	place
	text string // of what is external, its path
	via  viaRule
}

type entityKind uint8

const (
	isNothing   entityKind = iota
	isModule               // place
	isItem                 // place
	isOutside              // of another crate, or the language: text
	isTypeParam            // text: its name; place: the definition that has it
)

// viaRule says how a name was found in a module.
type viaRule uint8

const (
	viaItem   viaRule = iota // defined there
	viaImport                // named by a use
	viaGlob                  // through use …::*
)

// namespace is a set of the spaces of names in the language.
type namespace uint8

const (
	nsType namespace = 1 << iota
	nsValue
	nsMacro
)

// holds reports whether a definition has a name in one of the spaces.
func (ns namespace) holds(d *graph.Def) bool {
	if isMacro(d) {
		return ns&nsMacro != 0
	}
	switch d.Kind {
	case graph.KindFunction, graph.KindConstant, graph.KindVariable:
		return ns&nsValue != 0
	case graph.KindStruct, graph.KindEnumMember:
		return ns&(nsType|nsValue) != 0
	case graph.KindEnum, graph.KindInterface, graph.KindType, graph.KindNamespace:
		return ns&nsType != 0
	}
	return false
}

func isMacro(d *graph.Def) bool { return d.Kind == graph.KindMacro }

// moduleAround is the module that a definition stands in.
func moduleAround(f *graph.Facts, def int32) int32 {
	for n := 0; def >= 0 && int(def) < len(f.Defs) && n <= len(f.Defs); n++ {
		if f.Defs[def].Kind == graph.KindNamespace {
			return def
		}
		def = f.Defs[def].Container
	}
	return graph.NoDef
}

// parent returns the module around a module; ok is false for the root of a crate.
func (b *binder) parent(m place) (place, bool) {
	f := b.facts(m.id)
	if f == nil {
		return place{}, false
	}
	if m.def != graph.NoDef {
		return place{m.id, moduleAround(f, f.Defs[m.def].Container)}, true
	}
	up := graph.Derived(b.v, graph.Derivation{Rule: ruleParent, In: string(f.Path)}, func() place { return b.findParent(f.Path, m.id) })
	return up, up.id != 0
}

// root returns the root of the crate that a module belongs to.
func (b *binder) root(m place) place {
	for range maxDepth {
		up, ok := b.parent(m)
		if !ok {
			break
		}
		m = up
	}
	return m
}

// findParent finds the file that declares the module which a file is.
func (b *binder) findParent(p graph.Path, id graph.FileID) place {
	dir, name := p.Dir(), strings.TrimSuffix(p.Base(), ".rs")
	switch name {
	case "lib", "main":
		if up := b.declarerByPath(p, id); up.id != 0 {
			return up
		}
		return place{}
	case "mod":
		dir, name = dir.Dir(), dir.Base()
	}
	for _, c := range [...]string{"mod.rs", "lib.rs", "main.rs"} {
		if q, ok := dir.Join(c); ok {
			if up := b.declares(q, name, id); up.id != 0 {
				return up
			}
		}
	}
	if dir != "" {
		if up := b.declares(dir+".rs", name, id); up.id != 0 {
			return up
		}
		for _, c := range [...]string{"mod.rs", "lib.rs", "main.rs"} { // mod dir { mod name; }
			if q, ok := dir.Dir().Join(c); ok {
				if up := b.declares(q, name, id); up.id != 0 {
					return up
				}
			}
		}
	}
	return b.declarerByPath(p, id)
}

// declares returns the module of a file that declares the module of another one.
func (b *binder) declares(in graph.Path, name string, child graph.FileID) place {
	up, ok := b.v.Lookup(in)
	if !ok || up == child {
		return place{}
	}
	f := b.facts(up)
	if f == nil {
		return place{}
	}
	for i := range f.Imports {
		if im := &f.Imports[i]; im.Alias == name && strings.HasPrefix(im.Module, "./") && b.moduleFile(f, up, i) == child {
			return place{up, moduleAround(f, im.Enclosing)}
		}
	}
	return place{}
}

// declarerByPath finds who names a file with #[path], or declares it from the root of
// another crate: a test, an example, a program.
func (b *binder) declarerByPath(p graph.Path, child graph.FileID) place {
	name := strings.TrimSuffix(p.Base(), ".rs")
	if name == "mod" {
		name = p.Dir().Base()
	}
	for _, key := range [...]string{p.Base(), name} {
		ids := b.v.Referrers(key)
		if len(ids) > maxReferrers {
			continue
		}
		for _, id := range ids {
			rec, ok := b.v.File(id)
			if !ok || rec.Language != "rust" || id == child {
				continue
			}
			f := b.facts(id)
			if f == nil {
				continue
			}
			for i := range f.Imports {
				im := &f.Imports[i]
				if strings.HasPrefix(im.Module, "./") && graph.LastElement(im.Module) == key && b.moduleFile(f, id, i) == child {
					return place{id, moduleAround(f, im.Enclosing)}
				}
			}
		}
	}
	return place{}
}

// maxReferrers bounds the files that are read to find who declares a module.
const maxReferrers = 64

// moduleFile returns the file of the module that an import declares, or 0.
func (b *binder) moduleFile(f *graph.Facts, id graph.FileID, i int) graph.FileID {
	im := &f.Imports[i]
	rel, dir := strings.TrimPrefix(im.Module, "./"), f.Path.Dir()
	inner := ""
	for at := moduleAround(f, im.Enclosing); at != graph.NoDef; at = moduleAround(f, f.Defs[at].Container) {
		inner = f.Defs[at].Name + "/" + inner
	}
	stem := strings.TrimSuffix(f.Path.Base(), ".rs") + "/"
	var tries []string
	switch {
	case strings.HasSuffix(rel, ".rs") && inner == "":
		tries = []string{rel, im.Alias + ".rs", im.Alias + "/mod.rs"} // the path may be conditional
	case strings.HasSuffix(rel, ".rs"):
		tries = []string{inner + rel, stem + inner + rel}
	default:
		tries = []string{stem + inner + rel + ".rs", stem + inner + rel + "/mod.rs", inner + rel + ".rs", inner + rel + "/mod.rs"}
		if stem == "mod/" || stem == "lib/" || stem == "main/" {
			tries = tries[2:]
		}
	}
	for _, t := range tries {
		if p, ok := dir.Join(t); ok {
			if file, ok := b.v.Lookup(p); ok && file != id {
				return file
			}
		}
	}
	return 0
}

const maxDepth = 24 // of modules, re-exports and aliases

// inModule finds a name in a module: what it defines, declares, and takes by use.
func (b *binder) inModule(m place, name string, ns namespace) []entity {
	key := graph.Derivation{Rule: ruleName, File: m.id, Name: name, Owner: ownerKey(m.def, ns)}
	d, keeps := b.v.(graph.Deriver)
	if keeps {
		if val, ok := d.Derived(&key); ok {
			return val.([]entity)
		}
	}
	busy := busyKey{m, name, ns}
	if b.busy[busy] || len(b.busy) > maxDepth {
		b.cut = true
		return nil
	}
	b.busy[busy] = true
	outer := b.cut
	b.cut = false
	out := b.findIn(m, name, ns)
	delete(b.busy, busy)
	if keeps && !b.cut { // what a cycle cut short is not the whole answer
		d.Derive(&key, func() any { return out })
	}
	b.cut = (b.cut || outer) && len(b.busy) > 0
	return out
}

func ownerKey(def int32, ns namespace) string {
	return string([]byte{byte(ns), byte(def), byte(def >> 8), byte(def >> 16), byte(def >> 24)})
}

func (b *binder) findIn(m place, name string, ns namespace) []entity {
	f := b.facts(m.id)
	if f == nil {
		return nil
	}
	var out []entity
	for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
		if d := &f.Defs[i]; d.Container == m.def && d.Owner == "" && ns.holds(d) {
			if d.Kind == graph.KindNamespace {
				out = append(out, entity{kind: isModule, place: place{m.id, i}})
			} else {
				out = append(out, entity{kind: isItem, place: place{m.id, i}})
			}
		}
	}
	for i := range f.Imports {
		if im := &f.Imports[i]; im.Alias == name && im.Enclosing == m.def && strings.HasPrefix(im.Module, "./") && ns&nsType != 0 {
			if file := b.moduleFile(f, m.id, i); file != 0 {
				out = append(out, entity{kind: isModule, place: place{file, graph.NoDef}})
			}
		}
	}
	if len(out) > 0 && (ns&(nsValue|nsMacro) == 0 || out[0].kind != isModule) {
		return out // beside a module there may be a function of its name
	}
	in := b.on(m.id, f)
	for i := range f.Imports {
		if im := &f.Imports[i]; im.Alias == name && im.Enclosing == m.def && im.Name != "*" && !strings.HasPrefix(im.Module, "./") {
			out = appendVia(out, in.imported(i, ns), viaImport)
		}
	}
	if len(out) > 0 {
		return out
	}
	return in.byGlobs(m, name, ns)
}

// byGlobs finds a name through "use …::*".
func (b *binder) byGlobs(m place, name string, ns namespace) (out []entity) {
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		if im.Name != "*" || im.Enclosing != m.def {
			continue
		}
		for _, e := range b.path(splitPath(im.Module), m.def, nsType, true) {
			var found []entity
			switch e.kind {
			case isModule:
				if e.place != m {
					found = b.inModule(e.place, name, ns)
				}
			case isItem:
				found = b.variants(e, name)
			default:
			}
			out = appendVia(out, found, viaGlob)
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

func appendVia(out, found []entity, via viaRule) []entity {
	for _, e := range found {
		e.via = max(e.via, via)
		dup := false
		for _, o := range out {
			dup = dup || o.kind == e.kind && o.place == e.place && o.text == e.text
		}
		if !dup {
			out = append(out, e)
		}
	}
	return out
}

// imported resolves the path of a use.
func (b *binder) imported(i int, ns namespace) []entity {
	im := &b.f.Imports[i]
	p := im.Module
	if im.Name != "" {
		p += "::" + im.Name
	}
	return b.path(splitPath(p), im.Enclosing, ns, true)
}

// variants finds a variant of an enum.
func (b *binder) variants(e entity, name string) (out []entity) {
	f := b.facts(e.id)
	if f == nil || f.Defs[e.def].Kind != graph.KindEnum {
		return nil
	}
	for i := f.NextNamed(name, 0); i != graph.NoDef; i = f.NextNamed(name, i+1) {
		if d := &f.Defs[i]; d.Container == e.def && d.Kind == graph.KindEnumMember {
			out = append(out, entity{kind: isItem, place: place{e.id, i}})
		}
	}
	return out
}

// splitPath splits a path at "::" outside brackets; type arguments are left out.
func splitPath(p string) []string {
	var out []string
	depth, from := 0, 0
	add := func(s string) {
		if i := strings.IndexByte(s, '<'); i > 0 {
			s = s[:i]
		}
		if s = strings.TrimSpace(s); !strings.HasPrefix(s, "<") || len(out) == 0 {
			out = append(out, s)
		}
	}
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		case ':':
			if depth == 0 && i+1 < len(p) && p[i+1] == ':' {
				add(p[from:i])
				from = i + 2
				i++
			}
		}
	}
	add(p[from:])
	return out
}
