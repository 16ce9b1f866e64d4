// Package protobuf extracts the facts of Protocol Buffers files: messages with their
// fields, enums, services with their methods, and the types that they name.
//
// Only extract calls it.
package protobuf

import (
	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for Protocol Buffers.
func Language() spec.Language { return rules.Language(table()) }

func table() rules.Table {
	field := rules.Rule{Define: graph.KindField, Name: "<identifier>", Type: "<type>", Body: "<field_number>"}
	return rules.Table{
		Name: "protobuf", Version: "protobuf/2", Grammar: sitter.Protobuf(),
		Comments: []string{"comment"}, Mark: "//",
		Rules: map[string]rules.Rule{
			"package": {Visit: packageClause},
			"import":  {Import: &rules.Import{Module: "path", Files: true}},
			"message": {Define: graph.KindStruct, Name: "<message_name>", Body: "<message_body>"},
			"enum":    {Define: graph.KindEnum, Name: "<enum_name>", Body: "<enum_body>"},
			"service": {Define: graph.KindInterface, Name: "<service_name>"},
			"rpc":     {Define: graph.KindMethod, Name: "<rpc_name>"},
			"field":   field, "map_field": field, "oneof_field": field,
			"oneof":      {Define: graph.KindField, Name: "<identifier>"},
			"enum_field": {Define: graph.KindEnumMember, Name: "<identifier>"},
			"option":     {Opaque: true}, "field_options": {Opaque: true}, "syntax": {Opaque: true},
		},
		Names:    map[string]graph.Use{"message_or_enum_type": graph.UseType},
		Compound: map[string]string{"message_or_enum_type": "."},
		Paths:    []rules.Path{"<full_ident>"},
	}
}

func packageClause(r *rules.Reader, n sitter.Node) bool {
	if name := r.Find(n, "<full_ident>"); name != sitter.None {
		r.Facts.Package = r.Text(name)
	}
	return true
}
