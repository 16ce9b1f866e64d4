package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Whoever takes events sets and ends watches in between: neither may wait for the
// events that are still to be taken. A watched directory that is moved and then
// removed makes the library hold its lock while it hands an error out.
func TestWatchesDoNotWaitForEvents(t *testing.T) {
	root := t.TempDir()
	src, err := newKernel()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}()
	dir := func(name string, i int) string { return filepath.Join(root, fmt.Sprint(name, i)) }
	const rounds = 20
	for i := range rounds {
		for _, name := range []string{"watched", "other"} {
			if err := os.Mkdir(dir(name, i), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := src.Add(dir(name, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range rounds {
		if err := os.WriteFile(filepath.Join(dir("other", i), "f"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(dir("watched", i), dir("moved", i)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(dir("moved", i)); err != nil {
			t.Fatal(err)
		}
	}
	heard := 0
	for i := range rounds {
		done := make(chan error, 1)
		go func() { done <- src.Remove(dir("other", i)) }()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(long):
			t.Fatalf("watch %d is not removed while events wait", i)
		}
		select {
		case <-src.Events():
			heard++
		case <-src.Errors():
		case <-time.After(long):
			t.Fatalf("nothing is heard after %d events", heard)
		}
	}
	if heard == 0 {
		t.Error("no event")
	}
}

// More than can be kept are told as lost, and it goes on.
func TestEventsThatNobodyTakes(t *testing.T) {
	root := t.TempDir()
	src, err := newKernel()
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if err := src.Add(root); err != nil {
		t.Fatal(err)
	}
	// Two files by turns: an event that repeats the last one in the queue takes no room.
	names := [...]string{filepath.Join(root, "f"), filepath.Join(root, "g")}
	for deadline := time.Now().Add(long); ; {
		for i := range 5000 {
			if err := os.WriteFile(names[i%2], []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case err := <-src.Errors():
			if !errors.Is(err, ErrOverflow) {
				t.Fatal(err)
			}
			return
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was lost")
		}
	}
}
