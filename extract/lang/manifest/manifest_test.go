package manifest_test

import (
	"flag"
	"slices"
	"testing"

	"github.com/ralph-index/ralph-index/extract/extracttest"
	"github.com/ralph-index/ralph-index/extract/lang/manifest"
	"github.com/ralph-index/ralph-index/graph"
)

var _ = flag.Bool("update", false, "rewrite the golden facts")

func TestGolden(t *testing.T) { extracttest.Golden(t, "testdata/*.txtar") }

func TestSetupPy(t *testing.T) {
	var f graph.Facts
	manifest.SetupPy(&f, []byte("from setuptools import setup\nsetup(\n    name='thing',\n    package_dir={'': 'src'},\n)\n"))
	if len(f.Manifest) != 2 || f.Manifest[0].Value != "thing" || f.Manifest[1].Value != "src" {
		t.Errorf("manifest %v", f.Manifest)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add("package.json", "{\"name\":\"x\",}")
	f.Add("tsconfig.json", "{/*")
	f.Add("go.mod", "module x\n")
	f.Add("pyproject.toml", "[a]\nb=1\n")
	f.Add("setup.cfg", "[a]\nb=1\n c\n")
	names := []string{"package.json", "tsconfig.json", "go.mod", "go.work", "pyproject.toml", "Cargo.toml", "setup.cfg", "a.json", "a.toml", "a.ini"}
	f.Fuzz(func(t *testing.T, name, src string) {
		if slices.Contains(names, name) {
			extracttest.Extract(t, name, src)
			return
		}
		for _, name := range names { // a name that the fuzzer made up means all
			extracttest.Extract(t, name, src)
		}
	})
}
