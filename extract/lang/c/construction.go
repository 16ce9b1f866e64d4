package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// construction reports whether a declarator that looks like a function's constructs an
// object in a function: T x(a, b). Its parameters are then types that nobody names, or
// one of them looks like the type of a function: T x(f(), b).
func (x *extractor) construction(d *declarator) bool {
	if !x.n.cpp || !x.function || d.params == sitter.None {
		return false
	}
	some := false
	for p := range x.t.Children(d.params) {
		if x.t.Kind(p) != kParam {
			continue
		}
		some = true
		typ := x.t.Child(p, fType)
		if x.calledParam(p) != sitter.None {
			return true
		}
		if typ == sitter.None || x.t.Kind(typ) != kTypeIdentifier || x.scopes.Lookup(x.b.Text(typ)) == nil && !x.memberLike(p, x.b.Text(typ)) {
			return false
		}
	}
	return some
}

// memberLike reports whether what looks like the type of a parameter without a name is
// a member by how it is written, as nobody writes the names of types: size_.
func (x *extractor) memberLike(p sitter.Node, name string) bool {
	return x.self != "" && x.t.Child(p, fDeclarator) == sitter.None && strings.HasSuffix(name, "_")
}

// calledParam returns the parameters of what looks like the type of a function without a
// name, and is a call among the arguments of a construction: T x(f()).
func (x *extractor) calledParam(p sitter.Node) sitter.Node {
	d, typ := x.t.Child(p, fDeclarator), x.t.Child(p, fType)
	if d == sitter.None || typ == sitter.None || x.t.Kind(d) != kAbstractFunctionDecl || x.t.Kind(typ) != kTypeIdentifier {
		return sitter.None
	}
	return x.t.Child(d, fParameters)
}

// argumentCalls reads the names among the arguments of a construction that are no locals.
func (x *extractor) argumentCalls(d *declarator) {
	for p := range x.t.Children(d.params) {
		if list := x.calledParam(p); list != sitter.None {
			x.typeUse(x.t.Child(p, fType), graph.UseCall, x.argCount(list))
		} else if typ := x.t.Child(p, fType); typ != sitter.None {
			x.typeUse(typ, graph.UseRead, -1)
		}
	}
}

// scopeless keeps the name of a function that is declared in a function from being
// hidden by nothing: it is the function of the file.
func (x *extractor) scopeless(d *declarator) {
	if d.params != sitter.None {
		for p := range x.t.Children(d.params) {
			if x.t.Kind(p) == kParam {
				x.typeRefs(x.t.Child(p, fType))
			}
		}
	}
}

// constructs notes that an object of a type is made, of arguments where they are known.
func (x *extractor) constructs(typ, args sitter.Node) {
	if typ == sitter.None {
		return
	}
	switch x.t.Kind(typ) {
	case kTypeIdentifier, kQualified, kTemplateType:
		count, before := int16(-1), len(x.b.Facts.Refs)
		if args != sitter.None {
			count = x.argCount(args)
		}
		x.typeUse(typ, graph.UseCall, count)
		x.arguments(before, typ, args)
	}
}
