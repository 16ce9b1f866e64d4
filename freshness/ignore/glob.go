package ignore

import "strings"

// op is what one step of a glob does.
type op uint8

const (
	opByte op = iota // one given byte
	opAny            // ? : one byte
	opSet            // [..] : one byte of a set
	opStar           // * : a run of bytes, within one element when slashes count
	opDirs           // **/ : nothing, or whole elements with their slashes
	opAll            // ** : any run of bytes, slashes too
)

type step struct {
	op  op
	lit byte
	set *byteSet
}

// glob is a compiled pattern. A nil glob matches nothing: the pattern was malformed.
type glob struct {
	steps []step
	path  bool // slashes are special
}

// compile translates a pattern. With path, * and ? and sets stop at slashes and **
// between slashes crosses them; without, text is one element and * is enough.
//
// Whether ** stands after a slash is judged within the text given here. Git
// compares the plain start of a path pattern before it looks at the rest, so that
// "a**/b" is "a" followed by a ** at a start; the caller passes that rest.
//
// With fold, the text to match comes in lower case. Git folds a pattern's plain
// bytes and ranges, but neither escaped bytes nor single bytes of a set, so that an
// escaped capital matches nothing; so do we.
func compile(text string, path, fold bool) *glob {
	g := &glob{path: path}
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '\\':
			if i+1 == len(text) {
				return nil // nothing follows to be taken literally
			}
			g.steps = append(g.steps, step{op: opByte, lit: text[i+1]})
			i += 2
		case '?':
			g.steps = append(g.steps, step{op: opAny})
			i++
		case '[':
			set, n := parseSet(text[i:], fold)
			if set == nil {
				return nil
			}
			g.steps = append(g.steps, step{op: opSet, set: set})
			i += n
		case '*':
			i = g.stars(text, i)
		default:
			if fold {
				c = lowerByte(c)
			}
			g.steps = append(g.steps, step{op: opByte, lit: c})
			i++
		}
	}
	return g
}

// stars translates the run of stars at i and returns the index behind it.
func (g *glob) stars(text string, i int) int {
	end := i
	for end < len(text) && text[end] == '*' {
		end++
	}
	rest := text[end:]
	alone := end-i > 1 && (i == 0 || text[i-1] == '/')
	switch {
	case !g.path:
		g.steps = append(g.steps, step{op: opAll})
	case alone && strings.HasPrefix(rest, "/"):
		g.steps = append(g.steps, step{op: opDirs})
		return end + 1
	case alone && (rest == "" || strings.HasPrefix(rest, `\/`)):
		g.steps = append(g.steps, step{op: opAll})
	default:
		g.steps = append(g.steps, step{op: opStar})
	}
	return end
}

// resume is a place to go back to: the step after a wildcard, and how far that
// wildcard has reached in the text.
type resume struct {
	step, text int
	set        bool
	elements   bool // the wildcard takes whole elements: opDirs
}

// match runs in O(steps x text): when a step fails, the last * may take one byte
// more, and when it may not (a slash, or the end), the last ** may. Earlier
// wildcards need no second look, since a later one of the same reach can make up
// for whatever they would have taken.
func (g *glob) match(text string) bool {
	if g == nil {
		return false
	}
	var star, deep resume
	s, t := 0, 0
	for {
		if s == len(g.steps) {
			if t == len(text) {
				return true
			}
		} else {
			switch st := &g.steps[s]; st.op {
			case opStar:
				s++
				star = resume{step: s, text: t, set: true}
				continue
			case opAll:
				s++
				star, deep = resume{}, resume{step: s, text: t, set: true}
				continue
			case opDirs:
				s++
				star, deep = resume{}, resume{step: s, text: t, set: true, elements: true}
				continue
			default:
				if t < len(text) && st.takes(text[t], g.path) {
					s++
					t++
					continue
				}
			}
		}
		switch {
		case star.advance(text, false):
			s, t = star.step, star.text
		case deep.advance(text, true):
			star = resume{}
			s, t = deep.step, deep.text
		default:
			return false
		}
	}
}

// advance lets the wildcard take one byte more, or one element.
func (r *resume) advance(text string, slashes bool) bool {
	if !r.set || r.text >= len(text) {
		return false
	}
	if r.elements {
		i := strings.IndexByte(text[r.text:], '/')
		if i < 0 {
			return false
		}
		r.text += i + 1
		return true
	}
	if !slashes && text[r.text] == '/' {
		return false
	}
	r.text++
	return true
}

// takes reports whether a one-byte step accepts c.
func (s *step) takes(c byte, path bool) bool {
	switch s.op {
	case opByte:
		return c == s.lit
	case opAny:
		return !path || c != '/'
	}
	return s.set.has(c) && (!path || c != '/')
}
