// Package extract turns the bytes of one file into graph.Facts: definitions,
// references, imports, heritage, mentions and manifest settings.
//
// It reads nothing but the bytes that it is given, binds no name to another file
// (graph/resolve does, when a question is asked) and stores nothing. The indexer
// calls it through the worker processes of extract/worker; library users and the
// benchmark call it directly.
//
// # What is bounded, and how it shows
//
// Bad source is no error. Facts.Status says how much is there, Facts.Reason why:
//
//	partial  syntax_error:LINE:COL  the text does not parse there; the rest is in
//	partial  invalid                a manifest that does not parse
//	capped   time_budget            parsing took too long: no structure
//	capped   node_budget            more nodes than Limits.Nodes: the front part is in
//	capped   depth                  nesting beyond Limits.Depth: what is deeper is out
//	capped   minified               JavaScript in very long lines: no structure
//	capped   size                   more than 2 GB: no structure
//	failed   panic                  a defect of the extractor
//
// # Manifest keys
//
// Facts.Manifest of project files has these keys, values as text, in file order:
//
//	go.mod          module, go, require "path version", replace "old[ version] => new[ version]", use (go.work)
//	package.json    name, version, main, module, types, type, exports, exports:SUBPATH,
//	                imports:SUBPATH, workspaces (each pattern), dependency, devDependency (each name)
//	tsconfig.json   extends, baseUrl, rootDir, outDir, paths:PATTERN (each target), references (each path), jsx
//	pyproject.toml  name, version, package-dir, packages, where, dependency (each), module-name
//	setup.cfg       name, package-dir, packages, where
//	setup.py        name, package-dir
package extract
