package ruby

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// start looks at the name of the file: it tells whether what stands in it are tests.
func start(r *rules.Reader) {
	base := r.Path.Base()
	r.Data = &state{testFile: strings.HasSuffix(base, "_spec.rb") || strings.HasSuffix(base, "_test.rb") || strings.HasPrefix(base, "test_")}
}

// isTestClass reports whether a class is one whose methods minitest or test-unit run.
func isTestClass(r *rules.Reader, base sitter.Node) bool {
	if base == sitter.None {
		return false
	}
	text := r.Text(base)
	return strings.HasSuffix(text, "TestCase") || strings.HasSuffix(text, "::Test") || stateOf(r).testFile && strings.HasSuffix(text, "Test")
}

func testFlags(name string) graph.DefFlags {
	switch {
	case strings.HasPrefix(name, "test_"):
		return graph.FlagTest
	case name == "setup" || name == "teardown" || name == "before_setup" || name == "after_teardown":
		return graph.FlagFixture
	}
	return 0
}

// call reads a call, some of which define something.
func call(r *rules.Reader, n sitter.Node) bool {
	name, receiver, args := r.Find(n, "method"), r.Find(n, "receiver"), r.Find(n, "arguments")
	if receiver == sitter.None && r.Is(name, "identifier") && command(r, n, r.Text(name), args) {
		return true
	}
	count := 0
	if args != sitter.None {
		count = r.CountChildren(args)
	}
	switch {
	case name == sitter.None: // f.(x)
		r.Visit(receiver)
		r.AddValueCall()
	case receiver == sitter.None && (r.Is(name, "super") || r.Scopes.Lookup(r.Text(name)) != nil && args == sitter.None):
		r.AddValueCall()
	case receiver == sitter.None:
		r.AddRef(graph.Ref{Name: r.Text(name), Use: graph.UseCall, Span: r.Span(name), Args: int16(min(count, 1<<15-1))})
	case r.Text(name) == "new" && r.Is(receiver, "constant"):
		r.Call(receiver, count)
	case r.Text(name) == "new" && r.Is(receiver, "scope_resolution") && r.Find(receiver, "scope") != sitter.None:
		before := r.Find(receiver, "scope")
		r.Visit(before)
		r.Member(r.Find(receiver, "name"), before, graph.UseCall, count)
	default:
		r.Visit(receiver)
		r.Member(name, receiver, graph.UseCall, count)
	}
	if args != sitter.None {
		r.Children(args)
	}
	r.Visit(r.Find(n, "block"))
	return true
}

// command reads a call of what says something about a file, a class or a test.
func command(r *rules.Reader, n sitter.Node, name string, args sitter.Node) bool {
	switch name {
	case "require", "require_relative", "load", "autoload":
		return require(r, n, name, args)
	case "include", "extend", "prepend":
		return mixin(r, args)
	case "attr_accessor", "attr_reader", "attr_writer", "attr", "mattr_accessor", "cattr_accessor", "class_attribute":
		return symbols(r, args, graph.KindProperty, false)
	case "alias_method":
		return symbols(r, args, graph.KindMethod, true)
	case "define_method", "define_singleton_method", "scope":
		return named(r, n, args, graph.KindMethod, 0)
	case "let", "let!", "subject":
		return stateOf(r).testFile && named(r, n, args, graph.KindFunction, graph.FlagFixture)
	case "it", "specify", "test", "example", "scenario":
		return stateOf(r).testFile && named(r, n, args, graph.KindFunction, graph.FlagTest)
	case "private", "protected", "private_class_method", "public", "module_function", "private_constant":
		return visibility(r, name, args)
	}
	return false
}

func require(r *rules.Reader, n sitter.Node, name string, args sitter.Node) bool {
	if args == sitter.None {
		return false
	}
	text := r.Find(args, "<string>/<string_content>|<string>")
	if text == sitter.None {
		return false
	}
	module := rules.Unquote(r.Text(text))
	if name == "require_relative" && !strings.HasPrefix(module, ".") {
		module = "./" + module
	}
	if module != "" && !strings.Contains(module, "#{") {
		r.AddImport(graph.Import{Module: module, Span: r.Span(n), Flags: graph.ImportDynamic})
	}
	return true
}

// mixin adds what include, extend and prepend name to the class around.
func mixin(r *rules.Reader, args sitter.Node) bool {
	around := r.EnclosingDef()
	if args == sitter.None || around == nil || around.Kind != graph.KindClass && around.Kind != graph.KindModule {
		return false
	}
	def := r.Enclosing()
	for c := range r.Tree.Children(args) {
		if r.Is(c, "constant", "scope_resolution") {
			r.AddBase(def, c, graph.RelEmbeds)
		} else {
			r.Visit(c)
		}
	}
	return true
}

