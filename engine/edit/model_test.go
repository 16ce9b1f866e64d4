package edit

import (
	"slices"
	"strings"
	"testing"
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

// model applies edits to a text. ok is false for a miss.
func model(input string, req Request) (out string, applied []Applied, ok bool) {
	rest, marked := strings.CutPrefix(input, bom)
	text := symbols(rest)
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
		atStart := false
		if marked { // no edit touches the mark; one that begins with it stands behind it
			if old, found := strings.CutPrefix(e.Old, bom); found && old != "" {
				e.Old, atStart = old, true
			}
			e.New = strings.TrimPrefix(e.New, bom)
		}
		old, base := symbols(e.Old), slices.Clone(text)
		did := Applied{}
		everywhere := occurrences(text, old)
		if req.Target != nil && (req.Strategy == Exact || req.Strategy == "") {
			replacement, size := e.New, to-from
			final := size > 0 && strings.HasSuffix(text[to-1], "\n")
			switch {
			case atStart && from > 0:
				return "", nil, false
			case len(old) == size && stands(text, old, from):
			case final && len(old) == size-1 && stands(text, old, from):
				size--
			case !final && len(old) == size+1 && strings.HasSuffix(old[size], "\n") && stands(text, old[:size], from):
				replacement = strings.TrimSuffix(strings.TrimSuffix(replacement, "\n"), "\r")
				everywhere++ // what is replaced is none of them
			default:
				return "", nil, false
			}
			did.Line, did.Replaced = lineAt(base, from), 1
			put := written(base, from, replacement)
			text = slices.Concat(text[:from], put, text[from+size:])
			to += len(put) - size
		} else {
			grown := 0
			for at := from; at+len(old) <= to; {
				once := did.Replaced > 0 && (req.Strategy != AllInTarget || req.Target == nil)
				if !stands(text, old, at) || once || atStart && (at > 0 || did.Replaced > 0) {
					at++
					continue
				}
				if did.Replaced++; did.Replaced == 1 {
					did.Line = lineAt(base, at)
				}
				put := written(base, at-grown, e.New)
				text = slices.Concat(text[:at], put, text[at+len(old):])
				to, grown, at = to+len(put)-len(old), grown+len(put)-len(old), at+len(put)
			}
			if did.Replaced == 0 {
				return "", nil, false
			}
		}
		did.Others = everywhere - did.Replaced
		applied = append(applied, did)
		// What the edits put together may be a new "\r\n".
		end := len(strings.Join(text[:to], ""))
		text = symbols(strings.Join(text, ""))
		to = 0
		for n := 0; to < len(text) && n+len(text[to]) <= end; to++ {
			n += len(text[to])
		}
	}
	out = strings.Join(text, "")
	if marked {
		out = bom + out
	}
	return out, applied, true
}

func lineAt(text []string, at int) int {
	line := 1
	for _, s := range text[:at] {
		if strings.HasSuffix(s, "\n") {
			line++
		}
	}
	return line
}

// occurrences counts those that do not overlap.
func occurrences(text, old []string) int {
	n := 0
	for at := 0; at < len(text); {
		if stands(text, old, at) && len(old) > 0 {
			n++
			at += len(old)
		} else {
			at++
		}
	}
	return n
}

// picked is a request whose old texts are pieces of what the edits before them left,
// as the numbers say: two bytes choose a piece, one what else is done to it.
func picked(text string, picks uint64, replacements []string, target *Lines, strategy Strategy) Request {
	req := Request{Target: target, Strategy: strategy}
	left := text
	for _, replacement := range replacements {
		from, n, how := int(picks&0xff), int(picks>>8&0xff), int(picks>>16&0xf)
		picks >>= 20
		pieces := symbols(left)
		if len(pieces) == 0 {
			return req
		}
		from %= len(pieces)
		old := strings.Join(pieces[from:min(from+1+n%(len(pieces)+1), len(pieces))], "")
		if how&1 != 0 {
			old = strings.ReplaceAll(old, "\r\n", "\n")
		}
		if how&2 != 0 {
			old += "\n"
		}
		if how&4 != 0 {
			old = strings.TrimSuffix(old, "\n")
		}
		if how&8 != 0 {
			replacement = old + replacement
		}
		if old == "" {
			old = "\n"
		}
		req.Edits = append(req.Edits, Edit{old, replacement})
		var ok bool
		if left, _, ok = model(text, req); !ok {
			return req
		}
	}
	return req
}

// Pieces of the text are found, so that this compares what edits do rather than misses.
func FuzzPieces(f *testing.F) {
	f.Add("a\nb\r\nc\n", "x", "y\n", "", uint64(0x2010_3010_1021), uint8(0), uint8(0), uint8(0))
	f.Add("\r\n\r\n\n\r", "\n\r", "\n", "\r", uint64(0x3_0101_6_0000_1_0100), uint8(1), uint8(3), uint8(2))
	f.Add("\ufeffa\nb", "\ufeff", "\ufeffz", "q", uint64(0x2_0000_2_0100), uint8(2), uint8(2), uint8(0))
	f.Add("aaaaaa\naaa", "a", "aa", "", uint64(0x1_0001_0_0100), uint8(1), uint8(1), uint8(2))
	f.Add("é日\u2028🎉\n\n", "\n\n", "é", "\r\n", uint64(0x8_0201_8_0001), uint8(1), uint8(2), uint8(1))
	f.Fuzz(func(t *testing.T, text, new1, new2, new3 string, picks uint64, from, to, strategy uint8) {
		if len(text)+len(new1)+len(new2)+len(new3) > 1<<8 {
			return // the model is slow
		}
		for _, s := range []string{text, new1, new2, new3} {
			if !utf8.ValidString(s) {
				return
			}
		}
		var target *Lines
		if n := CountLines([]byte(text)); from > 0 && n > 0 {
			first := 1 + int(from)%n
			target = at(first, first+int(to)%(n-first+1))
		}
		req := picked(text, picks, []string{new1, new2, new3}, target, []Strategy{"", Exact, InTarget, AllInTarget}[strategy%4])
		if len(req.Edits) > 0 {
			compare(t, text, req)
		}
	})
}
