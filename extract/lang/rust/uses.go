package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// use reads a use declaration: an import for each leaf of its tree.
func (x *extractor) use(n sitter.Node, a *attributes) {
	arg := x.t.Child(n, fArgument)
	if arg == sitter.None {
		return
	}
	var flags graph.ImportFlags
	if x.t.ChildOfKind(n, kVisibility) != sitter.None {
		flags |= graph.ImportReexport
	}
	if a.flags&graph.FlagConditional != 0 {
		flags |= graph.ImportOptional
	}
	x.useTree(arg, "", flags)
}

// useTree reads a part of a use tree that stands behind prefix.
func (x *extractor) useTree(n sitter.Node, prefix string, flags graph.ImportFlags) {
	switch x.t.Kind(n) {
	case kUseList:
		for c := range x.t.Children(n) {
			x.useTree(c, prefix, flags)
		}
	case kScopedUseList:
		if path := x.t.Child(n, fPath); path != sitter.None {
			prefix = joinPath(prefix, x.pathText(path))
		} else if prefix == "" {
			prefix = "::"
		}
		if list := x.t.Child(n, fList); list != sitter.None {
			x.useTree(list, prefix, flags)
		}
	case kUseWildcard:
		if path := x.t.First(n); path != sitter.None {
			prefix = joinPath(prefix, x.pathText(path))
		}
		x.b.AddImport(graph.Import{Module: prefix, Name: "*", Span: x.b.Span(n), Flags: flags})
	case kUseAs:
		path, alias := x.t.Child(n, fPath), x.t.Child(n, fAlias)
		if path == sitter.None {
			return
		}
		name := "_"
		if alias != sitter.None {
			name = x.b.Text(alias)
		}
		x.useLeaf(n, joinPath(prefix, x.pathText(path)), name, flags)
	case kSelf:
		if prefix != "" {
			x.useLeaf(n, prefix, "", flags)
		}
	case kIdentifier, kScoped, kCrate, kSuper:
		x.useLeaf(n, joinPath(prefix, x.pathText(n)), "", flags)
	default:
	}
}

// useLeaf imports one path; alias "" stands for its last name.
func (x *extractor) useLeaf(n sitter.Node, path, alias string, flags graph.ImportFlags) {
	path = strings.TrimSuffix(path, "::self")
	im := graph.Import{Module: path, Alias: alias, Span: x.b.Span(n), Flags: flags}
	if i := strings.LastIndex(path, "::"); i > 0 {
		im.Module, im.Name = path[:i], path[i+2:]
	}
	if alias == "" {
		im.Alias = path[strings.LastIndexByte(path, ':')+1:]
	}
	x.b.AddImport(im)
}

func joinPath(prefix, path string) string {
	switch {
	case prefix == "":
		return path
	case strings.HasSuffix(prefix, "::"):
		return prefix + path
	}
	return prefix + "::" + path
}

// externCrate reads "extern crate a as b;": an import of a path that begins with a
// crate.
func (x *extractor) externCrate(n sitter.Node) {
	id := x.named(n)
	if id == sitter.None {
		if x.t.ChildOfKind(n, kSelf) == sitter.None {
			return
		}
		id = x.t.ChildOfKind(n, kSelf)
	}
	im := graph.Import{Module: "::" + x.b.Text(id), Alias: x.b.Text(id), Span: x.b.Span(n)}
	if x.t.Is(id, "self") {
		im.Module = "crate"
	}
	if alias := x.t.Child(n, fAlias); alias != sitter.None {
		im.Alias = x.b.Text(alias)
	}
	if x.t.ChildOfKind(n, kVisibility) != sitter.None {
		im.Flags |= graph.ImportReexport
	}
	x.b.AddImport(im)
}

// pathText writes a path of names: without white space, with type arguments as they
// are behind "::".
func (x *extractor) pathText(n sitter.Node) string {
	switch x.t.Kind(n) {
	case kIdentifier, kTypeIdentifier, kCrate, kSelf, kSuper, kPrimitive:
		return x.b.Text(n)
	default:
	}
	if text := x.b.Text(n); !strings.ContainsAny(text, " \t\r\n<") && len(text) <= maxPath {
		return text
	}
	mark := len(x.buf)
	ok := x.names(n)
	text := string(x.buf[mark:])
	x.buf = x.buf[:mark]
	if !ok {
		return "?"
	}
	return text
}
