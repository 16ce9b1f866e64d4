package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// parsers has large files wait in the parser until they are let go, and counts.
type parsers struct {
	mu    sync.Mutex
	count map[graph.Path]int
	hold  chan struct{}
}

func slowParsers() *parsers { return &parsers{count: map[graph.Path]int{}, hold: make(chan struct{})} }

func (p *parsers) extracting(path graph.Path) {
	p.mu.Lock()
	p.count[path]++
	p.mu.Unlock()
	if strings.HasPrefix(string(path), "big") {
		<-p.hold
	}
}

func (p *parsers) of(path graph.Path) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count[path]
}

// bigPython is a large file that calls a name.
func bigPython(def, calls string) string {
	return fmt.Sprintf("from a import early\n\n\ndef %s():\n    %s()\n", def, calls) + strings.Repeat("# "+strings.Repeat("x", 77)+"\n", 4000)
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// exported is all that an index says.
func (s *testSpace) exported() string {
	s.t.Helper()
	var b bytes.Buffer
	if err := s.Export(s.t.Context(), &b); err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

func (s *testSpace) about(target string) *api.GraphAnswer {
	s.t.Helper()
	return s.graph(query.Request{Type: query.Neighbors, Target: target}, api.PreferFresh)
}

func lacks(ans *api.GraphAnswer) []graph.Path {
	for _, m := range ans.Metadata.Missing {
		if m.Word == query.MissingNotIndexed {
			return m.Scope
		}
	}
	return nil
}

// Small files are in the answers while large ones are parsed, whoever asks meanwhile;
// what the large ones may add is said; and no parse is begun twice.
func TestLargeFilesApart(t *testing.T) {
	p := slowParsers()
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true, extracting: p.extracting}}
	s.write("a.py", "def early():\n    pass\n")
	s.open()
	let := sync.OnceFunc(func() { close(p.hold) })
	t.Cleanup(let) // before the engine closes
	eventually(t, "a first index", func() bool { return !s.status().ColdIndexRequired })

	bigs := []graph.Path{"big1.py", "big2.py", "big3.py"}
	for i, b := range bigs {
		s.write(string(b), bigPython(fmt.Sprintf("large%d", i), "early"))
	}
	s.write("late.py", "from a import early\n\n\ndef latecomer():\n    early()\n")
	var ans *api.GraphAnswer
	eventually(t, "a small file in the answers", func() bool {
		ans = s.about("early")
		return slices.Contains(labels(ans.Nodes), "late.latecomer")
	})
	if got := lacks(ans); !slices.Equal(got, bigs) || !ans.IsStale {
		t.Errorf("an answer that large files may add to: lacks %q, stale %v", got, ans.IsStale)
	}
	if ans := s.about("large1"); !slices.Contains(ans.MissingData, query.MissingTarget) || !slices.Equal(lacks(ans), bigs[1:2]) {
		t.Errorf("a name that stands in a large file alone: %v, lacks %q", ans.MissingData, lacks(ans))
	}
	if ans := s.graph(query.Request{Type: query.Hubs}, api.PreferFresh); !slices.Equal(lacks(ans), bigs) {
		t.Errorf("hubs lack %q", lacks(ans))
	}
	s.write("later.py", "def another():\n    pass\n\n\ndef more():\n    another()\n")
	eventually(t, "the next small file", func() bool {
		ans = s.about("another")
		return slices.Contains(labels(ans.Nodes), "later.more")
	})
	if lacks(ans) != nil {
		t.Errorf("an answer that no large file can add to lacks %q", lacks(ans))
	}
	if st := s.status(); !st.ReindexInProgress || st.DirtyPathsCount != len(bigs) {
		t.Errorf("status beside large files: in progress %v, %d dirty", st.ReindexInProgress, st.DirtyPathsCount)
	}
	s.write("big2.py", bigPython("renamed1", "early")) // while it is parsed, or waits for it
	let()
	eventually(t, "the large files in the answers", func() bool { return s.status().DirtyPathsCount == 0 })
	ans = s.about("early")
	if got := labels(ans.Nodes); lacks(ans) != nil || !slices.Contains(got, "big1.large0") || !slices.Contains(got, "big2.renamed1") {
		t.Errorf("in the end: %q, lacks %q", got, lacks(ans))
	}
	for _, b := range []graph.Path{"big1.py", "big3.py", "late.py", "later.py"} {
		if n := p.of(b); n != 1 {
			t.Errorf("%s was parsed %d times", b, n)
		}
	}
	was := s.exported()
	s.opts.IndexDir = t.TempDir()
	s.reopen()
	eventually(t, "a second index", func() bool { return !s.status().ColdIndexRequired })
	if cold := s.exported(); cold != was {
		t.Errorf("incremental and cold differ:\n%s\n---\n%s", was, cold)
	}
}

// What a question began, and had no time for, is taken by the next, in a process that
// does nothing beside its answers.
func TestLargeFileOfAQuestion(t *testing.T) {
	p := slowParsers()
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{extracting: p.extracting}}
	s.write("a.py", "def early():\n    pass\n")
	s.open()
	let := sync.OnceFunc(func() { close(p.hold) })
	t.Cleanup(let)
	s.reindex(api.ReindexChanged)
	s.write("big.py", bigPython("large", "early"))
	s.write("late.py", "from a import early\n\n\ndef latecomer():\n    early()\n")
	eventually(t, "a look at the tree", func() bool { return lacks(s.about("early")) != nil })
	for range 3 {
		if ans := s.about("early"); !slices.Contains(labels(ans.Nodes), "late.latecomer") || !slices.Equal(lacks(ans), []graph.Path{"big.py"}) {
			t.Errorf("beside a large file: %q, lacks %q", labels(ans.Nodes), lacks(ans))
		}
	}
	let()
	if ans := s.graph(query.Request{Type: query.Neighbors, Target: "early"}, api.Required); !slices.Contains(labels(ans.Nodes), "big.large") || lacks(ans) != nil {
		t.Errorf("when it is required: %q, lacks %q", labels(ans.Nodes), lacks(ans))
	}
	if n := p.of("big.py"); n != 1 {
		t.Errorf("the large file was parsed %d times", n)
	}
}
