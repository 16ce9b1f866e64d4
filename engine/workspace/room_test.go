package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const page = 4096

func pages(n int, with string) string { return strings.Repeat(with, n*page/len(with)) }

// large are changes that need room, of the tree that plantLarge makes.
func large() map[string]change {
	renamed, begun := []Step{StepRename}, []Step{StepWrite, StepRename}
	return map[string]change{
		"large write": {do: func(ctx context.Context, c *changer) error {
			_, err := c.write(ctx, "f", pages(6, "new."))
			return err
		}, steps: begun},
		"large make": {do: func(ctx context.Context, c *changer) error {
			_, err := c.write(ctx, "n", pages(6, "new."))
			return err
		}, steps: begun},
		"large edit": {do: func(ctx context.Context, c *changer) error {
			n, err := c.named("link")
			if err != nil {
				return err
			}
			_, err = c.Update(ctx, n.Root, n.Path, func(old []byte) ([]byte, error) {
				return []byte(strings.ReplaceAll(string(old), "ff", "longer")), nil
			})
			return err
		}, steps: begun},
		"large append":    {do: func(ctx context.Context, c *changer) error { return c.add(ctx, "d/y", pages(3, "more")) }, steps: begun},
		"large copy":      {do: func(ctx context.Context, c *changer) error { return c.both(ctx, c.Copy, "f", "n", false) }, steps: begun},
		"large copy over": {do: func(ctx context.Context, c *changer) error { return c.both(ctx, c.Copy, "f", "g", true) }, steps: begun},
		"large copy tree": {do: func(ctx context.Context, c *changer) error { return c.both(ctx, c.Copy, "d", "n", false) }, steps: begun},
		"large move":      {do: func(ctx context.Context, c *changer) error { return c.both(ctx, c.Move, "d", "n", false) }, steps: renamed},
		"large move over": {do: func(ctx context.Context, c *changer) error { return c.both(ctx, c.Move, "f", "g", true) }, steps: renamed},
		"large in place": {do: func(ctx context.Context, c *changer) error {
			_, err := c.write(ctx, "one", pages(6, "new."))
			return err
		}},
		"small in place": {do: func(ctx context.Context, c *changer) error {
			_, err := c.write(ctx, "one", "new")
			return err
		}},
	}
}

func plantLarge(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"f": pages(3, "ff"), "g": pages(2, "g"), "d/y": pages(3, "y"), "d/sub/x": pages(2, "x"), "one": pages(3, "o"),
	} {
		write(t, filepath.Join(dir, name), text)
	}
	for _, err := range []error{
		os.Link(filepath.Join(dir, "one"), filepath.Join(dir, "two")), os.Symlink("f", filepath.Join(dir, "link")),
		os.MkdirAll(filepath.Join(dir, IndexDir), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}
