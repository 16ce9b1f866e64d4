package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/engine/api"
)

// decode checks raw arguments and reads them into the input struct.
func (s *Spec) decode(raw json.RawMessage, in any) error {
	values, err := s.check(raw)
	if err != nil {
		return err
	}
	b, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("encode checked arguments: %w", err)
	}
	if err := json.Unmarshal(b, in); err != nil {
		return fmt.Errorf("read checked arguments: %w", err)
	}
	return nil
}

// check returns the arguments under their listed names, coerced to their types,
// with defaults filled in. It returns *api.Error for the first one at fault, in
// the order of the spec, unknown names first.
func (s *Spec) check(raw json.RawMessage) (map[string]any, error) {
	given, err := s.object(raw)
	if err != nil {
		return nil, err
	}
	byName, err := s.rename(given)
	if err != nil {
		return nil, err
	}
	out := make(map[string]any, len(s.Args))
	for i := range s.Args {
		a := &s.Args[i]
		v, present, err := a.value(byName[a.Name])
		switch {
		case err != nil:
			return nil, s.refuse(a, err)
		case present:
			out[a.Name] = v
		case a.Required:
			return nil, s.refuse(a, fmt.Errorf("is required"))
		case a.Default != nil:
			out[a.Name] = a.Default
		}
	}
	return out, nil
}

func (s *Spec) object(raw json.RawMessage) (map[string]json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		e := Invalid("", "the arguments of %s must be a JSON object with one key for each argument", s.Name)
		e.Details = map[string]any{"example": json.RawMessage(s.Example)}
		return nil, e
	}
	return given, nil
}

// rename resolves aliases and refuses names that the tool does not have.
func (s *Spec) rename(given map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	names := make([]string, 0, len(s.Args))
	listed := map[string]string{}
	for i := range s.Args {
		names = append(names, s.Args[i].Name)
		listed[s.Args[i].Name] = s.Args[i].Name
		for _, alias := range s.Args[i].Aliases {
			listed[alias] = s.Args[i].Name
		}
	}
	keys := make([]string, 0, len(given))
	for k := range given {
		keys = append(keys, k)
	}
	slices.Sort(keys) // the same call gets the same refusal
	out := make(map[string]json.RawMessage, len(given))
	for _, k := range keys {
		name, ok := listed[k]
		if !ok {
			return nil, s.unknownArgument(k, names)
		}
		if _, twice := out[name]; twice {
			return nil, s.refuseNamed(name, fmt.Sprintf("%s is given twice, as %q and under another name", name, k), nil)
		}
		out[name] = given[k]
	}
	return out, nil
}

func (s *Spec) unknownArgument(name string, names []string) *api.Error {
	details := map[string]any{"allowed": names}
	msg := fmt.Sprintf("%s has no argument %q", s.Name, name)
	if near := Nearest(name, names); near != "" {
		msg += fmt.Sprintf("; did you mean %q?", near)
		details["nearest"] = near
	} else if len(names) > 0 {
		msg += "; it takes " + strings.Join(names, ", ")
	} else {
		msg += "; it takes none"
	}
	return s.refuseNamed(name, msg, details)
}

// refuse says what an argument must be, with what the caller needs to repair it.
func (s *Spec) refuse(a *Arg, cause error) *api.Error {
	details := map[string]any{}
	msg := a.Name + " " + cause.Error()
	switch {
	case len(a.Enum) > 0:
		details["allowed"] = a.Enum
		msg += "; allowed: " + strings.Join(a.Enum, ", ")
	case a.Type == Integer && a.Max != 0 && !a.Judged:
		details["minimum"], details["maximum"] = a.Min, a.Max
		msg += fmt.Sprintf("; allowed: %d to %d", a.Min, a.Max)
		if a.Default != nil {
			details["default"] = a.Default
		}
	}
	return s.refuseNamed(a.Name, msg, details)
}

func (s *Spec) refuseNamed(argument, msg string, details map[string]any) *api.Error {
	if details == nil {
		details = map[string]any{}
	}
	details["example"] = json.RawMessage(s.Example)
	if !strings.HasSuffix(msg, "?") {
		msg += "."
	}
	e := Invalid(argument, "%s Example: %s", msg, s.Example)
	e.Details = details
	return e
}

// value reads one argument; present is false for null, and for 0 and "" where
// they stand for absence.
func (a *Arg) value(raw json.RawMessage) (v any, present bool, err error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, false, nil
	}
	switch a.Type {
	case String:
		return a.text(raw)
	case Integer:
		return a.integer(raw)
	case Boolean:
		return boolean(raw)
	case Strings:
		return a.list(raw)
	case Objects:
		elems, err := a.elements(raw, "objects")
		return elems, err == nil, err
	case Object:
		return a.single(raw)
	}
	return nil, false, fmt.Errorf("has a type that cannot be read")
}

