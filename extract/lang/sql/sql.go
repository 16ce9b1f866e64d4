// Package sql extracts the facts of SQL scripts: tables with their columns, views,
// indexes, functions, triggers, types and sequences, and the names that statements use.
//
// What the grammar does not read, such as procedural bodies, leaves gaps that the
// file's status speaks of. Only extract calls it.
package sql

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for SQL.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	creates := func(kind graph.Kind) rules.Rule { return rules.Rule{Visit: create(kind)} }
	return rules.Table{
		Name: "sql", Version: "sql/4", Grammar: sitter.SQL(),
		Comments: []string{"comment", "marginalia"}, Mark: "--",
		Rules: map[string]rules.Rule{
			"create_table":             creates(graph.KindStruct),
			"create_view":              creates(graph.KindType),
			"create_materialized_view": creates(graph.KindType),
			"create_function":          creates(graph.KindFunction),
			"create_trigger":           creates(graph.KindFunction),
			"create_index":             creates(graph.KindVariable),
			"create_sequence":          creates(graph.KindVariable),
			"create_type":              creates(graph.KindType),
			"create_schema":            creates(graph.KindNamespace),
			"create_database":          creates(graph.KindNamespace),
			"column_definition":        {Visit: column},
			"statement":                {Visit: statement},
			"object_reference":         {Visit: object},
			"invocation":               {Visit: invocation},
			"field":                    {Visit: columnUse},
			"column":                   {Visit: columnUse},
			"function_argument":        {Bind: "<identifier>"},
		},
		Finish: lost,
		Kinds:  []string{"identifier", "object_reference", "create_function", "create_table", "column_definitions", "alter_table", "add_column", "relation", "cte"},
		Paths:  []rules.Path{"<object_reference>", "<identifier>", "column", "name", "schema", "alias", "type", "<object_reference>/name", "<function_body>", "<create_query>", "name|column|<identifier>"},
	}
}

// create reads a statement that defines something of a kind.
func create(kind graph.Kind) func(*rules.Reader, sitter.Node) bool {
	return func(r *rules.Reader, n sitter.Node) bool {
		whole := r.Find(n, "column") // of an index
		if whole == sitter.None {
			whole = r.Find(n, "<object_reference>")
		}
		if whole == sitter.None {
			whole = r.Find(n, "<identifier>")
		}
		if whole == sitter.None {
			return false
		}
		name := whole
		if r.Is(whole, "object_reference") {
			name = r.Find(whole, "name")
		}
		if name == sitter.None || plain(r.Text(name)) == "" {
			return false
		}
		d := graph.Def{
			Name: plain(r.Text(name)), Local: plain(r.Text(whole)), Kind: kind, Span: r.Span(n), NameSpan: r.Span(name),
			Signature: r.Signature(r.Start(n), signatureEnd(r, n)), Doc: r.DocAbove(r.Start(n)),
		}
		r.Within(r.Define(n, d), kind == graph.KindFunction, func() { r.ChildrenBut(n, whole) })
		return true
	}
}

// signatureEnd returns where the body of a definition begins.
func signatureEnd(r *rules.Reader, n sitter.Node) uint32 {
	start, end := r.Start(n), r.Tree.End(n)
	for _, body := range [...]sitter.Node{r.Find(n, "<function_body>"), r.Find(n, "<create_query>")} {
		if body != sitter.None {
			end = min(end, r.Tree.Start(body))
		}
	}
	if i := strings.IndexByte(r.Slice(start, end), '\n'); i >= 0 {
		end = start + uint32(i)
	}
	return end
}

// plain drops the quotes of a name.
func plain(s string) string {
	return strings.NewReplacer("\"", "", "`", "", "[", "", "]", "").Replace(s)
}

