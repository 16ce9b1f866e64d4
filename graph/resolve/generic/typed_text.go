package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// parameter is one of a function's, as its signature writes it.
type parameter struct {
	name, typ             string
	optional, many, first bool // first: the object of an extension method
}

// header is what the signature of a definition says.
type header struct {
	generics []string // names of type parameters
	bounds   map[string]string
	params   []parameter
	hasList  bool   // there is a list of parameters
	receiver string // of an extension
	bases    []string
	cut      bool // the text ends before it should
}

// splitTop splits at commas that stand in no brackets.
func splitTop(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case c == '(' || c == '[' || c == '{' || c == '<':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '>' && i > 0 && s[i-1] != '-' && s[i-1] != '=':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" || len(out) > 0 {
		out = append(out, rest)
	}
	return out
}

// closing returns the place of the bracket that closes the one at the place, or -1.
func closing(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case c == '(' || c == '[' || c == '{' || c == '<':
			depth++
		case c == '>' && i > 0 && (s[i-1] == '-' || s[i-1] == '='):
		case c == ')' || c == ']' || c == '}' || c == '>':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// headerOf reads the signature of a definition.
func (b binder) headerOf(s sym) header {
	d := s.d()
	sig := d.Signature
	h := header{cut: len(sig) >= maxSignature}
	at := nameIn(sig, d.Name)
	if d.Kind == graph.KindMethod && at < 0 && isConstructor(s) && !strings.HasPrefix(sig, d.Name) {
		if i := strings.Index(sig, "constructor"); i >= 0 {
			at = i + len("constructor")
		}
	}
	if at < 0 {
		if at = strings.LastIndex(sig, "."+d.Name) + 1; at > 0 && d.Owner != "" {
		} else if at = strings.Index(sig, d.Name); at < 0 {
			return h
		}
		at += len(d.Name)
		if at < len(sig) && sig[at] == '`' {
			at++
		}
	}
	if b.Receivers {
		h.extended(sig[:at-min(at, len(d.Name))])
	}
	rest := strings.TrimSpace(sig[at:])
	if strings.HasPrefix(rest, "<") {
		if end := closing(rest, 0); end > 0 {
			h.typeParameters(rest[1:end])
			rest = strings.TrimSpace(rest[end+1:])
		}
	}
	open := strings.IndexByte(rest, '(')
	colon := strings.IndexByte(rest, ':')
	if open >= 0 && (colon < 0 || open < colon) {
		end := closing(rest, open)
		if end < 0 {
			h.cut = true
			return h
		}
		h.hasList = true
		for _, text := range splitTop(rest[open+1 : end]) {
			if text != "" {
				h.params = append(h.params, b.parameterOf(text))
			}
		}
		rest = rest[end+1:]
	}
	if i := strings.Index(rest, " where "); i >= 0 || strings.HasPrefix(rest, "where ") {
		i = max(i, 0)
		h.where(rest[i:])
		rest = rest[:i]
	}
	rest = strings.TrimSpace(rest)
	if holdsMembers(d.Kind) && strings.HasPrefix(rest, ":") {
		h.bases = splitTop(rest[1:])
	}
	return h
}

const maxSignature = 480

// extended reads what stands before the name of a function: fun <T> List<T>.
func (h *header) extended(head string) {
	i := -1
	for _, word := range [...]string{"fun ", "val ", "var "} {
		if at := strings.LastIndex(head, word); at >= 0 && (at == 0 || head[at-1] == ' ') {
			i = max(i, at+len(word))
		}
	}
	if i < 0 {
		return
	}
	head = strings.TrimSpace(head[i:])
	if strings.HasPrefix(head, "<") {
		if end := closing(head, 0); end > 0 {
			h.typeParameters(head[1:end])
			head = strings.TrimSpace(head[end+1:])
		}
	}
	h.receiver = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(head), "."), ".Companion")
}

