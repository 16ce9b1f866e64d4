// Package edit replaces pieces of a text exactly, all of them or none, and says what
// that did: the new text, what changed in bytes and in lines, a unified diff, and for
// a piece that is not there, the text that is most like it.
//
// It is pure: bytes come in, bytes and results go out. Reading, writing, ids and hash
// guards belong to the engine, which calls it.
//
// An edit is applied to what the edits before it left. It replaces the first
// occurrence of its old text; with a target, what its strategy says. A newline of the
// old text that no carriage return precedes matches "\r\n" too, and never half of it;
// where lines end in "\r\n", newlines of the new text are written so. A byte order
// mark at the beginning stays whatever the edits say. Nothing else is lenient.
package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Edit replaces Old, which is not empty, by New.
type Edit struct{ Old, New string }

// Strategy says how old texts are looked for in a target.
type Strategy string

// The strategies. The zero value means Exact.
const (
	Exact       Strategy = "exact"         // the old text is the whole target; the newline that ends either is optional
	InTarget    Strategy = "within_target" // the first occurrence inside the target
	AllInTarget Strategy = "all_in_target" // every occurrence inside the target, and none outside of it
)

// Lines is a run of whole lines, 1-based and inclusive. It is empty when To is before
// From, and stands before line From then.
type Lines struct{ From, To int }

// Request is a list of edits. Without a target they apply to the whole text, and the
// strategy means nothing. A target moves and grows with what the edits do to it.
type Request struct {
	Edits    []Edit
	Target   *Lines
	Strategy Strategy
}

// Result is what the edits did.
type Result struct {
	Text    []byte
	Changes []Change // in order; nothing between two of them changed
	Applied []Applied
	Target  *Lines // the lines on which the target stands in Text; nil if there was none
}

// Applied is what one edit did, in the text that the edits before it had left.
type Applied struct {
	Line     int // of the first replacement
	Replaced int // occurrences
	// Others counts further occurrences, anywhere in the text, that the edit left
	// alone, up to mostOthers of them.
	Others int
}

// mostOthers bounds the count of occurrences that are left alone.
const mostOthers = 1000

// ErrInvalid matches errors about the request itself: no edits, an empty old text, a
// text that is not UTF-8, a target that is not in the text.
var ErrInvalid = errors.New("invalid edit")

// InvalidUTF8Error says that the text is not UTF-8, and at which byte that shows.
type InvalidUTF8Error struct{ Offset int }

func (e *InvalidUTF8Error) Error() string {
	return fmt.Sprintf("edit text: not utf-8 at byte %d", e.Offset)
}

// NoMatchError says that the old text of an edit is not in the text.
type NoMatchError struct {
	Index int     // of the edit
	Done  *Result // what the edits before it did, which is void
	// Spent says that the old text was there before the edits of this request.
	Spent bool
	// Present is the line on which the new text stands already, or 0.
	Present int
	Nearest *Nearest // nil if nothing is like it
}

func (e *NoMatchError) Error() string {
	return fmt.Sprintf("apply edit %d: old text not found", e.Index)
}

// TargetError says that the old text of an edit is in the text, but not where the
// strategy wants it.
type TargetError struct {
	Index    int
	Strategy Strategy
	Done     *Result // what the edits before it did, which is void
	Target   Lines   // as it stands now
	InTarget bool    // the old text is a part of the target: only the strategy Exact refuses that
	Matches  []int   // the lines of the first few occurrences
	First    int     // the offset of the first one in the text, in bytes
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("apply edit %d: old text is not where strategy %s wants it", e.Index, e.Strategy)
}

// mostMatches is how many occurrences a TargetError lists.
const mostMatches = 10

const bom = "\ufeff"

// Apply applies all edits to a text, or none of them. The error is a *NoMatchError, a
// *TargetError, an *InvalidUTF8Error, one that wraps ErrInvalid, or that of the context.
func Apply(ctx context.Context, text []byte, req Request) (*Result, error) {
	if at := invalidAt(text); at >= 0 {
		return nil, &InvalidUTF8Error{Offset: at}
	}
	if err := req.check(); err != nil {
		return nil, err
	}
	s := &state{req: req, before: text, text: text, strategy: req.Strategy}
	if bytes.HasPrefix(text, []byte(bom)) {
		s.mark = len(bom)
	}
	if err := s.aim(); err != nil {
		return nil, err
	}
	for i, e := range req.Edits {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("apply edit %d: %w", i, err)
		}
		if err := s.apply(i, e); err != nil {
			return nil, err
		}
	}
	return s.result(), nil
}

func (r *Request) check() error {
	if len(r.Edits) == 0 {
		return fmt.Errorf("apply edits: there are none: %w", ErrInvalid)
	}
	switch r.Strategy {
	case "", Exact, InTarget, AllInTarget:
	default:
		return fmt.Errorf("apply edits: strategy %q: %w", r.Strategy, ErrInvalid)
	}
	for i, e := range r.Edits {
		switch {
		case e.Old == "":
			return fmt.Errorf("apply edit %d: old text is empty: %w", i, ErrInvalid)
		case !utf8.ValidString(e.Old) || !utf8.ValidString(e.New):
			return fmt.Errorf("apply edit %d: not utf-8: %w", i, ErrInvalid)
		}
	}
	return nil
}

// state is a text while edits are applied to it. Offsets are in bytes.
type state struct {
	req      Request
	before   []byte
	text     []byte
	mark     int // length of the byte order mark, which no edit sees
	target   *Range
	strategy Strategy
	changes  []span
	applied  []Applied
}

