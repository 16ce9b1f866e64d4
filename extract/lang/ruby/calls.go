package ruby

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// start looks at the name of the file: it tells whether what stands in it are tests.
func start(r *rules.Reader) {
	base := r.Path.Base()
	r.Data = &state{vars: map[string]string{}, testFile: strings.HasSuffix(base, "_spec.rb") || strings.HasSuffix(base, "_test.rb") || strings.HasPrefix(base, "test_")}
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
	if name != sitter.None && r.Text(name) == "describe" && group(r, n, args) {
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
	case receiver == sitter.None && r.Is(name, "super"):
		superOf(r, name, count)
	case receiver == sitter.None && r.Scopes.Lookup(r.Text(name)) != nil && args == sitter.None:
		r.AddValueCall()
	case r.Text(name) == "new":
		makes(r, name, receiver, count)
	case receiver == sitter.None:
		plain(r, name, count)
	default:
		r.Visit(receiver)
		memberOf(r, name, receiver, graph.UseCall, count)
	}
	if args != sitter.None {
		r.Children(args)
		if name != sitter.None {
			bySymbol(r, name, receiver, args)
		}
	}
	if b := r.Find(n, "block"); b != sitter.None {
		var values []string
		if name != sitter.None && receiver != sitter.None {
			values = blockValues(r.Text(name), valueOf(r, receiver))
		}
		block(r, b, values)
	}
	return true
}

// bySymbol reads what a call names by a symbol: send(:m), method(:m), map(&:m), and
// base.extend(M) of a hook.
func bySymbol(r *rules.Reader, name, receiver, args sitter.Node) {
	switch r.Text(name) {
	case "send", "public_send", "__send__", "method", "public_method", "instance_method":
		if symbol := first(r, args); r.Is(symbol, "simple_symbol") {
			symbolOf(r, symbol, receiver, "", graph.UseDynamic)
		}
	case "extend", "include":
		s := stateOf(r)
		if !r.Is(receiver, "identifier") || len(s.functions) == 0 {
			return
		}
		if f := s.functions[len(s.functions)-1]; f.static && f.name == "included" && r.Text(name) == "extend" {
			for c := range below(r, args) {
				if r.Is(c, "constant", "scope_resolution") {
					mark(r, "+"+r.Text(c))
				}
			}
		}
	}
	if p := r.Find(args, "<block_argument>"); p != sitter.None && receiver != sitter.None {
		if symbol := first(r, p); r.Is(symbol, "simple_symbol") {
			symbolOf(r, symbol, receiver, elements(r, receiver), graph.UseCall)
		}
	}
}

// elements writes the value of what a list holds; "?" where nothing is known of it.
func elements(r *rules.Reader, list sitter.Node) string {
	if v := behind(valueOf(r, list), "@"); v != "" {
		return v
	}
	return "?"
}

// symbolOf records that a symbol names a method of what stands at a node, or of a value.
func symbolOf(r *rules.Reader, symbol, object sitter.Node, value string, use graph.Use) {
	text := strings.TrimPrefix(r.Text(symbol), ":")
	end := r.Tree.End(symbol)
	ref := graph.Ref{Name: text, Qualifier: "self", Use: use, Span: r.SpanBetween(end-uint32(len(text)), end), Args: -1, Hint: graph.Hint{Rule: graph.HintValue, Type: "self"}}
	if object != sitter.None {
		ref.Qualifier, ref.Hint = r.Qualifier(r.Start(object), r.Tree.End(object)), hintFor(r, object)
	}
	if value != "" {
		ref.Hint = graph.Hint{Rule: graph.HintValue, Type: value}
	}
	r.AddRef(ref)
}

// plain reads a call without a receiver.
func plain(r *rules.Reader, name sitter.Node, args int) {
	ref := graph.Ref{Name: r.Text(name), Use: graph.UseCall, Span: r.Span(name), Args: int16(min(args, 1<<15-1))}
	if l := stateOf(r).let(ref.Name); l != nil && l.def != graph.NoDef {
		ref.Hint = graph.Hint{Rule: graph.HintBlock, Type: strconv.Itoa(int(r.Facts.Defs[l.def].NameSpan.Start))}
	}
	r.AddRef(ref)
}

