package extract

import (
	"bytes"
	"strings"
)

// modelineReach is how many lines at either end of a file may hold a mode line, which
// is what Vim's option 'modelines' has by default.
const modelineReach = 5

// modelineWidth bounds the part of a line that is looked at.
const modelineWidth = 400

// modes says which language the names of file types mean that editors use.
//
//nolint:gochecknoglobals // immutable
var modes = map[string]string{
	"bash": "bash", "sh": "bash", "zsh": "bash", "ksh": "bash", "shell-script": "bash", "shell": "bash",
	"c": "c", "cpp": "cpp", "c++": "cpp", "cs": "csharp", "csharp": "csharp", "css": "css", "cue": "cue",
	"dockerfile": "dockerfile", "elixir": "elixir", "elm": "elm", "go": "go", "groovy": "groovy", "jenkinsfile": "groovy",
	"hcl": "hcl", "terraform": "hcl", "html": "html", "xhtml": "html", "mhtml": "html", "java": "java",
	"javascript": "javascript", "js": "javascript", "js2": "javascript", "jsx": "javascript", "javascriptreact": "javascript",
	"json": "json", "jsonc": "json", "kotlin": "kotlin", "lua": "lua", "make": "makefile", "makefile": "makefile", "makefile-gmake": "makefile", "gnumakefile": "makefile",
	"markdown": "markdown", "gfm": "markdown", "ocaml": "ocaml", "tuareg": "ocaml", "caml": "ocaml", "php": "php", "proto": "protobuf", "protobuf": "protobuf",
	"python": "python", "python3": "python", "py": "python", "ruby": "ruby", "enh-ruby": "ruby", "rust": "rust", "scala": "scala", "sql": "sql", "svelte": "svelte", "swift": "swift",
	"toml": "toml", "conf-toml": "toml", "dosini": "ini", "conf-windows": "ini", "typescript": "typescript", "typescriptreact": "tsx", "tsx": "tsx", "yaml": "yaml",
}

// byModeline returns the language that a mode line names, as Emacs ("-*- mode: ruby -*-"
// in the first two lines) or Vim ("vim: set ft=ruby:" in the first or last five) read it.
// known is false where there is none; a mode of another language is known, and "".
func byModeline(text []byte) (language string, known bool) {
	rest := text
	for i := range modelineReach {
		line, after, more := bytes.Cut(rest, []byte("\n"))
		if mode := emacsMode(line); i < 2 && mode != "" {
			return modes[mode], true
		}
		if mode := vimMode(line); mode != "" {
			return modes[mode], true
		}
		if rest = after; !more {
			return "", false
		}
	}
	rest = bytes.TrimRight(rest, "\n")
	for range modelineReach {
		at := bytes.LastIndexByte(rest, '\n')
		if mode := vimMode(rest[at+1:]); mode != "" {
			return modes[mode], true
		}
		if at < 0 {
			break
		}
		rest = rest[:at]
	}
	return "", false
}

// emacsMode reads "-*- ruby -*-" and "-*- coding: utf-8; mode: ruby -*-".
func emacsMode(line []byte) string {
	_, rest, ok := bytes.Cut(line[:min(len(line), modelineWidth)], []byte("-*-"))
	if !ok {
		return ""
	}
	body, _, ok := bytes.Cut(rest, []byte("-*-"))
	if !ok {
		return ""
	}
	if !bytes.ContainsRune(body, ':') {
		return modeName(string(body))
	}
	for part := range strings.SplitSeq(string(body), ";") {
		if key, value, ok := strings.Cut(part, ":"); ok && strings.EqualFold(strings.TrimSpace(key), "mode") {
			return modeName(value)
		}
	}
	return ""
}

// vimMode reads "vim: ft=ruby", "vi: set sw=2 filetype=ruby :" and "ex: ft=ruby", which
// must begin the line or stand behind white space.
func vimMode(line []byte) string {
	line = line[:min(len(line), modelineWidth)]
	for _, word := range []string{"vim:", "vi:", "ex:"} {
		at := bytes.Index(line, []byte(word))
		if at < 0 || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
			continue
		}
		options := strings.FieldsFunc(string(line[at+len(word):]), func(r rune) bool { return r == ' ' || r == '\t' || r == ':' || r == '\r' })
		for _, o := range options {
			key, value, ok := strings.Cut(o, "=")
			if ok && (key == "ft" || key == "filetype" || key == "syn" || key == "syntax") {
				first, _, _ := strings.Cut(value, ".") // "yaml.ansible": several at once
				return modeName(first)
			}
		}
	}
	return ""
}

func modeName(s string) string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), "-mode")
}
