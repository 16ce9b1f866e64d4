package tags

import (
	"path"
	"regexp"
	"strings"
)

// reading says how the tags of a language are to be understood.
type reading struct {
	// drop has the kinds that are left out, with the reason.
	drop map[string]string
	// once leaves out all but the first of the tags of a name in a scope.
	once string
	// skip returns why a tag is left out, or "".
	skip func(t tag) string
	// other returns further names under which a tag may be found.
	other func(t tag) []string
	// texts says which lines of a file are inside of a text or comment that begins on a
	// line before: ctags reads what looks like a definition there.
	texts func(lines []string) []bool
}

// out returns why a tag is left out, or "". seen is what once needs to know.
func (r reading) out(t tag, seen map[string]bool) string {
	if why := r.drop[t.Kind]; why != "" {
		return why
	}
	switch {
	case t.Roles != "" && t.Roles != "def":
		return "a reference"
	case t.in:
		return "inside of a text or comment"
	case t.min:
		return "in a file that is minified"
	}
	switch t.ScopeKind {
	case "function", "method", "test", "singletonMethod":
		if t.Kind == "variable" || t.Kind == "constant" || t.Kind == "local" || t.Kind == "field" {
			return "a local variable"
		}
	}
	if r.skip != nil {
		if why := r.skip(t); why != "" {
			return why
		}
	}
	if r.once != "" {
		key := strings.Join([]string{t.Path, t.Scope, t.Name}, "\x00")
		if seen[key] {
			return r.once
		}
		seen[key] = true
	}
	return ""
}

func (r reading) names(t tag) []string {
	names := []string{strings.TrimSpace(t.Name)}
	if r.other != nil {
		names = append(names, r.other(t)...)
	}
	return names
}

const (
	alias = "the alias of an import"
	file  = "the file, which is a node of its own under that name"
	used  = "a reference"
	none  = "without a name"
)

func readings() map[string]reading {
	return map[string]reading{
		"Sh":       {drop: map[string]string{"heredoc": "the end mark of a text", "script": used}, texts: between(regexp.MustCompile(`<<-?\s*\\?['"]?(\w+)['"]?`)), skip: shell},
		"C#":       {drop: map[string]string{"typedef": alias}, other: func(t tag) []string { return []string{lastOf(t.Name, ".")} }},
		"CSS":      {skip: elementsOnly, other: selectorNames},
		"Elixir":   {once: "a further clause of a function", other: func(t tag) []string { return []string{lastOf(t.Name, ".")} }, texts: between(regexp.MustCompile(`("""|''')(?:\s*$|\s*\\$)`))},
		"Elm":      {drop: map[string]string{"module": file, "namespace": alias}, other: func(t tag) []string { return strings.Fields(t.Name)[:1] }, texts: comments("{-", "-}"), skip: elm},
		"HTML":     {skip: templated, drop: map[string]string{"stylesheet": used, "script": used, "class": "a use of a class"}, other: heading},
		"Iniconf":  {skip: partOfLine},
		"JSON":     {skip: deeper},
		"Kotlin":   {drop: map[string]string{"package": file}, skip: kotlin},
		"Lua":      {other: func(t tag) []string { return []string{lastOf(lastOf(t.Name, "."), ":")} }, texts: comments("--[[", "]]"), skip: lua},
		"Make":     {once: "a further rule or value of a name", skip: computed},
		"Markdown": {other: func(t tag) []string { return []string{plain(t.Name)} }},
		"OCaml":    {skip: ocaml},
		"PHP":      {drop: map[string]string{"alias": alias}},
		"Protobuf": {drop: map[string]string{"package": file}},
		"Ruby": {
			drop: map[string]string{"library": used}, texts: between(regexp.MustCompile(`<<[-~]?['"` + "`" + `]?([A-Z_]\w*)['"` + "`" + `]?`)),
			other: func(t tag) []string {
				return []string{strings.TrimSuffix(t.Name, "="), t.Name + "?", t.Name + "!", t.Name + "="}
			},
		},
		"SQL":  {drop: map[string]string{"variable": "a statement that is called a variable", "domain": "the schema of a domain is called the domain"}},
		"Yaml": {},
	}
}

