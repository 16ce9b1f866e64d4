// Package protobuf extracts the facts of Protocol Buffers files: messages with their
// fields, groups and extensions, enums, services with their methods, and the types that
// they name.
//
// It reads the language itself, in the syntaxes of all versions: the bundled grammar knows
// proto3 alone, and loses what stands around a group, an extension or a required field. Only
// extract calls it.
package protobuf

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Protocol Buffers.
func Language() spec.Language {
	return spec.Language{Name: "protobuf", Version: "protobuf/4", Extract: extract}
}

// maxDepth bounds the nesting of messages: deeper ones are skipped.
const maxDepth = 100

// reader reads one file, a statement at a time.
type reader struct {
	b     *spec.Builder
	s     scanner
	depth int

	broken bool // what is skipped is not as the language has it
}

func extract(b *spec.Builder) {
	r := &reader{b: b, s: scanner{src: b.Src}}
	r.s.next()
	for r.s.kind != end {
		r.statement(graph.KindModule)
	}
}

// fail notes that a token is not what the language has there, and goes on behind the
// statement.
func (r *reader) fail() {
	f := r.b.Facts
	if f.Status == graph.StatusOK {
		f.Status, f.Reason = graph.StatusPartial, graph.SyntaxErrorAt(r.b.Lines.Pos(r.s.start))
	}
	r.broken = true
	if !r.s.is('}') || r.depth == 0 {
		r.s.next()
	}
	r.skip()
	r.broken = false
}

// begins reports whether a definition of the outermost level begins here, as its place at
// the start of a line tells: braces may be missing before it.
func (r *reader) begins() bool {
	if r.s.kind != word || r.s.start > 0 && r.s.src[r.s.start-1] != '\n' || container(r.s.text()) == "" {
		return false
	}
	ahead := r.s.ahead()
	after := ahead.ahead()
	return ahead.kind == word && after.is('{')
}

// skip goes behind the end of a statement: its ";", or the "}" of its block, but not
// behind that of the block that it stands in.
func (r *reader) skip() {
	for depth := 0; r.s.kind != end; r.s.next() {
		switch {
		case r.broken && r.begins():
			return
		case r.s.is('{') || r.s.is('['):
			depth++
		case r.s.is('}') && depth == 0:
			return
		case r.s.is(']') && depth > 0:
			depth--
		case r.s.is('}'):
			if depth--; depth == 0 {
				r.s.next()
				if r.s.is(';') {
					r.s.next()
				}
				return
			}
		case r.s.is(';') && depth == 0:
			r.s.next()
			return
		}
	}
}

// statement reads one statement of a file or of a block of a kind.
func (r *reader) statement(in graph.Kind) {
	start, doc := r.s.start, r.s.doc
	if r.s.kind != word && !r.s.is('.') {
		ok := r.s.is(';')
		if !ok { // also a "}" that nothing opened
			r.fail()
			return
		}
		r.s.next()
		return
	}
	first := r.s.text()
	switch {
	case in == graph.KindEnum && first != "option" && first != "reserved":
		r.enumMember(start, doc)
	case (first == "syntax" || first == "edition") && in == graph.KindModule, first == "option", first == "reserved", first == "extensions":
		r.skip()
	case first == "package" && in == graph.KindModule:
		r.s.next()
		r.b.Facts.Package, _, _ = r.path()
		r.skip()
	case first == "import" && in == graph.KindModule:
		r.imports(start)
	case first == "rpc" && in == graph.KindInterface:
		r.method(start, doc)
	case first == "extend" && isType(r.s.peek()):
		r.s.next()
		r.typeName()
		r.block(graph.NoDef, graph.KindStruct)
	default:
		if kind := container(first); kind != "" && r.named(start, doc, kind) {
			return
		}
		r.field(start, doc)
	}
}

// container returns the kind of what a word may begin, or "".
func container(first string) graph.Kind {
	switch first {
	case "message":
		return graph.KindStruct
	case "enum":
		return graph.KindEnum
	case "service":
		return graph.KindInterface
	case "oneof":
		return graph.KindField
	}
	return ""
}

func isType(token string) bool { return token == "." || isWord(token) }

// named reads message NAME { … } and its like. It reports false where the word is the
// type of a field.
func (r *reader) named(start uint32, doc string, kind graph.Kind) bool {
	mark := r.s
	r.s.next()
	name, at := r.s.text(), r.s.start
	if r.s.kind != word {
		r.s = mark
		return false
	}
	nameEnd := r.s.stop
	r.s.next()
	if !r.s.is('{') {
		r.s = mark
		return false
	}
	def := r.define(kind, name, at, start, nameEnd, doc)
	r.block(def, kind)
	return true
}

// define adds a definition whose signature ends at signatureEnd, and whose end is not yet
// known.
func (r *reader) define(kind graph.Kind, name string, at, start, signatureEnd uint32, doc string) int32 {
	local := name
	if around := r.b.EnclosingDef(); around != nil {
		local = around.Local + "." + name
	}
	return r.b.AddDef(graph.Def{
		Name: name, Local: local, Kind: kind, Flags: graph.FlagExported, Doc: doc,
		Signature: strings.TrimSpace(r.b.Signature(start, signatureEnd)),
		Span:      r.b.SpanBetween(start, signatureEnd), NameSpan: r.b.SpanBetween(at, at+uint32(len(name))),
	})
}

func (r *reader) ends(def int32, at uint32) {
	if def != graph.NoDef {
		d := &r.b.Facts.Defs[def]
		d.Span = r.b.SpanBetween(d.Span.Start, at)
	}
}

