// Package bash extracts the facts of shell scripts: functions, variables of the script,
// commands that may be functions, and the files that are sourced.
//
// It reads sh, bash, ksh and zsh by the grammar of bash. Only extract calls it.
//
// Functions and variables are two name spaces: a command never means a variable, nor
// $NAME a function.
package bash

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for shell scripts.
func Language() spec.Language {
	l := rules.Language(table())
	l.Prepare = plainCommands
	return l
}

func table() rules.Table {
	return rules.Table{
		Name: "bash", Version: "bash/4", Grammar: sitter.Bash(),
		Comments: []string{"comment"}, Mark: "#",
		Rules: map[string]rules.Rule{
			"function_definition": {Visit: function},
			"declaration_command": {Visit: declaration},
			"variable_assignment": {Visit: assignment},
			"for_statement":       {Visit: loop},
			"command":             {Visit: command},
			"variable_name":       {Visit: variable},
		},
		Kinds: []string{"word", "variable_name", "variable_assignment", "string", "raw_string", "string_content", "command"},
		Paths: []rules.Path{"name", "body", "name/<word>|name/<string>|name/<raw_string>", "argument", "variable", "value", "<variable_assignment>", "<variable_name>", "name/<variable_name>|name"},
	}
}

// function defines a function: one that stands in another is known everywhere once that
// one has run.
func function(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	end := r.Tree.End(n)
	if body := r.Find(n, "body"); body != sitter.None {
		end = r.Start(body)
	}
	def := r.AddDef(graph.Def{
		Name: r.Text(name), Local: r.Text(name), Kind: graph.KindFunction, Span: r.Span(n), NameSpan: r.Span(name),
		Signature: strings.TrimRight(r.Signature(r.Start(n), end), " {"), Doc: r.DocAbove(r.Start(n)), Flags: graph.FlagExported | r.Flags,
	})
	r.Facts.Defs[def].Container = graph.NoDef
	r.Within(def, true, func() { r.ChildrenBut(n, name) })
	return true
}

// declaration reads local, declare, export, readonly: what local declares in a function
// is the function's own.
func declaration(r *rules.Reader, n sitter.Node) bool {
	word, _, _ := strings.Cut(r.Text(n), " ")
	if word == "export" || word == "declare" || word == "typeset" {
		named(r, n)
	}
	own := r.InFunction() && (word == "local" || word == "declare" || word == "typeset") && !strings.Contains(r.Text(n), " -g")
	for c := range r.Tree.Children(n) {
		name := c
		if r.Is(c, "variable_assignment") {
			name = r.Find(c, "name")
			if !own {
				r.Visit(c)
				continue
			}
			r.ChildrenBut(c, name)
		} else if !r.Is(c, "variable_name") {
			continue
		}
		if own && name != sitter.None {
			r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
		}
	}
	return true
}

// assignment defines a variable of the script where it is first given a value.
func assignment(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name/<variable_name>|name")
	if name == sitter.None || r.Text(name) == "" {
		return false
	}
	text := r.Text(name)
	if ofCommand(r, n) {
		r.ChildrenBut(n, name)
		return true
	}
	known, _ := r.Data.(map[string]bool)
	switch {
	case r.Scopes.Lookup(text) != nil:
	case known[text], !isName(text):
		r.AddRef(graph.Ref{Name: text, Use: graph.UseWrite, Span: r.Span(name)})
	default:
		if known == nil {
			known = map[string]bool{}
			r.Data = known
		}
		known[text] = true
		d := graph.Def{Name: text, Local: text, Kind: graph.KindVariable, Span: r.Span(n), NameSpan: r.Span(name), Doc: r.DocAbove(r.Start(n)), Flags: graph.FlagExported | r.Flags}
		def := r.AddDef(d) // also in a function: what is not local is the script's
		if e := r.Enclosing(); e != graph.NoDef {
			r.Facts.Defs[def].Container = graph.NoDef
		}
	}
	r.ChildrenBut(n, name)
	return true
}

// ofCommand reports whether an assignment stands before a command of its line, which
// alone sees it.
func ofCommand(r *rules.Reader, n sitter.Node) bool {
	parent := r.Tree.Parent(n)
	if !r.Is(parent, "command") {
		return false
	}
	name := r.Find(parent, "name")
	return name != sitter.None && !strings.Contains(strings.ReplaceAll(r.Slice(r.Tree.End(n), r.Start(name)), "\\\n", ""), "\n")
}

// loop reads for NAME in …, whose name is left set behind it.
func loop(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "variable")
	if name != sitter.None && r.InFunction() {
		r.Scopes.Declare(spec.Local{Name: r.Text(name), Hint: graph.Hint{Rule: graph.HintLocal}, Def: graph.NoDef})
	}
	r.ChildrenBut(n, name)
	return true
}

// variable reads $NAME: parameters by number and names of the shell are no references.
func variable(r *rules.Reader, n sitter.Node) bool {
	if name := r.Text(n); isName(name) {
		r.Name(n, graph.UseRead)
	}
	return true
}

// isName reports whether a text can be the name of a variable, and no parameter is.
func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// source adds the import of a sourced file. What a variable holds is not known: the
// rest of the path is kept.
func source(r *rules.Reader, n sitter.Node) {
	arg := r.Find(n, "argument")
	if arg == sitter.None {
		return
	}
	path := rules.Unquote(r.Text(arg))
	if i := strings.LastIndexAny(path, ")}"); i >= 0 {
		path = path[i+1:]
	} else if strings.HasPrefix(path, "$") {
		_, path, _ = strings.Cut(path, "/")
	}
	path = strings.TrimLeft(path, "/\"")
	if path != "" && !strings.ContainsAny(path, "$ \n") {
		r.AddImport(graph.Import{Module: rules.Beside(path), Span: r.Span(n)})
	}
}
