package ignore

import (
	"bytes"
	"strings"
)

// Verdict is what the rules of one file say of a path.
type Verdict uint8

// The verdicts.
const (
	None    Verdict = iota // no pattern matches
	Exclude                // the last matching pattern excludes
	Include                // the last matching pattern is negated
)

// Rules are the compiled patterns of one file. They are immutable.
type Rules struct {
	list []pattern
	fold bool
	// Most patterns are plain names or a star and a suffix, and most paths match
	// nothing: the three indexes below find the last matching pattern without
	// trying every one. Positions are in ascending order of the file.
	names  map[string]lastOf
	suffix []int32
	others []int32
}

// lastOf holds the positions of the last pattern with a name, of any type and for
// directories only; -1 is none.
type lastOf struct{ any, dir int32 }

// pattern is one line. Exactly one of the shapes applies: a name (base, no glob),
// a suffix (base, text starts with a star), or a glob over base name or path.
type pattern struct {
	negated bool
	dirOnly bool
	base    bool   // matches the last element alone
	text    string // of a name: itself; of a suffix: what follows the star
	// Of a path pattern, what stands before the first special byte is compared as
	// it is, and the glob matches the rest.
	prefix string
	exact  bool // nothing is left for a glob
	glob   *glob
}

const utf8BOM = "\xef\xbb\xbf"

// Parse compiles the content of a rule file. There are no errors: a line that git
// cannot make sense of matches nothing. fold ignores the case of ASCII letters.
func Parse(data []byte, fold bool) *Rules {
	r := &Rules{fold: fold, names: map[string]lastOf{}}
	data = bytes.TrimPrefix(data, []byte(utf8BOM))
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte{'\n'})
		if text := cleanLine(line); text != "" {
			r.add(text)
		}
	}
	return r
}

// Len is the number of patterns.
func (r *Rules) Len() int { return len(r.list) }

// cleanLine drops what does not belong to a pattern: comments, the carriage return
// of a CRLF file, and trailing spaces that no backslash protects.
func cleanLine(line []byte) string {
	if len(line) == 0 || line[0] == '#' {
		return ""
	}
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if i := bytes.IndexByte(line, 0); i >= 0 {
		line = line[:i] // git's strings end here
	}
	end := len(line)
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if end == len(line) {
				end = i
			}
		case '\\':
			if i++; i == len(line) {
				return string(line)
			}
			end = len(line)
		default:
			end = len(line)
		}
	}
	return string(line[:end])
}

func (r *Rules) add(text string) {
	var p pattern
	if text[0] == '!' {
		p.negated = true
		text = text[1:]
	}
	if strings.HasSuffix(text, "/") {
		p.dirOnly = true
		text = text[:len(text)-1]
	}
	at := int32(len(r.list))
	plain := plainLen(text)
	switch {
	case strings.IndexByte(text, '/') >= 0:
		text = strings.TrimPrefix(text, "/")
		plain = plainLen(text)
		p.prefix = r.folded(text[:plain])
		if p.exact = plain == len(text); !p.exact {
			p.glob = compile(text[plain:], true, r.fold)
		}
		r.others = append(r.others, at)
	case plain == len(text):
		p.base, p.text = true, r.folded(text)
		r.addName(&p, at)
	case text[0] == '*' && plainLen(text[1:]) == len(text)-1:
		p.base, p.text = true, r.folded(text[1:])
		r.suffix = append(r.suffix, at)
	default:
		p.base = true
		p.glob = compile(text, false, r.fold)
		r.others = append(r.others, at)
	}
	r.list = append(r.list, p)
}

func (r *Rules) addName(p *pattern, at int32) {
	last, ok := r.names[p.text]
	if !ok {
		last = lastOf{-1, -1}
	}
	if p.dirOnly {
		last.dir = at
	} else {
		last.any = at
	}
	r.names[p.text] = last
}

// Match judges a path relative to the directory of the rules. Slashes separate
// its elements; it is neither empty nor rooted.
func (r *Rules) Match(rel string, isDir bool) Verdict {
	rel = r.folded(rel)
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	best := int32(-1)
	if last, ok := r.names[name]; ok {
		best = last.any
		if isDir {
			best = max(best, last.dir)
		}
	}
	for i := len(r.suffix) - 1; i >= 0 && r.suffix[i] > best; i-- {
		p := &r.list[r.suffix[i]]
		if strings.HasSuffix(name, p.text) && (isDir || !p.dirOnly) {
			best = r.suffix[i]
		}
	}
	for i := len(r.others) - 1; i >= 0 && r.others[i] > best; i-- {
		p := &r.list[r.others[i]]
		if (isDir || !p.dirOnly) && p.match(rel, name) {
			best = r.others[i]
		}
	}
	switch {
	case best < 0:
		return None
	case r.list[best].negated:
		return Include
	}
	return Exclude
}

func (p *pattern) match(rel, name string) bool {
	if p.base {
		return p.glob.match(name)
	}
	rest, ok := strings.CutPrefix(rel, p.prefix)
	if !ok {
		return false
	}
	if p.exact {
		return rest == ""
	}
	return p.glob.match(rest)
}

// plainLen is the number of bytes before the first one with a meaning in globs.
func plainLen(s string) int {
	if i := strings.IndexAny(s, `*?[\`); i >= 0 {
		return i
	}
	return len(s)
}

func (r *Rules) folded(s string) string {
	if r.fold {
		return lower(s)
	}
	return s
}

// lower folds ASCII letters alone, as git does.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				b[j] = lowerByte(b[j])
			}
			return string(b)
		}
	}
	return s
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
