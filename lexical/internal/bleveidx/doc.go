// Package bleveidx keeps words per file in a Bleve (scorch) index and reads its
// segments directly, without Bleve's mapping, analysis and query layers: they cost
// most of the time of a feed and add nothing to a set of words. It is the only place
// that sees Bleve. It is not a search: package lexical asks it for the postings of
// single words.
package bleveidx

import (
	"encoding/binary"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ralph-index/ralph-index/lexical/internal/word"
)

const (
	idField   = "_id"
	wordField = "w"
)

// Doc is one file version with its words, in the form in which Bleve hands it on to
// plugin: Bleve itself sees no fields.
type Doc struct {
	id    uint32
	words word.List
}

// NewDoc makes a document of words. It gets its id when it is applied.
func NewDoc(words word.List) *Doc { return &Doc{words: words} }

// SetID names the file version that the document is of.
func (d *Doc) SetID(id uint32) { d.id = id }

// docKey is the id in fixed width, so that it orders as the number does.
func docKey(id uint32) string {
	return string(binary.BigEndian.AppendUint32(nil, id))
}

func keyID(key []byte) (uint32, bool) {
	if len(key) != 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(key), true
}

// ID is the document's key in the index.
func (d *Doc) ID() string { return docKey(d.id) }

// Size is asked for statistics that nobody reads.
func (d *Doc) Size() int { return 0 }

// VisitComposite has no fields to visit.
func (d *Doc) VisitComposite(index.CompositeFieldVisitor) {}

// HasComposite says that no field is made of others.
func (d *Doc) HasComposite() bool { return false }

// NumPlainTextBytes is asked for statistics that nobody reads.
func (d *Doc) NumPlainTextBytes() uint64 { return 0 }

// AddIDField has nothing to do: plugin knows the id.
func (d *Doc) AddIDField() {}

// StoredFieldsBytes is asked for statistics that nobody reads.
func (d *Doc) StoredFieldsBytes() uint64 { return 0 }

// Indexed says that there is nothing to analyse.
func (d *Doc) Indexed() bool { return true }

// VisitFields has no fields to visit.
func (d *Doc) VisitFields(index.FieldVisitor) {}
