// Package manifest extracts the facts of project files: what a go.mod, package.json,
// tsconfig.json, pyproject.toml, Cargo.toml or setup.cfg says that a resolver needs, as pairs
// (extract lists the keys), and their named entries as definitions. Of other files of
// these forms it takes the entries alone.
//
// It reads no code: of setup.py, which is Python, it takes the few literal arguments
// that name the project. Only extract calls it.
package manifest

import (
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Languages returns the languages of project files.
func Languages() []spec.Language {
	return []spec.Language{
		{Name: "gomod", Version: "gomod/1", Extract: goMod},
		{Name: "json", Version: "json/2", Extract: jsonFile},
		{Name: "toml", Version: "toml/7", Extract: tomlFile},
		{Name: "ini", Version: "ini/3", Extract: iniFile},
	}
}

func put(b *spec.Builder, key, value string) {
	b.Facts.Manifest = append(b.Facts.Manifest, graph.Pair{Key: key, Value: value})
}

// invalid marks a file that does not parse: what was read before stays.
func invalid(b *spec.Builder) {
	b.Facts.Status, b.Facts.Reason = graph.StatusPartial, "invalid"
}

// entry defines a named entry. name holds the bytes of its key, whole those of the
// entry; both are offsets into the text.
func entry(b *spec.Builder, kind graph.Kind, name, local string, nameStart, nameEnd, start, end int) int32 {
	return b.AddDef(graph.Def{
		Name: name, Local: local, Kind: kind, Flags: graph.FlagExported,
		Span: b.SpanBetween(uint32(start), uint32(end)), NameSpan: b.SpanBetween(uint32(nameStart), uint32(nameEnd)),
	})
}
