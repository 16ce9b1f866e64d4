package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

// of puts reads into one request.
func of(reads ...api.ReadRequest) *api.ReadManyRequest {
	req := &api.ReadManyRequest{}
	for _, r := range reads {
		req.Items = append(req.Items, api.ReadItem{ReadRequest: r})
	}
	return req
}

func (s *testSpace) readMany(e *Engine, req *api.ReadManyRequest) *api.ReadManyAnswer {
	s.t.Helper()
	ans, err := e.ReadMany(s.t.Context(), req)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(ans.Results) != len(req.Items) {
		s.t.Fatalf("%d results for %d items", len(ans.Results), len(req.Items))
	}
	return ans
}

// outcome is what became of an item in one word.
func outcome(r api.ReadResult) string {
	switch {
	case r.Error != nil:
		return string(r.Error.Code)
	case r.Answer != nil:
		return r.Answer.Content
	}
	return r.NotRead
}

func TestReadManyHidesNothing(t *testing.T) {
	s := openCorpus(t, "go-shop")
	s.write("a.txt", "one\ntwo\r\nthree\n")
	s.write("bin", "a\x00\xff")
	s.reindex(api.ReindexChanged)
	hit, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "two", Path: "a.txt", CaseSensitive: true, ReturnEvidenceIDs: true})
	if err != nil || len(hit.EvidenceIDs) != 1 {
		t.Fatalf("%+v, %v", hit, err)
	}
	req := of(
		api.ReadRequest{Path: "a.txt"}, api.ReadRequest{Path: "missing"}, api.ReadRequest{Path: "../outside"}, api.ReadRequest{Path: "bin"},
		api.ReadRequest{EvidenceID: "e:nonsense"}, api.ReadRequest{EvidenceID: hit.EvidenceIDs[0]}, api.ReadRequest{Symbol: "no.Such"},
		api.ReadRequest{Path: "a.txt", LineStart: 2, LineEnd: 2}, api.ReadRequest{Path: "a.txt", ExpectedContentHash: "00"},
		api.ReadRequest{Path: "."},
	)
	req.Items = append(req.Items, api.ReadItem{Refused: &api.Error{Code: api.CodeInvalidParams, Message: "bad"}}, api.ReadItem{ReadRequest: api.ReadRequest{Symbol: "price.Total"}})
	want := []string{
		"one\ntwo\r\nthree\n", "not_found", "outside_workspace", "binary_or_invalid_utf8", "unknown_evidence", "two\r\n", "unknown_evidence",
		"two\r\n", "stale_evidence", "not_a_regular_file", "invalid_params",
	}
	for name, e := range map[string]*Engine{"leader": s.Engine, "follower": s.follow()} {
		ans := s.readMany(e, req)
		for i, w := range want {
			if got := outcome(ans.Results[i]); got != w {
				t.Errorf("%s: item %d is %q, want %q", name, i, got, w)
			}
		}
		if last := ans.Results[len(want)]; last.Answer == nil || !strings.Contains(last.Answer.Content, "Total") {
			t.Errorf("%s: symbol: %+v", name, last)
		}
	}
	req.FailFast = true
	for i, r := range s.readMany(s.Engine, req).Results {
		if i == 0 && r.Answer == nil || i == 1 && r.Error == nil || i > 1 && r.NotRead != api.NotReadFailFast {
			t.Errorf("fail fast: item %d is %+v", i, r)
		}
	}
}

func TestReadManyBoundsEachItem(t *testing.T) {
	long := strings.Repeat("0123456789abcde\n", 5000) // 80,000 bytes
	s := openSpace(t, map[string]string{"long": long, "short": "s\n", "é": "ééé"})
	ans := s.readMany(s.Engine, of(
		api.ReadRequest{Path: "long", MaxBytes: 50000, ReturnMetadata: true}, api.ReadRequest{Path: "short", MaxBytes: 50000},
		api.ReadRequest{Path: "é", MaxBytes: 3}, api.ReadRequest{Path: "long", MaxBytes: 10, LineStart: 2, LineEnd: 3},
	))
	a := ans.Results[0].Answer
	if a == nil || a.Content != long[:50000] || !a.Truncated || a.TotalBytes != int64(len(long)) || a.Freshness == nil || ans.Freshness == nil {
		t.Errorf("long: %.60v", a)
	}
	if b := ans.Results[1].Answer; b == nil || b.Truncated || b.Content != "s\n" || b.Freshness != nil {
		t.Errorf("short: %+v", b)
	}
	if c := ans.Results[2].Answer; c == nil || !c.Truncated || c.Content != "é" && c.Content != "éé" {
		t.Errorf("cut in a character: %+v", c)
	}
	if d := ans.Results[3].Answer; d == nil || !d.Truncated || len(d.Content) > 10 {
		t.Errorf("lines: %+v", d)
	}
	if !ans.Truncated {
		t.Error("the answer does not say that something is cut")
	}
}

