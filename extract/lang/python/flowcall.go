package python

import (
	"slices"
	"strconv"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// at evaluates the elements of a container under a key, as they are at pos.
func (f *flow) at(v flowValue, key sitter.Node, e flowEnv, pos uint32) []flowValue {
	var keys []string
	for _, k := range f.eval(key, e) {
		if k.kind == flowConstant {
			keys = append(keys, k.text)
		}
	}
	var out []flowValue
	if !f.listed(v) {
		return f.elements(v)
	}
	for _, k := range keys {
		out = union(out, f.under(v, k, e, pos))
	}
	if len(keys) == 0 {
		return f.elements(v)
	}
	return out
}

// listed reports whether the elements of a container are spelled out.
func (f *flow) listed(v flowValue) bool {
	switch f.t.Kind(v.node) {
	case kListComprehension, kSetComprehension, kDictComprehension, kGenerator:
		return false
	default:
	}
	return true
}

// under evaluates the element under one key: what was assigned there last, where that is
// sure, else what the literal has and what may be assigned besides.
func (f *flow) under(v flowValue, key string, e flowEnv, pos uint32) []flowValue {
	var out []flowValue
	sure := false
	stores := f.storedIn(v.node)
	for i := len(stores) - 1; i >= 0 && !sure; i-- {
		st := &stores[i]
		if st.scope == e.scope && st.pos > pos {
			continue
		}
		got, may, must := f.storedUnder(st, key)
		if may {
			out = union(out, got)
		}
		sure = must && st.direct && st.scope == e.scope && len(got) > 0
	}
	if sure {
		return out
	}
	parts := f.parts(v)
	if f.t.Kind(v.node) != kDictionary {
		if i, err := strconv.Atoi(key[1:]); err == nil && i < len(parts) {
			out = union(out, f.eval(parts[i], v.env))
		}
		return out
	}
	for _, p := range parts {
		for _, k := range f.eval(f.t.Child(p, fKey), v.env) {
			if k.kind == flowConstant && k.text == key {
				out = union(out, f.eval(f.t.Child(p, fValue), v.env))
			}
		}
	}
	return out
}

// storedUnder evaluates what an assignment puts under a key. may says that it can be
// that key, must that it is no other.
func (f *flow) storedUnder(st *flowStore, key string) (got []flowValue, may, must bool) {
	e := flowEnv{scope: st.scope}
	if st.all {
		for _, c := range f.eval(st.value, e) {
			if c.kind == flowContainer && f.t.Kind(c.node) == kDictionary {
				got = union(got, f.under(c, key, e, ^uint32(0)))
			}
		}
		return got, true, true
	}
	keys := f.eval(st.key, e)
	for _, k := range keys {
		may = may || k.kind != flowConstant || k.text == key
	}
	if len(keys) > 0 && !may {
		return nil, false, false
	}
	return f.eval(st.value, e), true, len(keys) == 1
}

// storedIn lists what is assigned to elements of a container.
func (f *flow) storedIn(container sitter.Node) []flowStore {
	if f.stored == nil {
		f.stored = make(map[sitter.Node][]flowStore)
		for _, st := range f.items {
			for _, v := range f.eval(st.object, flowEnv{scope: st.scope}) {
				if v.kind == flowContainer {
					f.stored[v.node] = append(f.stored[v.node], st)
				}
			}
		}
	}
	return f.stored[container]
}

// elements evaluates what a loop over a value takes.
func (f *flow) elements(v flowValue) []flowValue {
	var out []flowValue
	switch v.kind {
	case flowContainer:
		if !f.listed(v) {
			return f.eval(f.t.Child(v.node, fBody), flowEnv{f.scopes[v.node], v.env.call})
		}
		dict := f.t.Kind(v.node) == kDictionary
		for _, p := range f.parts(v) {
			if dict {
				p = f.t.Child(p, fValue)
			}
			out = union(out, f.eval(p, v.env))
		}
		for _, st := range f.storedIn(v.node) {
			got := f.eval(st.value, flowEnv{scope: st.scope})
			if !st.all {
				out = union(out, got)
				continue
			}
			for _, c := range got {
				if c.kind == flowContainer && c.node != v.node {
					out = union(out, f.elements(c))
				}
			}
		}
	case flowGenerator:
		for _, y := range f.scopes[v.node].yields {
			out = union(out, f.eval(y, v.env))
		}
	case flowIterable: // map(f, …)
		for fn := range f.t.Children(f.t.Child(v.node, fArguments)) {
			for _, fn := range f.eval(fn, v.env) {
				out = union(out, f.run(fn, flowSite{env: v.env}))
			}
		}
	case flowInstance:
		for _, it := range f.ofObject(v, "__iter__") {
			for _, r := range f.run(it, flowSite{bound: true}) {
				if r.kind == flowInstance {
					for _, next := range f.ofObject(r, "__next__") {
						out = union(out, f.run(next, flowSite{bound: true}))
					}
					continue
				}
				out = union(out, f.elements(r))
			}
		}
	default:
	}
	return out
}

// result evaluates a call.
func (f *flow) result(call sitter.Node, e flowEnv) []flowValue {
	t := f.t
	fn := t.Child(call, fFunction)
	if fn == sitter.None {
		return nil
	}
	if out, ok := f.builtin(fn, call, e); ok {
		return out
	}
	var out []flowValue
	for _, v := range f.eval(fn, e) {
		out = union(out, f.run(v, flowSite{call: call, env: e, bound: v.recv != sitter.None}))
	}
	return out
}

// builtin evaluates calls of methods of containers and of functions of the language that
// pass values on.
func (f *flow) builtin(fn, call sitter.Node, e flowEnv) (out []flowValue, ok bool) {
	t := f.t
	first := f.x.argument(call, 0)
	if t.Kind(fn) == kIdentifier {
		name := t.Text(fn)
		switch name {
		case "list", "tuple", "iter", "reversed", "sorted", "set", "next", "map", "getattr":
		default:
			return nil, false
		}
		if first == sitter.None || len(f.name(name, t.Start(fn), e)) > 0 {
			return nil, false
		}
		switch name {
		case "map":
			return []flowValue{{kind: flowIterable, node: call, env: e}}, true
		case "next":
			for _, v := range f.eval(first, e) {
				out = union(out, f.elements(v))
			}
			return out, true
		case "getattr":
			for _, attr := range f.constants(f.x.argument(call, 1), e) {
				out = union(out, f.attribute(f.eval(first, e), attr))
			}
			return out, true
		}
		return f.eval(first, e), true
	}
	if t.Kind(fn) != kAttribute {
		return nil, false
	}
	a := t.Child(fn, fAttribute)
	if a == sitter.None {
		return nil, false
	}
	method := t.Text(a)
	switch method {
	case "pop", "get", "values", "copy", "setdefault":
	default:
		return nil, false
	}
	for _, v := range f.eval(t.Child(fn, fObject), e) {
		if v.kind != flowContainer {
			continue
		}
		ok = true
		switch {
		case method == "values" || method == "copy":
			out = union(out, []flowValue{v})
		case first != sitter.None:
			out = union(out, f.at(v, first, e, t.Start(call)))
		default: // the last one
			out = union(out, f.part(v, flowPart{behind: 0}))
		}
	}
	return out, ok
}

// run evaluates what a call of a value returns.
func (f *flow) run(v flowValue, site flowSite) []flowValue {
	if f.depth >= maxFlowDepth || f.fuel <= 0 {
		return nil
	}
	f.fuel--
	f.depth++
	defer func() { f.depth-- }()
	switch v.kind {
	case flowClass:
		return []flowValue{{kind: flowInstance, node: v.node, made: site.call, env: site.env}}
	case flowOutside:
		if len(v.text) < maxType {
			return []flowValue{{kind: flowOutside, text: v.text + "()"}}
		}
	case flowInstance:
		var out []flowValue
		for _, m := range f.ofObject(v, "__call__") {
			site.bound = true
			out = union(out, f.run(m, site))
		}
		return out
	case flowFunction, flowLambda:
		s := f.scopes[v.node]
		if s == nil {
			return nil // in a part of the text that is not read
		}
		frame := &flowFrame{flowSite: site, fn: v.node, recv: v.recv, outer: v.env.call}
		e := flowEnv{s, frame}
		if len(s.yields) > 0 {
			return []flowValue{{kind: flowGenerator, node: v.node, env: e}}
		}
		var out []flowValue
		for _, r := range s.returns {
			out = union(out, f.eval(r, e))
		}
		return out
	default:
	}
	return nil
}

// param evaluates a parameter: from the call that is followed, else from all calls of
// the file.
func (f *flow) param(s *flowScope, i int, e flowEnv) []flowValue {
	p := &s.params[i]
	frame := e.call
	for frame != nil && frame.fn != s.node {
		frame = frame.outer
	}
	if p.self {
		class := s.parent.node
		if frame != nil && frame.recv != sitter.None {
			class = frame.recv
		}
		return []flowValue{{kind: flowInstance, node: class}}
	}
	if p.rest || f.blind {
		return nil
	}
	if frame != nil && (frame.call != sitter.None || len(frame.fixed) > 0) {
		return f.passed(s, i, &frame.flowSite)
	}
	sites := f.sitesOf(s.node)
	if len(sites) == 0 && p.value != sitter.None {
		return f.eval(p.value, flowEnv{scope: s.parent})
	}
	var out []flowValue
	for k := range sites {
		out = union(out, f.passed(s, i, &sites[k]))
	}
	return out
}

// passed evaluates what a call passes to a parameter.
func (f *flow) passed(s *flowScope, i int, site *flowSite) []flowValue {
	p := &s.params[i]
	at := i
	if len(s.params) > 0 && s.params[0].self && site.bound {
		at--
	}
	if len(site.fixed) > 0 {
		if at == 0 {
			return site.fixed
		}
		return f.eval(p.value, flowEnv{scope: s.parent})
	}
	args := sitter.None
	if site.call != sitter.None {
		args = f.t.Child(site.call, fArguments)
	}
	if args != sitter.None && f.t.Kind(args) == kArgumentList {
		for c := range f.t.Children(args) {
			switch f.t.Kind(c) {
			case kComment:
				continue
			case kListSplat, kDictSplat:
				return nil
			case kKeywordArgument:
				if f.t.Is(f.t.Child(c, fName), p.name) {
					return f.eval(f.t.Child(c, fValue), site.env)
				}
				continue
			default:
			}
			if at == 0 {
				return f.eval(c, site.env)
			}
			at--
		}
	}
	return f.eval(p.value, flowEnv{scope: s.parent})
}

// sitesOf lists the calls of a function in the file. Calls of parameters are known only
// once others are, so they are looked for in rounds.
func (f *flow) sitesOf(fn sitter.Node) []flowSite {
	if f.sites == nil {
		f.sites = make(map[sitter.Node][]flowSite)
		f.blind = true
		depth := f.depth
		for range maxFlowRounds {
			f.depth = 0
			found := f.findSites()
			if f.blind = false; !found {
				break
			}
		}
		f.depth = depth
	}
	return f.sites[fn]
}

func (f *flow) findSites() (found bool) {
	for i := range f.calls {
		c := &f.calls[i]
		if c.callee == sitter.None || c.kind != kCall && c.kind != kDecorator {
			continue
		}
		if a := f.t.Child(c.callee, fAttribute); a != sitter.None && !f.methods[f.t.Text(a)] && len(f.fields[f.t.Text(a)]) == 0 {
			continue // of something else
		}
		e := flowEnv{scope: c.scope}
		for _, v := range f.eval(c.callee, e) {
			site := flowSite{call: c.node, env: e, bound: v.recv != sitter.None}
			if c.kind == kDecorator {
				site.call, site.given = sitter.None, c.callee
				i := slices.Index(f.decorators(c.given), c.callee)
				site.fixed = f.decoratedFrom(c.given, e, i+1)
			}
			fn := v.node
			switch v.kind {
			case flowFunction, flowLambda:
			case flowClass:
				b, _, ok := f.member(v.node, "__init__")
				if !ok || b.kind != bindDef {
					continue
				}
				fn, site.bound = b.value, true
			default:
				continue
			}
			same := func(o flowSite) bool { return o.call == site.call && o.given == site.given }
			if !slices.ContainsFunc(f.sites[fn], same) {
				f.sites[fn] = append(f.sites[fn], site)
				found = true
			}
		}
	}
	return found
}
