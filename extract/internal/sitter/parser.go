package sitter

// #include "flatten.h"
// #include "input.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"time"
	"unsafe"
)

// Sentinel errors of Parse and WithTree. After any error the parser must be closed.
var (
	// ErrTimeBudget says that parsing did not end within Limits.Time.
	ErrTimeBudget = errors.New("time budget spent")
	// ErrTooLarge says that the text cannot be addressed with 32 bits.
	ErrTooLarge = errors.New("text too large")
	// ErrClosed says that the parser was closed.
	ErrClosed = errors.New("parser closed")
)

// Limits bound one parse. Zero values mean the defaults.
type Limits struct {
	Time  time.Duration // wall time of the parse; default 10 s
	Nodes int           // named nodes kept; default 4 million (80 MB)
	Depth int           // levels of nesting entered; default 4096
}

const (
	defaultTime  = 10 * time.Second
	defaultNodes = 4 << 20
	defaultDepth = 4096
)

// Parser parses texts of one language. It serves one goroutine at a time and must
// be closed: its memory is not the garbage collector's.
type Parser struct {
	c     unsafe.Pointer
	begin func() (end func()) // of the grammar
	voc   *C.ri_vocabulary
	nodes []node // reused from file to file
}

// NewParser returns a parser of g whose trees speak in v. It fails when the C
// library is not linked or when v names a kind or field that g does not have.
func NewParser(g Grammar, v Vocabulary) (*Parser, error) {
	if err := linked(); err != nil {
		return nil, err
	}
	kinds, fields, err := g.compile(v)
	if err != nil {
		return nil, err
	}
	p := &Parser{c: C.ts_parser_new(), begin: g.begin}
	p.voc = C.ri_vocabulary_new(g.pointer(), (*C.uint16_t)(&kinds[0]), (*C.uint8_t)(&fields[0]))
	if p.voc == nil {
		p.Close()
		return nil, fmt.Errorf("load grammar %s: not laid out as expected", g.name)
	}
	if !C.ts_parser_set_language(p.c, g.pointer()) {
		p.Close()
		return nil, fmt.Errorf("load grammar %s: built for another version of tree-sitter", g.name)
	}
	return p, nil
}

// Close frees the parser. It may be called more than once.
func (p *Parser) Close() {
	if p.c != nil {
		C.ts_parser_delete(p.c)
		C.ri_vocabulary_delete(p.voc)
		p.c, p.voc, p.nodes = nil, nil, nil
	}
}

// Parse parses src and throws the tree away: the floor that extraction is measured
// against.
func (p *Parser) Parse(src []byte, lim Limits) error {
	tree, err := p.parse(src, lim)
	if err != nil {
		return err
	}
	C.ts_tree_delete(tree)
	return nil
}

// WithTree parses src and calls use with the tree, which is valid only until use
// returns. src must not change meanwhile. A text with syntax errors is no error.
func (p *Parser) WithTree(src []byte, lim Limits, use func(*Tree)) error {
	tree, err := p.parse(src, lim)
	if err != nil {
		return err
	}
	t := Tree{Src: src}
	p.flatten(tree, lim, &t)
	C.ts_tree_delete(tree)
	use(&t)
	return nil
}

func (p *Parser) parse(src []byte, lim Limits) (unsafe.Pointer, error) {
	if p.c == nil {
		return nil, ErrClosed
	}
	if len(src) >= math.MaxInt32 {
		return nil, ErrTooLarge
	}
	if lim.Time <= 0 {
		lim.Time = defaultTime
	}
	if p.begin != nil {
		defer p.begin()()
	}
	text := (*C.char)(unsafe.Pointer(unsafe.SliceData(src)))
	tree := C.ri_parse(p.c, text, C.uint32_t(len(src)), C.uint64_t(max(1, lim.Time.Microseconds()))) // 0 is no limit
	if tree == nil {
		C.ts_parser_reset(p.c) // or the next parse would resume this one
		return nil, ErrTimeBudget
	}
	return tree, nil
}

// flatten copies the named nodes of tree into the parser's buffer.
func (p *Parser) flatten(tree unsafe.Pointer, lim Limits, t *Tree) {
	if lim.Nodes <= 0 {
		lim.Nodes = defaultNodes
	}
	if lim.Depth <= 0 {
		lim.Depth = defaultDepth
	}
	room := max(1, min(int(C.ri_visible(tree)), lim.Nodes))
	if cap(p.nodes) < room {
		p.nodes = make([]node, room)
	}
	p.nodes = p.nodes[:cap(p.nodes)]

	var o C.ri_outcome
	C.ri_flatten(tree, p.voc, (*C.ri_flat)(unsafe.Pointer(&p.nodes[0])), C.uint32_t(room), C.uint32_t(lim.Depth), &o)

	t.nodes = p.nodes[:o.count]
	t.hasError = o.has_error != 0
	t.firstError = uint32(min(int(o.first_error), len(t.Src)))
	t.tooDeep = o.too_deep != 0
	t.tooMany = o.too_many != 0
}
