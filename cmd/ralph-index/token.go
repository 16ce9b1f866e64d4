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

// token returns the token of HTTP clients and the file that holds it: the one in
// path, or a new one written there, readable by the owner alone. An empty path
// is a file of the runtime directory.
func (a *app) token(path string) (token, file string, err error) {
	if path == "" {
		dir := a.getenv("XDG_RUNTIME_DIR")
		if dir == "" {
			if dir, err = os.MkdirTemp("", "ralph-index-"); err != nil {
				return "", "", fmt.Errorf("make a directory for the token: %w", err)
			}
		}
		path = filepath.Join(dir, fmt.Sprintf("ralph-index-%d.token", os.Getpid()))
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", "", fmt.Errorf("remove old token: %w", err)
		}
	}
	raw, err := os.ReadFile(path)
	switch {
	case err == nil:
		return readToken(path, raw)
	case !errors.Is(err, fs.ErrNotExist):
		return "", "", fmt.Errorf("read token: %w", err)
	}
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // never fails
	token = hex.EncodeToString(secret)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", "", fmt.Errorf("write token: %w", err)
	}
	_, err = f.WriteString(token + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return "", "", fmt.Errorf("write token: %w", err)
	}
	return token, path, nil
}

func readToken(path string, raw []byte) (string, string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", "", fmt.Errorf("read token: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", "", usage(fmt.Errorf("%s can be read by others; run: chmod 600 %s", path, path))
	}
	token := strings.TrimSpace(string(raw))
	if len(token) < minToken {
		return "", "", usage(fmt.Errorf("the token in %s is shorter than %d characters; remove the file for a new one", path, minToken))
	}
	return token, path, nil
}