func TestReadManyIsBoundedAltogether(t *testing.T) {
	s := openSpace(t, map[string]string{"big": strings.Repeat("x", 5<<20)})
	reads := make([]api.ReadRequest, 20)
	for i := range reads {
		reads[i] = api.ReadRequest{Path: "big", MaxBytes: 10 << 20}
	}
	total := 0
	for i, r := range s.readMany(s.Engine, of(reads...)).Results {
		if r.Answer == nil {
			t.Fatalf("item %d: %+v", i, r)
		}
		if total += len(r.Answer.Content); len(r.Answer.Content) < 5<<20 && !r.Answer.Truncated {
			t.Errorf("item %d is cut and does not say so", i)
		}
	}
	if total > manyBytes+len(reads) {
		t.Errorf("%d bytes", total)
	}
}

func TestReadManyThatIsCancelled(t *testing.T) {
	s := openSpace(t, map[string]string{"a": "a"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l, err := openLocal(Options{Workspace: s.dir}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.close(t.Context()) }()
	ans, err := l.ReadMany(ctx, of(api.ReadRequest{Path: "a"}, api.ReadRequest{Path: "a"}))
	if err != nil || !ans.Cancelled() || ans.Results[1].NotRead != string(api.CodeCancelled) {
		t.Errorf("%+v, %v", ans, err)
	}
}

func TestStat(t *testing.T) {
	s := openSpace(t, map[string]string{"d/a.txt": "hello", ".git/config": "x"})
	other := t.TempDir()
	for link, to := range map[string]string{"in": "d/a.txt", "out": "/etc/hostname", "dangling": "nowhere", "loop": "loop", "dir": "d", "up": other} {
		if err := os.Symlink(to, filepath.Join(s.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(s.dir, "d/a.txt"), 0o640); err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]*Engine{"leader": s.Engine, "follower": s.follow()} {
		for path, want := range map[string]api.StatAnswer{
			"d/a.txt": {Type: api.TypeFile, SizeBytes: 5, Mode: 0o100640}, "in": {Type: api.TypeFile, SizeBytes: 5, Mode: 0o100640, Link: true},
			"dir": {Type: api.TypeDir, Mode: 0o40755, Link: true}, ".": {Type: api.TypeDir}, "": {Type: api.TypeDir}, ".git": {Type: api.TypeDir},
			"nothing": {Type: api.TypeMissing}, "dangling": {Type: api.TypeMissing}, "d/a.txt/b": {Type: api.TypeMissing},
			filepath.Join(s.dir, "d", "a.txt"): {Type: api.TypeFile, SizeBytes: 5, Mode: 0o100640},
		} {
			got, err := e.Stat(t.Context(), &api.StatRequest{Path: path})
			if err != nil {
				t.Errorf("%s: %s: %v", name, path, err)
				continue
			}
			if (got.ModifiedUnix == 0) != (want.Type == api.TypeMissing) || (got.CreatedUnix == 0) != (want.Type == api.TypeMissing) {
				t.Errorf("%s: %s: times %+v", name, path, got)
			}
			got.ModifiedUnix, got.CreatedUnix = 0, 0
			if want.Mode == 0 {
				got.Mode = 0
			}
			if *got != want {
				t.Errorf("%s: %s: %+v, want %+v", name, path, *got, want)
			}
		}
		for path, want := range map[string]api.Code{
			"../x": api.CodeOutsideRoot, "/etc/passwd": api.CodeOutsideRoot, "out": api.CodeOutsideRoot, "up/x": api.CodeOutsideRoot,
			s.dir + "x": api.CodeOutsideRoot, "a\x00b": api.CodeInvalidParams, strings.Repeat("n", 300): api.CodeInvalidParams, "loop": api.CodeNotRegular,
		} {
			if _, err := e.Stat(t.Context(), &api.StatRequest{Path: path}); codeOf(err) != want {
				t.Errorf("%s: %.40q: %v, want %s", name, path, err, want)
			}
		}
		roots, err := e.Roots(t.Context())
		if err != nil || len(roots.AllowedRoots) != 1 {
			t.Fatalf("%s: roots %+v, %v", name, roots, err)
		}
		if real, err := filepath.EvalSymlinks(s.dir); err != nil || roots.AllowedRoots[0] != real {
			t.Errorf("%s: root is %s, want %s", name, roots.AllowedRoots[0], real)
		}
	}
}
