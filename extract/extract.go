package extract

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/extract/lang/manifest"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/blob"
)

// File is what facts are made from. Src must not change during the call and is not
// kept; Hash is the hash of Src and is copied into the facts as it is.
type File struct {
	Path graph.Path
	Src  []byte
	Hash graph.Hash
}

// Limits bound the work on one file. Zero values mean the defaults.
type Limits struct {
	Time  time.Duration // parsing; default 5 s and 2 s more for each megabyte
	Nodes int           // named syntax nodes; default 4 million
	Depth int           // nesting; default 4096
}

// Extractor extracts one file after another. It keeps a parser for each language
// that it has met, so it is cheaper than Extract and must be closed. It serves one
// goroutine at a time.
type Extractor struct {
	limits  Limits
	parsers map[string]*sitter.Parser
	room    graph.Facts // its lists are empty, and have room for those of a file
	encoder blob.Encoder
}

// New returns an extractor with the given limits.
func New(limits Limits) *Extractor {
	return &Extractor{limits: limits, parsers: map[string]*sitter.Parser{}}
}

// Close frees the parsers.
func (x *Extractor) Close() {
	for _, p := range x.parsers {
		p.Close()
	}
	clear(x.parsers)
}

// Extract makes the facts of one file on an extractor of its own.
func Extract(ctx context.Context, f File) (*graph.Facts, error) {
	x := New(Limits{})
	defer x.Close()
	return x.Extract(ctx, f)
}

// Extract makes the facts of one file; nil without an error when nothing is
// extracted from files of its kind. Bad source is no error (see the package
// comment). An error is that of ctx, which is looked at before parsing, or means
// that a grammar is not usable in this build.
func (x *Extractor) Extract(ctx context.Context, f File) (*graph.Facts, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l, ok := find(Detect(f.Path, f.Src))
	if !ok {
		return nil, nil
	}
	facts := &graph.Facts{
		Path: f.Path, Hash: f.Hash, Language: l.Name, Extractor: l.Version,
		Status: graph.StatusOK, Role: graph.RoleOf(f.Path),
		Defs: x.room.Defs, Refs: x.room.Refs,
	}
	x.room = graph.Facts{}
	if isPacked(l.Name) && minified(f.Src) {
		setStatus(facts, graph.StatusCapped, "minified")
		countLines(facts, f.Src)
		return facts, nil
	}
	if l.Grammar.IsZero() {
		if err := x.run(l, spec.NewBuilder(facts, withoutMark(f.Src), nil)); err != nil {
			return nil, err
		}
	} else if err := x.parse(l, facts, f.Src); err != nil {
		return nil, err
	}
	if f.Path.Base() == "setup.py" {
		manifest.SetupPy(facts, f.Src)
	}
	facts.Exports = exportsHash(facts)
	return facts, nil
}

// Encoded is Extract with the facts in their byte form (graph/blob). It costs less: the
// room of one file's facts serves those of the next.
func (x *Extractor) Encoded(ctx context.Context, f File) ([]byte, error) {
	facts, err := x.Extract(ctx, f)
	if err != nil || facts == nil {
		return nil, err
	}
	encoded := x.encoder.Encode(facts)
	if cap(facts.Refs) <= maxRoom && cap(facts.Defs) <= maxRoom {
		clear(facts.Defs) // or they would hold the text
		clear(facts.Refs)
		x.room = graph.Facts{Defs: facts.Defs[:0], Refs: facts.Refs[:0]}
	}
	return encoded, nil
}

// maxRoom is the length of lists above which their room is not kept.
const maxRoom = 1 << 15

