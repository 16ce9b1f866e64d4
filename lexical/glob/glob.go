// Package glob matches workspace paths against the one glob dialect that all include
// and exclude arguments share. It is not .gitignore matching. Callers are the engine
// and the tools.
//
// A pattern without "/" matches when any segment of the path matches: "pkg" selects
// all below a directory pkg, "*.py" files at any depth. A pattern with "/" but
// without a "**" segment is compared with the last segments of the path. A pattern
// with a "**" segment is compared with the whole path from the workspace root. "*",
// "?", "[…]" and "{a,b}" never cross "/". Case matters. A trailing "/" selects what
// is below the directories that match; a leading "/" or "./" ties the pattern to the
// workspace root.
package glob

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ralph-index/ralph-index/graph"
)

// maxAlternatives bounds what the braces of one pattern may expand to.
const maxAlternatives = 256

// fewAlternatives is up to how many braces without a "/" are spelt out.
const fewAlternatives = 16

// Glob is a compiled pattern. The zero value matches nothing.
type Glob struct{ alternatives []alternative }

// alternative is a pattern without braces that hold a "/".
type alternative struct {
	pattern string
	// tail is the number of last segments that the pattern is compared with; 0 for
	// the whole path, or for any single one when segment is set.
	tail    int
	segment bool
	below   bool // what is below the directories that match
	form
}

// Error is a pattern that cannot be compiled.
type Error struct {
	Pattern string
	Reason  string
}

func (e *Error) Error() string { return fmt.Sprintf("compile glob %q: %s", e.Pattern, e.Reason) }

// Compile returns an *Error for a malformed pattern.
func Compile(pattern string) (Glob, error) {
	if pattern == "" {
		return Glob{}, &Error{pattern, "the pattern is empty"}
	}
	if !doublestar.ValidatePattern(pattern) {
		return Glob{}, &Error{pattern, "unbalanced bracket or brace, or a trailing backslash"}
	}
	texts, ok := expand(pattern, true)
	if !ok {
		return Glob{}, &Error{pattern, fmt.Sprintf("its braces give more than %d alternatives", maxAlternatives)}
	}
	var g Glob
	for _, t := range texts {
		// Alternatives of a few are decided by their forms; many stay in their braces.
		each := []string{t}
		if all, ok := expand(t, false); ok && len(all) <= fewAlternatives {
			each = all
		}
		for _, t := range each {
			g.alternatives = append(g.alternatives, newAlternative(t))
		}
	}
	return g, nil
}

func newAlternative(text string) alternative {
	a := alternative{pattern: text}
	rooted := false
	for {
		rest, ok := strings.CutPrefix(a.pattern, "./")
		if !ok {
			rest, ok = strings.CutPrefix(a.pattern, "/")
		}
		if !ok {
			break
		}
		a.pattern, rooted = rest, true
	}
	if above, ok := strings.CutSuffix(a.pattern, "/"); ok {
		a.pattern, a.below = strings.TrimRight(above, "/"), true
	}
	// A "**" in front asks nothing of the segments before the others.
	if rest, ok := strings.CutPrefix(a.pattern, "**/"); ok && !slices.Contains(strings.Split(rest, "/"), "**") {
		a.pattern, a.tail = rest, strings.Count(rest, "/")+1
		a.form = formOf(rest)
		return a
	}
	a.form = formOf(a.pattern)
	segs := strings.Split(a.pattern, "/")
	switch {
	case rooted, slices.Contains(segs, "**"):
	case len(segs) == 1:
		a.segment = true
	default:
		a.tail = len(segs)
	}
	return a
}

// expand spells out braces: all, or those that hold a "/", since how a pattern is
// compared depends on its segments.
func expand(pattern string, slashed bool) (out []string, ok bool) {
	open, end := braces(pattern, slashed)
	if open < 0 {
		return []string{pattern}, true
	}
	for _, alt := range splitAlternatives(pattern[open+1 : end]) {
		more, ok := expand(pattern[:open]+alt+pattern[end+1:], slashed)
		if !ok || len(out)+len(more) > maxAlternatives {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, true
}

// braces finds the first outermost pair, or the first that holds a "/".
func braces(p string, slashed bool) (open, end int) {
	depth := 0
	open = -1
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			i = skipClass(p, i)
		case '{':
			if depth == 0 {
				open = i
			}
			depth++
		case '}':
			if depth--; depth == 0 && (!slashed || strings.IndexByte(p[open:i], '/') >= 0) {
				return open, i
			}
		}
	}
	return -1, -1
}

