package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// addressed finds the definition of the folder that has the name inside its file: of a
// module's, that of the folder that the module is taken from.
func (b binder) addressed(local string) result {
	if r := b.inFolder(local, b.f.Path.Dir()); len(r.syms) > 0 {
		return r
	}
	if rest, ok := strings.CutPrefix(local, "module."); ok {
		if module, name, ok := strings.Cut(rest, "."); ok {
			return b.ofModule("module."+module, name)
		}
	}
	if strings.HasSuffix(string(b.f.Path), ".tfvars") { // its values are given to a folder above
		for dir := b.f.Path.Dir(); dir != "" && b.spend(); {
			dir = dir.Dir()
			if r := b.inFolder(local, dir); len(r.syms) > 0 {
				r.prov, r.conf = graph.Inferred, confNear
				return r
			}
		}
	}
	return result{}
}

// inFolder finds the definition of a folder that has the name inside its file.
func (b binder) inFolder(local string, dir graph.Path) result {
	r := result{prov: graph.Extracted, reason: graph.ReasonPackage, conf: confPackage}
	_, name := b.split(local)
	for _, s := range b.definers(name) {
		if s.d().Local == local && s.f.Path.Dir() == dir {
			r.syms = append(r.syms, s)
		}
	}
	return r.overloaded()
}

// ofModule finds the output of a module, or where something is set the variable.
func (b binder) ofModule(address, name string) result {
	local := "output." + name
	if b.use == graph.UseWrite {
		local = "var." + name
	}
	outside := false
	for _, s := range b.inFolder(address, b.f.Path.Dir()).syms {
		in := b.in(s)
		for i := range s.f.Imports {
			im := &s.f.Imports[i]
			if im.Enclosing != s.def {
				continue
			}
			taken := in.importOf(im)
			outside = outside || taken.external
			if len(taken.syms) == 0 {
				continue
			}
			r := b.inFolder(local, taken.syms[0].f.Path.Dir())
			r.reason, r.conf = graph.ReasonImport, confStatic
			if len(r.syms) > 0 {
				return r
			}
		}
	}
	return result{external: outside}
}

// key finds a key of the file below another.
func (b binder) key(qualifier, name string) result {
	r := result{prov: graph.Extracted, reason: graph.ReasonScope, conf: confScope}
	for i := b.f.NextNamed(name, 0); i != graph.NoDef; i = b.f.NextNamed(name, i+1) {
		if in := b.f.Defs[i].Container; in != graph.NoDef && b.f.Defs[in].Local == qualifier {
			r.syms = append(r.syms, sym{b.f, b.id, i})
		}
	}
	return r
}
