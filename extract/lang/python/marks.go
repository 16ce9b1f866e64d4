package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// marks is what the decorators of a definition say.
type marks struct {
	property, static, classMethod, abstract, overload bool
	fixture                                           bool
	parametrized                                      map[string]bool // parameters that pytest fills itself
	uses                                              []sitter.Node   // names in usefixtures("…")
}

// decorators reads the decorators of a decorated definition.
func (x *extractor) decorators(outer sitter.Node) marks {
	var m marks
	if outer == sitter.None {
		return m
	}
	for c := range x.t.Children(outer) {
		if x.t.Kind(c) != kDecorator {
			continue
		}
		expr := x.t.First(c)
		if expr == sitter.None {
			continue
		}
		call := sitter.None
		if x.t.Kind(expr) == kCall {
			call, expr = expr, x.t.Child(expr, fFunction)
			if expr == sitter.None {
				continue
			}
		}
		x.mark(&m, x.dotted(expr), call)
	}
	return m
}

func (x *extractor) mark(m *marks, name string, call sitter.Node) {
	switch last := name[strings.LastIndexByte(name, '.')+1:]; last {
	case "property", "cached_property", "abstractproperty", "setter", "deleter", "getter", "lazy_property":
		m.property = true
	case "staticmethod", "abstractstaticmethod":
		m.static = true
	case "classmethod", "abstractclassmethod":
		m.classMethod = true
	case "overload":
		m.overload = true
	case "fixture", "yield_fixture":
		m.fixture = last == name || strings.HasPrefix(name, "pytest") || m.fixture
	case "parametrize":
		m.parametrize(x.literal(x.argumentOrNone(call, 0)))
	case "usefixtures":
		for i := 0; ; i++ {
			arg := x.argumentOrNone(call, i)
			if arg == sitter.None {
				break
			}
			if c := x.content(arg); c != sitter.None && isIdentifier(x.b.Text(c)) {
				m.uses = append(m.uses, c)
			}
		}
	}
	if strings.Contains(name, "abstract") {
		m.abstract = true
	}
}

func (x *extractor) argumentOrNone(call sitter.Node, i int) sitter.Node {
	if call == sitter.None {
		return sitter.None
	}
	return x.argument(call, i)
}

func (m *marks) parametrize(names string, ok bool) {
	if !ok {
		return
	}
	if m.parametrized == nil {
		m.parametrized = make(map[string]bool)
	}
	for _, n := range strings.Split(names, ",") {
		m.parametrized[strings.TrimSpace(n)] = true
	}
}

// apply sets kind and flags of a function by its decorators.
func (m *marks) apply(d *graph.Def, method bool) {
	if m.property && method {
		d.Kind = graph.KindProperty
	}
	if m.static || m.classMethod {
		d.Flags |= graph.FlagStatic
	}
	if m.abstract {
		d.Flags |= graph.FlagAbstract
	}
	if m.overload {
		d.Flags |= graph.FlagOverload
	}
	if m.fixture {
		d.Flags |= graph.FlagFixture
	}
}

// decoratorCalls adds the references of decorators, which run where the definition that
// they decorate stands, and not when that is called.
func (x *extractor) decoratorCalls(outer sitter.Node) {
	if outer == sitter.None {
		return
	}
	for c := range x.t.Children(outer) {
		if x.t.Kind(c) != kDecorator {
			continue
		}
		for expr := range x.t.Children(c) {
			if x.t.Kind(expr) != kCall {
				x.callee(expr, sitter.None, graph.UseDecorator)
				continue
			}
			x.callee(x.t.Child(expr, fFunction), expr, graph.UseDecorator)
			if args := x.t.Child(expr, fArguments); args != sitter.None {
				x.visitChildren(args)
			}
		}
	}
}

