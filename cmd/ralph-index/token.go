package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const tokenBytes = 32

// minToken is the fewest characters of a token that a person chose.
const minToken = 16

// token is what HTTP clients must carry, and where they find it.
type token struct {
	text, file string
	remove     []string // what was made for this run alone, inner first
}

// forget removes what was made for this run alone.
func (t *token) forget() {
	for _, path := range t.remove {
		_ = os.Remove(path) // it holds nothing that is of use after the run
	}
}

// token returns the token in a file, or writes a new one there, readable by the
// owner alone. An empty path is a new file of the runtime directory.
func (a *app) token(path string) (token, error) {
	t := token{file: path}
	if path == "" {
		dir := a.getenv("XDG_RUNTIME_DIR")
		if dir == "" {
			made, err := os.MkdirTemp("", "ralph-index-")
			if err != nil {
				return token{}, fmt.Errorf("make a directory for the token: %w", err)
			}
			dir = made
			t.remove = []string{made}
		}
		t.file = filepath.Join(dir, fmt.Sprintf("ralph-index-%d.token", os.Getpid()))
		t.remove = append([]string{t.file}, t.remove...)
		if err := os.Remove(t.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return token{}, fmt.Errorf("remove old token: %w", err)
		}
	}
	raw, err := os.ReadFile(t.file)
	switch {
	case err == nil:
		t.text, err = checkToken(t.file, raw)
		return t, err
	case !errors.Is(err, fs.ErrNotExist):
		return token{}, fmt.Errorf("read token: %w", err)
	}
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // never fails
	t.text = hex.EncodeToString(secret)
	f, err := os.OpenFile(t.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return token{}, fmt.Errorf("write token: %w", err)
	}
	_, err = f.WriteString(t.text + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return token{}, fmt.Errorf("write token: %w", err)
	}
	return t, nil
}

func checkToken(path string, raw []byte) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", usage(fmt.Errorf("%s can be read by others; run: chmod 600 %s", path, path))
	}
	text := strings.TrimSpace(string(raw))
	if len(text) < minToken {
		return "", usage(fmt.Errorf("the token in %s is shorter than %d characters; remove the file for a new one", path, minToken))
	}
	return text, nil
}