func (a *Arg) text(raw json.RawMessage) (any, bool, error) {
	var v string
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, false, fmt.Errorf("must be a string, not %s", kindOf(raw))
	}
	if v == "" && a.EmptyAbsent {
		return nil, false, nil
	}
	limit := maxString
	if a.MaxLen > 0 {
		limit = a.MaxLen
	}
	if n := utf8.RuneCountInString(v); n > limit {
		return nil, false, fmt.Errorf("has %d characters, more than %d", n, limit)
	}
	if len(a.Enum) > 0 && !slices.Contains(a.Enum, v) {
		return nil, false, unknownValue(v, a.Enum)
	}
	return v, true, nil
}

func unknownValue(v string, allowed []string) error {
	if len(v) > 64 {
		v = v[:64] + "…"
	}
	if near := Nearest(v, allowed); near != "" {
		return fmt.Errorf("cannot be %q; did you mean %q?", v, near)
	}
	return fmt.Errorf("cannot be %q", v)
}

func (a *Arg) integer(raw json.RawMessage) (any, bool, error) {
	n, err := wholeNumber(raw)
	if err != nil {
		return nil, false, err
	}
	if n == 0 && a.EmptyAbsent {
		return nil, false, nil
	}
	if a.Max != 0 && !a.Judged && (n < a.Min || n > a.Max) {
		return nil, false, fmt.Errorf("cannot be %d", n)
	}
	return n, true, nil
}

// wholeNumber takes 5, 5.0, 5e0 and "5", and nothing that would lose a part.
func wholeNumber(raw json.RawMessage) (int64, error) {
	text := string(raw)
	if raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return 0, fmt.Errorf("must be an integer, not a string")
		}
		n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("must be an integer, not the text %q", clip(s))
		}
		return n, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("must be an integer, not %s", kindOf(raw))
	case f != math.Trunc(f):
		return 0, fmt.Errorf("must be an integer, not the fraction %s", clip(text))
	case math.Abs(f) > 1<<53:
		return 0, fmt.Errorf("must be an integer, and %s is too large", clip(text))
	}
	return int64(f), nil
}

func boolean(raw json.RawMessage) (any, bool, error) {
	switch string(raw) {
	case "true", `"true"`:
		return true, true, nil
	case "false", `"false"`:
		return false, true, nil
	}
	return nil, false, fmt.Errorf("must be true or false, not %s", kindOf(raw))
}

// list takes an array of strings.
func (a *Arg) list(raw json.RawMessage) (any, bool, error) {
	elems, err := a.elements(raw, "strings")
	if err != nil {
		return nil, false, err
	}
	out := make([]string, 0, len(elems))
	for i, e := range elems {
		var s *string
		if err := json.Unmarshal(e, &s); err != nil || s == nil {
			return nil, false, fmt.Errorf("must be an array of strings; item %d is %s", i+1, kindOf(e))
		}
		if len(*s) > maxString {
			return nil, false, fmt.Errorf("has an item of %d bytes, more than %d", len(*s), maxString)
		}
		if len(a.Enum) > 0 && !slices.Contains(a.Enum, *s) {
			return nil, false, unknownValue(*s, a.Enum)
		}
		out = append(out, *s)
	}
	return out, true, nil
}

// single takes an object, also when a client wrote it into a string of its own.
func (a *Arg) single(raw json.RawMessage) (any, bool, error) {
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil && strings.HasPrefix(strings.TrimSpace(s), "{") {
			raw = json.RawMessage(strings.TrimSpace(s))
		}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, false, fmt.Errorf("must be an object, not %s", kindOf(raw))
	}
	return raw, len(fields) > 0 || !a.EmptyAbsent, nil
}

// elements takes an array apart, also when a client wrote it into a string of its own.
func (a *Arg) elements(raw json.RawMessage, what string) ([]json.RawMessage, error) {
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil && strings.HasPrefix(strings.TrimSpace(s), "[") {
			raw = json.RawMessage(strings.TrimSpace(s))
		}
	}
	var elems []json.RawMessage
	if err := json.Unmarshal(raw, &elems); err != nil {
		return nil, fmt.Errorf("must be an array of %s, not %s", what, kindOf(raw))
	}
	limit := maxItems
	if a.MaxLen > 0 {
		limit = a.MaxLen
	}
	if len(elems) > limit {
		return nil, fmt.Errorf("has %d items, more than %d", len(elems), limit)
	}
	return elems, nil
}

// Decode checks an Object argument, or one element of an Objects argument, as the arguments of a tool are
// checked, and reads it into the struct in points to. example is an element that
// works. The error is an *api.Error, also for an element that is no object.
func Decode(fields []Arg, example string, raw json.RawMessage, in any) error {
	s := Spec{Name: "an item", Args: fields, Example: example}
	return s.decode(raw, in)
}

func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
