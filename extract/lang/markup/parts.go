package markup

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
)

// texts has what a page holds in other languages, a text as long as the page for each.
type texts struct {
	src   []byte
	parts []spec.Part
}

// add puts the bytes from start up to end into the part of a language.
func (t *texts) add(language string, start, end uint32) {
	if start < end {
		copy(t.of(language)[start:end], t.src[start:end])
	}
}

// statement is add for a text that stands alone: what stands before and behind it in
// the page, a quote or a brace, ends the statements there.
func (t *texts) statement(language string, start, end uint32) {
	if start >= end || start == 0 || int(end) >= len(t.src) {
		return
	}
	t.add(language, start, end)
	text := t.of(language)
	text[start-1], text[end] = ';', ';'
}

func (t *texts) of(language string) []byte {
	for i := range t.parts {
		if t.parts[i].Language == language {
			return t.parts[i].Text
		}
	}
	t.parts = append(t.parts, spec.Part{Language: language, Text: spec.Blank(t.src)})
	return t.parts[len(t.parts)-1].Text
}

// parts lists the texts in other languages: scripts, styles, handlers, and in Svelte
// expressions and the components that tags name.
func parts(r *rules.Reader) []spec.Part {
	t := &texts{src: r.Src}
	script := "javascript"
	for n := sitter.Root; n < sitter.Node(r.Tree.Len()); n++ {
		switch {
		case r.Is(n, "script_element"):
			language := scriptLanguage(r, n)
			if text := r.Find(n, "<raw_text>"); text != sitter.None && language != "" {
				script = language // expressions follow the script of their component
				t.add(language, r.Tree.Start(text), r.Tree.End(text))
			}
		case r.Is(n, "style_element"):
			if text := r.Find(n, "<raw_text>"); text != sitter.None && plainStyle(r, n) {
				t.add("css", r.Tree.Start(text), r.Tree.End(text))
			}
		case r.Is(n, "attribute"):
			name, value := r.Find(n, "<attribute_name>"), r.Find(n, "~attribute_value")
			if name != sitter.None && value != sitter.None && strings.HasPrefix(strings.ToLower(r.Text(name)), "on") && !strings.Contains(r.Text(name), ":") {
				t.statement("javascript", r.Tree.Start(value), r.Tree.End(value))
			}
		default:
			template(r, t, script, n)
		}
	}
	return t.parts
}

// template adds what only Svelte has: expressions in braces, and tags of components.
func template(r *rules.Reader, t *texts, script string, n sitter.Node) {
	if r.Language() != "svelte" {
		return
	}
	switch {
	case r.Is(n, "raw_text_expr"):
		t.statement(script, r.Start(n), r.Tree.End(n))
	case r.Is(n, "tag_name") && !r.Is(r.Tree.Parent(n), "end_tag"):
		if name := r.Text(n); name != "" && name[0] >= 'A' && name[0] <= 'Z' || strings.Contains(name, ".") {
			t.statement(script, r.Start(n), r.Tree.End(n))
		}
	}
}

// scriptLanguage returns the language of a script element, or "" for data.
func scriptLanguage(r *rules.Reader, n sitter.Node) string {
	if lang := valueOf(r, n, "lang"); lang != sitter.None {
		if l := strings.ToLower(r.Text(lang)); l == "ts" || l == "typescript" {
			return "typescript"
		}
	}
	kind := ""
	if typ := valueOf(r, n, "type"); typ != sitter.None {
		kind = strings.ToLower(r.Text(typ))
	}
	switch {
	case kind == "", kind == "module", strings.Contains(kind, "javascript"), kind == "text/babel", strings.Contains(kind, "jsx"):
		return "javascript"
	case strings.Contains(kind, "typescript"):
		return "typescript"
	}
	return ""
}

// plainStyle reports whether a style element holds CSS, and nothing that makes it.
func plainStyle(r *rules.Reader, n sitter.Node) bool {
	lang := valueOf(r, n, "lang")
	return lang == sitter.None || strings.EqualFold(r.Text(lang), "css")
}
