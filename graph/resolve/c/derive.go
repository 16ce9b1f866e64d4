package c

import "github.com/ralph-index/ralph-index/graph"

// What most bindings need again and again is derived once, where the view keeps it.
const (
	ruleInclude = "c/include" // In: directory, Name: path, Flag: of the system
	ruleClosure = "c/closure" // File
)

// derived returns what is kept under the key, or else what derive returns.
func derived[T any](v graph.View, key graph.Derivation, derive func() T) T {
	d, ok := v.(graph.Deriver)
	if !ok {
		return derive()
	}
	if val, ok := d.Derived(&key); ok {
		return val.(T)
	}
	return d.Derive(&key, func() any { return derive() }).(T)
}
