package archtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/ralph-index/ralph-index"

type pkg struct {
	ImportPath string
	Dir        string
	Doc        string
	GoFiles    []string
	CgoFiles   []string
	Imports    []string
}

// layers says which of our packages a package may import. The longest prefix that
// matches decides; a pattern that ends in "/" covers everything below it.
// Every package may import the packages below its own path.
var layers = map[string][]string{
	"graph":                     {},
	"graph/blob":                {"graph"},
	"graph/graphtest":           {"graph"},
	"graph/store":               {"graph", "graph/blob"},
	"graph/query":               {"graph"},
	"graph/resolve/":            {"graph"},
	"graph/resolve/resolvetest": {"graph", "graph/graphtest", "extract"},
	"extract":                   {"graph", "graph/blob"},
	"lexical":                   {"graph"},
	"freshness":                 {"graph"},
	"engine/api":                {"graph", "graph/query"},
	"engine/share":              {"graph", "engine/api"},
	"engine/workspace":          {"graph", "freshness/", "engine/api"},
	"engine/edit":               {},
	"engine/evidence":           {"graph"},
	"engine/rank":               {"graph"},
	"engine/indexer":            {"graph", "graph/blob", "graph/store", "extract/", "lexical/", "freshness/", "engine/api"},
	"engine":                    {"graph/", "extract/", "lexical/", "freshness/", "engine/"},
	"mcpserver/tool":            {"engine/api"},
	"mcpserver/session":         {"mcpserver/tool"},
	"mcpserver/client":          {},
	"mcpserver/internal/":       {"mcpserver/tool", "mcpserver/session", "engine/api"},
	"mcpserver/tools/":          {"mcpserver/tool", "graph", "graph/query", "engine", "engine/api"},
	"mcpserver":                 {"mcpserver/", "graph", "graph/query", "engine", "engine/api"},
	"cmd/ralph-index":           {"mcpserver/", "engine/", "graph/", "extract/worker"},
	"cmd/ralph-bench":           {"bench/", "corpus/", "engine/", "mcpserver/", "graph/", "extract/", "lexical/", "freshness/"},
	"bench":                     {"bench/", "corpus/", "engine/", "mcpserver/", "graph/", "extract/", "lexical/", "freshness/"},
	"bench/crowd":               {"mcpserver/client"},
	"corpus":                    {},
	"engine/internal/":          {},
}

// owners says which package alone may import a module.
var owners = map[string]string{
	"github.com/smacker/go-tree-sitter": "extract/internal/sitter",
	"github.com/dgraph-io/badger":       "graph/store/internal/kv",
	"github.com/blevesearch/":           "lexical/internal/bleveidx",
	"github.com/mark3labs/mcp-go":       "mcpserver/internal/sdk",
	"github.com/fsnotify/fsnotify":      "freshness/watch",
	"github.com/spf13/cobra":            "cmd/",
}

// refused lists imports that a part of the tree may not use, and why.
var refused = []struct{ part, imp, why string }{
	{"graph", "os", "the shared words do no I/O"},
	{"graph", "net", "the shared words do no I/O"},
	{"mcpserver/tools/", "os", "a handler calls one engine method"},
	{"mcpserver/tools/", "os/exec", "a handler calls one engine method"},
	{"mcpserver/tools/", "net/http", "a handler calls one engine method"},
}

// topLevel is the fixed set of folders at the root that may hold Go code.
var topLevel = []string{"engine", "extract", "graph", "lexical", "freshness", "mcpserver", "cmd", "bench", "corpus"}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,GoFiles,CgoFiles,Imports", module+"/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) < 5 {
		t.Fatalf("go list found %d packages", len(pkgs))
	}
	return pkgs
}

func rel(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
}

func covers(pattern, path string) bool {
	if p, ok := strings.CutSuffix(pattern, "/"); ok {
		return path == p || strings.HasPrefix(path, pattern)
	}
	return path == pattern
}

func under(dir, path string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// lawOf returns the layer with the longest name that the package lies in.
func lawOf(path string) (name string, allowed []string, ok bool) {
	for layer, a := range layers {
		dir := strings.TrimSuffix(layer, "/")
		if under(dir, path) && len(dir) > len(name) {
			name, allowed, ok = dir, a, true
		}
	}
	return name, allowed, ok
}

func TestImportLaw(t *testing.T) {
	for _, p := range listPackages(t) {
		path := rel(p.ImportPath)
		layer, allowed, ok := lawOf(path)
		if !ok {
			t.Errorf("%s: no layer covers it; add one to the table and to ARCHITECTURE.md", path)
			continue
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, module) {
				checkOutside(t, path, imp)
				continue
			}
			if to := rel(imp); !under(layer, to) && !anyCovers(allowed, to) {
				t.Errorf("%s imports %s: %s may import only %v", path, to, layer, allowed)
			}
		}
	}
}

func anyCovers(patterns []string, path string) bool {
	for _, a := range patterns {
		if covers(a, path) {
			return true
		}
	}
	return false
}

func checkOutside(t *testing.T, path, imp string) {
	t.Helper()
	for dep, owner := range owners {
		if strings.HasPrefix(imp, dep) && !under(strings.TrimSuffix(owner, "/"), path) {
			t.Errorf("%s imports %s: only %s may", path, imp, owner)
		}
	}
	for _, r := range refused {
		if covers(r.part, path) && imp == r.imp {
			t.Errorf("%s imports %s: %s", path, imp, r.why)
		}
	}
	if path == "graph" && strings.Contains(imp, ".") {
		t.Errorf("graph imports %s: it depends on the standard library alone", imp)
	}
}

func TestTopLevelFolders(t *testing.T) {
	for _, p := range listPackages(t) {
		first, _, _ := strings.Cut(rel(p.ImportPath), "/")
		ok := false
		for _, f := range topLevel {
			ok = ok || f == first
		}
		if !ok {
			t.Errorf("%s: Go code lives under %v", p.ImportPath, topLevel)
		}
		switch filepath.Base(p.Dir) {
		case "util", "utils", "common", "helpers", "misc":
			t.Errorf("%s: a package is named for what it does", p.ImportPath)
		}
	}
}

func TestPackageComments(t *testing.T) {
	for _, p := range listPackages(t) {
		if p.Doc == "" && len(p.GoFiles)+len(p.CgoFiles) > 0 {
			t.Errorf("%s: no package comment", p.ImportPath)
		}
	}
}

// TestArchitectureNamesPackages keeps the map of ARCHITECTURE.md equal to the tree:
// each line of its package table begins with a package path in back quotes.
func TestArchitectureNamesPackages(t *testing.T) {
	f, err := os.Open(filepath.Join(root(t), "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	named := map[string]bool{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if cell, ok := strings.CutPrefix(sc.Text(), "| `"); ok {
			name, _, _ := strings.Cut(cell, "`")
			named[name] = true
		}
	}
	for _, p := range listPackages(t) {
		path := rel(p.ImportPath)
		if !named[path] {
			t.Errorf("ARCHITECTURE.md does not name %s", path)
		}
		delete(named, path)
	}
	for name := range named {
		if strings.Contains(name, "/") || layers[name] != nil {
			t.Errorf("ARCHITECTURE.md names %s, which does not exist", name)
		}
	}
}

func TestGoModHasNoReplace(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "replace") {
			t.Errorf("go.mod: %s", line)
		}
	}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
