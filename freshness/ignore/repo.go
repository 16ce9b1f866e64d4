package ignore

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Bounds on what is read of a repository's own files. They lie outside of what
// anybody writes by hand, and keep a hostile tree from costing memory.
const (
	maxRules   = 16 << 20
	maxConfig  = 1 << 20
	maxPointer = 16 << 10
)

// Env knows where the user's global excludes are. It is immutable.
type Env struct {
	getenv func(string) string
}

// NewEnv returns an Env that reads variables through getenv.
func NewEnv(getenv func(string) string) *Env { return &Env{getenv: getenv} }

// base is what one walk knows of the world around its root, read once.
type base struct {
	env    *Env
	root   string // absolute
	user   config // system and user settings
	noRepo *repository
}

// repository is what matters here of one repository.
type repository struct {
	exclude []byte // of info/exclude
	global  []byte // of core.excludesFile, which a repository may set itself
	fold    bool
}

// Root returns the rules in force in the directory root (absolute, links
// resolved) before its own rule file is entered: the global excludes, and, where
// the root lies in a repository, info/exclude and the rule files between the
// repository's top and the root. When those rules exclude the root itself, they
// are left out: whoever names an ignored directory as a root means it.
func (e *Env) Root(root string) *Stack {
	b := &base{env: e, root: root, user: e.userConfig()}
	b.noRepo = &repository{global: e.readGlobal(b.user), fold: false}
	top := root
	for {
		if gd, ok := findGitDir(top); ok {
			return b.below(top, b.open(gd))
		}
		up := filepath.Dir(top)
		if up == top {
			return b.stackOf(b.noRepo, 0, "")
		}
		top = up
	}
}

// below builds the stack of a root that is, or lies somewhere below, the top of a
// repository.
func (b *base) below(top string, r *repository) *Stack {
	rel, err := filepath.Rel(top, b.root)
	if err != nil || rel == "." {
		return b.stackOf(r, 0, "")
	}
	rel = filepath.ToSlash(rel)
	s := b.stackOf(r, 0, rel+"/")
	elems := strings.Split(rel, "/")
	for i := range elems {
		dir := filepath.Join(top, filepath.FromSlash(strings.Join(elems[:i], "/")))
		if data, ok := readFileNoLink(filepath.Join(dir, FileName), maxRules); ok {
			s = s.push(Parse(data, r.fold), 0, strings.Join(elems[i:], "/")+"/")
		}
		if s.excludesRoot(len(elems) - i - 1) {
			return b.stackOf(&repository{global: r.global, fold: r.fold}, 0, "")
		}
	}
	return s
}

// excludesRoot reports whether the rules exclude the directory that lies up levels
// above the root (0: the root itself).
func (s *Stack) excludesRoot(up int) bool {
	for ; s != nil; s = s.parent {
		if s.rules == nil {
			continue
		}
		rel := strings.TrimSuffix(s.prefix, "/")
		for range up {
			i := strings.LastIndexByte(rel, '/')
			if i < 0 {
				rel = ""
				break
			}
			rel = rel[:i]
		}
		if rel == "" {
			continue
		}
		switch s.rules.Match(rel, true) {
		case Exclude:
			return true
		case Include:
			return false
		}
	}
	return false
}

// stackOf returns the lowest rules of a repository: the global excludes, and above
// them its own info/exclude.
func (b *base) stackOf(r *repository, strip int, prefix string) *Stack {
	s := &Stack{base: b, repo: r}
	s = s.push(Parse(r.global, r.fold), strip, prefix)
	return s.push(Parse(r.exclude, r.fold), strip, prefix)
}

// repository opens the repository at a directory below the root, nil where what
// stands there is none.
func (b *base) repository(dir string) *repository {
	gd, ok := findGitDir(filepath.Join(b.root, filepath.FromSlash(dir)))
	if !ok {
		return nil
	}
	return b.open(gd)
}

func (b *base) open(gd gitDir) *repository {
	cfg := b.env.configOf(gd, b.user)
	r := &repository{fold: cfg.ignoreCase, global: b.noRepo.global}
	if cfg.excludesFile != b.user.excludesFile || cfg.excludesSet != b.user.excludesSet {
		r.global = b.env.readGlobal(cfg)
	}
	r.exclude, _ = readFile(gd.excludeFile(), maxRules)
	return r
}

