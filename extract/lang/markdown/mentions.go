package markdown

import (
	"net/url"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/ralph-index/ralph-index/graph"
)

// maxCode bounds the inline code that is looked at: longer text is an example,
// not a name.
const maxCode = 200

// mentions collects links and inline code in source order.
func (x *extraction) mentions(doc ast.Node) {
	// Walk's error is the callback's, and the callback returns none.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			x.link(string(n.Destination), n.Pos(), n)
		case *ast.Image:
			x.link(string(n.Destination), n.Pos(), n)
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				x.link(string(n.URL(x.text)), n.Pos(), n)
			}
		case *ast.CodeSpan:
			x.code(n)
			return ast.WalkSkipChildren, nil
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
}

// link records a link that stays in the tree.
func (x *extraction) link(dest string, pos int, n ast.Node) {
	target, fragment, ok := splitLink(dest)
	if !ok {
		return
	}
	start := min(max(pos, 0), len(x.src))
	x.mention(graph.Mention{
		Form: graph.MentionLink, Target: target, Fragment: fragment,
		Span: x.span(start, x.linkEnd(start, n)),
	})
}

// splitLink takes a destination apart. ok is false for what names no file of the
// tree: another scheme, another host, nothing.
func splitLink(dest string) (target, fragment string, ok bool) {
	dest = strings.TrimSpace(dest)
	if dest == "" || strings.HasPrefix(dest, "//") || hasScheme(dest) {
		return "", "", false
	}
	target, fragment, _ = strings.Cut(dest, "#")
	target, _, _ = strings.Cut(target, "?")
	return unescape(target), unescape(fragment), target != "" || fragment != ""
}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// hasScheme reports whether a destination starts with "scheme:". One letter is
// no scheme but a drive, which names nothing in the tree either.
func hasScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ':':
			return i > 0
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return false
}

// linkEnd finds where the source of a link ends: after its last inline child,
// its closing bracket, and the destination in parentheses on the same line.
func (x *extraction) linkEnd(start int, n ast.Node) int {
	end := start + 1
	for c := n.LastChild(); c != nil; c = c.LastChild() {
		if t, ok := c.(*ast.Text); ok {
			end = max(end, t.Segment.Stop)
		}
	}
	rest := x.text[min(end, len(x.text)):]
	depth, closed := 0, false
	for i, c := range rest {
		switch {
		case c == '\n':
			return end + i
		case !closed:
			closed = c == ']' || c == '>'
			if closed && (i+1 >= len(rest) || rest[i+1] != '(' && rest[i+1] != '[') {
				return end + i + 1
			}
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth <= 0 {
				return end + i + 1
			}
		}
	}
	return len(x.src)
}

// code records inline code that reads like a path or a symbol.
func (x *extraction) code(n *ast.CodeSpan) {
	first, ok := n.FirstChild().(*ast.Text)
	if !ok || n.ChildCount() != 1 || first.Segment.Len() > maxCode {
		return
	}
	raw := string(first.Segment.Value(x.text))
	text := strings.TrimSpace(raw)
	if text == "" {
		return
	}
	m := graph.Mention{Form: graph.MentionCode}
	if path, ok := pathText(text); ok {
		m.Target = path
	}
	// "conf.py" may be a file or an attribute: where no folder stands before it
	// both readings are kept, and the tree decides.
	if m.Target == "" || !strings.Contains(m.Target, "/") {
		m.Qualifier, m.Name = symbolText(text)
	}
	if m.Target == "" && m.Name == "" {
		return
	}
	start := first.Segment.Start + strings.Index(raw, text)
	m.Span = x.span(start, start+len(text))
	x.mention(m)
}

// mention appends m with the section around it.
func (x *extraction) mention(m graph.Mention) {
	defs := x.facts.Defs
	after := sort.Search(len(defs), func(i int) bool { return defs[i].Span.Start > m.Span.Start })
	// The last section that starts before the mention holds it, or one around
	// that section does.
	at := int32(after) - 1
	for at >= 0 && m.Span.Start >= defs[at].Span.End {
		at = defs[at].Container
	}
	m.Enclosing = at
	x.facts.Mentions = append(x.facts.Mentions, m)
}
