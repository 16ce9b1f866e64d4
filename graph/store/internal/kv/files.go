package kv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// checkFiles looks at the names of the files and at how they begin. An Open of
// Badger's that stumbles over one half way leaves goroutines and open files behind,
// or ends the process.
func checkFiles(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	for _, e := range entries {
		log := isLog(e.Name())
		switch {
		case e.Name() == badger.KeyRegistryFileName, e.Name() == "DISCARD", e.Name() == "LOCK", log:
		default:
			continue
		}
		err := error(nil)
		if !e.Type().IsRegular() {
			err = errors.New("not a regular file")
		} else if log {
			err = checkLog(filepath.Join(dir, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %s: %w", ErrCorrupt, e.Name(), err)
		}
	}
	if _, err := badger.OpenKeyRegistry(badger.KeyRegistryOptions{Dir: dir, ReadOnly: true}); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}

func isLog(name string) bool {
	return strings.HasSuffix(name, ".mem") || strings.HasSuffix(name, ".vlog")
}

// checkLog checks that a log has a number and was written without a key.
func checkLog(path string) error {
	base := filepath.Base(path)
	if _, err := strconv.ParseUint(strings.TrimSuffix(base, filepath.Ext(base)), 10, 32); err != nil {
		return fmt.Errorf("number of a log: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	defer func() { _ = f.Close() }()
	var keyID [8]byte
	switch _, err := io.ReadFull(f, keyID[:]); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil // a process that ended when it had just made it
	case err != nil:
		return fmt.Errorf("read log: %w", err)
	case !bytes.Equal(keyID[:], make([]byte, len(keyID))):
		return errors.New("the log does not begin as one")
	}
	return nil
}
