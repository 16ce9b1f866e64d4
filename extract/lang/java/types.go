package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// maxTypeText bounds the types that hints and definitions carry.
const maxTypeText = 120

// clean returns the text between two nodes, both included, on one line without
// annotations and comments.
func (x *extractor) clean(from, to sitter.Node) string {
	start, end := x.t.Start(from), x.t.End(to)
	out, at := "", start
	for c := from; c < x.t.After(to); {
		switch x.t.Kind(c) {
		case kMarker, kAnnotation, kLineComment, kBlockComment:
			out += x.b.Slice(at, x.t.Start(c))
			for at = x.t.End(c); at < end && x.b.Src[at] <= ' '; {
				at++
			}
			c = x.t.After(c)
		default:
			c++
		}
	}
	if at == start {
		return x.b.Signature(start, end)
	}
	text := spec.OneLine(out + x.b.Slice(min(at, end), end))
	return text[:min(len(text), maxSignature)]
}

const maxSignature = 480

// typeText returns a type as hints carry it: as it is written, without its arguments
// where it is long.
func (x *extractor) typeText(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	text := x.clean(n, n)
	if len(text) > maxTypeText {
		text = rawName(text)
	}
	if len(text) > maxTypeText {
		return ""
	}
	return strings.TrimSuffix(text, "<>")
}

// rawName drops the arguments of a type.
func rawName(t string) string {
	depth, out := 0, make([]byte, 0, 32)
	for i := 0; i < len(t); i++ {
		switch {
		case t[i] == '<':
			depth++
		case t[i] == '>':
			depth--
		case depth == 0:
			out = append(out, t[i])
		}
	}
	return string(out)
}

// declaredType is typeText with the dimensions that may stand behind the name.
func (x *extractor) declaredType(typ, declarator sitter.Node) string {
	text := x.typeText(typ)
	if text == "" || declarator == sitter.None {
		return text
	}
	if d := x.t.Child(declarator, fDimensions); d != sitter.None {
		text += strings.Repeat("[]", strings.Count(x.b.Text(d), "["))
	}
	return text
}

// typeParams declares type parameters in the innermost scope and reads their bounds.
func (x *extractor) typeParams(n sitter.Node) {
	if n == sitter.None {
		return
	}
	for p := range x.t.Children(n) {
		if x.t.Kind(p) != kTypeParameter {
			continue
		}
		for c := range x.t.Children(p) {
			switch x.t.Kind(c) {
			case kTypeIdentifier, kIdentifier:
				x.scopes.Declare(spec.Local{Name: x.b.Text(c), Def: graph.NoDef, Type: true})
			default:
			}
		}
	}
	for p := range x.t.Children(n) {
		for c := range x.t.Children(p) {
			switch x.t.Kind(c) {
			case kTypeBound, kMarker, kAnnotation:
				x.typeRefs(c)
			default:
			}
		}
	}
}

// typeRefs reads the references in a type.
func (x *extractor) typeRefs(n sitter.Node) {
	if n == sitter.None {
		return
	}
	switch x.t.Kind(n) {
	case kTypeIdentifier, kIdentifier:
		x.typeName(n)
	case kScopedType:
		x.scopedType(n)
	case kMarker, kAnnotation:
		x.annotation(n)
	case kIntegralType, kFloatingType, kBooleanType, kVoidType, kDimensions:
	case kLineComment, kBlockComment:
		x.b.NoteComment(n)
	default:
		for c := range x.t.Children(n) {
			x.typeRefs(c)
		}
	}
}

func (x *extractor) typeName(n sitter.Node) {
	name := x.b.Text(n)
	if name == "var" && x.t.Kind(n) == kTypeIdentifier {
		return
	}
	if l := x.typeLocal(name); l != nil && l.Def == graph.NoDef {
		return
	}
	x.addRef(n, "", graph.UseType, x.selfHint(), -1)
}

// typeLocal finds a type parameter or a type of the function, or nil.
func (x *extractor) typeLocal(name string) *spec.Local {
	if l := x.scopes.Lookup(name); l != nil && l.Type {
		return l
	}
	return nil
}

// scopedType reads "Outer.Inner" or "java.util.List": of a package only the type in it
// is a reference.
func (x *extractor) scopedType(n sitter.Node) {
	last, before := x.lastName(n)
	if last == sitter.None {
		return
	}
	if before != sitter.None && !x.isPackage(before) {
		x.typeRefs(before)
	}
	for c := range x.t.Children(n) {
		if k := x.t.Kind(c); k == kMarker || k == kAnnotation {
			x.annotation(c)
		}
	}
	x.addRef(last, x.pathText(before), graph.UseType, graph.Hint{}, -1)
}

// lastName returns the last name of a type and what stands before it, or None.
func (x *extractor) lastName(n sitter.Node) (last, before sitter.Node) {
	last, before = sitter.None, sitter.None
	switch x.t.Kind(n) {
	case kTypeIdentifier, kIdentifier:
		return n, sitter.None
	case kGenericType, kAnnotatedType:
		for c := range x.t.Children(n) {
			switch x.t.Kind(c) {
			case kTypeIdentifier, kScopedType, kGenericType:
				return x.lastName(c)
			default:
			}
		}
	case kScopedType:
		for c := range x.t.Children(n) {
			switch x.t.Kind(c) {
			case kTypeIdentifier, kScopedType, kGenericType:
				before, last = last, c
			default:
			}
		}
	default:
	}
	return last, before
}

// pathText is the text of a name with dots, without arguments of types.
func (x *extractor) pathText(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	s := rawName(x.b.Qualifier(x.t.Start(n), x.t.End(n)))
	if strings.ContainsAny(s, "@/") {
		return "?"
	}
	return s
}

// isPackage reports whether a name with dots looks like one of a package: no part of
// it begins with an upper-case letter.
func (x *extractor) isPackage(n sitter.Node) bool {
	s := x.b.Slice(x.t.Start(n), x.t.End(n))
	start := true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<' || c == '@' || start && 'A' <= c && c <= 'Z':
			return false
		default:
			start = c == '.'
		}
	}
	return true
}

// heritage records the bases that a clause lists.
func (x *extractor) heritage(clause sitter.Node, def int32, rel graph.HeritageRel) {
	for c := range x.t.Children(clause) {
		switch x.t.Kind(c) {
		case kTypeList:
			x.heritage(c, def, rel)
		case kLineComment, kBlockComment:
			x.b.NoteComment(c)
		default:
			last, before := x.lastName(c)
			if last != sitter.None && x.t.Start(last) < x.t.End(last) {
				x.b.Facts.Heritage = append(x.b.Facts.Heritage, graph.Heritage{
					Def: def, Rel: rel, Name: x.b.Text(last), Qualifier: x.pathText(before), Span: x.b.Span(last),
				})
			}
			x.typeRefs(c)
		}
	}
}
