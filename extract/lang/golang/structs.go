package golang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// A struct type without a name may have any number of fields, and a reference asks for
// one of them. So the hints of locals hold a mark in its place, "struct{@120}" by the
// offset of its brace, and each reference gets the fields that its path names.
const structMark = "{@"

// hintType returns the type at n for the hint of a local: on one line, with marks in
// place of the bodies of struct types; "" when it is too long to be of use.
func (x *extractor) hintType(n sitter.Node) string {
	s := x.marked(n, x.t.Start(n), x.t.End(n))
	if len(s) > maxTypeText {
		return ""
	}
	return s
}

// marked writes the text between two places in n as a type.
func (x *extractor) marked(n sitter.Node, from, to uint32) string {
	s := x.b.Slice(from, to)
	if !strings.Contains(s, "{") {
		return spec.OneLine(s)
	}
	for c := n; c < x.t.After(n); c++ {
		if x.t.Kind(c) == kFieldList {
			x.structs[x.t.Start(c)] = c
		}
	}
	return shorten(s, func(open int) string {
		at := from + uint32(open)
		if _, ok := x.structs[at]; !ok {
			return "{...}"
		}
		return structMark + strconv.FormatUint(uint64(at), 10) + "}"
	})
}

// unmarked replaces the marks in a text by the fields that are wanted, and what is
// embedded.
func (x *extractor) unmarked(s string, wanted func(field sitter.Node) bool) string {
	if !strings.Contains(s, structMark) {
		return s
	}
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(s, structMark)
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		digits, tail, _ := strings.Cut(rest, "}")
		at, _ := strconv.ParseUint(digits, 10, 32)
		b.WriteByte('{')
		x.writeFields(&b, x.structs[uint32(at)], wanted)
		b.WriteByte('}')
		s = tail
	}
}

func (x *extractor) writeFields(b *strings.Builder, list sitter.Node, wanted func(field sitter.Node) bool) {
	sep := ""
	write := func(name string, typ sitter.Node) {
		b.WriteString(sep)
		b.WriteString(name)
		b.WriteString(x.unmarked(x.marked(typ, x.t.Start(typ), x.t.End(typ)), wanted))
		sep = "; "
	}
	for f := range x.t.Children(list) {
		if x.t.Kind(f) != kField {
			continue
		}
		typ, named := x.t.Child(f, fType), false
		for id := range x.t.Children(f) {
			if x.t.Field(id) != fName {
				continue
			}
			if named = true; typ != sitter.None && wanted(id) {
				write(x.b.Text(id)+" ", typ)
			}
		}
		if typ == sitter.None { // *T has no field name in the grammar
			typ = x.t.First(f)
		}
		if !named && typ != sitter.None {
			write("", typ)
		}
	}
	if sep == "" {
		b.WriteString("...")
	}
}

// fullType returns the type at n with all fields of struct types in it, where that is
// not too long, and else as typeText does.
func (x *extractor) fullType(n sitter.Node) string {
	s := x.unmarked(x.hintType(n), func(sitter.Node) bool { return true })
	if s == "" || len(s) > maxTypeText {
		return x.typeText(n)
	}
	return s
}

// named returns the fields that a path selects, and the name.
func (x *extractor) named(path, name string) func(field sitter.Node) bool {
	names := append(selected(nil, path), name)
	return func(field sitter.Node) bool {
		return slices.ContainsFunc(names, func(n string) bool { return x.t.Is(field, n) })
	}
}

// selectsField reports whether a reference is to a field of a struct type that stands
// in the function: what is called then is the value of the field.
func (x *extractor) selectsField(r *graph.Ref) bool {
	path := r.Hint.Type + " " + r.Qualifier
	if !strings.Contains(path, structMark) {
		return false
	}
	return x.hasField(path, r.Name, x.named(path, ""))
}

// hasField looks for a field in the struct types that a text has marks for, and in
// those of the fields that a path goes through.
func (x *extractor) hasField(text, name string, through func(field sitter.Node) bool) bool {
	for _, rest := range strings.Split(text, structMark)[1:] {
		digits, _, _ := strings.Cut(rest, "}")
		at, _ := strconv.ParseUint(digits, 10, 32)
		list, ok := x.structs[uint32(at)]
		if !ok {
			continue
		}
		for f := range x.t.Children(list) {
			typ := x.t.Child(f, fType)
			for id := range x.t.Children(f) {
				if x.t.Field(id) != fName || typ == sitter.None {
					continue
				}
				if x.t.Is(id, name) || through(id) && x.hasField(x.marked(typ, x.t.Start(typ), x.t.End(typ)), name, through) {
					return true
				}
			}
		}
	}
	return false
}

// withFields replaces the marks in the qualifier and the hint of a reference.
func (x *extractor) withFields(r *graph.Ref) {
	if !strings.Contains(r.Qualifier, structMark) && !strings.Contains(r.Hint.Type, structMark) {
		return
	}
	wanted := x.named(r.Hint.Type+" "+r.Qualifier, r.Name)
	if r.Hint.Type = x.unmarked(r.Hint.Type, wanted); len(r.Hint.Type) > maxTypeText {
		r.Hint = graph.Hint{Rule: graph.HintLocal}
	}
	if r.Qualifier = x.unmarked(r.Qualifier, wanted); len(r.Qualifier) > maxPath {
		r.Qualifier = "?"
	}
}

// selected appends the names that stand behind dots in a path.
func selected(names []string, path string) []string {
	for i := 0; i < len(path); i++ {
		if path[i] != '.' {
			continue
		}
		end := i + 1
		for end < len(path) && !strings.ContainsRune(".()[]{}#,; *", rune(path[end])) {
			end++
		}
		if end > i+1 {
			names = append(names, path[i+1:end])
		}
	}
	return names
}

// typeText returns a type on one line, struct and interface literals in it without
// their bodies; "" when it is too long to be of use.
func (x *extractor) typeText(n sitter.Node) string {
	s := compressType(x.b.Text(n))
	if len(s) > maxTypeText {
		return ""
	}
	return s
}

// compressType writes a type on one line with "struct{...}" and "interface{...}" for
// literals.
func compressType(s string) string {
	return shorten(s, func(int) string { return "{...}" })
}

// shorten writes a type on one line and asks what stands for each of its outer braces
// by their offset.
func shorten(s string, body func(open int) string) string {
	if !strings.Contains(s, "{") {
		return spec.OneLine(s)
	}
	var b strings.Builder
	for done := 0; ; {
		open := strings.IndexByte(s[done:], '{')
		if open < 0 {
			b.WriteString(s[done:])
			return spec.OneLine(b.String())
		}
		open += done
		depth, end := 0, len(s)
		for i := open; i < len(s); i++ {
			if s[i] == '{' {
				depth++
			} else if s[i] == '}' {
				if depth--; depth == 0 {
					end = i + 1
					break
				}
			}
		}
		b.WriteString(strings.TrimRight(s[done:open], " \t\n"))
		b.WriteString(body(open))
		done = end
	}
}
