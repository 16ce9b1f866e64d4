package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// The scripts of testdata/contract. A line is a verb and what follows; one that begins
// with a tab continues the last. A row is everything from one "row" to the next, and
// stands by itself, but for ids that were saved.
//
//	row NAME              begins a row
//	file PATH "TEXT"      makes a file; link PATH TARGET a link
//	server FLAGS          the calls of this row go to a server with these flags
//	call JSON             calls the tool of the script; call TOOL JSON another one
//	text "TEXT"           the answer is this text
//	json JSON             the answer is this, field by field; see like
//	refuse STATUS ARGUMENT [JSON]  it is refused so, with at least these fields
//	save NAME PATH        keeps a value of the answer; {{NAME}} stands for it then
//	holds PATH "TEXT"     the file has this text; gone PATH there is no such thing
//	base JSON             a good call, in which schemas are tried
//	alone ARGUMENT…       arguments that contradict no other
//
// {{sha PATH}} is the content hash of a file.
type contract struct {
	wires map[string]*wire // by flags
	serve func(t *testing.T, dir string, flags ...string) *wire
	seen  *seen
	saved map[string]string
	bases map[string][]object

	schemas map[string]*schema

	tool    string
	flags   string
	answer  any
	text    string
	refused bool
	checked bool // the last answer was looked at
}

// script runs one file.
func (c *contract) script(t *testing.T, file, tool string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c.tool, c.checked = tool, true
	// What the rows before have written is indexed, so that the freshness is known.
	c.wires[""].settle()
	text := strings.ReplaceAll(string(raw), "\n\t", " ")
	rows := strings.Split("\n"+text, "\nrow ")
	c.steps(t, rows[0])
	for _, row := range rows[1:] {
		name, steps, _ := strings.Cut(row, "\n")
		t.Run(name, func(t *testing.T) {
			c.flags, c.checked = "", true
			c.steps(t, steps)
			if !c.checked {
				t.Error("the row does not look at its answer")
			}
		})
	}
}

func (c *contract) steps(t *testing.T, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		verb, rest, _ := strings.Cut(line, " ")
		if line == "" || verb == "#" {
			continue
		}
		rest = c.fill(t, rest)
		switch verb {
		case "file", "link", "holds", "gone":
			c.disk(t, verb, rest)
		case "server":
			c.flags = rest
		case "call":
			c.call(t, rest)
		case "text", "json", "refuse", "save":
			c.check(t, verb, rest)
		case "base":
			c.bases[c.tool] = append(c.bases[c.tool], parsed(t, rest).(object))
		case "alone":
			for _, a := range strings.Fields(rest) {
				note(c.seen.alone, c.tool, a)
			}
		default:
			t.Fatalf("no verb %q", verb)
		}
	}
}

// settle waits until the index holds what is on the disk.
func (w *wire) settle() {
	w.t.Helper()
	w.until("index of all that was written", func() bool {
		st, _ := w.ask("ralph_index_status", nil)
		return st["dirty_paths_count"] == 0.0 && st["stale_paths_count"] == 0.0
	})
}

func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// fill puts values in for {{…}}.
func (c *contract) fill(t *testing.T, text string) string {
	t.Helper()
	for {
		before, rest, ok := strings.Cut(text, "{{")
		if !ok {
			return text
		}
		name, after, _ := strings.Cut(rest, "}}")
		value, ok := c.saved[name]
		if file, isFile := strings.CutPrefix(name, "sha "); isFile {
			value, ok = sha(c.file(t, file)), true
		}
		if !ok {
			t.Fatalf("nothing was saved as %q", name)
		}
		text = before + value + after
	}
}

func (c *contract) path(name string) string { return filepath.Join(c.saved["root"], name) }

func (c *contract) file(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(c.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// disk makes a file or link, or looks at one.
func (c *contract) disk(t *testing.T, verb, rest string) {
	t.Helper()
	name, rest, _ := strings.Cut(rest, " ")
	switch verb {
	case "link":
		if err := os.Symlink(rest, c.path(name)); err != nil {
			t.Fatal(err)
		}
		return
	case "gone":
		if _, err := os.Lstat(c.path(name)); err == nil {
			t.Errorf("%s is there", name)
		}
		return
	}
	text, err := strconv.Unquote(rest)
	if err != nil {
		t.Fatalf("%s: %v", rest, err)
	}
	if verb == "file" {
		put(t, c.path(name), text)
	} else if got := c.file(t, name); got != text {
		t.Errorf("%s holds %q, want %q", name, got, text)
	}
}

func (c *contract) call(t *testing.T, rest string) {
	t.Helper()
	tool := c.tool
	if !strings.HasPrefix(rest, "{") {
		tool, rest, _ = strings.Cut(rest, " ")
	}
	args := parsed(t, rest).(object)
	w := c.wires[c.flags]
	if w == nil {
		w = c.serve(c.wires[""].t, c.saved["root"], strings.Fields(c.flags)...)
		c.wires[c.flags] = w
	}
	res, err := w.Call(t.Context(), tool, args, nil)
	if err != nil {
		t.Fatalf("%s %s: %v", tool, rest, err)
	}
	c.text, c.refused, c.answer, c.checked = res.Text, res.IsError, nil, false
	if len(res.Structured) > 0 {
		c.answer = parsed(t, string(res.Structured))
		if !reflect.DeepEqual(parsed(t, res.Text), c.answer) {
			t.Errorf("%s: the text %s is not %s", tool, res.Text, res.Structured)
		}
	}
	o, _ := c.answer.(object)
	if c.refused {
		if argument, ok := o["argument"].(string); ok {
			note(c.seen.refused, tool, argument)
		}
		return
	}
	c.seen.takes(tool, "", args)
	for name := range c.schemas[tool].Properties {
		if _, ok := args[name]; !ok {
			note(c.seen.taken, tool, "-"+name)
		}
	}
	for f := range o {
		note(c.seen.fields, tool, f)
	}
}

// check looks at the last answer.
func (c *contract) check(t *testing.T, verb, rest string) {
	t.Helper()
	c.checked = true
	switch verb {
	case "text":
		want, err := strconv.Unquote(rest)
		if err != nil {
			t.Fatalf("%s: %v", rest, err)
		}
		if c.refused || c.answer != nil || c.text != want {
			t.Errorf("the answer is %q, refused %t, want %q", c.text, c.refused, want)
		}
	case "json":
		if err := like(parsed(t, rest), c.answer); err != nil || c.refused {
			t.Errorf("the answer %v\n%s", err, c.text)
		}
	case "refuse":
		part := strings.SplitN(rest, " ", 3)
		want := object{"status": part[0], "message": "*", "argument": part[1], "...": true}
		if len(part) > 2 {
			for k, v := range parsed(t, part[2]).(object) {
				want[k] = v
			}
		}
		if err := like(want, c.answer); err != nil || !c.refused {
			t.Errorf("refused %t: the answer %v\n%s", c.refused, err, c.text)
		}
	case "save":
		name, path, _ := strings.Cut(rest, " ")
		v := c.answer
		for p := range strings.SplitSeq(path, ".") {
			switch at := v.(type) {
			case object:
				v = at[p]
			case []any:
				if i, err := strconv.Atoi(p); err == nil && i < len(at) {
					v = at[i]
				}
			}
		}
		c.saved[name] = fmt.Sprint(v)
	}
}
