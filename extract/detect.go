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

func byName(base string) string {
	switch base {
	case "go.mod", "go.work":
		return "gomod"
	case "package.json", "jsconfig.json":
		return "json"
	case "pyproject.toml", "Cargo.toml":
		return "toml"
	case "setup.cfg":
		return "ini"
	case "Makefile", "makefile", "GNUmakefile", "BSDmakefile":
		return "makefile"
	case "Dockerfile", "Containerfile":
		return "dockerfile"
	case ".bashrc", ".bash_profile", ".profile", ".zshrc", ".bash_aliases", "PKGBUILD":
		return "bash"
	}
	if l := byBuildFile(base); l != "" {
		return l
	}
	if strings.HasPrefix(base, "Dockerfile.") {
		return "dockerfile"
	}
	if strings.HasPrefix(base, "tsconfig") && strings.HasSuffix(base, ".json") {
		return "json"
	}
	return ""
}

// byBuildFile knows the files that tools of a language read under a name of their own.
func byBuildFile(base string) string {
	switch base {
	case "Rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile":
		return "ruby"
	case "Jenkinsfile":
		return "groovy"
	}
	return ""
}

// suffixes says what language the end of a name tells.
//
//nolint:gochecknoglobals // immutable
var suffixes = map[string]string{
	".c": "c", ".h": "c", ".inc": "c", ".inl": "c",
	".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".c++": "cpp", ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp", ".h++": "cpp", ".ipp": "cpp", ".tpp": "cpp", ".tcc": "cpp", ".cu": "cpp", ".cuh": "cpp", ".ino": "cpp",
	".go":   "go",
	".java": "java",
	".py":   "python", ".pyi": "python", ".pyw": "python",
	".ts": "typescript", ".mts": "typescript", ".cts": "typescript",
	".tsx": "tsx",
	".js":  "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
	".rs": "rust",
	".sh": "bash", ".bash": "bash", ".ksh": "bash", ".zsh": "bash",
	".css":  "css",
	".html": "html", ".htm": "html", ".xhtml": "html",
	".ipynb": "notebook",
	".json":  "json", ".jsonc": "json", ".json5": "json", ".webmanifest": "json", ".geojson": "json",
	".toml": "toml",
	".ini":  "ini", ".cfg": "ini", ".desktop": "ini", ".service": "ini", ".editorconfig": "ini", ".gitmodules": "ini", ".gitconfig": "ini",
	".mk": "makefile", ".mak": "makefile",
	".svelte": "svelte",
	".cue":    "cue",
	".sql":    "sql",
	".yaml":   "yaml", ".yml": "yaml",
	".dockerfile": "dockerfile",
	".tf":         "hcl", ".tfvars": "hcl", ".hcl": "hcl",
	".lua": "lua",
	".rb":  "ruby", ".rake": "ruby", ".gemspec": "ruby", ".ru": "ruby",
	".php": "php", ".phtml": "php", ".php5": "php", ".phpt": "php",
	".cs": "csharp", ".csx": "csharp",
	".kt": "kotlin", ".kts": "kotlin",
	".scala": "scala", ".sc": "scala", ".sbt": "scala",
	".swift": "swift",
	".ex":    "elixir", ".exs": "elixir",
	".elm": "elm",
	".ml":  "ocaml", ".mli": "ocaml",
	".groovy": "groovy", ".gradle": "groovy", ".gvy": "groovy",
	".proto": "protobuf",
	".md":    "markdown", ".markdown": "markdown", ".mkd": "markdown",
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
	switch name := strings.TrimRight(path.Base(words[0]), "0123456789."); name {
	case "python", "pypy":
		return "python"
	case "sh", "bash", "dash", "ksh", "zsh", "ash":
		return "bash"
	case "lua", "luajit":
		return "lua"
	case "ruby", "jruby":
		return "ruby"
	case "php":
		return "php"
	case "kotlin":
		return "kotlin"
	case "scala":
		return "scala"
	case "swift":
		return "swift"
	case "groovy":
		return "groovy"
	case "elixir":
		return "elixir"
	case "ocaml":
		return "ocaml"
	case "node", "nodejs", "bun":
		return "javascript"
	case "deno", "ts-node", "tsx":
		return "typescript"
	}
	return ""
}
