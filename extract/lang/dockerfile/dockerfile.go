// Package dockerfile extracts the facts of Dockerfiles: stages, build arguments and
// environment variables, the stages and images that they are built from, and where
// variables are used.
//
// Only extract calls it.
package dockerfile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Dockerfiles.
func Language() spec.Language {
	l := rules.Language(table())
	l.LastLine = true
	l.Prepare = plain
	return l
}

// plainLineEnds puts a blank behind the newline for the carriage return before it, which
// the grammar takes for a part of the line: of a name, or behind a backslash.
func plainLineEnds(src []byte) []byte {
	if !bytes.Contains(src, []byte("\r\n")) {
		return src
	}
	return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n "))
}

func table() rules.Table {
	return rules.Table{
		Name: "dockerfile", Version: "dockerfile/4", Grammar: sitter.Dockerfile(),
		Comments: []string{"comment"}, Mark: "#",
		Rules: map[string]rules.Rule{
			"from_instruction": {Visit: from},
			"arg_instruction":  {Visit: argument},
			"env_pair":         {Visit: variable(graph.KindVariable)},
			"param":            {Visit: param},
			"shell_command":    {Visit: commands},
		},
		Names:  map[string]graph.Use{"variable": graph.UseRead},
		Kinds:  []string{"variable"},
		Finish: func(r *rules.Reader) { end(r, uint32(len(r.Src))) },
		Paths:  []rules.Path{"as", "name", "<image_spec>", "<image_spec>/name", "<param>"},
	}
}

// from reads FROM image AS stage: a stage is built from the stage or image that it names,
// and lasts until the next one.
func from(r *rules.Reader, n sitter.Node) bool {
	end(r, r.Start(n))
	r.Visit(r.Find(n, "<param>"))
	name, image := r.Find(n, "as"), r.Find(n, "<image_spec>/name")
	if name != sitter.None && r.Text(name) != "" {
		def := r.Define(n, graph.Def{
			Name: r.Text(name), Kind: graph.KindNamespace, Span: r.Span(n), NameSpan: r.Span(name),
			Signature: r.Signature(r.Start(n), r.Tree.End(n)), Doc: r.DocAbove(r.Start(n)),
		})
		r.Enter(def)
	}
	if image != sitter.None && !strings.Contains(r.Text(image), "$") {
		r.AddRef(graph.Ref{Name: r.Text(image), Use: graph.UseType, Span: r.Span(image)})
	}
	r.Visit(r.Find(n, "<image_spec>"))
	return true
}

// end ends the stage that is being read before an offset.
func end(r *rules.Reader, at uint32) {
	stage := r.EnclosingDef()
	if stage == nil || stage.Kind != graph.KindNamespace {
		return
	}
	text := strings.TrimRight(r.Slice(stage.Span.Start, at), " \t\r\n")
	stage.Span = r.SpanBetween(stage.Span.Start, stage.Span.Start+uint32(len(text)))
	r.Leave()
}

// variable reads ARG NAME=value or a pair of ENV.
func variable(kind graph.Kind) func(*rules.Reader, sitter.Node) bool {
	return func(r *rules.Reader, n sitter.Node) bool {
		name := r.Find(n, "name")
		if name == sitter.None || r.Text(name) == "" {
			return false
		}
		def := r.Define(n, graph.Def{
			Name: r.Text(name), Kind: kind, Span: r.Span(n), NameSpan: r.Span(name),
			Signature: r.Signature(r.Start(n), r.Tree.End(n)), Doc: r.DocAbove(r.Start(n)),
		})
		r.Within(def, false, func() { r.ChildrenBut(n, name) })
		return true
	}
}

// argument reads ARG NAME=value and what else it declares.
func argument(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if !variable(graph.KindVariable)(r, n) {
		return false
	}
	arguments(r, r.Start(name))
	return true
}

// mark begins the flag that names the stage that files are copied from.
const mark = "--from="

// param reads --from=STAGE of a COPY.
func param(r *rules.Reader, n sitter.Node) bool {
	text := r.Text(n)
	if !strings.HasPrefix(text, mark) {
		values(r, n, false)
		return true
	}
	start, end := r.Start(n)+uint32(len(mark)), r.Tree.End(n)
	if start < end {
		r.AddRef(graph.Ref{Name: r.Slice(start, end), Use: graph.UseType, Span: r.SpanBetween(start, end)})
	}
	return true
}

// commands reads the text that a shell gets: variables of the file are there by their name,
// others are the shell's own.
func commands(r *rules.Reader, n sitter.Node) bool {
	values(r, n, true)
	return true
}

// values reads $NAME and ${NAME} in a text: all, or those that the file declares.
func values(r *rules.Reader, n sitter.Node, declared bool) {
	start, text := r.Start(n), r.Text(n)
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '$' || i > 0 && text[i-1] == '\\' {
			continue
		}
		at := i + 1
		if text[at] == '{' {
			at++
		}
		end := at
		for end < len(text) && (text[end] == '_' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' || end > at && text[end] >= '0' && text[end] <= '9') {
			end++
		}
		name := text[at:end]
		if name != "" && (!declared || slices.ContainsFunc(r.Facts.Defs, func(d graph.Def) bool { return d.Name == name })) {
			r.AddRef(graph.Ref{Name: name, Use: graph.UseRead, Span: r.SpanBetween(start+uint32(at), start+uint32(end))})
		}
	}
}
