package python

import (
	"slices"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// emitGiven adds what functions of the language run of those that they are given:
// map(f, …), sorted(…, key=f). The call stands where the function is given.
func (f *flow) emitGiven(c *flowCall) {
	if c.kind != kCall || c.scope.enclosing().lambda {
		return
	}
	args := f.t.Child(c.node, fArguments)
	positional, key := f.runsGiven(c)
	if args == sitter.None || f.t.Kind(args) != kArgumentList || !positional && !key {
		return
	}
	for a := range f.t.Children(args) {
		value := a
		switch f.t.Kind(a) {
		case kComment, kListSplat, kDictSplat:
			continue
		case kKeywordArgument:
			if value = f.t.Child(a, fValue); !key || !f.t.Is(f.t.Child(a, fName), "key") {
				continue
			}
		default:
			if !positional {
				continue
			}
		}
		// What a method of an object is, a class that derives from its own may say.
		ofObject := value != sitter.None && f.t.Kind(value) == kAttribute
		values := slices.DeleteFunc(f.eval(value, flowEnv{scope: c.scope}), func(v flowValue) bool {
			return v.kind != flowFunction && v.kind != flowClass && v.kind != flowOutside || made(v) || v.kind == flowFunction && ofObject
		})
		switch {
		case value == sitter.None:
		case f.t.Kind(value) == kCall: // behind it: it is a call of something else itself
			f.put(c.scope, f.x.b.SpanBetween(f.t.End(value)-1, f.t.End(value)), values)
		default:
			f.put(c.scope, f.nameSpan(value), values)
		}
	}
}

// runsGiven reports whether a call is of a function of the language that runs what it is
// given, at any place or as key.
func (f *flow) runsGiven(c *flowCall) (positional, key bool) {
	if c.callee == sitter.None {
		return false, false
	}
	switch f.t.Kind(c.callee) {
	case kIdentifier:
		switch name := f.t.Text(c.callee); name {
		case "map", "filter":
			return f.ofLanguage(name, c), false
		case "sorted", "min", "max":
			return false, f.ofLanguage(name, c)
		}
	case kAttribute:
		switch f.t.Text(c.callee) {
		case "functools.reduce", "itertools.starmap":
			return true, false
		}
		return false, f.t.Is(f.t.Child(c.callee, fAttribute), "sort") && !f.methods["sort"]
	default:
	}
	return false, false
}

// ofLanguage reports whether nothing of the file has a name.
func (f *flow) ofLanguage(name string, c *flowCall) bool {
	for s := c.scope; s != nil; s = s.parent {
		if len(s.binds[name]) > 0 {
			return false
		}
	}
	return true
}

// noteSetattr notes setattr(o, name, value), whose name may have to be evaluated.
func (f *flow) noteSetattr(call sitter.Node, s *flowScope) {
	object, name, value := f.x.argument(call, 0), f.x.argument(call, 1), f.x.argument(call, 2)
	if object == sitter.None || name == sitter.None || value == sitter.None {
		return
	}
	f.named = append(f.named, flowStore{object, name, value, s, f.t.End(call), f.direct(call, s), false})
}

// nameStores adds what setattr assigns to the attributes that it names.
func (f *flow) nameStores() {
	for _, st := range f.named {
		f.depth = 0
		for _, name := range f.constants(st.key, flowEnv{scope: st.scope}) {
			f.fields[name] = append(f.fields[name], flowStore{st.object, sitter.None, st.value, st.scope, st.pos, st.direct, false})
		}
	}
}

// constants evaluates an expression to the texts that it may be.
func (f *flow) constants(n sitter.Node, e flowEnv) (out []string) {
	for _, v := range f.eval(n, e) {
		if v.kind == flowConstant && v.text[0] == 's' && isIdentifier(v.text[1:]) {
			out = append(out, v.text[1:])
		}
	}
	return out
}

// joinedTexts evaluates "a" + "b".
func (f *flow) joinedTexts(n sitter.Node, e flowEnv) (out []flowValue) {
	t := f.t
	left, right := t.Child(n, fLeft), t.Child(n, fRight)
	if left == sitter.None || right == sitter.None || f.x.operator(n) != "+" {
		return nil
	}
	for _, a := range f.eval(left, e) {
		for _, b := range f.eval(right, e) {
			if a.kind == flowConstant && b.kind == flowConstant && a.text[0] == 's' && b.text[0] == 's' && len(a.text)+len(b.text) < maxType {
				out = union(out, []flowValue{{kind: flowConstant, text: a.text + b.text[1:]}})
			}
		}
	}
	return out
}

// givenBesides evaluates what is assigned to an attribute of an object elsewhere than in
// the methods of its class.
func (f *flow) givenBesides(v flowValue, name string) (out []flowValue) {
	if len(f.fields[name]) == 0 {
		return nil
	}
	order := f.order(v.node, nil)
	for _, st := range f.besides(name) {
		if slices.Contains(order, st.class) {
			out = union(out, f.eval(st.value, flowEnv{scope: st.scope}))
		}
	}
	return out
}

// flowBeside is an assignment to an attribute of an object of class.
type flowBeside struct {
	*flowStore
	class sitter.Node
}

// besides lists the assignments to attributes of that name of objects whose class is one
// of the file, but for those of self.
func (f *flow) besides(name string) []flowBeside {
	if found, ok := f.beside[name]; ok {
		return found
	}
	if f.beside == nil {
		f.beside = make(map[string][]flowBeside)
	}
	f.beside[name] = nil // what depends on itself ends here
	var found []flowBeside
	for i := range f.fields[name] {
		st := &f.fields[name][i]
		if f.ofSelf(st) != sitter.None {
			continue
		}
		for _, o := range f.eval(st.object, flowEnv{scope: st.scope}) {
			if o.kind == flowInstance {
				found = append(found, flowBeside{st, o.node})
			}
		}
	}
	f.beside[name] = found
	return found
}

// ofSelf returns the class in whose method an attribute of the object itself is assigned,
// or None.
func (f *flow) ofSelf(st *flowStore) sitter.Node {
	in := st.scope.enclosing()
	if in.kind != functionScope || in.parent == nil || in.parent.kind != classScope || len(in.params) == 0 || !f.t.Is(st.object, in.params[0].name) {
		return sitter.None
	}
	return in.parent.node
}

// noteWith notes the objects that a with statement enters and leaves.
func (f *flow) noteWith(n sitter.Node, s *flowScope) {
	if !f.manages {
		return
	}
	object := f.t.First(n)
	if object != sitter.None && f.t.Kind(object) == kAsPattern {
		object = f.t.First(object)
	}
	if object != sitter.None {
		f.calls = append(f.calls, flowCall{kWith, n, object, s, sitter.None})
	}
}

// withOf is the statement that an item stands in.
func (f *flow) withOf(item sitter.Node) sitter.Node {
	for item != sitter.Root && f.t.Kind(item) != kWith {
		item = f.t.Parent(item)
	}
	return item
}

// noteAs binds the name of "with value as name".
func (f *flow) noteAs(n sitter.Node, s *flowScope) {
	value, target := f.t.First(n), f.t.Child(n, fAlias)
	if f.t.Kind(f.t.Parent(n)) != kWithItem || value == sitter.None || target == sitter.None {
		return
	}
	if name := f.t.First(target); name != sitter.None && f.t.Kind(name) == kIdentifier {
		f.bind(s, f.t.Text(name), flowBind{kind: bindEntered, pos: f.t.End(n), value: value})
	}
}

// entered evaluates what "with value as name" gives the name.
func (f *flow) entered(n sitter.Node, e flowEnv) (out []flowValue) {
	for _, v := range f.eval(n, e) {
		if v.kind != flowInstance {
			continue
		}
		for _, m := range f.ofObject(v, "__enter__") {
			out = union(out, f.run(m, flowSite{bound: true}))
		}
	}
	return out
}
