// Package yaml extracts the facts of YAML files: the keys of the two upper levels of
// each document, anchors, and where these are used. Of workflows, compose files, pipelines
// and kustomizations it knows which keys name other keys, or files.
//
// Keys further down are many and name little. Only extract calls it.
package yaml

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// maxDepth bounds the keys that become definitions: spec.template, and nothing below.
const maxDepth = 2

// Language returns the rules for YAML.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	return rules.Table{
		Name: "yaml", Version: "yaml/3", Grammar: sitter.YAML(),
		Comments: []string{"comment"}, Mark: "#",
		Rules: map[string]rules.Rule{
			"document":           {Visit: document},
			"block_mapping_pair": {Visit: pair},
			"flow_pair":          {Visit: pair},
			"block_sequence":     {Visit: sequence},
			"flow_sequence":      {Visit: sequence},
			"anchor":             {Visit: anchor},
			"alias":              {Visit: alias},
		},
		Kinds: []string{
			"plain_scalar", "double_quote_scalar", "single_quote_scalar", "block_sequence", "flow_sequence", "block_mapping", "flow_mapping", "block_mapping_pair", "flow_pair", "alias",
		},
		Paths: []rules.Path{"key", "value", "<anchor_name>", "<alias_name>"},
		Start: start,
	}
}

// place is where in a document something stands.
type place struct {
	kind  file
	keys  []string // around it
	lists int      // around it
}

func start(r *rules.Reader) { r.Data = &place{kind: kindOf(r.Path)} }

func document(r *rules.Reader, n sitter.Node) bool {
	at(r).keys, at(r).lists = nil, 0
	r.Children(n)
	return true
}

func at(r *rules.Reader) *place {
	p, _ := r.Data.(*place)
	return p
}

func pair(r *rules.Reader, n sitter.Node) bool {
	key, value, d := r.Find(n, "key"), r.Find(n, "value"), at(r)
	name, start, end := "", uint32(0), uint32(0)
	if key != sitter.None {
		name, start, end = nameOf(r, key)
	}
	d.keys = append(d.keys, name)
	defer func() { d.keys = d.keys[:len(d.keys)-1] }()
	if name == "" || name == "<<" || len(d.keys) > maxDepth || d.lists > 0 {
		uses(r, d, value)
		r.Visit(value)
		return true
	}
	def := graph.Def{Name: name, Kind: graph.KindKey, Span: r.Span(n), NameSpan: r.SpanBetween(start, end), Doc: r.DocAbove(r.Start(n))}
	r.Within(r.Define(n, def), false, func() {
		uses(r, d, value)
		r.Visit(value)
	})
	return true
}

// nameOf returns the text of a key without quotes, with its place; "" for a key that is
// no short text on one line.
func nameOf(r *rules.Reader, key sitter.Node) (name string, start, end uint32) {
	start, end = r.Start(key), r.Tree.End(key)
	name = r.Slice(start, end)
	if len(name) > 2 && (name[0] == '"' || name[0] == '\'') && name[len(name)-1] == name[0] {
		name, start, end = name[1:len(name)-1], start+1, end-1
	}
	if len(name) > 120 || strings.ContainsAny(name, "\n\\*&{[") {
		return "", 0, 0
	}
	return name, start, end
}

func sequence(r *rules.Reader, n sitter.Node) bool {
	d := at(r)
	d.lists++
	r.Children(n)
	d.lists--
	return true
}

// anchor defines &name with the value that it stands before as its span.
func anchor(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "<anchor_name>")
	if name == sitter.None || r.Text(name) == "" {
		return true
	}
	if d, in := at(r), r.EnclosingDef(); in != nil && len(d.keys) == 1 && d.lists == 0 && in.Name == r.Text(name) {
		return true // the key of the name stands for it
	}
	around := r.Tree.Parent(n)
	def := r.Define(n, graph.Def{Name: r.Text(name), Local: "&" + r.Text(name), Kind: graph.KindVariable, Span: r.Span(around), NameSpan: r.Span(name)})
	r.Facts.Defs[def].Container = graph.NoDef // the whole document may use it
	return true
}

func alias(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "<alias_name>"); name != sitter.None {
		r.Name(name, graph.UseRead)
	}
	return true
}
