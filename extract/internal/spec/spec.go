// Package spec is what a language supplies to extract, and what all languages
// share: building definitions and references with their spans and containers,
// normalising text, and keeping track of local names.
//
// It knows no language and reads no files. Only extract and the packages under
// extract/lang use it.
package spec

import (
	"time"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
)

// Language is one value of Facts.Language with its rules.
type Language struct {
	Name    string // "go", "tsx", "gomod"
	Version string // "go/3": changes whenever the same bytes may yield other facts

	// Grammar and Vocabulary say how to parse. With a zero Grammar the builder's
	// Tree is nil and Extract reads the text itself.
	Grammar    sitter.Grammar
	Vocabulary sitter.Vocabulary

	// Prepare, where it is set, rewrites a text for the parser: what it returns has the
	// same length, and differs only where the grammar could not read what stands there.
	// Offsets mean the same in both. The notes are Builder.Notes in Extract.
	Prepare func(src []byte) (text []byte, notes any)

	// LastLine says that the grammar wants the last line to end in a newline, and gets one.
	LastLine bool

	// Extract fills b.Facts. Path, Hash, Language, Extractor, Role, Lines and a
	// Status derived from the tree are set before; Exports is computed after. It
	// must accept every text, and take time in the number of nodes. It may lower
	// Status itself (a manifest that does not parse). It must not keep b.
	Extract func(b *Builder)

	// Time, where it is given, bounds the parse of a text of a size, where the default is
	// too long for the grammar.
	Time func(size int) time.Duration

	// Textual, where it is given, finds definitions in a text whose parse took too long.
	// b.Tree is nil.
	Textual func(b *Builder)

	// Parts, where it is given, is called after Extract, and lists the texts in other
	// languages that the file holds. Their facts are added to those of the file.
	Parts func(b *Builder) []Part
}

// Part is text in another language inside of a file.
type Part struct {
	Language string
	// Text is as long as the file, and has white space for whatever is not of the part:
	// offsets into it are offsets into the file.
	Text []byte
}

// Blank returns a text of the length of src that is empty but for the line ends of src.
// Copy into it what a part consists of.
func Blank(src []byte) []byte {
	out := make([]byte, len(src))
	for i, c := range src {
		if c == '\n' || c == '\r' {
			out[i] = c
		} else {
			out[i] = ' '
		}
	}
	return out
}
