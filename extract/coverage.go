package extract

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Depth says how much is known of files in a language.
type Depth string

// The depths.
const (
	// DepthFull means that names are bound by the rules of the language: types of
	// receivers, inheritance, modules.
	DepthFull Depth = "full resolution"
	// DepthCalls means definitions, and uses that are bound by scopes, imports and
	// packages, as far as these tell.
	DepthCalls Depth = "definitions and calls"
	// DepthOutline means definitions, and references where they name a file or a
	// definition of the same file.
	DepthOutline Depth = "outline"
)

// Coverage is what is known of the files of some languages that are one to a reader.
type Coverage struct {
	Title     string
	Languages []string // values of Detect
	Depth     Depth
	// Kinds are those of definitions that are found at least.
	Kinds []graph.Kind
	Note  string // what else is found, and how it is bound
}

// Coverages lists what is known of each language that is extracted.
func Coverages() []Coverage {
	return slices.Concat(resolvedLanguages(), calledLanguages(), outlinedLanguages())
}

// Files returns the names and ends of names by which the files are known, as a reader
// would write them.
func (c Coverage) Files() []string {
	var ends, whole []string
	for end, l := range suffixes {
		if slices.Contains(c.Languages, l) {
			ends = append(ends, end)
		}
	}
	for name, l := range names {
		if slices.Contains(c.Languages, l) {
			whole = append(whole, name)
		}
	}
	for _, f := range families {
		if slices.Contains(c.Languages, f.language) {
			whole = append(whole, f.prefix+"*"+f.suffix)
		}
	}
	slices.SortFunc(ends, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	slices.Sort(whole)
	return append(ends, whole...)
}

// Interpreters returns the programs whose scripts are read as one of the languages.
func (c Coverage) Interpreters() []string {
	var out []string
	for _, program := range slices.Sorted(maps.Keys(interpreters)) {
		if slices.Contains(c.Languages, interpreters[program]) {
			out = append(out, program)
		}
	}
	return out
}

// CoverageTable returns the table of Coverages in Markdown.
func CoverageTable() string {
	var b strings.Builder
	b.WriteString("| language | files | depth | definitions, at least | and |\n|---|---|---|---|---|\n")
	for _, c := range Coverages() {
		files := "`" + strings.Join(c.Files(), " ") + "`"
		if i := c.Interpreters(); len(i) > 0 {
			files += ", `#!` " + strings.Join(i, " ")
		}
		kinds := make([]string, len(c.Kinds))
		for i, k := range c.Kinds {
			kinds[i] = strings.ReplaceAll(string(k), "_", " ")
		}
		b.WriteString("| " + strings.Join([]string{c.Title, files, string(c.Depth), strings.Join(kinds, ", "), c.Note}, " | ") + " |\n")
	}
	return b.String()
}