// skipClass returns the place of the bracket that closes the class at i.
func skipClass(p string, i int) int {
	for j := i + 1; j < len(p); j++ {
		switch {
		case p[j] == '\\':
			j++
		case p[j] == ']' && j > i+1:
			return j
		}
	}
	return i
}

func splitAlternatives(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			i = skipClass(s, i)
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

// Match reports whether the path matches.
func (g Glob) Match(p graph.Path) bool {
	for _, a := range g.alternatives {
		if a.match(string(p)) {
			return true
		}
	}
	return false
}

func (a *alternative) match(p string) bool {
	if a.below {
		for p = dir(p); p != ""; p = dir(p) {
			if a.matchPath(p) {
				return true
			}
		}
		return false
	}
	return a.matchPath(p)
}

// matchPath compares one path. A rooted or "**" pattern sees all of it.
func (a *alternative) matchPath(p string) bool {
	switch {
	case a.segment:
		for seg := range strings.SplitSeq(p, "/") {
			if a.form.match(a.pattern, seg) {
				return true
			}
		}
		return false
	case a.tail > 0:
		at := len(p)
		for range a.tail {
			if at <= 0 {
				return false
			}
			at = strings.LastIndexByte(p[:at], '/')
		}
		return a.form.match(a.pattern, p[at+1:])
	}
	return doublestar.MatchUnvalidated(a.pattern, p)
}

// form is what can be told of a pattern that is not compared with whole paths. Most
// names are decided by it, at a small part of what matching them costs.
type form struct {
	prefix, suffix string // what matches begins and ends so
	star           bool   // between them stands one "*", and no "/" anywhere
}

func formOf(pattern string) form {
	const meta = `*?[]{}\`
	if strings.ContainsRune(pattern, utf8.RuneError) {
		return form{} // which stands for any byte that is no character
	}
	first := strings.IndexAny(pattern, meta)
	if first < 0 {
		return form{prefix: pattern, suffix: pattern}
	}
	f := form{prefix: pattern[:first], suffix: pattern[strings.LastIndexAny(pattern, meta)+1:]}
	f.star = pattern == f.prefix+"*"+f.suffix && strings.IndexByte(pattern, '/') < 0
	return f
}

func (f *form) match(pattern, name string) bool {
	switch {
	case !strings.HasPrefix(name, f.prefix) || !strings.HasSuffix(name, f.suffix):
		return false
	case f.star:
		return len(name) >= len(f.prefix)+len(f.suffix)
	}
	return doublestar.MatchUnvalidated(pattern, name)
}

func dir(p string) string { return string(graph.Path(p).Dir()) }

// Filter is a set of include and exclude patterns.
type Filter struct{ include, exclude []Glob }

// NewFilter compiles both lists. The error is an *Error that names the pattern at
// fault.
func NewFilter(include, exclude []string) (*Filter, error) {
	f := &Filter{}
	for _, l := range []struct {
		patterns []string
		into     *[]Glob
	}{{include, &f.include}, {exclude, &f.exclude}} {
		for _, p := range l.patterns {
			g, err := Compile(p)
			if err != nil {
				return nil, err
			}
			*l.into = append(*l.into, g)
		}
	}
	return f, nil
}

// Keep reports whether a path matches an include (or there is none) and no exclude.
// A nil Filter keeps everything.
func (f *Filter) Keep(p graph.Path) bool {
	if f == nil {
		return true
	}
	for _, g := range f.exclude {
		if g.Match(p) {
			return false
		}
	}
	for _, g := range f.include {
		if g.Match(p) {
			return true
		}
	}
	return len(f.include) == 0
}
