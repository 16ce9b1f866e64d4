package glob

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/graph"
)

// The model is the dialect by its own words, one step of the pattern after the other.
// It shares nothing with the matcher, and git and bash are asked whether it is right.

// modelMatch reports whether a pattern, which compiles, matches a clean path.
func modelMatch(pattern, path string) bool {
	return slices.ContainsFunc(spellOut(plain([]rune(pattern))), func(p []rune) bool { return modelMatchOne(p, path) })
}

// plain leaves out the backslashes of dots and slashes, which mean themselves anyway.
func plain(p []rune) []rune {
	var out []rune
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '[':
			end := classEnd(p, i)
			out = append(out, p[i:end]...)
			i = end
		case '\\':
			if i++; p[i] != '/' && p[i] != '.' {
				out = append(out, '\\')
			}
		}
		out = append(out, p[i])
	}
	return out
}

// spellOut writes the first pair of braces out, and the others after it.
func spellOut(p []rune) [][]rune {
	open := -1
	var commas []int
	depth := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			i = classEnd(p, i)
		case '{':
			if depth++; depth == 1 {
				open, commas = i, nil
			}
		case ',':
			if depth == 1 {
				commas = append(commas, i)
			}
		case '}':
			if depth--; depth > 0 {
				continue
			}
			var out [][]rune
			from := open + 1
			for _, to := range append(commas, i) {
				out = append(out, spellOut(slices.Concat(p[:open], p[from:to], p[i+1:]))...)
				from = to + 1
			}
			return out
		}
	}
	return [][]rune{p}
}

// classEnd returns where the "]" stands that ends the class at i.
func classEnd(p []rune, i int) int {
	i++
	if p[i] == '!' || p[i] == '^' {
		i++
	}
	for first := i; p[i] != ']' || i == first; i++ {
		if n := name(p, i); n != "" {
			i += len(n) + 3
			continue
		}
		if p[i] == '\\' {
			i++
		}
		if p[i+1] == '-' && p[i+2] != ']' {
			if i += 2; p[i] == '\\' {
				i++
			}
		}
	}
	return i
}

// name returns that of the "[:name:]" at i.
func name(p []rune, i int) string {
	s := string(p[i:])
	end := strings.IndexByte(s, ']')
	if !strings.HasPrefix(s, "[:") || end < 4 || s[end-1] != ':' {
		return ""
	}
	return s[2 : end-1]
}

func modelMatchOne(p []rune, path string) bool {
	rooted := false
	for {
		if n := len("./"); len(p) >= n && p[0] == '.' && p[1] == '/' {
			p, rooted = p[n:], true
		} else if len(p) > 0 && p[0] == '/' {
			p, rooted = p[1:], true
		} else {
			break
		}
	}
	below := false
	for len(p) > 0 && p[len(p)-1] == '/' {
		p, below = p[:len(p)-1], true
	}
	segments := modelSplit(p)
	whole := rooted || slices.ContainsFunc(segments, func(s []rune) bool { return string(s) == "**" })
	paths := [][]string{strings.Split(path, "/")}
	if below {
		for n := len(paths[0]) - 1; n > 0; n-- {
			paths = append(paths, paths[0][:n])
		}
		paths = paths[1:]
	}
	for _, names := range paths {
		switch {
		case whole:
			if modelSegments(segments, names) {
				return true
			}
		case len(segments) == 1:
			if slices.ContainsFunc(names, func(n string) bool { return modelSegments(segments, []string{n}) }) {
				return true
			}
		case len(names) >= len(segments) && modelSegments(segments, names[len(names)-len(segments):]):
			return true
		}
	}
	return false
}

// modelSplit splits at slashes, of which those in classes are none.
func modelSplit(p []rune) [][]rune {
	var out [][]rune
	var seg []rune
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '/':
			out, seg = append(out, seg), nil
			continue
		case '\\':
			seg = append(seg, p[i])
			i++
		case '[':
			end := classEnd(p, i)
			seg = append(seg, p[i:end]...)
			i = end
		}
		seg = append(seg, p[i])
	}
	return append(out, seg)
}

// modelSegments keeps the numbers of names that the segments so far can have taken.
func modelSegments(segments [][]rune, names []string) bool {
	taken := start(len(names))
	for _, seg := range segments {
		if string(seg) == "**" {
			taken = taken.orMore()
		} else {
			taken = taken.step(func(i int) bool { return modelName(seg, characters(names[i])) })
		}
	}
	return taken[len(names)]
}

