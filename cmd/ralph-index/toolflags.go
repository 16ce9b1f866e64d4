package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// constructor makes a tool that answers through a service.
type constructor func(api.Service) (tool.Tool, error)

// toolFlags are the arguments of a tool as flags, so that the command line takes,
// checks and documents exactly what the tool does.
type toolFlags struct {
	construct constructor
	args      []tool.Arg
}

// newToolFlags adds a flag for every argument but those that the command takes in
// its own way.
func newToolFlags(c *cobra.Command, construct constructor, own ...string) *toolFlags {
	t, err := construct(nil) // only its description is asked for
	if err != nil {
		panic(err) // a tool that cannot be described: found by every test
	}
	f := &toolFlags{construct: construct}
	for _, arg := range t.Spec().Args {
		if slices.Contains(own, arg.Name) {
			continue
		}
		f.args = append(f.args, arg)
		addFlag(c.Flags(), &arg)
		if len(arg.Enum) > 0 {
			completeFlag(c, flagName(arg.Name), arg.Enum)
		}
	}
	return f
}

func flagName(arg string) string { return strings.ReplaceAll(arg, "_", "-") }

func addFlag(flags *pflag.FlagSet, arg *tool.Arg) {
	doc := flagDoc(arg)
	name := flagName(arg.Name)
	switch arg.Type {
	case tool.String:
		def, _ := arg.Default.(string)
		flags.String(name, def, doc)
	case tool.Integer:
		def, _ := arg.Default.(int)
		flags.Int64(name, int64(def), doc)
	case tool.Boolean:
		def, _ := arg.Default.(bool)
		flags.Bool(name, def, doc)
	case tool.Strings:
		flags.StringArray(name, nil, doc)
	}
}

// flagDoc words the description of an argument as that of a flag.
func flagDoc(arg *tool.Arg) string {
	doc := strings.TrimSuffix(inCommands(arg.Doc), ".")
	doc = strings.NewReplacer("`", `"`, `["*.go"]`, `'*.go'`, // the flags' help reads a name of the value in backquotes
		"Most results to return", "most definitions or tests to show; of neighbors each may have several edges",
		"for several give relations", "for several give --relations", "around --evidence-id, --span-id or symbol", "around what an id or symbol names",
	).Replace(doc)
	if len(doc) > 1 && doc[1] >= 'a' && doc[1] <= 'z' { // no abbreviation
		doc = strings.ToLower(doc[:1]) + doc[1:]
	}
	const nobodyReaches = 1 << 30
	if arg.Type == tool.Integer && arg.Max > 0 && arg.Max < nobodyReaches && !strings.Contains(doc, "1-") {
		doc += fmt.Sprintf("; %d to %d", arg.Min, arg.Max)
	}
	if len(arg.Enum) > 0 {
		doc += "; one of " + strings.Join(arg.Enum, ", ")
	}
	if arg.Type == tool.Strings {
		doc += "; may be repeated"
		if len(arg.Enum) > 0 {
			doc += ", or joined with commas"
		}
	}
	return doc
}

// hideFlags keeps flags out of the help that another flag makes needless; they work.
func hideFlags(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flags.Lookup(name).Hidden = true
	}
}

// given returns the arguments whose flags were set.
func (f *toolFlags) given(flags *pflag.FlagSet) (map[string]any, error) {
	out := map[string]any{}
	for i := range f.args {
		arg := &f.args[i]
		name := flagName(arg.Name)
		if !flags.Changed(name) {
			continue
		}
		var v any
		var err error
		switch arg.Type {
		case tool.String:
			v, err = flags.GetString(name)
		case tool.Integer:
			v, err = flags.GetInt64(name)
		case tool.Boolean:
			v, err = flags.GetBool(name)
		case tool.Strings:
			v, err = words(flags, name, len(arg.Enum) > 0)
		}
		if err != nil {
			return nil, fmt.Errorf("read flag --%s: %w", name, err)
		}
		out[arg.Name] = v
	}
	return out, nil
}

// most returns the maximum of a number.
func (f *toolFlags) most(name string) int64 {
	for i := range f.args {
		if f.args[i].Name == name {
			return f.args[i].Max
		}
	}
	return 0
}

// words returns the values of a repeated flag. Those of a closed list may also stand in
// one value, with commas between them; a glob may hold a comma of its own.
func words(flags *pflag.FlagSet, name string, closed bool) ([]string, error) {
	list, err := flags.GetStringArray(name)
	if err != nil || !closed {
		return list, err
	}
	return strings.FieldsFunc(strings.Join(list, ","), func(r rune) bool { return r == ',' || r == ' ' }), nil
}

// call runs the tool on a service.
func (f *toolFlags) call(ctx context.Context, svc api.Service, args map[string]any) (tool.Result, error) {
	t, err := f.construct(svc)
	if err != nil {
		return tool.Result{}, err
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return tool.Result{}, fmt.Errorf("encode arguments: %w", err)
	}
	return t.Call(ctx, raw)
}

// printRaw writes the answer of a tool as it is.
func (a *app) printRaw(raw json.RawMessage) error {
	if isTerminal(a.stdout) {
		return a.printJSON(raw)
	}
	if _, err := a.stdout.Write(append(raw[:len(raw):len(raw)], '\n')); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}
