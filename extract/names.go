package extract

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

// names says what language files of a name are in that tools look for.
//
//nolint:gochecknoglobals // immutable
var names = map[string]string{
	"go.mod": "gomod", "go.work": "gomod",
	"package.json": "json", "jsconfig.json": "json",
	"pyproject.toml": "toml", "Cargo.toml": "toml",
	"setup.cfg": "ini",
	"Makefile":  "makefile", "makefile": "makefile", "GNUmakefile": "makefile", "BSDmakefile": "makefile",
	"Dockerfile": "dockerfile", "Containerfile": "dockerfile",
	".bashrc": "bash", ".bash_profile": "bash", ".profile": "bash", ".zshrc": "bash", ".bash_aliases": "bash", "PKGBUILD": "bash",
	"Rakefile": "ruby", "Gemfile": "ruby", "Guardfile": "ruby", "Capfile": "ruby", "Vagrantfile": "ruby", "Podfile": "ruby", "Fastfile": "ruby", "Brewfile": "ruby",
	"Jenkinsfile": "groovy",
}

// families says what language files are in whose names have a beginning and an end in
// common.
//
//nolint:gochecknoglobals // immutable
var families = []struct{ prefix, suffix, language string }{
	{"Dockerfile.", "", "dockerfile"},
	{"tsconfig", ".json", "json"},
}

// interpreters says what language the program reads that the first line names, without
// its version.
//
//nolint:gochecknoglobals // immutable
var interpreters = map[string]string{
	"python": "python", "pypy": "python",
	"sh": "bash", "bash": "bash", "dash": "bash", "ksh": "bash", "zsh": "bash", "ash": "bash",
	"lua": "lua", "luajit": "lua", "make": "makefile", "gmake": "makefile",
	"ruby": "ruby", "jruby": "ruby",
	"php": "php", "kotlin": "kotlin", "scala": "scala", "swift": "swift", "groovy": "groovy", "elixir": "elixir", "ocaml": "ocaml",
	"node": "javascript", "nodejs": "javascript", "bun": "javascript",
	"deno": "typescript", "ts-node": "typescript", "tsx": "typescript",
}
