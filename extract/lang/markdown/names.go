package markdown

import (
	"path"
	"strings"
)

// isFileSuffix reports whether a word without a slash that ends so is taken for a
// file.
func isFileSuffix(s string) bool {
	switch s {
	case ".adoc", ".bash", ".bat", ".c", ".cc", ".cfg", ".cjs", ".conf",
		".cpp", ".cs", ".css", ".csv", ".go", ".gradle", ".h", ".hpp",
		".html", ".ini", ".java", ".js", ".json", ".jsx", ".kt", ".lock",
		".lua", ".markdown", ".md", ".mjs", ".mod", ".php", ".po", ".proto",
		".ps1", ".py", ".pyi", ".rb", ".rs", ".rst", ".scala", ".scss",
		".sh", ".sql", ".sum", ".svg", ".swift", ".toml", ".ts", ".tsx",
		".txt", ".vue", ".xml", ".yaml", ".yml":
		return true
	}
	return false
}

func isBareFile(s string) bool {
	switch s {
	case "Dockerfile", "Gemfile", "Jenkinsfile", "LICENSE", "Makefile", "NOTICE",
		"README", "Rakefile", "Vagrantfile":
		return true
	}
	return false
}

// saysNothing reports whether a word is a value or key word that stands in code
// marks everywhere and names nothing.
func saysNothing(s string) bool {
	switch s {
	case "true", "false", "True", "False", "nil", "null", "none", "None",
		"undefined", "this", "self", "cls", "if", "else", "for", "while",
		"return", "int", "str", "string", "bool", "boolean", "float",
		"import", "from", "class", "def", "func", "function", "const",
		"let", "var", "type", "interface", "in", "is", "not", "and",
		"or", "new", "void", "any", "error", "package":
		return true
	}
	return false
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
	case isBareFile(base):
		return s, true
	case isFileSuffix(strings.ToLower(ext)):
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
	if qualifier == "" && (len(name) < 2 || saysNothing(name)) || strings.HasPrefix(name, "$") {
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
