package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// What flows through the built-in collections: arrays, sets, maps and promises are
// not of the tree, but what they hold may be.

// arrayLiteral evaluates "[first]", as extractors write array literals.
func (b *binder) arrayLiteral(sc scope, root string) value {
	out := external("Array")
	if inside := strings.TrimSuffix(root[1:], "]"); inside != "" {
		v := b.expression(sc, inside, graph.Hint{})
		out.elem = &v
	}
	return out
}

// argument returns type argument i of the first built-in that a value is.
func (b *binder) argument(v value, accept func(name string) (i int, ok bool)) (value, bool) {
	t := b.typeOf(v)
	if !t.valid() {
		return value{}, false
	}
	for _, o := range b.objects(t) {
		lit := o.literal
		if lit.t == nil {
			continue
		}
		name := lit.t.name
		if lit.t.kind == typeArray || lit.t.kind == typeTuple {
			name = "Array"
		} else if lit.t.kind != typeNamed {
			continue
		}
		if i, ok := accept(name); ok && i < len(lit.t.args) {
			return value{kind: valType, typ: closure{t: lit.t.args[i], at: lit.at, env: lit.env}, reason: graph.ReasonMember}, true
		}
	}
	return value{}, false
}

func elementArgument(name string) (int, bool) {
	if isIterable(name) {
		return 0, true
	}
	return 1, name == "Map" || name == "ReadonlyMap" || name == "WeakMap" || name == "Record"
}

func promiseArgument(name string) (int, bool) { return 0, name == "Promise" || name == "PromiseLike" }

// element is what indexing a value, or iterating over it, yields.
func (b *binder) element(v value) value {
	if v.kind == valExternal {
		if v.elem != nil {
			return *v.elem
		}
		return value{}
	}
	e, _ := b.argument(v, elementArgument)
	return e
}

// awaited is what await makes of a value.
func (b *binder) awaited(v value) value {
	if e, ok := b.argument(v, promiseArgument); ok {
		return e
	}
	return v
}

// externalResult is the result of calling something outside: known where it is a
// method of a collection.
func (b *binder) externalResult(v value) value {
	if v.recv == nil {
		return external("")
	}
	switch {
	case returnsSame(v.name):
		return *v.recv
	case returnsElement(v.name), v.name == "get":
		if e := b.element(*v.recv); e.kind != valUnknown {
			return e
		}
	case v.name == "values":
		e := b.element(*v.recv)
		return value{kind: valExternal, elem: &e}
	}
	return external("")
}

// externalCallback is a parameter of a function that is handed to a method of a
// collection or promise.
func (b *binder) externalCallback(v value, arg, par int) value {
	if v.recv == nil || arg != 0 {
		return value{}
	}
	switch {
	case callsBack(v.name) && (par == 0 || v.name == "sort" && par == 1), v.name == "reduce" && par == 1:
		return b.element(*v.recv)
	case v.name == "then" && par == 0:
		return b.awaited(*v.recv)
	}
	return value{}
}