// decoratorRefs says in the definition at hand by what it is decorated: who changes a
// decorator changes it.
func (x *extractor) decoratorRefs(outer sitter.Node, scope *scope) {
	if outer == sitter.None {
		return
	}
	in := x.scope
	x.scope = scope
	defer func() { x.scope = in }()
	for c := range x.t.Children(outer) {
		if x.t.Kind(c) != kDecorator {
			continue
		}
		for expr := range x.t.Children(c) {
			if x.t.Kind(expr) == kCall {
				expr = x.t.Child(expr, fFunction)
			}
			switch {
			case expr == sitter.None:
			case x.t.Kind(expr) == kIdentifier:
				x.name(expr, graph.UseRead, -1)
			case x.t.Kind(expr) == kAttribute:
				x.member(expr, graph.UseRead, -1)
			}
		}
	}
}

// isTestFile reports whether a runner looks for tests in the file.
func isTestFile(p graph.Path) bool {
	if graph.RoleOf(p) == graph.RoleTest {
		return true
	}
	base := p.Base()
	return strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py") || base == "tests.py"
}

// markTest flags tests and the set-up that runners call.
func (x *extractor) markTest(d *graph.Def) {
	info := &classInfo{}
	if x.scope.kind == classScope {
		info = x.classes[x.scope.def]
	}
	if d.Flags&(graph.FlagLocal|graph.FlagFixture) != 0 {
		return
	}
	collected := x.testFile || info.unittest
	switch {
	case strings.HasPrefix(d.Name, "test") && (info.unittest || collected && (len(d.Name) == 4 || d.Name[4] == '_')):
		d.Flags |= graph.FlagTest
	case collected && isSetUp(d.Name, d.Kind == graph.KindMethod):
		d.Flags |= graph.FlagFixture
	}
}

func isSetUp(name string, method bool) bool {
	switch name {
	case "setUp", "tearDown", "setUpClass", "tearDownClass", "setUpTestData", "asyncSetUp", "asyncTearDown",
		"setup_method", "teardown_method", "setup_class", "teardown_class":
		return method
	case "setUpModule", "tearDownModule", "setup_module", "teardown_module", "setup_function", "teardown_function":
		return !method
	}
	return false
}

// injects reports whether pytest fills the parameters of d by name.
func (x *extractor) injects(d *graph.Def, method bool) bool {
	if method {
		if info := x.classes[x.b.Facts.Defs[x.b.Enclosing()].Container]; info != nil && info.unittest {
			return false
		}
	}
	return d.Has(graph.FlagTest) || d.Has(graph.FlagFixture) && !isSetUp(d.Name, method)
}

// fixtureRefs adds a reference for each parameter that a fixture fills.
func (x *extractor) fixtureRefs(params sitter.Node, m marks) {
	for _, c := range m.uses {
		x.b.AddRef(graph.Ref{Name: x.b.Text(c), Use: graph.UseFixture, Span: x.b.Span(c)})
	}
	if params == sitter.None {
		return
	}
	for c := range x.t.Children(params) {
		if k := x.t.Kind(c); k != kIdentifier && k != kTypedParameter {
			continue
		}
		name := x.paramName(c)
		if name == sitter.None || x.t.Kind(name) != kIdentifier || x.isSplat(c) {
			continue
		}
		text := x.b.Text(name)
		if text == x.scope.self || text == "request" || m.parametrized[text] {
			continue
		}
		x.b.AddRef(graph.Ref{Name: text, Use: graph.UseFixture, Span: x.b.Span(name)})
		if b := x.scope.names[text]; b != nil && b.hint.Rule == graph.HintLocal {
			b.hint = graph.Hint{Rule: graph.HintValue, Type: "@" + text}
		}
	}
}

// isSplat reports whether a typed parameter is *args or **kwargs.
func (x *extractor) isSplat(param sitter.Node) bool {
	c := x.t.First(param)
	return c != sitter.None && (x.t.Kind(c) == kListSplatPattern || x.t.Kind(c) == kDictSplatPattern)
}
