package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tools/filesearch"
)

type grepFlags struct {
	fixed, ignoreCase, word, files bool
	after, before, context         int
}

func newGrep(a *app) *cobra.Command {
	var f grepFlags
	c := &cobra.Command{
		Use:   "grep PATTERN [PATH]",
		Short: "Search file contents through the index",
		Long: `Finds the lines that match PATTERN, a regular expression, in the files that
.gitignore does not exclude; a file that PATH names is searched all the same. With
-F it is literal text.

Expressions are RE2's: \w, \d, \s and \b know ASCII alone, (?i) and \p{Greek} know
Unicode, and -w takes letters of every script for parts of words. What RE2 lacks,
such as (?=...) and \1, is searched by a second engine, slower and within the time
budget. -v is --verbose here; lines that do not match cannot be asked for. -n, -r and
-E of other greps are taken, and say what is done anyway.

Candidates come from the index and are read from the disk for the answer. A
command that opens the index itself looks at the tree first; a running server
watches it. Where it cannot (see "ralph-index status"), files of the last seconds
can be missing, and "ralph-index reindex" looks first.`,
		Example: "  ralph-index grep 'func main'\n  ralph-index grep -F 'a[i]' src --include '*.go' -C 2",
		Args:    cobra.RangeArgs(1, 2),
	}
	flags := newToolFlags(c, filesearch.GrepFiles, "pattern", "path", "regex", "case_sensitive")
	fs := c.Flags()
	fs.BoolVarP(&f.fixed, "fixed", "F", false, "PATTERN is literal text")
	fs.BoolVarP(&f.ignoreCase, "ignore-case", "i", false, "ignore case")
	fs.BoolVarP(&f.word, "word", "w", false, "match whole words only")
	fs.BoolVarP(&f.files, "files-only", "l", false, "list files with matches")
	fs.IntVarP(&f.after, "after", "A", 0, "`LINES` to show after each match")
	fs.IntVarP(&f.before, "before", "B", 0, "`LINES` to show before each match")
	fs.IntVarP(&f.context, "context", "C", 0, "`LINES` to show on both sides of each match")
	hideFlags(fs, "whole-word", "context-before", "context-after") // -w, -B and -A say it
	for _, habit := range [...]struct{ name, short string }{{"line-number", "n"}, {"recursive", "r"}, {"extended-regexp", "E"}} {
		fs.BoolP(habit.name, habit.short, true, "what is done anyway")
		hideFlags(fs, habit.name)
	}
	c.RunE = func(cmd *cobra.Command, pos []string) error {
		args, err := flags.given(fs)
		if err == nil {
			err = f.check(flags)
		}
		if err != nil {
			return err
		}
		f.apply(args)
		args["pattern"] = pos[0]
		return a.withExisting(cmd.Context(), func(svc api.Service, dir string) error {
			args["path"] = "."
			if len(pos) > 1 {
				args["path"] = a.absolute(dir, pos[1])
			}
			if f.files {
				err = a.grepFiles(cmd.Context(), svc, args)
			} else {
				err = a.grep(cmd.Context(), svc, flags, args)
			}
			a.hintFixed(err, pos[0], f.fixed)
			return err
		})
	}
	return c
}

// check refuses numbers of lines that no answer can have, by the names that were
// typed. 0 stands for none, and a negative one would be taken for it.
func (f *grepFlags) check(flags *toolFlags) error {
	most := flags.most("context_after")
	for _, given := range []struct {
		name  string
		lines int
	}{{"-A", f.after}, {"-B", f.before}, {"-C", f.context}} {
		if given.lines < 0 || int64(given.lines) > most {
			return &api.Error{
				Code:    api.CodeInvalidParams,
				Message: fmt.Sprintf("%s cannot be %d; allowed: 0 to %d", given.name, given.lines, most),
			}
		}
	}
	return nil
}

// hintFixed points to -F when a pattern matches nothing, or is no regular
// expression, and would be another one as literal text.
func (a *app) hintFixed(err error, pattern string, fixed bool) {
	if a.asJSON || fixed || regexp.QuoteMeta(pattern) == pattern {
		return
	}
	var end *exitError
	var refused *api.Error
	switch {
	case errors.As(err, &end) && end.code == exitNotFound:
		a.note("nothing matches this regular expression; to search for it as literal text, try -F")
	case errors.As(err, &refused) && refused.Argument == "pattern" && strings.Contains(refused.Message, "malformed"):
		a.note("PATTERN is a regular expression; to search for it as literal text, try -F")
	}
}

// apply adds what the short flags say to the arguments of the tool.
func (f *grepFlags) apply(args map[string]any) {
	args["regex"], args["case_sensitive"] = !f.fixed, !f.ignoreCase
	if f.word {
		args["whole_word"] = true
	}
	if n := max(f.before, f.context); n > 0 {
		args["context_before"] = n
	}
	if n := max(f.after, f.context); n > 0 {
		args["context_after"] = n
	}
}

func (a *app) grep(ctx context.Context, svc api.Service, flags *toolFlags, args map[string]any) error {
	res, err := flags.call(ctx, svc, args)
	if err != nil {
		return err
	}
	var ans api.GrepAnswer
	if err := json.Unmarshal(res.JSON, &ans); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if a.asJSON {
		err = a.printRaw(res.JSON)
	} else {
		err = a.printMatches(&ans)
	}
	a.noteDegraded(ctx, svc, "the files alone were searched; ", ans.FallbackReason)
	if err != nil {
		return err
	}
	return searched(&ans, len(ans.Matches))
}

