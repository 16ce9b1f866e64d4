package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	maxPath     = 160
	maxTypeArgs = 80 // bytes of the type arguments that a path keeps
)

// pathOf returns the path of what an expression gives, over names that mean the same
// outside the function; "_" where nothing is known of it.
func (x *extractor) pathOf(n sitter.Node) string {
	mark := len(x.buf)
	ok := n != sitter.None && x.path(n, true)
	p := string(x.buf[mark:])
	x.buf = x.buf[:mark]
	if !ok || len(p) > maxPath {
		return "_"
	}
	return p
}

// qualifier returns the path of an expression with local names as they are; "?" for
// one without.
func (x *extractor) qualifier(n sitter.Node) string {
	mark := len(x.buf)
	ok := x.path(n, false)
	p := string(x.buf[mark:])
	x.buf = x.buf[:mark]
	if !ok || len(p) > maxPath {
		return "?"
	}
	return p
}

// path appends the path of n to x.buf. With global set, local names are replaced by
// the path of what they hold.
func (x *extractor) path(n sitter.Node, global bool) (ok bool) {
	if n == sitter.None || len(x.buf) > 4*maxPath {
		return false
	}
	switch x.t.Kind(n) {
	case kIdentifier:
		return x.namePath(x.b.Text(n), global)
	case kSelf:
		return x.namePath("self", global)
	case kScoped:
		return x.names(n)
	case kGenericFunction:
		if !x.path(x.t.Child(n, fFunction), global) {
			return false
		}
		x.typeArgs(x.t.Child(n, fTypeArguments))
		return true
	case kCall:
		return x.callPath(n, global)
	case kField:
		field := x.t.Child(n, fField)
		if field == sitter.None || !x.path(x.t.Child(n, fValue), global) {
			return false
		}
		x.buf = append(append(x.buf, '.'), x.b.Text(field)...)
		return true
	case kIndex:
		if !x.path(x.t.First(n), global) {
			return false
		}
		if i := x.t.Next(x.t.First(n)); i == sitter.None || x.t.Kind(i) != kRange {
			x.buf = append(x.buf, "[]"...)
		}
		return true
	case kTry:
		if !x.path(x.t.First(n), global) {
			return false
		}
		x.buf = append(x.buf, '?')
		return true
	case kAwait, kParen, kUnary:
		return x.path(x.t.First(n), global)
	case kReference:
		return x.path(x.t.Child(n, fValue), global)
	default:
	}
	return x.valuePath(n, global)
}

// valuePath is path for what makes a value.
func (x *extractor) valuePath(n sitter.Node, global bool) bool {
	switch x.t.Kind(n) {
	case kCast:
		return x.typed(x.t.Child(n, fType))
	case kStructExpr:
		return x.typed(x.t.Child(n, fName))
	case kString, kRawString:
		x.buf = append(x.buf, "<str>"...)
	case kChar:
		x.buf = append(x.buf, "<char>"...)
	case kBool:
		x.buf = append(x.buf, "<bool>"...)
	case kInt:
		x.buf = append(x.buf, "<i32>"...)
	case kFloat:
		x.buf = append(x.buf, "<f64>"...)
	case kRange:
		x.buf = append(x.buf, "<std::ops::Range<usize>>"...)
	case kArray:
		return x.arrayPath(n)
	case kMacroCall:
		return x.macroPath(n)
	case kBinary:
		return x.binaryPath(n, global)
	case kBlock, kUnsafeBlock, kMatch, kIf, kElse:
		return x.branchPath(n, global)
	default:
		return false
	}
	return true
}

func (x *extractor) typed(typ sitter.Node) bool {
	if typ == sitter.None {
		return false
	}
	t := x.typeText(typ)
	if t == "" {
		return false
	}
	x.buf = append(append(append(x.buf, '<'), t...), '>')
	return true
}

