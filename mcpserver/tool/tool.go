package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Annotations are the four hints that clients plan by. All are always sent: the
// protocol's defaults call an unmarked tool destructive.
type Annotations struct {
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// Budget bounds a call. The argument timeout_ms, where a tool has it, replaces
// Default and may not exceed Max.
type Budget struct {
	Default time.Duration
	Max     time.Duration
}

// Spec is everything about a tool but its handler.
type Spec struct {
	Name        string // snake_case, at most 32 characters
	Title       string // for people
	Description string // for models: when to use it, what it returns, limits
	Capability  Capability
	// Alternative, when not "", lets a session call the tool too; the handler then says
	// which of the two a call needs: see Granted.
	Alternative Capability
	Annotations Annotations
	Budget      Budget
	Args        []Arg
	// Example is a call that works, as a JSON object. Refusals show it.
	Example string
	// WaitsForIndex marks a tool whose calls may wait for the index; the server
	// reports progress on such a call when the client asked for it.
	WaitsForIndex bool
}

// Result is the answer of a call. JSON is nil where the answer is plain text;
// otherwise Text is the same JSON, so that a client that reads only one of the
// two misses nothing.
type Result struct {
	Text string
	JSON json.RawMessage
}

// Texter is implemented by outputs whose answer may be plain text.
type Texter interface {
	// PlainText returns the text, or ok false when the answer is JSON.
	PlainText() (text string, ok bool)
}

// Appender is implemented by outputs that write their JSON themselves, for their size.
// What they write must be what MarshalJSON would.
type Appender interface {
	AppendJSON(b []byte) ([]byte, error)
}

// Tool is a defined tool. The zero value is not usable; see Define.
type Tool struct {
	spec   Spec
	schema json.RawMessage
	call   func(ctx context.Context, args json.RawMessage) (Result, error)
}

// Spec returns what the tool was defined with.
func (t Tool) Spec() Spec { return t.spec }

// Schema returns the JSON Schema of the arguments.
func (t Tool) Schema() json.RawMessage { return t.schema }

// Call checks the arguments, runs the handler and shapes its output. Errors are
// *api.Error where the arguments are at fault, and the handler's own otherwise.
func (t Tool) Call(ctx context.Context, args json.RawMessage) (Result, error) {
	return t.call(ctx, args)
}

// Define makes a tool of a spec and a handler. In is a struct whose JSON fields
// are exactly the arguments of the spec; absent arguments leave the zero value or
// the default of the argument. It returns an error for a spec that the schema
// subset cannot express, so that a mistake shows when the server starts.
func Define[In, Out any](spec Spec, handler func(context.Context, In) (Out, error)) (Tool, error) {
	if err := spec.validate(); err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", spec.Name, err)
	}
	if err := matchFields[In](spec.Args); err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", spec.Name, err)
	}
	schema, err := schemaOf(spec.Args)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", spec.Name, err)
	}
	call := func(ctx context.Context, args json.RawMessage) (Result, error) {
		var in In
		if err := spec.decode(args, &in); err != nil {
			return Result{}, err
		}
		out, err := handler(ctx, in)
		if err != nil {
			return Result{}, spec.withExample(err)
		}
		return encode(out)
	}
	return Tool{spec: spec, schema: schema, call: call}, nil
}

// withExample adds a call that works to a refusal of arguments that only the
// handler, or what it called, could judge.
func (s *Spec) withExample(err error) error {
	e, ok := errors.AsType[*api.Error](err)
	if !ok || e.Code != api.CodeInvalidParams || e.Details["example"] != nil {
		return err
	}
	out := *e
	out.Details = maps.Clone(e.Details)
	if out.Details == nil {
		out.Details = map[string]any{}
	}
	out.Details["example"] = json.RawMessage(s.Example)
	return &out
}

func encode(out any) (Result, error) {
	if t, ok := out.(Texter); ok {
		if text, ok := t.PlainText(); ok {
			return Result{Text: text}, nil
		}
	}
	var raw json.RawMessage
	var err error
	if a, ok := out.(Appender); ok {
		raw, err = a.AppendJSON(nil)
	} else {
		raw, err = MarshalJSON(out)
	}
	if err != nil {
		return Result{}, fmt.Errorf("encode answer: %w", err)
	}
	return Result{Text: string(raw), JSON: raw}, nil
}

// MarshalJSON is json.Marshal without the escapes that are meant for HTML: code
// is full of <, > and &.
func MarshalJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

var (
	nameForm  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)
	fieldForm = regexp.MustCompile(`^[a-z][a-zA-Z0-9_]{0,31}$`)
)

// maxDescription is what clients accept without cutting.
const maxDescription = 1024

func (s *Spec) validate() error {
	switch {
	case !nameForm.MatchString(s.Name):
		return fmt.Errorf("name %q is not snake_case of at most 32 characters", s.Name)
	case s.Title == "":
		return fmt.Errorf("title is empty")
	case strings.TrimSpace(s.Description) == "":
		return fmt.Errorf("description is empty")
	case len(s.Description) > maxDescription:
		return fmt.Errorf("description has %d bytes, more than %d", len(s.Description), maxDescription)
	case s.Capability == "":
		return fmt.Errorf("capability is empty")
	case s.Annotations.ReadOnly && s.Annotations.Destructive:
		return fmt.Errorf("a read-only tool cannot be destructive")
	case s.Budget.Default <= 0 || s.Budget.Max < s.Budget.Default:
		return fmt.Errorf("budget %v..%v is not a range", s.Budget.Default, s.Budget.Max)
	}
	for i := range s.Args {
		if err := s.Args[i].validate(); err != nil {
			return fmt.Errorf("argument %q: %w", s.Args[i].Name, err)
		}
	}
	if err := uniqueNames(s.Args); err != nil {
		return err
	}
	if _, err := s.check(json.RawMessage(s.Example)); err != nil {
		return fmt.Errorf("example: %w", err)
	}
	return nil
}

func uniqueNames(args []Arg) error {
	seen := map[string]bool{}
	for i := range args {
		for _, n := range append([]string{args[i].Name}, args[i].Aliases...) {
			if seen[n] {
				return fmt.Errorf("argument name %q is used twice", n)
			}
			seen[n] = true
		}
	}
	return nil
}

// Invalid makes the error of a bad argument.
func Invalid(argument, format string, a ...any) *api.Error {
	return &api.Error{Code: api.CodeInvalidParams, Argument: argument, Message: fmt.Sprintf(format, a...)}
}
