// Package blob holds the byte form of graph.Facts: what a worker process sends back
// and what graph/store keeps, one blob per file version.
//
// It is a leaf: it knows nothing of stores, processes or languages. Workers and
// the indexer call Encode, the store calls Names, and whoever answers questions
// calls Decode.
//
// A blob is one version byte, one codec byte and a body:
//
//	strings   four counts, the lengths, the bytes
//	head      hash, path, language, extractor, status, role, package, …
//	defs      positions as differences from the definition before
//	imports, heritage, mentions, manifest, calls of values
//	shapes    each distinct (name, qualifier, use, hint, arguments) once, the
//	          most frequent first
//	refs      a shape and the distance from the end of the ref before
//
// The refs come last because they are many and seldom all wanted: Open leaves them
// packed.
//
// The strings stand in four groups: names both defined and referred to, names
// only defined, names only referred to, and the rest. So the two name tables of
// a file are read off the front of its blob, and cost no bytes of their own.
//
// Blobs come from other processes and from disks. Decode refuses what it does not
// understand, never panics, and allocates in proportion to the length of its
// input. Indices that it returns (Container, Enclosing, Def) are in range.
package blob
