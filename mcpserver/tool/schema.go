package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Type is the JSON type of an argument. The set is the part of JSON Schema that
// every client and model provider takes.
type Type string

// The types. Strings is an array of strings. Objects is one of objects: the schema
// shows their fields, and the handler checks each element with Decode, since one that
// is wrong need not spoil the others. Object is a single one, checked in the same way.
const (
	String  Type = "string"
	Integer Type = "integer"
	Boolean Type = "boolean"
	Strings Type = "strings"
	Objects Type = "objects"
	Object  Type = "object"
)

// Arg is one argument of a tool.
type Arg struct {
	Name     string
	Type     Type
	Doc      string
	Required bool
	Enum     []string // String: allowed values; Strings: allowed items
	Min, Max int64    // Integer: the allowed range, when Max is not 0
	Judged   bool     // Integer: the range differs by call; the schema has the widest, and the handler refuses
	MaxLen   int      // String: characters; Strings and Objects: items; 0 is the general cap
	Fields   []Arg    // Object and Objects: what one may have
	Default  any      // int, bool or string; nil when absence has a meaning of its own
	// EmptyAbsent treats 0, "" and {} as absent: some brokers fill in every argument.
	EmptyAbsent bool
	Aliases     []string // names that models use instead; accepted, not listed
}

// General caps, so that no argument can be made to cost much.
const (
	maxString = 64 << 10
	maxItems  = 1000
)

func (a *Arg) validate() error {
	for _, n := range append([]string{a.Name}, a.Aliases...) {
		if !nameForm.MatchString(n) {
			return fmt.Errorf("name %q is not snake_case of at most 32 characters", n)
		}
	}
	return a.validateType()
}

// validateFields checks the fields of objects. Their names are the contract's, which
// are not all in snake_case.
func (a *Arg) validateFields() error {
	if len(a.Fields) == 0 || len(a.Enum) > 0 || a.Max != 0 || a.Min != 0 {
		return fmt.Errorf("objects have fields, and neither enum nor range")
	}
	for i := range a.Fields {
		f := &a.Fields[i]
		if !fieldForm.MatchString(f.Name) {
			return fmt.Errorf("field %q: not a name of at most 32 letters", f.Name)
		}
		if err := f.validateType(); err != nil {
			return fmt.Errorf("field %q: %w", f.Name, err)
		}
		if f.Type == Objects || f.Type == Object {
			return fmt.Errorf("field %q: objects in objects cannot be expressed", f.Name)
		}
	}
	return nil
}

func (a *Arg) validateType() error {
	if a.Doc == "" {
		return fmt.Errorf("description is empty")
	}
	switch a.Type {
	case String, Strings:
		if slices.Contains(a.Enum, "") {
			return fmt.Errorf("an enum value is empty")
		}
		if a.Max != 0 || a.Min != 0 {
			return fmt.Errorf("a range needs an integer")
		}
	case Object, Objects:
		if err := a.validateFields(); err != nil {
			return err
		}
	case Integer, Boolean:
		if len(a.Enum) > 0 || a.MaxLen != 0 {
			return fmt.Errorf("enum and length need a string")
		}
		if a.Type == Boolean && (a.Max != 0 || a.Min != 0) {
			return fmt.Errorf("a range needs an integer")
		}
		if a.Max < a.Min {
			return fmt.Errorf("range %d..%d is empty", a.Min, a.Max)
		}
	default:
		return fmt.Errorf("type %q cannot be expressed", a.Type)
	}
	return a.validateDefault()
}

func (a *Arg) validateDefault() error {
	if a.Default == nil {
		return nil
	}
	if a.Required {
		return fmt.Errorf("a required argument has a default")
	}
	ok := false
	switch d := a.Default.(type) {
	case string:
		ok = a.Type == String && (len(a.Enum) == 0 || slices.Contains(a.Enum, d))
	case int:
		ok = a.Type == Integer && (a.Max == 0 || int64(d) >= a.Min && int64(d) <= a.Max)
	case bool:
		ok = a.Type == Boolean
	}
	if !ok {
		return fmt.Errorf("default %v does not fit", a.Default)
	}
	return nil
}

