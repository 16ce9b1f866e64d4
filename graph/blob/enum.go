package blob

import "github.com/ralph-index/ralph-index/graph"

// The tables below give the closed sets their numbers. They are part of the
// format: append, never reorder. A value that is not listed is written as a string.
//
//nolint:gochecknoglobals // immutable, looked into for every fact
var (
	kinds = []graph.Kind{
		graph.KindModule, graph.KindNamespace, graph.KindFunction, graph.KindMethod, graph.KindClass,
		graph.KindStruct, graph.KindInterface, graph.KindType, graph.KindEnum, graph.KindEnumMember,
		graph.KindConstant, graph.KindVariable, graph.KindField, graph.KindProperty,
		graph.KindH1, graph.KindH2, graph.KindH3, graph.KindH4, graph.KindH5, graph.KindH6, graph.KindKey, graph.KindMacro,
	}
	statuses = []graph.Status{"", graph.StatusOK, graph.StatusPartial, graph.StatusCapped, graph.StatusFailed}
	roles    = []graph.Role{
		"", graph.RoleSource, graph.RoleTest, graph.RoleDocs, graph.RoleConfig, graph.RoleGenerated,
	}
	heritageRels = []graph.HeritageRel{graph.RelExtends, graph.RelImplements, graph.RelEmbeds}
	mentionForms = []graph.MentionForm{graph.MentionLink, graph.MentionCode, graph.MentionComment}
)

// number returns the number of v in table plus one, or 0 when v is not listed.
func number[T ~string](table []T, v T) uint64 {
	for i, t := range table {
		if t == v {
			return uint64(i) + 1
		}
	}
	return 0
}

// listed reports whether v needs no entry in the string table.
func listed[T ~string](table []T, v T) bool { return number(table, v) != 0 }
