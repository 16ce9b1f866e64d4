package keys

import (
	"bytes"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

func TestKeysSortAsTheyCount(t *testing.T) {
	var last []byte
	for _, base := range []uint32{1, 2, 255, 256, 1 << 20} {
		for _, n := range []uint32{0, 1, 255, 256, 70000} {
			k := InBase(Files, base, n)
			if bytes.Compare(last, k) >= 0 {
				t.Errorf("key of %d/%d sorts before the one before", base, n)
			}
			if b, m, ok := ParseBase(k); !ok || b != base || m != n {
				t.Errorf("ParseBase(InBase(%d, %d)) = %d, %d, %v", base, n, b, m, ok)
			}
			if b, ok := ParseBasePrefix(k); !ok || b != base {
				t.Errorf("ParseBasePrefix(InBase(%d, %d)) = %d, %v", base, n, b, ok)
			}
			if !bytes.HasPrefix(k, Base(Files, base)) || !bytes.HasPrefix(k, All(Files)) {
				t.Errorf("key of %d/%d lacks its prefixes", base, n)
			}
			last = k
		}
	}
}

func TestParseFile(t *testing.T) {
	for _, id := range []graph.FileID{0, 1, 1 << 31} {
		k := Part(File(Blob, id), 7)
		if got, ok := ParseFile(k); !ok || got != id {
			t.Errorf("ParseFile = %d, %v, want %d", got, ok, id)
		}
	}
	if _, ok := ParseFile([]byte("b12")); ok {
		t.Error("ParseFile takes a short key")
	}
}

func TestMetaNamesAreNotPrefixes(t *testing.T) {
	if bytes.HasPrefix(MetaName("hubs"), MetaName("hub")) {
		t.Error("the parts of one name stand under another")
	}
}
