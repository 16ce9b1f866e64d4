package store_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/graph/store/storetest"
)

// killVar makes a process of this test's binary one that ends itself: "step;n".
const killVar = "RALPH_STORE_TEST_KILL"

func TestMain(m *testing.M) {
	if at := os.Getenv(killVar); at != "" {
		os.Exit(killed(os.Args[1], at))
	}
	os.Exit(m.Run())
}

// killed does the script and kills itself when it reaches a step for the nth time.
func killed(dir, at string) int {
	step, count, _ := strings.Cut(at, ";")
	n, _ := strconv.Atoi(count)
	seen := 0
	k := killScript{
		opt: store.Options{Dir: dir, Reached: func(s store.Step) {
			if string(s) != step {
				return
			}
			if seen++; seen == n {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}},
		done: func(*store.Store) { fmt.Println("done") },
	}
	if err := k.run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// killScript is a life of a store in which it reaches every step. It does the same
// each time, down to the ids.
type killScript struct {
	opt  store.Options
	done func(*store.Store) // after each change
	s    *store.Store
	full *store.Batch
	pin  *store.Snapshot
}

func (k *killScript) run() (err error) {
	ctx := context.Background()
	if k.s, err = store.Open(ctx, k.opt); err != nil {
		return err
	}
	k.done(k.s)
	for _, f := range []func(context.Context) error{
		k.save(10, 1, 3), k.save(5, 2, 3), k.remove(4), k.touch(3), k.save(60, 3, 1200),
		k.save(4200, 4, 2), k.meta, k.pinned, k.save(4200, 5, 2), k.unpin, k.save(2, 6, 2), k.compact,
		k.fullBegin, k.save(3, 7, 2), k.fullPublish, k.save(2, 8, 2), k.compact, k.save(70, 9, 2),
	} {
		if err := f(ctx); err != nil {
			return err
		}
		k.done(k.s)
	}
	return k.s.Close()
}

func killPath(i int) graph.Path { return graph.Path(fmt.Sprintf("d%d/f%d.go", i%11, i)) }

// putNames puts a version of a file with so many names of its own.
func putNames(b *store.Batch, i, version, names int) error {
	defs, refs := []string{"A"}, []string{"B"}
	for n := range names {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %d", i, version, n))
		defs, refs = append(defs, fmt.Sprintf("%x", sum[:8])), append(refs, fmt.Sprintf("%x", sum[8:16]))
	}
	rec, f := storetest.File(killPath(i), version, defs, refs)
	_, err := b.Put(rec, blob.Encode(f))
	return err
}

func (k *killScript) batch(ctx context.Context, change func(b *store.Batch) error) error {
	b, err := k.s.Begin(ctx, store.Incremental)
	if err != nil {
		return err
	}
	defer b.Discard()
	if err := change(b); err != nil {
		return err
	}
	_, err = b.Publish(ctx)
	return err
}

func (k *killScript) save(files, version, names int) func(context.Context) error {
	return func(ctx context.Context) error {
		return k.batch(ctx, func(b *store.Batch) error {
			for i := range files {
				if err := putNames(b, i, version, names); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func (k *killScript) remove(i int) func(context.Context) error {
	return func(ctx context.Context) error {
		return k.batch(ctx, func(b *store.Batch) error {
			_, err := b.Remove(killPath(i))
			return err
		})
	}
}

func (k *killScript) touch(i int) func(context.Context) error {
	return func(ctx context.Context) error {
		return k.batch(ctx, func(b *store.Batch) error {
			_, err := b.Touch(killPath(i), graph.Signature{Size: 9, MtimeNS: 9}, true)
			return err
		})
	}
}

func (k *killScript) meta(context.Context) error {
	return k.s.SetMeta(map[string][]byte{"a": []byte("1"), "b": []byte("2")})
}

func (k *killScript) pinned(context.Context) error { k.pin = k.s.Snapshot(); return nil }

func (k *killScript) unpin(context.Context) error { k.pin.Release(); return nil }

func (k *killScript) compact(ctx context.Context) error { return k.s.Compact(ctx) }

func (k *killScript) fullBegin(ctx context.Context) (err error) {
	if k.full, err = k.s.Begin(ctx, store.Full); err != nil {
		return err
	}
	for i := range 300 {
		if err := putNames(k.full, i, 100, 5); err != nil {
			return err
		}
	}
	return nil
}

func (k *killScript) fullPublish(ctx context.Context) error {
	_, err := k.full.Publish(ctx)
	return err
}

// describe sums up what a store shows.
func describe(s *store.Store) string {
	v := s.Snapshot()
	defer v.Release()
	h := sha256.New()
	fmt.Fprintln(h, v.Generation(), v.Counts())
	names := map[string]bool{"A": true, "B": true, "absent": true}
	v.Files(func(f graph.File) bool {
		facts, err := v.Facts(f.ID)
		fmt.Fprintln(h, f, err, facts)
		if f.ID%97 == 0 && facts != nil {
			names[facts.Defs[1].Name], names[facts.Refs[1].Name] = true, true
		}
		return true
	})
	for _, n := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintln(h, n, v.Definers(n), v.Referrers(n))
	}
	for _, key := range []string{"a", "b"} {
		value, ok, err := s.Meta(key)
		fmt.Fprintf(h, "%q %v %v\n", value, ok, err)
	}
	return fmt.Sprintf("generation %d, %d files, %x", v.Generation(), v.Len(), h.Sum(nil)[:8])
}

// TestKilledAtEveryStep kills a process at each step, the first or the last time that
// it is reached, and looks at what it left.
func TestKilledAtEveryStep(t *testing.T) {
	counts := map[store.Step]int{}
	var states []string
	whole := killScript{
		opt:  store.Options{Dir: t.TempDir(), Reached: func(s store.Step) { counts[s]++ }},
		done: func(s *store.Store) { states = append(states, describe(s)) },
	}
	if err := whole.run(); err != nil {
		t.Fatal(err)
	}
	for i, step := range store.Steps() {
		if counts[step] == 0 {
			t.Errorf("%s: never reached", step)
			continue
		}
		n := 1
		if i%2 == 1 {
			n = counts[step]
		}
		t.Run(fmt.Sprintf("%s/%d of %d", step, n, counts[step]), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "store")
			checkKilled(t, dir, states, killAt(t, dir, step, n))
		})
	}
}

// TestFullDiskAtEveryWrite lets the disk be full from the nth look at it on: each
// change is then made as a whole or not at all, and succeeds when there is space.
func TestFullDiskAtEveryWrite(t *testing.T) {
	var states []string
	looks := 0
	whole := killScript{
		opt:  store.Options{Dir: t.TempDir(), Free: func(string) (int64, error) { looks++; return 1 << 40, nil }},
		done: func(s *store.Store) { states = append(states, describe(s)) },
	}
	if err := whole.run(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 5))
	for range 12 {
		full := 2 + r.IntN(looks-2) // the first look is that of Open
		t.Run(fmt.Sprintf("%d of %d", full, looks), func(t *testing.T) {
			left := full
			free := func(string) (int64, error) {
				if left--; left <= 0 {
					return 1 << 20, nil
				}
				return 1 << 40, nil
			}
			done := 0
			k := killScript{opt: store.Options{Dir: t.TempDir(), Free: free}, done: func(*store.Store) { done++ }}
			if err := k.run(); !errors.Is(err, store.ErrFull) {
				t.Fatalf("after %d changes: %v, want ErrFull", done, err)
			}
			if got := describe(k.s); got != states[done-1] && got != states[done] {
				t.Errorf("after %d changes: %s; want one of %q", done, got, states[done-1:done+1])
			}
			left = 1 << 30
			if k.full != nil {
				k.full.Discard()
			}
			for _, f := range []func(context.Context) error{k.save(20, 50, 4), k.fullBegin, k.fullPublish, k.compact} {
				if err := f(t.Context()); err != nil {
					t.Fatalf("with space again: %v", err)
				}
			}
			if err := errors.Join(k.s.Check(t.Context()), k.s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}

// killAt runs a process until it is killed, and returns how many changes it made.
func killAt(t *testing.T, dir string, step store.Step, n int) (done int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, dir)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s;%d", killVar, step, n))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for sc := bufio.NewScanner(out); sc.Scan(); {
		done++
	}
	_ = cmd.Wait()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != syscall.SIGKILL {
		t.Fatalf("the process was not killed: %v", cmd.ProcessState)
	}
	return done
}

// checkKilled opens what a killed process left: it shows what was published before
// the change under way, or with it.
func checkKilled(t *testing.T, dir string, states []string, done int) {
	t.Helper()
	s := storetest.OpenDir(t, dir)
	got := describe(s)
	switch {
	case done > 0 && got == states[done-1]:
	case done < len(states) && got == states[done]:
	case done == 0 && s.Generation() == 0:
	default:
		t.Errorf("after %d changes: %s; want one of %q", done, got, states[max(0, done-1):min(len(states), done+1)])
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	again := killScript{s: s}
	for _, f := range []func(context.Context) error{again.save(20, 50, 4), again.fullBegin, again.fullPublish, again.compact} {
		if err := f(t.Context()); err != nil {
			t.Fatalf("after a kill: %v", err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("after further changes: %v", err)
	}
}
