package store

import (
	"context"

	"github.com/ralph-index/ralph-index/graph"
)

// Batch collects changes that become visible together. Its methods may be called
// from several goroutines; the last change of a path wins. Every batch must end in
// Publish or Discard.
type Batch struct{}

// Put adds or replaces a file. The id of f is ignored: the version gets a new one,
// which is returned. facts is a blob (graph/blob) or nil for a file without facts;
// the batch keeps it, so it must not be changed. A blob that cannot be read is refused.
func (b *Batch) Put(f graph.File, facts []byte) (graph.FileID, error) { panic("todo") }

// Touch changes the signature of a file whose bytes are the same: its id and the
// generation stay. It reports whether the file is there.
func (b *Batch) Touch(p graph.Path, sig graph.Signature, racy bool) (bool, error) { panic("todo") }

// Remove takes a file out, and reports whether it was there.
func (b *Batch) Remove(p graph.Path) (bool, error) { panic("todo") }

// BlobFor is Snapshot.BlobFor on the generation that the batch started from. A full
// batch also finds what an earlier full batch wrote that was not published.
func (b *Batch) BlobFor(p graph.Path, h graph.Hash) (blob []byte, ok bool, err error) { panic("todo") }

// Publish makes the changes visible, all of them or, on an error, none, and ends
// the batch. The generation is the new one, or the current one when no file changed.
func (b *Batch) Publish(ctx context.Context) (graph.Generation, error) { panic("todo") }

// Discard ends the batch without effect. After Publish it does nothing. What a full
// batch wrote stays for BlobFor of the next.
func (b *Batch) Discard() { panic("todo") }
