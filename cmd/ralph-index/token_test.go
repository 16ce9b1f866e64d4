package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestToken(t *testing.T) {
	dir := t.TempDir()
	a := &app{env: env{getenv: func(k string) string {
		if k == "XDG_RUNTIME_DIR" {
			return dir
		}
		return ""
	}}}
	for _, path := range []string{"", filepath.Join(dir, "own")} {
		token, file, err := a.token(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 || len(token) != 2*tokenBytes || filepath.Dir(file) != dir {
			t.Errorf("token %q in %s: %v, %v", token, file, info, err)
		}
		again, _, err := a.token(file)
		if err != nil || again != token {
			t.Errorf("read again: %q, %v", again, err)
		}
	}
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		says string
	}{
		"short": {"abc\n", 0o600, "shorter than"},
		"open":  {strings.Repeat("a", 40), 0o644, "chmod 600"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if _, _, err := a.token(path); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
