package bleveidx

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/ralph-index/ralph-index/lexical/internal/word"
)

// fielded shows a Doc as zap's own code wants to see it.
type fielded struct{ *Doc }

func (d fielded) VisitFields(visit index.FieldVisitor) {
	key := docKey(d.id)
	self := &index.TokenFreq{Term: []byte(key)}
	self.SetFrequency(1)
	visit(&field{idField, []byte(key), index.IndexField | index.StoreField, index.TokenFrequencies{key: self}})
	tokens := index.TokenFrequencies{}
	for i := range d.words.Len() {
		w, _ := d.words.At(i)
		tokens[w] = &index.TokenFreq{}
	}
	visit(&field{wordField, nil, index.IndexField | index.SkipFreqNorm, tokens})
}

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

// said lists everything that a segment says. Where it is nobody's answer but how a list
// is written, it is left out: frequencies.
func said(t *testing.T, seg segment.Segment) map[string]string {
	t.Helper()
	out := map[string]string{"fields": fmt.Sprint(seg.Fields())}
	for n := range seg.Count() {
		key, err := seg.DocID(n)
		if err != nil {
			t.Fatal(err)
		}
		stored := 0
		if err := seg.VisitStoredFields(n, func(name string, _ byte, value []byte, _ []uint64) bool {
			stored++
			return name == idField && string(value) == string(key)
		}); err != nil || stored != 1 {
			t.Fatalf("document %d: %d stored fields, %v", n, stored, err)
		}
		out[fmt.Sprintf("doc %d", n)] = fmt.Sprintf("%x", key)
	}
	for _, f := range []string{idField, wordField} {
		d, err := seg.Dictionary(f)
		if err != nil {
			t.Fatal(err)
		}
		it := d.AutomatonIterator(nil, nil, nil)
		for e, err := it.Next(); e != nil || err != nil; e, err = it.Next() {
			if err != nil {
				t.Fatal(err)
			}
			list, err := d.PostingsList([]byte(e.Term), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			var docs []uint64
			all := list.Iterator(true, true, true, nil) // as a merge reads it
			for p, err := all.Next(); p != nil || err != nil; p, err = all.Next() {
				if err != nil {
					t.Fatalf("%s: %v", e.Term, err)
				}
				docs = append(docs, p.Number())
			}
			if uint64(len(docs)) != list.Count() {
				t.Fatalf("%s: %d of %d postings", e.Term, len(docs), list.Count())
			}
			out[f+" "+e.Term] = fmt.Sprint(docs)
		}
	}
	return out
}

func same(t *testing.T, got, want segment.Segment) {
	t.Helper()
	g, w := said(t, got), said(t, want)
	for _, k := range slices.Sorted(maps.Keys(w)) {
		if g[k] != w[k] {
			t.Fatalf("%s: %.200s, want %.200s", k, g[k], w[k])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%d facts, want %d", len(g), len(w))
	}
}

// someDocs makes documents, in any order, with words that few, some and all have.
func someDocs(r *rand.Rand, count int, first uint32) []index.Document {
	set := word.NewSet()
	var out []index.Document
	for i := range uint32(count) {
		var text strings.Builder
		for range r.IntN(8) {
			fmt.Fprintf(&text, "w%x ", int(r.ExpFloat64()*9))
		}
		if r.IntN(3) > 0 {
			fmt.Fprintf(&text, "own%d alone%d ", i, i)
		}
		if r.IntN(4) > 0 {
			text.WriteString("most ")
		}
		list, _ := set.Collect([]byte(text.String()), nil)
		d := NewDoc(list)
		d.SetID(first + 3*i)
		out = append(out, d)
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// bothWays makes one segment by plugin and one by zap's own code.
func bothWays(t *testing.T, docs []index.Document) (got, want segment.Segment) {
	t.Helper()
	got, size, err := (&plugin{}).New(docs)
	if err != nil || size == 0 {
		t.Fatalf("%d bytes, %v", size, err)
	}
	var seen []index.Document
	for _, d := range docs {
		seen = append(seen, fielded{d.(*Doc)})
	}
	slices.SortFunc(seen, func(a, b index.Document) int { return strings.Compare(a.ID(), b.ID()) })
	if want, _, err = (&zap.ZapPlugin{}).New(seen); err != nil {
		t.Fatal(err)
	}
	return got, want
}

func TestSegmentsSayWhatZapsSay(t *testing.T) {
	for seed, count := range []int{1, 2, 7, 1023, 1024, 1500, 5000, 70000} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			got, want := bothWays(t, someDocs(rand.New(rand.NewPCG(uint64(seed), 1)), count, 5))
			same(t, got, want)
		})
	}
}

// A merge by zap's own code loses nothing of such segments, and they come from disk as
// they went there.
func TestSegmentsMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var got, want []segment.Segment
	var drops []*roaring.Bitmap
	for i, count := range []int{40, 2300, 1} {
		g, w := bothWays(t, someDocs(r, count, uint32(i)*10000))
		path := filepath.Join(t.TempDir(), "segment.zap")
		if err := g.(segment.UnpersistedSegment).Persist(path); err != nil {
			t.Fatal(err)
		}
		opened, err := (&plugin{}).Open(path)
		if err != nil {
			t.Fatal(err)
		}
		same(t, opened, w)
		got, want = append(got, opened), append(want, w)
		drop := roaring.New()
		for n := range uint32(count) {
			if r.IntN(5) == 0 {
				drop.Add(n)
			}
		}
		drops = append(drops, drop)
	}
	merged := func(segs []segment.Segment) segment.Segment {
		path := filepath.Join(t.TempDir(), "merged.zap")
		if _, _, err := (&plugin{}).Merge(segs, drops, path, nil, nil); err != nil {
			t.Fatal(err)
		}
		out, err := (&plugin{}).Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	same(t, merged(got), merged(want))
}

// The same documents make the same bytes, in whatever order they come.
func TestSegmentsAreDetermined(t *testing.T) {
	var first []byte
	for seed := range uint64(3) {
		docs := someDocs(rand.New(rand.NewPCG(1, 1)), 300, 1)
		r := rand.New(rand.NewPCG(seed, 2))
		r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		seg, _, err := (&plugin{}).New(docs)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "segment.zap")
		if err := seg.(segment.UnpersistedSegment).Persist(path); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		}
		if string(b) != string(first) {
			t.Errorf("order %d: other bytes", seed)
		}
	}
}

func TestBitmaps(t *testing.T) {
	for _, list := range [][2]uint32{{0, 1}, {65535, 2}, {70000, 4097}, {1, 4096}, {3, 12000}, {60000, 200000}} {
		var docs []uint32
		for i := range list[1] {
			docs = append(docs, list[0]+3*i) // no runs
		}
		want, err := roaring.BitmapOf(docs...).ToBytes()
		if err != nil {
			t.Fatal(err)
		}
		if got := appendBitmap(nil, docs); string(got) != string(want) || bitmapSize(docs) != len(want) {
			t.Errorf("from %d, %d: %d bytes, want %d", list[0], list[1], len(got), len(want))
		}
	}
}
