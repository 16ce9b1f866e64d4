package extract

import (
	"bytes"
	"path"
	"strings"

	"github.com/ralph-index/ralph-index/extract/lang/c"
	"github.com/ralph-index/ralph-index/graph"
)

// Detect returns the language of a file, judged by its name and else by its first
// bytes (256 are enough, but for headers of C and C++, whose language is known by all of
// their text), or "" when nothing is extracted from it.
func Detect(p graph.Path, head []byte) string {
	base := p.Base()
	if l := byName(base); l != "" {
		return l
	}
	if l, ok := byExt(p.Ext()); ok {
		if l == "typescript" && isXML(head) {
			return "" // a Qt translation
		}
		if other := byShebang(head); l == "bash" && other != "" {
			return other // a name says less than what runs it
		}
		if l == "c" && p.Ext() != ".c" {
			return header(p, head)
		}
		return l
	}
	if path.Ext(base) == "" {
		return byShebang(head)
	}
	return ""
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

func byExt(ext string) (language string, ok bool) {
	switch ext {
	case ".c", ".h", ".inc", ".inl":
		return "c", true
	case ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".tcc", ".cu", ".cuh", ".ino":
		return "cpp", true
	case ".go":
		return "go", true
	case ".java":
		return "java", true
	case ".py", ".pyi", ".pyw":
		return "python", true
	case ".ts", ".mts", ".cts":
		return "typescript", true
	case ".tsx":
		return "tsx", true
	case ".js", ".mjs", ".cjs", ".jsx":
		return "javascript", true
	case ".rs":
		return "rust", true
	case ".sh", ".bash", ".ksh", ".zsh":
		return "bash", true
	case ".css":
		return "css", true
	case ".html", ".htm", ".xhtml":
		return "html", true
	case ".ipynb":
		return "notebook", true
	case ".json", ".jsonc", ".json5", ".webmanifest", ".geojson":
		return "json", true
	case ".toml":
		return "toml", true
	case ".ini", ".cfg":
		return "ini", true
	case ".mk", ".mak":
		return "makefile", true
	case ".svelte":
		return "svelte", true
	case ".cue":
		return "cue", true
	case ".sql":
		return "sql", true
	case ".yaml", ".yml":
		return "yaml", true
	case ".dockerfile":
		return "dockerfile", true
	case ".tf", ".tfvars", ".hcl":
		return "hcl", true
	case ".lua":
		return "lua", true
	case ".rb", ".rake", ".gemspec", ".ru":
		return "ruby", true
	case ".php", ".phtml", ".php5", ".phpt":
		return "php", true
	case ".cs", ".csx":
		return "csharp", true
	case ".kt", ".kts":
		return "kotlin", true
	case ".scala", ".sc", ".sbt":
		return "scala", true
	case ".swift":
		return "swift", true
	case ".ex", ".exs":
		return "elixir", true
	case ".elm":
		return "elm", true
	case ".ml", ".mli":
		return "ocaml", true
	case ".groovy", ".gradle", ".gvy":
		return "groovy", true
	case ".proto":
		return "protobuf", true
	case ".md", ".markdown", ".mkd":
		return "markdown", true
	}
	return "", false
}

// header tells C from C++ in what is there to be included. Other languages have files
// that end in .inc, too.
func header(p graph.Path, text []byte) string {
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
