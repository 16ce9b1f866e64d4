package rust

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// region is the text between the brackets of a macro call that looks like items.
type region struct {
	start, end uint32
	in         int32 // definition around the call
	flags      graph.DefFlags
	impl       implHeader // of the block around it
	params     []string
}

// maxRounds bounds how deep calls of macros with items stand in one another.
const maxRounds = 3

// itemMacro notes a macro call among items whose text looks like items itself, and
// reports whether it is one: most macros that take items give them as they are, or
// nearly so.
func (x *extractor) itemMacro(name string, tree sitter.Node) bool {
	if x.b.Reparse == nil || x.scopes.Depth() > 0 {
		return false
	}
	if name == "cfg_if" { // if #[cfg(a)] { items } else { items }
		x.branches(tree)
		return true
	}
	if !x.startsItem(x.b.Slice(x.t.Start(tree)+1, max(x.t.Start(tree)+1, x.t.End(tree)-1))) {
		return false
	}
	x.addRegion(tree, 0)
	return true
}

// branches notes the items of each branch of a cfg_if, with the conditions of those
// before it, which do not hold.
func (x *extractor) branches(tree sitter.Node) {
	var before []string
	cond := ""
	for c := range x.t.Children(tree) {
		if x.t.Kind(c) != kTokenTree {
			continue
		}
		switch text := x.b.Text(c); text[0] {
		case '[':
			cond = inParens(strings.TrimPrefix(text[1:], "cfg"))
		case '{':
			x.addRegion(c, graph.FlagConditional)
			x.condition(x.t.Start(c), x.t.End(c), cond)
			if len(before) > 0 {
				x.condition(x.t.Start(c), x.t.End(c), "not(any("+strings.Join(before, ",")+"))")
			}
			if cond != "" {
				before = append(before, cond)
			}
			cond = ""
		}
	}
}

func (x *extractor) addRegion(tree sitter.Node, flags graph.DefFlags) {
	start, end := x.t.Start(tree)+1, x.t.End(tree)
	if end > start+1 {
		x.regions = append(x.regions, region{
			start: start, end: end - 1, in: x.b.Enclosing(), flags: flags | x.flags, impl: x.impl, params: slices.Clone(x.params),
		})
	}
}

// startsItem reports whether a text begins like an item, behind comments and
// attributes.
func (x *extractor) startsItem(text string) bool {
	for {
		text = strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "//"):
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		case strings.HasPrefix(text, "#["):
			_, text, _ = strings.Cut(text, "]")
		case strings.HasPrefix(text, "pub(") && strings.IndexByte(text, ')') > 0:
			text = text[strings.IndexByte(text, ')')+1:]
		default:
			word, rest := text, ""
			if i := strings.IndexFunc(text, func(r rune) bool { return r > 0x7f || !isWordByte(byte(r)) }); i >= 0 {
				word, rest = text[:i], strings.TrimSpace(text[i:])
			}
			switch word {
			case "pub", "unsafe", "async", "extern":
				text = rest
				continue
			case "static":
				return !strings.HasPrefix(rest, "ref ")
			case "struct", "enum": // not "struct Flags: u8 {"
				name := strings.TrimLeftFunc(rest, func(r rune) bool { return r <= 0x7f && isWordByte(byte(r)) })
				return name != rest && !strings.HasPrefix(strings.TrimSpace(name), ":")
			case "fn", "impl", "trait", "mod", "use", "type", "union", "const", "macro_rules":
				return rest != "" && (rest[0] == '<' || rest[0] == '!' || rest[0] == ':' || rest[0] == '{' || isWordByte(rest[0]))
			}
			return false
		}
	}
}

// expand reads the items in the regions: they are parsed together, in a text where all
// else is blank, so that each stands where it stands in the file.
func (x *extractor) expand() {
	for round := 0; len(x.regions) > 0 && round < maxRounds; round++ {
		regions := x.regions
		x.regions = nil
		text := x.blanked(regions)
		tree := x.t
		err := x.b.Reparse(text, func(t *sitter.Tree) {
			x.t, x.b.Tree = t, t
			if t.Len() > 0 {
				x.readRegions(regions)
			}
		})
		x.t, x.b.Tree = tree, tree
		if err != nil {
			return // what the file says outside macros is known
		}
	}
}

// blanked returns the text of the regions at their places. Marks like "#full", which
// are no attributes, are for the macro.
func (x *extractor) blanked(regions []region) []byte {
	text := make([]byte, len(x.b.Src))
	for i, c := range x.b.Src {
		text[i] = ' '
		if c == '\n' {
			text[i] = c
		}
	}
	for _, r := range regions {
		copy(text[r.start:r.end], x.b.Src[r.start:r.end])
		for i := r.start; i < r.end; i++ {
			if text[i] != '#' || i+1 < r.end && (text[i+1] == '[' || text[i+1] == '!' || text[i+1] == '"' || text[i+1] == '#') || i > 0 && isQuoteMark(text[i-1]) {
				continue
			}
			for text[i] = ' '; i+1 < r.end && isWordByte(text[i+1]); i++ {
				text[i+1] = ' '
			}
		}
	}
	return text
}

// isQuoteMark reports whether a '#' behind the byte belongs to a raw string or name.
func isQuoteMark(c byte) bool { return c == '"' || c == 'r' || c == '#' }

// readRegions reads the items of each region into the definition around it.
func (x *extractor) readRegions(regions []region) {
	i := 0
	flags, impl, params := x.flags, x.impl, x.params
	var a attributes
	for n := range x.t.Children(sitter.Root) {
		for i+1 < len(regions) && x.t.Start(n) >= regions[i].end {
			i++
		}
		r := regions[i]
		x.flags, x.impl, x.params = r.flags, r.impl, r.params
		if r.in == graph.NoDef {
			x.itemOf(n, &a)
		} else {
			x.inside(r.in, func() { x.itemOf(n, &a) })
		}
	}
	x.flags, x.impl, x.params = flags, impl, params
}