// places says for each place whether a part of a pattern can end there.
type places []bool

func start(n int) places {
	p := make(places, n+1)
	p[0] = true
	return p
}

func (p places) step(takes func(i int) bool) places {
	next := make(places, len(p))
	for i := range len(p) - 1 {
		next[i+1] = p[i] && takes(i)
	}
	return next
}

func (p places) orMore() places {
	next := slices.Clone(p)
	for i := 1; i < len(next); i++ {
		next[i] = next[i] || next[i-1]
	}
	return next
}

// characters makes a byte that is not UTF-8 the replacement character.
func characters(s string) []rune { return []rune(s) }

func modelName(p, name []rune) bool {
	taken := start(len(name))
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '*':
			taken = taken.orMore()
		case '?':
			taken = taken.step(func(int) bool { return true })
		case '[':
			end := classEnd(p, i)
			class := p[i+1 : end]
			taken, i = taken.step(func(k int) bool { return modelClass(class, name[k]) }), end
		default:
			if p[i] == '\\' {
				i++
			}
			taken = taken.step(func(k int) bool { return p[i] == name[k] })
		}
	}
	return taken[len(name)]
}

// modelClass reports whether a class, which is written without its brackets, has r.
func modelClass(p []rune, r rune) bool {
	others := p[0] == '!' || p[0] == '^'
	if others {
		p = p[1:]
	}
	found := false
	for i := 0; i < len(p); i++ {
		if n := name(p, i); n != "" {
			found = found || strings.ContainsRune(named(n), r)
			i += len(n) + 3
			continue
		}
		if p[i] == '\\' {
			i++
		}
		from, to := p[i], p[i]
		if i+2 < len(p) && p[i+1] == '-' {
			if i += 2; p[i] == '\\' {
				i++
			}
			to = p[i]
		}
		found = found || from <= r && r <= to
	}
	return found != others
}

// named spells out a class that has a name.
func named(n string) string {
	var b strings.Builder
	for c := range byte(128) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		digit := c >= '0' && c <= '9'
		printed := c > ' ' && c < 127
		if map[string]bool{
			"alnum": letter || digit, "alpha": letter, "blank": c == ' ' || c == '\t', "cntrl": c < ' ' || c == 127,
			"digit": digit, "graph": printed, "lower": letter && c >= 'a', "print": printed || c == ' ',
			"punct": printed && !letter && !digit, "space": strings.IndexByte(" \t\n\v\f\r", c) >= 0,
			"upper": letter && c < 'a', "xdigit": digit || letter && c|0x20 <= 'f',
		}[n] {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func cleanPath(path string) bool {
	return path != "" && !slices.ContainsFunc(strings.Split(path, "/"), func(s string) bool { return s == "" || s == "." || s == ".." })
}

func FuzzGlob(f *testing.F) {
	for _, p := range []string{
		"src/**/{a,b}*.go", "0/", "[a-]]{x,{y/z,w}}", "*.go", "a*b", "a**b", "?.md", "{a,b}c", "[a-c]x", `\*x`, "abc", "*", "x/*.go", "ab*ab",
		"**/a/**/b", "**", "/a", "./a/", "a//b", "[]a]", "[!]a]", "[^[:alpha:]-]", `[\]-a]`, "[a-c-e]", "[--0]", "a[!b]c", "a[+-9]c", "***/a", `a\/b`, "{*,b}{*,c}/x", "{a,}",
	} {
		for _, n := range []string{"a.go", "ab", "abab", "src/x/a.go", "x/y/a", "\u00e9.md", "a/c", "*x", "]", "\xff.go", "\x00/0"} {
			f.Add(p, n)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 100 || len(path) > 100 {
			return
		}
		g, err := Compile(pattern)
		if err != nil || !cleanPath(path) {
			return
		}
		if got, want := g.Match(graph.Path(path)), modelMatch(pattern, path); got != want {
			t.Errorf("%q on %q: %t, want %t", pattern, path, got, want)
		}
		// A path that the pattern spells matches.
		literal := !strings.ContainsAny(path, `*?[]{},\`) && utf8.ValidString(path)
		if literal {
			if g, err := Compile(path); err != nil || !g.Match(graph.Path(path)) {
				t.Errorf("%q does not match itself: %v", path, err)
			}
		}
	})
}
