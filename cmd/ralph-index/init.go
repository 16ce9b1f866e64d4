package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/engine/workspace"
)

// ignoreRule is the line that keeps the index out of a repository.
const ignoreRule = ".agent/"

func newInit(a *app) *cobra.Command {
	dry := false
	c := &cobra.Command{
		Use:   "init",
		Short: "Keep the index out of version control: add .agent/ to .gitignore",
		Long: `Appends the line ".agent/" to the .gitignore of the workspace, which is created
when there is none. Nothing is done when a line covers the index already, and
nothing else is touched. With --print the line is only shown.`,
		Example: "  ralph-index init --print\n  ralph-index init",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := a.workspaceDir()
			if err != nil {
				return err
			}
			return a.init(dir, dry)
		},
	}
	c.Flags().BoolVar(&dry, "print", false, "show the line and change nothing")
	return c
}

// initAnswer is what init says to programs.
type initAnswer struct {
	File    string `json:"file"`
	Line    string `json:"line"`    // that covers the index
	Covered bool   `json:"covered"` // it did before
	Written bool   `json:"written"`
}

func (a *app) init(dir string, dry bool) error {
	ws, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		return fmt.Errorf("open workspace: %w", err)
	}
	cover := ws.IgnoreCoverage()
	if err := ws.Close(); err != nil {
		return fmt.Errorf("close workspace: %w", err)
	}
	ans := initAnswer{File: cover.File, Line: ignoreRule, Covered: cover.Present}
	if cover.Present {
		ans.Line = cover.Rule
	} else if !dry {
		if err := appendLine(cover.File, ignoreRule); err != nil {
			return err
		}
		ans.Written = true
	}
	if a.asJSON {
		return a.printJSON(ans)
	}
	p := a.printer()
	switch {
	case ans.Covered:
		p.line("%s has the line already: %s", visible(ans.File), ans.Line)
	case ans.Written:
		p.line("%s: added the line: %s", visible(ans.File), ans.Line)
	default:
		p.line("%s", ans.Line)
	}
	return p.flush()
}

// appendLine adds a line to a text file, or creates the file with it. It follows
// no link, and keeps the bytes that are there and how their lines end.
func appendLine(file, line string) error {
	info, err := os.Lstat(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look at .gitignore: %w", err)
	}
	if err == nil && !info.Mode().IsRegular() {
		return usage(fmt.Errorf("%s is not a regular file; add the line yourself: %s", file, line))
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND|unix.O_NOFOLLOW, 0o644)
	if err != nil {
		return fmt.Errorf("open .gitignore: %w", err)
	}
	old, err := io.ReadAll(f)
	if err == nil {
		_, err = f.Write(addition(old, line))
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write .gitignore: %w", err)
	}
	return nil
}

// addition is what makes a line the last one of a text.
func addition(old []byte, line string) []byte {
	end := "\n"
	if bytes.Contains(old, []byte("\r\n")) {
		end = "\r\n"
	}
	var out []byte
	if len(old) > 0 && old[len(old)-1] != '\n' {
		out = append(out, end...)
	}
	return slices.Concat(out, []byte(line), []byte(end))
}
