package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/share"
)

// An index of an older format goes when this one is complete, and not before; one that
// is led, one of a newer format and what is no index stay.
func TestOlderFormats(t *testing.T) {
	s := openSpace(t, smallGo())
	at := func(name string) string { return filepath.Join(s.dir, ".agent", "ralph-explore", name) }
	for _, name := range []string{"v1", "v2", "v999", "vx"} {
		if err := os.MkdirAll(filepath.Join(at(name), "graph"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	lease, err := share.Lead(at("v2"))
	if err != nil {
		t.Fatal(err)
	}
	there := func(name string) bool {
		_, err := os.Stat(at(name))
		return err == nil
	}
	s.index().removeOlder()
	if !there("v1") {
		t.Error("an older index went before this one was complete")
	}
	s.reindex(api.ReindexChanged)
	if there("v1") || !there("v2") || !there("v999") || !there("vx") || !there(format) {
		t.Errorf("after a first index: v1 %v, led v2 %v, newer %v, other %v", there("v1"), there("v2"), there("v999"), there("vx"))
	}
	if err := lease.Release(); err != nil {
		t.Fatal(err)
	}
	s.reopen()
	eventually(t, "an older index is gone that was led", func() bool { return !there("v2") })
}
