package rust

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// maxTypeText bounds the types that hints and definitions carry.
const maxTypeText = 240

// typeText returns a type on one line, without lifetimes; "" for one that is too long.
func (x *extractor) typeText(n sitter.Node) string {
	t := spec.OneLine(x.b.Text(n))
	if strings.IndexByte(t, '\'') >= 0 {
		t = dropLifetimes(t)
	}
	if len(t) > maxTypeText {
		return ""
	}
	return t
}

// dropLifetimes takes lifetimes out of the text of a type, with what separates them
// from the rest.
func dropLifetimes(t string) string {
	var s strings.Builder
	for i := 0; i < len(t); i++ {
		if t[i] != '\'' {
			s.WriteByte(t[i])
			continue
		}
		end := i + 1
		for end < len(t) && isWordByte(t[end]) {
			end++
		}
		rest := strings.TrimLeft(t[end:], " ")
		before := strings.TrimRight(s.String(), " ")
		switch {
		case strings.HasPrefix(rest, ","), strings.HasPrefix(rest, "+"):
			rest = strings.TrimLeft(rest[1:], " ")
		case strings.HasSuffix(before, ","), strings.HasSuffix(before, "+"):
			before = strings.TrimRight(before[:len(before)-1], " ")
		case strings.HasSuffix(before, "<") && strings.HasPrefix(rest, ">"):
			before, rest = strings.TrimSuffix(strings.TrimSuffix(before, "<"), "for"), rest[1:]
			if strings.HasSuffix(before, " ") || before == "" {
				rest = strings.TrimLeft(rest, " ")
			}
		default:
			before = s.String()
		}
		s.Reset()
		s.WriteString(before)
		i = len(t) - len(rest) - 1
	}
	return s.String()
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// typeParams declares type parameters and reads their bounds.
func (x *extractor) typeParams(n sitter.Node) {
	if n == sitter.None {
		return
	}
	for p := range x.t.Children(n) {
		switch x.t.Kind(p) {
		case kTypeIdentifier:
			x.params = append(x.params, x.b.Text(p))
		case kConstrainedParam:
			if id := x.t.Child(p, fLeft); id != sitter.None && x.t.Kind(id) == kTypeIdentifier {
				x.params = append(x.params, x.b.Text(id))
			}
		case kOptionalParam, kConstParam:
			if id := x.t.Child(p, fName); id != sitter.None {
				if x.t.Kind(id) == kConstrainedParam {
					id = x.t.Child(id, fLeft)
				}
				if id != sitter.None {
					x.params = append(x.params, x.b.Text(id))
				}
			}
		default:
		}
	}
	for p := range x.t.Children(n) {
		if k := x.t.Kind(p); k != kTypeIdentifier && k != kLifetime {
			x.typeExpr(p)
		}
	}
}

func (x *extractor) isParam(name string) bool { return slices.Contains(x.params, name) }

// typeExpr reads the references in a type, in bounds or in a where clause.
func (x *extractor) typeExpr(n sitter.Node) {
	switch x.t.Kind(n) {
	case kTypeIdentifier, kIdentifier:
		x.typeName(n)
	case kScopedType, kScoped:
		x.pathRef(n, graph.UseType, -1)
	case kTypeBinding:
		for c := range x.t.Children(n) {
			if x.t.Field(c) != fName {
				x.typeExpr(c)
			}
		}
	case kArrayType:
		for c := range x.t.Children(n) {
			if x.t.Field(c) == fLength {
				x.visit(c)
			} else {
				x.typeExpr(c)
			}
		}
	case kLifetime, kPrimitive, kUnitType, kMutable:
	case kMacroCall, kBlock, kInt, kString, kBinary:
		x.visit(n)
	case kParam:
		if typ := x.t.Child(n, fType); typ != sitter.None {
			x.typeExpr(typ)
		}
	default:
		for c := range x.t.Children(n) {
			x.typeExpr(c)
		}
	}
}

// typeName refers to a type by its bare name, unless the language binds it or nothing
// redefines it.
func (x *extractor) typeName(n sitter.Node) {
	name := x.b.Text(n)
	if preluded(name) || x.isParam(name) {
		return
	}
	x.b.AddRef(graph.Ref{Name: name, Use: graph.UseType, Span: x.b.Span(n), Args: -1})
}

// preluded reports whether a name is one of the language's own that code hardly ever
// redefines. Uses of those are no references: they would be a third of all.
func preluded(name string) bool {
	switch name {
	case "Self", "Option", "Some", "None", "Ok", "Err", "Vec", "String", "Box", "_", "":
		return true
	}
	return false
}

// pathRef refers to the last name of a path, and to the names before it.
func (x *extractor) pathRef(n sitter.Node, use graph.Use, args int16) {
	id, path := x.t.Child(n, fName), x.t.Child(n, fPath)
	if id == sitter.None {
		x.visitChildren(n)
		return
	}
	qualifier := "::"
	if path != sitter.None {
		qualifier = x.pathText(path)
		x.segments(path, qualifier)
	}
	r := graph.Ref{Name: x.b.Text(id), Qualifier: clip(qualifier), Use: use, Span: x.b.Span(id), Args: args}
	if qualifier == "Self" || strings.HasPrefix(qualifier, "Self::") {
		r.Hint = graph.Hint{Rule: graph.HintClass, Type: x.impl.self}
	}
	x.b.AddRef(r)
}

// clip bounds a qualifier; one that is too long says nothing.
func clip(q string) string {
	if len(q) > maxPath {
		return "?"
	}
	return q
}

// segments refers to the names of a path that leads to something else.
func (x *extractor) segments(path sitter.Node, text string) {
	switch x.t.Kind(path) {
	case kIdentifier, kTypeIdentifier:
		if name := x.b.Text(path); !preluded(name) && !x.isParam(name) && !standardCrate(name) {
			use := graph.UseRead
			if upper(name) {
				use = graph.UseType
			}
			x.b.AddRef(graph.Ref{Name: name, Use: use, Span: x.b.Span(path), Args: -1})
		}
	case kScoped, kScopedType:
		head, _, _ := strings.Cut(text, "::")
		if standardCrate(head) {
			return
		}
		use := graph.UseRead
		if id := x.t.Child(path, fName); id != sitter.None && upper(x.b.Text(id)) {
			use = graph.UseType
		}
		x.pathRef(path, use, -1)
	case kCrate, kSelf, kSuper, kMetavariable:
	default: // Vec::<T>, <T as Trait>
		x.typeExpr(path)
	}
}

// standardCrate reports whether a path that begins with the name leaves the tree.
func standardCrate(name string) bool { return name == "std" || name == "core" || name == "alloc" }

func upper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }
