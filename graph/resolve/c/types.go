package c

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// ctype is a type as overload resolution compares it. The zero value is unknown.
type ctype struct {
	name    string // a word of the language, or a name as it is written in by's file
	args    string // template arguments, with their brackets
	ptr     int
	isConst bool // of the value, or of what is pointed to
	ref     int  // 1 "&", 2 "&&"; of an argument: 1 has a place
	zero    bool // the literal 0
	null    bool // nullptr
	by      *binder
	class   []sym // what the name means, once it is looked up
	looked  bool
}

func (t *ctype) known() bool { return t.name != "" || t.null }

// readType reads a type as it is written.
func (b *binder) readType(text string) ctype {
	t := ctype{by: b}
	text = strings.TrimSpace(text)
	switch text {
	case "0":
		return ctype{name: "int", zero: true, by: b}
	case "nullptr":
		return ctype{null: true, by: b}
	}
	if strings.ContainsAny(text, "()") || text == "" || strings.Contains(text, "...") {
		return ctype{}
	}
	for {
		switch {
		case strings.HasSuffix(text, "&"):
			t.ref++
			text = strings.TrimSpace(text[:len(text)-1])
			continue
		case strings.HasSuffix(text, "*"):
			t.ptr++
			text = strings.TrimSpace(text[:len(text)-1])
			continue
		case strings.HasSuffix(text, "const") && len(text) > 5 && !isWord(text[len(text)-6]):
			text = strings.TrimSpace(text[:len(text)-5])
			if t.ptr == 0 {
				t.isConst = true
			}
			continue
		}
		break
	}
	for {
		word, rest, ok := strings.Cut(text, " ")
		if !ok {
			break
		}
		switch word {
		case "const":
			t.isConst = true
		case "volatile", "struct", "class", "enum", "union", "typename", "register", "constexpr":
		default:
			ok = false
		}
		if !ok {
			break
		}
		text = strings.TrimSpace(rest)
	}
	if i := strings.IndexByte(text, '<'); i > 0 {
		if !strings.HasSuffix(text, ">") {
			return ctype{}
		}
		text, t.args = text[:i], strings.ReplaceAll(text[i:], " ", "")
	}
	if text == "auto" || strings.HasPrefix(text, "decltype") {
		return ctype{}
	}
	if w := number(text); w != "" {
		text = w
	}
	t.name = text
	return t
}

// number returns the type that a word, or a name of the library, means where it is one of
// numbers, of truth or void, and "" for another.
func number(name string) string {
	switch strings.TrimPrefix(name, "std::") {
	case "int", "signed", "signed int", "int32_t":
		return "int"
	case "unsigned", "unsigned int", "uint32_t":
		return "unsigned int"
	case "long", "long int", "signed long", "int64_t", "ssize_t", "ptrdiff_t", "intptr_t", "off_t", "time_t":
		return "long"
	case "unsigned long", "unsigned long int", "long unsigned int", "size_t", "uint64_t", "uintptr_t":
		return "unsigned long"
	case "long long", "long long int", "signed long long":
		return "long long"
	case "unsigned long long", "unsigned long long int", "long long unsigned int":
		return "unsigned long long"
	case "short", "short int", "int16_t":
		return "short"
	case "unsigned short", "unsigned short int", "uint16_t":
		return "unsigned short"
	case "signed char", "int8_t":
		return "signed char"
	case "unsigned char", "uint8_t":
		return "unsigned char"
	case "char", "bool", "float", "double", "void", "wchar_t", "char16_t", "char32_t":
		return strings.TrimPrefix(name, "std::")
	case "long double":
		return "long double"
	}
	return ""
}

// small reports whether an int is what a number becomes by itself.
func small(name string) bool {
	switch name {
	case "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "wchar_t", "char16_t":
		return true
	}
	return false
}

