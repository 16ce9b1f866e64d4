// Package css extracts the facts of style sheets: the classes and ids that selectors
// name, custom properties and where they are used, animations, and imported sheets.
//
// Only extract calls it.
package css

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for CSS.
func Language() spec.Language {
	l := rules.Language(table())
	l.Prepare = plain
	return l
}

func table() rules.Table {
	return rules.Table{
		Name: "css", Version: "css/4", Grammar: sitter.CSS(),
		Comments: []string{"comment"},
		Rules: map[string]rules.Rule{
			"import_statement":    {Import: &rules.Import{Module: "~string_value|~plain_value", Files: true}},
			"rule_set":            {Visit: ruleSet},
			"keyframes_statement": {Define: graph.KindFunction, Name: "<keyframes_name>", Body: "<keyframe_block_list>"},
			"declaration":         {Visit: declaration},
			"call_expression":     {Visit: call},
		},
		Kinds: []string{"class_selector", "id_selector", "plain_value"},
		Paths: []rules.Path{"<selectors>", "<block>", "<class_name>", "<id_name>", "<property_name>", "<function_name>", "<arguments>"},
	}
}

// ruleSet defines the classes and ids that its selectors end in or pass through, each
// with the rule as its span.
func ruleSet(r *rules.Reader, n sitter.Node) bool {
	selectors := r.Find(n, "<selectors>")
	if selectors == sitter.None {
		return false
	}
	end := r.Tree.End(n)
	if block := r.Find(n, "<block>"); block != sitter.None {
		end = r.Tree.Start(block)
	}
	signature, doc := r.Signature(r.Start(n), end), r.DocAbove(r.Start(n))
	first := graph.NoDef
	for c := selectors + 1; c < r.Tree.After(selectors); c++ {
		name, kind, mark := sitter.None, graph.KindClass, "."
		switch {
		case r.Is(c, "class_selector"):
			name = r.Find(c, "<class_name>")
		case r.Is(c, "id_selector"):
			name, kind, mark = r.Find(c, "<id_name>"), graph.KindVariable, "#"
		}
		if name == sitter.None || r.Text(name) == "" {
			continue
		}
		def := r.Define(n, graph.Def{
			Name: r.Text(name), Local: mark + r.Text(name), Kind: kind, Span: r.Span(n), NameSpan: r.Span(name), Signature: signature, Doc: doc,
		})
		if first == graph.NoDef {
			first = def
		}
	}
	r.Within(first, false, func() { r.Visit(r.Find(n, "<block>")) })
	return true
}

// declaration defines a custom property, --name: value.
func declaration(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<property_name>")
	if name != sitter.None && (r.Text(name) == "animation" || r.Text(name) == "animation-name") {
		animations(r, n)
	}
	if name == sitter.None || !strings.HasPrefix(r.Text(name), "--") || len(r.Text(name)) == 2 {
		return false
	}
	def := r.Define(n, graph.Def{
		Name: r.Text(name), Local: r.Text(name), Kind: graph.KindVariable, Span: r.Span(n), NameSpan: r.Span(name),
		Signature: r.Signature(r.Start(n), r.Tree.End(n)),
	})
	r.Within(def, false, func() { r.ChildrenBut(n, name) })
	return true
}

// animations reads the names among the words of an animation, which runs them.
func animations(r *rules.Reader, n sitter.Node) {
	for at := range r.Tree.Children(n) {
		if !r.Is(at, "plain_value") {
			continue
		}
		switch text := r.Text(at); text {
		case "linear", "ease", "ease-in", "ease-out", "ease-in-out", "step-start", "step-end", "infinite", "normal", "reverse", "alternate", "alternate-reverse",
			"none", "forwards", "backwards", "both", "running", "paused", "initial", "inherit", "unset", "revert", "auto":
		default:
			if c := text[0] | 0x20; c >= 'a' && c <= 'z' || c == '_' || text[0] == '-' && !strings.HasPrefix(text, "--") {
				r.Call(at, -1)
			}
		}
	}
}

// call reads var(--name).
func call(r *rules.Reader, n sitter.Node) bool {
	name, args := r.Find(n, "<function_name>"), r.Find(n, "<arguments>")
	if name == sitter.None || args == sitter.None || r.Text(name) != "var" {
		return false
	}
	for c := range r.Tree.Children(args) {
		if r.Is(c, "plain_value") && strings.HasPrefix(r.Text(c), "--") {
			r.Name(c, graph.UseRead)
		} else {
			r.Visit(c)
		}
	}
	return true
}
