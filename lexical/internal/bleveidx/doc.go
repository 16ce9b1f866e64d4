// Package bleveidx keeps words per file in a Bleve (scorch) index and reads its
// segments directly, without Bleve's mapping, analysis and query layers: they cost
// most of the time of a feed and add nothing to a set of words. It is the only place
// that sees Bleve. It is not a search: package lexical asks it for the postings of
// single words.
package bleveidx

import (
	"encoding/binary"

	index "github.com/blevesearch/bleve_index_api"
)

const (
	idField   = "_id"
	wordField = "w"
)

// Doc is one file version with its words, in the form in which Bleve takes it.
type Doc struct {
	id     uint32
	fields [2]field
}

// NewDoc makes a document of words, which it keeps. It gets its id when it is
// applied.
func NewDoc(words []string) *Doc {
	// One shared value serves all words: only the keys are read where frequencies
	// are skipped.
	shared := &index.TokenFreq{}
	tokens := make(index.TokenFrequencies, len(words))
	for _, w := range words {
		tokens[w] = shared
	}
	d := &Doc{}
	d.fields[1] = field{wordField, nil, index.IndexField | index.SkipFreqNorm, tokens}
	return d
}

// SetID names the file version that the document is of.
func (d *Doc) SetID(id uint32) {
	key := docKey(id)
	self := &index.TokenFreq{Term: []byte(key)}
	self.SetFrequency(1)
	d.id = id
	d.fields[0] = field{idField, []byte(key), index.IndexField | index.StoreField, index.TokenFrequencies{key: self}}
}

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

// AddIDField has nothing to do: SetID made the field.
func (d *Doc) AddIDField() {}

// StoredFieldsBytes is asked for statistics that nobody reads.
func (d *Doc) StoredFieldsBytes() uint64 { return 0 }

// Indexed says that the fields are analysed already.
func (d *Doc) Indexed() bool { return true }

// VisitFields calls visit for the id and for the words.
func (d *Doc) VisitFields(visit index.FieldVisitor) {
	for i := range d.fields {
		visit(&d.fields[i])
	}
}

// field is one field of a document, analysed beforehand.
type field struct {
	name    string
	value   []byte
	options index.FieldIndexingOptions
	tokens  index.TokenFrequencies
}

func (f *field) Name() string                                     { return f.name }
func (f *field) Value() []byte                                    { return f.value }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Analyze()                                         {}
func (f *field) Options() index.FieldIndexingOptions              { return f.options }
func (f *field) AnalyzedLength() int                              { return 1 }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.tokens }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }
