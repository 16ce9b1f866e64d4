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
// The files of the cases lie below the directory of c. With a file of corrections it
// prints both figures: against the truth as published, and against the corrected one.
func Suite(ctx context.Context, c *Config, file, corrections string, out io.Writer) error {
	cases, err := accuracy.ReadSuite(file)
	if err != nil {
		return err
	}
	var made []accuracy.Correction
	if corrections != "" {
		if made, err = accuracy.ReadCorrections(corrections); err != nil {
			return err
		}
	}
	right, err := accuracy.Correct(cases, made)
	if err != nil {
		return err
	}
	var published, corrected accuracy.SuiteScores
	name := c.Tree
	for i := range cases {
		name = cases[i].Suite
		export, err := c.suiteCase(ctx, &cases[i])
		if err != nil {
			return fmt.Errorf("case %s: %w", cases[i].Case, err)
		}
		published.Add(&cases[i], export)
		corrected.Add(&right[i], export)
	}
	if corrections == "" {
		return published.Write(out, name)
	}
	if err := published.Write(out, name+", as published"); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	return corrected.Write(out, fmt.Sprintf("%s, %d corrections made", name, len(made)))
}

// suiteCase copies a case, so that nothing else that lies there is seen, and indexes it.
func (c *Config) suiteCase(ctx context.Context, k *accuracy.SuiteCase) ([]accuracy.Record, error) {
	work, err := os.MkdirTemp(c.Work, "suite-")
	if err != nil {
		return nil, fmt.Errorf("make directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	one := *c
	one.Dir, one.Work = filepath.Join(work, "case"), work
	for _, f := range k.Files {
		if err := copyFile(filepath.Join(c.Dir, k.Dir, f), filepath.Join(one.Dir, f)); err != nil {
			return nil, err
		}
	}
	e, err := one.indexed(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close(ctx) }()
	return exported(ctx, e)
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
