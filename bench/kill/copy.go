package kill

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// copyTree copies what is in a directory while others change it: what is gone
// meanwhile is left out, and so is what is neither file, directory nor link.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if err = copyEntry(filepath.Join(to, rel), path, d); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

func copyEntry(to, from string, d fs.DirEntry) error {
	switch {
	case d.IsDir():
		return os.MkdirAll(to, 0o755)
	case d.Type() == fs.ModeSymlink:
		where, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(where, to)
	case !d.Type().IsRegular():
		return nil
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}
