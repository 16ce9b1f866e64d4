// Package corpus names the trees that tests and benchmarks run on: small workspaces
// that are part of the repository, and large public ones that are fetched, pinned,
// through package registries. It holds data and fetches it; it measures nothing and
// imports nothing of ours.
package corpus

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed manifest.json workspaces/*.txtar truth/*.txtar callers/*.txt
var data embed.FS

// Tree is a large public tree.
type Tree struct {
	Name    string `json:"name"`
	Source  string `json:"source"` // debian, npm, goroot
	Package string `json:"package,omitempty"`
	Version string `json:"version,omitempty"`
	// Files is the number of files that landed when the version was pinned: a
	// different number means that the registry gave something else.
	Files int    `json:"files,omitempty"`
	Why   string `json:"why"`
}

// Trees lists the large trees.
func Trees() ([]Tree, error) {
	b, err := data.ReadFile("manifest.json")
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	var out []Tree
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	return out, nil
}

// Find returns the tree of that name.
func Find(name string) (Tree, error) {
	trees, err := Trees()
	if err != nil {
		return Tree{}, err
	}
	names := make([]string, 0, len(trees))
	for _, t := range trees {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Tree{}, fmt.Errorf("no tree %q; there are %s", name, strings.Join(names, ", "))
}

// Workspaces lists the small workspaces by name.
func Workspaces() ([]string, error) { return archives("workspaces") }

// Slices lists the small workspaces whose remarks say what a compiler knows of them: one
// for each language with binding rules of its own, named for it.
func Slices() ([]string, error) { return archives("truth") }

func archives(dir string) ([]string, error) {
	files, err := fs.Glob(data, dir+"/*.txtar")
	if err != nil {
		return nil, fmt.Errorf("list workspaces: %w", err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".txtar")
	}
	return files, nil
}

// Workspace writes a small workspace into dir and returns its comment.
func Workspace(name, dir string) (comment string, err error) {
	a, err := archive("workspaces/"+name, dir)
	if err != nil {
		return "", err
	}
	return string(a.Comment), nil
}

// Slice writes a workspace that Slices lists into dir and returns its files.
func Slice(name, dir string) (files map[string]string, err error) {
	a, err := archive("truth/"+name, dir)
	if err != nil {
		return nil, err
	}
	files = map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	return files, nil
}

func archive(name, dir string) (*txtar.Archive, error) {
	b, err := data.ReadFile(name + ".txtar")
	if err != nil {
		return nil, fmt.Errorf("read workspace: %w", err)
	}
	a := txtar.Parse(b)
	for _, f := range a.Files {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return nil, fmt.Errorf("write workspace: %w", err)
		}
		if err := os.WriteFile(to, f.Data, 0o644); err != nil {
			return nil, fmt.Errorf("write workspace: %w", err)
		}
	}
	return a, nil
}

// Callers is a list of places that are known to use a symbol, checked by hand
// against the text.
type Callers struct {
	Tree   string
	Symbol string
	// Want holds "file:line caller" each: the line of the use, and the qualified
	// name of the definition that holds it.
	Want []string
	// Tests holds paths of test files that exercise the symbol.
	Tests []string
}

// KnownCallers reads the lists of a tree. A file is named TREE-ANYTHING.txt; its
// lines are "symbol NAME", "test PATH" or "file:line caller"; # begins a comment.
func KnownCallers(tree string) ([]Callers, error) {
	files, err := fs.Glob(data, "callers/"+tree+"-*.txt")
	if err != nil {
		return nil, fmt.Errorf("list callers: %w", err)
	}
	var out []Callers
	for _, name := range files {
		b, err := data.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read callers: %w", err)
		}
		c := Callers{Tree: tree}
		for line := range strings.Lines(string(b)) {
			line = strings.TrimSpace(line)
			word, rest, _ := strings.Cut(line, " ")
			switch {
			case line == "" || strings.HasPrefix(line, "#"):
			case word == "symbol":
				c.Symbol = rest
			case word == "test":
				c.Tests = append(c.Tests, rest)
			default:
				c.Want = append(c.Want, line)
			}
		}
		out = append(out, c)
	}
	return out, nil
}
