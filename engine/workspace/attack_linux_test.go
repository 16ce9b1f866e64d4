package workspace

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSwaps has the directory of every change replaced by a link that leads out of the
// workspace, or into the repository's own files, again and again.
func TestSwaps(t *testing.T) {
	for _, target := range []string{"out", ".git"} {
		t.Run(target, func(t *testing.T) {
			dir, out := hostile(t)
			write(t, filepath.Join(dir, "d/keep"), "k")
			if target == "out" {
				target = out
			}
			if err := os.Symlink(target, filepath.Join(dir, "evil")); err != nil {
				t.Fatal(err)
			}
			outside, git := snapshot(t, out), snapshot(t, filepath.Join(dir, ".git"))
			c := newChanger(t, dir, nil)
			ctx, stop := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			wg.Go(func() {
				if n, err := swap(ctx, dir); err != nil {
					t.Error(err)
				} else {
					t.Logf("%d swaps", n)
				}
			})
			done := 0
			for round := 0; round < swapRounds || done == 0; round++ {
				for _, err := range []error{
					func() error { _, err := c.write(ctx, "d/x", "evil"); return err }(),
					c.add(ctx, "d/y", "evil"),
					c.mkdir(ctx, "d/sub/deep"),
					c.both(ctx, c.Copy, "f", "d/copy", true),
					c.both(ctx, c.Move, "d/copy", "d/moved", true),
					c.remove(ctx, "d/sub", true),
					c.remove(ctx, "d/x", false),
				} {
					if err == nil {
						done++
					}
					if errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
				}
			}
			stop()
			wg.Wait()
			same(t, snapshot(t, out), outside)
			same(t, snapshot(t, filepath.Join(dir, ".git")), git)
			t.Logf("%d changes done", done)
		})
	}
}

const swapRounds = 100

// swap exchanges a directory and a link until it is stopped, and returns how often. Now
// and then it rests while the directory has its own name, so that changes get through.
func swap(ctx context.Context, dir string) (n int, err error) {
	for ctx.Err() == nil && err == nil {
		if n%2 == 0 {
			time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
		}
		err = unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, "d"), unix.AT_FDCWD, filepath.Join(dir, "evil"), unix.RENAME_EXCHANGE)
		n++
	}
	return n, err
}
