package extract

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFingerprints compares fingerprints.txt with the sources that make facts. Run it
// with -update when it fails: old indexes then extract again what the change concerns.
func TestFingerprints(t *testing.T) {
	folders := sharedFolders()
	langs, err := filepath.Glob("lang/*")
	if err != nil || len(langs) == 0 {
		t.Fatalf("no languages (%v)", err)
	}
	folders = append(folders, langs...)
	slices.Sort(folders)
	var want strings.Builder
	for _, folder := range folders {
		fmt.Fprintf(&want, "%s %s\n", folder, hashOf(t, folder))
	}
	if want.String() == fingerprints {
		return
	}
	if !*update {
		t.Fatal("the code that makes facts has changed, and fingerprints.txt has not; run go test ./extract -update")
	}
	if err := os.WriteFile("fingerprints.txt", []byte(want.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each language has folders that are there, and each folder makes facts of some language.
func TestFoldersOfLanguages(t *testing.T) {
	used := map[string]bool{}
	for _, language := range Languages() {
		for _, folder := range foldersOf(language) {
			used[folder] = true
			if !strings.Contains(fingerprints, folder+" ") {
				t.Errorf("%s: no fingerprint of %s", language, folder)
			}
		}
		if v := Version(language); v == "" || !strings.HasSuffix(v, stamp(language)) {
			t.Errorf("%s: version %q", language, v)
		}
	}
	langs, _ := filepath.Glob("lang/*")
	for _, folder := range langs {
		if !used[folder] {
			t.Errorf("%s is the folder of no language", folder)
		}
	}
}

// hashOf is that of the code of a folder: of Go all but comments and layout, for they
// change nothing.
func hashOf(t *testing.T, folder string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && (folder == "." || folder == "../graph" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(path, "_test.go") || !decides(folder, d.Name()):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".go") {
			src = tokens(src)
		}
		fmt.Fprintf(h, "%s %d\n", filepath.ToSlash(path), len(src))
		h.Write(src)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if folder == "internal/sitter" {
		h.Write(grammars(t))
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// decides reports whether a file of a folder has a part in what facts are made.
func decides(folder, name string) bool {
	switch folder {
	case ".":
		return strings.HasSuffix(name, ".go") && name != "coverage.go" && name != "covered.go" && name != "fingerprint.go"
	case "../graph":
		return name == "role.go" || name == "doubt.go"
	}
	return true
}

// grammars are the lines of go.mod that say which grammars are built in.
func grammars(t *testing.T) []byte {
	t.Helper()
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	for line := range bytes.Lines(mod) {
		if bytes.Contains(line, []byte("tree-sitter")) {
			out = append(out, line...)
		}
	}
	if len(out) == 0 {
		t.Fatal("go.mod names no grammar")
	}
	return out
}

// tokens returns Go source without comments and layout.
func tokens(src []byte) []byte {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(src)), src, nil, 0)
	var out []byte
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.SEMICOLON {
			text = ";" // written or not
		}
		out = append(append(append(out, tok.String()...), ' '), text...)
		out = append(out, '\n')
	}
}
