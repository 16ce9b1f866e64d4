package engine

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
)

// What an index holds of files that other rules read is made anew, and nothing else.
func TestIndexOfOtherRules(t *testing.T) {
	s := openSpace(t, map[string]string{
		"a.go": "package a\n", "b.py": "x = 1\n", "tool": "# vim: ft=ruby\ndef hello; end\n", "notes": "text\n", "c.txt": "text\n",
	})
	s.reindex(api.ReindexFull)
	for _, c := range []struct {
		changed []string // languages whose rules were others; "" is those that know a language
		want    []graph.Path
	}{
		{nil, nil},
		{[]string{"go"}, []graph.Path{"a.go"}},
		{[]string{""}, []graph.Path{"c.txt", "notes"}},
		{[]string{"", "ruby", "python"}, []graph.Path{"b.py", "c.txt", "notes", "tool"}},
	} {
		was := map[string]string{"": extract.Version("")}
		for _, l := range extract.Languages() {
			was[l] = extract.Version(l)
		}
		for _, l := range c.changed {
			was[l] += " of old"
		}
		b, err := json.Marshal(was)
		if err != nil {
			t.Fatal(err)
		}
		inside, err := s.enter()
		if err != nil {
			t.Fatal(err)
		}
		err = inside.svc.(*local).x.store.SetMeta(map[string][]byte{metaVersions: b})
		s.leave(inside)
		if err != nil {
			t.Fatal(err)
		}
		s.reopen()
		if got := s.reindex(api.ReindexChanged).ChangedFiles; !slices.Equal(got, c.want) {
			t.Errorf("rules of %q were others: %q are read again, want %q", c.changed, got, c.want)
		}
	}
}
