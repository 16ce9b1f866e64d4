package python

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// maxAlternatives bounds what a local may hold at once.
const maxAlternatives = 6

// alternatives is what a local may hold: texts as in Def.Type.
type alternatives struct {
	all  []string
	open bool // or something else
}

// joined is the hint of what holds what one of several hints says.
func joined(hints ...graph.Hint) graph.Hint {
	hints = slices.DeleteFunc(slices.Clone(hints), func(h graph.Hint) bool { return h.Rule == graph.HintNone })
	if len(hints) == 0 {
		return graph.Hint{}
	}
	same := true
	var a alternatives
	for _, h := range hints {
		same = same && h == hints[0]
		a.add(h)
	}
	if same || len(a.all) == 1 && !a.open {
		return hints[0]
	}
	return a.hint()
}

// add takes over what a hint says.
func (a *alternatives) add(h graph.Hint) {
	several := strings.Contains(h.Type, between)
	switch {
	case h.Rule == graph.HintAssigned:
		a.text(h.Type + "()")
	case h.Rule == graph.HintValue && !several:
		a.text(typeText(h.Type))
	case h.Rule == graph.HintValue, h.Rule == graph.HintDeclared && !strings.Contains(h.Type, "["):
		for _, s := range strings.Split(h.Type, between) {
			a.text(s)
		}
	case h.Rule == graph.HintDeclared && !several:
		a.text(h.Type)
	case h.Rule == graph.HintLiteral:
		a.text(h.Type + "()")
	case h.Rule == graph.HintSelf:
		a.text("Self")
	case h.Rule == graph.HintClass:
		a.text("=cls")
	default:
		a.open = true
	}
}

// text adds one type text. One that only does again what leads from one alternative to
// another adds nothing: q = q.filter() in a loop.
func (a *alternatives) text(s string) {
	s, open := closedText(s)
	a.open = a.open || open
	switch {
	case s == "" || slices.Contains(a.all, s):
		return
	case a.again(s):
		return
	case len(a.all) == maxAlternatives:
		a.open = true
		return
	}
	a.all = append(a.all, s)
}

func (a *alternatives) again(s string) bool {
	s = strings.TrimPrefix(s, "=")
	for _, from := range a.all {
		for _, to := range a.all {
			step, ok := strings.CutPrefix(to, from)
			if rest, again := strings.CutSuffix(s, step); ok && step != "" && again && rest == to {
				return true
			}
		}
	}
	return false
}

// closedText takes the mark of what may be something else off a type text.
func closedText(s string) (text string, open bool) {
	if rest, ok := strings.CutPrefix(s, "="+unknown); ok {
		if rest == "self" {
			return "Self", true
		}
		return "=" + rest, true
	}
	rest, ok := strings.CutPrefix(s, unknown)
	return rest, ok
}

// hint renders the alternatives.
func (a *alternatives) hint() graph.Hint {
	if len(a.all) == 0 {
		return graph.Hint{Rule: graph.HintLocal}
	}
	if a.open {
		i := slices.IndexFunc(a.all, inferred)
		if i < 0 {
			a.all = append(a.all, unknown)
		} else {
			a.all[i] = orElse(a.all[i])
		}
	}
	s := strings.Join(a.all, between)
	switch {
	case len(s) > maxType:
		return graph.Hint{Rule: graph.HintLocal}
	case len(a.all) > 1:
		return graph.Hint{Rule: graph.HintValue, Type: s}
	}
	if callee, ok := strings.CutSuffix(s, "()"); ok {
		return graph.Hint{Rule: graph.HintAssigned, Type: callee}
	}
	return graph.Hint{Rule: graph.HintValue, Type: strings.TrimPrefix(s, "=")}
}

// operand writes alternatives as operands of a longer expression.
func operand(text string) string {
	open := false
	var all []string
	for _, s := range strings.Split(text, between) {
		s, o := closedText(s)
		open = open || o
		switch {
		case s == "":
		case s == "Self":
			all = append(all, "self")
		case inferred(s):
			all = append(all, strings.TrimPrefix(s, "="))
		default:
			all = append(all, s+"()")
		}
	}
	s := strings.Join(all, between)
	if open && s != "" {
		return orElse(s)
	}
	return s
}

// typeTexts turns alternatives that an expression yields into Def.Type.
func typeTexts(s string) string {
	var a alternatives
	for _, part := range strings.Split(s, between) {
		a.text(typeText(part))
	}
	if h := a.hint(); len(a.all) > 1 {
		return h.Type
	}
	if len(a.all) == 1 {
		return a.all[0]
	}
	return ""
}
