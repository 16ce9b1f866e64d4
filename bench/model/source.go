package model

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// The names that sources define and use. They are few, so that each is defined in
// several files and a change of one file changes what another's uses are bound to;
// and of one length, so that one can take the place of another.
const (
	functions = "abcdefghij" // Fa … Fj
	classes   = "abcdef"     // Ca … Cf
	methods   = "abcde"      // Ma … Me
)

// writer makes one version of a source.
type writer struct {
	strings.Builder
	rng *rand.Rand
}

func (w *writer) line(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) pick(of ...string) string { return of[w.rng.IntN(len(of))] }

func (w *writer) function() string { return "F" + string(functions[w.rng.IntN(len(functions))]) }
func (w *writer) class() string    { return "C" + string(classes[w.rng.IntN(len(classes))]) }
func (w *writer) method() string   { return "M" + string(methods[w.rng.IntN(len(methods))]) }

// module is the path of a module without suffix, as imports name it.
func (w *writer) module() string {
	return w.pick("a", "b", "c", "lib/a", "lib/b", "lib/sub/a", "lib/sub/c", "pkg/a", "pkg/b", "web/a", "web/b", "web/ui/a", "web/ui")
}

func (w *writer) some(n int, f func()) {
	for range w.rng.IntN(n + 1) {
		f()
	}
}

// source returns version n of a file, in the language of its name.
func source(name string, n int) []byte {
	w := &writer{rng: rand.New(rand.NewPCG(uint64(n), 77))}
	base := path.Base(name)
	switch ext := strings.ToLower(path.Ext(name)); {
	case base == "go.mod":
		w.line("module %s\n\ngo 1.26", w.pick("m", "m", "n", "m/lib"))
	case base == "tsconfig.json":
		w.line("%s", w.pick(`{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./*"]}}}`,
			`{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["web/*"]}}}`, `{"compilerOptions": {"baseUrl": "lib"}}`, `{}`, `{"extends": "./web/tsconfig.json"}`))
	case base == "package.json":
		w.line("%s", w.pick(`{"name": "m"}`, `{"name": "m", "main": "web/a.ts", "exports": {".": "./web/a.ts", "./ui": "./web/ui/index.ts"}}`,
			`{"name": "ui", "workspaces": ["web", "web/ui"]}`, `{"name":`))
	case base == "pyproject.toml":
		w.line("%s", w.pick("[project]\nname = \"m\"", "[project]\nname = \"m\"\n[tool.setuptools]\npackage-dir = {\"\" = \"lib\"}", "[tool.poetry]\nname = \"m\"\npackages = [{include = \"pkg\", from = \"lib\"}]"))
	case ext == ".go":
		w.golang(name)
	case ext == ".py":
		w.python(name)
	case ext == ".ts", ext == ".js", ext == ".tsx":
		w.typescript(name)
	case ext == ".md":
		w.markdown()
	default:
		w.line("plain %s and %s\nneedle %d", w.function(), w.class(), n)
	}
	return w.odd(n)
}

// odd gives some versions what sources have by accident.
func (w *writer) odd(n int) []byte {
	s := w.String()
	switch w.rng.IntN(40) {
	case 0:
		s += ")))(((\n"
	case 1:
		s = ""
	case 2:
		s = strings.ReplaceAll(s, "\n", "\r\n")
	case 3:
		s = strings.TrimSuffix(s, "\n")
	case 4:
		s = "\ufeff" + s
	case 5:
		s += "\x00\n"
	case 6:
		s += "\xff\xfe invalid \xc3\n"
	case 7:
		s = s[:len(s)/2]
	}
	if n%3 == 0 && s != "" {
		s += "\n"
	}
	return []byte(s)
}

// snippet is what an append adds.
func snippet(name string, n int) []byte {
	w := &writer{rng: rand.New(rand.NewPCG(uint64(n), 78))}
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		w.goFunction()
	case ".py":
		w.pyFunction("")
	case ".ts", ".js", ".tsx":
		w.tsFunction()
	default:
		w.line("more %s", w.function())
	}
	return []byte(w.String())
}

func (w *writer) golang(name string) {
	pkg := path.Base(path.Dir(name))
	if pkg == "." {
		pkg = "m"
	}
	w.line("package %s\n", strings.Map(letters, pkg))
	w.some(3, func() {
		w.line("import %s%q", w.pick("", "x ", ". ", "_ "), w.pick("m", "m/lib", "m/lib/sub", "m/pkg", "n/lib", "fmt"))
	})
	if strings.HasSuffix(name, "_test.go") {
		w.line("func Test%s(t *testing.T) { %s(); x.%s() }", w.function(), w.function(), w.function())
	}
	w.some(2, func() {
		c := w.class()
		w.line("type %s struct {\n\t%s\n\tv *%s\n}\n", c, w.class(), w.class())
		w.some(2, func() {
			w.line("func (c *%s) %s() *%s { c.%s(); c.v.%s(); return nil }\n", c, w.method(), w.class(), w.method(), w.method())
		})
	})
	if w.rng.IntN(4) == 0 {
		w.line("type %s interface{ %s() }\n", w.class(), w.method())
	}
	w.some(4, w.goFunction)
}

