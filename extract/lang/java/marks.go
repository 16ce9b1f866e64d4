package java

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

func itoa(n int) string { return strconv.Itoa(n) }

// modifiers are what stands before a declaration.
type modifiers struct {
	node  sitter.Node // or None
	words string      // without annotations

	public, private, protected bool
	static, final, native      bool
	test, before, generated    bool // by annotations
}

func (x *extractor) modifiers(n sitter.Node) modifiers {
	m := modifiers{node: x.t.ChildOfKind(n, kModifiers)}
	if m.node == sitter.None {
		return m
	}
	at := x.t.Start(m.node)
	take := func(end uint32) {
		for word := range strings.FieldsSeq(x.b.Slice(at, end)) {
			m.word(word)
		}
	}
	for c := range x.t.Children(m.node) {
		take(x.t.Start(c))
		at = x.t.End(c)
		if k := x.t.Kind(c); k == kMarker || k == kAnnotation {
			name := x.text(x.t.Child(c, fName))
			m.mark(name[strings.LastIndexByte(name, '.')+1:])
		}
	}
	take(x.t.End(m.node))
	return m
}

func (m *modifiers) word(w string) {
	switch w {
	case "public":
		m.public = true
	case "private":
		m.private = true
	case "protected":
		m.protected = true
	case "static":
		m.static = true
	case "final":
		m.final = true
	case "native":
		m.native = true
	}
	if m.words != "" {
		m.words += " "
	}
	m.words += w
}

// mark reads the annotations of JUnit, TestNG and generators.
func (m *modifiers) mark(name string) {
	switch name {
	case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory":
		m.test = true
	case "Before", "After", "BeforeEach", "AfterEach", "BeforeClass", "AfterClass", "BeforeAll", "AfterAll", "BeforeMethod",
		"AfterMethod", "BeforeTest", "AfterTest", "BeforeSuite", "AfterSuite", "DataProvider", "DataPoints":
		m.before = true
	case "Generated":
		m.generated = true
	}
}

// access returns the flags that the modifiers give.
func (m *modifiers) access(inInterface bool) (f graph.DefFlags) {
	if m.public || m.protected || inInterface && !m.private {
		f |= graph.FlagExported
	}
	return f
}

// signature returns a declaration without annotations and without its body.
func (x *extractor) signature(n sitter.Node, m modifiers, body sitter.Node) string {
	first, last := sitter.None, sitter.None
	for c := range x.t.Children(n) {
		if c == body || x.t.Field(c) == fValue {
			break
		}
		if c == m.node || x.t.Kind(c) == kLineComment || x.t.Kind(c) == kBlockComment {
			continue
		}
		if first == sitter.None {
			first = c
		}
		last = c
	}
	if first == sitter.None {
		return m.words
	}
	word := ""
	switch x.t.Kind(n) {
	case kClass:
		word = "class "
	case kInterface:
		word = "interface "
	case kEnum:
		word = "enum "
	case kRecord:
		word = "record "
	case kAnnotationType:
		word = "@interface "
	case kAnnotationElement:
		return strings.TrimSpace(m.words+" "+x.clean(first, last)) + "()"
	default:
	}
	s := strings.TrimSpace(m.words + " " + word + x.clean(first, last))
	return s[:min(len(s), maxSignature)]
}

// testFlags judges a method by its annotations, or as JUnit 3 does by its name.
func (x *extractor) testFlags(d *graph.Def, m modifiers, params sitter.Node) graph.DefFlags {
	none := params == sitter.None || x.t.First(params) == sitter.None
	switch {
	case m.test:
		return graph.FlagTest
	case m.before:
		return graph.FlagFixture
	case m.static || x.anon != "" || d.Type != "void":
	case x.tests && m.public: // of a class that TestNG runs
		return graph.FlagTest
	case !none || !x.extends():
	case m.public && testName(d.Name):
		return graph.FlagTest
	case d.Name == "setUp" || d.Name == "tearDown":
		return graph.FlagFixture
	}
	return 0
}

// extends reports whether the class around the place extends one that is called a
// test, or stands in a file of tests.
func (x *extractor) extends() bool {
	for _, h := range x.b.Facts.Heritage {
		if h.Def == x.holder && h.Rel == graph.RelExtends {
			return x.b.Facts.Role == graph.RoleTest || strings.Contains(h.Name, "Test")
		}
	}
	return false
}

// testName reports whether a name is "test" and something that begins no longer word.
func testName(name string) bool {
	rest, ok := strings.CutPrefix(name, "test")
	return ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z')
}

// annotations reads the annotations among modifiers.
func (x *extractor) annotations(m modifiers) {
	if m.node == sitter.None {
		return
	}
	for c := range x.t.Children(m.node) {
		switch x.t.Kind(c) {
		case kMarker, kAnnotation:
			x.annotation(c)
		case kLineComment, kBlockComment:
			x.b.NoteComment(c)
		default:
		}
	}
}

// annotation reads "@Name(key = value)". It runs nothing, and so is a use of a type. A
// method that a test takes its data from is named in a string.
func (x *extractor) annotation(n sitter.Node) {
	id := x.t.Child(n, fName)
	if id == sitter.None {
		x.visitChildren(n)
		return
	}
	last, qualifier := id, ""
	if x.t.Kind(id) == kScopedIdentifier {
		if last = x.t.Child(id, fName); last == sitter.None {
			return
		}
		qualifier = x.pathText(x.t.Child(id, fScope))
	}
	x.addRef(last, qualifier, graph.UseType, x.selfHint(), -1)
	args := x.t.ChildOfKind(n, kAnnotationArgs)
	if args == sitter.None {
		return
	}
	name := x.b.Text(last)
	for a := range x.t.Children(args) {
		if x.t.Kind(a) == kElementPair {
			key, value := x.t.Child(a, fKey), x.t.Child(a, fValue)
			if key != sitter.None {
				x.addRef(key, "("+x.pathText(id)+")", graph.UseRead, graph.Hint{}, -1)
			}
			if value != sitter.None {
				x.annotationValue(name, value)
			}
			continue
		}
		x.annotationValue(name, a)
	}
}

func (x *extractor) annotationValue(annotation string, n sitter.Node) {
	switch {
	case x.t.Kind(n) == kElementArray:
		for c := range x.t.Children(n) {
			x.annotationValue(annotation, c)
		}
	case x.t.Kind(n) == kString && (annotation == "MethodSource" || annotation == "FieldSource"):
		start, end := x.t.Start(n)+1, x.t.End(n)
		if end = max(start, end-1); plainName(x.b.Slice(start, end)) {
			x.b.AddRef(graph.Ref{
				Name: x.b.Slice(start, end), Use: graph.UseFixture, Span: x.b.SpanBetween(start, end), Hint: x.selfHint(), Args: -1,
			})
		}
	default:
		x.visit(n)
	}
}

// plainName reports whether a text is one name.
func plainName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$'; !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
