package ruby

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Ref implements graph.Resolver.
func (Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	r, ref := newRun(v), &f.Refs[i]
	at := place{f, id, ref.Enclosing}
	switch ref.Hint.Rule {
	case graph.HintBlock:
		return r.given(at, ref).binding()
	case graph.HintClass:
		return r.made(at, ref).binding()
	case graph.HintFlow:
		return r.flow(at, ref).binding()
	case graph.HintValue:
		return r.member(at, ref).binding()
	case graph.HintLocal:
		return r.guess(ref).binding()
	}
	if capital(ref.Name) && ref.Use != graph.UseCall || ref.Qualifier != "" {
		return r.constantRef(at, full(ref)).binding()
	}
	return r.plain(at, ref).binding()
}

func capital(s string) bool { return s[0] >= 'A' && s[0] <= 'Z' }

// full returns a path of constants as it is written.
func full(ref *graph.Ref) string {
	switch ref.Qualifier {
	case "":
		return ref.Name
	case "::":
		return "::" + ref.Name
	}
	return ref.Qualifier + "::" + ref.Name
}

// given binds the name of what a test's let defines.
func (r *run) given(at place, ref *graph.Ref) found {
	offset, err := strconv.Atoi(ref.Hint.Type)
	if err != nil {
		return found{}
	}
	for i := at.f.NextNamed(ref.Name, 0); i != graph.NoDef; i = at.f.NextNamed(ref.Name, i+1) {
		if int(at.f.Defs[i].NameSpan.Start) == offset {
			return found{syms: []sym{{at.f, at.id, i}}, prov: graph.Extracted, reason: graph.ReasonScope, conf: confSure}
		}
	}
	return found{}
}

// made binds C.new: to what it runs, or else to the class.
func (r *run) made(at place, ref *graph.Ref) found {
	class := r.constantRef(at, full(ref))
	if len(class.syms) == 0 {
		return class
	}
	if s := class.syms[0]; !isClass(s.d().Kind) {
		of := r.constantValue(at, full(ref), 0)
		if len(of.all) == 1 && of.all[0].static && !of.open {
			return r.making(at, of.all[0].full, class)
		}
		return class
	}
	return r.making(at, class.syms[0].d().Local, class)
}

// making finds what makes an object of a class: its own new, initialize, or the class.
func (r *run) making(at place, full string, class found) found {
	steps, _ := r.steps(full, true)
	syms, _, ok := r.lookup(steps, "new")
	if !ok {
		steps, _ = r.steps(full, false)
		syms, _, ok = r.lookup(steps, "initialize")
	}
	if !ok {
		if class.syms == nil {
			return r.main(at, r.open(full))
		}
		return class
	}
	class.syms = syms
	return class
}

// flow binds super, new of an object that is a class, and the names of callbacks.
func (r *run) flow(at place, ref *graph.Ref) found {
	if ref.Hint.Type == "super()" {
		return r.super(at, ref)
	}
	if ref.Hint.Type == "instance" {
		full, _, _ := at.around()
		if full == "" {
			return found{}
		}
		return r.ofClass(at, value{full: full}, ref)
	}
	text := strings.TrimSuffix(ref.Hint.Type, ".new()")
	self := at.self()
	of := r.eval(spelled{text, at, self}, 0)
	out := found{prov: graph.Inferred, reason: graph.ReasonSelf, conf: confMade, external: of.outside}
	for _, v := range of.all {
		if !v.static {
			continue
		}
		m := r.making(at, v.full, found{})
		out.syms = append(out.syms, m.syms...)
	}
	if of.open {
		out.conf = confOpen
	}
	return out
}

// super binds super: to the next method of the name behind the class that the text
// stands in. Behind a module it depends on what includes it.
func (r *run) super(at place, ref *graph.Ref) found {
	owner, static, _ := at.around()
	if owner == "" {
		return found{}
	}
	heirs := []string{owner}
	module := false
	for _, s := range r.open(owner) {
		module = module || s.d().Kind == graph.KindModule
	}
	if module && !static {
		heirs = r.heirs(owner)
	}
	out := found{prov: graph.Extracted, reason: graph.ReasonInherited, conf: confInherited}
	for _, heir := range heirs {
		steps, open := r.steps(heir, static)
		i := 0
		for i < len(steps) && steps[i] != (step{owner, static}) {
			i++
		}
		if i == len(steps) {
			continue
		}
		syms, _, ok := r.lookup(steps[i+1:], ref.Name)
		out.external = out.external || !ok && (open || isCore(ref.Name) || ref.Name == "initialize")
		for _, s := range syms {
			if !has(out.syms, s) {
				out.syms = append(out.syms, s)
			}
		}
		if ok && open {
			out.prov, out.conf = graph.Inferred, confMade
		}
	}
	if module {
		out.prov, out.conf = graph.Inferred, confWithin
	}
	if len(out.syms) > maxCandidates {
		return found{}
	}
	return out
}

