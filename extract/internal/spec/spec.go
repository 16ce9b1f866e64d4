// Package spec is what a language supplies to extract, and what all languages
// share: building definitions and references with their spans and containers,
// normalising text, and keeping track of local names.
//
// It knows no language and reads no files. Only extract and the packages under
// extract/lang use it.
package spec

import "github.com/ralph-index/ralph-index/extract/internal/sitter"

// Language is one value of Facts.Language with its rules.
type Language struct {
	Name    string // "go", "tsx", "gomod"
	Version string // "go/3": changes whenever the same bytes may yield other facts

	// Grammar and Vocabulary say how to parse. With a zero Grammar the builder's
	// Tree is nil and Extract reads the text itself.
	Grammar    sitter.Grammar
	Vocabulary sitter.Vocabulary

	// Extract fills b.Facts. Path, Hash, Language, Extractor, Role, Lines and a
	// Status derived from the tree are set before; Exports is computed after. It
	// must accept every text, and take time in the number of nodes. It may lower
	// Status itself (a manifest that does not parse). It must not keep b.
	Extract func(b *Builder)
}
