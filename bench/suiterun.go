package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ralph-index/ralph-index/bench/accuracy"
)

// Suite indexes each case of a suite by itself and prints which of its calls were found.
// The files of the cases lie below the directory of c.
func Suite(ctx context.Context, c *Config, file string, out io.Writer) error {
	cases, err := accuracy.ReadSuite(file)
	if err != nil {
		return err
	}
	var s accuracy.SuiteScores
	name := c.Tree
	for i := range cases {
		name = cases[i].Suite
		if err := c.suiteCase(ctx, &cases[i], &s); err != nil {
			return fmt.Errorf("case %s: %w", cases[i].Case, err)
		}
	}
	return s.Write(out, name)
}

// suiteCase copies a case, so that nothing else that lies there is seen, and scores it.
func (c *Config) suiteCase(ctx context.Context, k *accuracy.SuiteCase, s *accuracy.SuiteScores) error {
	work, err := os.MkdirTemp(c.Work, "suite-")
	if err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	one := *c
	one.Dir, one.Work = filepath.Join(work, "case"), work
	for _, f := range k.Files {
		if err := copyFile(filepath.Join(c.Dir, k.Dir, f), filepath.Join(one.Dir, f)); err != nil {
			return err
		}
	}
	e, err := one.indexed(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close(ctx) }()
	export, err := exported(ctx, e)
	if err != nil {
		return err
	}
	s.Add(k, export)
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("copy file: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("copy file: %w", err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		return fmt.Errorf("copy file: %w", err)
	}
	return nil
}