func has(list []sym, s sym) bool {
	for _, x := range list {
		if x.symbol() == s.symbol() {
			return true
		}
	}
	return false
}

// plain binds a call without a receiver.
func (r *run) plain(at place, ref *graph.Ref) found {
	self := at.self()
	_, _, body := at.around()
	open := false
	if self.full != "" {
		out := r.ofSelf(at, self, ref.Name)
		if len(out.syms) == 0 && body { // a block that runs on an object
			if out = r.ofSelf(at, value{full: self.full}, ref.Name); len(out.syms) > 0 && out.prov == graph.Extracted {
				out.prov, out.conf = graph.Inferred, confMade
			}
		}
		if len(out.syms) > 0 {
			return out
		}
		_, open = r.steps(self.full, self.static)
	}
	if out := r.function(at, ref.Name); len(out.syms) > 0 && (self.full == "" || !isCore(ref.Name)) {
		return out
	}
	if self.full != "" {
		if out := r.below(self, ref.Name); len(out.syms) > 0 {
			return out
		}
	}
	if open && !isCore(ref.Name) {
		if out := r.guess(ref); len(out.syms) > 0 {
			return out
		}
	}
	return found{external: open || isCore(ref.Name) || capital(ref.Name)}
}

// ofSelf binds a method of self.
func (r *run) ofSelf(at place, self value, name string) found {
	steps, open := r.steps(self.full, self.static)
	syms, where, ok := r.lookup(steps, name)
	if !ok {
		return found{}
	}
	out := found{syms: syms, prov: graph.Extracted, reason: graph.ReasonSelf, conf: confSelf}
	if where.full != self.full {
		out.reason, out.conf = graph.ReasonInherited, confInherited
		if open {
			out.prov, out.conf = graph.Inferred, confMade
		}
	}
	if class := r.main(at, r.open(self.full)); len(class.syms) > 0 {
		out.through = class.syms[0]
	}
	return out
}

// below finds a method of the classes that include a module, or of those below a class
// that leaves it to them.
func (r *run) below(self value, name string) found {
	out := found{prov: graph.Inferred, reason: graph.ReasonOverride, conf: confTemplate}
	for _, s := range r.open(self.full) {
		if s.d().Kind == graph.KindModule {
			out.conf = confWithin
		}
	}
	if len(r.named(name)) == 0 {
		return found{}
	}
	for _, heir := range r.heirs(self.full)[1:] {
		r.fuel = max(r.fuel, maxSteps/4)
		steps, _ := r.steps(heir, self.static)
		syms, _, _ := r.lookup(steps, name)
		for _, s := range syms {
			if !has(out.syms, s) {
				out.syms = append(out.syms, s)
			}
		}
	}
	if len(out.syms) > maxCandidates {
		return found{}
	}
	return out
}

// function finds a method of a name that stands in no class: of the file, or else the
// only one of the folder or of the tree.
func (r *run) function(at place, name string) found {
	var here, near, far []sym
	for _, m := range r.named(name) {
		if m.owner != "" || m.d().Has(graph.FlagFixture) || m.d().Has(graph.FlagTest) || m.d().Container != graph.NoDef && m.id != at.id {
			continue
		}
		switch {
		case m.id == at.id:
			here = append(here, m.sym)
		case m.f.Path.Dir() == at.f.Path.Dir():
			near = append(near, m.sym)
		default:
			far = append(far, m.sym)
		}
	}
	out := found{prov: graph.Inferred, reason: graph.ReasonUnique, conf: confGlobal}
	switch {
	case len(here) > 0:
		return found{syms: here[len(here)-1:], prov: graph.Extracted, reason: graph.ReasonScope, conf: confSure}
	case len(near) > 0:
		out.syms = near
	default:
		out.syms = far
	}
	if len(out.syms) > maxCandidates {
		return found{}
	}
	if len(out.syms) > 1 {
		out.reason = graph.ReasonCandidates
	}
	return out
}

