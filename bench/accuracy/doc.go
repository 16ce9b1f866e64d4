// Package accuracy scores what an index says of a tree against what a compiler says of
// it: definitions, calls at the place of each, imports and inheritance, and the answers to
// questions about the graph.
//
// Truth and export are files of records, one JSON object a line, in the same form. The
// package reads them and counts; it asks no engine itself but through Ask. Only bench and
// cmd/ralph-bench use it.
package accuracy
