package accuracy

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Correction is one change of what a suite says of a case.
type Correction struct {
	Case     string
	Old, New *SuiteEdge // either may be nil: what is added has no Old, what is dropped no New
	Reason   string
}

// ReadCorrections reads corrections of a suite, one a line, in four columns that tabs
// separate:
//
//	CASE  add   FILE:LINE -> FILE:LINE                            REASON
//	CASE  drop  FILE:LINE -> FILE:LINE                            REASON
//	CASE  move  FILE:LINE -> FILE:LINE => FILE:LINE -> FILE:LINE  REASON
//
// Lines that begin with # are remarks. A correction without a reason is refused.
func ReadCorrections(name string) ([]Correction, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read corrections: %w", err)
	}
	var out []Correction
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		c, err := correction(line)
		if err != nil {
			return nil, fmt.Errorf("read corrections: %s:%d: %w", name, n, err)
		}
		out = append(out, c)
	}
	return out, nil
}

func correction(line string) (c Correction, err error) {
	columns := strings.Split(line, "\t")
	if len(columns) != 4 || strings.TrimSpace(columns[3]) == "" {
		return c, errors.New("not a case, a change, an edge and a reason")
	}
	c.Case, c.Reason = columns[0], columns[3]
	old, edge, two := strings.Cut(columns[2], " => ")
	if !two {
		edge = old
	}
	switch word := columns[1]; {
	case word == "add" && !two:
		c.New, err = ParseEdge(edge)
	case word == "drop" && !two:
		c.Old, err = ParseEdge(edge)
	case word == "move" && two:
		if c.Old, err = ParseEdge(old); err == nil {
			c.New, err = ParseEdge(edge)
		}
	default:
		err = fmt.Errorf("change %q of %q", word, columns[2])
	}
	return c, err
}

// ParseEdge reads "FILE:LINE -> FILE:LINE".
func ParseEdge(text string) (*SuiteEdge, error) {
	from, to, ok := strings.Cut(text, " -> ")
	caller, err := nodeOf(from)
	callee, also := nodeOf(to)
	if err = errors.Join(err, also); !ok || err != nil {
		return nil, fmt.Errorf("edge %q: %w", text, err)
	}
	return &SuiteEdge{Caller: caller, Callee: callee}, nil
}

func nodeOf(text string) (SuiteNode, error) {
	at := strings.LastIndexByte(text, ':')
	line, err := strconv.Atoi(text[at+1:])
	if at <= 0 || err != nil {
		return SuiteNode{}, fmt.Errorf("no file and line: %q", text)
	}
	return SuiteNode{File: text[:at], Line: line}, nil
}

// Correct returns the cases with the corrections made. One that does not fit is an
// error: of a case that is not there, of an edge that the case has not, or of one to add
// that it has.
func Correct(cases []SuiteCase, corrections []Correction) ([]SuiteCase, error) {
	out := slices.Clone(cases)
	at := map[string]int{}
	for i := range out {
		at[out[i].Case] = i
		out[i].Edges = slices.Clone(out[i].Edges)
	}
	for _, c := range corrections {
		i, ok := at[c.Case]
		if !ok {
			return nil, fmt.Errorf("correct %s: no such case", c.Case)
		}
		if err := out[i].correct(c); err != nil {
			return nil, fmt.Errorf("correct %s: %w", c.Case, err)
		}
	}
	return out, nil
}

func (c *SuiteCase) correct(k Correction) error {
	if k.Old != nil {
		n := len(c.Edges)
		c.Edges = slices.DeleteFunc(c.Edges, func(e SuiteEdge) bool { return e.places() == k.Old.places() })
		if len(c.Edges) == n {
			return fmt.Errorf("it has no edge %s", k.Old.places())
		}
	}
	if k.New == nil {
		return nil
	}
	if slices.ContainsFunc(c.Edges, func(e SuiteEdge) bool { return e.places() == k.New.places() }) {
		return fmt.Errorf("it has the edge %s", k.New.places())
	}
	for _, file := range [...]string{k.New.Caller.File, k.New.Callee.File} {
		if !slices.Contains(c.Files, file) {
			return fmt.Errorf("it has no file %s", file)
		}
	}
	c.Edges = append(c.Edges, *k.New)
	return nil
}

// String writes an edge as ParseEdge reads it.
func (e *SuiteEdge) String() string { return e.places().String() }

func (e *SuiteEdge) places() suiteEdge {
	return suiteEdge{Place{e.Caller.File, e.Caller.Line}, Place{e.Callee.File, e.Callee.Line}}
}
