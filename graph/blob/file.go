package blob

import (
	"bytes"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/ralph-index/ralph-index/graph"
)

// File is a blob of which all but the references is decoded: they are most of what a
// file yields, most questions want few of them, and packed they take a twentieth of
// the memory. A File does not change what it says, and is safe for concurrent use.
type File struct {
	outline graph.Facts
	strs    table
	packed  []byte  // the references
	next    counter // of the strings, where the references begin
	joined  int     // bytes of the strings that were put together
	runs    atomic.Pointer[runs]
}

// Open decodes a blob as far as the outline goes. It does not keep b. Damage in the
// references is found by Refs and Facts.
func Open(b []byte) (*File, error) {
	d, err := open(b)
	if err != nil {
		return nil, err
	}
	d.split(d.stringTable())
	f := new(File)
	d.head(&f.outline)
	d.defTable(&f.outline)
	d.tail(&f.outline)
	f.outline.IndexNames()
	outlined := d.small(1) != 0
	if d.err != nil {
		return nil, d.err
	}
	f.packed, f.strs, f.next, f.joined = bytes.Clone(d.b[d.pos:]), d.strs, d.next, d.joined.Cap()
	if outlined {
		f.outline.Refs, err = f.Refs(graph.Selection{Like: (*graph.Ref).Outlined})
		f.outline.Refs = slices.Clip(f.outline.Refs)
	}
	return f, err
}

// Outline returns the facts, of whose references only those that are Outlined
// are there. They are shared.
func (f *File) Outline() *graph.Facts { return &f.outline }

// Refs decodes the selected references.
func (f *File) Refs(sel graph.Selection) ([]graph.Ref, error) {
	if sel.Like == nil && sel.In != nil && len(f.packed) >= bigRefs {
		return f.refsIn(sel.In)
	}
	d := f.decoder()
	refs := d.refTable(sel)
	return refs, d.err
}

// Facts decodes all references and returns the whole.
func (f *File) Facts() (*graph.Facts, error) {
	d := f.decoder()
	whole := f.outline
	whole.Names = nil
	whole.Refs = d.refTable(graph.Selection{})
	if d.err == nil && d.left() != 0 {
		d.fail("bytes after the end")
	}
	if d.err != nil {
		return nil, d.err
	}
	return &whole, nil
}

// Size returns the bytes of memory that f takes, or may come to take.
func (f *File) Size() int {
	o := &f.outline
	index := 0
	if len(f.packed) >= bigRefs {
		index = runsCost * len(f.packed)
	}
	return index + int(unsafe.Sizeof(*f)) + len(f.strs.text) + 4*len(f.strs.ends) + len(f.packed) + f.joined + o.Names.Size() +
		sizeOf(o.Defs) + sizeOf(o.Refs) + sizeOf(o.Imports) + sizeOf(o.Heritage) + sizeOf(o.Mentions) + sizeOf(o.Manifest) +
		sizeOf(o.ValueCalls)
}

func sizeOf[T any](s []T) int {
	var one T
	return cap(s) * int(unsafe.Sizeof(one))
}