// configOf adds the settings of a repository to those of the user.
func (e *Env) configOf(gd gitDir, user config) config {
	user.read(filepath.Join(gd.common, "config"), e, 0)
	if user.worktreeConfig {
		user.read(filepath.Join(gd.own, "config.worktree"), e, 0)
	}
	return user
}

// RuleFile is a file of rules and what stands in it.
type RuleFile struct {
	Path string // absolute
	Text []byte
}

// Excludes returns the files that exclude something in root (absolute, links
// resolved) before any .gitignore does, the one that has the last word last: the
// user's global excludes, and info/exclude of the repository. It returns none for a
// root below the top of its repository, where their paths begin elsewhere.
func (e *Env) Excludes(root string) []RuleFile {
	cfg, gd, top := e.userConfig(), gitDir{}, false
	if above, around := Around(root); around.Common != "" {
		if len(above) > 0 {
			return nil
		}
		gd, top = gitDir{own: around.Own, common: around.Common}, true
		cfg = e.configOf(gd, cfg)
	}
	names := []string{e.globalFile(cfg)}
	if top {
		names = append(names, gd.excludeFile())
	}
	var out []RuleFile
	for _, name := range names {
		if text, ok := readFile(name, maxRules); ok {
			out = append(out, RuleFile{name, text})
		}
	}
	return out
}

// gitDir is where a repository keeps its data: its own directory, and the one that
// worktrees of one repository share.
type gitDir struct{ own, common string }

func (gd gitDir) excludeFile() string { return filepath.Join(gd.common, "info", "exclude") }

// findGitDir looks at dir/.git. A .git file (submodules, worktrees) names a
// directory elsewhere, possibly outside any root: only three small files with fixed
// names are read there, as rules and settings, and only if it looks like a
// repository.
func findGitDir(dir string) (gitDir, bool) {
	own := filepath.Join(dir, ".git")
	fi, err := os.Stat(own)
	if err != nil {
		return gitDir{}, false
	}
	if fi.Mode().IsRegular() {
		data, ok := readFile(own, maxPointer)
		if !ok {
			return gitDir{}, false
		}
		target, ok := bytes.CutPrefix(data, []byte("gitdir: "))
		if !ok {
			return gitDir{}, false
		}
		own = resolve(dir, string(bytes.TrimRight(target, "\r\n")))
	}
	common := own
	if data, ok := readFile(filepath.Join(own, "commondir"), maxPointer); ok {
		common = resolve(own, string(bytes.TrimRight(data, "\r\n")))
	}
	if _, err := os.Lstat(filepath.Join(own, "HEAD")); err != nil {
		return gitDir{}, false
	}
	if fi, err := os.Stat(filepath.Join(common, "objects")); err != nil || !fi.IsDir() {
		return gitDir{}, false
	}
	return gitDir{own: own, common: common}, true
}

func resolve(dir, target string) string {
	if filepath.IsAbs(target) {
		return filepath.Clean(target)
	}
	return filepath.Join(dir, target)
}

// readFile reads a regular file of bounded size; ok is false for anything else. A
// FIFO is not opened, and one that takes the file's place meanwhile does not block.
func readFile(path string, limit int64) (data []byte, ok bool) {
	if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() {
		return nil, false
	}
	return read(path, 0, limit)
}

// readFileNoLink is readFile for names at which git does not follow links.
func readFileNoLink(path string, limit int64) (data []byte, ok bool) {
	if fi, err := os.Lstat(path); err != nil || !fi.Mode().IsRegular() {
		return nil, false
	}
	return read(path, syscall.O_NOFOLLOW, limit)
}

func read(path string, flags int, limit int64) (data []byte, ok bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC|flags, 0)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return nil, false
	}
	data, err = io.ReadAll(io.LimitReader(f, limit))
	return data, err == nil
}

// GitDirs are the directories of the repository that a root lies in; empty where it
// lies in none.
type GitDirs struct {
	Own    string // with HEAD and the index
	Common string // with info/exclude; Own, but for linked worktrees
}

// Around returns the directories above root, up to the top of its repository, and
// the directories of that repository: the places outside the root whose files say
// what is ignored in it.
func Around(root string) (above []string, git GitDirs) {
	for top := root; ; {
		if gd, ok := findGitDir(top); ok {
			return above, GitDirs{Own: gd.own, Common: gd.common}
		}
		up := filepath.Dir(top)
		if up == top {
			return nil, GitDirs{}
		}
		top = up
		above = append(above, top)
	}
}
