package model

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// disk is the tree that a script changes.
type disk struct {
	dir     string // the tree
	outside string // where what leaves the tree is kept
}

// newDisk makes an empty tree with a git repository.
func newDisk(ctx context.Context, work string) (*disk, error) {
	d := &disk{dir: filepath.Join(work, "tree"), outside: filepath.Join(work, "outside")}
	for _, p := range []string{d.dir, d.outside} {
		if err := os.MkdirAll(p, 0o755); err != nil {
			return nil, err
		}
	}
	if out, err := d.git(ctx, "init", "-q", "-b", "main"); err != nil {
		return nil, fmt.Errorf("make a git repository: %w: %s", err, out)
	}
	return d, d.exclude(nil)
}

// exclude writes the excludes of the repository: the rules, and one so that a stash of
// untracked files leaves the index alone.
func (d *disk) exclude(rules []byte) error {
	return os.WriteFile(filepath.Join(d.dir, ".git/info/exclude"), append(rules, "\n.agent/\n"...), 0o644)
}

// git runs git in the tree, unmoved by who runs it and where.
func (d *disk) git(ctx context.Context, args ...string) ([]byte, error) {
	return d.gitWith(ctx, nil, args...)
}

func (d *disk) gitWith(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-c", "user.name=model", "-c", "user.email=model@example.com", "-c", "core.excludesFile=/dev/null", "-c", "gc.auto=0", "-c", "core.autocrlf=false",
	}, args...)...)
	cmd.Dir = d.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_DIR="+filepath.Join(d.dir, ".git"), "GIT_WORK_TREE="+d.dir)
	cmd.Stdin = bytes.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		out = append(out, errs.Bytes()...)
	}
	return out, err
}

func (d *disk) path(p string) string { return filepath.Join(d.dir, p) }

// longAgo is the moment before which old files were changed.
func longAgo() time.Time { return time.Unix(1_000_000_000, 0) }

// apply does a step on the disk. What does not apply is not done; the script goes on.
func (d *disk) apply(ctx context.Context, s Step) {
	p := d.path(s.Path)
	switch s.Op {
	case OpWrite:
		_ = d.write(p, source(s.Path, s.N))
	case OpIgnore:
		_ = d.write(p, ignoreFile(s.N))
	case OpExclude:
		_ = d.exclude(ignoreFile(s.N))
	case OpSave:
		tmp := filepath.Join(filepath.Dir(p), ".save.tmp")
		if d.write(tmp, source(s.Path, s.N)) == nil && os.Rename(tmp, p) != nil {
			_ = os.Remove(tmp)
		}
	case OpAppend:
		_ = appendTo(p, snippet(s.Path, s.N))
	case OpTruncate:
		if fi, err := os.Stat(p); err == nil && fi.Mode().IsRegular() {
			_ = os.Truncate(p, fi.Size()*int64(s.N)/100)
		}
	case OpAlike:
		_ = rewriteAlike(p, s.N)
	case OpRename, OpLink:
		to := d.path(s.To)
		_ = os.MkdirAll(filepath.Dir(to), 0o755)
		if s.Op == OpLink {
			_ = os.Link(p, to)
		} else {
			_ = os.Rename(p, to)
		}
	case OpDelete:
		_ = os.RemoveAll(p)
	case OpMkdir:
		_ = os.MkdirAll(p, 0o755)
	case OpChmod:
		_ = os.Chmod(p, fs.FileMode(s.N))
	case OpTouch:
		at := longAgo().Add(-time.Duration(s.N) * time.Second)
		_ = os.Chtimes(p, at, at)
	case OpSymlink:
		_ = os.MkdirAll(filepath.Dir(p), 0o755)
		_ = os.Symlink(s.To, p)
	case OpCase:
		_ = os.Rename(p, d.path(otherCase(s.Path)))
	case OpOut:
		_ = os.Rename(p, filepath.Join(d.outside, fmt.Sprint(s.N)))
	case OpIn:
		_ = os.MkdirAll(filepath.Dir(p), 0o755)
		_ = os.Rename(filepath.Join(d.outside, fmt.Sprint(s.N)), p)
	default:
		d.applyMany(ctx, s)
	}
}

// applyMany does the steps that change many files.
func (d *disk) applyMany(ctx context.Context, s Step) {
	p := d.path(s.Path)
	switch s.Op {
	case OpToFile:
		if os.RemoveAll(p) == nil {
			_ = d.write(p, source(s.Path, s.N))
		}
	case OpToDir:
		if os.RemoveAll(p) == nil {
			_ = d.write(filepath.Join(p, "a.go"), source("a.go", s.N))
		}
	case OpBurst:
		for i := range s.N {
			name := path.Join(s.Path, fmt.Sprintf("burst%d%s", i, []string{".py", ".ts", ".go", ".txt"}[i%4]))
			_ = d.write(d.path(name), source(name, s.N+i))
		}
	case OpCommit:
		if _, err := d.git(ctx, "add", "-A"); err == nil {
			_, _ = d.git(ctx, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(s.N))
			_, _ = d.git(ctx, "tag", "-f", tag(s.N))
		}
	case OpCheckout:
		_, _ = d.git(ctx, "checkout", "-q", "-f", tag(s.N))
	case OpStash:
		_, _ = d.git(ctx, "stash", "-q", "-u")
	case OpPop:
		_, _ = d.git(ctx, "stash", "pop", "-q")
	case OpReset:
		_, _ = d.git(ctx, "reset", "-q", "--hard")
	}
}

func tag(n int) string { return fmt.Sprintf("c%d", n) }

// write writes in place: the inode of a file that is there stays.
func (d *disk) write(p string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		return err
	}
	return os.WriteFile(p, text, 0o644)
}

func appendTo(p string, text []byte) error {
	f, err := os.OpenFile(p, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// rewriteAlike replaces bytes in place, keeps the size, and puts the mtime back.
func rewriteAlike(p string, n int) error {
	fi, err := os.Stat(p)
	if err != nil || !fi.Mode().IsRegular() {
		return err
	}
	src, err := os.ReadFile(p)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(p, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(alike(src, n), 0)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Chtimes(p, fi.ModTime(), fi.ModTime())
}

func otherCase(p string) string {
	dir, base := path.Split(p)
	return dir + strings.Map(func(r rune) rune {
		if unicode.IsLower(r) {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, base)
}

// listing is what stands in the tree, by kind, in order.
type listing struct{ files, links, dirs []string }

// list walks the tree, but for what no index looks at.
func (d *disk) list() listing {
	var l listing
	_ = filepath.WalkDir(d.dir, func(p string, e fs.DirEntry, err error) error {
		if p == d.dir || err != nil {
			return nil // a directory that cannot be read has nothing to choose from
		}
		if e.Name() == ".git" || e.Name() == ".agent" {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(d.dir, p)
		switch {
		case err != nil:
		case e.IsDir():
			l.dirs = append(l.dirs, rel)
		case e.Type()&fs.ModeSymlink != 0:
			l.links = append(l.links, rel)
		default:
			l.files = append(l.files, rel)
		}
		return nil
	})
	return l
}
