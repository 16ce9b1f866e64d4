// Package model tests an engine against a model of itself: a random script changes a
// small tree with sources of several languages, and after each barrier (a question
// that requires a fresh answer) the engine that followed the changes must say what an
// engine says that has just indexed the same tree. Searches are also held against a
// plain scan of the files that git does not ignore.
//
// A script is a list of steps that names everything it does: it can be written down,
// run again, and made smaller while it still fails. Steps that do not apply (their
// file is gone) do nothing, so any part of a script is a script.
//
// The package does not know how an engine is opened: its callers, a test of package
// engine and cmd/ralph-bench, say that.
package model
