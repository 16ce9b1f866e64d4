package golang

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

const (
	maxArgument  = 60 // bytes of what is kept of one argument, or of the type arguments
	maxArguments = 4  // arguments that are kept
	maxNesting   = 2  // calls in arguments of calls
)

// notePlain notes what the file declares without type parameters: calls of it need no
// arguments to be understood.
func (x *extractor) notePlain() {
	for n := range x.t.Children(sitter.Root) {
		switch x.t.Kind(n) {
		case kFuncDecl:
			id := x.t.Child(n, fName)
			if id == sitter.None {
				continue
			}
			name := x.b.Text(id)
			x.plain[name] = x.t.Child(n, fTypeParameters) == sitter.None
			if predeclaredFunc(name) {
				x.redefined[name] = true
			}
		case kTypeDecl:
			for s := range x.t.Children(n) {
				if id := x.t.Child(s, fName); id != sitter.None {
					x.plain[x.b.Text(id)] = true
				}
			}
		default:
		}
	}
}

// instance writes the path of what is called; in "F[T](x)" the brackets keep the types.
func (x *extractor) instance(fn sitter.Node, global bool) bool {
	k := x.t.Kind(fn)
	if k != kIndex && k != kInstantiation {
		return x.path(fn, global)
	}
	of := x.t.First(fn)
	if !x.path(of, global) {
		return false
	}
	x.typeArguments(of, fn)
	return true
}

// typeArguments writes what stands in brackets behind name at the end of n, or "[]"
// where that is an index.
func (x *extractor) typeArguments(name, n sitter.Node) {
	text := strings.TrimSpace(x.b.Slice(x.t.End(name), x.t.End(n)))
	if len(text) > maxArgument || !x.namesTypes(text) {
		text = "[]"
	}
	x.buf = append(x.buf, text...)
}

// namesTypes reports whether a text in brackets may be a list of types that mean the
// same outside the function.
func (x *extractor) namesTypes(text string) bool {
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") || strings.ContainsAny(text, "\"'`{}+-/<>:&|#\n") {
		return false
	}
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("[]*., ()", r) }) {
		if l := x.scopes.Lookup(name); l != nil && l.Def < 0 || name[0] >= '0' && name[0] <= '9' {
			return false
		}
	}
	return true
}

// arguments writes the arguments of a call behind the path of fn, where the function
// may be generic: neither a local value nor a method is, nor what the file declares as
// plain. They are written in the names of the package, whatever fn is written in.
func (x *extractor) arguments(call, fn sitter.Node) {
	args := x.t.Child(call, fArguments)
	if args == sitter.None || x.nesting >= maxNesting || !x.mayBeGeneric(fn) {
		return
	}
	// The resolver knows which functions of the standard library are generic.
	unknown := x.t.Kind(fn) == kSelector && strings.Contains(x.pkgs[x.b.Text(x.t.First(fn))], ".")
	from, more := len(x.buf), false
	x.nesting++
	defer func() { x.nesting-- }()
	x.buf = append(x.buf, '{')
	count := 0
	for a := range x.t.Children(args) {
		if x.t.Kind(a) == kComment {
			continue
		}
		if count++; count > maxArguments {
			break
		}
		if count > 1 {
			x.buf = append(x.buf, ',')
		}
		more = x.argument(a, unknown) || more
	}
	x.buf = append(x.buf, '}')
	if !more {
		x.buf = x.buf[:from]
	} else if len(x.buf) > maxPath-maxArgument/2 {
		x.buf = x.buf[:from]
		if unknown {
			x.buf = append(x.buf, "{?}"...)
		}
	}
}

// argument writes the path of an argument and reports whether it says more than that
// the value is of a type of the language; unknown tells whether one without a path does.
func (x *extractor) argument(a sitter.Node, unknown bool) bool {
	switch x.t.Kind(a) {
	case kString, kRawString, kInt, kFloat, kRune, kBinary:
		return false
	default:
	}
	if x.t.Is(a, "nil") || x.t.Is(a, "true") || x.t.Is(a, "false") {
		return false
	}
	from := len(x.buf)
	if !x.path(a, true) {
		x.buf = append(x.buf[:from], '?')
		return unknown
	}
	path := string(x.buf[from:])
	path = x.unmarked(path, x.named(path, ""))
	t, ok := wholeType(path)
	switch {
	case ok && predeclaredType(t):
		x.buf = x.buf[:from]
		return false
	case len(path) > maxArgument:
		x.buf = append(x.buf[:from], '?')
		return unknown
	}
	x.buf = append(x.buf[:from], path...)
	return true
}

// mayBeGeneric reports whether what is called may be a function with type parameters.
func (x *extractor) mayBeGeneric(fn sitter.Node) bool {
	switch x.t.Kind(fn) {
	case kIdentifier:
		name := x.b.Text(fn)
		return !x.plain[name] && x.scopes.Lookup(name) == nil && !predeclaredType(name)
	case kSelector:
		of := x.t.Child(fn, fOperand)
		if of == sitter.None || x.t.Kind(of) != kIdentifier {
			return false
		}
		name := x.b.Text(of)
		return x.pkgs[name] != "" && x.scopes.Lookup(name) == nil
	case kIndex, kInstantiation:
		return x.mayBeGeneric(x.t.First(fn))
	default:
	}
	return false
}
