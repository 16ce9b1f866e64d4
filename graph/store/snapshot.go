package store

import "github.com/ralph-index/ralph-index/graph"

// Snapshot is one generation, pinned. It is a graph.View. It is safe for
// concurrent use until Release.
type Snapshot struct{}

var _ graph.View = (*Snapshot)(nil)

// Release lets go of the generation. Calls after the first do nothing.
func (v *Snapshot) Release() { panic("todo") }

// Generation implements graph.View.
func (v *Snapshot) Generation() graph.Generation { panic("todo") }

// Lookup implements graph.View.
func (v *Snapshot) Lookup(p graph.Path) (graph.FileID, bool) { panic("todo") }

// Record returns the record of a path.
func (v *Snapshot) Record(p graph.Path) (graph.File, bool) { panic("todo") }

// Dir implements graph.View.
func (v *Snapshot) Dir(p graph.Path) []graph.FileID { panic("todo") }

// File implements graph.View.
func (v *Snapshot) File(id graph.FileID) (graph.File, bool) { panic("todo") }

// Facts implements graph.View. They are nil without an error for an id that is not
// live here, too.
func (v *Snapshot) Facts(id graph.FileID) (*graph.Facts, error) { panic("todo") }

// Blob returns the encoded facts of a live file, nil where it has none.
func (v *Snapshot) Blob(id graph.FileID) ([]byte, error) { panic("todo") }

// BlobFor returns the encoded facts of a path if its live version has the hash.
// Whether the extractor that made them is the current one, the caller checks.
func (v *Snapshot) BlobFor(p graph.Path, h graph.Hash) (b []byte, ok bool, err error) { panic("todo") }

// Definers implements graph.View.
func (v *Snapshot) Definers(name string) []graph.FileID { panic("todo") }

// Referrers implements graph.View.
func (v *Snapshot) Referrers(name string) []graph.FileID { panic("todo") }

// Files yields the records of all files in the order of their paths.
func (v *Snapshot) Files(yield func(graph.File) bool) { panic("todo") }

// Len is the number of files.
func (v *Snapshot) Len() int { panic("todo") }

// Counts returns totals, kept up to date by each batch.
func (v *Snapshot) Counts() Counts { panic("todo") }

// PathOf finds the path that ids carry as k.
func (v *Snapshot) PathOf(k graph.PathKey) (graph.Path, bool) { panic("todo") }
