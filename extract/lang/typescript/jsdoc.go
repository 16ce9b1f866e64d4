package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// docTypes are the types that a JSDoc comment gives: JavaScript has no others.
type docTypes struct {
	params       map[string]string
	returns, typ string
}

// docTypesAt reads the JSDoc comment that ends right before start.
func (w *walker) docTypesAt(start uint32) docTypes {
	if !w.d.javascript || w.jsdoc == sitter.None || w.t.End(w.jsdoc) > start {
		return docTypes{}
	}
	if strings.TrimSpace(w.b.Slice(w.t.End(w.jsdoc), start)) != "" {
		return docTypes{}
	}
	return readDocTypes(w.text(w.jsdoc))
}

func readDocTypes(comment string) (d docTypes) {
	for off := 0; ; {
		i := strings.IndexByte(comment[off:], '@')
		if i < 0 {
			return d
		}
		off += i + 1
		tag := comment[off:]
		n := 0
		for n < len(tag) && tag[n]|0x20 >= 'a' && tag[n]|0x20 <= 'z' {
			n++
		}
		typ, rest := bracedType(tag[n:])
		if typ == "" {
			continue
		}
		switch tag[:n] {
		case "param", "arg", "argument":
			if name := firstName(rest); name != "" {
				if d.params == nil {
					d.params = map[string]string{}
				}
				d.params[name] = typ
			}
		case "returns", "return":
			d.returns = typ
		case "type":
			d.typ = typ
		}
	}
}

// bracedType reads " {T}" and returns T in TypeScript's spelling, "" where it says
// nothing, and the text behind it.
func bracedType(s string) (typ, rest string) {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, "{") {
		return "", s
	}
	depth, end := 0, -1
	for i := 0; i < len(s) && i < 2*maxType; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			end = i
			break
		}
	}
	if end < 0 {
		return "", s
	}
	return docType(s[1:end]), s[end+1:]
}

// docType turns the older JSDoc spellings into TypeScript's.
func docType(s string) string {
	s = spec.OneLine(strings.ReplaceAll(s, "\n *", "\n"))
	s = strings.TrimPrefix(strings.TrimLeft(s, "!?"), "...")
	s = strings.TrimSuffix(s, "=")
	s = strings.ReplaceAll(s, ".<", "<")
	switch {
	case s == "*", s == "any", s == "Object", s == "object", s == "Function", strings.HasPrefix(s, "function"), len(s) > maxType:
		return ""
	}
	return s
}

// firstName reads the parameter name behind a type: x, [x], [x=1].
func firstName(s string) string {
	s = strings.TrimLeft(s, " \t[")
	n := 0
	for n < len(s) && (isName(s[n:n+1]) || n > 0 && s[n]-'0' < 10) {
		n++
	}
	if n < len(s) && s[n] == '.' { // a property of a parameter
		return ""
	}
	return s[:n]
}

// typedefs reads @typedef {T} Name: an import of a type, or an alias.
func (w *walker) typedefs(n sitter.Node) {
	s := w.text(n)
	for off := 0; ; {
		i := strings.Index(s[off:], "@typedef ")
		if i < 0 {
			return
		}
		off += i + len("@typedef ")
		typ, rest := bracedType(s[off:])
		name := firstName(rest)
		if typ == "" {
			typ = docProperties(rest)
		}
		if typ == "" || name == "" {
			continue
		}
		at := w.t.Start(n) + uint32(len(s)-len(rest)+strings.Index(rest, name))
		span := w.b.SpanBetween(at, at+uint32(len(name)))
		if im, ok := importedType(typ); ok {
			im.Alias, im.Span, im.Flags = name, span, graph.ImportType|graph.ImportDynamic
			if im.Name != "" {
				im.Flags |= graph.ImportReexport // other files may take it from here
			}
			w.b.AddImport(im)
			continue
		}
		d := graph.Def{
			Name: name, Local: w.localName(name), Kind: graph.KindType, Span: span, NameSpan: span, Type: typ,
			Signature: "@typedef " + name,
		}
		if w.b.EnclosingDef() == nil {
			d.Flags = graph.FlagExported // of every module
		}
		w.b.AddDef(d)
	}
}

// docImports reads @import X, { A, B as C } from "m".
func (w *walker) docImports(n sitter.Node) {
	s := w.text(n)
	for off := 0; ; {
		i := strings.Index(s[off:], "@import ")
		if i < 0 {
			return
		}
		off += i + len("@import ")
		clause, rest, ok := strings.Cut(s[off:], " from ")
		if !ok || len(clause) > 2000 || rest == "" {
			return
		}
		quote := rest[0]
		end := strings.IndexByte(rest[1:], quote)
		if quote != '"' && quote != '\'' || end < 0 {
			continue
		}
		at := w.t.Start(n) + uint32(off)
		w.docImport(clause, rest[1:1+end], w.b.SpanBetween(at, at+uint32(len(clause))))
	}
}

func (w *walker) docImport(clause, module string, span graph.Span) {
	add := func(name, alias string) {
		if isName(alias) {
			w.b.AddImport(graph.Import{Module: module, Name: name, Alias: alias, Span: span, Flags: graph.ImportType})
		}
	}
	list := ""
	if open := strings.IndexByte(clause, '{'); open >= 0 {
		clause, list = clause[:open], strings.Trim(clause[open:], "{} \t\r\n*")
	}
	for _, part := range strings.Split(clause, ",") {
		part = strings.TrimSpace(part)
		if ns, ok := strings.CutPrefix(part, "* as "); ok {
			add("", strings.TrimSpace(ns))
		} else {
			add("default", part)
		}
	}
	for _, part := range strings.Split(list, ",") {
		name, alias, renamed := strings.Cut(strings.Trim(part, " \t\r\n*"), " as ")
		if !renamed {
			alias = name
		}
		add(name, alias)
	}
}

// maxObject bounds the object types that are put together from properties.
const maxObject = 4000

// docProperties puts an object type together from the @property tags behind a
// typedef.
func docProperties(s string) string {
	if end := strings.Index(s, "@typedef"); end >= 0 {
		s = s[:end]
	}
	var b strings.Builder
	for {
		_, rest, ok := strings.Cut(s, "@prop")
		if !ok || b.Len() > maxObject {
			break
		}
		s = strings.TrimPrefix(rest, "erty")
		typ, rest := bracedType(s)
		if name := firstName(rest); typ != "" && name != "" {
			b.WriteString(name + ": " + typ + "; ")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "{ " + b.String() + "}"
}

// importedType reads import("m") and import("m").Name.
func importedType(typ string) (im graph.Import, ok bool) {
	rest, ok := strings.CutPrefix(typ, "import(")
	if !ok {
		return im, false
	}
	module, rest, ok := strings.Cut(rest, ")")
	if !ok {
		return im, false
	}
	im.Module = strings.Trim(module, "\"'")
	if rest == "" {
		return im, true
	}
	name, ok := strings.CutPrefix(rest, ".")
	im.Name = name
	return im, ok && isName(name)
}

// docCast returns the type of /** @type {T} */ (value).
func (w *walker) docCast(n sitter.Node) string {
	if !w.d.javascript || n == 0 || w.kind(n-1) != kComment {
		return ""
	}
	if strings.TrimSpace(w.b.Slice(w.t.End(n-1), w.t.Start(n))) != "" {
		return ""
	}
	return readDocTypes(w.text(n - 1)).typ
}
