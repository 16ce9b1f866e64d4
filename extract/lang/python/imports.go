package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// importName is one name of an import statement.
type importName struct {
	module, name, alias string
	node                sitter.Node
}

// eachImport calls yield for each name that an import statement takes. A star has
// the name "*" and no alias.
func (x *extractor) eachImport(n sitter.Node, yield func(importName)) {
	t := x.t
	if t.Kind(n) == kFutureImport {
		return
	}
	from, module := t.Child(n, fModuleName), ""
	if from != sitter.None {
		module = x.dotted(from)
	}
	for c := range t.Children(n) {
		if t.Kind(c) == kWildcard && from != sitter.None {
			yield(importName{module: module, name: "*", node: c})
			continue
		}
		if t.Field(c) != fName {
			continue
		}
		what, alias := c, ""
		if t.Kind(c) == kAliasedImport {
			what = t.Child(c, fName)
			if a := t.Child(c, fAlias); a != sitter.None {
				alias = x.b.Text(a)
			}
		}
		if what == sitter.None {
			continue
		}
		im := importName{module: module, name: x.dotted(what), alias: alias, node: c}
		if from == sitter.None {
			im.module, im.name = im.name, ""
		}
		if im.alias == "" {
			im.alias = im.name
			if from == sitter.None {
				im.alias, _, _ = strings.Cut(im.module, ".")
			}
		}
		if im.alias != "" {
			yield(im)
		}
	}
}

// dotted returns a module path without the white space that may stand in it.
func (x *extractor) dotted(n sitter.Node) string {
	return strings.Join(strings.Fields(x.b.Text(n)), "")
}

// imports adds the names of one statement.
func (x *extractor) imports(n sitter.Node) {
	var flags graph.ImportFlags
	if x.conditional > 0 {
		flags |= graph.ImportOptional
	}
	x.eachImport(n, func(im importName) {
		x.defined(im.alias, n)
		x.b.AddImport(graph.Import{
			Module: im.module, Name: im.name, Alias: im.alias, Span: x.b.Span(im.node), Flags: flags,
		})
	})
}

// dynamicImport records import_module("a.b") and __import__("a").
func (x *extractor) dynamicImport(call sitter.Node, callee string) {
	switch callee {
	case "__import__", "import_module", "importlib.import_module":
	default:
		return
	}
	arg := x.argument(call, 0)
	if arg == sitter.None {
		return
	}
	if module, ok := x.literal(arg); ok && module != "" && !strings.ContainsAny(module, " /") && module[0] != '.' {
		im := graph.Import{Module: module, Span: x.b.Span(arg), Flags: graph.ImportDynamic}
		if callee != "__import__" || !strings.Contains(module, ".") { // of a path it gives the first
			im.Alias = x.givenTo(call)
		}
		x.b.AddImport(im)
	}
}

// givenTo returns the name that an assignment gives a value to, or "".
func (x *extractor) givenTo(value sitter.Node) string {
	p := x.t.Parent(value)
	if x.t.Kind(p) != kAssignment || x.t.Child(p, fRight) != value {
		return ""
	}
	if left := x.t.Child(p, fLeft); left != sitter.None && x.t.Kind(left) == kIdentifier {
		return x.b.Text(left)
	}
	return ""
}
