// Package markup extracts the facts of HTML pages and Svelte components: ids, headings,
// scripts and style sheets that are taken from other files, and the text of scripts,
// styles, handlers and expressions as parts in their own languages.
//
// Only extract calls it.
package markup

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Languages returns the rules for HTML and for Svelte, whose parts are read by those of
// the script and style languages: scripts is the version of the former, styles that of
// the latter.
func Languages(scripts, styles string) []spec.Language {
	html := rules.Language(table("html", sitter.HTML()))
	svelte := rules.Language(table("svelte", sitter.Svelte()))
	html.Version = "html/3+" + scripts + "+" + styles
	svelte.Version = "svelte/3+" + scripts + "+" + styles
	return []spec.Language{html, svelte}
}

func table(name string, g sitter.Grammar) rules.Table {
	kinds := []string{"attribute", "script_element", "style_element", "quoted_attribute_value", "raw_text", "start_tag", "element"}
	if name == "svelte" {
		kinds = append(kinds, "raw_text_expr", "tag_name", "end_tag")
	}
	return rules.Table{
		Name: name, Grammar: g, Comments: []string{"comment"},
		Rules: map[string]rules.Rule{
			"element":        {Visit: element},
			"script_element": {Visit: taken("src")},
			"attribute":      {Visit: attribute},
		},
		Kinds: kinds,
		Paths: []rules.Path{
			"<start_tag>/<tag_name>", "<start_tag>/<attribute>", "<attribute_name>", "~attribute_value", "<raw_text>", "<text>", "~text",
		},
		Parts: parts,
	}
}

// element defines headings, and reads <link href>.
func element(r *rules.Reader, n sitter.Node) bool {
	tag := r.Find(n, "<start_tag>/<tag_name>")
	if tag == sitter.None {
		return false
	}
	switch name := strings.ToLower(r.Text(tag)); name {
	case "link":
		return taken("href")(r, n)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		text := r.Find(n, "~text")
		if text == sitter.None || spec.OneLine(r.Text(text)) == "" || strings.Contains(r.Text(text), "\n") {
			return false
		}
		def := r.Define(n, graph.Def{
			Name: r.Text(text), Local: spec.OneLine(r.Text(text)), Kind: graph.Kind(name), Span: r.Span(n), NameSpan: r.Span(text),
		})
		r.Within(def, false, func() { r.Children(n) })
		return true
	}
	return false
}

// taken reads an element that takes what an attribute names.
func taken(from string) func(*rules.Reader, sitter.Node) bool {
	return func(r *rules.Reader, n sitter.Node) bool {
		if value := valueOf(r, n, from); value != sitter.None {
			if module := local(r.Text(value)); module != "" {
				r.AddImport(graph.Import{Module: module, Span: r.Span(value)})
			}
		}
		return false
	}
}

// valueOf returns the value of an attribute of an element, or None.
func valueOf(r *rules.Reader, n sitter.Node, name string) sitter.Node {
	for a := range r.All(n, "<start_tag>/<attribute>") {
		if is := r.Find(a, "<attribute_name>"); is != sitter.None && strings.EqualFold(r.Text(is), name) {
			return r.Find(a, "~attribute_value")
		}
	}
	return sitter.None
}

// local returns the path of a link within the tree as an import writes it, or "" for
// one that leads elsewhere.
func local(link string) string {
	link, _, _ = strings.Cut(link, "?")
	link, _, _ = strings.Cut(link, "#")
	switch {
	case link == "", strings.Contains(link, ":"), strings.HasPrefix(link, "//"), strings.ContainsAny(link, "{}<> "):
		return ""
	case strings.HasPrefix(link, "/"), strings.HasPrefix(link, "."):
		return link
	}
	return "./" + link
}

// attribute defines what id="name" names, and reads the classes that class="a b" names,
// as references to what style sheets say of them.
func attribute(r *rules.Reader, n sitter.Node) bool {
	name, value := r.Find(n, "<attribute_name>"), r.Find(n, "~attribute_value")
	if name == sitter.None {
		return false
	}
	word := strings.ToLower(r.Text(name))
	if class, ok := strings.CutPrefix(r.Text(name), "class:"); ok && r.Language() == "svelte" {
		end := r.Tree.End(name)
		r.AddStyleRefs(end-uint32(len(class)), end)
		return false
	}
	if word == "class" && r.Tree.End(n) > r.Tree.End(name)+1 {
		r.AddStyleRefs(r.Tree.End(name)+1, r.Tree.End(n))
	}
	if value == sitter.None || word != "id" {
		return false
	}
	id := r.Text(value)
	if id == "" || strings.ContainsAny(id, "{}<>$ \n") {
		return false
	}
	span := r.Span(n)
	for e := r.Tree.Parent(n); e != sitter.None; e = r.Tree.Parent(e) {
		if r.Is(e, "element") {
			span = r.Span(e)
			break
		}
	}
	def := r.Define(n, graph.Def{Name: id, Local: "#" + id, Kind: graph.KindVariable, Span: span, NameSpan: r.Span(value)})
	r.Within(def, false, func() {
		r.AddRef(graph.Ref{Name: id, Qualifier: spec.StyleID, Use: graph.UseRead, Span: r.Span(value)})
	})
	return false
}