// arrayPath writes an array as a slice of what its first element is, where that has a
// type that is written.
func (x *extractor) arrayPath(n sitter.Node) bool {
	first := x.t.First(n)
	if first == sitter.None {
		return false
	}
	mark := len(x.buf)
	if !x.path(first, true) {
		return false
	}
	p := string(x.buf[mark:])
	x.buf = x.buf[:mark]
	switch {
	case wholeType(p):
		p = p[1 : len(p)-1]
	case !upper(p) || strings.ContainsAny(p, ".(?[@|{"):
		return false
	}
	x.buf = append(append(append(x.buf, "<["...), p...), "]>"...)
	return true
}

func (x *extractor) macroPath(n sitter.Node) bool {
	name := x.t.Child(n, fMacro)
	if name == sitter.None {
		return false
	}
	switch x.b.Text(name) {
	case "vec":
		x.buf = append(x.buf, "<Vec<_>>"...)
	case "format":
		x.buf = append(x.buf, "<String>"...)
	case "matches":
		x.buf = append(x.buf, "<bool>"...)
	case "stringify", "concat", "env", "include_str":
		x.buf = append(x.buf, "<str>"...)
	default:
		return false
	}
	return true
}

// binaryPath takes what an operator gives for what stands on its left.
func (x *extractor) binaryPath(n sitter.Node, global bool) bool {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	if left == sitter.None || right == sitter.None {
		return false
	}
	switch op := strings.TrimSpace(x.b.Slice(x.t.End(left), x.t.Start(right))); op {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		x.buf = append(x.buf, "<bool>"...)
		return true
	}
	return x.path(left, global)
}

// branchPath is the path of a block, which has one when its value is all that stands
// in it, or of the first branch that has one.
func (x *extractor) branchPath(n sitter.Node, global bool) bool {
	mark := len(x.buf)
	try := func(c sitter.Node) bool {
		if c == sitter.None {
			return false
		}
		if x.path(c, global) {
			return true
		}
		x.buf = x.buf[:mark]
		return false
	}
	switch x.t.Kind(n) {
	case kBlock, kUnsafeBlock, kElse:
		only := x.t.First(n)
		if only == sitter.None || x.t.Next(only) != sitter.None || x.t.Kind(only) == kLet || x.endsWithSemicolon(only) {
			return false
		}
		if x.t.Kind(only) == kExprStmt {
			only = x.t.First(only)
		}
		return try(only)
	case kIf:
		return try(x.t.Child(n, fConsequence)) || try(x.t.Child(n, fAlternative))
	case kMatch:
		body := x.t.Child(n, fBody)
		if body == sitter.None {
			return false
		}
		for arm := range x.t.Children(body) {
			v := x.t.Child(arm, fValue)
			if v == sitter.None || x.t.Kind(arm) != kMatchArm || x.t.Kind(v) == kIdentifier && x.scopes.Lookup(x.b.Text(v)) == nil {
				continue
			}
			if try(v) {
				return true
			}
		}
	default:
	}
	return false
}

func (x *extractor) endsWithSemicolon(n sitter.Node) bool {
	end := x.t.End(n)
	return end > 0 && x.t.Kind(n) == kExprStmt && x.b.Src[end-1] == ';'
}

func (x *extractor) namePath(name string, global bool) bool {
	if global && name != "self" {
		if l := x.scopes.Lookup(name); l != nil {
			return x.appendHint(l.Hint)
		}
	}
	x.buf = append(x.buf, name...)
	return true
}

// appendHint writes the path of what a local holds.
func (x *extractor) appendHint(h graph.Hint) bool {
	switch h.Rule {
	case graph.HintSelf:
		x.buf = append(x.buf, "self"...)
	case graph.HintDeclared:
		x.buf = append(append(append(x.buf, '<'), h.Type...), '>')
	case graph.HintAssigned:
		x.buf = append(append(x.buf, h.Type...), "()"...)
	case graph.HintValue:
		x.buf = append(x.buf, h.Type...)
	default:
		return false
	}
	return true
}