// parse parses src and lets the language read the tree.
func (x *Extractor) parse(l spec.Language, facts *graph.Facts, src []byte) error {
	p, err := x.parser(l, l.Name)
	if err != nil {
		return err
	}
	text, notes, ok := prepare(l, facts, src)
	if !ok {
		countLines(facts, src)
		return nil
	}
	var failed error
	text = withoutZeros(text)
	if l.LastLine && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(slices.Clip(text), '\n')
	}
	err = p.WithTree(text, x.limitsOf(l, len(src)), func(t *sitter.Tree) {
		t.Clip(uint32(len(src)))
		b := spec.NewBuilder(facts, src, t)
		b.Reparse = func(text []byte, read func(*sitter.Tree)) error { return x.reparse(l, text, read) }
		b.Notes = notes
		setTreeStatus(facts, b)
		failed = x.run(l, b)
	})
	if err == nil {
		return failed
	}
	p.Close()
	delete(x.parsers, l.Name)
	countLines(facts, src)
	switch {
	case errors.Is(err, sitter.ErrTimeBudget):
		setStatus(facts, graph.StatusCapped, "time_budget")
		if l.Textual != nil {
			rules(facts, func() { l.Textual(spec.NewBuilder(facts, src, nil)) })
		}
	case errors.Is(err, sitter.ErrTooLarge):
		setStatus(facts, graph.StatusCapped, "size")
	default:
		return fmt.Errorf("extract %s: %w", facts.Path, err)
	}
	return nil
}

// prepare returns the text that is parsed. Like rules, it survives a defect.
func prepare(l spec.Language, facts *graph.Facts, src []byte) (text []byte, notes any, ok bool) {
	if l.Prepare == nil {
		return src, nil, true
	}
	rules(facts, func() {
		text, notes = l.Prepare(src)
		ok = true
	})
	return text, notes, ok
}

// run calls the language's rules, and those of the languages of its parts.
func (x *Extractor) run(l spec.Language, b *spec.Builder) error {
	rules(b.Facts, func() { l.Extract(b) })
	if l.Parts != nil {
		var parts []spec.Part
		rules(b.Facts, func() { parts = l.Parts(b) })
		for _, part := range parts {
			if err := x.part(part, b); err != nil {
				return err
			}
		}
	}
	dropNameless(b.Facts)
	byStart := func(a, b graph.Ref) int { return cmp.Compare(a.Span.Start, b.Span.Start) }
	if !slices.IsSortedFunc(b.Facts.Refs, byStart) {
		slices.SortStableFunc(b.Facts.Refs, byStart)
	}
	return nil
}

// rules calls rules of a language. A panic there is a defect, but one file's defect
// must not take the index with it.
func rules(f *graph.Facts, call func()) {
	defer func() {
		if r := recover(); r != nil {
			f.Defs, f.Refs, f.ValueCalls, f.Imports, f.Heritage, f.Mentions, f.Manifest = nil, nil, nil, nil, nil, nil, nil
			setStatus(f, graph.StatusFailed, fmt.Sprintf("panic: %v", r))
		}
	}()
	call()
}

// part adds the facts of a part to those of the file that b was made for.
func (x *Extractor) part(part spec.Part, b *spec.Builder) error {
	l, ok := find(part.Language)
	if !ok || len(part.Text) != len(b.Src) {
		return nil
	}
	p, err := x.parser(l, l.Name)
	if err != nil {
		return err
	}
	err = p.WithTree(withoutZeros(part.Text), x.sitterLimits(len(part.Text)), func(t *sitter.Tree) {
		pb := spec.NewPartBuilder(b.Facts, b.Src, part, t)
		setTreeStatus(b.Facts, pb)
		rules(b.Facts, func() { l.Extract(pb) })
	})
	if err == nil {
		return nil
	}
	p.Close()
	delete(x.parsers, l.Name)
	if !errors.Is(err, sitter.ErrTimeBudget) {
		return fmt.Errorf("extract %s: %w", b.Facts.Path, err)
	}
	setStatus(b.Facts, graph.StatusCapped, "time_budget")
	return nil
}

