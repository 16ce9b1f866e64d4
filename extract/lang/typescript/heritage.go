package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// heritage records the bases of a class.
func (w *walker) heritage(n sitter.Node, def int32) {
	for c := range w.t.Children(n) {
		switch w.kind(c) {
		case kExtendsClause:
			if v := w.t.Child(c, fValue); v != sitter.None {
				w.base(v, def, graph.RelExtends)
				w.visit(v)
			}
			for a := range w.t.Children(c) {
				if w.kind(a) == kTypeArguments {
					w.visit(a)
				}
			}
		case kImplements:
			for t := range w.t.Children(c) {
				w.base(t, def, graph.RelImplements)
				w.visit(t)
			}
		case kComment:
		default: // JavaScript: the base itself
			w.base(c, def, graph.RelExtends)
			w.visit(c)
		}
	}
}

// base records one base: a name, a dotted name, either with type arguments. Of a call
// that makes a base (a mixin) what is handed to it, and of a choice each alternative,
// are embedded: the base may be built on them.
func (w *walker) base(n sitter.Node, def int32, rel graph.HeritageRel) {
	if n == sitter.None {
		return
	}
	h := graph.Heritage{Def: def, Rel: rel, Span: w.b.Span(n)}
	switch w.kind(n) {
	case kGenericType:
		if name := w.nameOf(n); name != sitter.None {
			w.base(name, def, rel)
		}
		return
	case kIdentifier, kTypeIdentifier:
		h.Name = w.text(n)
	case kMember:
		if p := w.t.Child(n, fProperty); p != sitter.None {
			h.Name = w.text(p)
			h.Qualifier = w.qualifier(w.t.Child(n, fObject))
		}
	case kNestedType, kNestedIdentifier:
		s := w.text(n)
		if i := strings.LastIndexByte(s, '.'); i > 0 {
			h.Qualifier, h.Name = s[:i], s[i+1:]
		}
	case kCall:
		if args := w.t.Child(n, fArguments); args != sitter.None {
			for a := range w.t.Children(args) {
				w.base(a, def, graph.RelEmbeds)
			}
		}
		return
	case kParenthesized, kAs, kSatisfies, kNonNull:
		if c := w.t.First(n); c != sitter.None {
			w.base(c, def, rel)
		}
		return
	case kTernary:
		w.base(w.t.Child(n, fConsequence), def, graph.RelEmbeds)
		w.base(w.t.Child(n, fAlternative), def, graph.RelEmbeds)
		return
	case kBinary:
		if op := w.operator(n); op == "||" || op == "??" {
			w.base(w.t.Child(n, fLeft), def, graph.RelEmbeds)
			w.base(w.t.Child(n, fRight), def, graph.RelEmbeds)
		}
		return
	default:
	}
	if h.Name != "" {
		w.b.Facts.Heritage = append(w.b.Facts.Heritage, h)
	}
}
