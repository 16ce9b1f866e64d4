package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/graph"
)

// Coverage says whether .gitignore covers the index directory.
type Coverage struct {
	Present bool
	Rule    string // the line that covers it
	File    string // absolute path of the .gitignore that was looked at
}

// covering are the lines that keep the index directory out of a repository, the
// ones we would write first.
func covering() []string {
	return []string{
		".agent/", ".agent", "/.agent/", "/.agent", ".agent/*", "/.agent/*", ".agent/**", "/.agent/**",
		".agent/ralph-explore/", ".agent/ralph-explore", "/.agent/ralph-explore/", "/.agent/ralph-explore",
	}
}

// IgnoreCoverage reads the workspace's .gitignore, and what the repository itself
// excludes; it writes neither. Lines count that name the index directory, or the
// directory it stands in, unless a later line takes that back; a wildcard that
// happens to match does not, since it was not written for that.
func (w *Workspace) IgnoreCoverage() Coverage {
	root := w.roots[0]
	c := Coverage{File: filepath.Join(root.Path, ignore.FileName)}
	active := map[string]bool{}
	for _, name := range [...]graph.Path{".git/info/exclude", ignore.FileName} { // the later file has the last word
		if e, err := root.Tree.Stat(name); err != nil || e.Link {
			continue // git does not follow a link there
		}
		data, _, err := root.Read(name, nil)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			rule, back := strings.CutPrefix(line, "!")
			switch {
			case !slices.Contains(covering(), rule):
			case back:
				clear(active)
			default:
				active[rule] = true
			}
		}
	}
	for _, rule := range covering() {
		if active[rule] {
			c.Present, c.Rule = true, rule
			return c
		}
	}
	return c
}