// schemaOf writes the schema in the order in which the arguments are given: that
// order is what a model reads.
func schemaOf(args []Arg) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	for i := range args {
		a := &args[i]
		if i > 0 {
			b.WriteByte(',')
		}
		p := a.property()
		if len(a.Fields) > 0 {
			fields, err := propertiesOf(a.Fields)
			if err != nil {
				return nil, fmt.Errorf("argument %q: %w", a.Name, err)
			}
			if a.Type == Objects {
				p.Items.Properties = fields
			} else {
				p.Properties = fields
			}
		}
		prop, err := MarshalJSON(p)
		if err != nil {
			return nil, fmt.Errorf("argument %q: %w", a.Name, err)
		}
		fmt.Fprintf(&b, "%q:%s", a.Name, prop)
		if a.Required {
			required = append(required, a.Name)
		}
	}
	b.WriteByte('}')
	if len(required) > 0 {
		list, err := MarshalJSON(required)
		if err != nil {
			return nil, fmt.Errorf("required: %w", err)
		}
		fmt.Fprintf(&b, `,"required":%s`, list)
	}
	b.WriteString(`,"additionalProperties":false}`)
	return b.Bytes(), nil
}

// propertiesOf writes the properties of an object.
func propertiesOf(fields []Arg) (json.RawMessage, error) {
	var b bytes.Buffer
	for i := range fields {
		prop, err := MarshalJSON(fields[i].property())
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", fields[i].Name, err)
		}
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		b.WriteByte(sep)
		fmt.Fprintf(&b, "%q:%s", fields[i].Name, prop)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

type property struct {
	Type        string   `json:"type"`
	Description string   `json:"description"`
	Enum        []string `json:"enum,omitempty"`
	Items       *items   `json:"items,omitempty"`
	Minimum     *int64   `json:"minimum,omitempty"`
	Maximum     *int64   `json:"maximum,omitempty"`
	MaxLength   int      `json:"maxLength,omitempty"`
	MaxItems    int      `json:"maxItems,omitempty"`
	Default     any      `json:"default,omitempty"`
	// Properties of an object, in the order in which they are given.
	Properties json.RawMessage `json:"properties,omitempty"`
}

type items struct {
	Type string   `json:"type"`
	Enum []string `json:"enum,omitempty"`
	// Properties of objects, in the order in which they are given.
	Properties json.RawMessage `json:"properties,omitempty"`
}

func (a *Arg) property() property {
	p := property{Type: string(a.Type), Description: a.Doc, Default: a.Default}
	switch a.Type {
	case String:
		p.Enum, p.MaxLength = a.Enum, a.MaxLen
	case Strings:
		p.Type, p.Items, p.MaxItems = "array", &items{Type: "string", Enum: a.Enum}, a.MaxLen
	case Objects:
		p.Type, p.Items, p.MaxItems = "array", &items{Type: "object"}, a.MaxLen
	case Integer:
		p.Minimum = a.minimum()
		if a.Max != 0 {
			p.Maximum = &a.Max
		}
	case Boolean, Object:
	}
	return p
}

// minimum is nil for an unbounded integer, and 0 where 0 stands for absence.
func (a *Arg) minimum() *int64 {
	if a.Max == 0 {
		return nil
	}
	low := a.Min
	if a.EmptyAbsent {
		low = min(low, 0)
	}
	return &low
}

// matchFields checks that the JSON fields of In are the arguments, no more and
// no less, and can hold their types.
func matchFields[In any](args []Arg) error {
	t := reflect.TypeFor[In]()
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("input %v is not a struct", t)
	}
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || f.Anonymous {
			return fmt.Errorf("field %s of %v has no JSON name", f.Name, t)
		}
		fields[name] = f.Type
	}
	for i := range args {
		f, ok := fields[args[i].Name]
		if !ok {
			return fmt.Errorf("argument %q has no field in %v", args[i].Name, t)
		}
		if !args[i].fits(f) {
			return fmt.Errorf("argument %q does not fit field type %v", args[i].Name, f)
		}
		delete(fields, args[i].Name)
	}
	for name := range fields {
		return fmt.Errorf("field %q of %v is not an argument", name, t)
	}
	return nil
}

func (a *Arg) fits(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch a.Type {
	case String:
		return t.Kind() == reflect.String
	case Integer:
		return t.Kind() == reflect.Int || t.Kind() == reflect.Int64
	case Boolean:
		return t.Kind() == reflect.Bool
	case Strings:
		return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String
	case Objects:
		return t == reflect.TypeFor[[]json.RawMessage]()
	case Object:
		return t == reflect.TypeFor[json.RawMessage]()
	}
	return false
}