func (w *writer) goFunction() {
	w.line("func %s(v *%s) {\n\tv.%s()\n\t%s%s()\n\tvar y %s\n\ty.%s()\n\t_ = \"needle\"\n}\n", w.function(), w.class(), w.method(),
		w.pick("", "x.", "lib.", "sub.", "pkg."), w.function(), w.class(), w.method())
}

func letters(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return 'x'
}

func (w *writer) python(name string) {
	w.some(4, func() {
		switch w.rng.IntN(5) {
		case 0:
			w.line("import %s", strings.ReplaceAll(w.module(), "/", "."))
		case 1:
			w.line("from %s import *", w.pick(".a", ".b", "..a", "lib", "lib.sub", "."))
		case 2:
			w.line("from . import %s", w.pick("a", "b", "c"))
		default:
			w.line("from %s import %s, %s as x", w.pick(".a", ".b", ".", strings.ReplaceAll(w.module(), "/", ".")), w.function(), w.class())
		}
	})
	if strings.HasPrefix(path.Base(name), "test_") {
		w.line("def test_%s():\n    %s()\n", w.function(), w.function())
	}
	w.some(2, func() {
		w.line("class %s(%s):", w.class(), w.pick(w.class(), "x", "a."+w.class(), "object"))
		w.line("    def __init__(self):\n        self.v = %s()\n", w.class())
		w.some(3, func() { w.pyFunction("    ") })
	})
	w.some(4, func() { w.pyFunction("") })
}

func (w *writer) pyFunction(indent string) {
	name, self := w.function(), ""
	if indent != "" {
		name, self = w.method(), "self"
	}
	w.line("%sdef %s(%s):", indent, name, self)
	w.line("%s    %s%s()  # needle", indent, w.pick("", "x.", "a.", "lib.a.", "pkg.b."), w.function())
	if self != "" {
		w.line("%s    self.%s(); self.v.%s()", indent, w.method(), w.method())
	}
	w.line("%s    return %s().%s()\n", indent, w.class(), w.method())
}

func (w *writer) typescript(name string) {
	from := func() string {
		return w.pick("./a", "./b", "./index", "../a", "../lib/a", "./ui", "@/"+w.module(), w.module(), "m", "m/ui", ".", "./a.js")
	}
	w.some(4, func() {
		switch w.rng.IntN(6) {
		case 0:
			w.line("import * as x from '%s'", from())
		case 1:
			w.line("export * from '%s'", from())
		case 2:
			w.line("import d from '%s'", from())
		case 3:
			w.line("export { %s, %s as %s } from '%s'", w.function(), w.function(), w.function(), from())
		default:
			w.line("import { %s, %s as y } from '%s'", w.function(), w.class(), from())
		}
	})
	if strings.Contains(name, ".test.") {
		w.line("test('%s', () => { %s(); x.%s() })", w.function(), w.function(), w.function())
	}
	w.some(2, func() {
		w.line("export class %s extends %s {\n  v: %s", w.class(), w.pick(w.class(), "y", "x."+w.class()), w.class())
		w.some(2, func() {
			w.line("  %s(): %s { this.%s(); return this.v.%s() }", w.method(), w.class(), w.method(), w.method())
		})
		w.line("}\n")
	})
	w.some(4, w.tsFunction)
}

func (w *writer) tsFunction() {
	w.line("export %sfunction %s(p: %s) { %s%s(); p.%s(); new %s().%s() } // needle", w.pick("", "", "default "), w.function(), w.class(),
		w.pick("", "x.", "d."), w.function(), w.method(), w.class(), w.method())
}

func (w *writer) markdown() {
	w.line("# About %s\n\nSee `%s` and `%s.%s`, or [this](%s).\n", w.function(), w.function(), w.class(), w.method(), w.pick("a.md", "../lib/a.py", "web/a.ts", "#about-fa"))
	w.some(2, func() { w.line("## %s\n\nneedle `%s`\n", w.class(), w.function()) })
}

// ignoreFile returns version n of an ignore file.
func ignoreFile(n int) []byte {
	versions := []string{
		"", "sub/\n", "*.tmp\nb.*\n", "/web/\n", "web/*\n!web/ui/\n", "docs\n!docs/a.md\n", "**/c.ts\n", "*.py\n!a.py\n",
		"/lib/sub\n/a.go\n", "# nothing\n", "a.*\n!/a.go\n", "ui/\n*.md\n", "*\n!*/\n!*.go\n",
	}
	return []byte(versions[n%len(versions)])
}

// alike replaces names in a source by others of the same length; it is src itself
// where there are none.
func alike(src []byte, n int) []byte {
	rng := rand.New(rand.NewPCG(uint64(n), 79))
	out := []byte(string(src))
	for i := 0; i+1 < len(out); i++ {
		var of string
		switch out[i] {
		case 'F':
			of = functions
		case 'C':
			of = classes
		case 'M':
			of = methods
		default:
			continue
		}
		if strings.IndexByte(of, out[i+1]) >= 0 && rng.IntN(3) == 0 {
			out[i+1] = of[rng.IntN(len(of))]
		}
	}
	return out
}
