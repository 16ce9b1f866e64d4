package extract

import (
	"sync"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/extract/lang/bash"
	"github.com/ralph-index/ralph-index/extract/lang/c"
	"github.com/ralph-index/ralph-index/extract/lang/csharp"
	"github.com/ralph-index/ralph-index/extract/lang/css"
	"github.com/ralph-index/ralph-index/extract/lang/cue"
	"github.com/ralph-index/ralph-index/extract/lang/dockerfile"
	"github.com/ralph-index/ralph-index/extract/lang/elixir"
	"github.com/ralph-index/ralph-index/extract/lang/elm"
	"github.com/ralph-index/ralph-index/extract/lang/golang"
	"github.com/ralph-index/ralph-index/extract/lang/groovy"
	"github.com/ralph-index/ralph-index/extract/lang/hcl"
	"github.com/ralph-index/ralph-index/extract/lang/java"
	"github.com/ralph-index/ralph-index/extract/lang/kotlin"
	"github.com/ralph-index/ralph-index/extract/lang/lua"
	"github.com/ralph-index/ralph-index/extract/lang/makefile"
	"github.com/ralph-index/ralph-index/extract/lang/manifest"
	"github.com/ralph-index/ralph-index/extract/lang/markdown"
	"github.com/ralph-index/ralph-index/extract/lang/markup"
	"github.com/ralph-index/ralph-index/extract/lang/notebook"
	"github.com/ralph-index/ralph-index/extract/lang/ocaml"
	"github.com/ralph-index/ralph-index/extract/lang/php"
	"github.com/ralph-index/ralph-index/extract/lang/protobuf"
	"github.com/ralph-index/ralph-index/extract/lang/python"
	"github.com/ralph-index/ralph-index/extract/lang/ruby"
	"github.com/ralph-index/ralph-index/extract/lang/rust"
	"github.com/ralph-index/ralph-index/extract/lang/scala"
	"github.com/ralph-index/ralph-index/extract/lang/sql"
	"github.com/ralph-index/ralph-index/extract/lang/swift"
	"github.com/ralph-index/ralph-index/extract/lang/typescript"
	"github.com/ralph-index/ralph-index/extract/lang/yaml"
)

// languages lists what can be extracted. The tables of some are worked out from
// others, which is done once.
//
//nolint:gochecknoglobals // immutable
var languages = sync.OnceValue(listLanguages)

// listLanguages has a line for each language package, whose names are in detect.go.
func listLanguages() []spec.Language {
	list := []spec.Language{
		bash.Language(),
		css.Language(),
		cue.Language(),
		dockerfile.Language(),
		golang.Language(),
		java.Language(),
		hcl.Language(),
		lua.Language(),
		makefile.Language(),
		markdown.Language(),
		protobuf.Language(),
		python.Language(),
		groovy.Language(),
		ocaml.Language(),
		elm.Language(),
		elixir.Language(),
		swift.Language(),
		scala.Language(),
		kotlin.Language(),
		csharp.Language(),
		rust.Language(),
		php.Language(),
		ruby.Language(),
		sql.Language(),
		yaml.Language(),
	}
	list = append(list, notebook.Language(python.Language().Version))
	scripts := typescript.Languages()
	list = append(list, scripts...)
	list = append(list, markup.Languages(scripts[0].Version, css.Language().Version)...)
	list = append(list, c.Languages()...)
	return append(list, manifest.Languages()...)
}

// Languages returns the values that Detect may give, in a fixed order.
func Languages() []string {
	var names []string
	for _, l := range languages() {
		names = append(names, l.Name)
	}
	return names
}

// Version returns the version of a language's rules, or "" for a language that is not
// extracted: what stands in Facts.Extractor, and a stamp of the code. Facts of another
// version must be made anew. The version of no language, "", is that of the rules by
// which texts are known whose names say nothing.
func Version(language string) string {
	if language == "" {
		return detection + "+" + stamp("")
	}
	if l, ok := find(language); ok {
		return l.Version + "+" + stamp(language)
	}
	return ""
}

func find(language string) (spec.Language, bool) {
	for _, l := range languages() {
		if l.Name == language {
			return l, true
		}
	}
	return spec.Language{}, false
}
