package typescript

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// What flows through the built-in collections: arrays, sets, maps and promises are
// not of the tree, but what they hold may be.

// arrayLiteral evaluates "[each]" and "[first,second]", as extractors write array
// literals.
func (b *binder) arrayLiteral(sc scope, root string) value {
	out := external("Array")
	inside := strings.TrimSuffix(root[1:], "]")
	if inside == "" {
		return out
	}
	for _, e := range splitTop(inside, ',') {
		out.order = append(out.order, b.expression(sc, strings.TrimSpace(e), graph.Hint{}))
	}
	v := either(out.order)
	if out.elem = &v; len(out.order) == 1 {
		out.order = nil
	}
	return out
}

// anyPlace asks for what every element may be.
const anyPlace = -1

// place reads the index of an element.
func place(index string) int {
	if n, err := strconv.Atoi(index); err == nil && n >= 0 {
		return n
	}
	return anyPlace
}

// tupleElement is the type of one element of a tuple type.
func tupleElement(t *typeExpr, at int) *typeExpr {
	switch {
	case len(t.args) == 0:
		return other()
	case at >= 0 && at < len(t.args) && t.name == "":
		return t.args[at]
	case at >= 0 && t.name == "":
		return other()
	case len(t.args) == 1:
		return t.args[0]
	}
	return &typeExpr{kind: typeUnion, args: t.args}
}

// argument returns type argument i of the first built-in that a value is; of a tuple the
// element at a place.
func (b *binder) argument(v value, at int, accept func(name string) (i int, ok bool)) (value, bool) {
	t := b.typeOf(v)
	if !t.valid() {
		return value{}, false
	}
	for _, o := range b.objects(t) {
		lit := o.literal
		if lit.t == nil {
			continue
		}
		name, args := lit.t.name, lit.t.args
		if lit.t.kind == typeTuple {
			name, args = "Array", []*typeExpr{tupleElement(lit.t, at)}
		} else if lit.t.kind == typeArray {
			name = "Array"
		} else if lit.t.kind != typeNamed {
			continue
		}
		if i, ok := accept(name); ok && i < len(args) {
			return value{kind: valType, typ: closure{t: args[i], at: lit.at, env: lit.env}, reason: graph.ReasonMember}, true
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

// element is what iterating over a value, or any index of it, yields.
func (b *binder) element(v value) value { return b.elementAt(v, anyPlace) }

// elementAt is what the element at a place is.
func (b *binder) elementAt(v value, at int) value {
	if v.kind == valDef {
		if held := b.valueOf(v); held.kind == valExternal {
			v = held
		}
	}
	if v.kind == valExternal {
		if at >= 0 && len(v.order) > 0 {
			if at < len(v.order) {
				return v.order[at]
			}
			return value{}
		}
		if v.elem != nil {
			return *v.elem
		}
		return value{}
	}
	e, _ := b.argument(v, at, elementArgument)
	return e
}

// awaited is what await makes of a value.
func (b *binder) awaited(v value) value {
	if e, ok := b.argument(v, anyPlace, promiseArgument); ok {
		return e
	}
	return v
}

// mapEntry is the pair of a key and a value that iterating over a map yields.
func (b *binder) mapEntry(v value) (value, bool) {
	t := b.typeOf(v)
	if !t.valid() {
		return value{}, false
	}
	for _, o := range b.objects(t) {
		lit := o.literal
		if lit.t != nil && lit.t.kind == typeNamed && (lit.t.name == "Map" || lit.t.name == "ReadonlyMap") && len(lit.t.args) == 2 {
			pair := &typeExpr{kind: typeTuple, args: lit.t.args}
			return value{kind: valType, typ: closure{t: pair, at: lit.at, env: lit.env}, reason: graph.ReasonMember}, true
		}
	}
	return value{}, false
}

// unordered is an array of which the elements have changed places.
func (b *binder) unordered(v value) value {
	if v.kind == valExternal {
		v.order = nil
		return v
	}
	if t := b.typeOf(v); t.t != nil && t.t.kind == typeTuple {
		e := b.element(v)
		return value{kind: valExternal, name: "Array", elem: &e}
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
		return b.unordered(*v.recv)
	case returnsElement(v.name), v.name == "get":
		if e := b.element(*v.recv); e.kind != valUnknown {
			return e
		}
	case v.name == "entries":
		if pair, ok := b.mapEntry(*v.recv); ok {
			return value{kind: valExternal, elem: &pair}
		}
		if e := b.element(*v.recv); e.kind != valUnknown {
			return value{kind: valExternal, elem: &value{kind: valExternal, order: []value{external("Number"), e}}}
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
