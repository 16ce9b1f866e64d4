package extract

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"slices"
	"strings"
)

// fingerprints has a line for each folder whose sources decide which facts are made: its
// path below this one, and a hash of its code. A test compares them with the sources,
// and writes them with -update; so no rule changes without its version.
//
//go:embed fingerprints.txt
var fingerprints string

// sharedFolders decide about the facts of every language.
func sharedFolders() []string {
	return []string{".", "../graph", "internal/rules", "internal/sitter", "internal/spec"}
}

// foldersOf lists the folders that hold the rules of a language: its own, and those of
// languages that stand in its files.
func foldersOf(language string) []string {
	switch language {
	case "cpp":
		return []string{"lang/c"}
	case "go":
		return []string{"lang/golang"}
	case "html", "svelte":
		return []string{"lang/css", "lang/markup", "lang/typescript"}
	case "javascript", "tsx":
		return []string{"lang/typescript"}
	case "gomod", "ini", "json", "toml":
		return []string{"lang/manifest"}
	case "notebook":
		return []string{"lang/notebook", "lang/python"}
	}
	return []string{"lang/" + language}
}

// stamp returns a word that is another when the code is that makes facts of a language;
// "" is the code that tells languages apart.
func stamp(language string) string {
	folders := sharedFolders()
	if language != "" {
		folders = slices.Concat(folders, foldersOf(language))
	}
	h := sha256.New()
	for line := range strings.Lines(fingerprints) {
		if folder, _, ok := strings.Cut(line, " "); ok && slices.Contains(folders, folder) {
			h.Write([]byte(line)) // never fails
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}
