package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// typeNode reads one node in type position. Names of members and parameters there
// are no references.
func (w *walker) typeNode(n sitter.Node) {
	switch w.kind(n) {
	case kTypeIdentifier:
		w.typeRef(n, w.text(n), "")
	case kNestedType:
		w.nestedType(n)
	case kTypeQuery:
		w.typeQuery(n)
	case kMethodSignature:
		if w.holdsParts() {
			w.part(func(exported graph.DefFlags) { w.method(n, w.t.Start(n), exported) })
			return
		}
		w.typeSignature(n)
	case kFunctionType, kConstructorType, kCallSignature, kConstructSignature:
		w.typeSignature(n)
	case kPropertySignature:
		if w.holdsParts() {
			w.part(func(exported graph.DefFlags) { w.propertySignature(n, exported, maxAliasDepth) })
			return
		}
		w.propertyType(n)
	case kRequiredParameter, kOptionalParameter:
		w.propertyType(n)
	case kIndexSignature, kTypePredicate:
		w.unnamed(n)
	case kMappedType:
		if name := w.t.Child(n, fName); name != sitter.None {
			w.typeParams = append(w.typeParams, w.text(name))
			w.unnamed(n)
			return
		}
		w.children(n)
	case kInferType:
		if name := w.t.First(n); name != sitter.None {
			w.typeParams = append(w.typeParams, w.text(name))
		}
	case kTypeParameters:
		for c := range w.t.Children(n) {
			if name := w.t.Child(c, fName); name != sitter.None {
				w.typeParams = append(w.typeParams, w.text(name))
			}
		}
		w.children(n)
	case kTypeParameter:
		w.unnamed(n)
	case kGenericType:
		w.children(n)
	default:
	}
}

// holdsParts reports whether the members of an object type somewhere in a declaration are
// definitions: inside a function with a body nobody else can name them.
func (w *walker) holdsParts() bool { return w.bodies == 0 && w.b.EnclosingDef() != nil }

// part adds a member of an object type somewhere in a declaration. Of a class or an
// interface it is no member.
func (w *walker) part(add func(exported graph.DefFlags)) {
	holder, first := w.b.EnclosingDef(), len(w.b.Facts.Defs)
	kind := holder.Kind
	add(holder.Flags & graph.FlagExported)
	if (kind == graph.KindClass || kind == graph.KindInterface) && len(w.b.Facts.Defs) > first {
		w.b.Facts.Defs[first].Owner = unnamedOwner
	}
}

func (w *walker) propertyType(n sitter.Node) {
	if t := w.t.Child(n, fType); t != sitter.None {
		w.visit(t)
	} else {
		w.unnamed(n)
	}
}

// unnamed visits the children that are not the node's name.
func (w *walker) unnamed(n sitter.Node) {
	for c := range w.t.Children(n) {
		if w.t.Field(c) != fName && w.t.Field(c) != fPattern {
			w.visit(c)
		}
	}
}

// typeSignature reads a function type or call signature with its type parameters.
func (w *walker) typeSignature(n sitter.Node) {
	mark := len(w.typeParams)
	for c := range w.t.Children(n) {
		switch {
		case w.t.Field(c) == fName:
		case w.kind(c) == kParameters:
			for p := range w.t.Children(c) {
				w.visit(p)
			}
		default:
			w.visit(c)
		}
	}
	w.typeParams = w.typeParams[:mark]
}

func (w *walker) typeRef(at sitter.Node, name, qualifier string) {
	if qualifier == "" {
		for i := len(w.typeParams) - 1; i >= 0; i-- {
			if w.typeParams[i] == name {
				return
			}
		}
	}
	w.b.AddRef(graph.Ref{Name: name, Qualifier: qualifier, Use: graph.UseType, Span: w.b.Span(at)})
}

func (w *walker) nestedType(n sitter.Node) {
	module, name := w.t.Child(n, fModule), w.t.Child(n, fName)
	if module == sitter.None || name == sitter.None {
		return
	}
	w.typePath(module)
	w.typeRef(name, w.text(name), w.b.Qualifier(w.t.Start(module), w.t.End(module)))
}

// typePath adds the references in the path before a qualified type.
func (w *walker) typePath(n sitter.Node) {
	if w.kind(n) == kIdentifier {
		w.bare(n, graph.UseRead)
		return
	}
	object, property := w.t.Child(n, fObject), w.t.Child(n, fProperty)
	if object == sitter.None || property == sitter.None {
		return
	}
	w.typePath(object)
	w.b.AddRef(graph.Ref{
		Name: w.text(property), Qualifier: w.b.Qualifier(w.t.Start(object), w.t.End(object)), Use: graph.UseRead, Span: w.b.Span(property),
	})
}

// typeQuery reads typeof a.b: uses of values.
func (w *walker) typeQuery(n sitter.Node) {
	for c := range w.t.Children(n) {
		w.visit(c)
	}
}

// comment records a comment as a possible doc, and the names that its links give.
func (w *walker) comment(n sitter.Node) {
	w.b.NoteComment(n)
	s := w.text(n)
	if !strings.HasPrefix(s, "/**") {
		return
	}
	if w.jsdoc = n; w.d.javascript {
		w.typedefs(n)
		w.docImports(n)
	}
	for off := 0; ; {
		i := strings.Index(s[off:], "{@link ")
		if i < 0 {
			return
		}
		off += i + len("{@link ")
		end := strings.IndexAny(s[off:], " |}\n")
		if end < 0 {
			return
		}
		w.mention(s[off:off+end], w.t.Start(n)+uint32(off))
		off += end
	}
}

func (w *walker) mention(s string, at uint32) {
	name := s[strings.LastIndexAny(s, ".#")+1:]
	name = strings.TrimSuffix(name, "()")
	if !isName(name) || strings.Contains(s, "/") {
		return
	}
	m := graph.Mention{Form: graph.MentionComment, Name: name, Span: w.b.SpanBetween(at, at+uint32(len(s)))}
	if i := strings.LastIndexAny(s, ".#"); i > 0 {
		m.Qualifier = s[:i]
	}
	w.b.AddMention(m)
}
