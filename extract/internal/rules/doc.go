// Package rules reads syntax trees by tables: for languages whose definitions,
// references, imports and calls can be told by the kinds of their nodes.
//
// A language supplies a Table, and functions for the nodes that no table can speak of.
// Languages whose names are bound by rules of their own read their trees themselves,
// and do not need this package. Only packages under extract/lang use it.
package rules
