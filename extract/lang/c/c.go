// Package c extracts the facts of C and C++ source files.
//
// It reads one file at a time, before any macro is expanded: what a macro or a header
// makes of a name is for graph/resolve/c. Only extract calls it.
//
// # Text and macros
//
// A text with macros is often no C. So before it is parsed the directives are read and
// hidden, of conditions whose branches exclude each other within a statement one is
// kept, and macros that stand where the grammar takes none are noted and hidden (see
// heads.go). Offsets stay the same. Names in hidden text are references like others.
//
// # Types and paths
//
// A type is written as its name, without pointers, references, arrays and qualifiers:
// "struct client", "client", "std::vector<Foo>"; "int(*)" is a pointer to a function
// that returns int. A path is how a value is reached from a name: "server.db.dict" for
// server.db[i].dict->..., "f().x" through a call, "(struct client).db" through a cast;
// "[]" is an element in C++, where an index may be an operator. Ref.Qualifier is such a
// path. HintDeclared has a type, HintAssigned the path of what is called, HintValue a
// path. HintGiven has "type.field" or, where an initialiser goes by position,
// "type#index"; the type is "" where the text does not say.
//
// # Arguments
//
// The qualifier of a call in C++ ends in braces where something is known of the
// arguments: "p{m:(int);(const char*);f();?}". Each is the type of a value with its
// pointers, or a path, "&" or "*" before it, or "?"; a local has "&" behind its type,
// for it can be bound to a reference. "c:" before them says that the object is const,
// "m:" that it is not.
package c

import (
	"bytes"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Languages returns the rules for C and C++.
func Languages() []spec.Language {
	return []spec.Language{
		{
			Name: "c", Version: "c/2", Grammar: sitter.CLang(), Prepare: prepareFor(false), Extract: extract,
			Vocabulary: sitter.Vocabulary{Kinds: kindNames(false), Fields: fieldNames(false)},
		},
		{
			Name: "cpp", Version: "cpp/5", Grammar: sitter.CPP(), Prepare: prepareFor(true), Extract: extract,
			Vocabulary: sitter.Vocabulary{Kinds: kindNames(true), Fields: fieldNames(true)},
		},
	}
}

// extractor reads one file.
type extractor struct {
	b      *spec.Builder
	t      *sitter.Tree
	n      *notes
	scopes spec.Scopes
	flags  graph.DefFlags // of every definition of the file
	// space is what qualifies the names of the place being read: "ns::Class".
	space string
	// self is the type whose methods are being read.
	self     string
	function bool // the place is in the body of a function
	static   bool // the declaration being read is static
	constant bool // the method being read is const
	depth    int  // of nested expressions, for the bound on recursion
}

func extract(b *spec.Builder) {
	n, _ := b.Notes.(*notes)
	if n == nil {
		n = &notes{}
	}
	x := &extractor{b: b, t: b.Tree, n: n}
	if b.Generated("//") || generatedName(b.Path) {
		x.flags |= graph.FlagGenerated
	}
	if x.t.Len() > 0 {
		x.children(sitter.Root)
	}
	x.macros()
	x.generated()
	x.includes()
	x.hidden()
	x.conditions()
	if n.capped && b.Facts.Status != graph.StatusFailed {
		b.Facts.Status, b.Facts.Reason = graph.StatusCapped, "macro_budget"
	}
}

// generatedName knows the names that generators of parsers give.
func generatedName(p graph.Path) bool {
	base := []byte(p.Base())
	return bytes.HasSuffix(base, []byte(".tab.c")) || bytes.HasSuffix(base, []byte(".yy.c")) ||
		bytes.HasSuffix(base, []byte(".pb.cc")) || bytes.HasSuffix(base, []byte(".pb.h"))
}

// maxJudged bounds the text by which a header is judged.
const maxJudged = 256 << 10

// IsCPP reports whether the text of a header is C++: it says what C cannot. The first
// bytes are enough where they say so; a header that says nothing of the kind is C.
func IsCPP(text []byte) bool {
	if bytes.Contains(text[:min(len(text), 400)], []byte("-*- C++ -*-")) || bytes.Contains(text[:min(len(text), 400)], []byte("-*- c++ -*-")) {
		return true
	}
	text = text[:min(len(text), maxJudged)]
	guarded := 0 // of the conditions that are open, those that ask for C++ from the outermost on
	open := 0
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 {
			continue
		}
		if line[0] == '#' {
			d := bytes.TrimLeft(line[1:], " \t")
			switch {
			case bytes.HasPrefix(d, []byte("if")):
				open++
				if guarded == 0 && bytes.Contains(d, []byte("__cplusplus")) {
					guarded = open
				}
			case bytes.HasPrefix(d, []byte("endif")):
				if guarded == open {
					guarded = 0
				}
				open = max(0, open-1)
			case bytes.HasPrefix(d, []byte("include")) && guarded == 0 && cppHeader(d):
				return true
			}
			continue
		}
		if guarded == 0 && cppLine(line) {
			return true
		}
	}
	return false
}

// cppHeader reports whether an include names a header of the C++ library: one in angle
// brackets without a suffix.
func cppHeader(d []byte) bool {
	i := bytes.IndexByte(d, '<')
	if i < 0 {
		return false
	}
	name, _, ok := bytes.Cut(d[i+1:], []byte(">"))
	return ok && len(name) > 0 && !bytes.ContainsAny(name, "./")
}

// cppLine reports whether a line begins as none in C does.
func cppLine(line []byte) bool {
	for _, w := range [...]string{"namespace ", "namespace{", "template <", "template<", "class ", "public:", "private:", "protected:",
		"using ", "explicit ", "virtual ", "constexpr ", "inline namespace "} {
		if !bytes.HasPrefix(line, []byte(w)) {
			continue
		}
		if w == "class " || w == "using " || w == "virtual " || w == "explicit " {
			rest := bytes.TrimRight(line, " \t\r")
			return len(rest) > len(w) && isIdentStart(rest[len(w)]) && bytes.ContainsAny(rest[len(rest)-1:], ";{:,)") || w == "class " && bytes.IndexByte(line, '"') < 0 && !bytes.ContainsAny(line, ".=") && len(bytes.Fields(line)) <= 4
		}
		return true
	}
	return false
}
