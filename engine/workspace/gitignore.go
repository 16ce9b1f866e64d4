package workspace

import (
	"path/filepath"
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

// IgnoreCoverage reads the workspace's .gitignore; it never writes it. Lines count
// that name the index directory, or the directory it stands in; a wildcard that
// happens to match does not, since it was not written for that.
func (w *Workspace) IgnoreCoverage() Coverage {
	root := w.roots[0]
	c := Coverage{File: filepath.Join(root.Path, ignore.FileName)}
	if e, err := root.Tree.Stat(graph.Path(ignore.FileName)); err != nil || e.Link {
		return c // git does not follow a link there
	}
	data, _, err := root.Read(graph.Path(ignore.FileName), nil)
	if err != nil {
		return c
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		lines[strings.TrimSpace(line)] = true
	}
	for _, rule := range covering() {
		if lines[rule] {
			c.Present, c.Rule = true, rule
			return c
		}
	}
	return c
}
