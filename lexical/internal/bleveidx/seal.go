package bleveidx

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
)

// A closed index is sealed: beside its files lies a hash over all of them. Bolt and
// the segments map their files and follow offsets that they read there; damaged
// ones lead them anywhere, which no recover can mend. So an index whose seal does
// not match is refused before anything is mapped. After a crash there is no seal:
// both stores are written to survive that.

// sealName is the file beside the directory that holds the hash.
func sealName(dir string) string { return dir + ".seal" }

var errSeal = errors.New("files are not those that were closed")

// checkSeal compares the files with the seal, if there is one.
func checkSeal(dir string) error {
	want, err := os.ReadFile(sealName(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	got, err := hashFiles(dir)
	if err != nil {
		return err
	}
	if string(want) != got {
		return errSeal
	}
	return nil
}

// breakSeal is called once the files are ours to change.
func breakSeal(dir string) error {
	if err := os.Remove(sealName(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func seal(dir string) error {
	sum, err := hashFiles(dir)
	if err != nil {
		return err
	}
	if err := os.WriteFile(sealName(dir), []byte(sum), 0o600); err != nil {
		return errors.Join(err, breakSeal(dir)) // a part of one would be that of other files
	}
	return nil
}

// hashFiles hashes names and contents of all files below dir.
func hashFiles(dir string) (string, error) {
	h := xxhash.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // read only
		_, _ = h.WriteString(path[len(dir):] + "\x00")
		_, err = io.Copy(h, f)
		return err
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%016x\n", h.Sum64()), nil
}
