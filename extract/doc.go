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
//	capped   time_budget            parsing took too long: no structure, or definitions alone
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
//	go.mod          module, go, require "PATH VERSION", replace "OLD[ VERSION] => NEW[ VERSION]"
//	go.work         go, use (each directory), replace
//	package.json    name, version, main, module, types, typings, type, source, browser,
//	                exports (of the package itself), exports:SUBPATH, imports:#NAME (each
//	                condition's target), workspaces (each pattern), dependency, devDependency,
//	                peerDependency, optionalDependency (each name)
//	tsconfig.json   extends, baseUrl, rootDir, rootDirs, outDir, jsx, allowJs,
//	                moduleResolution, paths:PATTERN (each target), references (each path)
//	pyproject.toml  name, version, module-name, package-dir (of the root), dependency,
//	                packages, where (each)
//	Cargo.toml      name, version, edition, crate (what code calls the library), lib (its
//	                path), bin (each path), build (the build script), crate:NAME and
//	                workspace-crate:NAME (each dependency: package, @version, =path),
//	                feature:NAME (what it enables, between spaces)
//	build.rs        cfg (each condition that it may set; * for any)
//	setup.cfg       name, version, package-dir, packages, where
//	setup.py        name, package-dir: where they stand there literally
//
// The module of a go.mod, the name of a package.json and the crate of a Cargo.toml are
// definitions of kind module; other named entries are definitions of kind key, two levels deep.
package extract
