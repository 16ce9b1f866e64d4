package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// declarator is what a declarator says.
type declarator struct {
	name    sitter.Node // the name token, or None
	whole   sitter.Node // the name with what qualifies it
	scope   string      // what qualifies it: "ns::Class"
	params  sitter.Node // the parameter list of a function, or of what a pointer points to
	fn      bool        // it declares a function
	pointer bool        // the name is of a pointer to a function
	array   bool
	value   sitter.Node // of an initialiser
	text    string      // of an operator or destructor, which is no single token
}

// maxDeclarator bounds how deep declarators are unwrapped.
const maxDeclarator = 64

// readDeclarator unwraps a declarator down to its name.
func (x *extractor) readDeclarator(n sitter.Node) declarator {
	d := declarator{name: sitter.None, whole: sitter.None, params: sitter.None, value: sitter.None}
	deref := false // a "*" stands in parentheses between here and the name
	paren := false
	for range maxDeclarator {
		if n == sitter.None {
			return d
		}
		next := x.t.Child(n, fDeclarator)
		switch x.t.Kind(n) {
		case kInitDecl:
			d.value = x.t.Child(n, fValue)
		case kPointerDecl:
			deref = deref || paren
		case kReferenceDecl, kVariadicDecl:
			deref = deref || paren
			next = x.lastChild(n)
		case kArrayDecl:
			d.array = true
		case kFunctionDecl:
			d.params, d.fn, paren, deref = x.t.Child(n, fParameters), true, false, false
		case kParenDecl:
			paren = true
			next = x.lastChild(n)
		case kAttributedDecl:
			next = x.t.First(n)
		default:
			x.leaf(n, &d)
			if d.fn && paren && deref {
				d.fn, d.pointer = false, true
			}
			return d
		}
		n = next
	}
	return d
}

func (x *extractor) lastChild(n sitter.Node) sitter.Node {
	last := sitter.None
	for c := range x.t.Children(n) {
		if k := x.t.Kind(c); k != kComment && k != kTypeQualifier {
			last = c
		}
	}
	return last
}

// leaf reads the name of a declarator.
func (x *extractor) leaf(n sitter.Node, d *declarator) {
	d.whole = n
	for range maxDeclarator {
		switch x.t.Kind(n) {
		case kIdentifier, kFieldIdentifier, kTypeIdentifier, kNamespaceIdentifier:
			if x.t.Start(n) < x.t.End(n) { // else the parser put it there to go on
				d.name = n
			}
			return
		case kPrimitiveType: // a typedef of a name that compilers know
			d.name = n
			return
		case kOperatorName, kDestructorName:
			d.name, d.text = n, strings.Join(strings.Fields(x.b.Text(n)), "")
			if strings.HasPrefix(d.text, "operator") && len(d.text) > 8 && isIdentStart(d.text[8]) {
				d.text = spec.OneLine(x.b.Text(n))
			}
			return
		case kOperatorCast:
			t := x.t.Child(n, fType)
			if t == sitter.None {
				return
			}
			d.name, d.text, d.fn = n, "operator "+spec.OneLine(x.b.Text(t)), true
			return
		case kQualified:
			name := x.t.Child(n, fName)
			if name == sitter.None {
				return
			}
			if s := x.t.Child(n, fScope); s != sitter.None {
				d.scope = join(d.scope, plainScope(x.b.Text(s)))
			}
			n = name
		case kTemplateFunction, kTemplateMethod, kTemplateType, kDependentName:
			name := x.t.Child(n, fName)
			if name == sitter.None {
				name = x.t.First(n)
			}
			if name == sitter.None {
				return
			}
			n = name
		default:
			return
		}
	}
}

// plainScope drops template arguments and white space from a scope.
func plainScope(s string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth > 0 || c == ' ' || c == '\n' || c == '\t' || c == '\r':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "::" + name
}

// typeText writes the type at n without what points to it.
func (x *extractor) typeText(n sitter.Node) string {
	if n == sitter.None {
		return ""
	}
	switch x.t.Kind(n) {
	case kStruct, kUnion, kEnum, kClass:
		name := x.t.Child(n, fName)
		if name == sitter.None {
			return ""
		}
		if x.n.cpp {
			return plainType(x.b.Text(name))
		}
		word := "struct "
		switch x.t.Kind(n) {
		case kUnion:
			word = "union "
		case kEnum:
			word = "enum "
		}
		return word + x.b.Text(name)
	case kPrimitiveType, kSizedType:
		if s, ok := x.n.types[x.t.Start(n)]; ok {
			return x.b.Slice(s.start, s.end)
		}
		return spec.OneLine(x.b.Text(n))
	case kTypeIdentifier, kQualified, kTemplateType, kDependentType:
		if s := plainType(x.b.Text(n)); len(s) <= maxType {
			return s
		}
	}
	return ""
}

