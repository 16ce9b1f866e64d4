// Package sitter is the only door to tree-sitter and to the grammars that are
// linked into the binary. It parses one file and hands back a flat, read-only
// array of its named nodes in preorder; nothing of the C library is visible to
// callers, and no C memory outlives a call.
//
// One C call parses, walks and frees. Walking in C costs a fifth of what walking
// node by node from Go does, because each crossing and each node object is saved.
//
// What it is not: it knows no language. The language packages under extract/lang
// name the node kinds and fields they care about in a Vocabulary and read the
// tree by small integers of their own.
package sitter
