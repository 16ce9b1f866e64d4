package engine

import (
	"fmt"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
)

func (s *testSpace) git(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.dir, "-c", "user.email=a@example.org", "-c", "user.name=a"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// A search right after a checkout is answered from the files that it brought, also
// where a sweep is dear and none is due.
func TestSearchAfterCheckout(t *testing.T) {
	files := smallGo()
	files[".gitignore"] = ".agent/\n"
	s := watched(t, files, func(*Options) {})
	s.git("init", "-q", "-b", "main")
	s.git("add", "-A")
	s.git("commit", "-qm", "main")
	s.git("checkout", "-qb", "other")
	const n = 60
	for i := range n {
		s.write(fmt.Sprintf("p%d/f.go", i), "package p\n\nfunc other_common() {}\n")
	}
	s.git("add", "-A")
	s.git("commit", "-qm", "other")
	s.untilTrusted()
	for round := range 6 {
		branch, want := "main", 0
		if round%2 == 1 {
			branch, want = "other", n
		}
		s.git("checkout", "-q", branch)
		s.notCheap()
		if got := s.grep(api.GrepRequest{Pattern: "other_common", CaseSensitive: true}); len(got) != want {
			t.Fatalf("round %d, %s: %d matches, want %d", round, branch, len(got), want)
		}
	}
}

// What a run has taken up, and not published, is searched all the same, at each of
// its steps; so is what comes meanwhile, files and whole directories.
func TestSearchBesideARun(t *testing.T) {
	for _, step := range []indexer.Step{indexer.StepPlanned, indexer.StepNoted, indexer.StepPublished} {
		t.Run(string(step), func(t *testing.T) {
			at, on := make(chan struct{}), make(chan struct{})
			free := sync.OnceFunc(func() { close(on) })
			defer free()
			var armed atomic.Bool
			s := watched(t, smallGo(), func(o *Options) {
				o.Reached = func(got string) {
					if got == string(step) && armed.CompareAndSwap(true, false) {
						close(at)
						<-on
					}
				}
			})
			s.untilTrusted()
			s.write("was/x.go", "package was\n")
			s.eventually("indexed", func() bool {
				_, ok := s.index().ledger.Record("was/x.go")
				running, _ := s.index().writer.Running()
				return ok && !running && dirty(s.index().ledger.Counts()) == 0
			})
			armed.Store(true)
			s.write("taken.go", "package m\n\nfunc taken_up() {}\n")
			<-at
			look := func(what string, want int) {
				t.Helper()
				if got := s.grep(api.GrepRequest{Pattern: what, CaseSensitive: true}); len(got) != want {
					t.Errorf("%s: %q, want %d", what, got, want)
				}
			}
			look("taken_up", 1)
			s.rename("was", "now")
			s.write("now/y.go", "package now\n\nfunc came_meanwhile() {}\n")
			look("came_meanwhile", 1)
			look("package was", 1)
			s.write(".gitignore", "/taken.go\n")
			look("taken_up", 0)
			free()
			look("taken_up", 0)
			look("came_meanwhile", 1)
		})
	}
}
