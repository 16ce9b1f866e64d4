package python

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// index evaluates v[text]: an element of a container, or what __getitem__ returns;
// with "*" what iterating over it yields. On a class it names a generic type.
func (r *run) index(v value, text string) []value {
	if text == ":" && v.kind != valueInstance {
		return []value{v}
	}
	switch v.kind {
	case valueClass:
		if v.args == "" {
			v.args = text
		}
		return []value{v}
	case valueExternal:
		if v.args == "" && isTypeArgs(text) {
			v.args = text
			return []value{v}
		}
		if text == "*" && v.name == "items" && v.args != "" {
			v.name = "tuple"
			return []value{v}
		}
		return r.elements(v, text)
	case valueInstance:
		methods := [...]string{"__getitem__", "__iter__"}
		if text == "*" {
			methods = [...]string{"__iter__", "__getitem__"}
		}
		for _, name := range methods {
			m, _, _, ok := r.classMember(v.sym, name)
			if !ok {
				continue
			}
			var out []value
			for _, x := range r.result(m, v) {
				if name == "__iter__" {
					out = append(out, r.index(x, "*")...)
				} else if x.sym != v.sym || x.kind != valueInstance {
					out = append(out, x)
				}
			}
			if len(out) > 0 {
				return out
			}
		}
		return r.elements(v, text)
	default:
	}
	return nil
}

// elements evaluates the elements of a container by its type arguments.
func (r *run) elements(v value, text string) []value {
	if yielded, ok := strings.CutPrefix(v.args, "="); ok {
		return loose(weaken(r.typeText(v.in, yielded), confResult, graph.ReasonMember))
	}
	args := elementArgs(v.name, v.args, text)
	var out []value
	for _, a := range args {
		out = append(out, r.annotation(v.in, a, false)...)
	}
	if len(args) > 1 {
		out = weaken(out, confUnion, graph.ReasonMember)
	}
	return out[:min(len(out), maxValues)]
}

// elementArgs picks the type arguments that an element of a container may be of: of
// a tuple the one at the index, or all of them; of a mapping its values, or its keys
// where it is iterated over itself; else the last.
func elementArgs(container, args, index string) []string {
	var parts []string
	for _, p := range splitTop(args, ',') {
		if p = strings.TrimSpace(p); p != "" && p != "None" {
			parts = append(parts, p)
		}
	}
	n := len(parts)
	switch {
	case n == 0:
		return nil
	case container == "tuple" || container == "Tuple":
		if parts[n-1] == "..." {
			return parts[:1]
		}
		if i, err := strconv.Atoi(index); err == nil && i < n {
			return parts[i : i+1]
		}
		return parts
	case index == "*" && n > 1 && container != "values":
		return parts[:1]
	case parts[n-1] == "...":
		return parts[:n-1]
	}
	return parts[n-1:]
}

// elementArg picks the last type argument.
func elementArg(args string) string {
	if parts := elementArgs("", args, ""); len(parts) > 0 {
		return parts[0]
	}
	return ""
}
