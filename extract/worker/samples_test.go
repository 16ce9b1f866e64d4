package worker

// sample is what is odd made of: two definitions of a language, with what may stand
// between them.
type sample struct {
	language, path      string
	head                string // must come first
	first, last         string // definitions
	firstName, lastName string
	comment             string // form of a remark; "" where the language has none
	nest                string // form of a place that takes brackets
	open, core, end     string // of one level, and what stands in the innermost; lines where long ones count as packed
}

var samples = []sample{
	{"bash", "a.sh", "", "first() { echo 1; }\n", "last() { echo 2; }\n", "first", "last", "# %s\n", "x=%s\n", "$(", "a", ")"},
	{"c", "a.c", "", "int first(void) { return 1; }\n", "int last(void) { return 2; }\n", "first", "last", "/* %s */\n", "int x = %s;\n", "(", "1", ")"},
	{"cpp", "a.cc", "", "int first() { return 1; }\n", "int last() { return 2; }\n", "first", "last", "// %s\n", "int x = %s;\n", "(", "1", ")"},
	{"csharp", "a.cs", "", "class First { }\n", "class Last { }\n", "First", "Last", "// %s\n", "class M { int x = %s; }\n", "(", "1", ")"},
	{"css", "a.css", "", ".first { color: red }\n", ".last { color: red }\n", "first", "last", "/* %s */\n", ".m { width: calc%s }\n", "(\n", "1", ")\n"},
	{"cue", "a.cue", "", "first: 1\n", "last: 2\n", "first", "last", "// %s\n", "m: %s\n", "[", "1", "]"},
	{"dockerfile", "Dockerfile", "", "FROM a AS first\n", "FROM b AS last\n", "first", "last", "# %s\n", "RUN %s\n", "(", "a", ")"},
	{"elixir", "a.ex", "", "defmodule First do\nend\n", "defmodule Last do\nend\n", "First", "Last", "# %s\n", "x = %s\n", "(", "1", ")"},
	{"elm", "a.elm", "module A exposing (..)\n", "first = 1\n", "last = 2\n", "first", "last", "-- %s\n", "m = %s\n", "(", "1", ")"},
	{"go", "a.go", "package p\n", "func First() {}\n", "func Last() {}\n", "First", "Last", "// %s\n", "var x = %s\n", "(", "1", ")"},
	{"gomod", "go.mod", "module m\n", "", "", "", "", "// %s\n", "%s\n", "(", "", ")"},
	{"groovy", "a.groovy", "", "class First { }\n", "class Last { }\n", "First", "Last", "// %s\n", "def x = %s\n", "(", "1", ")"},
	{"hcl", "a.tf", "", "variable \"first\" {}\n", "variable \"last\" {}\n", "first", "last", "# %s\n", "x = %s\n", "(", "1", ")"},
	{"html", "a.html", "", "<div id=\"first\"></div>\n", "<div id=\"last\"></div>\n", "first", "last", "<!-- %s -->\n", "%s\n", "<p>", "a", "</p>"},
	{"ini", "setup.cfg", "", "[first]\na=1\n", "[last]\na=1\n", "first", "last", "# %s\n", "x = %s\n", "(", "1", ")"},
	{"java", "A.java", "", "class First { }\n", "class Last { }\n", "First", "Last", "// %s\n", "class M { int x = %s; }\n", "(", "1", ")"},
	{"javascript", "a.js", "", "function first() { return 1 }\n", "function last() { return 2 }\n", "first", "last", "// %s\n", "var x = %s;\n", "(\n", "1", ")\n"},
	{"json", "a.json", "{\n", "\"first\": 1,\n", "\"last\": 2}\n", "first", "last", "", "\"m\": %s,\n", "[", "1", "]"},
	{"kotlin", "a.kt", "", "class First { }\n", "class Last { }\n", "First", "Last", "// %s\n", "val x = %s\n", "(", "1", ")"},
	{"lua", "a.lua", "", "function first() end\n", "function last() end\n", "first", "last", "-- %s\n", "x = %s\n", "(", "1", ")"},
	{"makefile", "Makefile", "", "first:\n\ttrue\n", "last:\n\ttrue\n", "first", "last", "# %s\n", "x = %s\n", "$(", "a", ")"},
	{"markdown", "a.md", "", "# first\n\n", "# last\n", "first", "last", "<!-- %s -->\n\n", "%s\n\n", "[", "a", "]"},
	{"notebook", "a.ipynb", `{"nbformat": 4, "cells": [`, `{"cell_type": "code", "source": ["def first():\n", "  pass\n"]},` + "\n", `{"cell_type": "code", "source": ["def last():\n", "  pass\n"]}]}` + "\n", "first", "last", "", `{"cell_type": "code", "source": ["x = %s\n"]},` + "\n", "(", "1", ")"},
	{"ocaml", "a.ml", "", "let first () = 1\n", "let last () = 2\n", "first", "last", "(* %s *)\n", "let m () = %s\n", "(", "1", ")"},
	{"php", "a.php", "<?php\n", "function first() { return 1; }\n", "function last() { return 2; }\n", "first", "last", "// %s\n", "$x = %s;\n", "(", "1", ")"},
	{"protobuf", "a.proto", "syntax = \"proto3\";\n", "message First { }\n", "message Last { }\n", "First", "Last", "// %s\n", "%s\n", "message M { ", "", "}"},
	{"python", "a.py", "", "def first():\n    return 1\n", "def last():\n    return 2\n", "first", "last", "# %s\n", "x = %s\n", "(", "1", ")"},
	{"ruby", "a.rb", "", "def first\nend\n", "def last\nend\n", "first", "last", "# %s\n", "x = %s\n", "(", "1", ")"},
	{"rust", "a.rs", "", "fn first() { }\n", "fn last() { }\n", "first", "last", "// %s\n", "const X: u8 = %s;\n", "(", "1", ")"},
	{"scala", "a.scala", "", "class First { }\n", "class Last { }\n", "First", "Last", "// %s\n", "object M { val x = %s }\n", "(", "1", ")"},
	{"sql", "a.sql", "", "CREATE TABLE first (a int);\n", "CREATE TABLE last (a int);\n", "first", "last", "-- %s\n", "SELECT %s;\n", "(", "1", ")"},
	{"svelte", "a.svelte", "", "<div id=\"first\"></div>\n", "<script>\nfunction last() { return 2 }\n</script>\n", "first", "last", "<!-- %s -->\n", "%s\n", "<p>", "a", "</p>"},
	{"swift", "a.swift", "", "func first() { }\n", "func last() { }\n", "first", "last", "// %s\n", "let x = %s\n", "(", "1", ")"},
	{"toml", "a.toml", "", "[first]\na = 1\n", "[last]\na = 1\n", "first", "last", "# %s\n", "x = %s\n", "[", "1", "]"},
	{"tsx", "a.tsx", "", "function first() { return 1 }\n", "function last() { return 2 }\n", "first", "last", "// %s\n", "const x = %s;\n", "<a>", "1", "</a>"},
	{"typescript", "a.ts", "", "function first() { return 1 }\n", "function last() { return 2 }\n", "first", "last", "// %s\n", "const x = %s;\n", "(\n", "1", ")\n"},
	{"yaml", "a.yaml", "", "first: 1\n", "last: 2\n", "first", "last", "# %s\n", "m: %s\n", "[", "1", "]"},
}
