package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/freshness/ignore"
)

// Coverage says whether git's rules cover the index directory.
type Coverage struct {
	Present bool
	Rule    string // the line that covers it
	File    string // absolute path of the file with that line; without one, of the .gitignore that can take it
}

// covering are the lines that keep the index directory out of a repository, the
// ones we would write first.
func covering() []string {
	return []string{
		".agent/", ".agent", "/.agent/", "/.agent", "**/.agent/", "**/.agent", ".agent/*", "/.agent/*", ".agent/**", "/.agent/**",
		".agent/ralph-explore/", ".agent/ralph-explore", "/.agent/ralph-explore/", "/.agent/ralph-explore",
	}
}

// IgnoreCoverage reads the workspace's .gitignore, what the repository itself
// excludes, and what the user excludes everywhere; it writes none of them. Lines count
// that name the index directory, or the directory it stands in, unless a later line
// takes that back; a wildcard that happens to match does not, since it was not written
// for that.
func (w *Workspace) IgnoreCoverage() Coverage {
	root := w.roots[0]
	c := Coverage{File: filepath.Join(root.Path, ignore.FileName)}
	active := map[string]string{} // rules, and the last file that has each
	for _, f := range append(root.Tree.Excludes(), ignore.RuleFile{Path: c.File, Text: ownRules(root)}) {
		for line := range strings.Lines(string(f.Text)) {
			line = strings.TrimSpace(line)
			rule, back := strings.CutPrefix(line, "!")
			switch {
			case !slices.Contains(covering(), rule):
			case back:
				clear(active)
			default:
				active[rule] = f.Path
			}
		}
	}
	for _, rule := range covering() {
		if file, ok := active[rule]; ok {
			c.Present, c.Rule, c.File = true, rule, file
			return c
		}
	}
	return c
}

// ownRules is the text of a root's .gitignore. Git does not follow a link there.
func ownRules(root *Root) []byte {
	if e, err := root.Tree.Stat(ignore.FileName); err != nil || e.Link {
		return nil
	}
	text, _, err := root.Read(ignore.FileName, nil)
	if err != nil {
		return nil
	}
	return text
}
