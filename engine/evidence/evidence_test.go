package evidence

import (
	"context"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
)

// disk is a source of one file.
type disk struct {
	path   graph.Path
	text   string
	gone   bool
	facts  *graph.Facts
	former graph.Hash
}

func (d disk) PathOf(_ context.Context, k graph.PathKey) (graph.Path, bool) {
	return d.path, graph.KeyOf(d.path) == k
}

func (d disk) Facts(graph.Path) *graph.Facts { return d.facts }

func (d disk) Read(context.Context, graph.Path) ([]byte, graph.Hash, error) {
	if d.gone {
		return nil, graph.Hash{}, ErrMissing
	}
	return []byte(d.text), sha256.Sum256([]byte(d.text)), nil
}

func (d disk) Former(k graph.PathKey, head [4]byte) (graph.Path, graph.Hash, bool) {
	ok := graph.KeyOf("old.txt") == k || !d.former.IsZero() && graph.ID{Head: head}.Matches(d.former)
	return "old.txt", d.former, ok
}

func TestOpen(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	hash := graph.Hash(sha256.Sum256([]byte(text)))
	other := graph.Hash(sha256.Sum256([]byte("other")))
	facts := &graph.Facts{Path: "a.txt", Hash: hash, Defs: []graph.Def{{Name: "D", Local: "D", Kind: graph.KindFunction,
		Span: graph.Span{Start: 4, End: 13, From: graph.Pos{Line: 2, Col: 1}, To: graph.Pos{Line: 3, Col: 6}}}}}
	moved := *facts
	moved.Hash = other
	here := disk{path: "a.txt", text: text, facts: facts}
	unknown := &graph.Facts{Path: "a.txt", Hash: hash, Defs: []graph.Def{{Name: "E", Local: "E", Kind: graph.KindFunction}}}
	for _, c := range []struct {
		name     string
		src      disk
		id       string
		expected string
		from, to uint32
		fails    string // reason of the error
	}{
		{"lines", here, graph.EvidenceID("a.txt", hash, 2, 3), "", 2, 3, ""},
		{"span", here, graph.SpanID("a.txt", hash, graph.Span{Start: 4, End: 13}), "", 2, 3, ""},
		{"span up to a line end", here, graph.SpanID("a.txt", hash, graph.Span{Start: 0, End: 4}), "", 1, 1, ""},
		{"empty span", here, graph.SpanID("a.txt", hash, graph.Span{Start: 4, End: 4}), "", 2, 2, ""},
		{"span beyond the end", here, graph.SpanID("a.txt", hash, graph.Span{Start: 4, End: 99}), "", 0, 0, "no_matching_span"},
		{"symbol", here, graph.SymbolID(facts, 0), "", 2, 3, ""},
		{"file", here, graph.FileSymbolID("a.txt"), "", 1, 3, ""},
		{"file without facts", disk{path: "a.txt", text: text}, graph.FileSymbolID("a.txt"), "", 1, 3, ""},
		{"symbol without facts", disk{path: "a.txt", text: text}, graph.SymbolID(facts, 0), "", 0, 0, "no_matching_symbol"},
		{"symbol that is not there", here, graph.SymbolID(unknown, 0), "", 0, 0, "no_matching_symbol"},
		{"symbol of facts that are behind", disk{path: "a.txt", text: text, facts: &moved}, graph.SymbolID(facts, 0), "", 0, 0, ContentChanged},
		{"other bytes", here, graph.EvidenceID("a.txt", other, 2, 3), "", 0, 0, ContentChanged},
		{"expected hash", here, graph.EvidenceID("a.txt", hash, 2, 3), hash.String(), 2, 3, ""},
		{"another hash expected", here, graph.EvidenceID("a.txt", hash, 2, 3), other.String(), 0, 0, ContentChanged},
		{"gone", disk{path: "a.txt", gone: true}, graph.EvidenceID("a.txt", hash, 2, 3), "", 0, 0, FileMissing},
		{"gone for long", here, graph.EvidenceID("old.txt", other, 1, 1), "", 0, 0, FileMissing},
		{"never there", here, graph.EvidenceID("b.txt", hash, 1, 1), "", 0, 0, "no_matching_evidence"},
		{"no id", here, "nonsense", "", 0, 0, "malformed_id"},
	} {
		got, err := Open(t.Context(), c.src, c.id, c.expected)
		var old *StaleError
		var none *UnknownError
		reason := ""
		switch {
		case errors.As(err, &old):
			reason = old.Reason
		case errors.As(err, &none):
			reason = none.Reason
		case err != nil:
			reason = err.Error()
		}
		if reason != c.fails {
			t.Errorf("%s: %q, want %q", c.name, reason, c.fails)
		} else if err == nil && (got.From != c.from || got.To != c.to || got.Path != "a.txt") {
			t.Errorf("%s: lines %d to %d, want %d to %d", c.name, got.From, got.To, c.from, c.to)
		}
	}
}

// A stale id names the full hash of its bytes where that is still known.
func TestStaleNamesBothHashes(t *testing.T) {
	now := graph.Hash(sha256.Sum256([]byte("now")))
	then := graph.Hash(sha256.Sum256([]byte("then")))
	for _, src := range []disk{{path: "a.txt", text: "now", former: then}, {path: "a.txt", text: "now"}} {
		_, err := Open(t.Context(), src, graph.EvidenceID("a.txt", then, 1, 1), "")
		var old *StaleError
		if !errors.As(err, &old) || old.Current != now.String() {
			t.Fatalf("%v", err)
		}
		want := then.String()
		if src.former.IsZero() {
			want = want[:8]
		}
		if old.Expected != want {
			t.Errorf("expected hash %q, want %q", old.Expected, want)
		}
	}
}
