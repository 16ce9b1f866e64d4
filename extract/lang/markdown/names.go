package markdown

import (
	"path"
	"strings"
)

// fileSuffixes are those by which a word without a slash is taken for a file.
var fileSuffixes = map[string]bool{
	".adoc": true, ".bash": true, ".bat": true, ".c": true, ".cc": true, ".cfg": true, ".cjs": true, ".conf": true,
	".cpp": true, ".cs": true, ".css": true, ".csv": true, ".go": true, ".gradle": true, ".h": true, ".hpp": true,
	".html": true, ".ini": true, ".java": true, ".js": true, ".json": true, ".jsx": true, ".kt": true, ".lock": true,
	".lua": true, ".markdown": true, ".md": true, ".mjs": true, ".mod": true, ".php": true, ".po": true, ".proto": true,
	".ps1": true, ".py": true, ".pyi": true, ".rb": true, ".rs": true, ".rst": true, ".scala": true, ".scss": true,
	".sh": true, ".sql": true, ".sum": true, ".svg": true, ".swift": true, ".toml": true, ".ts": true, ".tsx": true,
	".txt": true, ".vue": true, ".xml": true, ".yaml": true, ".yml": true,
}

var bareFiles = map[string]bool{
	"Dockerfile": true, "Gemfile": true, "Jenkinsfile": true, "LICENSE": true, "Makefile": true, "NOTICE": true,
	"README": true, "Rakefile": true, "Vagrantfile": true,
}

// words are values and key words that stand in code marks everywhere and name
// nothing.
var words = map[string]bool{
	"true": true, "false": true, "True": true, "False": true, "nil": true, "null": true, "none": true, "None": true,
	"undefined": true, "this": true, "self": true, "cls": true, "if": true, "else": true, "for": true, "while": true,
	"return": true, "int": true, "str": true, "string": true, "bool": true, "boolean": true, "float": true,
	"import": true, "from": true, "class": true, "def": true, "func": true, "function": true, "const": true,
	"let": true, "var": true, "type": true, "interface": true, "in": true, "is": true, "not": true, "and": true,
	"or": true, "new": true, "void": true, "any": true, "error": true, "package": true,
}

// pathText reads "src/a.go", "a/b.py:12" and "conf.py": the path without the
// line, and whether the text is one.
func pathText(s string) (string, bool) {
	s = cutLine(s)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80:
		case strings.IndexByte("._-/@+", c) >= 0:
		default:
			return "", false
		}
	}
	base := path.Base(s)
	ext := path.Ext(base)
	switch {
	case strings.HasSuffix(s, "/") || strings.Contains(s, "//"):
		return "", false
	case bareFiles[base]:
		return s, true
	case fileSuffixes[strings.ToLower(ext)]:
		return s, ext != s
	case strings.Contains(s, "/"):
		return s, plausibleSuffix(ext)
	}
	return "", false
}

// cutLine removes ":12", ":12-20", ":12:3" and "#L12" from the end of a path.
func cutLine(s string) string {
	if i := strings.Index(s, "#L"); i > 0 {
		s = s[:i]
	}
	head, tail, ok := strings.Cut(s, ":")
	if ok && tail != "" && strings.Trim(tail, "0123456789-:") == "" {
		return head
	}
	return s
}

// plausibleSuffix tells "a/b.tmpl" from "and/or" and "v1/2.3".
func plausibleSuffix(ext string) bool {
	if len(ext) < 2 || len(ext) > 9 {
		return false
	}
	c := ext[1] | 0x20
	return c >= 'a' && c <= 'z'
}

// symbolText reads "foo", "pkg.Foo", "Foo.bar()", "foo::bar", "Foo#bar" and
// "(*Server).Serve". name is "" where the text is no symbol.
func symbolText(s string) (qualifier, name string) {
	s = strings.TrimLeft(s, "@&*")
	s = cutCall(s)
	if rest, ok := strings.CutPrefix(s, "(*"); ok {
		s = strings.Replace(rest, ")", "", 1)
	}
	end := 0 // of the qualifier
	for i, at := 0, 0; at <= len(s); {
		n := strings.IndexFunc(s[at:], func(r rune) bool { return !isIdent(r) })
		if n < 0 {
			n = len(s) - at
		}
		if n == 0 || !startsIdent(s[at:]) || i > 8 {
			return "", ""
		}
		name = s[at : at+n]
		if at += n; at == len(s) {
			qualifier = s[:end]
			break
		}
		end = at
		sep := separator(s[at:])
		if sep == 0 {
			return "", ""
		}
		at += sep
		i++
	}
	if qualifier == "" && (len(name) < 2 || words[name]) || strings.HasPrefix(name, "$") {
		return "", ""
	}
	return qualifier, name
}

func separator(s string) int {
	switch {
	case strings.HasPrefix(s, "::"), strings.HasPrefix(s, "->"):
		return 2
	case s[0] == '.' || s[0] == '#':
		return 1
	}
	return 0
}

// cutCall removes one trailing "(…)", "[…]" or "<…>".
func cutCall(s string) string {
	if len(s) == 0 {
		return s
	}
	open, ok := map[byte]string{')': "(", ']': "[", '>': "<"}[s[len(s)-1]]
	if !ok {
		return s
	}
	if i := strings.Index(s[1:], open); i >= 0 {
		return s[:i+1]
	}
	return s
}
