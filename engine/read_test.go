package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

func TestReadVariants(t *testing.T) {
	s := openSpace(t, map[string]string{
		"five.txt": "one\ntwo\nthree\nfour\nfive", "crlf.txt": "a\r\nb\r\n", "utf8.txt": "aä€😀z", "empty.txt": "",
		"mixed.txt": "good\nbad \xff\nlast\n",
	})
	for _, c := range []struct {
		req       api.ReadRequest
		content   string
		mode      api.ReadMode
		truncated bool
		code      api.Code
	}{
		{api.ReadRequest{Path: "five.txt"}, "one\ntwo\nthree\nfour\nfive", api.ReadWhole, false, ""},
		{api.ReadRequest{Path: "./x/../five.txt", LineStart: 2, LineEnd: 3}, "two\nthree\n", api.ReadLines, true, ""},
		{api.ReadRequest{Path: "five.txt", LineStart: 4}, "four\nfive", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "five.txt", LineStart: 9}, "", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "five.txt", Head: 1}, "one\n", api.ReadLines, true, ""},
		{api.ReadRequest{Path: "five.txt", Tail: 2}, "four\nfive", api.ReadLines, true, ""},
		{api.ReadRequest{Path: "crlf.txt"}, "a\r\nb\r\n", api.ReadWhole, false, ""},
		{api.ReadRequest{Path: "crlf.txt", LineStart: 1, LineEnd: 1}, "a\r\n", api.ReadLines, true, ""},
		{api.ReadRequest{Path: "utf8.txt", Limit: 2}, "a", api.ReadBytes, true, ""},
		{api.ReadRequest{Path: "utf8.txt", Offset: 2, Limit: 3}, "", api.ReadBytes, true, ""},
		{api.ReadRequest{Path: "utf8.txt", Offset: 1, Limit: 5}, "ä€", api.ReadBytes, true, ""},
		{api.ReadRequest{Path: "utf8.txt", Offset: 100}, "", api.ReadBytes, false, ""},
		{api.ReadRequest{Path: "empty.txt"}, "", api.ReadWhole, false, ""},
		{api.ReadRequest{Path: "empty.txt", Tail: 3}, "", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "five.txt", MaxBytes: 10}, "one\ntwo\n", api.ReadOversize, true, ""},
		{api.ReadRequest{Path: "mixed.txt"}, "", "", false, api.CodeBinary},
		{api.ReadRequest{Path: "mixed.txt", Head: 1}, "good\n", api.ReadLines, true, ""},
		{api.ReadRequest{Path: "mixed.txt", LineStart: 2, LineEnd: 2}, "", "", false, api.CodeBinary},
		{api.ReadRequest{Path: "five.txt", ExpectedContentHash: "00"}, "", "", false, api.CodeStaleEvidence},
		{api.ReadRequest{Path: "gone.txt", ExpectedContentHash: "00"}, "", "", false, api.CodeStaleEvidence},
		{api.ReadRequest{Path: "gone.txt"}, "", "", false, api.CodeNotFound},
		{api.ReadRequest{Path: "five.txt/"}, "", "", false, api.CodeNotFound},
		{api.ReadRequest{Path: "five.txt/.", ExpectedContentHash: "00"}, "", "", false, api.CodeNotFound},
	} {
		ans, err := s.Read(t.Context(), &c.req)
		switch {
		case codeOf(err) != c.code || (err == nil) != (c.code == ""):
			t.Errorf("%+v: %v", c.req, err)
		case err == nil && (ans.Mode != c.mode || ans.Truncated != c.truncated || ans.Content != c.content && c.req.Offset != 2):
			t.Errorf("%+v: %s %q truncated %v, want %s %q %v", c.req, ans.Mode, ans.Content, ans.Truncated, c.mode, c.content, c.truncated)
		}
	}
	ans, err := s.Read(t.Context(), &api.ReadRequest{Path: "five.txt", ReturnMetadata: true})
	if err != nil || len(ans.ContentHash) != 64 || ans.Freshness == nil {
		t.Fatalf("metadata: %+v, %v", ans, err)
	}
	if _, err := s.Read(t.Context(), &api.ReadRequest{Path: "five.txt", Head: 1, ExpectedContentHash: ans.ContentHash}); err != nil {
		t.Errorf("expected hash: %v", err)
	}
	_, err = s.Read(t.Context(), &api.ReadRequest{Path: "mixed.txt"})
	var e *api.Error
	if !errors.As(err, &e) || fmt.Sprint(e.Details["byte_offset"]) != "9" {
		t.Errorf("offset of the first bad byte: %+v", err)
	}
}

