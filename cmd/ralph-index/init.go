package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
)

func newInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Keep the index out of the repository: add it to .gitignore",
		Long: `Adds the line .agent/ to the workspace's .gitignore, where nothing covers the
index yet. No other command writes files of the workspace.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withEngine(cmd.Context(), func(svc api.Service, _ string) error {
				st, err := svc.Status(cmd.Context())
				if err != nil {
					return err
				}
				todo := st.IgnoreRuleRepair
				if !todo.Required {
					a.note(".gitignore covers the index")
					return nil
				}
				if err := appendLines(todo.TargetFile, todo.PatternsToAppend); err != nil {
					return fmt.Errorf("repair ignore rules: %w", err)
				}
				a.note("added to %s: %s", visible(todo.TargetFile), strings.Join(todo.PatternsToAppend, " "))
				return nil
			})
		},
	}
}

// appendLines adds lines to a text file, which need not end in a line break. A link
// is refused: git does not follow one there.
func appendLines(path string, lines []string) (err error) {
	if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", path)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text := strings.Join(lines, "\n") + "\n"
	last := make([]byte, 1)
	if end, err := f.Seek(0, io.SeekEnd); err != nil {
		return err
	} else if end > 0 {
		if _, err := f.ReadAt(last, end-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			text = "\n" + text
		}
	}
	_, err = f.WriteString(text)
	return err
}
