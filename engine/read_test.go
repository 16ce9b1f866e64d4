package engine

import (
	"context"
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
		{api.ReadRequest{Path: "./x/../five.txt", LineStart: 2, LineEnd: 3}, "two\nthree\n", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "five.txt", LineStart: 4}, "four\nfive", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "five.txt", LineStart: 9}, "", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "five.txt", Head: 1}, "one\n", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "five.txt", Tail: 2}, "four\nfive", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "crlf.txt"}, "a\r\nb\r\n", api.ReadWhole, false, ""},
		{api.ReadRequest{Path: "crlf.txt", LineStart: 1, LineEnd: 1}, "a\r\n", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "utf8.txt", Limit: 2}, "aä", api.ReadBytes, true, ""},
		{api.ReadRequest{Path: "utf8.txt", Offset: 2, Limit: 3}, "€", api.ReadBytes, true, ""},
		{api.ReadRequest{Path: "utf8.txt", Offset: 7, Limit: 3}, "", api.ReadBytes, true, ""},
		{api.ReadRequest{Path: "utf8.txt", Offset: 6}, "😀z", api.ReadBytes, false, ""},
		{api.ReadRequest{Path: "utf8.txt", Offset: 1, Limit: 5}, "ä€", api.ReadBytes, true, ""},
		{api.ReadRequest{Path: "utf8.txt", Offset: 100}, "", api.ReadBytes, false, ""},
		{api.ReadRequest{Path: "empty.txt"}, "", api.ReadWhole, false, ""},
		{api.ReadRequest{Path: "empty.txt", Tail: 3}, "", api.ReadLines, false, ""},
		{api.ReadRequest{Path: "five.txt", MaxBytes: 10}, "one\ntwo\n", api.ReadOversize, true, ""},
		{api.ReadRequest{Path: "mixed.txt"}, "", "", false, api.CodeBinary},
		{api.ReadRequest{Path: "mixed.txt", Head: 1}, "good\n", api.ReadLines, false, ""},
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
		case err == nil && (ans.Mode != c.mode || ans.Truncated != c.truncated || ans.Content != c.content):
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

// Windows side by side give the file back, wherever they cut it; so do windows
// that go on behind what was returned, until one is not truncated.
func TestByteWindowsJoin(t *testing.T) {
	text := strings.Repeat("aä€😀z\n", 20)
	s := openSpace(t, map[string]string{"t.txt": text})
	for limit := int64(1); limit < 12; limit++ {
		var tiles, walk strings.Builder
		for at := int64(0); at < int64(len(text)); at += limit {
			ans, err := s.Read(t.Context(), &api.ReadRequest{Path: "t.txt", Offset: at, Limit: limit})
			if err != nil || ans.ReturnedBytes != int64(len(ans.Content)) {
				t.Fatalf("limit %d at %d: %+v, %v", limit, at, ans, err)
			}
			tiles.WriteString(ans.Content)
		}
		for at, more := int64(0), true; more; {
			ans, err := s.Read(t.Context(), &api.ReadRequest{Path: "t.txt", Offset: at, Limit: limit})
			if err != nil || ans.ReturnedBytes == 0 {
				t.Fatalf("limit %d at %d: %+v, %v", limit, at, ans, err)
			}
			walk.WriteString(ans.Content)
			at, more = at+ans.ReturnedBytes, ans.Truncated
		}
		if tiles.String() != text || walk.String() != text {
			t.Errorf("limit %d: %q and %q", limit, tiles.String(), walk.String())
		}
	}
}

// evidence is the id of the only match of a pattern.
func (s *testSpace) evidence(pattern string) string {
	s.t.Helper()
	ans, err := s.Grep(s.t.Context(), &api.GrepRequest{Pattern: pattern, ReturnEvidenceIDs: true, MaxFileBytes: 10_000_000})
	if err != nil || len(ans.EvidenceIDs) != 1 {
		s.t.Fatalf("matches of %q: %+v, %v", pattern, ans, err)
	}
	return ans.EvidenceIDs[0]
}

