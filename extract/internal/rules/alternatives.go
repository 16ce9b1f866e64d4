package rules

import (
	"slices"
	"strings"
)

// MaxValue is the most bytes of a value as PHP and Ruby note it; of a longer one nothing is
// known.
const MaxValue = 200

// Union joins two values by a bar, each alternative once; one that is not known, "", leaves
// a "?". It is "" where the result is longer than MaxValue.
func Union(a, b string) string {
	if a == "" {
		a = "?"
	}
	if b == "" {
		b = "?"
	}
	var parts []string
	for _, p := range append(Alternatives(a), Alternatives(b)...) {
		if !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	return Limited(strings.Join(parts, "|"))
}

// Alternatives splits a value at the bars outside of brackets. An arrow is no bracket.
func Alternatives(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '<', '{':
			depth++
		case ')', '}':
			depth--
		case '>':
			if i == 0 || s[i-1] != '-' {
				depth--
			}
		case '|':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

// Limited drops a value that is longer than MaxValue.
func Limited(s string) string {
	if len(s) > MaxValue {
		return ""
	}
	return s
}
