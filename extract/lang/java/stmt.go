package java

import (
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

func (x *extractor) visitChildren(n sitter.Node) {
	for c := range x.t.Children(n) {
		x.visit(c)
	}
}

// scoped reads the children of n in a scope of their own.
func (x *extractor) scoped(n sitter.Node) {
	x.scopes.Open()
	x.visitChildren(n)
	x.scopes.Close()
}

// visit reads a statement or an expression.
func (x *extractor) visit(n sitter.Node) {
	switch x.t.Kind(n) {
	case kBlock, kConstructorBody, kFor, kTry, kSwitchGroup, kSwitchRule:
		x.scoped(n)
	case kLineComment, kBlockComment:
		x.b.NoteComment(n)
	case kLocalVariable:
		x.locals(n)
	case kEnhancedFor:
		x.enhancedFor(n)
	case kTryResources:
		x.scopes.Open()
		for c := range x.t.Children(n) {
			if x.t.Field(c) == fResources {
				x.resources(c)
			} else {
				x.visit(c)
			}
		}
		x.scopes.Close()
	case kCatch:
		x.catch(n)
	case kSwitch:
		x.switchExpr(n)
	case kReturn:
		x.returns(n)
	case kLabeled:
		for c := range x.t.Children(n) {
			if x.t.Kind(c) != kIdentifier {
				x.visit(c)
			}
		}
	case kBreak, kContinue:
	case kExplicitCall:
		x.explicitCall(n)
	case kClass, kInterface, kEnum, kRecord, kAnnotationType:
		x.typeDecl(n)
	case kMethod, kConstructor, kCompactConstructor, kField, kConstant, kEnumBodyDecls, kStaticInit:
		x.misplaced(n)
	case kModifiers:
		for c := range x.t.Children(n) {
			x.visit(c)
		}
	case kMarker, kAnnotation:
		x.annotation(n)
	default:
		x.expr(n)
	}
}

// misplaced reads what does not stand in a body of a type: the text before it does not
// parse.
func (x *extractor) misplaced(n sitter.Node) {
	if x.t.Kind(n) == kStaticInit {
		x.scoped(n)
		return
	}
	x.member(n)
}

// declare binds a local name.
func (x *extractor) declare(id sitter.Node, h graph.Hint) {
	if name := x.text(id); name != "" {
		x.scopes.Declare(spec.Local{Name: name, Hint: h, Def: graph.NoDef})
	}
}

// typeHint is the hint of a local with a declared type.
func (x *extractor) typeHint(text string) graph.Hint {
	if text == "" {
		return graph.Hint{Rule: graph.HintLocal}
	}
	return graph.Hint{Rule: graph.HintDeclared, Type: text}
}

// localHint is the hint of a local that is declared with a type, or with var and a value.
func (x *extractor) localHint(typ, declarator, value sitter.Node, suffix string) graph.Hint {
	if typ == sitter.None || !x.t.Is(typ, "var") {
		return x.typeHint(x.declaredType(typ, declarator))
	}
	p := x.pathOf(value)
	if p == "?" || len(p)+len(suffix) > maxPath {
		return graph.Hint{Rule: graph.HintLocal}
	}
	if t, ok := wholeType(p); ok && suffix == "" {
		return x.typeHint(t)
	}
	return graph.Hint{Rule: graph.HintValue, Type: p + suffix}
}

// locals reads the declaration of local variables.
func (x *extractor) locals(n sitter.Node) {
	x.annotations(x.modifiers(n))
	typ := x.t.Child(n, fType)
	x.typeRefs(typ)
	for c := range x.t.Children(n) {
		if x.t.Kind(c) != kDeclarator {
			if c != typ && x.t.Kind(c) != kModifiers {
				x.visit(c)
			}
			continue
		}
		value := x.t.Child(c, fValue)
		h := x.localHint(typ, c, value, "")
		if value != sitter.None {
			x.value(value, h.Type)
		}
		x.declare(x.t.Child(c, fName), h)
	}
}

func (x *extractor) enhancedFor(n sitter.Node) {
	x.annotations(x.modifiers(n))
	typ, value := x.t.Child(n, fType), x.t.Child(n, fValue)
	x.typeRefs(typ)
	if value != sitter.None {
		x.visit(value)
	}
	x.scopes.Open()
	x.declare(x.t.Child(n, fName), x.localHint(typ, n, value, "[:]"))
	if body := x.t.Child(n, fBody); body != sitter.None {
		x.visit(body)
	}
	x.scopes.Close()
}

func (x *extractor) resources(n sitter.Node) {
	for r := range x.t.Children(n) {
		typ, value := x.t.Child(r, fType), x.t.Child(r, fValue)
		if x.t.Kind(r) != kResource || typ == sitter.None {
			x.visitChildren(r)
			continue
		}
		x.annotations(x.modifiers(r))
		x.typeRefs(typ)
		h := x.localHint(typ, r, value, "")
		if value != sitter.None {
			x.visit(value)
		}
		x.declare(x.t.Child(r, fName), h)
	}
}

func (x *extractor) catch(n sitter.Node) {
	x.scopes.Open()
	for c := range x.t.Children(n) {
		if x.t.Kind(c) != kCatchParameter {
			x.visit(c)
			continue
		}
		x.annotations(x.modifiers(c))
		h := graph.Hint{Rule: graph.HintLocal}
		if types := x.t.ChildOfKind(c, kCatchType); types != sitter.None {
			x.typeRefs(types)
			if first := x.t.First(types); first != sitter.None {
				h = x.typeHint(x.typeText(first))
			}
		}
		x.declare(x.t.Child(c, fName), h)
	}
	x.scopes.Close()
}

// switchExpr reads a switch; names in its labels are constants of what it is about.
func (x *extractor) switchExpr(n sitter.Node) {
	cond, body := x.t.Child(n, fCondition), x.t.Child(n, fBody)
	path := "?"
	if cond != sitter.None {
		x.visit(cond)
		path = x.pathOf(cond)
	}
	if body == sitter.None {
		return
	}
	x.scopes.Open()
	for g := range x.t.Children(body) {
		if x.t.Kind(g) != kSwitchGroup && x.t.Kind(g) != kSwitchRule {
			x.visit(g)
			continue
		}
		if x.t.Kind(g) == kSwitchRule {
			x.scopes.Open()
		}
		for c := range x.t.Children(g) {
			if x.t.Kind(c) == kSwitchLabel {
				x.label(c, path)
			} else {
				x.visit(c)
			}
		}
		if x.t.Kind(g) == kSwitchRule {
			x.scopes.Close()
		}
	}
	x.scopes.Close()
}

func (x *extractor) label(n sitter.Node, path string) {
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kIdentifier:
			if len(path) < maxPath-len(prefixCase) && path != "?" {
				x.addRef(c, prefixCase+path, graph.UseRead, x.selfHint(), -1)
			} else {
				x.name(c, graph.UseRead)
			}
		default:
			x.visit(c)
		}
	}
}

func (x *extractor) returns(n sitter.Node) {
	for c := range x.t.Children(n) {
		x.value(c, x.result)
	}
}

// explicitCall reads "this(…)" and "super(…)".
func (x *extractor) explicitCall(n sitter.Node) {
	ctor, args := x.t.Child(n, fConstructor), x.t.Child(n, fArguments)
	for c := range x.t.Children(n) {
		switch c {
		case ctor:
			x.addRef(c, x.withArgs("", args), graph.UseCall, graph.Hint{}, x.count(args))
		case args:
			x.arguments(args, "")
		default:
			x.visit(c)
		}
	}
}
