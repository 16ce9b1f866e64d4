package bleveidx

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// Work that can never succeed must not be waited for.
func TestLostDirectory(t *testing.T) {
	for name, work := range map[string]func(context.Context, *Store) error{
		"write": func(ctx context.Context, s *Store) error {
			if err := s.Apply([]*Doc{doc(9, "nine")}, nil); err != nil {
				return err
			}
			return s.Flush(ctx)
		},
		// Scorch may have merged by itself what was written before: a new document makes
		// sure that there is something to do.
		"merge": func(ctx context.Context, s *Store) error {
			if err := s.Apply([]*Doc{doc(9, "nine")}, nil); err != nil {
				return err
			}
			return s.Merge(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "words")
			s, err := Open(dir, time.Second, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			for id := range uint32(3) {
				if err := s.Apply([]*Doc{doc(id, "word")}, nil); err != nil {
					t.Fatal(err)
				}
				if err := s.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Rename(dir, dir+".moved"); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := work(ctx, s); !errors.Is(err, ErrDamaged) {
				t.Errorf("%v, want %v", err, ErrDamaged)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTrouble(t *testing.T) {
	raised := func(tr *trouble) bool {
		select {
		case <-tr.channel():
			return true
		default:
			return false
		}
	}
	tr := newTrouble()
	full := fmt.Errorf("persist: %w", syscall.ENOSPC)
	for i := range patience {
		if raised(tr) {
			t.Fatalf("raised after %d failures", i)
		}
		tr.note(full)
	}
	tr.note(full)
	if err := tr.failure(); !raised(tr) || !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrDamaged) {
		t.Errorf("a full disk: raised %t, %v", raised(tr), err)
	}
	if tr.over(); raised(tr) || tr.failure() != nil {
		t.Error("still raised after a success")
	}
	tr.note(scorch.NewScorchError("persister", "panic: index out of range", scorch.ErrAsyncPanic))
	if tr.over(); !raised(tr) || !errors.Is(tr.failure(), ErrDamaged) {
		t.Errorf("a loop that panicked: raised %t, %v", raised(tr), tr.failure())
	}
}
