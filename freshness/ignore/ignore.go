// Package ignore decides which paths git would ignore.
//
// It follows git's own rules: nested .gitignore files, negation, directory-only
// and anchored patterns, **, escapes and character classes, .git/info/exclude (of
// worktrees and submodules too), the user's global excludes, and core.ignoreCase.
// Unlike git it obeys .gitignore files and the global excludes also where there is
// no repository, so that a tree means the same before and after `git init`.
//
// It is not a walker: freshness/tree reads the directories, descends, and asks. A
// directory that is excluded takes everything below it along because the caller
// does not descend, as in git.
package ignore

import "strings"

// TempPrefix begins the names of files that are about to take the place of others.
const TempPrefix = ".ralph-tmp-"

// Always reports names that are excluded at every depth, whatever the rules say:
// the stores of version control systems, the directory of our own index, and files
// that our own writes have not finished.
func Always(name string) bool {
	switch name {
	case ".git", ".agent", ".hg", ".svn":
		return true
	}
	return strings.HasPrefix(name, TempPrefix)
}

// FileName is the name of the per-directory rule file.
const FileName = ".gitignore"

// Stack is the rules in force in one directory: its own, those of the directories
// above it, and those of its repository and its user. It is immutable and safe for
// concurrent use. Directories without rules share the stack of their parent.
//
// Paths given to a Stack are relative to the root that Env.Root was asked about.
type Stack struct {
	parent *Stack
	rules  *Rules
	base   *base
	repo   *repository
	// A path relative to the root becomes relative to the directory of the rules
	// by dropping strip bytes, or by putting prefix before it: rules of a directory
	// above the root.
	strip  int
	prefix string
}

// Enter returns the stack of a directory below the one that s is for: the parent
// of dir, or any ancestor whose rules reach it. gitignore is the content of the
// directory's own rule file, nil where it has none. repo says that the directory
// holds a .git of its own: then the rules above it do not reach into it.
func (s *Stack) Enter(dir string, gitignore []byte, repo bool) *Stack {
	if repo {
		if r := s.base.repository(dir); r != nil {
			s = s.base.stackOf(r, len(dir)+1, "")
		}
	}
	if len(gitignore) == 0 {
		return s
	}
	strip := 0
	if dir != "" {
		strip = len(dir) + 1
	}
	return s.push(Parse(gitignore, s.fold()), strip, "")
}

func (s *Stack) push(r *Rules, strip int, prefix string) *Stack {
	if r.Len() == 0 {
		return s
	}
	return &Stack{parent: s, rules: r, base: s.base, repo: s.repo, strip: strip, prefix: prefix}
}

func (s *Stack) fold() bool { return s.repo != nil && s.repo.fold }

// Ignored reports whether the rules exclude the path itself. The caller has made
// sure that no directory above it is excluded, for then nothing below counts.
func (s *Stack) Ignored(path string, isDir bool) bool {
	if Always(path[strings.LastIndexByte(path, '/')+1:]) {
		return true
	}
	for ; s != nil; s = s.parent {
		if s.rules == nil || len(path) < s.strip {
			continue
		}
		rel := path[s.strip:]
		if s.prefix != "" {
			rel = s.prefix + rel
		}
		switch s.rules.Match(rel, isDir) {
		case Exclude:
			return true
		case Include:
			return false
		}
	}
	return false
}
