// Package glob matches workspace paths against the one glob dialect that all include
// and exclude arguments share. It is not .gitignore matching. Callers are the engine
// and the tools.
//
// A pattern without "/" matches when any segment of the path matches: "pkg" selects
// all below a directory pkg, "*.py" files at any depth. A pattern with "/" but
// without a "**" segment is compared with the last segments of the path. A pattern
// with a "**" segment is compared with the whole path from the workspace root; "**"
// stands for any number of segments, none included. Case matters. A trailing "/"
// selects what is below the directories that match; a leading "/" or "./" ties the
// pattern to the workspace root.
//
// In a segment "*" is any run of characters and "?" any one, a dot in front too; "[…]"
// is one of a class, of which "!" or "^" in front makes the others: characters, ranges
// and names in ASCII ("[:digit:]"), a "]" only first. None of them is ever a "/". A
// backslash takes the meaning of what follows it. "{a,b}" stands for both texts, which
// may hold "/" and braces; "{a}" is "a". A byte that is not UTF-8 is a character.
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
const maxAlternatives = 1024

// Glob is a compiled pattern. The zero value matches nothing.
type Glob struct{ alternatives []alternative }

// alternative is a canonical pattern without braces.
type alternative struct {
	pattern string
	// tail is the number of last segments that the pattern is compared with; 0 for
	// the whole path, or for any single one when segment is set.
	tail    int
	segment bool
	below   bool // what is below the directories that match
	form
	whole []part // of a pattern for whole paths
}

// part is what one segment of a pattern asks.
type part struct {
	pattern string
	any     bool // "**": of any number of segments, nothing
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
	text, reason := canonical(pattern)
	if reason != "" {
		return Glob{}, &Error{pattern, reason}
	}
	texts, ok := expand(text)
	if !ok {
		return Glob{}, &Error{pattern, fmt.Sprintf("its braces give more than %d alternatives", maxAlternatives)}
	}
	var g Glob
	for _, t := range texts {
		g.alternatives = append(g.alternatives, newAlternative(t))
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
	segs := strings.Split(a.pattern, "/")
	for i, seg := range segs {
		segs[i] = singleStars(seg)
	}
	a.pattern = strings.Join(segs, "/")
	// A "**" in front asks nothing of the segments before the others.
	if segs[0] == "**" && len(segs) > 1 && !slices.Contains(segs[1:], "**") {
		a.pattern, a.tail = strings.Join(segs[1:], "/"), len(segs)-1
		a.form = formOf(a.pattern)
		return a
	}
	a.form = formOf(a.pattern)
	switch {
	case rooted, slices.Contains(segs, "**"):
		for _, seg := range segs {
			a.whole = append(a.whole, part{pattern: seg, any: seg == "**", form: formOf(seg)})
		}
	case len(segs) == 1:
		a.segment = true
	default:
		a.tail = len(segs)
	}
	return a
}

// singleStars makes one star of several, but for a segment that is "**".
func singleStars(seg string) string {
	if seg == "**" || !strings.Contains(seg, "**") {
		return seg
	}
	out := make([]byte, 0, len(seg))
	for i := 0; i < len(seg); i++ {
		out = append(out, seg[i])
		switch seg[i] {
		case '\\':
			i++
			out = append(out, seg[i])
		case '*':
			for i+1 < len(seg) && seg[i+1] == '*' {
				i++
			}
		}
	}
	return string(out)
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
	return matchWhole(a.whole, p)
}

// matchWhole compares all segments of a path. Where they go different ways, the last
// "**" takes one more: what an earlier one could take, the last one can take as well.
func matchWhole(parts []part, p string) bool {
	retry, retryAt := -1, 0
	for i, at := 0, 0; ; {
		switch end := segmentEnd(p, at); {
		case i < len(parts) && parts[i].any:
			i++
			retry, retryAt = i, at
		case at > len(p):
			return i == len(parts)
		case i < len(parts) && parts[i].match(parts[i].pattern, p[at:end]):
			i, at = i+1, end+1
		case retry < 0:
			return false
		default:
			retryAt = segmentEnd(p, retryAt) + 1
			i, at = retry, retryAt
		}
	}
}

// segmentEnd returns where the segment ends that begins at an offset.
func segmentEnd(p string, at int) int {
	if at > len(p) {
		return at
	}
	if i := strings.IndexByte(p[at:], '/'); i >= 0 {
		return at + i
	}
	return len(p)
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
