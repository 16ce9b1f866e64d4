package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// maxObjectDepth bounds the object literals in object literals that are written.
const maxObjectDepth = 3

// objectExpr writes an object literal: "{a=x,b=y()}" by those of its members that say
// of what type they are. Functions are left out: they are definitions; "{(),a=x}" says
// that there are methods. It is "" where no member says anything.
func (w *walker) objectExpr(n sitter.Node, depth int) string {
	var fields []string
	methods, size := false, len("{(),}")
	for c := range w.t.Children(n) {
		if w.kind(c) == kMethodDef {
			methods = true
			continue
		}
		name, e := w.fieldExpr(c, depth)
		if name == "" || e == "" || e == `""` || e == "0" || e == "[]" || e == unknown {
			continue
		}
		if size += len(name) + len(e) + len("=,"); size > maxExpr {
			break
		}
		fields = append(fields, name+"="+e)
	}
	if methods {
		fields = append([]string{"()"}, fields...)
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

// handedBack writes the result of a call of a built-in function that hands its first
// argument back, or what that holds: "" where the call is of something else.
func (w *walker) handedBack(call sitter.Node, depth int) string {
	fn, args := w.t.Child(call, fFunction), w.t.Child(call, fArguments)
	if fn == sitter.None || args == sitter.None || w.kind(fn) != kMember || w.kind(args) != kArguments {
		return ""
	}
	object, first := w.t.Child(fn, fObject), w.t.First(args)
	if object == sitter.None || first == sitter.None || w.kind(object) != kIdentifier || w.locals.Lookup(w.text(object)) != nil {
		return ""
	}
	before, behind := "", ""
	switch w.text(fn) {
	case "Object.freeze", "Object.seal", "Object.assign", "Promise.resolve":
	case "Array.from":
		if w.t.Next(first) != sitter.None { // made anew by a function
			return ""
		}
		before, behind = "[", "[]]"
	default:
		return ""
	}
	if e, ok := w.exprAt(first, depth+1); ok && len(e) <= maxExpr {
		return before + e + behind
	}
	return ""
}
