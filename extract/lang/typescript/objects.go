package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// maxObjectDepth bounds the object literals in object literals that are written.
const maxObjectDepth = 3

// objectExpr writes an object literal: "{a=x,b=y()}" by those of its members that say
// of what type they are. Functions are left out: they are definitions. It is "" where
// no member says so.
func (w *walker) objectExpr(n sitter.Node, depth int) string {
	var fields []string
	size := len("{}")
	for c := range w.t.Children(n) {
		name, e := w.fieldExpr(c, depth)
		if name == "" || e == "" || e == `""` || e == "0" || e == "[]" || e == unknown {
			continue
		}
		if size += len(name) + len(e) + len("=,"); size > maxExpr {
			break
		}
		fields = append(fields, name+"="+e)
	}
	if len(fields) == 0 {
		return ""
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func (w *walker) fieldExpr(c sitter.Node, depth int) (name, expr string) {
	switch w.kind(c) {
	case kShorthand:
		expr, _ = w.identExpr(c)
		return w.text(c), expr
	case kPair:
		key, value := w.t.Child(c, fKey), w.t.Child(c, fValue)
		if key == sitter.None || value == sitter.None || w.isFunctionValue(value) || w.isNothing(value) {
			return "", ""
		}
		if name, _ = w.memberName(key); !isName(name) {
			return "", ""
		}
		if w.kind(value) == kObject && depth >= maxObjectDepth {
			return "", ""
		}
		expr, _ = w.exprAt(value, depth+1)
		return name, expr
	default:
	}
	return "", ""
}

// frozen returns the object literal that a call of Object.freeze hands back, or None.
func (w *walker) frozen(call sitter.Node) sitter.Node {
	fn, args := w.t.Child(call, fFunction), w.t.Child(call, fArguments)
	if fn == sitter.None || args == sitter.None || w.kind(fn) != kMember || w.text(fn) != "Object.freeze" {
		return sitter.None
	}
	if first := w.t.First(args); first != sitter.None && w.kind(first) == kObject {
		return first
	}
	return sitter.None
}
