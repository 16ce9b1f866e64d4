package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Dir is where a fetched tree lies below base.
func Dir(base string, t Tree) (string, error) {
	if t.Source != "goroot" {
		return filepath.Join(base, t.Name), nil
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("ask go for GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
}

// Fetch brings a tree into base, unless it is there, and returns its directory. It
// runs the package managers' own clients (apt-get with dpkg-source, npm) and
// touches nothing outside base.
func Fetch(ctx context.Context, base string, t Tree, log io.Writer) (string, error) {
	dir, err := Dir(base, t)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(base, 0o755); err != nil {
		return "", fmt.Errorf("fetch %s: %w", t.Name, err)
	}
	work, err := os.MkdirTemp(base, ".fetch-")
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", t.Name, err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	switch t.Source {
	case "debian":
		err = fetchDebian(ctx, work, t, log)
	case "npm":
		err = fetchNPM(ctx, work, t, log)
	default:
		err = fmt.Errorf("unknown source %q", t.Source)
	}
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", t.Name, err)
	}
	if err := os.Rename(filepath.Join(work, "tree"), dir); err != nil {
		return "", fmt.Errorf("fetch %s: %w", t.Name, err)
	}
	return dir, checkCount(dir, t)
}

// checkCount compares the number of files with the pinned one.
func checkCount(dir string, t Tree) error {
	n := 0
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("count files of %s: %w", t.Name, err)
	}
	if t.Files != 0 && n != t.Files {
		return fmt.Errorf("%s %s has %d files, pinned are %d: the registry gave another tree", t.Name, t.Version, n, t.Files)
	}
	return nil
}

func run(ctx context.Context, dir string, log io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// fetchDebian uses lists and a cache of its own, so that the machine's stay as they
// are: source packages are usually not enabled there.
func fetchDebian(ctx context.Context, work string, t Tree, log io.Writer) error {
	for _, d := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(work, d), 0o755); err != nil {
			return err
		}
	}
	list := filepath.Join(work, "debian.sources")
	if err := sourceList(list); err != nil {
		return err
	}
	apt := func(args ...string) error {
		base := []string{
			"-o", "Dir::Etc::sourcelist=" + list, "-o", "Dir::Etc::sourceparts=/dev/null",
			"-o", "Dir::State::lists=" + filepath.Join(work, "lists"), "-o", "Dir::Cache=" + filepath.Join(work, "cache"),
			"-o", "APT::Sandbox::User=root",
		}
		return run(ctx, work, log, "apt-get", append(base, args...)...)
	}
	if err := apt("update"); err != nil {
		return err
	}
	if err := apt("source", "--download-only", t.Package+"="+t.Version); err != nil {
		return err
	}
	dsc, err := filepath.Glob(filepath.Join(work, "*.dsc"))
	if err != nil || len(dsc) != 1 {
		return errors.Join(fmt.Errorf("found %d .dsc files", len(dsc)), err)
	}
	return run(ctx, work, log, "dpkg-source", "--no-check", "-x", dsc[0], filepath.Join(work, "tree"))
}

// sourceList writes the machine's own list of registries with sources turned on.
func sourceList(to string) error {
	b, err := os.ReadFile("/etc/apt/sources.list.d/debian.sources")
	if err != nil {
		return fmt.Errorf("read package sources (is this Debian?): %w", err)
	}
	text := strings.ReplaceAll(string(b), "Types: deb\n", "Types: deb deb-src\n")
	return os.WriteFile(to, []byte(text), 0o644)
}

func fetchNPM(ctx context.Context, work string, t Tree, log io.Writer) error {
	if err := run(ctx, work, log, "npm", "pack", "--silent", t.Package+"@"+t.Version); err != nil {
		return err
	}
	tgz, err := filepath.Glob(filepath.Join(work, "*.tgz"))
	if err != nil || len(tgz) != 1 {
		return errors.Join(fmt.Errorf("found %d archives", len(tgz)), err)
	}
	if err := os.Mkdir(filepath.Join(work, "tree"), 0o755); err != nil {
		return err
	}
	return run(ctx, work, log, "tar", "-xzf", tgz[0], "-C", "tree", "--strip-components=1")
}
