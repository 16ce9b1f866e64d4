package extract

import (
	"bytes"
	"path"
	"strings"

	"github.com/ralph-index/ralph-index/extract/lang/c"
	"github.com/ralph-index/ralph-index/graph"
)

// detection is the version of the rules by which Detect knows files whose names say nothing.
const detection = "2"

// Detect returns the language of a file, judged by its name and else by its text, or
// "" when nothing is extracted from it. Of the text it takes the interpreter of the
// first line and mode lines at both ends; of headers all tells C from C++.
func Detect(p graph.Path, text []byte) string {
	base := p.Base()
	if l := byName(base); l != "" {
		return l
	}
	if l, ok := suffixes[p.Ext()]; ok {
		if l == "typescript" && isXML(text) {
			return "" // a Qt translation
		}
		if other := byShebang(text); l == "bash" && other != "" {
			return other // a name says less than what runs it
		}
		if l == "c" && p.Ext() != ".c" {
			return header(p, text)
		}
		return l
	}
	switch path.Ext(base) {
	case ".in": // a template of a file: Makefile.in
		return Detect(graph.Path(strings.TrimSuffix(string(p), ".in")), text)
	case ".conf":
		if isINI(text) {
			return "ini"
		}
	}
	script := byShebang(text)
	if mode, ok := byModeline(text); ok && (script == "" || script == "bash") {
		return mode // "#!/bin/sh" may only start the interpreter of what follows
	}
	return script
}

// isINI reports whether what is said first is the name of a section.
func isINI(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != ';' {
			return line[0] == '[' && line[len(line)-1] == ']'
		}
	}
	return false
}

// byName knows the files that tools read under a name of their own.
func byName(base string) string {
	if l := names[base]; l != "" {
		return l
	}
	for _, f := range families {
		if strings.HasPrefix(base, f.prefix) && strings.HasSuffix(base, f.suffix) {
			return f.language
		}
	}
	return ""
}

// header tells C from C++ in what is there to be included. Other languages have files
// that end in .inc, too.
func header(p graph.Path, text []byte) string {
	if mode, ok := byModeline(text); ok && mode != "" {
		return mode
	}
	if p.Ext() == ".inc" {
		start := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
		if bytes.HasPrefix(start, []byte("<")) || !bytes.Contains(text, []byte("/*")) && !bytes.Contains(text, []byte("//")) && !bytes.Contains(text, []byte("#define")) && !bytes.Contains(text, []byte("#include")) {
			return ""
		}
	}
	if c.IsCPP(text) {
		return "cpp"
	}
	return "c"
}

func isXML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<?xml")) || bytes.HasPrefix(head, []byte("<!DOCTYPE"))
}

// byShebang reads "#!/usr/bin/python3.11" and "#!/usr/bin/env -S node --x".
func byShebang(head []byte) string {
	if !bytes.HasPrefix(head, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	words := strings.Fields(string(line))
	for len(words) > 0 && (path.Base(words[0]) == "env" || strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	return interpreters[strings.TrimRight(path.Base(words[0]), "0123456789.")]
}
