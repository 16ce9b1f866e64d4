package extract

import "github.com/ralph-index/ralph-index/graph"

// kinds is a list of kinds in words.
type kinds = []graph.Kind

func resolvedLanguages() []Coverage {
	return []Coverage{
		{"Go", []string{"go"}, DepthFull, kinds{"struct", "interface", "type", "function", "method", "field", "constant", "variable"}, "calls bound by package, type, embedding and interface"},
		{"Java", []string{"java"}, DepthFull, kinds{"class", "interface", "enum", "enum_member", "method", "field", "constant"}, "calls bound by package, declared types, inheritance and overloads"},
		{"Python", []string{"python"}, DepthFull, kinds{"class", "interface", "type", "enum", "enum_member", "function", "method", "field", "property", "constant", "variable"}, "calls bound by module, class, annotation and what flows through values"},
		{"Jupyter notebooks", []string{"notebook"}, DepthFull, kinds{"class", "function", "method"}, "code cells, as Python"},
		{"Rust", []string{"rust"}, DepthFull, kinds{"namespace", "struct", "interface", "type", "enum", "enum_member", "function", "method", "field", "constant", "variable", "macro"}, "calls bound by path, impl block, trait and type of the receiver"},
		{"TypeScript, JavaScript", []string{"typescript", "tsx", "javascript"}, DepthFull, kinds{"module", "namespace", "class", "interface", "type", "enum", "enum_member", "function", "method", "field", "property", "constant", "variable"}, "ES and CommonJS modules; calls bound by module, class and annotation"},
		{"C, C++", []string{"c", "cpp"}, DepthFull, kinds{"namespace", "class", "struct", "type", "enum", "enum_member", "function", "method", "field", "variable", "macro"}, "headers by content; calls bound by include, linkage, namespace, class and type; functions given to fields"},
	}
}

func calledLanguages() []Coverage {
	return []Coverage{
		{"C#", []string{"csharp"}, DepthCalls, kinds{"namespace", "class", "struct", "interface", "type", "enum", "enum_member", "function", "method", "field", "property", "constant"}, "calls bound by namespace, `using`, types of receivers along chains, inheritance and overloads; constructors, extensions, tests"},
		{"Elixir", []string{"elixir"}, DepthCalls, kinds{"module", "interface", "type", "function"}, "calls bound by module, `alias` and `import`; protocols, records, tests"},
		{"Elm", []string{"elm"}, DepthCalls, kinds{"type", "enum", "enum_member", "function", "field"}, "calls bound by module and exposed names; ports"},
		{"Groovy, Gradle", []string{"groovy"}, DepthCalls, kinds{"class", "interface", "enum", "function", "method", "field", "variable"}, "calls bound by package, imports and declared types; tasks, tests"},
		{"HCL, Terraform", []string{"hcl"}, DepthCalls, kinds{"module", "struct", "variable"}, "blocks by address, locals, what refers to them; modules with their variables and outputs, values, providers"},
		{"Kotlin", []string{"kotlin"}, DepthCalls, kinds{"class", "interface", "type", "enum", "enum_member", "function", "method", "property", "constant", "variable"}, "calls bound by package, imports, types of receivers along chains, inheritance and overloads; constructors, extensions, tests"},
		{"Lua", []string{"lua"}, DepthCalls, kinds{"function", "method", "field", "variable"}, "calls bound by file, table and `require`"},
		{"makefiles", []string{"makefile"}, DepthCalls, kinds{"function", "variable"}, "prerequisites, uses of variables, included files"},
		{"OCaml", []string{"ocaml"}, DepthCalls, kinds{"module", "class", "struct", "interface", "type", "enum", "enum_member", "function", "method", "field", "variable"}, "applications bound by module and `open`; interfaces beside their implementation"},
		{"PHP", []string{"php"}, DepthCalls, kinds{"namespace", "class", "interface", "enum", "enum_member", "function", "method", "property", "constant"}, "calls bound by namespace, `use`, `new`, inheritance, traits and types: declared, in comments, or of what is returned and set; tests"},
		{"Protocol Buffers", []string{"protobuf"}, DepthCalls, kinds{"struct", "interface", "enum", "enum_member", "method", "field"}, "all syntaxes, with groups and extensions; types bound by package and import"},
		{"Ruby", []string{"ruby"}, DepthCalls, kinds{"module", "class", "method", "property", "constant"}, "calls bound by nesting, mixins, inheritance, `new`, `super`, and what variables are set to and methods return; tests"},
		{"Scala", []string{"scala"}, DepthCalls, kinds{"module", "class", "interface", "type", "enum", "function", "method", "property"}, "calls bound by package, imports, declared types and inheritance; tests"},
		{"shell", []string{"bash"}, DepthCalls, kinds{"function", "variable"}, "sourced files, commands that are functions, apart from variables"},
		{"SQL", []string{"sql"}, DepthCalls, kinds{"namespace", "struct", "type", "function", "field", "variable"}, "tables with columns, views, functions, indexes, triggers, and what statements name; of dialects what their CREATE statements have in common"},
		{"Swift", []string{"swift"}, DepthCalls, kinds{"class", "struct", "interface", "type", "enum", "enum_member", "function", "method", "property", "variable"}, "calls bound by module, declared types, extensions and inheritance; tests"},
	}
}

func outlinedLanguages() []Coverage {
	return []Coverage{
		{"CSS", []string{"css"}, DepthOutline, kinds{"class", "function", "variable"}, "classes and ids of selectors, with their uses in pages and elements; animations and custom properties with their uses in style sheets; imports"},
		{"CUE", []string{"cue"}, DepthOutline, kinds{"struct", "field", "variable"}, "fields and definitions, imports, references"},
		{"Dockerfile", []string{"dockerfile"}, DepthOutline, kinds{"namespace", "variable"}, "stages, arguments and variables, with their uses"},
		{"Go modules", []string{"gomod"}, DepthOutline, kinds{"module"}, "what import paths mean"},
		{"HTML, Svelte", []string{"html", "svelte"}, DepthOutline, kinds{"class", "function", "variable", "h1"}, "what is taken from other files; classes and ids bound to style sheets; scripts, styles and expressions as in their own languages"},
		{"INI", []string{"ini"}, DepthOutline, kinds{"key"}, "keys of the two upper levels; a `.conf` that begins with a section"},
		{"JSON", []string{"json"}, DepthOutline, kinds{"module", "key"}, "keys of the two upper levels; what `package.json` and `tsconfig.json` say of modules"},
		{"Markdown", []string{"markdown"}, DepthOutline, kinds{"h1", "h2", "h3", "h4", "h5", "h6"}, "links and inline code that name files or symbols"},
		{"TOML", []string{"toml"}, DepthOutline, kinds{"module", "key"}, "keys of the two upper levels; what `pyproject.toml` and `Cargo.toml` say of packages"},
		{"YAML", []string{"yaml"}, DepthOutline, kinds{"variable", "key"}, "keys of the two upper levels, anchors and aliases"},
	}
}
