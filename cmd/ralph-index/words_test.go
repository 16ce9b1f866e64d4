package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver"
)

func TestErrorsSpeakOfCommands(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{
			&api.Error{Code: api.CodeNotFound, Argument: "path", Message: `"x" does not exist; search for its name with grep_files`},
			"\"x\" does not exist; search for its name with `ralph-index grep` (not_found)",
		},
		{
			&api.Error{Code: api.CodeIndexUnavailable, Message: "symbols need the index; read by path, or call ralph_reindex first"},
			"symbols need the index; read by path, or run `ralph-index reindex` first (indexed_selector_unavailable)",
		},
		{
			&api.Error{Code: api.CodeNotEligible, Message: "set regex=false or use use_index=auto"},
			"use -F or use --use-index auto (pattern_not_eligible)",
		},
		{
			&api.Error{Code: api.CodeInvalidParams, Argument: "max_paths", Message: `max_paths cannot be 11; allowed: 1 to 10. Example: {"query_type":"hubs"}`},
			"--max-paths cannot be 11; allowed: 1 to 10 (invalid_params)",
		},
		{
			&api.Error{Code: api.CodeInvalidParams, Argument: "limit", Message: "limit cannot be 0"},
			"--limit cannot be 0 (invalid_params)",
		},
		{
			&api.Error{Code: api.CodeInvalidParams, Argument: "pattern", Message: "pattern is empty"},
			"pattern is empty (invalid_params)",
		},
		{
			fmt.Errorf("open /x: %w", &api.Error{Code: api.CodeIO, Message: "open /x: no space"}),
			"open /x: no space (io_error)",
		},
		{
			&api.Error{
				Code: api.CodeAmbiguousSymbol, Message: `"F" names 2 definitions`,
				Details: map[string]any{"candidates": []map[string]any{
					{"path": "a.go", "line": 3, "kind": "function", "qualified_name": "a.F", "symbol_id": "s:1"},
					{"path": "b\n.go", "line": 4, "kind": "method", "qualified_name": "b.F", "symbol_id": "s:2"},
				}},
			},
			"\"F\" names 2 definitions (ambiguous_symbol)\n  a.go:3: function a.F  s:1\n  b\uFFFD.go:4: method b.F  s:2",
		},
		{
			&api.Error{Code: api.CodeUnknownEvidence, Message: "nothing", Details: map[string]any{"nearest": []string{"a.F", "b.F"}}},
			"nothing (unknown_evidence)\n  close to it: a.F, b.F",
		},
		{errors.New(`bad number: strconv.ParseInt: parsing "many": invalid syntax; see --help`), "bad number; see --help"},
	} {
		if got := describe(c.err); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestEveryArgumentHasAFlagName(t *testing.T) {
	tools, err := mcpserver.Catalog(nil)
	if err != nil {
		t.Fatal(err)
	}
	known := arguments()
	notTyped := map[string]bool{"case_sensitive": true, "whole_word": true, "return_metadata": true, "path_scope": true}
	for _, tl := range tools {
		s := inCommands("see " + tl.Spec().Name)
		if !strings.HasPrefix(s, "see `ralph-index ") {
			t.Errorf("tool %s has no command: %s", tl.Spec().Name, s)
		}
		if strings.Contains(s, " call ") {
			continue // its arguments are written as they are
		}
		for _, arg := range tl.Spec().Args {
			if strings.Contains(arg.Name, "_") && known[arg.Name] == "" && !notTyped[arg.Name] {
				t.Errorf("argument %s is not reworded", arg.Name)
			}
		}
	}
}
