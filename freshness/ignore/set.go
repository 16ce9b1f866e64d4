package ignore

import "strings"

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

// addRange adds lo..hi. With fold, a lower-case letter is in where its upper-case
// form is, for the text is folded before it is compared.
func (s *byteSet) addRange(lo, hi byte, fold bool) {
	for c := int(lo); c <= int(hi); c++ {
		s.add(byte(c))
		if fold {
			s.add(lowerByte(byte(c)))
		}
	}
}

// parseSet reads a bracket expression at the start of text and returns it with its
// length; nil where it is malformed, which makes the whole pattern match nothing.
func parseSet(text string, fold bool) (*byteSet, int) {
	set := &byteSet{}
	i := 1
	negated := i < len(text) && (text[i] == '!' || text[i] == '^')
	if negated {
		i++
	}
	// prev is the byte that a following '-' would start a range from; 0 is none.
	var prev byte
	for first := true; ; first = false {
		if i >= len(text) {
			return nil, 0
		}
		c := text[i]
		switch {
		case c == ']' && !first:
			if negated {
				for k := range set {
					set[k] = ^set[k]
				}
			}
			return set, i + 1
		case c == '\\':
			if i++; i >= len(text) {
				return nil, 0
			}
			prev = text[i]
			set.add(prev)
		case c == '-' && prev != 0 && i+1 < len(text) && text[i+1] != ']':
			i++
			if text[i] == '\\' {
				if i++; i >= len(text) {
					return nil, 0
				}
			}
			set.addRange(prev, text[i], fold)
			prev = 0
		case c == '[' && strings.HasPrefix(text[i+1:], ":"):
			name, n, ok := className(text[i:])
			if !ok {
				return nil, 0
			}
			if name == "" { // no ":]" before the next bracket: the '[' stands for itself
				set.add('[')
				prev = '['
				break
			}
			if !set.addClass(name, fold) {
				return nil, 0
			}
			i += n - 1
			prev = 0
		default:
			set.add(c)
			prev = c
		}
		i++
	}
}

// className reads "[:name:]". name is "" where the text up to the next bracket is
// no class; ok is false where there is no bracket at all.
func className(text string) (name string, n int, ok bool) {
	end := strings.IndexByte(text[2:], ']')
	if end < 0 {
		return "", 0, false
	}
	body := text[2 : 2+end]
	if !strings.HasSuffix(body, ":") {
		return "", 0, true
	}
	if body == ":" {
		return ":", 0, true // empty name: not a known class
	}
	return body[:len(body)-1], 2 + end + 1, true
}

// addClass adds a POSIX class over ASCII; false for an unknown name.
func (s *byteSet) addClass(name string, fold bool) bool {
	in := class(name)
	if in == nil {
		return false
	}
	if fold && name == "upper" {
		in = func(c byte) bool { return isUpper(c) || isLower(c) }
	}
	for c := byte(0); c < 0x80; c++ {
		if in(c) {
			s.add(c)
		}
	}
	return true
}

// class returns what the named class of characters holds, nil for a name that is not one.
func class(name string) func(byte) bool {
	switch name {
	case "alnum":
		return func(c byte) bool { return isUpper(c) || isLower(c) || isDigit(c) }
	case "alpha":
		return func(c byte) bool { return isUpper(c) || isLower(c) }
	case "blank":
		return func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		return func(c byte) bool { return c < 0x20 || c == 0x7f }
	case "digit":
		return isDigit
	case "graph":
		return func(c byte) bool { return 0x20 < c && c < 0x7f }
	case "lower":
		return isLower
	case "print":
		return func(c byte) bool { return 0x20 <= c && c < 0x7f }
	case "punct":
		return func(c byte) bool { return 0x20 < c && c < 0x7f && !isUpper(c) && !isLower(c) && !isDigit(c) }
	case "space":
		return func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	case "upper":
		return isUpper
	case "xdigit":
		return func(c byte) bool { return isDigit(c) || 'a' <= lowerByte(c) && lowerByte(c) <= 'f' }
	}
	return nil
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