// maxType bounds a type's text.
const maxType = 120

// plainType drops the white space from a type, but for that between words.
func plainType(s string) string {
	s = strings.TrimPrefix(spec.OneLine(s), "typename ")
	if !strings.Contains(s, " ") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' && (i+1 == len(s) || i == 0 || !isIdentByte(s[i+1]) || !isIdentByte(s[i-1])) {
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// name is the name of a declarator as it is defined.
func (x *extractor) name(d *declarator) string {
	if d.text != "" {
		return d.text
	}
	if d.name == sitter.None {
		return ""
	}
	return x.b.Text(d.name)
}

// specifiers reads the words before a declarator.
func (x *extractor) specifiers(n sitter.Node) (static, extern bool) {
	for c := range x.t.Children(n) {
		switch x.t.Kind(c) {
		case kStorage:
			switch {
			case x.t.Is(c, "static"):
				static = true
			case x.t.Is(c, "extern"):
				extern = true
			}
		case kFunctionDecl, kInitDecl, kIdentifier, kPointerDecl:
			return static, extern
		}
	}
	return static, extern
}

// linkage returns the flags of a name at file or class scope.
func (x *extractor) linkage(static bool) graph.DefFlags {
	f := x.flags
	switch {
	case x.function:
		f |= graph.FlagLocal
	case static && x.self != "":
		f |= graph.FlagStatic | graph.FlagExported
	case static && !headerName(x.b.Path):
		// bound within its file
	case strings.Contains(x.space, "(anonymous)"):
	default:
		f |= graph.FlagExported
	}
	return f
}

// headerName reports whether a file is there to be included.
func headerName(p graph.Path) bool {
	switch p.Ext() {
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".C":
		return false
	}
	return true
}

// functionDef reads a function with its body.
func (x *extractor) functionDef(n, from sitter.Node) {
	d := x.readDeclarator(x.t.Child(n, fDeclarator))
	made, isMade := x.n.made[x.t.Start(n)]
	name := x.name(&d)
	body := x.t.Child(n, fBody)
	if body == sitter.None {
		body = x.t.ChildOfKind(n, kCompound)
	}
	if isMade {
		x.madeFunction(n, body, made)
		return
	}
	if name == "" || isKeyword(name, x.n.cpp) && d.text == "" {
		x.children(n)
		return
	}
	static, _ := x.specifiers(n)
	def := x.addFunction(n, from, &d, static, body)
	typ := x.t.Child(n, fType)
	was := x.constant
	x.constant = x.n.cpp && x.constMethod(x.t.Child(n, fDeclarator))
	defer func() { x.constant = was }()
	x.inside(def, func() {
		x.typeRefs(typ)
		x.body(&d, func() {
			for c := range x.t.Children(n) {
				if c != typ && x.t.Field(c) != fDeclarator {
					x.visit(c)
				}
			}
		})
	})
}

// body reads what stands in a function behind its declarator, with its parameters.
func (x *extractor) body(d *declarator, read func()) {
	was, self, space := x.function, x.self, x.space
	x.function = true
	if d.scope != "" {
		x.self = join(x.space, d.scope)
	}
	x.scopes.Open()
	x.params(d.params)
	read()
	x.scopes.Close()
	x.function, x.self, x.space = was, self, space
}

// addFunction adds the definition, or declaration, of a function.
func (x *extractor) addFunction(n, from sitter.Node, d *declarator, static bool, body sitter.Node) int32 {
	name := x.name(d)
	end := x.t.End(n)
	if body != sitter.None {
		end = x.t.Start(body)
	}
	start := x.t.Start(from)
	def := graph.Def{
		Name: name, Local: join(x.space, join(d.scope, name)), Kind: graph.KindFunction, Span: x.b.SpanBetween(start, x.t.End(n)),
		NameSpan: x.b.Span(d.name), Doc: x.b.DocAbove(start), Flags: x.linkage(static),
		Signature: strings.TrimRight(x.b.Signature(start, end), " ;"),
	}
	def.Type = x.typeText(x.t.Child(n, fType))
	if def.Type == "auto" {
		def.Type = ""
	}
	if d.scope != "" {
		def.Kind, def.Owner = graph.KindMethod, lastOf(d.scope)
	} else if e := x.b.EnclosingDef(); e != nil && isTypeKind(e.Kind) {
		def.Kind = graph.KindMethod
	}
	if body == sitter.None && !x.defaulted(n) {
		def.Flags |= graph.FlagDeclaration
	}
	return x.b.AddDef(def)
}

// defaulted reports whether a method is defined without a body: = default. What is
// deleted is declared, and nowhere defined.
func (x *extractor) defaulted(n sitter.Node) bool {
	return x.n.cpp && x.t.ChildOfKind(n, kDefaultMethod) != sitter.None
}

func isTypeKind(k graph.Kind) bool {
	return k == graph.KindStruct || k == graph.KindClass
}

func lastOf(scope string) string {
	if i := strings.LastIndex(scope, "::"); i >= 0 {
		return scope[i+2:]
	}
	return scope
}

// madeFunction reads a function that a macro defines.
func (x *extractor) madeFunction(n, body sitter.Node, m madeFunc) {
	name := x.b.Slice(m.name.start, m.name.end)
	local := name
	if m.scope.end > m.scope.start {
		local = x.b.Slice(m.scope.start, m.scope.end) + "." + name
	}
	end := x.t.Start(n)
	if body != sitter.None {
		end = x.t.Start(body)
	}
	d := graph.Def{
		Name: name, Local: join(x.space, local), Kind: graph.KindFunction, Span: x.b.Span(n), NameSpan: x.b.SpanBetween(m.name.start, m.name.end),
		Doc: x.b.DocAbove(x.t.Start(n)), Flags: x.linkage(false), Signature: x.b.Signature(x.t.Start(n), end),
	}
	if m.test {
		d.Flags |= graph.FlagTest
	}
	def := x.b.AddDef(d)
	if m.name != m.macro {
		x.b.AddRef(graph.Ref{
			Name: x.b.Slice(m.macro.start, m.macro.end), Use: graph.UseCall, Span: x.b.SpanBetween(m.macro.start, m.macro.end), Args: -1,
		})
	}
	x.inside(def, func() {
		was := x.function
		x.function = true
		x.scopes.Open()
		x.madeParams(m)
		if body != sitter.None {
			x.visit(body)
		}
		x.scopes.Close()
		x.function = was
	})
}

// madeParams declares the names in the arguments of a macro, which its body may use as
// parameters.
func (x *extractor) madeParams(m madeFunc) {
	last := span{}
	text := x.b.Slice(m.args.start, m.args.end)
	for _, t := range lex([]byte(text), x.n.cpp) {
		at := span{m.args.start + t.start, m.args.start + t.end}
		if t.kind == tokIdent {
			last = at
			continue
		}
		if text[t.start] == ',' && last.end > 0 && last != m.name {
			x.scopes.Declare(spec.Local{Name: x.b.Slice(last.start, last.end), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
		}
	}
	if last.end > 0 && last != m.name {
		x.scopes.Declare(spec.Local{Name: x.b.Slice(last.start, last.end), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
	}
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

// params declares parameters.
func (x *extractor) params(list sitter.Node) {
	if list == sitter.None {
		return
	}
	for p := range x.t.Children(list) {
		switch x.t.Kind(p) {
		case kParam, kOptionalParam, kVariadicParam:
			typ := x.t.Child(p, fType)
			x.typeRefs(typ)
			d := x.readDeclarator(x.t.Child(p, fDeclarator))
			x.insideDeclarator(x.t.Child(p, fDeclarator))
			if v := x.childIn(p, fDefaultValue); v != sitter.None {
				x.visit(v)
			}
			if d.name != sitter.None {
				x.declareAs(d.name, x.declaredHint(typ, &d), x.fullType(p, typ, x.t.Child(p, fDeclarator)))
			}
		case kIdentifier: // f(a, b)
			x.declare(p, graph.Hint{Rule: graph.HintLocal})
		}
	}
}

// childIn is Child where the field may be of C++ alone.
func (x *extractor) childIn(n sitter.Node, f sitter.Field) sitter.Node {
	if !x.n.cpp {
		return sitter.None
	}
	return x.t.Child(n, f)
}

func (x *extractor) declare(id sitter.Node, h graph.Hint) {
	x.scopes.Declare(spec.Local{Name: x.b.Text(id), Hint: h, Def: graph.NoDef})
}

// declareAs declares a local of which the whole type may be known.
func (x *extractor) declareAs(id sitter.Node, h graph.Hint, full string) {
	x.scopes.Declare(spec.Local{Name: x.b.Text(id), Hint: h, Def: graph.NoDef, Full: full})
}

// declaredHint is what a declaration says about a local.
func (x *extractor) declaredHint(typ sitter.Node, d *declarator) graph.Hint {
	if d.pointer || d.fn {
		return graph.Hint{Rule: graph.HintLocal}
	}
	if t := x.typeText(typ); t != "" {
		return graph.Hint{Rule: graph.HintDeclared, Type: t}
	}
	return graph.Hint{Rule: graph.HintLocal}
}