// between returns a function that finds the lines of texts which open with a mark and last
// until a line of that mark alone.
func between(opens *regexp.Regexp) func(lines []string) []bool {
	return func(lines []string) []bool {
		out, mark := make([]bool, len(lines)), ""
		for i, line := range lines {
			out[i] = mark != ""
			if mark != "" {
				if rest, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok && (rest == "" || !isLetter(rest[0])) {
					mark = ""
				}
				continue
			}
			if m := opens.FindStringSubmatch(line); m != nil && !strings.HasPrefix(strings.TrimSpace(line), "#") {
				mark = m[1]
			}
		}
		return out
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// comments returns a function that finds the lines of comments between two marks.
func comments(opens, closes string) func(lines []string) []bool {
	return func(lines []string) []bool {
		out, depth := make([]bool, len(lines)), 0
		for i, line := range lines {
			out[i] = depth > 0
			depth = max(0, depth+strings.Count(line, opens)-strings.Count(line, closes))
		}
		return out
	}
}

func partOfLine(t tag) string {
	if t.Kind == "key" && (!strings.HasPrefix(t.text, t.Name) || strings.HasPrefix(t.text, "<")) {
		return "a part of a key or of a text"
	}
	return ""
}

func lastOf(name, separator string) string {
	return name[strings.LastIndex(name, separator)+1:]
}

func shell(t tag) string {
	if t.Kind == "alias" && !strings.Contains(t.text, "=") || strings.HasPrefix(t.Name, "-") {
		return "a word of a command"
	}
	return ""
}

// marked finds the classes and ids of a selector.
var marked = regexp.MustCompile(`[.#](-?[A-Za-z_][\w-]*)`)

func elementsOnly(t tag) string {
	if !marked.MatchString(t.Name) {
		return "a selector without class or id"
	}
	return ""
}

func selectorNames(t tag) (out []string) {
	for _, m := range marked.FindAllStringSubmatch(t.Name, -1) {
		out = append(out, m[1])
	}
	return out
}

// templated leaves out what a template engine fills in.
func templated(t tag) string {
	if strings.Contains(t.Name, "{{") || strings.Contains(t.Name, "{%") || strings.Contains(t.text, `="{{`) {
		return "a computed name"
	}
	return ""
}

func deeper(t tag) string {
	if strings.Contains(t.Scope, ".") {
		return "below the second level"
	}
	if scope, _, _ := strings.Cut(t.Scope, "."); strings.Trim(t.Name, "0123456789") == "" || t.Scope != "" && strings.Trim(scope, "0123456789") == "" {
		return "an element of a list"
	}
	return ""
}

func elm(t tag) string {
	if t.Kind == "function" && t.text != "" && t.ScopeKind == "function" {
		return "a local variable"
	}
	return ""
}

func kotlin(t tag) string {
	switch {
	case strings.HasPrefix(t.Name, "<"):
		return none
	case t.Kind == "method" && !strings.Contains(t.text, "fun ") && !strings.Contains(t.text, "fun<"):
		return "a parameter that is called a method"
	}
	return ""
}

var luaFunction = regexp.MustCompile(`\bfunction\s+[\w.:]+\s*\(|=\s*function\s*\(`)

func lua(t tag) string {
	switch {
	case strings.ContainsAny(t.Name, "[]\"'"):
		return "a computed name"
	case !luaFunction.MatchString(t.text):
		return "set to what is no function"
	}
	return ""
}

var targetVariable = regexp.MustCompile(`:\s*[\w.]+\s*[+:?]?=`)

func computed(t tag) string {
	switch {
	case strings.ContainsAny(t.Name, "$()"):
		return "a computed name"
	case t.Kind == "target" && targetVariable.MatchString(t.text):
		return "a variable of a target"
	}
	return ""
}

var (
	localLet    = regexp.MustCompile(`\bin\s*$|\bin\b.*\bin\b`)
	bindingUse  = regexp.MustCompile(`\b(let|and)[+*&%|]`)
	constraint  = regexp.MustCompile(`\bwith (type|module)\b`)
	matchedCase = regexp.MustCompile(`^\| exception\b`)
)

func ocaml(t tag) string {
	switch {
	case t.Name == "()" || t.Name == "_":
		return none
	case t.Kind == "module" && t.Line == 1 && strings.EqualFold(strings.TrimSuffix(strings.TrimSuffix(path.Base(t.Path), ".ml"), ".mli"), t.Name):
		return file
	case localLet.MatchString(t.text) && (t.Kind == "var" || t.Kind == "function" || t.Kind == "module"):
		return "a local variable"
	case bindingUse.MatchString(t.text) && strings.Contains("+*&%|", t.Name):
		return used
	case (t.Kind == "type" || t.Kind == "module") && constraint.MatchString(t.text), t.Kind == "Exception" && matchedCase.MatchString(t.text):
		return used
	case t.Name == "nonrec" || t.Name == "private":
		return "a word of the language"
	case t.Kind == "RecordField" && !strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(t.text, "mutable "), "{; "), t.Name) && strings.Contains(t.text, ":"):
		return "the type of a field"
	}
	return ""
}

// plain returns a heading without marks.
func plain(name string) string {
	return strings.NewReplacer("`", "", "*", "").Replace(name)
}

// heading returns the first words of a heading: ctags drops the tags in it.
func heading(t tag) []string {
	return []string{strings.TrimPrefix(t.Name, "#")}
}
