// Package sitter is the only door to tree-sitter and to the grammars that are
// linked into the binary. It parses one file and hands back a flat, read-only
// array of its named nodes in preorder; nothing of the C library is visible to
// callers, and no C memory outlives a call.
//
// One C call parses, one copies the nodes out of the tree, and one frees it. The copying
// walk reads the tree where it lies: the library's cursor, driven from C, takes twice the
// time, and walking node by node from Go ten times that, for each crossing and each node
// object costs.
//
// What it is not: it knows no language. The language packages under extract/lang
// name the node kinds and fields they care about in a Vocabulary and read the
// tree by small integers of their own.
package sitter