// No read returns more than max_bytes, and each says when it would have.
func TestReadsAreBounded(t *testing.T) {
	const big = 6_000_000
	wide := "// needle " + strings.Repeat("é", big/2)
	s := openSpace(t, map[string]string{
		"go.mod": "module m\n", "wide.go": "package m\n\n// before\nfunc Wide() { /*\n" + wide + "*/ }\n\n// behind\nvar V = 1\n",
		"line.txt": strings.Repeat("x", big), "log.txt": strings.Repeat("one line of a log\n", big/18),
	})
	s.reindex(api.ReindexChanged)
	evidence := s.evidence("needle")
	span, err := s.Read(t.Context(), &api.ReadRequest{Symbol: "Wide"})
	if err != nil || span.SpanID == "" {
		t.Fatalf("span: %v", err)
	}
	for _, req := range []api.ReadRequest{
		{Path: "line.txt"}, {Path: "line.txt", Head: 1}, {Path: "line.txt", Tail: 1}, {Path: "line.txt", LineStart: 1, LineEnd: 1},
		{Path: "line.txt", LineStart: 1}, {Path: "line.txt", Offset: 1}, {Path: "line.txt", Offset: 5, Limit: big - 5},
		{Path: "log.txt"}, {Path: "log.txt", Head: big}, {Path: "log.txt", Tail: big}, {Path: "log.txt", LineStart: 2}, {Path: "log.txt", Limit: big},
		{EvidenceID: evidence}, {EvidenceID: evidence, ContextLines: 2}, {SpanID: span.SpanID}, {SpanID: span.SpanID, ContextLines: 1},
		{Symbol: "Wide"}, {Symbol: "m.Wide", ContextLines: 3},
	} {
		for _, most := range []int64{0, 1, 10, 1000, 4_999_999} {
			req.MaxBytes = most
			if most == 0 {
				most = defaultMaxBytes
			}
			ans, err := s.Read(t.Context(), &req)
			if err != nil {
				t.Errorf("%+v: %v", req, err)
				continue
			}
			if int64(len(ans.Content)) > most || !ans.Truncated || ans.Reason != "oversize" || ans.MaxBytes != most {
				t.Errorf("%+v: %d bytes, truncated %v %q %d", req, len(ans.Content), ans.Truncated, ans.Reason, ans.MaxBytes)
			}
			if most >= 1000 && len(ans.Content) == 0 {
				t.Errorf("%+v: nothing", req)
			}
		}
	}
}

// Where max_bytes has room for what was found and not for the lines around it,
// what was found is returned.
func TestContextGivesWay(t *testing.T) {
	s := openSpace(t, map[string]string{"a.txt": strings.Repeat("x", 100) + "\nneedle\n" + strings.Repeat("y", 100) + "\n"})
	s.reindex(api.ReindexChanged)
	id := s.evidence("needle")
	ans, err := s.Read(t.Context(), &api.ReadRequest{EvidenceID: id, ContextLines: 1, MaxBytes: 50})
	if err != nil || ans.Content != "needle\n" || ans.ContextLines != 0 || !ans.Truncated || ans.TotalBytes != 209 {
		t.Errorf("%+v, %v", ans, err)
	}
	ans, err = s.Read(t.Context(), &api.ReadRequest{EvidenceID: id, ContextLines: 1, MaxBytes: 209})
	if err != nil || len(ans.Content) != 209 || ans.ContextLines != 1 || ans.Truncated {
		t.Errorf("%+v, %v", ans, err)
	}
}

func TestReadStopsWithItsContext(t *testing.T) {
	s := openSpace(t, map[string]string{"a.txt": strings.Repeat("line\n", 10)})
	c, err := s.enter()
	if err != nil {
		t.Fatal(err)
	}
	defer s.leave(c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, req := range []api.ReadRequest{{Path: "a.txt", Head: 1}, {Path: "a.txt", Tail: 1}, {Path: "a.txt", ExpectedContentHash: "00"}} {
		if _, err := c.svc.Read(ctx, &req); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", req, err)
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
