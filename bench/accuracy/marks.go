package accuracy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Marks reads the truth that stands in the remarks of a tree's own text. A remark that
// begins with a colon ("//: …", "#: …") says what a compiler knows of its line, in items
// that semicolons separate:
//
//	fn LABEL        a function or method is defined here
//	def LABEL       something else is
//	opt LABEL       not every build has it: who does not list it is right, too
//	end LABEL       the last line of what was defined as LABEL; else that is its first
//	call LABEL      its name is called here
//	call WORD=LABEL|LABEL
//	                WORD is, and any of the definitions is a right answer
//	ext NAME        what is called leads out of the tree
//	base LABEL      what is defined on this line is derived from it
//	impl LABEL BASE the same, said elsewhere
//	import PATH     another file, or a directory of the tree
//
// A label is any word. Its last part, behind a dot or slash, is the name that stands in
// the text, unless the definition gives another: "fn say2=say". Calls that no remark
// names are not judged; definitions are, in each file that has remarks.
func Marks(files map[string]string) ([]Record, error) {
	m := marks{defs: map[string]*Record{}, fns: map[string][]*Record{}}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, pass := range [...]func(mark) error{m.define, m.relate} {
		for _, name := range names {
			if err := eachMark(name, files[name], pass); err != nil {
				return nil, err
			}
		}
	}
	out := make([]Record, 0, len(m.order)+len(m.rest))
	for _, r := range m.order {
		out = append(out, *r)
	}
	return append(out, m.rest...), nil
}

// mark is one item of a remark.
type mark struct {
	file, code string // code is the line without the remark
	line       int
	word, arg  string
	first      string         // label of what the line defines first
	used       map[string]int // how many calls of each name the line had so far
}

type marks struct {
	defs  map[string]*Record // by label
	order []*Record
	fns   map[string][]*Record // of a file
	rest  []Record
}

func eachMark(file, text string, use func(mark) error) error {
	n := 0
	for line := range strings.Lines(text) {
		n++
		code, said, ok := cutRemark(line)
		if !ok {
			continue
		}
		first, used := "", map[string]int{}
		for item := range strings.SplitSeq(said, ";") {
			word, arg, _ := strings.Cut(strings.TrimSpace(item), " ")
			label, _, _ := strings.Cut(arg, "=")
			if first == "" && (word == "fn" || word == "def") {
				first = label
			}
			m := mark{file: file, code: code, line: n, word: word, arg: arg, first: first, used: used}
			if err := use(m); err != nil {
				return fmt.Errorf("%s:%d: %s %s: %w", file, n, word, arg, err)
			}
		}
	}
	return nil
}

func cutRemark(line string) (code, said string, ok bool) {
	for _, begin := range [...]string{"//: ", "#: "} {
		if code, said, ok = strings.Cut(line, begin); ok {
			return code, strings.TrimSpace(said), true
		}
	}
	return line, "", false
}

// define reads what is defined where.
func (m *marks) define(k mark) error {
	switch k.word {
	case "fn", "def":
		label, name, ok := strings.Cut(k.arg, "=")
		if !ok {
			name = lastPart(label)
		}
		if m.defs[label] != nil {
			return fmt.Errorf("there is another one at line %d", m.defs[label].Line)
		}
		at := places(k.code, name)
		if len(at) == 0 {
			return fmt.Errorf("%q does not stand on the line", name)
		}
		r := &Record{K: "def", File: k.file, Line: k.line, Col: at[0] + 1, Kind: k.word, Name: name, End: k.line}
		m.defs[label], m.order = r, append(m.order, r)
		if k.word == "fn" {
			m.fns[k.file] = append(m.fns[k.file], r)
		}
	case "end", "opt":
		r := m.defs[k.arg]
		switch {
		case r == nil:
			return errNoLabel
		case k.word == "end":
			r.End = k.line
		default:
			r.Local = true
		}
	case "call", "ext", "base", "impl", "import":
	default:
		return errors.New("unknown word")
	}
	return nil
}

var errNoLabel = errors.New("no such label")

// relate reads what leads from one definition to another.
func (m *marks) relate(k mark) error {
	switch k.word {
	case "call", "ext":
		return m.call(k)
	case "base":
		return m.inherits(k.first, k.arg)
	case "impl":
		of, base, _ := strings.Cut(k.arg, " ")
		return m.inherits(of, base)
	case "import":
		r := Record{K: "import", File: k.file, Line: k.line, TargetFile: k.arg}
		if !strings.Contains(lastOf(k.arg, "/"), ".") {
			r.TargetFile, r.TargetDir = "", k.arg
		}
		m.rest = append(m.rest, r)
	}
	return nil
}

func (m *marks) inherits(of, base string) error {
	d, b := m.defs[of], m.defs[base]
	if d == nil || b == nil {
		return errNoLabel
	}
	m.rest = append(m.rest, Record{K: "inherits", Rel: "extends", File: d.File, Line: d.Line, Name: d.Name, BaseFile: b.File, BaseLine: b.Line})
	return nil
}

func (m *marks) call(k mark) error {
	word, targets, ok := strings.Cut(k.arg, "=")
	if !ok {
		word, targets = "", k.arg
	}
	name := lastPart(word)
	r := Record{K: "call", File: k.file, Line: k.line, Ext: k.word == "ext", CallerFile: k.file}
	if r.Ext {
		name, r.Callee = k.arg, &k.arg
	} else {
		for i, label := range strings.Split(targets, "|") {
			d := m.defs[label]
			if d == nil {
				return errNoLabel
			}
			if i > 0 {
				r.Targets = append(r.Targets, Place{d.File, d.Line})
				continue
			}
			if name == "" {
				name = d.Name
			}
			r.Callee, r.CalleeFile, r.CalleeLine = &label, d.File, d.Line
		}
	}
	col, err := k.site(name)
	if err != nil {
		return err
	}
	r.Name, r.Col = name, col
	for _, fn := range m.fns[k.file] { // the innermost is defined last
		if fn.Line <= k.line && k.line <= fn.End {
			r.CallerLine = fn.Line
		}
	}
	m.rest = append(m.rest, r)
	return nil
}

// site returns the column of the next place on the line where a name is called: one
// with a bracket behind it, if there is any.
func (k mark) site(name string) (int, error) {
	var called, named []int
	for _, at := range places(k.code, name) {
		named = append(named, at)
		if rest := strings.TrimLeft(k.code[at+len(name):], "<>:!"); strings.HasPrefix(rest, "(") {
			called = append(called, at)
		}
	}
	if len(called) == 0 {
		called = named
	}
	n := k.used[name]
	if n >= len(called) {
		return 0, fmt.Errorf("%q does not stand on the line %d times", name, n+1)
	}
	k.used[name]++
	return called[n] + 1, nil
}

// places lists where a word stands in a line.
func places(line, word string) (out []int) {
	isWord := func(i int) bool {
		if i < 0 || i >= len(line) {
			return false
		}
		c := line[i]
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for from := 0; word != ""; {
		i := strings.Index(line[from:], word)
		if i < 0 {
			break
		}
		at := from + i
		if !isWord(at-1) && !isWord(at+len(word)) {
			out = append(out, at)
		}
		from = at + 1
	}
	return out
}

func lastPart(label string) string { return lastOf(lastOf(label, "."), "/") }

func lastOf(s, sep string) string { return s[strings.LastIndex(s, sep)+1:] }
