package sitter

// #include "flatten.h"
import "C"

import (
	"fmt"
	"unsafe"

	binding "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/css"
	"github.com/smacker/go-tree-sitter/cue"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/elm"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/svelte"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"github.com/smacker/go-tree-sitter/yaml"
)

// Grammar is one compiled grammar. The zero value is not usable: a Grammar comes
// from one of the accessors below, which are cheap and safe for concurrent use.
// Adding a grammar is an import and an accessor.
type Grammar struct {
	name string
	load func() *binding.Language
	// begin is called before each parse, and what it returns after it, of a grammar
	// whose scanner keeps something from text to text.
	begin func() (end func())
}

// CLang returns the grammar of C; cgo keeps the name C for itself.
func CLang() Grammar { return Grammar{name: "c", load: c.GetLanguage} }

// CPP returns the grammar of C++.
func CPP() Grammar { return Grammar{name: "cpp", load: cpp.GetLanguage} }

// Go returns the grammar of Go.
func Go() Grammar { return Grammar{name: "go", load: golang.GetLanguage} }

// Java returns the grammar of Java.
func Java() Grammar { return Grammar{name: "java", load: java.GetLanguage} }

// Python returns the grammar of Python 3.
func Python() Grammar { return Grammar{name: "python", load: python.GetLanguage} }

// Rust returns the grammar of Rust.
func Rust() Grammar { return Grammar{name: "rust", load: rust.GetLanguage} }

// TypeScript returns the grammar of TypeScript without JSX.
func TypeScript() Grammar { return Grammar{name: "typescript", load: typescript.GetLanguage} }

// TSX returns the grammar of TypeScript with JSX.
func TSX() Grammar { return Grammar{name: "tsx", load: tsx.GetLanguage} }

// JavaScript returns the grammar of JavaScript with JSX.
func JavaScript() Grammar { return Grammar{name: "javascript", load: javascript.GetLanguage} }

// Bash returns the grammar of shell scripts.
func Bash() Grammar { return Grammar{name: "bash", load: bash.GetLanguage} }

// CSS returns the grammar of style sheets.
func CSS() Grammar { return Grammar{name: "css", load: css.GetLanguage} }

// CUE returns the grammar of CUE.
func CUE() Grammar { return Grammar{name: "cue", load: cue.GetLanguage} }

// HTML returns the grammar of HTML.
func HTML() Grammar { return Grammar{name: "html", load: html.GetLanguage} }

// Svelte returns the grammar of Svelte components.
func Svelte() Grammar { return Grammar{name: "svelte", load: svelte.GetLanguage} }

// SQL returns the grammar of SQL.
func SQL() Grammar { return Grammar{name: "sql", load: sql.GetLanguage} }

// YAML returns the grammar of YAML.
func YAML() Grammar { return Grammar{name: "yaml", load: yaml.GetLanguage} }

// Dockerfile returns the grammar of Dockerfiles.
func Dockerfile() Grammar { return Grammar{name: "dockerfile", load: dockerfile.GetLanguage} }

// HCL returns the grammar of HCL.
func HCL() Grammar { return Grammar{name: "hcl", load: hcl.GetLanguage} }

// CSharp returns the grammar of C#.
func CSharp() Grammar { return Grammar{name: "csharp", load: csharp.GetLanguage} }

// Elixir returns the grammar of Elixir.
func Elixir() Grammar { return Grammar{name: "elixir", load: elixir.GetLanguage} }

// Elm returns the grammar of Elm.
func Elm() Grammar { return Grammar{name: "elm", load: elm.GetLanguage} }

// Groovy returns the grammar of Groovy.
func Groovy() Grammar { return Grammar{name: "groovy", load: groovy.GetLanguage} }

// Kotlin returns the grammar of Kotlin.
func Kotlin() Grammar { return Grammar{name: "kotlin", load: kotlin.GetLanguage} }

// OCaml returns the grammar of OCaml.
func OCaml() Grammar { return Grammar{name: "ocaml", load: ocaml.GetLanguage} }

// PHP returns the grammar of PHP.
func PHP() Grammar { return Grammar{name: "php", load: php.GetLanguage} }

// Ruby returns the grammar of Ruby.
func Ruby() Grammar { return Grammar{name: "ruby", load: ruby.GetLanguage} }

