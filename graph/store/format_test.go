package store

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func testRecords(n int) []record {
	r := rand.New(rand.NewPCG(1, 1))
	dirs := []graph.Path{"", "a/", "a/b/", "ä/"}
	var out []record
	for i := range n {
		out = append(out, record{facts: i%3 > 0, File: graph.File{
			ID: graph.FileID(i + 1), Path: dirs[i%4] + graph.Path(bytes.Repeat([]byte{byte('a' + i%26)}, 1+i/26)),
			Hash: graph.Hash{byte(i)}, Content: contents[i%len(contents)], Language: "go", Status: statuses[i%len(statuses)],
			Reason: []string{"", "syntax_error:1:2"}[i%2], Role: roles[i%len(roles)], Lines: r.Uint32(), Defs: r.Uint32(), Racy: i%2 == 0,
			Sig: graph.Signature{Size: r.Int64(), MtimeNS: -r.Int64(), CtimeNS: r.Int64(), Inode: r.Uint64(), Mode: r.Uint32()},
		}})
	}
	out[n/2].Role = "a role of tomorrow"
	slices.SortFunc(out, func(a, b record) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	return out
}

func TestTableRoundTrip(t *testing.T) {
	want := testRecords(5000)
	var r tableReader
	chunks := 0
	err := encodeTable(want, func(chunk []byte) error { chunks++; return r.chunk(chunk) })
	if err != nil || chunks < 2 {
		t.Fatalf("%d chunks, %v; want several", chunks, err)
	}
	if !slices.Equal(r.records, want) {
		t.Error("records changed")
	}
	table := newTable(r.records)
	for i := range want {
		if table.find(want[i].Path) != i || table.findID(want[i].ID) != i {
			t.Fatalf("record %d is not found", i)
		}
	}
	if table.find("absent") >= 0 || table.findID(1<<30) >= 0 {
		t.Error("an absent record is found")
	}
}

func TestPostingsRoundTrip(t *testing.T) {
	var chunks [][]byte
	w := postingWriter{emit: func(n uint32, chunk []byte) error {
		if int(n) != len(chunks) {
			t.Errorf("chunk %d is written as %d", len(chunks), n)
		}
		chunks = append(chunks, chunk)
		return nil
	}}
	want := map[uint32][]graph.FileID{}
	r := rand.New(rand.NewPCG(2, 2))
	for hash := uint32(0); hash < 3000; hash += 1 + r.Uint32N(3) {
		n := 1 + r.IntN(20)
		if hash%1000 == 0 {
			n = 400_000 // longer than maxList
		}
		id := graph.FileID(0)
		for range n {
			id += 1 + graph.FileID(r.Uint32N(200))
			want[hash] = append(want[hash], id)
		}
		if err := w.add(hash, want[hash]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	p := postings{first: w.first}
	for hash := range uint32(3010) {
		var got []graph.FileID
		for from, to := p.chunksOf(hash); from < to; from++ {
			c := listCursor{r: reader{b: chunks[from]}}
			for c.next() {
				if c.hash == hash {
					got = c.ids(got)
				}
			}
		}
		if !slices.Equal(got, want[hash]) {
			t.Fatalf("hash %d: %d ids, want %d", hash, len(got), len(want[hash]))
		}
	}
	for _, c := range chunks {
		if len(c) > maxList+100 {
			t.Errorf("chunk of %d bytes", len(c))
		}
	}
}

// FuzzRead feeds damaged values to everything that reads values.
func FuzzRead(f *testing.F) {
	records := testRecords(20)
	_ = encodeTable(records, func(chunk []byte) error { f.Add(chunk); return nil })
	f.Add((&entry{rec: records[3]}).encode())
	f.Add(commit{gen: 5, base: 2, slots: 7, next: 99}.encode())
	w := postingWriter{emit: func(_ uint32, chunk []byte) error { f.Add(chunk); return nil }}
	for i := range uint32(50) {
		_ = w.add(i*99, []graph.FileID{1, 5, graph.FileID(i + 6)})
	}
	_ = w.flush()
	stone := Tombstone{Path: "a", Reason: ReasonDeleted}
	f.Add(stone.pair().Value)
	var pack compressor
	f.Add(pack.pack(bytes.Repeat([]byte("facts "), 50)))
	f.Fuzz(func(t *testing.T, b []byte) {
		var r tableReader
		if err := r.chunk(b); err == nil && len(r.records) > len(b) {
			t.Errorf("%d records from %d bytes", len(r.records), len(b))
		}
		if e, err := decodeEntry(b, 0); err == nil {
			if again, err := decodeEntry(e.encode(), 0); err != nil || again.rec != e.rec || again.removed != e.removed {
				t.Errorf("entry changed: %+v, %+v, %v", e, again, err)
			}
		}
		if c, err := decodeCommit(b); err == nil {
			if again, err := decodeCommit(c.encode()); err != nil || again != c {
				t.Errorf("commit record changed: %+v, %+v, %v", c, again, err)
			}
		}
		_, _ = decodeTombstone(b)
		c := listCursor{r: reader{b: b}}
		for c.next() {
			if ids := c.ids(nil); len(ids) > len(b) {
				t.Errorf("%d ids from %d bytes", len(ids), len(b))
			}
		}
		d := reader{b: b}
		if n := len(d.directory()); n > len(b) {
			t.Errorf("%d chunks from %d bytes", n, len(b))
		}
		_, _ = pack.unpack(1, b, nil)
	})
}