// setTreeStatus says what of the text is not in the tree.
func setTreeStatus(facts *graph.Facts, b *spec.Builder) {
	off, bad := b.Tree.HasError()
	if zero := bytes.IndexByte(b.Src, 0); zero >= 0 && (!bad || zero < int(off)) {
		off, bad = uint32(zero), true
	}
	if bad {
		setStatus(facts, graph.StatusPartial, graph.SyntaxErrorAt(b.Lines.Pos(off)))
	}
	if b.Tree.TooDeep() {
		setStatus(facts, graph.StatusCapped, "depth")
	}
	if b.Tree.TooMany() {
		setStatus(facts, graph.StatusCapped, "node_budget")
	}
}

// withoutMark returns a text of the same length with blanks for its byte order mark, which
// the grammars know and readers without one need not.
func withoutMark(src []byte) []byte {
	if !bytes.HasPrefix(src, []byte("\ufeff")) {
		return src
	}
	return append([]byte("   "), src[len("\ufeff"):]...)
}

// withoutZeros returns a text of the same length with blanks for its zero bytes. To a
// lexer of a grammar zero is the end of the text, and what it does at an end that is
// none differs: some look for the true end from each zero byte anew. No language knows
// zero bytes, so they count as syntax errors (setTreeStatus).
func withoutZeros(text []byte) []byte {
	if bytes.IndexByte(text, 0) < 0 {
		return text
	}
	return bytes.ReplaceAll(text, []byte{0}, []byte{' '})
}

// reparse parses a text while another tree of the language is being read.
func (x *Extractor) reparse(l spec.Language, text []byte, read func(*sitter.Tree)) error {
	key := l.Name + " again"
	p, err := x.parser(l, key)
	if err != nil {
		return err
	}
	delete(x.parsers, key) // a text in it is parsed by another one
	if err := p.WithTree(withoutZeros(text), x.sitterLimits(len(text)), read); err != nil {
		p.Close()
		return fmt.Errorf("parse again: %w", err)
	}
	if old := x.parsers[key]; old != nil {
		old.Close()
	}
	x.parsers[key] = p
	return nil
}

// parser returns the parser that is kept under a key.
func (x *Extractor) parser(l spec.Language, key string) (*sitter.Parser, error) {
	if p := x.parsers[key]; p != nil {
		return p, nil
	}
	p, err := sitter.NewParser(l.Grammar, l.Vocabulary)
	if err != nil {
		return nil, fmt.Errorf("extract %s: %w", l.Name, err)
	}
	x.parsers[key] = p
	return p, nil
}

// limitsOf returns the limits of a parse in a language.
func (x *Extractor) limitsOf(l spec.Language, size int) sitter.Limits {
	limits := x.sitterLimits(size)
	if l.Time != nil {
		limits.Time = min(limits.Time, l.Time(size))
	}
	return limits
}

func (x *Extractor) sitterLimits(size int) sitter.Limits {
	t := x.limits.Time
	if t <= 0 {
		t = 5*time.Second + time.Duration(size>>20)*2*time.Second
	}
	return sitter.Limits{Time: t, Nodes: x.limits.Nodes, Depth: x.limits.Depth}
}

// ParseOnly parses src and throws the tree away: the floor that extraction is
// measured against. Text of a language without a grammar costs nothing.
func (x *Extractor) ParseOnly(ctx context.Context, language string, src []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l, ok := find(language)
	if !ok || l.Grammar.IsZero() {
		return nil
	}
	p, err := x.parser(l, l.Name)
	if err != nil {
		return err
	}
	if err := p.Parse(src, x.limitsOf(l, len(src))); err != nil {
		p.Close()
		delete(x.parsers, language)
		return fmt.Errorf("parse %s: %w", language, err)
	}
	return nil
}

// ParseOnly is Extractor.ParseOnly on an extractor of its own.
func ParseOnly(ctx context.Context, language string, src []byte) error {
	x := New(Limits{})
	defer x.Close()
	return x.ParseOnly(ctx, language, src)
}
