package tree

import (
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// maxRules bounds how much of a rule file counts.
const maxRules = 16 << 20

// readRules returns the content of the rule file in an open directory, nil where
// there is none. Git does not follow a link there, and neither do we.
func readRules(dir int) []byte {
	fd, err := at.Open(dir, ignore.FileName, unix.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if err := at.StatOpen(fd, &st); err != nil || !at.IsRegular(&st) {
		return nil
	}
	data := make([]byte, 0, min(st.Size, maxRules))
	for len(data) < cap(data) {
		n, err := unix.Read(fd, data[len(data):cap(data)])
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			break
		}
		data = data[:len(data)+n]
	}
	return data
}

// isRegularAt says whether a name in an open directory is a regular file: a rule
// file of another kind is not opened.
func isRegularAt(dir int, name string) bool {
	var st unix.Stat_t
	return at.Stat(dir, name, &st) == nil && at.IsRegular(&st)
}

// Excludes returns the rule files that count before any .gitignore: see
// ignore.Env.Excludes.
func (t *Tree) Excludes() []ignore.RuleFile { return t.env.Excludes(t.root) }

// rulesAbove enters the directories from the root down to, and without, path. ok is
// false when one of them is excluded, or is no directory of this tree.
func (t *Tree) rulesAbove(path graph.Path) (stack *ignore.Stack, ok bool) {
	stack = t.env.Root(t.root)
	elems := strings.Split(string(path), "/")
	for i := range elems {
		dir := strings.Join(elems[:i], "/")
		if dir != "" && stack.Ignored(dir, true) {
			return nil, false
		}
		fd, err := t.open(dir, passDir, false)
		if err != nil {
			return nil, false
		}
		var data []byte
		if isRegularAt(fd, ignore.FileName) {
			data = readRules(fd)
		}
		var st unix.Stat_t
		repo := dir != "" && at.Stat(fd, ".git", &st) == nil
		_ = unix.Close(fd)
		stack = stack.Enter(dir, data, repo)
	}
	return stack, true
}

// Ignored reports whether the rules in force now keep the path out of walks: its
// own rules or those of a directory above it, or that no directory of this tree
// holds it. The root is never ignored. A path that does not exist is judged as a
// file.
func (t *Tree) Ignored(path graph.Path) bool {
	if path == "" {
		return false
	}
	stack, ok := t.rulesAbove(path)
	if !ok {
		return true
	}
	e, err := t.Stat(path)
	return stack.Ignored(string(path), err == nil && e.Type == Directory)
}
