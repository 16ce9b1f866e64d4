package graph

import "testing"

func TestDoubt(t *testing.T) {
	at := Pos{Line: 12, Col: 5}
	for _, c := range []struct {
		name   string
		status Status
		reason string
		at     Pos
		doubt  bool
	}{
		{"before", StatusPartial, SyntaxErrorAt(at), Pos{Line: 12, Col: 4}, false},
		{"at", StatusPartial, SyntaxErrorAt(at), at, true},
		{"a line behind", StatusPartial, SyntaxErrorAt(at) + "," + ReasonInvalidUTF8, Pos{Line: 13, Col: 1}, true},
		{"a line before", StatusPartial, SyntaxErrorAt(at), Pos{Line: 11, Col: 9}, false},
		{"whole", StatusOK, "", Pos{Line: 13, Col: 1}, false},
		{"other reason", StatusPartial, "node_budget", Pos{Line: 13, Col: 1}, false},
	} {
		shared := []Candidate{{Confidence: 1}}
		b := Binding{Targets: shared, Provenance: Extracted}
		f := Facts{Status: c.status, Reason: c.reason}
		if got := f.Doubt(c.at, &b); got != c.doubt || (b.Provenance == Inferred) != c.doubt || (b.Targets[0].Confidence < 1) != c.doubt {
			t.Errorf("%s: %v, %+v", c.name, got, b)
		}
		if shared[0].Confidence != 1 {
			t.Errorf("%s: candidates that others hold were changed", c.name)
		}
	}
	f := Facts{Status: StatusPartial, Reason: SyntaxErrorAt(at)}
	if b := (Binding{}); f.Doubt(Pos{Line: 99}, &b) {
		t.Error("nothing is doubted")
	}
}
