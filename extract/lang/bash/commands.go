package bash

import (
	"bytes"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// command reads a simple command: a call of a function, as far as the text tells. Quotes
// and a backslash keep an alias from being meant, not a function.
func command(r *rules.Reader, n sitter.Node) bool {
	word := r.Find(n, "name/<word>|name/<string>|name/<raw_string>")
	if word == sitter.None {
		return false
	}
	name, start := r.Text(word), r.Start(word)
	if plain := strings.Trim(name, `\"'`); plain != name {
		start += uint32(strings.Index(name, plain))
		name = plain
	}
	if strings.ContainsAny(name, "$` \t\n") {
		r.Children(n)
		return true
	}
	switch name {
	case "until", "do", "done", "select": // words of a loop that the grammar does not know
		for arg := range r.All(n, "argument") {
			if text := r.Text(arg); name != "select" && isName(strings.ReplaceAll(text, "-", "_")) {
				call(r, r.Start(arg), text, 0)
			}
			break
		}
		r.ChildrenBut(n, r.Tree.Parent(word))
		return true
	case "source", ".":
		source(r, n)
	case "alias":
		alias(r, n)
	case "trap", "eval", "time", "coproc":
		runs(r, n)
	}
	if strings.IndexByte(name, '/') < 0 && !strings.HasPrefix(name, "-") {
		args := 0
		for range r.All(n, "argument") {
			args++
		}
		call(r, start, name, args)
	}
	r.ChildrenBut(n, r.Tree.Parent(word))
	return true
}

// call adds a call, whatever variables there are of the name.
func call(r *rules.Reader, start uint32, name string, args int) {
	r.AddRef(graph.Ref{Name: name, Use: graph.UseCall, Span: r.SpanBetween(start, start+uint32(len(name))), Args: int16(args)})
}

// alias defines what alias NAME=… names, which runs what stands behind it.
func alias(r *rules.Reader, n sitter.Node) {
	for arg := range r.All(n, "argument") {
		name, value, ok := strings.Cut(r.Text(arg), "=")
		if !ok || name == "" || strings.ContainsAny(name, "/$`\"'\\ ") {
			continue
		}
		start := r.Start(arg)
		def := r.Define(n, graph.Def{Name: name, Kind: graph.KindFunction, Span: r.Span(n), NameSpan: r.SpanBetween(start, start+uint32(len(name)))})
		r.Within(def, false, func() { commands(r, r.Tree.End(arg)-uint32(len(value)), value, name) })
	}
}

// runs reads the first argument of a command of the shell that runs it: trap f EXIT,
// eval "f; g". Other programs (sudo, env, xargs), and exec and command, know no functions.
func runs(r *rules.Reader, n sitter.Node) {
	for arg := range r.All(n, "argument") {
		if text := r.Text(arg); !strings.HasPrefix(text, "-") {
			commands(r, r.Start(arg), text, "")
			return
		}
	}
}

// commands reads the first words of the commands that a text holds, which is quoted or is
// one word: those in it that the parser has read as commands are left to it. An alias that
// speaks of a command of its name, which is but, means the command.
func commands(r *rules.Reader, start uint32, text, but string) {
	if i := strings.Index(text, "$("); i >= 0 {
		text = text[:i]
	}
	at := start
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(";&|\n", c) }) {
		at += uint32(strings.Index(text[at-start:], part))
		trimmed := strings.TrimLeft(part, " \t\"'")
		word, _, _ := strings.Cut(strings.TrimRight(trimmed, " \t\"'"), " ")
		if word != but && isName(strings.ReplaceAll(word, "-", "_")) {
			call(r, at+uint32(len(part)-len(trimmed)), word, strings.Count(strings.TrimSpace(trimmed), " "))
		}
		at += uint32(len(part))
	}
}

// named reads export -f NAME and declare -f NAME, which speak of a function.
func named(r *rules.Reader, n sitter.Node) {
	words := strings.Fields(r.Text(n))
	if len(words) < 3 || words[1] != "-f" {
		return
	}
	for c := range r.Tree.Children(n) {
		if name := r.Text(c); r.Is(c, "variable_name", "word") && isName(name) {
			r.AddRef(graph.Ref{Name: name, Use: graph.UseExport, Span: r.Span(c), Args: -1})
		}
	}
}

// plainCommands blanks the backslash that a line begins with, which keeps an alias from
// being meant: the grammar takes such a line for a part of the one before.
func plainCommands(src []byte) ([]byte, any) {
	text, start := src, true
	for i, c := range src {
		switch {
		case c == '\\' && start && i+1 < len(src) && isName(string(src[i+1:i+2])):
			if &text[0] == &src[0] {
				text = bytes.Clone(src)
			}
			text[i] = ' '
			start = false
		case c == '\n':
			start = i == 0 || src[i-1] != '\\'
		case c != ' ' && c != '\t':
			start = false
		}
	}
	return text, nil
}
