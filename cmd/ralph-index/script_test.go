package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary the program itself when a script, or a test,
// runs "ralph-index".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ralph-index": func() { os.Exit(mainCode()) },
		"ralph-stray": stray,
	})
}

// TestScripts runs testdata/script on the real engine.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			return os.MkdirAll(e.WorkDir+"/.git", 0o755)
		},
	})
}