// grepFiles lists files alone, which the tool does not offer: the service is
// asked, with the arguments under the same names.
func (a *app) grepFiles(ctx context.Context, svc api.Service, args map[string]any) error {
	raw, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("encode arguments: %w", err)
	}
	req := &api.GrepRequest{FilesOnly: true}
	if err := json.Unmarshal(raw, req); err != nil {
		return fmt.Errorf("read arguments: %w", err)
	}
	ans, err := svc.Grep(ctx, req)
	if err != nil {
		return err
	}
	if a.asJSON {
		err = a.printJSON(ans)
	} else {
		p := a.printer()
		for _, f := range ans.Files {
			p.line("%s", p.paint(stylePath, visible(string(f))))
		}
		err = p.flush()
		a.noteGrep(ans)
	}
	a.noteDegraded(ctx, svc, "the files alone were searched; ", ans.FallbackReason)
	if err != nil {
		return err
	}
	return searched(ans, len(ans.Files))
}

// searched is how a search ends that found so many matches or files. One that ran out
// of time, or gave up a line, says so also when it found some: they are not all.
func searched(ans *api.GrepAnswer, found int) error {
	switch {
	case ans.Deadline, len(ans.GaveUp) > 0:
		return &exitError{code: exitBusy}
	case found == 0:
		return &exitError{code: exitNotFound}
	}
	return nil
}

func (a *app) printMatches(ans *api.GrepAnswer) error {
	p := a.printer()
	contexts := false
	for i := range ans.Matches {
		m := &ans.Matches[i]
		if contexts = contexts || len(m.ContextBefore)+len(m.ContextAfter) > 0; contexts && i > 0 {
			p.line("--")
		}
		for j, text := range m.ContextBefore {
			p.contextLine(m, int(m.Line)-len(m.ContextBefore)+j, text)
		}
		text := visible(m.Text)
		if m.TextTruncated {
			text += p.paint(styleFaint, " …")
		}
		if m.EvidenceID != "" {
			text += "  " + p.paint(styleFaint, m.EvidenceID)
		}
		p.line("%s%s", p.place(string(m.Path), m.Line, m.Col), text)
		for j, text := range m.ContextAfter {
			p.contextLine(m, int(m.Line)+1+j, text)
		}
	}
	p.graphContext(ans.GraphContext)
	if err := p.flush(); err != nil {
		return err
	}
	a.noteGrep(ans)
	return nil
}

// graphContext lists the definitions that matches stand in, with what is around them.
func (p *printer) graphContext(defs []api.GraphContext) {
	if len(defs) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint(styleStrong, "definitions"))
	for i := range defs {
		d := &defs[i]
		text := p.paint(styleStrong, visible(d.Symbol)) + fmt.Sprintf("  to line %d", d.EndLine)
		if len(d.Callers) > 0 {
			text += "  callers: " + visible(strings.Join(d.Callers, ", "))
		}
		if len(d.Tests) > 0 {
			text += "  tests: " + visible(strings.Join(d.Tests, ", "))
		}
		p.line("%s%s", p.place(string(d.Path), d.StartLine, 1), text+"  "+p.paint(styleFaint, d.EvidenceID))
	}
}

func (p *printer) contextLine(m *api.Match, line int, text string) {
	p.line("%s-%d- %s", p.paint(stylePath, visible(string(m.Path))), line, visible(text))
}

// noteGrep says what an answer may lack, and, when asked, how it was found.
func (a *app) noteGrep(ans *api.GrepAnswer) {
	if ans.RankMissing != "" {
		a.note("the graph had no part in the ranking: %s; name one definition with --graph-target", ans.RankMissing)
	}
	switch {
	case ans.Deadline:
		a.note("the time budget ended after %s files; this is what was found", thousands(ans.FilesScanned))
	case len(ans.GaveUp) > 0:
		at := ans.GaveUp[0]
		a.note("the expression backtracks for too long on %s:%d; that file was not searched from there on", visible(string(at.Path)), at.Line)
		if more := len(ans.GaveUp) - 1; more > 0 {
			a.note("nor were %d others, and the search ended early if they are many; make it simpler, or drop lookaround and backreferences", more)
		}
	case ans.Truncated:
		a.note("there are more matches; raise --limit or narrow the search")
	}
	if ans.SkippedFiles > 0 && (a.verbose > 0 || ans.Skipped["unreadable"] > 0) {
		a.note("%s", describeSkipped(ans))
	}
	if a.verbose > 0 {
		reason := "none"
		if ans.FallbackReason != nil {
			reason = *ans.FallbackReason
		}
		a.note("index used: %t (fallback: %s), %s files read", ans.IndexUsed, reason, thousands(ans.FilesScanned))
	}
}

// describeSkipped writes "4 paths could not be read or searched: binary 3, unreadable 1".
func describeSkipped(ans *api.GrepAnswer) string {
	noun := "paths"
	if ans.SkippedFiles == 1 {
		noun = "path"
	}
	var parts []string
	for _, why := range slices.Sorted(maps.Keys(ans.Skipped)) {
		parts = append(parts, fmt.Sprintf("%s %s", why, thousands(ans.Skipped[why])))
	}
	return fmt.Sprintf("%s %s could not be read or searched: %s", thousands(ans.SkippedFiles), noun, strings.Join(parts, ", "))
}
