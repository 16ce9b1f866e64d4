// Package dockerfile extracts the facts of Dockerfiles: stages, build arguments and
// environment variables, the stages and images that they are built from, and where
// variables are used.
//
// Only extract calls it.
package dockerfile

import (
	"bytes"
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
	l.Prepare = func(src []byte) ([]byte, any) { return plainLineEnds(src), nil }
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
		Name: "dockerfile", Version: "dockerfile/3", Grammar: sitter.Dockerfile(),
		Comments: []string{"comment"}, Mark: "#",
		Rules: map[string]rules.Rule{
			"from_instruction": {Visit: from},
			"arg_instruction":  {Visit: variable(graph.KindVariable)},
			"env_pair":         {Visit: variable(graph.KindVariable)},
			"param":            {Visit: param},
		},
		Names:  map[string]graph.Use{"variable": graph.UseRead},
		Kinds:  []string{"variable"},
		Finish: func(r *rules.Reader) { end(r, uint32(len(r.Src))) },
		Paths:  []rules.Path{"as", "name", "<image_spec>", "<image_spec>/name"},
	}
}

// from reads FROM image AS stage: a stage is built from the stage or image that it names,
// and lasts until the next one.
func from(r *rules.Reader, n sitter.Node) bool {
	end(r, r.Start(n))
	name, image := r.Find(n, "as"), r.Find(n, "<image_spec>/name")
	if name != sitter.None && r.Text(name) != "" {
		def := r.Define(n, graph.Def{
			Name: r.Text(name), Kind: graph.KindNamespace, Span: r.Span(n), NameSpan: r.Span(name),
			Signature: r.Signature(r.Start(n), r.Tree.End(n)), Doc: r.DocAbove(r.Start(n)),
		})
		r.Enter(def)
	}
	if image != sitter.None {
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

// param reads --from=STAGE of a COPY.
func param(r *rules.Reader, n sitter.Node) bool {
	const mark = "--from="
	text := r.Text(n)
	if !strings.HasPrefix(text, mark) {
		return false
	}
	start, end := r.Start(n)+uint32(len(mark)), r.Tree.End(n)
	if start < end {
		r.AddRef(graph.Ref{Name: r.Slice(start, end), Use: graph.UseType, Span: r.SpanBetween(start, end)})
	}
	return true
}
