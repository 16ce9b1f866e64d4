package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/mcpserver/tools/fileread"
)

func newRead(a *app) *cobra.Command {
	symbol := false
	c := &cobra.Command{
		Use:   "read SELECTOR",
		Short: "Print a file, part of one, or the source behind an id",
		Long: `Prints what SELECTOR names: a path, path:LINE, path:FIRST-LAST, path#SYMBOL, or
an id that another command printed. With --symbol it is the name of a symbol. Any
file of the workspace can be read, also one that .gitignore excludes.`,
		Example: "  ralph-index read README.md --head 20\n  ralph-index read src/main.go:10-40\n  ralph-index read --symbol Server.Serve",
		Args:    cobra.ExactArgs(1),
	}
	flags := newToolFlags(c, fileread.ReadFile, "path", "evidence_id", "span_id", "symbol")
	hideFlags(c.Flags(), "return-metadata") // --json always has it
	c.Flags().BoolVar(&symbol, "symbol", false, "SELECTOR is the name of a symbol")
	c.RunE = func(cmd *cobra.Command, pos []string) error {
		args, err := flags.given(cmd.Flags())
		if err != nil {
			return err
		}
		if h, given := args["expected_content_hash"].(string); given {
			if _, ok := graph.ParseHash(h); !ok {
				return usage(fmt.Errorf("--expected-content-hash cannot be %q; give a SHA-256, 64 digits of lower-case hex, such as the content_hash of --json", h))
			}
		}
		return a.withExisting(cmd.Context(), func(svc api.Service, dir string) error {
			if err := a.selector(args, dir, pos[0], symbol); err != nil {
				return err
			}
			return a.read(cmd.Context(), svc, flags, args)
		})
	}
	return c
}

var (
	lineSuffix = regexp.MustCompile(`^(.+):(\d+)(?:-(\d+))?$`)
	idPrefix   = regexp.MustCompile(`^(e|sp|s):`)
)

// selector sets the argument that a selector stands for. A file that exists goes
// before what only looks like an id, and that before a path that does not exist.
func (a *app) selector(args map[string]any, dir, selector string, symbol bool) error {
	if symbol {
		args["symbol"] = selector
		return nil
	}
	path := a.absolute(dir, selector)
	exists := !absent(path)
	if id := idPrefix.FindStringSubmatch(selector); id != nil && !exists {
		args[map[string]string{"e": "evidence_id", "sp": "span_id", "s": "symbol"}[id[1]]] = selector
		return nil
	}
	if file, name, ok := strings.Cut(selector, "#"); ok && name != "" && !exists && !absent(a.absolute(dir, file)) {
		rel, err := a.inWorkspace(dir, file)
		args["symbol"] = rel + "#" + name
		return err
	}
	m := lineSuffix.FindStringSubmatch(selector)
	if m == nil || exists {
		args["path"] = a.named(dir, selector)
		return nil
	}
	first, err := lineNumber(m[2])
	if err != nil {
		return err
	}
	last := first
	if m[3] != "" {
		if last, err = lineNumber(m[3]); err != nil {
			return err
		}
	}
	if last < first {
		return usage(fmt.Errorf("%s: the last line is before the first", selector))
	}
	args["path"], args["line_start"], args["line_end"] = a.named(dir, m[1]), first, last
	return nil
}

// named is a path as answers name it: relative to the workspace, unless it lies outside.
func (a *app) named(dir, p string) string {
	if rel, err := a.inWorkspace(dir, p); err == nil {
		return rel
	}
	return a.absolute(dir, p)
}

func lineNumber(text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 0, usage(fmt.Errorf("%s is no line number; lines count from 1", text))
	}
	return int(n), nil
}

func (a *app) read(ctx context.Context, svc api.Service, flags *toolFlags, args map[string]any) error {
	if a.asJSON {
		args["return_metadata"] = true
	}
	res, err := flags.call(ctx, svc, args)
	if err != nil {
		return err
	}
	var ans struct {
		Content   string `json:"content"`
		Total     *int   `json:"total_lines"`
		Returned  int    `json:"returned_lines"`
		Path      string `json:"path"`
		StartLine int    `json:"start_line"`
		EndLine   int    `json:"end_line"`
		Context   int    `json:"context_lines"`
		Truncated bool   `json:"truncated"`
		Reason    string `json:"reason"`
		Invalid   bool   `json:"invalid_utf8"`
	}
	if res.JSON == nil {
		return a.printText(res.Text)
	}
	if err := json.Unmarshal(res.JSON, &ans); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if first, ok := args["line_start"]; ok && ans.Total != nil && ans.Returned == 0 {
		return &api.Error{
			Code: api.CodeNotFound, Argument: "line_start",
			Message: fmt.Sprintf("there is no line %v; the file has %s", first, counted(*ans.Total, "line")),
		}
	}
	if a.asJSON {
		return a.printRaw(res.JSON)
	}
	if ans.StartLine > 0 {
		first, last := shownLines(ans.StartLine, ans.EndLine, ans.Context, ans.Content)
		a.note("%s:%d-%d", visible(ans.Path), first, last)
	}
	if err := a.printText(ans.Content); err != nil {
		return err
	}
	if ans.Invalid {
		a.note("bytes that are no UTF-8 are shown as U+FFFD")
	}
	if ans.Reason != "" {
		a.note("cut: %s; raise --max-bytes, or read it in parts", ans.Reason)
	}
	return nil
}

// shownLines are the lines of a file that a text with so much context around it holds.
func shownLines(first, last, context int, text string) (from, to int) {
	if context <= 0 {
		return first, last
	}
	from = max(1, first-context)
	to = from + strings.Count(text, "\n")
	if strings.HasSuffix(text, "\n") {
		to--
	}
	return from, max(to, last)
}

func (a *app) printText(text string) error {
	if isTerminal(a.stdout) && text != "" && text[len(text)-1] != '\n' {
		text += "\n"
	}
	p := a.printer()
	if _, err := p.w.WriteString(text); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return p.flush()
}