// hint turns a path into the hint of the local that holds what it denotes.
func hint(path string) graph.Hint {
	switch {
	case path == "" || path == "_" || len(path) > maxPath:
		return graph.Hint{Rule: graph.HintLocal}
	case path == "self":
		return graph.Hint{Rule: graph.HintValue, Type: path}
	case wholeType(path):
		return graph.Hint{Rule: graph.HintDeclared, Type: path[1 : len(path)-1]}
	case strings.HasSuffix(path, "()"):
		return graph.Hint{Rule: graph.HintAssigned, Type: path[:len(path)-2]}
	}
	return graph.Hint{Rule: graph.HintValue, Type: path}
}

// wholeType reports whether a path is one type in angle brackets.
func wholeType(p string) bool {
	if len(p) < 3 || p[0] != '<' || p[len(p)-1] != '>' {
		return false
	}
	depth := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && p[i-1] == '-' { // ->
				continue
			}
			if depth--; depth == 0 && i < len(p)-1 {
				return false
			}
		}
	}
	return depth == 0
}

// names writes a path of names, with type arguments where they stand in it.
func (x *extractor) names(n sitter.Node) bool {
	switch x.t.Kind(n) {
	case kIdentifier, kTypeIdentifier, kCrate, kSelf, kSuper, kPrimitive:
		x.buf = append(x.buf, x.b.Text(n)...)
	case kMetavariable:
		if !x.t.Is(n, "$crate") {
			return false
		}
		x.buf = append(x.buf, "crate"...)
	case kScoped, kScopedType:
		if path := x.t.Child(n, fPath); path != sitter.None && !x.names(path) {
			return false
		}
		id := x.t.Child(n, fName)
		if id == sitter.None {
			return false
		}
		x.buf = append(append(x.buf, "::"...), x.b.Text(id)...)
	case kGenericType:
		if typ := x.t.Child(n, fType); typ == sitter.None || !x.names(typ) {
			return false
		}
		x.typeArgs(x.t.Child(n, fTypeArguments))
	case kBracketedType:
		x.buf = append(x.buf, x.typeText(n)...)
	default:
		return false
	}
	return true
}

// typeArgs writes "::<T>", unless that is too long to be of use.
func (x *extractor) typeArgs(n sitter.Node) {
	if n == sitter.None {
		return
	}
	if t := x.typeText(n); t != "" && len(t) <= maxTypeArgs {
		x.buf = append(append(x.buf, "::"...), t...)
	}
}

// callPath writes the path of a call.
func (x *extractor) callPath(n sitter.Node, global bool) bool {
	fn := x.t.Child(n, fFunction)
	if fn == sitter.None {
		return false
	}
	mark := len(x.buf)
	if x.t.Kind(fn) == kIdentifier && x.scopes.Lookup(x.b.Text(fn)) != nil {
		return false // a closure
	}
	if !x.path(fn, global) {
		return false
	}
	if wraps(string(x.buf[mark:])) {
		x.argument(x.t.Child(n, fArguments))
	}
	x.buf = append(x.buf, "()"...)
	return true
}

// argument writes the path of the only argument of a call.
func (x *extractor) argument(args sitter.Node) {
	if args == sitter.None {
		return
	}
	only := x.t.First(args)
	if only == sitter.None || x.t.Next(only) != sitter.None {
		return
	}
	mark := len(x.buf)
	x.buf = append(x.buf, '{')
	if !x.path(only, true) || len(x.buf)-mark > maxPath {
		x.buf = x.buf[:mark]
		return
	}
	x.buf = append(x.buf, '}')
}

// wraps reports whether what a function of the standard library gives holds just its
// argument.
func wraps(callee string) bool {
	switch callee[strings.LastIndexByte(callee, ':')+1:] {
	case "Some", "Ok":
		return true
	case "new", "pin", "from":
		typ := callee[:strings.LastIndex(callee, "::")+2]
		switch typ {
		case "Box::", "Rc::", "Arc::", "Cell::", "RefCell::", "Mutex::", "RwLock::", "Pin::", "Cow::":
			return true
		}
		return strings.HasPrefix(typ, "std::")
	}
	return false
}
