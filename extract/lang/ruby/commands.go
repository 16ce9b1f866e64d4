package ruby

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// command reads a call of what says something about a file, a class or a test.
func command(r *rules.Reader, n sitter.Node, name string, args sitter.Node) bool {
	switch name {
	case "require", "require_relative", "load", "autoload":
		return require(r, n, name, args)
	case "include", "extend", "prepend":
		return mixin(r, name, args)
	case "delegate", "def_delegators", "def_delegator", "def_instance_delegators", "def_instance_delegator":
		return delegate(r, name, args)
	case "class_methods":
		return classMethods(r, n)
	case "context", "describe", "feature", "shared_examples", "shared_context", "shared_examples_for":
		return group(r, n, args)
	case "helper_method", "validate", "rescue_from", "setup", "teardown":
		return callbacks(r, args)
	case "attr_accessor", "attr_reader", "attr_writer", "attr", "mattr_accessor", "cattr_accessor", "class_attribute":
		return symbols(r, args, graph.KindProperty, false)
	case "alias_method":
		return aliasMethod(r, args)
	case "define_method", "define_singleton_method", "scope":
		return named(r, n, args, graph.KindMethod, 0)
	case "let", "let!", "subject", "subject!", "let_it_be":
		return stateOf(r).testFile && given(r, n, name, args)
	case "it", "specify", "test", "example", "scenario":
		return stateOf(r).testFile && named(r, n, args, graph.KindFunction, graph.FlagTest)
	case "private", "protected", "private_class_method", "public", "module_function", "private_constant":
		return visibility(r, name, args)
	}
	for _, when := range [...]string{"before_", "after_", "around_", "skip_before_", "skip_after_", "prepend_before_", "append_before_"} {
		if strings.HasPrefix(name, when) {
			return callbacks(r, args)
		}
	}
	return false
}

// callbacks reads the symbols of what names methods that are run later.
func callbacks(r *rules.Reader, args sitter.Node) bool {
	if args == sitter.None || r.InFunction() || r.EnclosingType() == nil {
		return false
	}
	for c := range below(r, args) {
		if r.Is(c, "pair") {
			if key := r.Find(c, "key"); key == sitter.None || r.Text(key) != "with" && r.Text(key) != "if" && r.Text(key) != "unless" {
				continue
			}
			c = r.Find(c, "value")
		}
		if r.Is(c, "simple_symbol") {
			text := strings.TrimPrefix(r.Text(c), ":")
			end := r.Tree.End(c)
			hint := graph.Hint{Rule: graph.HintFlow, Type: "instance"}
			r.AddRef(graph.Ref{Name: text, Use: graph.UseDynamic, Span: r.SpanBetween(end-uint32(len(text)), end), Args: -1, Hint: hint})
		}
	}
	return false
}

// aliasMethod reads alias_method :new, :old.
func aliasMethod(r *rules.Reader, args sitter.Node) bool {
	if args == sitter.None || r.EnclosingType() == nil || r.InFunction() {
		return false
	}
	name := first(r, args)
	if !r.Is(name, "simple_symbol") {
		return symbols(r, args, graph.KindMethod, true)
	}
	def := defineMember(r, name, name, graph.KindMethod)
	if old := r.Tree.Next(name); def != graph.NoDef && r.Is(old, "simple_symbol") {
		aliasOf(r, def, old)
	}
	return true
}

// delegate defines the methods that are those of another object.
func delegate(r *rules.Reader, how string, args sitter.Node) bool {
	if args == sitter.None || r.EnclosingType() == nil || r.InFunction() {
		return false
	}
	var names []sitter.Node
	to := ""
	for c := range below(r, args) {
		switch {
		case r.Is(c, "pair"):
			key, value := r.Find(c, "key"), r.Find(c, "value")
			if key == sitter.None || value == sitter.None {
				continue
			}
			if text := r.Text(key); text == "to" && r.Is(value, "simple_symbol", "string") {
				to = strings.Trim(r.Text(value), ":\"'")
			} else if text == "prefix" {
				return false
			}
		case r.Is(c, "simple_symbol"):
			if how != "delegate" && to == "" {
				to = strings.TrimPrefix(r.Text(c), ":")
			} else {
				names = append(names, c)
			}
		case r.Is(c, "string") && how != "delegate" && to == "":
			to = strings.Trim(r.Text(c), "\"'")
		}
	}
	if to == "" || strings.ContainsAny(to, " .(") {
		return false
	}
	switch {
	case to == "class":
		to = "self.class()"
	case to[0] != '@' && (to[0] < 'A' || to[0] > 'Z'):
		to += "()"
	}
	if how == "def_delegator" || how == "def_instance_delegator" { // :to, :method, :alias
		if len(names) == 2 {
			delegated(r, names[1], names[0], to)
			return true
		}
	}
	for _, c := range names {
		delegated(r, c, c, to)
	}
	return true
}

