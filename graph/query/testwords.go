package query

import (
	"strings"
	"unicode"
)

// wordsOf splits names and paths into the words that people see in them, in lower
// case: at every mark, and where a small letter meets a capital one. Words of one letter
// say nothing.
func wordsOf(text string) (out []string) {
	runes := []rune(text)
	from := 0
	end := func(to int) {
		if to-from > 1 {
			out = append(out, strings.ToLower(string(runes[from:to])))
		}
		from = to
	}
	for i, c := range runes {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			end(i)
			from = i + 1
		case i > from && unicode.IsUpper(c) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end(i)
		}
	}
	end(len(runes))
	return out
}

// isTestWord reports whether a word says that something is a test, or of what sort, and
// not what it is about.
func isTestWord(word string) bool {
	switch word {
	case "test", "tests", "testing", "testcase", "tester", "spec", "specs", "should", "it", "e2e", "unit", "integration", "conftest":
		return true
	}
	return false
}

// isPlaceWord reports whether a directory's name says only that there is code.
func isPlaceWord(word string) bool {
	switch word {
	case "src", "lib", "libs", "pkg", "main", "source", "sources", "internal", "app", "packages", "java", "python", "kotlin", "scala", "ruby", "php", "js", "ts", "com", "org":
		return true
	}
	return false
}

// isEntry reports whether a file of that name, without its ending, stands for the directory
// that holds it.
func isEntry(stem string) bool {
	switch stem {
	case "__init__", "__main__", "index", "mod", "lib", "main", "package-info":
		return true
	}
	return false
}

// alike says how far two words are one: the same, or one begins or ends with the other.
func alike(a, b string) float64 {
	const least, leastEnd = 3, 4 // letters; a shorter word is part of too many, as set of reset
	switch {
	case a == b:
		return 1
	case len(a) < least || len(b) < least:
		return 0
	case strings.HasPrefix(a, b), strings.HasPrefix(b, a):
		if d := len(a) - len(b); d*d <= 4 { // option, options; parse, parser
			return 0.9
		}
		return 0.5
	case len(a) >= leastEnd && len(b) >= leastEnd && (strings.HasSuffix(a, b) || strings.HasSuffix(b, a)):
		return 0.5
	}
	return 0
}
