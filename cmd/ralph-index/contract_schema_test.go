package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// schema is what a server says of a tool's arguments.
type schema struct {
	Properties map[string]*property `json:"properties"`
	Required   []string             `json:"required"`
}

type property struct {
	Type             string
	Enum             []string
	Minimum, Maximum *float64
	MaxLength        int
	MaxItems         int
	Items            *property
	Properties       map[string]*property
}

// schemas are those of all tools, as they are listed.
func schemas(t *testing.T, w *wire) map[string]*schema {
	t.Helper()
	listed, err := w.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*schema{}
	for _, tl := range listed {
		out[tl.Name] = &schema{}
		if err := json.Unmarshal(tl.InputSchema, out[tl.Name]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// legal lists the values, as JSON, that calls must have been made with: all of them
// where the schema lists them.
func (p *property) legal() []string {
	var out []string
	for _, e := range p.Enum {
		out = append(out, fmt.Sprintf("%q", e))
	}
	if p.Type == "boolean" {
		out = append(out, "true", "false")
	}
	return out
}

// fields are those of an object, or of the objects of a list.
func (p *property) fields() map[string]*property {
	if p.Items != nil {
		return p.Items.Properties
	}
	return p.Properties
}

// wrong lists values that an argument must be refused for.
func (p *property) wrong() []any {
	some, list := object{"a": 1}, []any{1, "a"}
	switch p.Type {
	case "string":
		out := []any{5, true, some, list}
		if len(p.Enum) > 0 {
			return append(out, "no such value", "", strings.ToUpper(p.Enum[0]), p.Enum[0]+" ")
		}
		if p.MaxLength > mostSent {
			return out
		}
		return append(out, strings.Repeat("é", p.MaxLength+1))
	case "integer":
		return append([]any{"one", "", 1.5, "1.5", true, some, list, 1e300}, p.outside()...)
	case "boolean":
		return []any{0, 1, "yes", "", some, list}
	case "array":
		out := []any{5, true, some, "a"}
		if p.Items.Type == "string" {
			out = append(out, []any{5}, []any{"a", nil}, []any{some}, []any{list})
		}
		return append(out, slices.Repeat([]any{p.Items.some()}, max(p.MaxItems, 1000)+1))
	}
	return []any{5, true, list, "a", []any{}}
}

// mostSent bounds the texts that are sent for their length alone.
const mostSent = 100_000

// outside lists numbers that are out of range.
func (p *property) outside() []any {
	var out []any
	if p.Maximum != nil && *p.Maximum < 1<<52 {
		out = append(out, *p.Maximum+1, fmt.Sprintf("%.0f", *p.Maximum+1))
	}
	if p.Minimum != nil {
		out = append(out, *p.Minimum-1, fmt.Sprintf("%.0f", *p.Minimum-1), -1<<40)
	}
	return out
}

// some is a value of the right type.
func (p *property) some() any {
	switch p.Type {
	case "string":
		if len(p.Enum) > 0 {
			return p.Enum[0]
		}
		return "a"
	case "integer":
		return max(1, *p.Minimum)
	case "boolean":
		return true
	case "array":
		return []any{p.Items.some()}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		return object{name: p.Properties[name].some()}
	}
	return object{}
}

// edges are the ends of a range.
func (p *property) edges() []any {
	var out []any
	for _, v := range []*float64{p.Minimum, p.Maximum} {
		if v != nil && *v < 1<<52 {
			out = append(out, *v, fmt.Sprintf("%.0f", *v))
		}
	}
	return out
}

// good makes calls with numbers at the ends of their ranges, which at least one of the
// base calls takes.
func (c *contract) good(t *testing.T, tool string, s *schema) {
	for name, p := range s.Properties {
		for _, v := range p.edges() {
			if !slices.ContainsFunc(c.bases[tool], func(base object) bool {
				res, err := c.wires[""].Call(t.Context(), tool, with(base, name, v), nil)
				return err == nil && !res.IsError
			}) {
				t.Errorf("%s: %s %v is refused everywhere", tool, name, v)
			}
		}
	}
}

// with is a call with one argument set.
func with(base object, name string, v any) object {
	out := maps.Clone(base)
	out[name] = v
	return out
}

// bad makes calls that are refused for one argument: each wrong type, what is out of
// range, too long or of no listed value, absent though required, and misspelt. The
// base calls themselves are taken.
func (c *contract) bad(t *testing.T, tool string, s *schema) {
	bases := c.bases[tool]
	if len(bases) == 0 && len(s.Properties) > 0 {
		t.Fatal("no base")
	}
	for _, base := range append(bases, object{})[:max(len(bases), 1)] {
		c.refuses(t, tool, with(base, "nonsense", 1), "nonsense")
		for name, p := range s.Properties {
			for _, v := range p.wrong() {
				c.refuses(t, tool, with(base, name, v), name)
			}
			c.inside(t, tool, base, name, p)
			if typo := name + "x"; s.Properties[typo] == nil {
				if e := c.refuses(t, tool, with(base, typo, p.some()), typo); e["nearest"] != name {
					t.Errorf("%s: what is nearest to %s is %v", tool, typo, e["nearest"])
				}
			}
			if len(p.Enum) > 0 {
				if e := c.refuses(t, tool, with(base, name, p.Enum[0]+"s"), name); !strings.Contains(fmt.Sprint(e["message"]), fmt.Sprintf("did you mean %q", p.Enum[0])) {
					t.Errorf("%s: %s of %ss gets no hint: %v", tool, name, p.Enum[0], e)
				}
			}
		}
		for _, name := range s.Required {
			without := maps.Clone(base)
			delete(without, name)
			c.refuses(t, tool, without, name)
			c.refuses(t, tool, with(base, name, nil), name)
		}
	}
}

// refuses makes a call that must be refused for an argument, and returns the refusal.
func (c *contract) refuses(t *testing.T, tool string, args object, argument string) object {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.wires[""].Call(t.Context(), tool, args, nil)
	if err != nil {
		t.Fatalf("%s %.200s: %v", tool, raw, err)
	}
	e, _ := parsed(t, res.Text).(object)
	message, _ := e["message"].(string)
	if !res.IsError || e["status"] != "invalid_params" || e["argument"] != argument || !strings.Contains(message, argument) || e["example"] == nil {
		t.Errorf("%s %.200s: refused %t, want invalid_params for %s: %.300s", tool, raw, res.IsError, argument, res.Text)
	}
	return e
}

// inside does the same with the fields of an object: a list of items has each fail
// alone, all else fails as a whole.
func (c *contract) inside(t *testing.T, tool string, base object, name string, p *property) {
	for field, f := range p.fields() {
		for _, v := range f.wrong() {
			c.insideOne(t, tool, base, name, p, object{field: v})
		}
		c.insideOne(t, tool, base, name, p, object{field + "x": f.some()})
	}
}

func (c *contract) insideOne(t *testing.T, tool string, base object, name string, p *property, item object) {
	t.Helper()
	var v any = item
	if p.Type == "array" {
		v = []any{item}
	}
	args := with(base, name, v)
	if tool != "read_multiple_files" {
		c.refuses(t, tool, args, name)
		return
	}
	res, err := c.wires[""].Call(t.Context(), tool, object{name: v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := parsed(t, res.Text).(object)
	files, _ := e["files"].([]any)
	if len(files) != 1 || !slices.Contains([]any{"invalid_selector", "missing_path", "invalid_item"}, files[0].(object)["error"]) {
		t.Errorf("%s %.200v: %.300s", tool, item, res.Text)
	}
}
