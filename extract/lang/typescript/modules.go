package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// source returns the module that an import or export statement names.
func (w *walker) source(n sitter.Node) (string, bool) {
	return w.stringValue(w.t.Child(n, fSource))
}

// importStatement reads import …, in all forms.
func (w *walker) importStatement(n sitter.Node) {
	var flags graph.ImportFlags
	if s := strings.TrimLeft(strings.TrimPrefix(w.text(n), "import"), " \t\n"); strings.HasPrefix(s, "type ") || strings.HasPrefix(s, "type{") {
		if rest := strings.TrimSpace(s[4:]); !strings.HasPrefix(rest, "from ") && !strings.HasPrefix(rest, ",") {
			flags |= graph.ImportType
		}
	}
	if req := w.child(n, kImportRequire); req != sitter.None {
		if module, ok := w.source(req); ok {
			if name := w.child(req, kIdentifier); name != sitter.None {
				w.b.AddImport(graph.Import{Module: module, Alias: w.text(name), Span: w.b.Span(req), Flags: flags | graph.ImportDynamic})
			}
		}
		return
	}
	module, ok := w.source(n)
	if !ok {
		return
	}
	clause := w.child(n, kImportClause)
	if clause == sitter.None {
		w.b.AddImport(graph.Import{Module: module, Span: w.b.Span(n), Flags: flags})
		return
	}
	for c := range w.t.Children(clause) {
		switch w.kind(c) {
		case kIdentifier:
			w.b.AddImport(graph.Import{Module: module, Name: "default", Alias: w.text(c), Span: w.b.Span(c), Flags: flags})
		case kNamespaceImport:
			if name := w.t.First(c); name != sitter.None {
				w.b.AddImport(graph.Import{Module: module, Alias: w.text(name), Span: w.b.Span(c), Flags: flags})
			}
		case kNamedImports:
			for s := range w.t.Children(c) {
				if w.kind(s) == kImportSpecifier {
					w.specifier(s, module, flags)
				}
			}
		default:
		}
	}
}

// specifier reads a, a as b, type a, "a" as b in an import or export list.
func (w *walker) specifier(n sitter.Node, module string, flags graph.ImportFlags) {
	name, alias := w.t.Child(n, fName), w.t.Child(n, fAlias)
	if name == sitter.None {
		return
	}
	im := graph.Import{Module: module, Name: strings.Trim(w.text(name), `"'`), Span: w.b.Span(n), Flags: flags}
	im.Alias = im.Name
	if alias != sitter.None {
		im.Alias = strings.Trim(w.text(alias), `"'`)
	}
	if strings.HasPrefix(w.text(n), "type ") && w.t.Start(name) > w.t.Start(n) {
		im.Flags |= graph.ImportType
	}
	w.b.AddImport(im)
	if im.Flags&graph.ImportExport != 0 {
		w.b.AddRef(graph.Ref{Name: im.Name, Use: graph.UseExport, Span: w.b.Span(name)})
	}
}

// exportStatement reads export …, in all forms.
func (w *walker) exportStatement(n sitter.Node) {
	if module, ok := w.source(n); ok {
		w.reexport(n, module)
		return
	}
	if clause := w.child(n, kExportClause); clause != sitter.None {
		for s := range w.t.Children(clause) {
			if w.kind(s) == kExportSpecifier {
				w.specifier(s, "", graph.ImportExport)
			}
		}
		return
	}
	for c := range w.t.Children(n) {
		if w.kind(c) == kDecorator {
			w.visit(c)
		}
	}
	flags := graph.FlagExported
	isDefault := w.isDefault(n)
	if isDefault {
		flags |= graph.FlagDefault
	}
	if d := w.t.Child(n, fDeclaration); d != sitter.None {
		w.pendingStart, w.pendingFlags = w.t.Start(n), flags
		w.visit(d)
		w.pendingStart, w.pendingFlags = noStart, 0
		return
	}
	value := w.t.Child(n, fValue)
	if value == sitter.None {
		for c := range w.t.Children(n) { // export = x, export as namespace X
			if w.kind(c) == kIdentifier && strings.Contains(w.b.Slice(w.t.Start(n), w.t.Start(c)), "=") {
				value = c
				flags |= graph.FlagWhole
			}
		}
	}
	if value == sitter.None {
		w.children(n)
		return
	}
	w.defaultValue(n, value, w.t.Start(n), flags|graph.FlagDefault)
}