// memberOf records a use of a member of what stands at object.
func memberOf(r *rules.Reader, n, object sitter.Node, use graph.Use, args int) {
	if r.Tree.IsMissing(n) {
		return
	}
	r.AddRef(graph.Ref{
		Name: r.Text(n), Qualifier: r.Qualifier(r.Start(object), r.Tree.End(object)), Use: use, Span: r.Span(n), Hint: hintFor(r, object), Args: int16(min(args, 1<<15-1)),
	})
}

// makes reads new: of a class that is named under its name, and of self under that of the
// class around.
func makes(r *rules.Reader, name, receiver sitter.Node, args int) {
	ref := graph.Ref{Use: graph.UseCall, Args: int16(min(args, 1<<15-1))}
	switch {
	case r.Is(receiver, "constant"):
		ref.Name, ref.Span, ref.Hint = r.Text(receiver), r.Span(receiver), graph.Hint{Rule: graph.HintClass}
	case r.Is(receiver, "scope_resolution") && r.Is(r.Find(receiver, "name"), "constant"):
		last, before := r.Find(receiver, "name"), r.Find(receiver, "scope")
		ref.Name, ref.Span, ref.Qualifier, ref.Hint = r.Text(last), r.Span(last), "::", graph.Hint{Rule: graph.HintClass}
		if before != sitter.None {
			r.Visit(before)
			ref.Qualifier = r.Qualifier(r.Start(before), r.Tree.End(before))
		}
	default:
		value := "self"
		if receiver != sitter.None {
			r.Visit(receiver)
			value = valueOf(r, receiver)
		}
		ref.Qualifier, ref.Span = "self", r.Span(name)
		ref.Hint = graph.Hint{Rule: graph.HintFlow, Type: behind(value, ".new()")}
		t := r.EnclosingType()
		switch {
		case (value == "self" || value == "self.class()") && t != nil:
			ref.Name = t.Name
		case value != "" && value[0] >= 'A' && value[0] <= 'Z' && !strings.ContainsAny(value, ".(|@"):
			ref.Name = value[strings.LastIndexByte(value, ':')+1:]
		case receiver == sitter.None:
			plain(r, name, args)
			return
		default:
			memberOf(r, name, receiver, graph.UseCall, args)
			return
		}
	}
	r.AddRef(ref)
}

// super reads super, which hands on the arguments.
func super(r *rules.Reader, n sitter.Node) bool {
	superOf(r, n, -1)
	return true
}

func superOf(r *rules.Reader, n sitter.Node, args int) {
	s := stateOf(r)
	if len(s.functions) == 0 || s.functions[len(s.functions)-1].name == "" {
		r.AddValueCall()
		return
	}
	f := s.functions[len(s.functions)-1]
	r.AddRef(graph.Ref{
		Name: f.name, Qualifier: "super", Use: graph.UseCall, Span: r.Span(n), Args: int16(min(args, 1<<15-1)), Hint: graph.Hint{Rule: graph.HintFlow, Type: "super()"},
	})
}

// group reads describe C do … end.
func group(r *rules.Reader, n, args sitter.Node) bool {
	s, b := stateOf(r), r.Find(n, "block")
	if !s.testFile || b == sitter.None {
		return false
	}
	subject := ""
	if args != sitter.None {
		r.Children(args)
		if c := first(r, args); r.Is(c, "constant", "scope_resolution") {
			subject = valueOf(r, c)
		} else if len(s.described) > 0 {
			subject = s.described[len(s.described)-1]
		}
	}
	lets, described := len(s.lets), len(s.described)
	if subject != "" {
		s.described = append(s.described, subject)
	}
	s.apart(func() { r.Visit(b) })
	s.lets, s.described = s.lets[:lets], s.described[:described]
	return true
}