// typeParameters reads those between < and >, with their bounds where they stand there.
func (h *header) typeParameters(text string) {
	for _, p := range splitTop(text) {
		name, bound, _ := strings.Cut(p, ":")
		for _, word := range [...]string{"out ", "in ", "reified "} {
			name = strings.TrimPrefix(strings.TrimSpace(name), word)
		}
		if i := strings.IndexByte(name, ']'); i >= 0 {
			name = name[i+1:]
		}
		name = strings.TrimSpace(name)
		h.generics = append(h.generics, name)
		h.bound(name, bound)
	}
}

func (h *header) bound(name, bound string) {
	for _, text := range splitTop(bound) {
		switch text {
		case "", "class", "struct", "new()", "notnull", "unmanaged", "class?":
			continue
		}
		if h.bounds == nil {
			h.bounds = map[string]string{}
		}
		h.bounds[name] = text
		return
	}
}

// where reads the constraints behind the head of a definition.
func (h *header) where(text string) {
	for clause := range strings.SplitSeq(text, "where ") {
		name, bound, ok := strings.Cut(clause, ":")
		if ok {
			h.bound(strings.TrimSpace(name), bound)
		}
	}
}

// parameterOf reads one parameter.
func (b binder) parameterOf(text string) parameter {
	var p parameter
	for strings.HasPrefix(text, "[") { // attributes
		end := closing(text, 0)
		if end < 0 {
			break
		}
		text = strings.TrimSpace(text[end+1:])
	}
	if at := defaultAt(text); at >= 0 {
		p.optional, text = true, strings.TrimSpace(text[:at])
	}
	if b.Receivers { // name: Type
		name, typ, _ := strings.Cut(text, ":")
		words := strings.Fields(name)
		for _, w := range words {
			p.many = p.many || w == "vararg"
		}
		if len(words) > 0 {
			p.name = words[len(words)-1]
		}
		p.typ = strings.TrimSpace(typ)
		return p
	}
	for {
		word, rest, ok := strings.Cut(text, " ")
		if !ok {
			break
		}
		switch word {
		case "params":
			p.many = true
		case "this":
			p.first = true
		case "ref", "out", "in", "readonly", "scoped":
		default:
			if i := strings.LastIndexByte(text, ' '); i > 0 {
				p.typ, p.name = strings.TrimSpace(text[:i]), text[i+1:]
			}
			return p
		}
		text = strings.TrimSpace(rest)
	}
	p.typ = text
	return p
}

// defaultAt returns where a parameter is given a value, or -1.
func defaultAt(text string) int {
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(' || c == '[' || c == '<' || c == '{':
			depth++
		case c == '>' && i > 0 && (text[i-1] == '-' || text[i-1] == '='):
		case c == ')' || c == ']' || c == '>' || c == '}':
			depth--
		case c == '=' && depth == 0 && (i+1 == len(text) || text[i+1] != '>' && text[i+1] != '='):
			return i
		}
	}
	return -1
}

// accepts reports whether a function of these parameters may be called with so many
// arguments, the object of an extension method aside.
func (h *header) accepts(n int, named []string) bool {
	least, most := 0, 0
	for _, p := range h.params {
		switch {
		case p.first:
			continue
		case p.many:
			most += anyNumber
			continue
		case !p.optional:
			least++
		}
		most++
	}
	for _, name := range named {
		if !h.names(name) {
			return false
		}
	}
	return h.cut || n >= least && n <= most
}

func (h *header) names(name string) bool {
	for _, p := range h.params {
		if p.name == name {
			return true
		}
	}
	return false
}

// isConstructor reports whether a definition constructs the type that holds it.
func isConstructor(s sym) bool {
	d := s.d()
	return d.Kind == graph.KindMethod && d.Owner == "" && d.Container != graph.NoDef && d.Name == s.f.Defs[d.Container].Name && holdsMembers(s.f.Defs[d.Container].Kind) &&
		s.f.Defs[d.Container].Kind != graph.KindNamespace
}
