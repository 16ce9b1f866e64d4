package c

import (
	"strconv"
	"strings"
)

// The conditions of the preprocessor are judged as a plain build on a Unix machine
// with a present compiler would: what a configuration script looks for is there, options
// are off, and what nobody can know counts as held. Nothing is left out by that; it says
// which of several definitions is meant most likely.

// truth is a value of which it may be unknown whether it is zero.
type truth struct {
	n     int64
	known bool
}

func is(b bool) truth {
	if b {
		return truth{1, true}
	}
	return truth{0, true}
}

// evaluator reads one condition.
type evaluator struct {
	p    *preparer
	text string
	at   int
	fuel int
}

// holds judges a condition. Unknown is held.
func (p *preparer) holds(word, cond string) bool {
	name, _, _ := strings.Cut(cond, " ")
	switch word {
	case "ifdef", "elifdef":
		return p.isDefined(name)
	case "ifndef", "elifndef":
		return !p.isDefined(name)
	case "else":
		return true
	}
	e := evaluator{p: p, text: cond, fuel: 400}
	v := e.or()
	return !v.known || v.n != 0
}

// isDefined judges whether a macro has a definition.
func (p *preparer) isDefined(name string) bool {
	if d, ok := p.known[name]; ok {
		return d.known
	}
	if known, ok := platform(name, p.cpp); ok {
		return known
	}
	return strings.HasPrefix(name, "HAVE_")
}

// platform knows what compilers define of themselves.
func platform(name string, cpp bool) (defined, ok bool) {
	switch name {
	case "__cplusplus":
		return cpp, true
	case "__GNUC__", "__linux__", "__linux", "linux", "__gnu_linux__", "__unix__", "__unix", "unix", "__x86_64__", "__x86_64", "__amd64__", "__LP64__",
		"_LP64", "__GLIBC__", "__STDC__", "__STDC_VERSION__", "__GNUC_MINOR__", "__SIZEOF_INT128__", "__BYTE_ORDER__", "__SSE2__",
		"HAVE_CONFIG_H", "NDEBUG_OFF":
		return true, true
	}
	return false, false
}

func (e *evaluator) space() {
	for e.at < len(e.text) && (e.text[e.at] <= ' ' || e.text[e.at] == '\\') {
		e.at++
	}
}

func (e *evaluator) take(op string) bool {
	e.space()
	if !strings.HasPrefix(e.text[e.at:], op) {
		return false
	}
	e.at += len(op)
	return true
}

func (e *evaluator) or() truth {
	v := e.and()
	for e.take("||") {
		w := e.and()
		switch {
		case v.known && v.n != 0, w.known && w.n != 0:
			v = is(true)
		case v.known && w.known:
			v = is(false)
		default:
			v = truth{}
		}
	}
	return v
}

func (e *evaluator) and() truth {
	v := e.compare()
	for e.take("&&") {
		w := e.compare()
		switch {
		case v.known && v.n == 0, w.known && w.n == 0:
			v = is(false)
		case v.known && w.known:
			v = is(true)
		default:
			v = truth{}
		}
	}
	return v
}

func (e *evaluator) compare() truth {
	v := e.unary()
	for {
		e.space()
		op := ""
		for _, o := range [...]string{"==", "!=", ">=", "<=", ">", "<", "+", "-", "*", "/", "%", "&", "|", "^"} {
			rest := e.text[e.at:]
			if strings.HasPrefix(rest, o) && !strings.HasPrefix(rest, "&&") && !strings.HasPrefix(rest, "||") {
				op = o
				break
			}
		}
		if op == "" {
			return v
		}
		e.at += len(op)
		w := e.unary()
		if !v.known || !w.known {
			v = truth{}
			continue
		}
		switch op {
		case "==":
			v = is(v.n == w.n)
		case "!=":
			v = is(v.n != w.n)
		case ">=":
			v = is(v.n >= w.n)
		case "<=":
			v = is(v.n <= w.n)
		case ">":
			v = is(v.n > w.n)
		case "<":
			v = is(v.n < w.n)
		default:
			v = truth{}
		}
	}
}

func (e *evaluator) unary() truth {
	if e.fuel--; e.fuel < 0 {
		e.at = len(e.text)
		return truth{}
	}
	e.space()
	if e.at >= len(e.text) {
		return truth{}
	}
	switch ch := e.text[e.at]; {
	case ch == '!':
		e.at++
		v := e.unary()
		if v.known {
			return is(v.n == 0)
		}
		return v
	case ch == '(':
		e.at++
		v := e.or()
		e.take(")")
		return v
	case ch >= '0' && ch <= '9':
		from := e.at
		for e.at < len(e.text) && isIdentByte(e.text[e.at]) {
			e.at++
		}
		n, err := strconv.ParseInt(strings.TrimRight(e.text[from:e.at], "uUlL"), 0, 64)
		return truth{n, err == nil}
	case isIdentStart(ch):
		return e.name()
	}
	e.at++
	return truth{}
}

func (e *evaluator) word() string {
	e.space()
	from := e.at
	for e.at < len(e.text) && isIdentByte(e.text[e.at]) {
		e.at++
	}
	return e.text[from:e.at]
}

func (e *evaluator) name() truth {
	name := e.word()
	if name == "defined" {
		open := e.take("(")
		v := is(e.p.isDefined(e.word()))
		if open {
			e.take(")")
		}
		return v
	}
	if e.take("(") { // a macro's arguments
		depth := 1
		for e.at < len(e.text) && depth > 0 {
			switch e.text[e.at] {
			case '(':
				depth++
			case ')':
				depth--
			}
			e.at++
		}
		return truth{}
	}
	if d, ok := e.p.known[name]; ok {
		if !d.known {
			return truth{0, true}
		}
		n, err := strconv.ParseInt(strings.Trim(d.value, " ()uUlL"), 0, 64)
		return truth{n, err == nil}
	}
	switch name {
	case "__cplusplus":
		return truth{201703 * int64(b2i(e.p.cpp)), true}
	case "__GNUC__":
		return truth{12, true}
	case "__STDC_VERSION__":
		return truth{201112, true}
	case "__has_include", "__has_attribute", "__has_builtin", "__has_feature":
		return truth{}
	}
	if defined, ok := platform(name, e.p.cpp); ok && defined || strings.HasPrefix(name, "HAVE_") {
		return truth{1, true}
	}
	if strings.HasPrefix(name, "__") {
		return truth{0, true} // what another compiler or system defines
	}
	return truth{}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
