package golang

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// declaration reads a const, var or type declaration of the top level and reports
// whether n is one.
func (x *extractor) declaration(n sitter.Node) bool {
	switch x.t.Kind(n) {
	case kConstDecl, kVarDecl, kTypeDecl:
	default:
		return false
	}
	doc := x.b.DocAbove(x.t.Start(n))
	group := x.grouped(n)
	x.specs(n, func(s sitter.Node) {
		d := graph.Def{Span: x.b.Span(s), Doc: x.b.DocAbove(x.t.Start(s))}
		if !group {
			d.Span, d.Doc = x.b.Span(n), doc
		}
		switch x.t.Kind(s) {
		case kConstSpec:
			x.values(s, d, graph.KindConstant)
		case kVarSpec:
			x.values(s, d, graph.KindVariable)
		case kTypeSpec, kTypeAlias:
			x.typeSpec(s, d)
		default:
		}
	})
	return true
}

// grouped reports whether the declaration has parentheses.
func (x *extractor) grouped(n sitter.Node) bool {
	text := strings.TrimLeft(x.b.Text(n), "abcdefghijklmnopqrstuvwxyz")
	return strings.HasPrefix(strings.TrimLeft(text, " \t"), "(")
}

// specs calls read with each spec of a declaration and notes the comments between.
func (x *extractor) specs(n sitter.Node, read func(sitter.Node)) {
	for s := range x.t.Children(n) {
		switch x.t.Kind(s) {
		case kComment:
			x.b.NoteComment(s)
		case kVarSpecList:
			x.specs(s, read)
		default:
			read(s)
		}
	}
}

// values defines the constants or variables of one spec and reads their values.
func (x *extractor) values(s sitter.Node, d graph.Def, kind graph.Kind) {
	word := "var "
	if kind == graph.KindConstant {
		word = "const "
	}
	typ, value := x.t.Child(s, fType), x.t.Child(s, fValue)
	first := graph.NoDef
	var defs []int32 // by position of the name
	for id := range x.t.Children(s) {
		if x.t.Field(id) != fName || x.t.Kind(id) != kIdentifier {
			continue
		}
		name := x.b.Text(id)
		if name == "_" || name == "" {
			defs = append(defs, graph.NoDef)
			continue
		}
		v := d
		v.Name, v.Local, v.Kind, v.NameSpan, v.Flags = name, name, kind, x.b.Span(id), x.nameFlags(name)
		v.Signature = word + name
		if typ != sitter.None {
			v.Type = x.typeText(typ)
			v.Signature += " " + v.Type
		} else {
			v.Type = x.valueType(value, len(defs))
		}
		if kind == graph.KindConstant && value != sitter.None && x.countNames(s) == 1 {
			if text := spec.OneLine(x.b.Text(value)); len(text) <= 60 {
				v.Signature += " = " + text
			}
		}
		i := x.b.AddDef(v)
		defs = append(defs, i)
		if first == graph.NoDef {
			first = i
		}
	}
	x.inside(first, func() { x.typeExpr(typ, first) })
	if value == sitter.None {
		return
	}
	k := 0
	for e := range x.t.Children(value) {
		owner := first
		if k < len(defs) && defs[k] != graph.NoDef {
			owner = defs[k]
		}
		x.inside(owner, func() {
			if x.t.Kind(e) == kComposite {
				x.composite(e, owner)
			} else {
				x.visit(e)
			}
		})
		k++
	}
}

func (x *extractor) countNames(s sitter.Node) (n int) {
	for id := range x.t.Children(s) {
		if x.t.Field(id) == fName && x.t.Kind(id) == kIdentifier {
			n++
		}
	}
	return n
}

// valueType returns the path of the value of the i-th name.
func (x *extractor) valueType(value sitter.Node, i int) string {
	if value == sitter.None {
		return ""
	}
	h := x.hintOf(value, i)
	switch h.Rule {
	case graph.HintAssigned:
		callee, result := splitResult(h.Type)
		return x.unmarked(callee+"()"+result, x.named(callee, ""))
	case graph.HintLiteral, graph.HintDeclared, graph.HintValue:
		return x.unmarked(h.Type, x.named(h.Type, ""))
	default:
	}
	return ""
}

// inside reads with def as the enclosing definition.
func (x *extractor) inside(def int32, read func()) {
	if def == graph.NoDef {
		read()
		return
	}
	x.b.Enter(def)
	read()
	x.b.Leave()
}