// aim turns the lines of the target into offsets.
func (s *state) aim() error {
	if s.strategy == "" {
		s.strategy = Exact
	}
	t := s.req.Target
	if t == nil {
		return nil
	}
	from, ok := lineStart(s.text, t.From)
	if !ok || t.To < t.From {
		return fmt.Errorf("apply edits: target lines %d-%d of a text of %d: %w", t.From, t.To, CountLines(s.text), ErrInvalid)
	}
	to, _ := lineStart(s.text, t.To+1)
	s.target = &Range{max(from, s.mark), max(to, s.mark)}
	return nil
}

// apply applies one edit.
func (s *state) apply(i int, e Edit) error {
	f := fold(s.text[s.mark:])
	old, replacement, atStart := s.unmark(e)
	p := fold([]byte(old))
	matches := s.find(&f, &p, &replacement)
	if atStart && len(matches) > 0 {
		matches = matches[:1]
		if matches[0].From > 0 {
			matches = nil
		}
	}
	if len(matches) == 0 {
		return s.miss(i, e, &f, &p)
	}
	w := writer{f: &f, text: []byte(replacement)}
	reps := make([]rep, len(matches))
	for k, m := range matches {
		reps[k] = rep{Range{f.raw(m.From) + s.mark, f.raw(m.To) + s.mark}, w.at(m)}
	}
	counted := len(reps)
	if matches[0].To-matches[0].From < len(p.text) {
		counted = 0 // the text has no newline there, so this is no occurrence of all that was looked for
	}
	s.applied = append(s.applied, Applied{
		Line: 1 + bytes.Count(s.text[:reps[0].From], []byte("\n")), Replaced: len(reps),
		Others: f.count(&p, mostOthers+counted) - counted,
	})
	s.replace(reps)
	return nil
}

// unmark removes the byte order mark from an edit of a text that has one. An old text
// that begins with it stands at the start or nowhere.
func (s *state) unmark(e Edit) (old, replacement string, atStart bool) {
	if s.mark == 0 {
		return e.Old, e.New, false
	}
	old, atStart = strings.CutPrefix(e.Old, bom)
	if old == "" {
		old, atStart = e.Old, false
	}
	return old, strings.TrimPrefix(e.New, bom), atStart
}

// find returns what an edit replaces, in the offsets of f. The strategy Exact may let
// go of the newline that ends the replacement where the text has none.
func (s *state) find(f, p *folded, replacement *string) []Range {
	if s.target == nil {
		if at := f.index(p, 0, len(f.text)); at >= 0 {
			return []Range{{at, at + len(p.text)}}
		}
		return nil
	}
	from, to := f.folded(s.target.From-s.mark), f.folded(s.target.To-s.mark)
	switch s.strategy {
	case InTarget:
		if at := f.index(p, from, to); at >= 0 {
			return []Range{{at, at + len(p.text)}}
		}
		return nil
	case AllInTarget:
		return f.all(p, from, to, len(f.text)+1)
	}
	whole := Range{from, to}
	if f.equal(p, whole) {
		return []Range{whole}
	}
	open := Range{from, to - 1}
	if to > from && f.text[to-1] == '\n' && f.equal(p, open) {
		return []Range{open}
	}
	if trimmed, ok := p.trimNewline(); ok && (to == from || f.text[to-1] != '\n') && f.equal(&trimmed, whole) {
		*replacement = strings.TrimSuffix(strings.TrimSuffix(*replacement, "\n"), "\r")
		return []Range{whole}
	}
	return nil
}

// rep is one replacement in a text.
type rep struct {
	Range
	with []byte
}

// replace makes replacements, which are in order and do not overlap.
func (s *state) replace(reps []rep) {
	size := len(s.text)
	spans := make([]span, len(reps))
	shift := 0
	for i, r := range reps {
		after := r.From + shift
		shift += len(r.with) - (r.To - r.From)
		spans[i] = span{r.Range, Range{after, r.To + shift}}
	}
	out := make([]byte, 0, size+shift)
	last := 0
	for _, r := range reps {
		out = append(append(out, s.text[last:r.From]...), r.with...)
		last = r.To
	}
	s.text = append(out, s.text[last:]...)
	s.changes = compose(s.changes, spans)
	if s.target != nil {
		s.target.To += shift
	}
}

func (s *state) result() *Result {
	r := &Result{Text: s.text, Changes: changes(s.before, s.text, s.changes), Applied: s.applied}
	if s.target != nil {
		l := linesOf(s.text, *s.target)
		r.Target = &l
	}
	return r
}

// miss says why an edit cannot be applied.
func (s *state) miss(i int, e Edit, f, p *folded) error {
	done := s.result()
	if s.target != nil {
		if all := f.all(p, 0, len(f.text), mostMatches); len(all) > 0 {
			err := &TargetError{Index: i, Strategy: s.strategy, Done: done, Target: *done.Target, First: f.raw(all[0].From) + s.mark}
			from, to := f.folded(s.target.From-s.mark), f.folded(s.target.To-s.mark)
			err.InTarget = f.index(p, from, to) >= 0
			for _, m := range all {
				err.Matches = append(err.Matches, 1+bytes.Count(f.text[:m.From], []byte("\n")))
			}
			return err
		}
	}
	err := &NoMatchError{Index: i, Done: done}
	if i > 0 {
		was := fold(s.before[s.mark:])
		err.Spent = was.index(p, 0, len(was.text)) >= 0
	}
	if strings.TrimSpace(e.New) != "" {
		n := fold([]byte(e.New))
		if at := f.index(&n, 0, len(f.text)); at >= 0 {
			err.Present = 1 + bytes.Count(f.text[:at], []byte("\n"))
		}
	}
	region := Range{s.mark, len(s.text)}
	if s.target != nil {
		region = *s.target
	}
	err.Nearest = nearest(s.text, region, e.Old)
	return err
}
