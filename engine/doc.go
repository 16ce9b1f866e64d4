// Package engine is the façade of the index: open a workspace, then ask.
//
//	workspace -> tree -> indexer -> store + lexical -> view -> answers
//
// It is the only package that knows all the layers below it, and it translates
// between them: siblings never import each other. It is not a protocol (see
// mcpserver) and prints nothing.
//
// Open decides whether this process leads the workspace (owns the stores) or
// follows the process that does; callers cannot tell the difference.
package engine
