package rust

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// pattern declares the names that a pattern binds to the parts of a value, which path
// denotes, and reads what it refers to.
func (x *extractor) pattern(n sitter.Node, path string) {
	if len(path) > maxPath {
		path = "_"
	}
	switch x.t.Kind(n) {
	case kIdentifier:
		if name := x.b.Text(n); upper(name) { // a constant, or a variant without fields
			x.name(n, graph.UseRead)
		} else {
			x.declare(n, path)
		}
	case kScoped:
		x.pathRef(n, graph.UseRead, -1)
	case kRefPattern, kMutPattern, kReferencePattern, kOrPattern:
		for c := range x.t.Children(n) {
			x.pattern(c, path)
		}
	case kCapturedPattern:
		if id := x.t.First(n); id != sitter.None {
			x.declare(id, path)
			if in := x.t.Next(id); in != sitter.None {
				x.pattern(in, path)
			}
		}
	case kTuplePattern:
		x.tuple(x.t.First(n), x.t.Start(n), path, func(i int) string { return path + "." + strconv.Itoa(i) })
	case kTupleStructPattern:
		x.tupleStruct(n, path)
	case kStructPattern:
		x.structPattern(n, path)
	case kSlicePattern:
		for c := range x.t.Children(n) {
			switch {
			case x.t.Kind(c) == kCapturedPattern && x.t.ChildOfKind(c, kRemaining) != sitter.None:
				x.pattern(c, path)
			case path == "_":
				x.pattern(c, path)
			default:
				x.pattern(c, path+"[]")
			}
		}
	case kMutable, kRemaining, kLineComment, kBlockComment:
	default:
		x.visit(n)
	}
}

// tuple reads the patterns from first on by their places; behind ".." the places are
// not known. "_" is no node, so places are counted by the commas from offset on.
func (x *extractor) tuple(first sitter.Node, from uint32, path string, at func(int) string) {
	i, known := 0, path != ""
	for c := first; c != sitter.None; c = x.t.Next(c) {
		i += strings.Count(x.b.Slice(from, x.t.Start(c)), ",")
		from = x.t.End(c)
		switch x.t.Kind(c) {
		case kRemaining:
			known = false
		case kLineComment, kBlockComment:
			continue
		default:
			p := "_"
			if known {
				p = at(i)
			}
			x.pattern(c, p)
		}
	}
}

// tupleStruct reads "V(a, b)".
func (x *extractor) tupleStruct(n sitter.Node, path string) {
	typ := x.t.Child(n, fType)
	if typ == sitter.None {
		x.visitChildren(n)
		return
	}
	x.variantRef(typ)
	name := x.pathText(typ)
	x.tuple(x.t.Next(typ), x.t.End(typ), path, func(i int) string { return path + "@" + name + "#" + strconv.Itoa(i) + ";" })
}

// variantRef refers to the variant or struct that a pattern asks for.
func (x *extractor) variantRef(typ sitter.Node) {
	switch x.t.Kind(typ) {
	case kIdentifier:
		x.name(typ, graph.UseRead)
	case kScoped:
		x.pathRef(typ, graph.UseRead, -1)
	default:
		x.typeExpr(typ)
	}
}

// structPattern reads "V { a, b: p, .. }".
func (x *extractor) structPattern(n sitter.Node, path string) {
	typ := x.t.Child(n, fType)
	if typ == sitter.None {
		x.visitChildren(n)
		return
	}
	x.variantRef(typ)
	name, text := x.pathText(typ), x.typeText(typ)
	for f := range x.t.Children(n) {
		if x.t.Kind(f) != kFieldPattern {
			continue
		}
		id, pat := x.t.Child(f, fName), x.t.Child(f, fPattern)
		if id == sitter.None {
			continue
		}
		in := path + "@" + name + "#" + x.b.Text(id) + ";"
		if x.t.Kind(id) == kFieldIdentifier || x.t.Kind(id) == kShorthandField {
			x.fieldRef(id, text, graph.UseRead)
		}
		if pat != sitter.None {
			x.pattern(pat, in)
		} else if len(in) <= maxPath {
			x.declare(id, in)
		} else {
			x.declare(id, "_")
		}
	}
}
