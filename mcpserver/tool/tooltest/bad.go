package tooltest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// Case is one call made from a specification.
type Case struct {
	Args     string
	Argument string // the one at fault, or that is tried
}

// Bad returns calls that a tool must refuse, each for one argument alone: for every
// argument each wrong type, what is out of range, too long, or not of the closed
// set, absent though required, misspelt, and given twice. base is a good call; the
// argument in question is replaced in it.
func Bad(spec *tool.Spec, base map[string]any) []Case {
	var out []Case
	for i := range spec.Args {
		a := &spec.Args[i]
		for _, v := range wrong(a) {
			out = append(out, Case{With(base, a.Name, v), a.Name})
		}
		if a.Required {
			out = append(out, Case{With(base, a.Name, nil), a.Name}, Case{without(base, a.Name), a.Name})
		}
		for _, typo := range []string{a.Name + "s", strings.ToUpper(a.Name), "max-" + a.Name} {
			if !has(spec, typo) {
				out = append(out, Case{With(base, typo, Good(a)[0]), typo})
			}
		}
		for _, alias := range a.Aliases {
			both := With(base, a.Name, Good(a)[0])
			out = append(out, Case{With(object(both), alias, Good(a)[0]), a.Name})
		}
	}
	return append(out, Case{With(base, "", 1), ""}, Case{With(base, "nonsense", map[string]any{}), "nonsense"})
}

// Odd returns texts that are no object of arguments.
func Odd() []string {
	return []string{`[]`, `"{}"`, `5`, `true`, `[{"a":1}]`, `{"a":`, `{'a':1}`, `{"a":1}}`}
}

// Good returns values that an argument takes, the edges of its range among them.
func Good(a *tool.Arg) []any {
	switch a.Type {
	case tool.String:
		if len(a.Enum) > 0 {
			return anys(a.Enum)
		}
		out := []any{"a"}
		if a.MaxLen > 0 {
			out = append(out, strings.Repeat("é", a.MaxLen))
		}
		return out
	case tool.Integer:
		if a.Max == 0 {
			return []any{1}
		}
		low := max(a.Min, 1)
		return []any{low, a.Max, fmt.Sprint(low), json.Number(fmt.Sprintf("%d.0", low))}
	case tool.Boolean:
		return []any{true, false, "true", "false"}
	case tool.Strings:
		items := []string{"a"}
		if len(a.Enum) > 0 {
			items = a.Enum
		}
		return []any{items[:1], items, []string{}, fmt.Sprintf(`["%s"]`, items[0])}
	case tool.Objects:
		one := goodObject(a)
		out := []any{[]any{one}, []any{one, one}, text([]any{one})}
		if !a.Required {
			out = append(out, []any{})
		}
		return out
	case tool.Object:
		return []any{goodObject(a), text(goodObject(a))}
	}
	return nil
}

// goodObject has the fields that it must have, or the first one.
func goodObject(a *tool.Arg) map[string]any {
	out := map[string]any{}
	for i := range a.Fields {
		if f := &a.Fields[i]; f.Required {
			out[f.Name] = Good(f)[0]
		}
	}
	if len(out) == 0 {
		out[a.Fields[0].Name] = Good(&a.Fields[0])[0]
	}
	return out
}

// wrong returns values that an argument does not take.
func wrong(a *tool.Arg) []any {
	object, list := map[string]any{"a": 1}, []any{1, "a"}
	switch a.Type {
	case tool.String:
		out := []any{5, -1.5, true, object, list, []any{}}
		if len(a.Enum) > 0 {
			out = append(out, "", "no such value", strings.ToUpper(a.Enum[0]), a.Enum[0]+" ", strings.Repeat("x", 70_000))
		} else {
			out = append(out, strings.Repeat("é", max(a.MaxLen, 64<<10)+1))
		}
		return out
	case tool.Integer:
		out := []any{"one", "", "1.5", "0x10", "1e999", true, object, list, 1.5, json.Number("1e300"), json.Number("-1e300"), json.Number("0.1")}
		if a.Max != 0 {
			above := new(big.Int).Add(big.NewInt(a.Max), big.NewInt(1)).String()
			out = append(out, json.Number(above), above)
			below := a.Min - 1
			if a.EmptyAbsent {
				below = min(below, -1)
			}
			out = append(out, below, fmt.Sprint(below), int64(math.MinInt64))
		}
		return out
	case tool.Boolean:
		return []any{0, 1, "yes", "", "TRUE", object, list, []any{}}
	case tool.Strings:
		out := []any{5, true, object, "a", "", `["a"`, []any{5}, []any{"a", nil}, []any{[]any{"a"}}, []any{object}}
		if len(a.Enum) > 0 {
			out = append(out, []string{"no such value"}, []string{a.Enum[0], strings.ToUpper(a.Enum[0])})
		} else {
			out = append(out, []string{strings.Repeat("x", 70_000)})
		}
		return append(out, slices.Repeat([]string{firstItem(a)}, most(a)+1))
	case tool.Objects:
		return []any{5, true, object, "a", "", `["a"`, slices.Repeat([]any{object}, most(a)+1)}
	case tool.Object:
		return []any{5, true, list, "a", "", `{"a"`, []any{}}
	}
	return nil
}

func firstItem(a *tool.Arg) string { return Good(a)[0].([]string)[0] }

// most is how many items an argument takes.
func most(a *tool.Arg) int {
	if a.MaxLen > 0 {
		return a.MaxLen
	}
	return 1000
}

// With writes base with one argument set.
func With(base map[string]any, name string, v any) string {
	out := make(map[string]any, len(base)+1)
	for k, b := range base {
		out[k] = b
	}
	out[name] = v
	return text(out)
}

func without(base map[string]any, name string) string {
	out := object(text(base))
	delete(out, name)
	return text(out)
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("tooltest: " + err.Error()) // values of this package are JSON
	}
	return string(b)
}

func object(raw string) map[string]any {
	out := map[string]any{}
	if err := json.Unmarshal([]byte(raw), &out); err != nil {
		panic("tooltest: " + err.Error())
	}
	return out
}

func has(spec *tool.Spec, name string) bool {
	return slices.ContainsFunc(spec.Args, func(a tool.Arg) bool { return a.Name == name || slices.Contains(a.Aliases, name) })
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
