package manifest

import (
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// jsonKeys defines the keys of the two upper levels of a JSON file, with comments and
// trailing commas where they stand. It reads bytes: data files are large, and all that
// is wanted of them is their keys.
func jsonKeys(b *spec.Builder) {
	k := keyReader{b: b, src: b.Src}
	for k.at < len(k.src) {
		k.token()
	}
	if len(k.open) > 0 || k.bad {
		invalid(b)
	}
}

// level is an object or list that is open.
type level struct {
	object bool
	inList bool  // it, or what it stands in, is a list
	key    int32 // the key whose value is being read, or NoDef
}

type keyReader struct {
	b    *spec.Builder
	src  []byte
	at   int
	open []level
	keys int // open levels that are objects and stand in no list
	bad  bool
}

func (k *keyReader) token() {
	switch c := k.src[k.at]; c {
	case '{', '[':
		k.enter(c == '{')
	case '}', ']':
		k.leave(c == '}')
	case ',':
		k.endValue(k.at)
		k.at++
	case '"':
		k.text()
	case '/':
		k.comment()
	default:
		k.at++
	}
}

func (k *keyReader) enter(object bool) {
	l := level{object: object, key: graph.NoDef, inList: !object}
	if n := len(k.open); n > 0 {
		l.inList = l.inList || k.open[n-1].inList
	}
	if object && !l.inList {
		k.keys++
	}
	if len(k.open) >= maxJSONDepth {
		k.bad = true // and read on: the levels above still end
	}
	k.open = append(k.open, l)
	k.at++
}

func (k *keyReader) leave(object bool) {
	n := len(k.open)
	if n == 0 || k.open[n-1].object != object {
		k.bad = true
		k.at++
		return
	}
	k.endValue(k.at)
	if l := k.open[n-1]; l.object && !l.inList {
		k.keys--
	}
	k.open = k.open[:n-1]
	k.at++
}

// endValue ends the span of the key whose value ends before at.
func (k *keyReader) endValue(at int) {
	n := len(k.open)
	if n == 0 || k.open[n-1].key == graph.NoDef {
		return
	}
	for at > 0 && (k.src[at-1] == ' ' || k.src[at-1] == '\n' || k.src[at-1] == '\t' || k.src[at-1] == '\r') {
		at--
	}
	d := &k.b.Facts.Defs[k.open[n-1].key]
	if uint32(at) > d.Span.End {
		d.Span = k.b.SpanBetween(d.Span.Start, uint32(at))
	}
	k.open[n-1].key = graph.NoDef
	k.b.Leave()
}

// text reads a string, and defines it where it is a key near the top.
func (k *keyReader) text() {
	start := k.at
	escaped := false
	for k.at++; k.at < len(k.src) && k.src[k.at] != '"'; k.at++ {
		if k.src[k.at] == '\\' {
			escaped = true
			k.at++
		}
	}
	end := k.at
	k.at++
	if end >= len(k.src) {
		k.bad, k.at = true, len(k.src)
		return
	}
	n := len(k.open)
	if n == 0 || !k.open[n-1].object || k.open[n-1].inList || k.keys > maxEntryDepth || k.open[n-1].key != graph.NoDef || escaped || end == start+1 {
		return
	}
	after := k.at
	for after < len(k.src) && (k.src[after] == ' ' || k.src[after] == '\t' || k.src[after] == '\n' || k.src[after] == '\r') {
		after++
	}
	if after == len(k.src) || k.src[after] != ':' {
		return
	}
	name := string(k.src[start+1 : end])
	local := name
	if d := k.b.EnclosingDef(); d != nil {
		local = d.Local + "." + name
	}
	def := entry(k.b, graph.KindKey, name, local, start+1, end, start, end+1)
	k.open[n-1].key = def
	k.b.Enter(def)
}

func (k *keyReader) comment() {
	rest := k.src[k.at:]
	switch {
	case len(rest) > 1 && rest[1] == '/':
		for k.at < len(k.src) && k.src[k.at] != '\n' {
			k.at++
		}
	case len(rest) > 1 && rest[1] == '*':
		for k.at += 2; k.at < len(k.src); k.at++ {
			if k.src[k.at] == '/' && k.src[k.at-1] == '*' {
				break
			}
		}
		k.at++
	default:
		k.at++
	}
}