// Scala returns the grammar of Scala.
func Scala() Grammar { return Grammar{name: "scala", load: scala.GetLanguage} }

// Swift returns the grammar of Swift.
func Swift() Grammar { return Grammar{name: "swift", load: swift.GetLanguage} }

// Name returns the grammar's own name.
func (g Grammar) Name() string { return g.name }

// IsZero reports whether g is no grammar at all.
func (g Grammar) IsZero() bool { return g.load == nil }

// pointer returns the C object behind the grammar. The binding's Language is a
// struct of that one pointer; the two constants do not compile should that change.
func (g Grammar) pointer() unsafe.Pointer {
	const (
		_ = uint(unsafe.Sizeof(binding.Language{}) - unsafe.Sizeof(uintptr(0)))
		_ = uint(unsafe.Sizeof(uintptr(0)) - unsafe.Sizeof(binding.Language{}))
	)
	return *(*unsafe.Pointer)(unsafe.Pointer(g.load()))
}

// Vocabulary lists the node kinds and field names that a language reads. A Kind or
// Field is an index into it; index 0 stands for everything that is not listed, so
// that entry stays "".
type Vocabulary struct {
	Kinds  []string
	Fields []string
}

// FullVocabulary lists every named kind and every field of the grammar in the
// grammar's order. It is for dumps and tests.
func (g Grammar) FullVocabulary() (Vocabulary, error) {
	if err := linked(); err != nil {
		return Vocabulary{}, err
	}
	v := Vocabulary{Kinds: []string{""}, Fields: []string{""}}
	seen := map[string]bool{}
	for _, s := range g.symbols() {
		if s != "" && !seen[s] {
			seen[s] = true
			v.Kinds = append(v.Kinds, s)
		}
	}
	v.Fields = append(v.Fields, g.fields()[1:]...)
	return v, nil
}

// symbols returns the names of the named visible symbols by symbol id, "" for the
// others.
func (g Grammar) symbols() []string {
	lang := g.pointer()
	names := make([]string, C.ts_language_symbol_count(lang))
	for i := range names {
		if C.ts_language_symbol_type(lang, C.uint16_t(i)) == 0 {
			names[i] = C.GoString(C.ts_language_symbol_name(lang, C.uint16_t(i)))
		}
	}
	return names
}

// fields returns the field names by field id; id 0 is no field.
func (g Grammar) fields() []string {
	lang := g.pointer()
	names := make([]string, C.ts_language_field_count(lang)+1)
	for i := 1; i < len(names); i++ {
		names[i] = C.GoString(C.ts_language_field_name_for_id(lang, C.uint16_t(i)))
	}
	return names
}

// compile turns names into the tables that the walk in C reads.
func (g Grammar) compile(v Vocabulary) (kinds []uint16, fields []uint8, err error) {
	if len(v.Fields) > 1<<8 || len(v.Kinds) >= int(KindError) {
		return nil, nil, fmt.Errorf("compile vocabulary of %s: too many names", g.name)
	}
	symbols, fieldNames := g.symbols(), g.fields()
	kinds, fields = make([]uint16, len(symbols)), make([]uint8, len(fieldNames))
	for k, name := range v.Kinds {
		if k == 0 {
			continue
		}
		if !assign(symbols, name, func(i int) { kinds[i] = uint16(k) }) {
			return nil, nil, fmt.Errorf("compile vocabulary of %s: no node kind %q", g.name, name)
		}
	}
	for f, name := range v.Fields {
		if f == 0 {
			continue
		}
		if !assign(fieldNames, name, func(i int) { fields[i] = uint8(f) }) {
			return nil, nil, fmt.Errorf("compile vocabulary of %s: no field %q", g.name, name)
		}
	}
	return kinds, fields, nil
}

// assign calls set for each place where name stands; several symbols may share one.
func assign(names []string, name string, set func(int)) (found bool) {
	for i, n := range names {
		if n == name && n != "" {
			set(i)
			found = true
		}
	}
	return found
}

// linked refuses to run when the C library did not make it into the binary.
func linked() error {
	if name := C.ri_missing(); name != nil {
		return fmt.Errorf("load tree-sitter: function %s is not linked", C.GoString(name))
	}
	return nil
}
