// Package explore holds the tools that ask and steer the index: ralph_graph,
// ralph_index_status and ralph_reindex. A tool takes typed arguments, calls the
// service once, and shapes the answer.
package explore

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// relative reads an argument that names a path inside the workspace.
func relative(argument, value string) (graph.Path, error) {
	p, ok := graph.Path("").Join(value)
	if !ok || strings.HasPrefix(value, "/") || strings.ContainsRune(value, 0) {
		return "", tool.Invalid(argument,
			"%s must be relative to the workspace and stay inside it, unlike %.200q; for example \"pkg/sub\"", argument, value)
	}
	return p, nil
}

// words turns a closed vocabulary into the values of an argument.
func words[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// orEmpty keeps null out of answers: a list is always a list.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
