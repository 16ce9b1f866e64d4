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
		got, err := a.token(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(got.file)
		if err != nil || info.Mode().Perm() != 0o600 || len(got.text) != 2*tokenBytes || filepath.Dir(got.file) != dir {
			t.Errorf("token %+v: %v, %v", got, info, err)
		}
		again, err := a.token(got.file)
		if err != nil || again.text != got.text {
			t.Errorf("read again: %+v, %v", again, err)
		}
		got.forget()
		if _, err := os.Stat(got.file); (err == nil) != (path != "") {
			t.Errorf("after the run, %s: %v", got.file, err)
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
		if _, err := a.token(path); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
