package tree

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/freshness/tree/at"
	"github.com/ralph-index/ralph-index/graph"
)

// Rules are the ignore rules in force in one directory, its own included. They do
// not follow edits: whoever keeps them has them made again. The zero value ignores
// nothing but what is always ignored.
type Rules struct{ stack *ignore.Stack }

// Ignored reports whether the rules exclude a path that stands in the directory. It
// costs no system call.
func (r Rules) Ignored(path graph.Path, dir bool) bool {
	return r.stack.Ignored(string(path), dir)
}

// RulesAbove returns the rules that a directory inherits, without its own. ok is
// false when they, or those further up, exclude it, or when it is no directory of
// this tree.
func (t *Tree) RulesAbove(dir graph.Path) (above Rules, ok bool) {
	if dir == "" {
		return Rules{t.env.Root(t.root)}, true
	}
	stack, ok := t.rulesAbove(dir)
	if !ok || stack.Ignored(string(dir), true) {
		return Rules{}, false
	}
	return Rules{stack}, true
}

// Dirs lists the directories that stand in dir and that its rules let through,
// sorted, and returns those rules. above are the rules that dir inherits. Nothing
// but directories is looked at. The error is an *Error.
func (t *Tree) Dirs(dir graph.Path, above Rules) (own Rules, subs []graph.Path, err error) {
	fd, err := t.open(string(dir), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, false)
	if err != nil {
		return above, nil, &Error{Op: "list", Path: dir, Reason: reasonOf(err), Err: err}
	}
	defer func() { _ = unix.Close(fd) }()
	var found []string
	var rules, repo bool
	err = names(fd, make([]byte, dirBuffer), func(name []byte, typ uint8) {
		switch string(name) {
		case ".git":
			repo = dir != ""
		case ignore.FileName:
			rules = true
		}
		if typ == typeDir || typ == typeUnknown {
			found = append(found, string(name))
		}
	})
	if err != nil {
		return above, nil, &Error{Op: "list", Path: dir, Reason: reasonOf(err), Err: err}
	}
	stack := above.stack
	if rules || repo {
		var data []byte
		if rules && isRegularAt(fd, ignore.FileName) {
			data = readRules(fd)
		}
		stack = stack.Enter(string(dir), data, repo)
	}
	slices.Sort(found)
	for _, name := range found {
		p, ok := dir.Join(name)
		if !ok || stack.Ignored(string(p), true) {
			continue
		}
		var st unix.Stat_t
		if err := at.Stat(fd, name, &st); err == nil && at.IsDir(&st) {
			subs = append(subs, p)
		}
	}
	return Rules{stack}, subs, nil
}

// RuleDirs lists directories outside the root that hold rules for it: those between
// the top of its repository and the root, and the ones of the repository itself.
func (t *Tree) RuleDirs() (above []string, git ignore.GitDirs) { return ignore.Around(t.root) }
