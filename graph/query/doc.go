// Package query plans and answers the five graph questions over one View. The
// engine calls it; it is not a resolver (graph/resolve binds names, one language
// each), reads no disk, holds no goroutine and never waits.
//
// It binds references late. The edges that leave a definition are made from its
// own text; those that reach one are made from the files that refer to one of its
// names: all references of that name at once, or, where a resolver knows that few of
// the files see the definition, those of these files. Both are remembered with what
// they depend on, which is look-ups and what resolvers derived from look-ups, so that
// a new generation forgets only what a changed file was looked up for.
//
// An edge starts at the innermost function around its text, or definition with a name
// outside functions: what a closure without a name does is done by the function that
// holds it. Code at the top level of a file belongs to the file. Beside what a
// resolver binds there are derived edges: a call in a test is also a tests edge; a
// call of a class reaches its constructor, and the other way round; a call through
// an interface or a base is, when asked backwards, a possible call of the methods
// behind it, which answers keep apart (tests follows them); an import of a symbol
// is also one of the module that it is taken from.
//
// limit counts nodes (paths: max_paths; tests: suggestions; candidates of an
// ambiguous name), never edges: listed are the edges among listed nodes and the
// target, with a few places for each pair. A distance is searched whole before it
// is cut, so the cut does not depend on the order of the search; truncated says
// that more exists, or may exist, than is listed.
//
// The context is looked at on a stride inside every loop. When it ends, the answer
// is what was found so far and says so; nothing that was cut short is remembered.
package query
