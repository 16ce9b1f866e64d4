// Package store keeps the facts of a workspace on disk and answers questions about
// one generation of them. The engine's indexer writes through a Batch; resolvers
// and the planner read through a Snapshot, which is a graph.View.
//
// It does not extract, bind names or watch files, and it knows nothing of text
// search. It holds no truth of its own: a damaged or foreign directory is reported
// (ErrCorrupt, ErrFormat) and may be deleted and built again.
//
// # Layout
//
// A changed file gets a new graph.FileID, and its facts are written once, under
// that id. On top of those blobs stands a base: a table of files and two lists of
// postings (which files define a name, which refer to it), written once and never
// changed. On top of the base stands an overlay: one small record for each file
// that is new, changed or gone since.
//
//	save      one transaction: the blob, its overlay record, the commit record
//	read      postings of the base without its dead ids, and the name tables of
//	          the overlay's files, which are held in memory
//	compact   base and overlay become a new base beside the old one; then one
//	          transaction moves the commit record over
//	full      the same with nothing taken from the old base
//
// So a save costs what the saved file costs, however large the tree or however
// common its names. Whatever is written before its commit record is invisible: a
// crash loses at most the batch under way, and leaves bytes that Compact removes.
package store
