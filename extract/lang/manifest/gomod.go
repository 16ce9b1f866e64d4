package manifest

import (
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// goMod reads go.mod and go.work.
func goMod(b *spec.Builder) {
	if b.Path.Base() == "go.work" {
		goWork(b)
		return
	}
	f, err := modfile.ParseLax("go.mod", b.Src, nil)
	if err != nil {
		invalid(b)
		return
	}
	if f.Module != nil {
		put(b, "module", f.Module.Mod.Path)
		defineModule(b, f.Module.Mod.Path, f.Module.Syntax)
	}
	if f.Go != nil {
		put(b, "go", f.Go.Version)
	}
	for _, r := range f.Require {
		put(b, "require", r.Mod.Path+" "+r.Mod.Version)
	}
	putReplaces(b, modReplaces(b))
}

func goWork(b *spec.Builder) {
	f, err := modfile.ParseWork("go.work", b.Src, nil)
	if err != nil {
		invalid(b)
		return
	}
	if f.Go != nil {
		put(b, "go", f.Go.Version)
	}
	for _, u := range f.Use {
		put(b, "use", u.Path)
	}
	putReplaces(b, f.Replace)
}

// modReplaces returns the replace directives, which the lax parser leaves out.
func modReplaces(b *spec.Builder) []*modfile.Replace {
	f, err := modfile.Parse("go.mod", b.Src, nil)
	if err != nil {
		return nil
	}
	return f.Replace
}

func putReplaces(b *spec.Builder, rs []*modfile.Replace) {
	for _, r := range rs {
		put(b, "replace", strings.TrimSpace(r.Old.Path+" "+r.Old.Version)+" => "+strings.TrimSpace(r.New.Path+" "+r.New.Version))
	}
}

func defineModule(b *spec.Builder, path string, line *modfile.Line) {
	start, end := line.Start.Byte, line.End.Byte
	at := strings.Index(string(b.Src[start:end]), path)
	if at < 0 || path == "" { // quoted
		return
	}
	entry(b, graph.KindModule, path, path, start+at, start+at+len(path), start, end)
}
