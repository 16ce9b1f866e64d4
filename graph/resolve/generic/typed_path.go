package generic

import "strings"

// The extractors of families that are Typed write what an expression is as a path: an
// expression over names that mean the same outside the function, locals being replaced by
// what they hold.
//
//	x  this  base        a name; the object whose member the place is in, as its base sees it
//	this@T               of the types around, the one called T
//	(T)                  a value of the type T
//	+T(a,b)              a value that the type T is constructed for
//	#s                   a literal: s text, c character, i int, l long, u unsigned, f float,
//	                     d double, m decimal, b truth, n null
//	\2                   a function with two parameters
//	?                    nothing is known
//	.name  .name<T>      behind a path: a member
//	(a,b)                a call, with paths of its arguments; name:a where it is named
//	(*)                  a call with arguments that nothing is said of
//	[]  @  !             what an index, a loop, await gives
//	^1                   behind what is called: the type of its second parameter
//	$1:0  &1             the first parameter of the function that is its second argument,
//	                     and what that function extends; 99 is the last argument
//
// The hint HintValue holds the path of the receiver of a member, and behind it in braces
// the paths of the arguments of a call, and behind them <T>, its type arguments. Each ~path before
// all that, with ; behind the last where a receiver follows, is one whose members are seen
// without naming it, the innermost first. A =
// before all says that what is named is constructed, and a path behind it, what of.
type path struct {
	op   byte   // what the path ends in: 'n' for a name, else its first byte above
	text string // the name, type or literal
	args string // type arguments of a member
	kids []path // arguments; of what stands before a suffix, in from
	from *path
	name string // of an argument: the parameter's
	n, k int
}

// call is what a hint says of a reference.
type call struct {
	receiver *path
	implicit []path
	args     []path
	known    bool // args says how many there are
	makes    bool
	generics string // type arguments of what is called
}

// parseHint reads what a reference's hint says.
func parseHint(text string) call {
	var c call
	p := pathReader{s: text}
	if p.take('=') {
		c.makes = true
	}
	for p.take('~') {
		c.implicit = append(c.implicit, p.path())
	}
	if (p.take(';') || len(c.implicit) == 0) && p.at < len(p.s) && p.s[p.at] != '{' {
		r := p.path()
		c.receiver = &r
	}
	if p.take('{') {
		c.args, c.known = p.list('}'), true
	}
	if p.take('<') {
		c.generics = p.until(">")
	}
	return c
}

func parsePath(text string) path {
	p := pathReader{s: text}
	return p.path()
}

type pathReader struct {
	s     string
	at    int
	depth int
}

const maxPathDepth = 24

func (p *pathReader) take(c byte) bool {
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

// until returns the text up to a byte of stop that stands in no brackets.
func (p *pathReader) until(stop string) string {
	from, depth := p.at, 0
	for ; p.at < len(p.s); p.at++ {
		c := p.s[p.at]
		if depth == 0 && strings.IndexByte(stop, c) >= 0 {
			break
		}
		switch c {
		case '(', '<', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if p.at > 0 && p.s[p.at-1] != '-' && p.s[p.at-1] != '=' {
				depth--
			}
		}
	}
	return p.s[from:p.at]
}

// list reads paths up to an end.
func (p *pathReader) list(end byte) []path {
	out := []path{}
	for p.at < len(p.s) && !p.take(end) {
		at := p.at
		if p.take('*') {
			out = append(out, path{op: '*'})
		} else {
			out = append(out, p.argument())
		}
		if !p.take(',') && p.at == at {
			p.at = len(p.s)
		}
	}
	return out
}

func (p *pathReader) argument() path {
	from := p.at
	if name := p.name(); name != "" && p.take(':') {
		a := p.path()
		a.name = name
		return a
	}
	p.at = from
	return p.path()
}

func (p *pathReader) name() string {
	from := p.at
	for p.at < len(p.s) && (isNameByte(p.s[p.at]) || p.s[p.at] == '`' || p.s[p.at] == '@' && p.at == from+4 && p.s[from:p.at] == "this") {
		p.at++
	}
	return p.s[from:p.at]
}

func (p *pathReader) number() (n int) {
	for p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9' && n < 1000 {
		n = n*10 + int(p.s[p.at]-'0')
		p.at++
	}
	return n
}

func (p *pathReader) path() path {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxPathDepth {
		p.at = len(p.s)
		return path{op: '?'}
	}
	out := p.primary()
	for n := 0; p.at < len(p.s) && n < 2*maxPathDepth; n++ {
		from := out
		switch c := p.s[p.at]; c {
		case '.':
			p.at++
			out = path{op: '.', text: p.name(), from: &from}
			if p.take('<') {
				out.args = p.until(">")
				p.take('>')
			}
		case '(':
			p.at++
			out = path{op: '(', kids: p.list(')'), from: &from}
		case '[':
			p.at++
			p.until("]")
			p.take(']')
			out = path{op: '[', from: &from}
		case '@', '!':
			p.at++
			out = path{op: c, from: &from}
		case '^', '$', '&':
			p.at++
			out = path{op: c, n: p.number(), from: &from}
			if c == '$' && p.take(':') {
				out.k = p.number()
			}
		default:
			return out
		}
	}
	return out
}

func (p *pathReader) primary() path {
	if p.at >= len(p.s) {
		return path{op: '?'}
	}
	switch c := p.s[p.at]; c {
	case '(':
		p.at++
		t := p.until(")")
		p.take(')')
		return path{op: 't', text: t}
	case '+':
		p.at++
		t := path{op: '+', text: p.until("(")}
		if p.take('(') {
			t.kids = p.list(')')
		}
		return t
	case '#':
		p.at++
		lit := path{op: '#'}
		if p.at < len(p.s) {
			lit.text = p.s[p.at : p.at+1]
			p.at++
		}
		return lit
	case '\\':
		p.at++
		return path{op: '\\', n: p.number()}
	case '?':
		p.at++
		return path{op: '?'}
	}
	name := p.name()
	if name == "" {
		p.at = len(p.s)
		return path{op: '?'}
	}
	out := path{op: 'n', text: name}
	if p.at < len(p.s) && p.s[p.at] == '<' {
		p.at++
		out.args = p.until(">")
		p.take('>')
	}
	return out
}
