package engine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Indexes of newer formats lie beside ours, and no one touches another's; of older ones
// TestOlderFormats tells.
func TestOtherFormatsAreUntouched(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	others := map[string]string{
		"v999/graph-1/kv/MANIFEST": "of tomorrow", "v999/words/x.zap": "z", "index.sqlite": "old",
	}
	for name, text := range others {
		s.write(filepath.Join(".agent/ralph-explore", name), text)
	}
	s.open()
	s.reindex(api.ReindexChanged)
	s.write("a.go", "package m\n\nfunc F2() { G() }\n")
	s.reindex(api.ReindexFull)
	x := s.index()
	x.giveUp(true, true, "a test", nil)
	waitFor(t, "another index", func() bool {
		c, err := s.enter()
		if err != nil {
			return false
		}
		defer s.leave(c)
		return c.own != nil && c.own != x
	})
	untilWhole(t, s, "given up")
	sameAsCold(t, s, []string{"func"})
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, text := range others {
		got, err := os.ReadFile(filepath.Join(s.indexDir(), name))
		if err != nil || string(got) != text {
			t.Errorf("%s: %q, %v, want %q", name, got, err, text)
		}
	}
}

// A directory of our format that says that it holds another is built again.
func TestForeignPart(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	part := s.part(graphDir)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(part, "FORMAT"), []byte("something else\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Engine = nil
	s.open()
	sameAsLive(t, s, []string{"func"})
	untilWhole(t, s, "foreign")
	sameAsCold(t, s, []string{"func"})
}

// A workspace that was copied with its index inside has other inodes and times, and
// may have been edited since, with sizes and times as they were.
func TestCopiedWorkspace(t *testing.T) {
	s := openSpace(t, smallGo())
	generate(t, s.dir, 100, 0)
	s.reindex(api.ReindexChanged)
	for _, open := range []bool{true, false} { // copied in use, or closed
		if !open {
			if err := s.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		c := &testSpace{t: t, dir: filepath.Join(t.TempDir(), "copy")}
		if out, err := exec.Command("cp", "-a", s.dir, c.dir).CombinedOutput(); err != nil {
			t.Fatalf("cp: %v: %s", err, out)
		}
		c.rewriteAlike("b.go", "package m\n\nfunc H() {}\n")
		c.remove("txt3/n3.txt")
		c.write("more.go", "package m\n\nfunc More() { H() }\n")
		c.open()
		if ans := c.callers("b.go#H", api.Required); len(ans.Nodes) != 1 {
			t.Errorf("callers in a copy: %q", labels(ans.Nodes))
		}
		ans := c.reindex(api.ReindexChanged)
		if ans.ParseCount != 0 {
			t.Errorf("%d files parsed after a sweep", ans.ParseCount)
		}
		sameAsCold(t, c, []string{"func", "G()", "H()", "only_3_0", "shared"})
	}
}

func staleReasonOf(err error) string {
	var e *api.Error
	if errors.As(err, &e) {
		why, _ := e.Details["stale_reason"].(string)
		return why
	}
	return ""
}

func TestEvidenceOfADeletedFile(t *testing.T) {
	s := openSpace(t, smallGo())
	s.reindex(api.ReindexChanged)
	found, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "func G", CaseSensitive: true, ReturnEvidenceIDs: true})
	if err != nil || len(found.EvidenceIDs) != 1 {
		t.Fatalf("evidence: %+v, %v", found, err)
	}
	s.remove("b.go")
	for range 2 { // before the index knows, and after
		_, err = s.Read(t.Context(), &api.ReadRequest{EvidenceID: found.EvidenceIDs[0]})
		if codeOf(err) != api.CodeStaleEvidence || staleReasonOf(err) != "file_deleted" {
			t.Errorf("evidence of a deleted file: %v, %q", err, staleReasonOf(err))
		}
		s.reindex(api.ReindexChanged)
	}
}

// A clock that goes back makes neither generations nor jobs go back.
func TestClockGoesBack(t *testing.T) {
	now := time.Now()
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Clock: func() time.Time { return now }}}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	s.open()
	last := s.reindex(api.ReindexChanged).Generation
	for i, step := range []time.Duration{-48 * time.Hour, time.Minute, -365 * 24 * time.Hour, 10 * 24 * time.Hour} {
		found, err := s.Grep(t.Context(), &api.GrepRequest{Pattern: "func G", CaseSensitive: true, ReturnEvidenceIDs: true})
		if err != nil || len(found.EvidenceIDs) != 1 {
			t.Fatalf("evidence: %+v, %v", found, err)
		}
		now = now.Add(step)
		s.rewriteAlike("b.go", []string{"package m\n\nfunc G(){ }\n", "package m\n\nfunc G() {}\n"}[i%2])
		ans := s.reindex(api.ReindexChanged)
		if ans.Generation != last+1 || ans.ElapsedSeconds < 0 {
			t.Errorf("step %d: generation %d after %d, %v s", i, ans.Generation, last, ans.ElapsedSeconds)
		}
		last = ans.Generation
		if st := s.status(); st.LastJob == nil || st.LastJob.JobID != ans.JobID || st.LastJob.FinishedAt != unixSeconds(now) || st.IsStale {
			t.Errorf("step %d: status %+v", i, st)
		}
		_, err = s.Read(t.Context(), &api.ReadRequest{EvidenceID: found.EvidenceIDs[0]})
		if codeOf(err) != api.CodeStaleEvidence || staleReasonOf(err) != "content_changed" {
			t.Errorf("step %d: stale evidence: %v, %q", i, err, staleReasonOf(err))
		}
		s.reopen()
		sameAsLive(t, s, []string{"func", "G()"})
	}
	sameAsCold(t, s, []string{"func", "G()"})
}