// member binds a method of what an expression gives.
func (r *run) member(at place, ref *graph.Ref) found {
	text, writes := strings.CutSuffix(ref.Hint.Type, " =")
	if writes {
		as := *ref
		as.Use = graph.UseWrite
		ref = &as
	}
	of := r.eval(spelled{text, at, at.self()}, 0)
	out := found{prov: graph.Inferred, reason: reasonOf(text, of), conf: confMade}
	missing := false
	for _, v := range of.all {
		in := r.ofClass(at, v, ref)
		switch {
		case len(in.syms) > 0:
			for _, s := range in.syms {
				if !has(out.syms, s) {
					out.syms = append(out.syms, s)
				}
			}
			out.through = in.through
			if len(of.all) == 1 && (text == "self" || v.static && !of.chain) {
				out.prov, out.conf, out.reason = in.prov, in.conf, in.reason
				if text != "self" {
					out.through = sym{}
					if out.reason == graph.ReasonSelf {
						out.reason = graph.ReasonModule
					}
				}
			}
		case in.external:
			of.outside = true
		default:
			missing = true
		}
	}
	switch {
	case len(out.syms) == 0 && missing:
		return found{}
	case len(out.syms) == 0 && of.outside && !of.open:
		return found{external: true, reason: out.reason}
	case len(out.syms) == 0:
		return r.guess(ref)
	case of.open || of.outside:
		out.prov, out.conf = graph.Inferred, confOpen
	}
	return out
}

func reasonOf(text string, of values) graph.Reason {
	switch {
	case text == "self":
		return graph.ReasonSelf
	case of.chain:
		return graph.ReasonMember
	case strings.Contains(text, ".new()"):
		return graph.ReasonConstructed
	}
	return graph.ReasonMember
}

// ofClass binds a method of an object of a class, or of the class.
func (r *run) ofClass(at place, v value, ref *graph.Ref) found {
	if v.full == "" {
		return found{external: true}
	}
	if ref.Name == "new" && v.static {
		out := r.making(at, v.full, found{prov: graph.Inferred, reason: graph.ReasonConstructed, conf: confMade})
		return out
	}
	names := []string{ref.Name}
	if ref.Use == graph.UseWrite {
		names = []string{ref.Name + "=", ref.Name}
	}
	for _, name := range names {
		if out := r.ofSelf(at, v, name); len(out.syms) > 0 {
			return out
		}
	}
	steps, open := r.steps(v.full, v.static)
	if _, _, ok := r.lookup(steps, "method_missing"); ok || open || isCore(ref.Name) {
		return found{external: true}
	}
	if at.self() == v {
		return r.below(v, ref.Name)
	}
	return found{}
}

// guess finds the methods of a name where nothing is known of the object. What the
// classes of the language have is no guess.
func (r *run) guess(ref *graph.Ref) found {
	if ref.Use == graph.UseRead || isCore(ref.Name) {
		return found{}
	}
	out := found{prov: graph.Inferred, reason: graph.ReasonUnique, conf: confUnique}
	all := r.named(ref.Name)
	if ref.Use == graph.UseWrite {
		all = append(slices.Clone(all), r.named(ref.Name+"=")...)
	}
	for _, m := range all {
		if m.owner != "" && !m.d().Has(graph.FlagLocal) {
			out.syms = append(out.syms, m.sym)
		}
	}
	out.syms = r.tops(out.syms)
	switch {
	case len(out.syms) > maxCandidates:
		return found{}
	case len(out.syms) > 1:
		out.reason = graph.ReasonCandidates
	}
	return out
}

// tops drops the methods that stand in for another of the list.
func (r *run) tops(syms []sym) []sym {
	if len(syms) < 2 || len(syms) > 4*maxCandidates {
		return syms
	}
	var out []sym
	for _, s := range syms {
		top := true
		mine := ownerOf(s.f, s.def)
		for _, t := range syms {
			other := ownerOf(t.f, t.def)
			if other == mine {
				continue
			}
			for _, full := range r.order(mine).list {
				top = top && full != other
			}
		}
		if top {
			out = append(out, s)
		}
	}
	return out
}
