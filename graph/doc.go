// Package graph holds the words that every other package shares: paths, spans,
// definitions, references, facts, symbols, edges and the view of one generation.
//
// It depends on the standard library alone and does no I/O. What it is not: it
// does not store (graph/store), extract (extract), bind names to definitions
// (graph/resolve) or answer questions (graph/query). A change here touches every
// package, so a type moves in only when two siblings need it.
//
// The central idea is late binding. One file yields one Facts value, made from
// the bytes of that file alone. Nothing in it names another file: references
// carry the text that stood in the source and hints about their receiver. Edges
// between files are bound when a question is asked, through a View, so that
// saving a file never touches another file's facts.
package graph
