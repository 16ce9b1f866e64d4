package golang

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
	case kBlock, kIf, kFor, kExprSwitch, kSelect, kExprCase, kDefaultCase, kCommCase:
		x.scoped(n)
	case kTypeSwitch:
		x.typeSwitch(n)
	case kShortVar:
		x.define(n)
	case kReceive:
		x.receiveStmt(n)
	case kRange:
		x.rangeClause(n)
	case kAssign:
		x.assign(n)
	case kInc, kDec:
		x.writes(x.t.First(n))
	case kConstDecl, kVarDecl, kTypeDecl:
		x.localDecl(n)
	case kFuncDecl, kMethodDecl:
		x.function(n) // only where the text does not parse
	case kLabel, kString, kRawString, kInt, kFloat, kRune:
	case kComment:
		x.b.NoteComment(n)
	default:
		x.expr(n)
	}
}

// localDecl reads a const, var or type declaration in a function.
func (x *extractor) localDecl(n sitter.Node) {
	if x.scopes.Depth() == 0 {
		x.declaration(n)
		return
	}
	x.specs(n, func(s sitter.Node) {
		switch x.t.Kind(s) {
		case kTypeSpec, kTypeAlias:
			d := graph.Def{Span: x.b.Span(s), Doc: x.b.DocAbove(x.t.Start(s))}
			if !x.grouped(n) {
				d.Span, d.Doc = x.b.Span(n), x.b.DocAbove(x.t.Start(n))
			}
			x.typeSpec(s, d)
		case kConstSpec, kVarSpec:
			x.localValues(s)
		default:
			x.visit(s)
		}
	})
}

func (x *extractor) localValues(s sitter.Node) {
	typ, value := x.t.Child(s, fType), x.t.Child(s, fValue)
	x.typeExpr(typ, graph.NoDef)
	if value != sitter.None {
		x.visitChildren(value)
	}
	count, i := x.countNames(s), 0
	hints := make([]graph.Hint, 0, 4)
	for ; i < count; i++ {
		switch {
		case typ != sitter.None:
			hints = append(hints, x.declaredHint(typ))
		case value != sitter.None:
			hints = append(hints, x.hintOf(value, i))
		default:
			hints = append(hints, graph.Hint{Rule: graph.HintLocal})
		}
	}
	i = 0
	for id := range x.t.Children(s) {
		if x.t.Field(id) == fName && x.t.Kind(id) == kIdentifier {
			x.declare(id, hints[i])
			i++
		}
	}
}

// declare binds a local name.
func (x *extractor) declare(id sitter.Node, h graph.Hint) {
	if name := x.b.Text(id); name != "_" && name != "" {
		x.scopes.Declare(spec.Local{Name: name, Hint: h, Def: graph.NoDef})
	}
}

// define reads "a, b := x, y". Names that the innermost scope has already keep what
// is known of them.
func (x *extractor) define(n sitter.Node) {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	if right != sitter.None {
		x.visit(right)
	}
	if left == sitter.None {
		return
	}
	count := 0
	for range x.t.Children(left) {
		count++
	}
	var few [4]graph.Hint
	hints := few[:0]
	for i := range count {
		hints = append(hints, x.hintOf(right, i))
	}
	i := 0
	for id := range x.t.Children(left) {
		if x.t.Kind(id) == kIdentifier && !x.scopes.InInnermost(x.b.Text(id)) {
			x.declare(id, hints[i])
		}
		i++
	}
}

// receiveStmt reads "v, ok := <-ch" and "v = <-ch" in a select.
func (x *extractor) receiveStmt(n sitter.Node) {
	if left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight); left != sitter.None && right != sitter.None && x.defines(left, right) {
		x.define(n)
		return
	}
	x.assign(n)
}

// defines reports whether ":=" stands between two nodes.
func (x *extractor) defines(left, right sitter.Node) bool {
	for i := x.t.End(left); i+1 < x.t.Start(right); i++ {
		if x.b.Src[i] == ':' && x.b.Src[i+1] == '=' {
			return true
		}
	}
	return false
}

// assign reads "a.b, c[i] = x, y" and "a += x".
func (x *extractor) assign(n sitter.Node) {
	for c := range x.t.Children(n) {
		if x.t.Field(c) == fLeft {
			for e := range x.t.Children(c) {
				x.writes(e)
			}
			continue
		}
		x.visit(c)
	}
}

// writes reads an expression that is assigned to.
func (x *extractor) writes(e sitter.Node) {
	if e == sitter.None {
		return
	}
	switch x.t.Kind(e) {
	case kIdentifier:
		x.name(e, graph.UseWrite, -1)
	case kSelector:
		x.selector(e, graph.UseWrite, -1)
	case kParen:
		x.writes(x.t.First(e))
	default:
		x.visit(e)
	}
}

func (x *extractor) rangeClause(n sitter.Node) {
	left, right := x.t.Child(n, fLeft), x.t.Child(n, fRight)
	if right == sitter.None {
		x.visitChildren(n)
		return
	}
	x.visit(right)
	if left == sitter.None {
		return
	}
	if !x.defines(left, right) {
		for e := range x.t.Children(left) {
			x.writes(e)
		}
		return
	}
	key, elem := x.rangeHints(right)
	i := 0
	for id := range x.t.Children(left) {
		if x.t.Kind(id) == kIdentifier {
			x.declare(id, [2]graph.Hint{key, elem}[min(i, 1)])
		}
		i++
	}
}

// typeSwitch reads "switch v := e.(type)"; v has the case's type where the case
// names one, else that of e.
func (x *extractor) typeSwitch(n sitter.Node) {
	x.scopes.Open()
	defer x.scopes.Close()
	alias := sitter.None
	whole := graph.Hint{Rule: graph.HintLocal}
	for c := range x.t.Children(n) {
		switch {
		case x.t.Field(c) == fAlias:
			alias = x.t.First(c)
		case x.t.Field(c) == fValue:
			x.visit(c)
			whole = x.hint(c)
		case x.t.Kind(c) == kTypeCase || x.t.Kind(c) == kDefaultCase:
			x.typeCase(c, alias, whole)
		default:
			x.visit(c)
		}
	}
}

func (x *extractor) typeCase(n, alias sitter.Node, whole graph.Hint) {
	x.scopes.Open()
	defer x.scopes.Close()
	types, only := 0, sitter.None
	for c := range x.t.Children(n) {
		if x.t.Field(c) == fType {
			x.typeExpr(c, graph.NoDef)
			types++
			only = c
		}
	}
	if alias != sitter.None {
		if types == 1 {
			whole = x.declaredHint(only)
		}
		x.declare(alias, whole)
	}
	for c := range x.t.Children(n) {
		if x.t.Field(c) != fType {
			x.visit(c)
		}
	}
}