// symbols defines what symbols name, all of them or the first alone.
func symbols(r *rules.Reader, args sitter.Node, kind graph.Kind, first bool) bool {
	if args == sitter.None || r.EnclosingType() == nil || r.InFunction() {
		return false
	}
	for c := range r.Tree.Children(args) {
		if r.Is(c, "simple_symbol", "string") {
			if r.Is(c, "string") {
				if c = firstOf(r, c, "string_content"); c == sitter.None {
					continue
				}
			}
			defineMember(r, c, c, kind)
		}
		if first {
			break
		}
	}
	return true
}

func firstOf(r *rules.Reader, n sitter.Node, kind string) sitter.Node {
	for c := range r.Tree.Children(n) {
		if r.Is(c, kind) {
			return c
		}
	}
	return sitter.None
}

// named defines what a call with a block names: define_method(:x) { }, it "works" do.
func named(r *rules.Reader, n, args sitter.Node, kind graph.Kind, f graph.DefFlags) bool {
	block := r.Find(n, "block")
	if args == sitter.None || block == sitter.None && kind != graph.KindMethod {
		return false
	}
	name := r.Find(args, "<simple_symbol>|<string>/<string_content>")
	if name == sitter.None || r.Start(name) == r.Tree.End(name) {
		return false
	}
	def := defineMember(r, n, name, kind)
	if def == graph.NoDef {
		return false
	}
	r.Facts.Defs[def].Flags |= f
	r.Within(def, true, func() {
		r.Visit(block)
		r.ChildrenBut(args, name, r.Tree.Parent(name))
	})
	return true
}

// visibility reads private with arguments: they alone are private.
func visibility(r *rules.Reader, name string, args sitter.Node) bool {
	if args == sitter.None {
		return false
	}
	s := stateOf(r)
	hidden, singleton := s.hidden, s.singleton
	s.hidden, s.singleton = name != "public" && name != "module_function", singleton || name == "module_function"
	r.Children(args)
	s.hidden, s.singleton = hidden, singleton
	return true
}

// assignment defines constants and globals, and binds locals.
func assignment(r *rules.Reader, n sitter.Node) bool {
	left, right := r.Find(n, "left"), r.Find(n, "right")
	switch {
	case left == sitter.None:
		return false
	case r.Is(left, "constant") && !r.InFunction():
		return constant(r, n, left, right)
	case r.Is(left, "global_variable", "class_variable", "instance_variable"):
		r.Visit(right)
		return true
	}
	hint := hintOf(r, right)
	r.Visit(right)
	target(r, left, hint)
	return true
}

func hintOf(r *rules.Reader, right sitter.Node) graph.Hint {
	if r.Is(right, "call") {
		if name := r.Find(right, "method"); name != sitter.None && r.Find(right, "block") == sitter.None {
			return graph.Hint{Rule: graph.HintAssigned, Type: r.Qualifier(r.Start(right), r.Tree.End(name))}
		}
	}
	return graph.Hint{Rule: graph.HintLocal}
}

func target(r *rules.Reader, left sitter.Node, hint graph.Hint) {
	switch {
	case r.Is(left, "identifier"):
		r.Scopes.Declare(spec.Local{Name: r.Text(left), Hint: hint, Def: graph.NoDef})
	case r.Is(left, "left_assignment_list", "destructured_left_assignment", "rest_assignment"):
		for c := range r.Tree.Children(left) {
			target(r, c, graph.Hint{Rule: graph.HintLocal})
		}
	case r.Is(left, "call"):
		if name, receiver := r.Find(left, "method"), r.Find(left, "receiver"); name != sitter.None && receiver != sitter.None {
			r.Visit(receiver)
			r.Member(name, receiver, graph.UseWrite, -1)
		}
	case r.Is(left, "constant", "scope_resolution", "element_reference"):
		r.Visit(left)
	}
}

// constant reads NAME = value; what Class.new, Module.new and Struct.new make is a class.
func constant(r *rules.Reader, n, left, right sitter.Node) bool {
	d := graph.Def{Name: r.Text(left), Kind: graph.KindConstant, Span: r.Span(n), NameSpan: r.Span(left), Doc: r.DocAbove(r.Start(n))}
	block := sitter.None
	if r.Is(right, "call") {
		if name := r.Find(right, "method"); name != sitter.None {
			made := r.Qualifier(r.Start(right), r.Tree.End(name))
			switch made {
			case "Class.new", "Struct.new", "Data.define", "Module.new":
				d.Kind, block = graph.KindClass, r.Find(right, "block")
			}
			if d.Kind == graph.KindConstant {
				d.Type = made + "()"
			}
		}
	}
	def := r.Define(n, d)
	if d.Kind != graph.KindClass {
		r.Within(def, false, func() { r.Visit(right) })
		return true
	}
	inside(r, def, false, func() {
		args := r.Find(right, "arguments")
		if args != sitter.None {
			for c := range r.Tree.Children(args) {
				switch {
				case r.Is(c, "simple_symbol"):
					defineMember(r, c, c, graph.KindProperty)
				case r.Is(c, "constant", "scope_resolution"):
					r.AddBase(def, c, graph.RelExtends)
				default:
					r.Visit(c)
				}
			}
		}
		if block != sitter.None {
			r.Children(block)
		}
	})
	return true
}
