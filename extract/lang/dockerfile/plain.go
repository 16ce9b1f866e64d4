package dockerfile

import (
	"bytes"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/graph"
)

// plain keeps from the parser what its grammar does not know: the arguments of an ARG but
// for the first, and the flags of a COPY but for the one that names a stage. Instead of what
// is kept away it sees white space.
func plain(src []byte) ([]byte, any) {
	src = plainLineEnds(src)
	p := plainer{src: src, text: src}
	for at := 0; at < len(src); {
		end := p.lineEnd(at)
		line := src[at:end]
		word, rest := at+len(line)-len(bytes.TrimLeft(line, " \t")), 0
		for rest = word; rest < end && src[rest] != ' ' && src[rest] != '\t'; rest++ {
		}
		switch strings.ToUpper(string(src[word:rest])) {
		case "ARG":
			if _, last := p.token(rest, end); last < end {
				p.blank(last, end)
			}
		case "COPY", "ADD":
			p.flags(rest, end)
		}
		at = end + 1
	}
	return p.text, nil
}

type plainer struct{ src, text []byte }

// blank makes white space of the bytes between two offsets.
func (p *plainer) blank(from, to int) {
	if from < to && &p.text[0] == &p.src[0] {
		p.text = bytes.Clone(p.src)
	}
	for i := from; i < to; i++ {
		if p.src[i] != '\n' && p.src[i] != '\\' {
			p.text[i] = ' '
		}
	}
}

// lineEnd returns the offset at which an instruction ends: a backslash continues a line.
func (p *plainer) lineEnd(at int) int {
	for {
		i := bytes.IndexByte(p.src[at:], '\n')
		if i < 0 {
			return len(p.src)
		}
		if line := bytes.TrimRight(p.src[at:at+i], " \t"); len(line) == 0 || line[len(line)-1] != '\\' || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) {
			return at + i
		}
		at += i + 1
	}
}

// token returns where the next word begins, and ends: a quoted part may hold white space.
func (p *plainer) token(at, end int) (first, last int) {
	for at < end && (p.src[at] == ' ' || p.src[at] == '\t') {
		at++
	}
	first = at
	for quote := byte(0); at < end; at++ {
		switch c := p.src[at]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t' || c == '\n':
			return first, at
		}
	}
	return first, end
}

// flags blanks the flags of a COPY or ADD but for the one that the reader wants.
func (p *plainer) flags(at, end int) {
	kept := false
	for {
		first, last := p.token(at, end)
		word := string(p.src[first:last])
		if word != "\\" && !strings.HasPrefix(word, "--") || first == last {
			return
		}
		if strings.HasPrefix(word, mark) && !kept {
			kept = true
		} else if word != "\\" {
			p.blank(first, last)
		}
		if at = last; at < end && p.src[at] == '\n' {
			at++
		}
	}
}

// arguments defines what an ARG declares behind its first argument.
func arguments(r *rules.Reader, first uint32) {
	p := plainer{src: r.Src}
	end := p.lineEnd(int(first))
	_, at := p.token(int(first), end)
	for {
		from, to := p.token(at, end)
		name, _, _ := strings.Cut(string(p.src[from:to]), "=")
		if from == to || name == "" || name[0] == '#' || strings.ContainsAny(name, "$\"'{}\\") {
			return
		}
		start, stop := uint32(from), uint32(to)
		r.AddDef(graph.Def{
			Name: r.Slice(start, start+uint32(len(name))), Local: localName(r, name), Kind: graph.KindVariable, Span: r.SpanBetween(start, stop), Flags: graph.FlagExported | r.Flags,
			NameSpan: r.SpanBetween(start, start+uint32(len(name))), Signature: r.Signature(start, stop),
		})
		at = to
	}
}

func localName(r *rules.Reader, name string) string {
	if around := r.EnclosingDef(); around != nil {
		return around.Local + "." + name
	}
	return name
}