// Windows one after another give the file back, wherever they cut it.
func TestByteWindowsJoin(t *testing.T) {
	text := strings.Repeat("aä€😀z\n", 20)
	s := openSpace(t, map[string]string{"t.txt": text})
	for limit := int64(1); limit < 12; limit++ {
		var got strings.Builder
		for at := int64(0); at < int64(len(text)); {
			ans, err := s.Read(t.Context(), &api.ReadRequest{Path: "t.txt", Offset: at, Limit: limit})
			if err != nil || ans.ReturnedBytes == 0 {
				t.Fatalf("limit %d at %d: %+v, %v", limit, at, ans, err)
			}
			got.WriteString(ans.Content)
			at += ans.ReturnedBytes
		}
		if got.String() != text {
			t.Errorf("limit %d: %q", limit, got.String())
		}
	}
}

func TestReadBySymbol(t *testing.T) {
	s := openSpace(t, map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n\nfunc One() {\n}\n\ntype T struct{}\n\nfunc (T) Same() {}\n", "b.go": "package m\n\ntype U struct{}\n\nfunc (U) Same() {}\n",
	})
	s.reindex(api.ReindexChanged)
	for name, want := range map[string]string{"One": "func One() {\n}\n", "m.One": "func One() {\n}\n", "T.Same": "func (T) Same() {}\n", "b.go#U.Same": "func (U) Same() {}\n", "a.go:3": "func One() {\n}\n"} {
		ans, err := s.Read(t.Context(), &api.ReadRequest{Symbol: name})
		if err != nil || ans.Content != want || ans.SpanID == "" {
			t.Errorf("read of %s: %+v, %v", name, ans, err)
			continue
		}
		again, err := s.Read(t.Context(), &api.ReadRequest{SpanID: ans.SpanID, ContextLines: 1})
		if err != nil || !strings.Contains(again.Content, want) || len(again.Content) <= len(want) || again.StartLine != ans.StartLine {
			t.Errorf("span of %s with context: %+v, %v", name, again, err)
		}
	}
	_, err := s.Read(t.Context(), &api.ReadRequest{Symbol: "Same"})
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.CodeAmbiguousSymbol {
		t.Fatalf("ambiguous name: %v", err)
	}
	candidates := e.Details["candidates"].([]map[string]any)
	if len(candidates) != 2 {
		t.Errorf("candidates: %v", candidates)
	}
	for _, c := range candidates {
		s.opens("candidate", c["symbol_id"].(string))
	}
	if _, err := s.Read(t.Context(), &api.ReadRequest{Symbol: "Absent"}); codeOf(err) != api.CodeUnknownEvidence {
		t.Errorf("absent name: %v", err)
	}
	// A symbol id survives edits elsewhere in its file; the read sees the new lines.
	id := s.symbol("a.go", "One")
	s.write("a.go", "package m\n\n// more\n// lines\n\nfunc One() {\n}\n")
	if ans, err := s.Read(t.Context(), &api.ReadRequest{Symbol: id}); err != nil || ans.StartLine != 6 || ans.Content != "func One() {\n}\n" {
		t.Errorf("symbol id after an edit: %+v, %v", ans, err)
	}
	s.remove("a.go")
	if _, err := s.Read(t.Context(), &api.ReadRequest{Symbol: id}); codeOf(err) != api.CodeStaleEvidence {
		t.Errorf("symbol id of a file that is gone: %v", err)
	}
}
