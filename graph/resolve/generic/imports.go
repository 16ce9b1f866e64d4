package generic

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Import implements graph.Resolver.
func (r Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	return r.binder(v, f, id).importOf(&f.Imports[i]).binding()
}

// importOf finds what an import takes.
func (b binder) importOf(im *graph.Import) result {
	if !b.spend() {
		return result{}
	}
	switch b.Imports {
	case ImportsPaths, ImportsDotted:
		return b.file(im)
	case ImportsNames:
		return b.fullName(im)
	default:
		return result{}
	}
}

// file finds the file that an import of a path leads to, or the definition that is
// taken from it.
func (b binder) file(im *graph.Import) result {
	target := strings.TrimPrefix(im.Module, "./")
	if b.Imports == ImportsDotted {
		target = strings.ReplaceAll(target, b.separator(), "/")
	}
	id, ok := b.lookup(graph.Path(target))
	if !ok {
		if r := b.folder(target); len(r.syms) > 0 {
			return r
		}
		return result{external: !strings.HasPrefix(im.Module, "."), reason: graph.ReasonImport}
	}
	f := b.facts(id)
	if f == nil {
		f = &graph.Facts{}
	}
	s := sym{f, id, graph.NoDef}
	if im.Name != "" && im.Name != "*" {
		if r := b.inFile(s, im.Name); len(r.syms) > 0 {
			r.reason = graph.ReasonImport
			return r
		}
	}
	return result{syms: []sym{s}, prov: graph.Extracted, reason: graph.ReasonImport, conf: confImport}
}

// folder finds the files of a folder that an import takes as a whole.
func (b binder) folder(target string) result {
	r := result{prov: graph.Extracted, reason: graph.ReasonImport, conf: confImport, whole: true}
	if dir, ok := b.f.Path.Dir().Join(target); ok && b.Addresses {
		for _, id := range b.v.Dir(dir) {
			if f := b.facts(id); f != nil {
				r.syms = append(r.syms, sym{f, id, graph.NoDef})
			}
		}
	}
	return r
}

// lookup finds a file from the folder of the importing one, from those above it, and
// from the usual folders below these.
func (b binder) lookup(target graph.Path) (graph.FileID, bool) {
	for dir := b.f.Path.Dir(); ; dir = dir.Dir() {
		if id, ok := b.below(dir, target); ok {
			return id, true
		}
		for _, folder := range b.Folders {
			if in, ok := dir.Join(folder); ok {
				if id, ok := b.below(in, target); ok {
					return id, true
				}
			}
		}
		if dir == "" {
			return 0, false
		}
	}
}

func (b binder) below(dir, target graph.Path) (graph.FileID, bool) {
	p, ok := dir.Join(string(target))
	if !ok {
		return 0, false
	}
	if id, ok := b.v.Lookup(p); ok {
		return id, true
	}
	for _, suffix := range b.Suffixes {
		if id, ok := b.v.Lookup(p + graph.Path(suffix)); ok {
			return id, true
		}
	}
	return 0, false
}

// fullName finds the definition of a full name.
func (b binder) fullName(im *graph.Import) result {
	full := strings.TrimPrefix(im.Module, b.separator())
	if im.Name != "" && im.Name != "*" {
		full = strings.TrimPrefix(full+b.separator()+im.Name, b.separator())
	}
	_, last := b.split(full)
	r := b.ofFull(b.definers(last), full, graph.ReasonImport, confImport)
	r.external = len(r.syms) == 0
	return b.defined(r.implemented()).overloaded()
}

// imported finds a name that an import of the file binds. Where a module and what is taken
// from it go by one name, as they may where files are modules, the latter is meant.
func (b binder) imported(name string) result {
	outside := false
	taken := b.Imports == ImportsDotted && slices.ContainsFunc(b.f.Imports, func(im graph.Import) bool { return im.Name == name })
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		bound := b.boundBy(im)
		if bound == "" || !b.same(bound, name) || taken && im.Name != name {
			continue
		}
		r := b.importOf(im)
		if len(r.syms) > 0 {
			return r
		}
		outside = outside || r.external
	}
	return result{external: outside}
}

// variant finds a member of an enumeration that the file imports by its name.
func (b binder) variant(name string) result {
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		if !b.proper(im.Name) || !b.proper(name) || im.Alias != "" {
			continue
		}
		for _, s := range b.importOf(im).syms {
			if s.def == graph.NoDef || s.d().Kind != graph.KindEnum {
				continue
			}
			for j := s.f.NextNamed(name, 0); j != graph.NoDef; j = s.f.NextNamed(name, j+1) {
				if s.f.Defs[j].Container == s.def {
					return result{syms: []sym{{s.f, s.id, j}}, prov: graph.Extracted, reason: graph.ReasonImport, conf: confImport}
				}
			}
		}
	}
	return result{}
}

// starImported finds a name in the packages or files of which the file takes all.
func (b binder) starImported(name string) result {
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		if im.Alias != "" || im.Name != "*" && im.Name != "" || !b.spend() {
			continue
		}
		if b.Imports == ImportsNames {
			if r := b.inPackage(name, strings.TrimPrefix(im.Module, b.separator()), graph.ReasonStar, confPackage); len(r.syms) > 0 {
				return r
			}
			if b.Scoped { // the members of a type
				if r := b.ofFull(b.definers(name), im.Module+b.separator()+name, graph.ReasonStar, confPackage); len(r.syms) > 0 {
					return r
				}
			}
			continue
		}
		for _, s := range b.importOf(im).syms {
			if s.def != graph.NoDef || s.f.Language == "" {
				continue
			}
			r := b.inFile(s, name)
			if len(r.syms) == 0 { // what that file takes in its turn
				r = b.in(s).starImported(name)
			}
			if len(r.syms) > 0 {
				r.reason = graph.ReasonStar
				return r
			}
		}
	}
	return result{}
}

// fileNames lists the last parts of imports that lead to a file: its name, without the
// suffix too, the folder that it stands for, and the aliases that imports give it.
func (b binder) fileNames() []string {
	base := b.f.Path.Base()
	stem := strings.TrimSuffix(base, b.f.Path.Ext())
	out := appendNew([]string{base}, stem)
	for _, suffix := range b.Suffixes {
		if strings.HasPrefix(suffix, "/") && strings.HasSuffix(string(b.f.Path), suffix) {
			out = appendNew(out, b.f.Path.Dir().Base())
		}
	}
	if dir := b.f.Path.Dir(); b.Addresses && dir != "" {
		out = appendNew(out, dir.Base()) // an import takes the folder
	}
	if b.f.Package != "" {
		out = appendNew(out, b.lastPart(b.f.Package))
	}
	for _, name := range out {
		for n, id := range graph.ByPath(b.v, b.v.Referrers(name)) {
			g := b.facts(id)
			if g == nil || n == maxDefiners {
				continue
			}
			for i := range g.Imports {
				if im := &g.Imports[i]; im.Alias != "" && b.lastPart(im.Module) == name {
					out = appendNew(out, im.Alias)
				}
			}
		}
	}
	return out
}