// column reads a column of a table, also of one that is altered.
func column(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name == sitter.None || plain(r.Text(name)) == "" {
		return false
	}
	d := graph.Def{Name: plain(r.Text(name)), Kind: graph.KindField, Span: r.Span(n), NameSpan: r.Span(name), Doc: r.DocAbove(r.Start(n))}
	if typ := r.Find(n, "type"); typ != sitter.None {
		d.Type = spec.OneLine(r.Text(typ))
	}
	d.Signature = r.Signature(r.Start(n), r.Tree.End(n))
	if table := altered(r, n); table != sitter.None {
		d.Owner = plain(r.Text(table))
		d.Local = d.Owner + "." + d.Name
	}
	r.Within(r.Define(n, d), false, func() { r.ChildrenBut(n, name) })
	return true
}

// altered returns the name of the table that ALTER TABLE adds a column to.
func altered(r *rules.Reader, n sitter.Node) sitter.Node {
	if add := r.Tree.Parent(n); r.Is(add, "add_column") {
		if alter := r.Tree.Parent(add); r.Is(alter, "alter_table") {
			return r.Find(alter, "<object_reference>/name")
		}
	}
	return sitter.None
}

// scope marks that the reader is inside a statement.
type scope struct{}

// statement binds the names that only the statement knows, those of queries of WITH
// clauses and aliases of tables: they are used before they are given.
func statement(r *rules.Reader, n sitter.Node) bool {
	if r.Data != nil {
		return false // in a larger one, which has bound all
	}
	r.Data = scope{}
	r.Scopes.Open()
	for c := n + 1; c < r.Tree.After(n); c++ {
		name := sitter.None
		switch {
		case r.Is(c, "cte"):
			name = r.Find(c, "<identifier>")
		case r.Is(c, "relation"):
			name = r.Find(c, "alias")
		}
		if name != sitter.None {
			r.Bind(name)
		}
	}
	r.Children(n)
	r.Scopes.Close()
	r.Data = nil
	return true
}

// object reads the name of a table, a type or another thing of the schema.
func object(r *rules.Reader, n sitter.Node) bool {
	name := r.Find(n, "name")
	if name == sitter.None {
		return false
	}
	use(r, n, name, graph.UseType, -1)
	return true
}

func use(r *rules.Reader, whole, name sitter.Node, use graph.Use, args int) {
	text := plain(r.Text(name))
	if len(text) != len(r.Text(name)) { // quoted: the name stands inside of the quotes
		at := r.Start(name) + 1
		if end := at + uint32(len(text)); strings.HasPrefix(r.Text(name)[1:], text) && !strings.Contains(text, "\n") { // else a quote is open
			r.AddRef(graph.Ref{Name: text, Use: use, Span: r.SpanBetween(at, end), Args: int16(args)})
		}
		return
	}
	if schema := r.Find(whole, "schema"); schema != sitter.None {
		r.Member(name, schema, use, args)
		return
	}
	if r.Scopes.Lookup(text) == nil {
		r.AddRef(graph.Ref{Name: text, Use: use, Span: r.Span(name), Args: int16(args)})
	}
}

// columnUse reads a column that a statement names, alone or behind its table or the
// table's alias.
func columnUse(r *rules.Reader, n sitter.Node) bool {
	name, table := r.Find(n, "name|column|<identifier>"), r.Find(n, "<object_reference>")
	if name == sitter.None {
		return false
	}
	text := plain(r.Text(name))
	switch {
	case text != r.Text(name) || text == "":
	case table != sitter.None:
		r.Visit(table)
		r.Member(name, table, graph.UseRead, -1)
	case r.Scopes.Lookup(text) == nil:
		r.AddRef(graph.Ref{Name: text, Use: graph.UseRead, Span: r.Span(name)})
	}
	return true
}

// invocation reads the call of a function.
func invocation(r *rules.Reader, n sitter.Node) bool {
	callee := r.Find(n, "<object_reference>")
	if callee == sitter.None {
		return false
	}
	if name := r.Find(callee, "name"); name != sitter.None {
		use(r, callee, name, graph.UseCall, r.CountChildren(n)-1)
	}
	r.ChildrenBut(n, callee)
	return true
}