// function reads a function or method with its body.
func (x *extractor) function(n sitter.Node) {
	id := x.t.Child(n, fName)
	if id == sitter.None {
		x.visitChildren(n)
		return
	}
	name := x.b.Text(id)
	end := x.t.End(n)
	body := x.t.Child(n, fBody)
	if body != sitter.None {
		end = x.t.Start(body)
	}
	d := graph.Def{
		Name: name, Local: name, Kind: graph.KindFunction, Span: x.b.Span(n), NameSpan: x.b.Span(id),
		Signature: x.b.Signature(x.t.Start(n), end), Doc: x.b.DocAbove(x.t.Start(n)), Flags: x.nameFlags(name),
		Type: x.resultType(x.t.Child(n, fResult)),
	}
	recv := x.t.Child(n, fReceiver)
	if x.t.Kind(n) == kMethodDecl {
		x.receiverOf(recv, &d)
	}
	if x.test {
		d.Flags |= x.testFlags(n, &d)
	}
	if name == "_" {
		d.Flags |= graph.FlagLocal
	}
	def := graph.NoDef
	if name != "" {
		def = x.b.AddDef(d)
	}
	x.inside(def, func() {
		x.scopes.Open()
		if recv != sitter.None {
			x.receiver(recv, &d)
		}
		x.typeParams(x.t.Child(n, fTypeParameters))
		x.params(x.t.Child(n, fParameters), true)
		x.result(x.t.Child(n, fResult), true)
		if body != sitter.None {
			x.visit(body)
		}
		x.scopes.Close()
	})
}

// receiverOf makes d a method of the type that its receiver names.
func (x *extractor) receiverOf(recv sitter.Node, d *graph.Def) {
	d.Kind = graph.KindMethod
	if recv == sitter.None {
		return
	}
	star := false
	for c := recv + 1; c < x.t.After(recv); c++ {
		switch x.t.Kind(c) {
		case kPointerType:
			star = true
		case kTypeIdentifier:
			d.Owner = x.b.Text(c)
			d.Local = d.Owner + "." + d.Name
			if star {
				d.Local = "(*" + d.Owner + ")." + d.Name
			}
			return
		default:
		}
	}
}

// receiver declares the receiver's name and type parameters.
func (x *extractor) receiver(recv sitter.Node, d *graph.Def) {
	for p := range x.t.Children(recv) {
		if x.t.Kind(p) != kParam {
			continue
		}
		owner := false
		for c := p + 1; c < x.t.After(p); c++ {
			if x.t.Kind(c) != kTypeIdentifier {
				continue
			}
			if owner { // [P, Q]
				x.scopes.Declare(spec.Local{Name: x.b.Text(c), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef, Type: true})
				continue
			}
			owner = true
			x.addRef(c, "", graph.UseType, graph.Hint{})
		}
		if id := x.t.Child(p, fName); id != sitter.None {
			x.declare(id, graph.Hint{Rule: graph.HintSelf, Type: d.Owner})
		}
	}
}

// testFlags judges by name and signature, as the test runner does.
func (x *extractor) testFlags(n sitter.Node, d *graph.Def) graph.DefFlags {
	params := x.t.Child(n, fParameters)
	count, typ := 0, ""
	if params != sitter.None {
		for p := range x.t.Children(params) {
			if x.t.Kind(p) == kParam {
				count++
				if t := x.t.Child(p, fType); t != sitter.None {
					typ = x.b.Text(t)
				}
			}
		}
	}
	method := d.Kind == graph.KindMethod
	switch {
	case method && count == 0 && d.Type == "" && testName(d.Name, "Test"): // a suite
		return graph.FlagTest
	case method:
		return 0
	case count == 1 && d.Name == "TestMain" && strings.HasSuffix(typ, ".M"):
		return graph.FlagFixture
	case count == 1 && strings.HasPrefix(typ, "*") &&
		(strings.HasSuffix(typ, ".T") && testName(d.Name, "Test") || strings.HasSuffix(typ, ".B") && testName(d.Name, "Benchmark") ||
			strings.HasSuffix(typ, ".F") && testName(d.Name, "Fuzz")):
		return graph.FlagTest
	case count == 0 && d.Type == "" && testName(d.Name, "Example"):
		return graph.FlagTest
	}
	return 0
}

// testName reports whether name is prefix, or prefix and something that does not
// start with a lower-case letter.
func testName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return false
	}
	return rest == "" || strings.ToLower(rest[:runeLen(rest)]) != rest[:runeLen(rest)] || rest[0] == '_' || rest[0] >= '0' && rest[0] <= '9'
}