// block reads { … } as the inside of a definition.
func (r *reader) block(def int32, kind graph.Kind) {
	if !r.s.is('{') || r.depth == maxDepth {
		r.fail()
		r.ends(def, r.s.last)
		return
	}
	r.depth++
	if def != graph.NoDef {
		r.b.Enter(def)
	}
	r.s.next()
	for r.s.kind != end && !r.s.is('}') {
		r.statement(kind)
	}
	if def != graph.NoDef {
		r.b.Leave()
	}
	r.depth--
	if r.s.kind == end {
		r.fail()
		r.ends(def, r.s.last)
		return
	}
	r.ends(def, r.s.stop)
	r.s.next()
}

// imports reads import [public|weak] "FILE";
func (r *reader) imports(start uint32) {
	for r.s.next(); r.s.kind == word; r.s.next() { // public, weak
	}
	if r.s.kind != text {
		r.fail()
		return
	}
	module := strings.Trim(r.s.text(), `"'`)
	r.s.next()
	stop := r.s.last
	if r.s.is(';') {
		stop = r.s.stop
	}
	r.b.AddImport(graph.Import{Module: rules.Beside(module), Span: r.b.SpanBetween(start, stop)})
	r.skip()
}

func (r *reader) enumMember(start uint32, doc string) {
	name := r.s.text()
	r.s.next()
	if !r.s.is('=') {
		r.fail()
		return
	}
	def := r.define(graph.KindEnumMember, name, start, start, start+uint32(len(name)), doc)
	r.skip()
	r.ends(def, r.s.last)
	d := &r.b.Facts.Defs[def]
	d.Signature = strings.TrimSuffix(r.b.Signature(start, r.s.last), ";")
}

// method reads rpc NAME (stream TYPE) returns (TYPE) and what is in its block.
func (r *reader) method(start uint32, doc string) {
	r.s.next()
	if r.s.kind != word {
		r.fail()
		return
	}
	def := r.define(graph.KindMethod, r.s.text(), r.s.start, start, r.s.stop, doc)
	r.b.Enter(def)
	for r.s.next(); r.s.kind != end && !r.s.is(';') && !r.s.is('{') && !r.s.is('}'); {
		if !r.s.is('(') {
			r.s.next()
			continue
		}
		r.s.next()
		if ahead := r.s.ahead(); r.s.text() == "stream" && ahead.start > r.s.stop && !ahead.is(')') {
			r.s.next()
		}
		r.typeName()
	}
	r.b.Leave()
	r.b.Facts.Defs[def].Signature = strings.TrimSpace(r.b.Signature(start, r.s.last))
	r.skip()
	r.ends(def, r.s.last)
}

// field reads [optional] TYPE NAME = NUMBER [OPTIONS]; with maps and groups.
func (r *reader) field(start uint32, doc string) {
	if w := r.s.text(); (w == "optional" || w == "required" || w == "repeated") && isType(r.s.peek()) {
		r.s.next()
	}
	mark := len(r.b.Facts.Refs)
	var typeText string
	group := r.s.text() == "group" && isWord(r.s.peek())
	switch {
	case group:
		r.s.next()
	case r.s.text() == "map" && r.s.peek() == "<":
		r.s.next()
		r.s.next()
		r.path()
		r.s.next() // the comma
		typeText = r.typeName()
		if !r.s.is('>') {
			r.fail()
			return
		}
		r.s.next()
	default:
		typeText = r.typeName()
	}
	name, at := r.s.text(), r.s.start
	if r.s.kind != word || r.s.peek() != "=" {
		r.b.Facts.Refs = r.b.Facts.Refs[:mark]
		r.fail()
		return
	}
	stop := r.s.stop
	if group {
		def := r.define(graph.KindStruct, name, at, start, stop, doc)
		for r.s.next(); r.s.kind != end && !r.s.is('{') && !r.s.is(';') && !r.s.is('}'); r.s.next() {
		}
		r.block(def, graph.KindStruct)
		return
	}
	def := r.define(graph.KindField, name, at, start, stop, doc)
	r.b.Facts.Defs[def].Type = typeText
	for i := mark; i < len(r.b.Facts.Refs); i++ {
		r.b.Facts.Refs[i].Enclosing = def
	}
	r.skip()
	r.ends(def, r.s.last)
}

// path reads NAME.NAME and returns its text and place.
func (r *reader) path() (name string, start, stop uint32) {
	start = r.s.start
	for r.s.kind == word || r.s.is('.') {
		w := r.s.kind == word
		stop = r.s.stop
		r.s.next()
		if w && !r.s.is('.') {
			break
		}
	}
	if stop < start {
		return "", start, start
	}
	return r.b.Qualifier(start, stop), start, stop
}

// typeName reads the name of a type, and refers to it unless it is built in.
func (r *reader) typeName() string {
	name, start, stop := r.path()
	i := strings.LastIndexByte(name, '.')
	from := stop // name is cut where it is long, and its last word is not to be
	for from > start && isWordByte(r.b.Src[from-1]) {
		from--
	}
	last := r.b.Slice(from, stop)
	if last == "" || i < 0 && builtin(last) {
		return name
	}
	qualifier := ""
	if i > 0 {
		qualifier = name[:i]
	}
	r.b.AddRef(graph.Ref{Name: last, Qualifier: qualifier, Use: graph.UseType, Span: r.b.SpanBetween(from, stop)})
	return name
}

func builtin(name string) bool {
	switch name {
	case "double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64", "bool", "string", "bytes":
		return true
	}
	return false
}