func (w *walker) isDefault(n sitter.Node) bool {
	s := strings.TrimLeft(strings.TrimPrefix(w.text(n), "export"), " \t\r\n")
	if strings.HasPrefix(s, "default") {
		return true
	}
	// decorators may stand before export
	d := w.t.Child(n, fDeclaration)
	return d != sitter.None && strings.HasSuffix(strings.TrimSpace(w.b.Slice(w.t.Start(n), w.t.Start(d))), "export default")
}

func (w *walker) reexport(n sitter.Node, module string) {
	flags := graph.ImportReexport
	if strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(w.text(n), "export"), " \t\n"), "type") {
		flags |= graph.ImportType
	}
	if clause := w.child(n, kExportClause); clause != sitter.None {
		for s := range w.t.Children(clause) {
			if w.kind(s) == kExportSpecifier {
				w.specifier(s, module, flags)
			}
		}
		return
	}
	if ns := w.child(n, kNamespaceExport); ns != sitter.None {
		if name := w.t.First(ns); name != sitter.None {
			w.b.AddImport(graph.Import{Module: module, Alias: strings.Trim(w.text(name), `"'`), Span: w.b.Span(ns), Flags: flags})
		}
		return
	}
	w.b.AddImport(graph.Import{Module: module, Name: "*", Span: w.b.Span(n), Flags: flags})
}

// defaultValue reads the value that a module exports as its default or as a whole.
func (w *walker) defaultValue(stmt, value sitter.Node, start uint32, flags graph.DefFlags) {
	if w.kind(value) == kIdentifier {
		name := w.text(value)
		im := graph.Import{Name: name, Alias: "default", Span: w.b.Span(value), Flags: graph.ImportExport}
		if flags&graph.FlagWhole != 0 {
			im.Flags |= graph.ImportDynamic
		}
		w.b.AddImport(im)
		w.b.AddRef(graph.Ref{Name: name, Use: graph.UseExport, Span: w.b.Span(value)})
		return
	}
	at := w.defaultSpan(stmt, value)
	d := graph.Def{
		Name: "default", Kind: graph.KindConstant, Span: w.b.SpanBetween(start, w.t.End(stmt)), NameSpan: at, Flags: flags,
	}
	if w.isFunctionValue(value) {
		if name := w.nameOf(value); name != sitter.None {
			d.Name, d.NameSpan = w.text(name), w.b.Span(name)
		}
		d.Signature = w.signature(w.t.Start(value), value, w.t.Child(value, fBody))
		if w.kind(value) == kClass {
			d.Kind = graph.KindClass
			w.classBody(value, w.add(d, start))
			return
		}
		d.Kind, d.Type = graph.KindFunction, w.returnAnnotation(value)
		w.enterFunction(value, w.add(d, start), "")
		return
	}
	d.Type = w.valueType(value)
	w.variableValue(w.add(d, start), value)
}

// defaultSpan is the span of the word default, or of what is assigned to.
func (w *walker) defaultSpan(stmt, value sitter.Node) graph.Span {
	from, to := w.t.Start(stmt), w.t.Start(value)
	if i := strings.Index(w.b.Slice(from, to), "default"); i >= 0 {
		at := from + uint32(i)
		return w.b.SpanBetween(at, at+uint32(len("default")))
	}
	end := from + uint32(len(strings.TrimRight(w.b.Slice(from, to), " =\t\r\n")))
	return w.b.SpanBetween(from, max(from, end))
}