func delegated(r *rules.Reader, name, method sitter.Node, to string) {
	def := defineMember(r, name, name, graph.KindMethod)
	if def == graph.NoDef {
		return
	}
	r.Within(def, false, func() { symbolOf(r, method, sitter.None, to, graph.UseCall) })
	r.Facts.Defs[def].Type = to + "." + strings.TrimPrefix(r.Text(method), ":") + "()"
}

// classMethods reads class_methods do … end of a concern.
func classMethods(r *rules.Reader, n sitter.Node) bool {
	b := r.Find(n, "block")
	if b == sitter.None || r.EnclosingType() == nil {
		return false
	}
	s := stateOf(r)
	singleton := s.singleton
	s.singleton = true
	mark(r, "*")
	r.Children(b)
	s.singleton = singleton
	return true
}

// given reads let(:x) { … } and subject { … }.
func given(r *rules.Reader, n sitter.Node, how string, args sitter.Node) bool {
	s, b := stateOf(r), r.Find(n, "block")
	if b == sitter.None {
		return false
	}
	at := len(r.Facts.Defs)
	if args == sitter.None || !named(r, n, args, graph.KindFunction, graph.FlagFixture) {
		if !strings.HasPrefix(how, "subject") {
			return false
		}
		value := ""
		s.apart(func() {
			r.Visit(b)
			value = blockValue(r, b)
		})
		s.lets = append(s.lets, let{"subject", value, graph.NoDef})
		return true
	}
	if at < len(r.Facts.Defs) {
		d := &r.Facts.Defs[at]
		s.lets = append(s.lets, let{d.Name, d.Type, int32(at)})
		if strings.HasPrefix(how, "subject") {
			s.lets = append(s.lets, let{"subject", d.Type, int32(at)})
		}
	}
	return true
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

// mixin adds what include, extend and prepend name to the class around: what it extends
// is said to be implemented by it.
func mixin(r *rules.Reader, how string, args sitter.Node) bool {
	around := r.EnclosingDef()
	if args != sitter.None && around == nil && how == "include" && r.Scopes.Depth() == 0 { // into what every object is
		for c := range r.Tree.Children(args) {
			if r.Is(c, "constant", "scope_resolution") {
				r.AddImport(graph.Import{Module: r.Text(c), Name: "*", Alias: "Object", Span: r.Span(c)})
			}
		}
		return false
	}
	if args == sitter.None || around == nil || around.Kind != graph.KindClass && around.Kind != graph.KindModule {
		return false
	}
	def := r.Enclosing()
	rel := graph.RelEmbeds
	if how == "extend" || stateOf(r).singleton {
		rel = graph.RelImplements
	}
	for c := range r.Tree.Children(args) {
		switch {
		case r.Is(c, "constant", "scope_resolution"):
			r.AddBase(def, c, rel)
			if how == "prepend" {
				mark(r, "<"+r.Text(c))
			}
		case r.Is(c, "self"):
			mark(r, "self")
		default:
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
			if def := defineMember(r, c, c, kind); def != graph.NoDef && kind == graph.KindProperty {
				r.Facts.Defs[def].Type = "@" + r.Facts.Defs[def].Name
			}
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
	s := stateOf(r)
	s.functions = append(s.functions, &frame{})
	s.apart(func() {
		r.Within(def, true, func() {
			r.Visit(block)
			r.ChildrenBut(args, name, r.Tree.Parent(name))
			if v := blockValue(r, block); v != "nil" && f != graph.FlagTest {
				r.Facts.Defs[def].Type = v
			}
		})
	})
	s.functions = s.functions[:len(s.functions)-1]
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
	if name == "module_function" {
		mark(r, "functions")
	}
	r.Children(args)
	s.hidden, s.singleton = hidden, singleton
	return true
}
