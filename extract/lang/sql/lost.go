package sql

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// lost adds the definitions that the grammar lost: of the dialects it knows a part, and
// what it cannot read takes the statements around it along. It looks at the words at the
// head of each CREATE, which dialects have in common, and at the columns of tables.
func lost(r *rules.Reader) {
	if r.Facts.Status != graph.StatusPartial {
		return
	}
	c := &creator{r: r, s: scanner{src: r.Src}, known: map[uint32]int32{}}
	for i := range r.Facts.Defs {
		c.known[r.Facts.Defs[i].NameSpan.Start] = int32(i)
	}
	c.s.next()
	for c.s.kind != end {
		if c.s.word("create") {
			c.create()
		}
		for depth := 0; c.s.kind != end; c.s.next() { // to the next statement
			if c.s.is('(') {
				depth++
			} else if c.s.is(')') {
				depth--
			} else if c.s.is(';') && depth <= 0 {
				break
			}
		}
		c.s.next()
	}
}

type creator struct {
	r     *rules.Reader
	s     scanner
	known map[uint32]int32 // definitions by where their name begins
}

// create reads CREATE … KIND NAME.
func (c *creator) create() {
	start, doc := c.s.start, c.s.doc
	kind := graph.Kind("")
	for c.s.next(); c.s.kind == word && kind == ""; c.s.next() {
		kind = kindOf(c.s.lower())
	}
	for c.s.word("concurrently") || c.s.word("if") || c.s.word("not") || c.s.word("exists") {
		c.s.next()
	}
	if kind == "" || c.s.kind != word || c.s.word("on") {
		return
	}
	from := c.s.start
	var at, stop uint32
	for c.s.kind == word {
		at, stop = c.s.start, c.s.stop
		c.s.next()
		if !c.s.is('.') {
			break
		}
		c.s.next()
	}
	def, ok := c.known[at]
	if !ok {
		def = c.define(kind, from, at, stop, start, doc)
	}
	if kind == graph.KindStruct && c.s.is('(') && def != graph.NoDef {
		c.columns(def)
	}
	for ; !ok && c.s.kind != end && !c.s.is(';'); c.s.next() {
	}
	if !ok && def != graph.NoDef {
		d := &c.r.Facts.Defs[def]
		d.Span = c.r.SpanBetween(start, max(c.s.last, stop))
	}
}

func kindOf(word string) graph.Kind {
	switch word {
	case "table":
		return graph.KindStruct
	case "view", "type", "domain":
		return graph.KindType
	case "function", "procedure", "aggregate", "trigger":
		return graph.KindFunction
	case "index", "sequence":
		return graph.KindVariable
	case "schema", "database":
		return graph.KindNamespace
	}
	return ""
}

// define adds a definition whose name stands from at to stop, behind that of its schema,
// which begins at from.
func (c *creator) define(kind graph.Kind, from, at, stop, start uint32, doc string) int32 {
	name := plain(c.r.Slice(at, stop))
	if name == "" {
		return graph.NoDef
	}
	end := stop
	if i := strings.IndexByte(c.r.Slice(stop, uint32(len(c.r.Src))), '\n'); i >= 0 {
		end = stop + uint32(i)
	}
	if i := strings.IndexByte(c.r.Slice(stop, end), ';'); i >= 0 {
		end = stop + uint32(i)
	}
	return c.r.AddDef(graph.Def{
		Name: name, Local: plain(c.r.Slice(from, stop)), Kind: kind, Flags: graph.FlagExported, Doc: doc, Signature: c.r.Signature(start, end),
		Span: c.r.SpanBetween(start, stop), NameSpan: c.r.SpanBetween(at, stop),
	})
}

// columns reads ( NAME TYPE …, … ) of a table.
func (c *creator) columns(table int32) {
	depth, fresh := 1, true
	column := graph.NoDef
	for c.s.next(); c.s.kind != end && !c.s.is(';'); c.s.next() {
		switch {
		case c.s.is('('):
			depth++
		case c.s.is(')'):
			depth--
		case c.s.is(',') && depth == 1:
			c.ends(column)
			fresh, column = true, graph.NoDef
			continue
		case fresh && c.s.kind == word:
			column = c.column(table)
		}
		fresh = false
		if depth == 0 {
			c.ends(column)
			return
		}
	}
}

func (c *creator) ends(column int32) {
	if column != graph.NoDef {
		d := &c.r.Facts.Defs[column]
		d.Span = c.r.SpanBetween(d.Span.Start, c.s.last)
		d.Signature = c.r.Signature(d.Span.Start, c.s.last)
	}
}

// column defines the column whose name the scanner is at.
func (c *creator) column(table int32) int32 {
	switch c.s.lower() {
	case "constraint", "primary", "foreign", "unique", "check", "exclude", "like", "index", "key", "fulltext", "spatial", "period":
		return graph.NoDef
	}
	ahead := c.s
	ahead.next()
	if _, ok := c.known[c.s.start]; ok || ahead.kind != word {
		return graph.NoDef
	}
	name := plain(c.s.text())
	if name == "" {
		return graph.NoDef
	}
	c.r.Enter(table)
	defer c.r.Leave()
	return c.r.AddDef(graph.Def{
		Name: name, Local: c.r.Facts.Defs[table].Local + "." + name, Kind: graph.KindField, Flags: graph.FlagExported, Doc: c.s.doc,
		Type: spec.OneLine(ahead.text()), Span: c.r.SpanBetween(c.s.start, c.s.stop), NameSpan: c.r.SpanBetween(c.s.start, c.s.stop),
	})
}
