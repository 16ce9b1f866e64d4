package edit

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The model is the package's promise in the plainest words: a text is a list of
// symbols, of which "\r\n" is one, and edits work on lists.

func symbols(s string) []string {
	var out []string
	for s != "" {
		if strings.HasPrefix(s, "\r\n") {
			out, s = append(out, "\r\n"), s[2:]
			continue
		}
		_, w := utf8.DecodeRuneInString(s)
		out, s = append(out, s[:w]), s[w:]
	}
	return out
}

func stands(text, old []string, at int) bool {
	if at+len(old) > len(text) {
		return false
	}
	for i, o := range old {
		if text[at+i] != o && (o != "\n" || text[at+i] != "\r\n") {
			return false
		}
	}
	return true
}

// written gives a new text the newlines of its place.
func written(text []string, at int, replacement string) []string {
	isNewline := func(s string) bool { return strings.HasSuffix(s, "\n") }
	ending := "\n"
	if i := slices.IndexFunc(text[at:], isNewline); i >= 0 {
		ending = text[at+i]
	} else {
		for _, s := range text[:at] {
			if isNewline(s) {
				ending = s
			}
		}
	}
	if ending == "\r\n" {
		replacement = strings.ReplaceAll(strings.ReplaceAll(replacement, "\r\n", "\n"), "\n", "\r\n")
	}
	return symbols(replacement)
}

// model applies edits to a text without a byte order mark. ok is false for a miss.
func model(input string, req Request) (string, bool) {
	text := symbols(input)
	from, to := 0, len(text)
	if req.Target != nil {
		line := 1
		from, to = -1, -1
		for i := range len(text) + 1 {
			if line == req.Target.From && from < 0 {
				from = i
			}
			if line == req.Target.To+1 && to < 0 {
				to = i
			}
			if i < len(text) && strings.HasSuffix(text[i], "\n") {
				line++
			}
		}
		if to < 0 {
			to = len(text)
		}
	}
	for _, e := range req.Edits {
		old, base := symbols(e.Old), slices.Clone(text)
		if req.Target != nil && (req.Strategy == Exact || req.Strategy == "") {
			replacement, size := e.New, to-from
			final := size > 0 && strings.HasSuffix(text[to-1], "\n")
			switch {
			case len(old) == size && stands(text, old, from):
			case final && len(old) == size-1 && stands(text, old, from):
				size--
			case !final && len(old) == size+1 && strings.HasSuffix(old[size], "\n") && stands(text, old[:size], from):
				replacement = strings.TrimSuffix(strings.TrimSuffix(replacement, "\n"), "\r")
			default:
				return "", false
			}
			put := written(base, from, replacement)
			text = slices.Concat(text[:from], put, text[from+size:])
			to += len(put) - size
		} else {
			hit, grown := false, 0
			for at := from; at+len(old) <= to; {
				if !stands(text, old, at) || hit && (req.Strategy != AllInTarget || req.Target == nil) {
					at++
					continue
				}
				hit = true
				put := written(base, at-grown, e.New)
				text = slices.Concat(text[:at], put, text[at+len(old):])
				to, grown, at = to+len(put)-len(old), grown+len(put)-len(old), at+len(put)
			}
			if !hit {
				return "", false
			}
		}
		// What the edits put together may be a new "\r\n".
		end := len(strings.Join(text[:to], ""))
		text = symbols(strings.Join(text, ""))
		to = 0
		for n := 0; to < len(text) && n+len(text[to]) <= end; to++ {
			n += len(text[to])
		}
	}
	return strings.Join(text, ""), true
}
