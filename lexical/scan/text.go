package scan

import (
	"bytes"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical/match"
)

// match copies what a matching line shows.
func (s *scan) match(p graph.Path, src []byte, m match.LineMatch) Match {
	out := Match{Path: p, LineMatch: m}
	if s.FilesOnly {
		return out
	}
	out.Text, out.Cut = s.around(src[m.Start:m.End], int(m.Col)-1, m.Len)
	for at, n := m.Start, s.Before; n > 0 && at > 0; n-- {
		end := at - 1 // the line end before
		at = bytes.LastIndexByte(src[:end], '\n') + 1
		out.Before = append(out.Before, s.line(src[at:end]))
	}
	for i, j := 0, len(out.Before)-1; i < j; i, j = i+1, j-1 {
		out.Before[i], out.Before[j] = out.Before[j], out.Before[i]
	}
	at := nextLine(src, m.End)
	for n := s.After; n > 0 && at < len(src); n-- {
		next := nextLine(src, at)
		out.After = append(out.After, s.line(bytes.TrimSuffix(src[at:next], []byte{'\n'})))
		at = next
	}
	return out
}

// nextLine returns where the line after the one that holds at begins.
func nextLine(src []byte, at int) int {
	if nl := bytes.IndexByte(src[at:], '\n'); nl >= 0 {
		return at + nl + 1
	}
	return len(src)
}

// line is a context line, cut at MaxText.
func (s *scan) line(text []byte) string {
	shown, _ := s.around(bytes.TrimSuffix(text, []byte{'\r'}), 0, 0)
	return shown
}

// around cuts a line to MaxText bytes with the match in them: the first ones when
// the match is among them, else some before and the rest from the match on.
func (s *scan) around(line []byte, at, size int) (shown string, cut bool) {
	if s.MaxText <= 0 || len(line) <= s.MaxText {
		return string(line), false
	}
	from := 0
	if at+size > s.MaxText {
		from = runeStart(line, min(at-s.MaxText/4, len(line)-s.MaxText))
	}
	return string(line[from:runeStart(line, min(from+s.MaxText, len(line)))]), true
}

// runeStart moves at back to the start of the character that it stands in.
func runeStart(line []byte, at int) int {
	at = max(at, 0)
	for n := 0; n < utf8.UTFMax && at > 0 && at < len(line) && !utf8.RuneStart(line[at]); n++ {
		at--
	}
	return at
}
