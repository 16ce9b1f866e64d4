package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

// TestExportOfScripts lists variables that hold modules as well as what is declared, but
// neither the titles of tests nor the names that function expressions keep to themselves;
// and it says of functions, not of variables, that they call.
func TestExportOfScripts(t *testing.T) {
	s := openSpace(t, map[string]string{
		"a.js": "const fs = require('fs');\nconst { sep } = require('path');\nif (fs) { var late = require('late'); }\n" +
			"function run(f) { f(); }\nconst kept = run(function once() { const inner = run(); return once(); });\n",
		"b.ts":      "declare module 'ext' { interface I { 'a-b': string; kind: 'kind' } }\n",
		"c.js":      "const part = require('whole').part;\nconst { other } = require('whole');\n",
		"a.test.js": "describe('a', () => { it('runs', () => run()); });\n",
	})
	s.reindex(api.ReindexChanged)
	var out bytes.Buffer
	if err := s.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	var defs, calls []string
	for line := range bytes.Lines(out.Bytes()) {
		var r exported
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		switch {
		case r.K == "def":
			defs = append(defs, fmt.Sprintf("%s:%d %s %s", r.File, r.Line, r.Kind, r.Name))
		case r.K == "call" && r.File == "a.js" && r.CalleeFile != "":
			calls = append(calls, fmt.Sprintf("%s -> %s", r.Caller, r.Callee))
		}
	}
	wantDefs := []string{
		"a.js:4 function run", "a.js:5 constant kept", "a.js:1 variable fs", "b.ts:1 module 'ext'", "b.ts:1 interface I",
		"b.ts:1 property 'a-b'", "b.ts:1 property kind", "c.js:1 variable part",
	}
	if !slices.Equal(defs, wantDefs) {
		t.Errorf("definitions %q, want %q", defs, wantDefs)
	}
	wantCalls := []string{"run -> kept.once", "<module> -> run", "kept.once -> run", "kept.once -> kept.once"}
	if !slices.Equal(calls, wantCalls) {
		t.Errorf("calls %q, want %q", calls, wantCalls)
	}
}
