package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

const (
	maxFileLines = 500
	maxFuncLines = 80
)

// TestSizes keeps files and functions within a page's reach, and refuses init.
func TestSizes(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, name := range append(p.GoFiles, p.CgoFiles...) {
			checkFile(t, filepath.Join(p.Dir, name))
		}
	}
}

func checkFile(t *testing.T, path string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
	if err != nil {
		t.Error(err)
		return
	}
	name := strings.TrimPrefix(path, root(t)+"/")
	if n := fset.File(f.Pos()).LineCount(); n > maxFileLines {
		t.Errorf("%s has %d lines; split it at %d", name, n, maxFileLines)
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if fn.Recv == nil && fn.Name.Name == "init" {
			t.Errorf("%s: no init functions; wire it where it is used", name)
		}
		from, to := fset.Position(fn.Pos()), fset.Position(fn.End())
		if n := to.Line - from.Line + 1; n > maxFuncLines {
			t.Errorf("%s:%d: %s has %d lines; the limit is %d", name, from.Line, fn.Name.Name, n, maxFuncLines)
		}
	}
}
