package ignore

import (
	"regexp"
	"strings"
	"testing"
)

// FuzzParse looks for rule files that break the parser or the matcher, and checks
// what must hold of any: an order of patterns, and equal answers with and without
// the indexes.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"*.o\n!keep.o\n/build/\n", "a/**/b\n**/c\nd/**\n", "[a-z]*[!0-9]\n[[:alpha:]\n", "\\#x\n\\!y\nz\\ \n", "\xef\xbb\xbfa\r\n# c\n\n",
		"**/**/**/**/**/**/x", "*a*a*a*a*a*a*a*b", "[]-a]", "[\\", "a\x00b", "foo**/bar", "!", "/", "//", "\\",
	} {
		f.Add([]byte(s), "d/aaaaaaaaaaaaaaaa.o", false)
	}
	f.Fuzz(func(t *testing.T, data []byte, path string, dir bool) {
		path = strings.Trim(path, "/")
		if path == "" || len(path) > 4096 || len(data) > 1<<16 {
			return
		}
		for _, fold := range []bool{false, true} {
			r := Parse(data, fold)
			got := r.Match(path, dir)
			if want := slow(r, path, dir); got != want {
				t.Fatalf("%q, fold=%v: %v for %q (dir=%v), pattern by pattern %v", data, fold, got, path, dir, want)
			}
		}
	})
}

// slow tries every pattern, the last one first.
func slow(r *Rules, path string, dir bool) Verdict {
	path = r.folded(path)
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(r.list) - 1; i >= 0; i-- {
		p := &r.list[i]
		if p.dirOnly && !dir {
			continue
		}
		var hit bool
		switch {
		case p.base && p.glob == nil && p.text == "" && !isSuffix(r, i):
			hit = name == ""
		case p.base && isSuffix(r, i):
			hit = strings.HasSuffix(name, p.text)
		case p.base && p.text != "":
			hit = name == p.text
		default:
			hit = p.match(path, name)
		}
		if hit && p.negated {
			return Include
		} else if hit {
			return Exclude
		}
	}
	return None
}

func isSuffix(r *Rules, i int) bool {
	for _, s := range r.suffix {
		if int(s) == i {
			return true
		}
	}
	return false
}

// FuzzGlob compares the matcher, which never looks back further than one wildcard,
// with a regular expression made from the same steps.
func FuzzGlob(f *testing.F) {
	for _, s := range []string{"a*b*c", "**/x/**/y", "a/**", "*[ab]?c", "a**b", "**/*/**/a", "*/*/*b", "**/a*/**/*b*/c"} {
		f.Add(s, "a/x/b/y/c", true)
		f.Add(s, "aabbcc", false)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, path bool) {
		if len(pattern) > 40 || len(text) > 100 || strings.ContainsAny(text, "\n\x00") {
			return
		}
		g := compile(pattern, path, false)
		if g == nil {
			return
		}
		re, err := regexp.Compile(expression(g))
		if err != nil {
			return
		}
		// One byte, one rune: regular expressions know no bytes above 127.
		if got, want := g.match(text), re.MatchString(latin1(text)); got != want {
			t.Fatalf("%q on %q (path=%v): %v, %s says %v", pattern, text, path, got, re, want)
		}
	})
}

func latin1(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

func expression(g *glob) string {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for _, s := range g.steps {
		switch s.op {
		case opByte:
			b.WriteString(regexp.QuoteMeta(latin1(string([]byte{s.lit}))))
		case opAny:
			b.WriteString(one(g, func(byte) bool { return true }))
		case opSet:
			b.WriteString(one(g, s.set.has))
		case opStar:
			b.WriteString(`[^/]*`)
		case opDirs:
			b.WriteString(`(?:.*/)?`)
		case opAll:
			b.WriteString(`.*`)
		}
	}
	b.WriteString(`\z`)
	return b.String()
}

// one is a class of the bytes that a step takes.
func one(g *glob, in func(byte) bool) string {
	var alts []string
	for c := range 256 {
		if in(byte(c)) && (!g.path || c != '/') {
			alts = append(alts, regexp.QuoteMeta(string(rune(c))))
		}
	}
	if len(alts) == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	return "(?:" + strings.Join(alts, "|") + ")"
}

func FuzzConfig(f *testing.F) {
	for _, s := range []string{"[core]\nexcludesFile = ~/x\n", "[a \"b\\\"c\"]\nd\n", "[core] x = \"a;b\" # c\n", "x=1", "[", "[a\n", "k = \\", "\r\n[core]\r\nexcludesfile=a\\\r\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		parseConfig(text, func(string, string, string, bool) { n++ })
		if n > len(text) {
			t.Fatalf("%d settings in %d bytes", n, len(text))
		}
	})
}
