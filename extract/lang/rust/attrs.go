package rust

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// attributes is what the attributes before an item say.
type attributes struct {
	set      bool
	start    uint32 // of the first
	flags    graph.DefFlags
	path     string // of #[path = "…"]
	exported bool   // #[macro_export]
	derives  []sitter.Node
	cfg      []string // conditions under which the item is compiled
}

// attribute reads one attribute of the item that follows.
func (x *extractor) attribute(n sitter.Node, a *attributes) {
	if !a.set {
		a.set, a.start = true, x.t.Start(n)
	}
	at := x.t.ChildOfKind(n, kAttribute)
	if at == sitter.None {
		return
	}
	name := x.t.First(at)
	if name == sitter.None {
		return
	}
	args := x.t.Child(at, fArguments)
	switch text := x.b.Text(name); text[strings.LastIndexByte(text, ':')+1:] {
	case "test", "rstest", "test_case", "bench", "quickcheck", "proptest", "wasm_bindgen_test":
		a.flags |= graph.FlagTest
		a.cfg = append(a.cfg, "test")
	case "fixture":
		a.flags |= graph.FlagFixture
	case "cfg":
		a.flags |= graph.FlagConditional
		if args != sitter.None {
			a.cfg = append(a.cfg, inParens(x.b.Text(args)))
		}
	case "cfg_attr":
		if args != sitter.None {
			x.conditionalPath(x.b.Text(args), a)
			if _, doc, ok := strings.Cut(x.b.Text(args), "doc(cfg"); ok { // what the item says of itself
				a.cfg = append(a.cfg, inParens(doc))
			}
		}
	case "path":
		if v := x.t.Child(at, fValue); v != sitter.None {
			a.path = strings.Trim(x.b.Text(v), `r#"`)
		}
	case "macro_export":
		a.exported = true
	case "derive":
		if args != sitter.None {
			a.derives = append(a.derives, args)
		}
	}
	if args == sitter.None || len(a.derives) > 0 && a.derives[len(a.derives)-1] == args {
		return
	}
	if x.t.Kind(name) == kScoped || !builtinAttribute(x.b.Text(name)) {
		x.attributeName(name)
	}
}

// conditionalPath reads "(unix, path = "unix.rs")". Of several files the one for Unix
// stands for the module.
func (x *extractor) conditionalPath(args string, a *attributes) {
	condition, rest, ok := strings.Cut(args, "path")
	if rest = strings.TrimLeft(rest, " ="); !ok || !strings.HasPrefix(rest, `"`) {
		return
	}
	file, _, ok := strings.Cut(rest[1:], `"`)
	if ok && (a.path == "" || strings.Contains(condition, "unix") && !strings.Contains(condition, "not(")) {
		a.path = file
	}
}

// attributeName refers to the macro that an attribute calls.
func (x *extractor) attributeName(name sitter.Node) {
	id, qualifier := x.lastName(name)
	if id != sitter.None {
		x.b.AddRef(graph.Ref{Name: x.b.Text(id), Qualifier: qualifier, Use: graph.UseDecorator, Span: x.b.Span(id), Args: -1})
	}
}

// builtinAttribute reports whether the compiler itself, or one of its tools, reads an
// attribute.
func builtinAttribute(name string) bool {
	switch name {
	case "allow", "warn", "deny", "forbid", "cfg", "cfg_attr", "doc", "inline", "must_use", "deprecated", "derive", "path",
		"test", "bench", "ignore", "should_panic", "repr", "non_exhaustive", "macro_use", "macro_export", "feature", "link",
		"link_name", "no_mangle", "cold", "track_caller", "target_feature", "automatically_derived", "proc_macro",
		"proc_macro_derive", "proc_macro_attribute", "recursion_limit", "unstable", "stable", "rustfmt", "expect", "serde",
		"global_allocator", "panic_handler", "export_name", "link_section", "used", "no_std", "crate_type", "default":
		return true
	}
	return false
}

// innerAttribute reads "#![…]" of the file or of a module.
func (x *extractor) innerAttribute(n sitter.Node) {
	at := x.t.ChildOfKind(n, kAttribute)
	if at == sitter.None {
		return
	}
	name, args := x.t.First(at), x.t.Child(at, fArguments)
	if name == sitter.None || args == sitter.None || !x.t.Is(name, "cfg") {
		return
	}
	if e := x.b.EnclosingDef(); e != nil {
		if e.Kind == graph.KindNamespace {
			x.condition(e.Span.Start, e.Span.End, inParens(x.b.Text(args)))
		}
		return
	}
	x.flags |= graph.FlagConditional
	x.condition(0, uint32(len(x.b.Src)), inParens(x.b.Text(args)))
}

// derived makes a type build on the traits that it derives.
func (x *extractor) derived(def int32, a *attributes) {
	for _, list := range a.derives {
		start := sitter.None
		for id := range x.t.Children(list) {
			if x.t.Kind(id) != kIdentifier {
				start = sitter.None
				continue
			}
			if start == sitter.None {
				start = id
			}
			next := x.t.Next(id)
			if next != sitter.None && strings.TrimSpace(x.b.Slice(x.t.End(id), x.t.Start(next))) == "::" {
				continue
			}
			h := graph.Heritage{Def: def, Rel: graph.RelImplements, Name: x.b.Text(id), Span: x.b.SpanBetween(x.t.Start(start), x.t.End(id))}
			if start != id {
				h.Qualifier = strings.TrimSuffix(x.b.Qualifier(x.t.Start(start), x.t.Start(id)), "::")
			}
			x.b.Facts.Heritage = append(x.b.Facts.Heritage, h)
			start = sitter.None
		}
	}
}
