// Package notebook extracts the facts of Jupyter notebooks: the code cells are read as
// one Python file, each definition with its place in the notebook's own text.
//
// Only extract calls it.
package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// Language returns the rules for notebooks; python is the version of those of the cells.
func Language(python string) spec.Language {
	return spec.Language{
		Name: "notebook", Version: "notebook/1+" + python,
		Extract: func(*spec.Builder) {},
		Parts:   parts,
	}
}

// parts returns the code cells as one text.
func parts(b *spec.Builder) []spec.Part {
	r := reader{src: b.Src, dec: json.NewDecoder(bytes.NewReader(b.Src)), text: spec.Blank(b.Src)}
	if err := r.notebook(); err != nil {
		b.Facts.Status, b.Facts.Reason = graph.StatusPartial, "invalid"
	}
	if r.language != "" && r.language != "python" {
		return nil
	}
	return []spec.Part{{Language: "python", Text: r.text}}
}

// literal is a JSON string in the text, with its quotes.
type literal struct{ start, end int }

type reader struct {
	src      []byte
	dec      *json.Decoder
	text     []byte
	language string // that the notebook says its cells are in
}

var errShape = errors.New("unexpected token")

// notebook reads {"cells": […], "metadata": {…}, …}.
func (r *reader) notebook() error {
	return r.object(func(key string) error {
		switch key {
		case "cells":
			return r.list(r.cell)
		case "metadata":
			return r.metadata()
		}
		return r.skip()
	})
}

func (r *reader) cell() error {
	kind := ""
	var lines []literal
	err := r.object(func(key string) error {
		switch key {
		case "cell_type":
			_, s, err := r.str()
			kind = s
			return err
		case "source":
			var err error
			lines, err = r.lines()
			return err
		}
		return r.skip()
	})
	if kind == "code" {
		magic := len(lines) > 0 && bytes.HasPrefix(r.src[lines[0].start+1:], []byte("%%"))
		for _, l := range lines {
			if !magic { // else the cell is in another language
				r.copy(l)
			}
		}
	}
	return err
}

// metadata reads the language that the kernel runs.
func (r *reader) metadata() error {
	return r.object(func(key string) error {
		if key != "language_info" && key != "kernelspec" {
			return r.skip()
		}
		return r.object(func(field string) error {
			if key == "language_info" && field == "name" || key == "kernelspec" && field == "language" {
				_, s, err := r.str()
				r.language = strings.ToLower(s)
				return err
			}
			return r.skip()
		})
	})
}

// lines reads the source of a cell: one string, or a list of them.
func (r *reader) lines() (out []literal, err error) {
	if r.peek() != '[' {
		l, _, err := r.str()
		return []literal{l}, err
	}
	err = r.list(func() error {
		l, _, err := r.str()
		if err == nil {
			out = append(out, l)
		}
		return err
	})
	return out, err
}

// copy puts the text of a literal at its own place. The quote before it becomes the end
// of the line before; an escape becomes what it stands for behind blanks, as far as that
// is one byte, so that no offset changes.
func (r *reader) copy(l literal) {
	r.text[l.start] = '\n'
	lineStart := true
	for i := l.start + 1; i < l.end-1; i++ {
		c := r.src[i]
		if lineStart && (c == '%' || c == '!' || c == '?') { // not Python, but IPython's
			i = r.skipLine(i, l.end-1)
			continue
		}
		lineStart = lineStart && c == ' '
		if c != '\\' || i+1 >= l.end-1 {
			r.text[i] = c
			continue
		}
		i++
		switch r.src[i] {
		case 'n':
			r.text[i] = '\n'
			lineStart = true
		case '"':
			i = r.quotes(i-1, l.end-1)
		case '\\', '/':
			r.text[i] = r.src[i]
		case 'u':
			for j := i; j < min(i+5, l.end-1); j++ {
				r.text[j] = '0' // no name: it would not be what stands there
			}
			i = min(i+4, l.end-2)
		}
	}
}

// quotes writes a run of escaped quotes, so that three of them are one mark, and returns
// the offset of the last byte of the run.
func (r *reader) quotes(i, end int) int {
	n := 0
	for i+2*n+1 < end && r.src[i+2*n] == '\\' && r.src[i+2*n+1] == '"' {
		r.text[i+n] = '"'
		n++
	}
	return i + 2*n - 1
}

// skipLine returns the offset of the last byte of the line's end.
func (r *reader) skipLine(i, end int) int {
	for ; i+1 < end; i++ {
		if r.src[i] == '\\' {
			if r.src[i+1] == 'n' {
				r.text[i+1] = '\n'
				return i + 1
			}
			i++
		}
	}
	return end
}

// object reads an object and calls value for each key, to read what belongs to it.
func (r *reader) object(value func(key string) error) error {
	if err := r.delim('{'); err != nil {
		return err
	}
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return err
		}
		name, ok := key.(string)
		if !ok {
			return errShape
		}
		if err := value(name); err != nil {
			return err
		}
	}
	return r.delim('}')
}

func (r *reader) list(value func() error) error {
	if err := r.delim('['); err != nil {
		return err
	}
	for r.dec.More() {
		if err := value(); err != nil {
			return err
		}
	}
	return r.delim(']')
}

func (r *reader) delim(want json.Delim) error {
	tok, err := r.dec.Token()
	if err != nil {
		return err
	}
	if tok != want {
		return fmt.Errorf("read %v: %w", want, errShape)
	}
	return nil
}

// str reads a string. The literal ends where the decoder stands, and begins where it
// stood, behind a comma, a colon and white space.
func (r *reader) str() (literal, string, error) {
	from := int(r.dec.InputOffset())
	tok, err := r.dec.Token()
	if err != nil {
		return literal{}, "", err
	}
	s, ok := tok.(string)
	end := int(r.dec.InputOffset())
	start := bytes.IndexByte(r.src[from:end], '"')
	if !ok || start < 0 {
		return literal{}, "", errShape
	}
	return literal{from + start, end}, s, nil
}

// peek returns the first byte of the next value.
func (r *reader) peek() byte {
	for _, c := range r.src[min(int(r.dec.InputOffset()), len(r.src)):] {
		switch c {
		case ' ', '\t', '\r', '\n', ':', ',':
		default:
			return c
		}
	}
	return 0
}

func (r *reader) skip() error {
	var v json.RawMessage
	return r.dec.Decode(&v)
}