// look finds what a name means, and goes through the typedefs of the tree.
func (t *ctype) look() {
	for range maxAliases {
		if t.looked || t.by == nil || t.name == "" || number(t.name) != "" {
			break
		}
		t.looked = true
		t.class, _ = t.by.types(t.name + t.args)
		if len(t.class) == 0 || t.class[0].d().Kind != graph.KindType {
			break
		}
		u := t.by.at(t.class[0]).readType(aliased(t.class[0].d()))
		if !u.known() || u.name == t.name {
			t.name, t.class = "", nil
			return
		}
		u.ptr, u.isConst = u.ptr+t.ptr, u.isConst || t.isConst
		u.ref = max(u.ref, t.ref)
		*t = u
	}
}

const maxAliases = 5

// aliased returns the type for which a typedef or an alias stands.
func aliased(d *graph.Def) string {
	if _, typ, ok := strings.Cut(d.Signature, "="); ok && strings.Contains(d.Signature, "using ") {
		return typ
	}
	typ, ok := strings.CutPrefix(d.Signature, "typedef ")
	if !ok || !strings.HasSuffix(typ, d.Name) {
		return ""
	}
	return strings.TrimSuffix(typ, d.Name)
}

// base is the name of a type without what qualifies it.
func (t *ctype) base() string {
	if i := strings.LastIndex(t.name, "::"); i >= 0 {
		return t.name[i+2:]
	}
	return t.name
}

func (t *ctype) isNumber() bool { return t.ptr == 0 && number(t.name) != "" && t.name != "void" }

func (t *ctype) isEnum() bool {
	return t.ptr == 0 && len(t.class) > 0 && t.class[0].d().Kind == graph.KindEnum
}

func scopedEnum(d *graph.Def) bool {
	return strings.HasPrefix(d.Signature, "enum class") || strings.HasPrefix(d.Signature, "enum struct")
}

// sameName reports whether two types have one name; sure is false where that cannot be
// told.
func sameName(a, c *ctype) (same, sure bool) {
	if number(a.name) != "" || number(c.name) != "" {
		return a.name == c.name, true
	}
	if len(a.class) > 0 && len(c.class) > 0 {
		for _, s := range a.class {
			for _, u := range c.class {
				if s.symbol() == u.symbol() {
					return true, a.args == "" || c.args == "" || a.args == c.args
				}
			}
		}
		return false, true
	}
	if a.base() == c.base() {
		return true, a.args == c.args
	}
	return false, true
}

// fullType returns the type of a variable or field, or of what a function returns, with
// its pointers.
func (b *binder) fullType(s sym) ctype {
	d := s.d()
	c := b.at(s)
	if d.Kind == graph.KindEnumMember {
		if d.Container == graph.NoDef || s.f.Defs[d.Container].Kind != graph.KindEnum {
			return ctype{name: "int", by: c}
		}
		return ctype{name: s.f.Defs[d.Container].Local, by: c}
	}
	if d.Type == "" || strings.HasSuffix(d.Type, "?") || strings.ContainsAny(d.Type, "()") {
		return ctype{}
	}
	head := d.Signature
	if d.Kind == graph.KindFunction || d.Kind == graph.KindMethod {
		i := parameterStart(head)
		if i < 0 {
			return ctype{}
		}
		head = head[:i]
	}
	i := strings.LastIndex(head, d.Name)
	if i < 0 {
		return ctype{}
	}
	array := strings.HasPrefix(strings.TrimSpace(head[i+len(d.Name):]), "[")
	head = strings.TrimRight(head[:i], " ")
	for strings.HasSuffix(head, "::") { // what qualifies the name
		head = strings.TrimSuffix(head, "::")
		if j := strings.LastIndexAny(head, " *&"); j >= 0 {
			head = head[:j+1]
		} else {
			head = ""
		}
		head = strings.TrimRight(head, " ")
	}
	if strings.HasSuffix(strings.Fields(head + " ")[0], "auto") {
		return ctype{}
	}
	marks := ""
	for len(head) > 0 && strings.IndexByte("*& ", head[len(head)-1]) >= 0 {
		marks = string(head[len(head)-1]) + marks
		head = head[:len(head)-1]
	}
	if array {
		marks += "*"
	}
	t := c.readType(d.Type + marks)
	for _, w := range strings.Fields(head) {
		t.isConst = t.isConst || w == "const"
	}
	return t
}
