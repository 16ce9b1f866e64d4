package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// chain is a parsed expression: a name and what is done to it.
type chain struct {
	root  string
	steps []step
}

type step struct {
	op   byte   // '.', '(' or '['
	text string // the attribute, or what stands in the brackets
}

// parseChain reads name(.name | (…) | […])*. ok is false for any other text.
func parseChain(s string) (c chain, ok bool) {
	at := len(s) - len(strings.TrimPrefix(s, "@")) // of a fixture
	n := at + identLen(s[at:])
	if n == at {
		return c, false
	}
	c.root = s[:n]
	for s = s[n:]; s != ""; {
		switch s[0] {
		case '.':
			n := identLen(s[1:])
			if n == 0 {
				return c, false
			}
			c.steps = append(c.steps, step{'.', s[1 : n+1]})
			s = s[n+1:]
		case '(', '[':
			n := closing(s)
			if n < 0 {
				return c, false
			}
			c.steps = append(c.steps, step{s[0], s[1:n]})
			s = s[n+1:]
		default:
			return c, false
		}
	}
	return c, true
}

func letter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func identLen(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !letter(c) && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(s)
}

// closing returns the index of the bracket that closes the one at s[0], or -1.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitTop splits at sep outside brackets.
func splitTop(s string, sep byte) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case c == sep && depth == 0:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// annotation evaluates a type as written to the values it allows: instances, or
// for asClass the classes themselves.
func (r *run) annotation(e env, text string, asClass bool) []value {
	text = strings.Trim(strings.TrimSpace(text), `"'`)
	if text == "" || text == "None" || !r.spend() {
		return nil
	}
	if parts := splitTop(text, '|'); len(parts) > 1 {
		return r.union(e, parts, asClass)
	}
	open := strings.IndexByte(text, '[')
	if open < 0 || !strings.HasSuffix(text, "]") {
		return r.classNamed(e, text, "", asClass)
	}
	head, args := text[:open], text[open+1:len(text)-1]
	switch head[strings.LastIndexByte(head, '.')+1:] {
	case "Optional", "ClassVar", "Final", "Required", "NotRequired", "Awaitable":
		return r.annotation(e, args, asClass)
	case "Annotated":
		return r.annotation(e, splitTop(args, ',')[0], asClass)
	case "Union":
		return r.union(e, splitTop(args, ','), asClass)
	case "Type", "type":
		return r.annotation(e, args, true)
	case "Coroutine":
		return r.annotation(e, elementArg(args), asClass)
	case "Callable", "Literal":
		return []value{{kind: valueExternal, conf: 1, reason: graph.ReasonDeclared}}
	}
	return r.classNamed(e, head, args, asClass)
}

func (r *run) union(e env, parts []string, asClass bool) []value {
	var out []value
	for _, p := range parts {
		out = append(out, r.annotation(e, p, asClass)...)
	}
	if len(out) > 1 {
		out = weaken(out, confUnion, graph.ReasonDeclared)
	}
	return out[:min(len(out), maxValues)]
}

func (r *run) classNamed(e env, name, args string, asClass bool) []value {
	if name == "Self" {
		class, ok := e.selfClass()
		if !ok {
			return nil
		}
		return []value{{kind: valueInstance, sym: class, conf: confDeclared, reason: graph.ReasonDeclared}}
	}
	var out []value
	for _, v := range r.eval(e, strings.ReplaceAll(name, " ", "")) {
		switch v.kind {
		case valueClass:
			if !asClass {
				v.kind = valueInstance
			}
			v.args, v.in = args, e
			v.conf = min(v.conf, confDeclared)
			v.reason, v.exact = graph.ReasonDeclared, false
			out = append(out, v)
		case valueInstance:
			out = append(out, v) // a type alias
		case valueExternal:
			v.args, v.in = args, e
			v.reason = graph.ReasonDeclared
			out = append(out, v)
		default:
		}
	}
	return out
}
