package golang

import (
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// predeclaredFunc reports whether a name is of a function of the language that code
// hardly ever redefines: calls of it are recorded only where the file itself has such a
// function, or the language's cannot be called so. Others (min, max, copy, print, …) may as well be a package's own.
func predeclaredFunc(name string) bool {
	switch name {
	case "len", "cap", "append", "make", "new", "panic", "recover":
		return true
	}
	return false
}

// isBuiltin reports whether the call of a name is taken for one of a function of the
// language: the file has no function of that name, and the arguments fit.
func (x *extractor) isBuiltin(id sitter.Node, args int16) bool {
	name := x.b.Text(id)
	if !predeclaredFunc(name) || x.redefined[name] {
		return false
	}
	switch name {
	case "recover":
		return args == 0
	case "append":
		return args >= 1
	case "make":
		return args >= 1 && x.mayBeType(id)
	case "new":
		return args == 1 && x.mayBeType(id)
	}
	return args == 1
}

// mayBeType reports whether the first argument of the call of a name may be a type: it
// is no variable of the function. Other values than names do not parse there.
func (x *extractor) mayBeType(callee sitter.Node) bool {
	list := x.t.Next(callee)
	if list == sitter.None || x.t.Kind(list) != kArgs {
		return true
	}
	first := x.t.First(list)
	return first == sitter.None || !x.isValue(x.b.Text(first))
}

// ownArguments reads the arguments of a function of the file that is named like one of
// the language. The grammar takes a name that stands first for a type.
func (x *extractor) ownArguments(list sitter.Node) {
	for a := range x.t.Children(list) {
		if x.t.Kind(a) == kTypeIdentifier {
			x.name(a, graph.UseRead, -1)
		} else {
			x.visit(a)
		}
	}
}
