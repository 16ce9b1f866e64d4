package model

import (
	"math/rand/v2"
	"path"
)

// chooser makes up steps for the tree as it stands.
type chooser struct {
	rng     *rand.Rand
	commits []int
	last    int // number of the last step
}

// Most files of a tree; above, steps that make it smaller are chosen.
const mostFiles = 90

// weighted is one kind of step and how often it is chosen.
type weighted struct {
	op     Op
	weight int
}

func weights() []weighted {
	return []weighted{
		{OpWrite, 16}, {OpSave, 10}, {OpAppend, 9}, {OpAlike, 9}, {OpTruncate, 3}, {OpRename, 11}, {OpDelete, 7}, {OpMkdir, 1},
		{OpChmod, 3}, {OpTouch, 4}, {OpSymlink, 4}, {OpLink, 3}, {OpCase, 3}, {OpToFile, 2}, {OpToDir, 2}, {OpBurst, 1}, {OpOut, 2}, {OpIn, 2},
		{OpIgnore, 5}, {OpExclude, 1}, {OpCommit, 4}, {OpCheckout, 4}, {OpStash, 2}, {OpPop, 2}, {OpReset, 1},
		{OpAsk, 8}, {OpRefresh, 2}, {OpReindex, 2}, {OpFull, 1}, {OpTidy, 2}, {OpReopen, 1},
	}
}

// next returns one more step.
func (c *chooser) next(l listing) Step {
	c.last++
	if len(l.files) > mostFiles && c.rng.IntN(2) == 0 {
		return Step{Op: OpDelete, Path: c.one(append(l.files, l.dirs...))}
	}
	total := 0
	for _, w := range weights() {
		total += w.weight
	}
	at := c.rng.IntN(total)
	for _, w := range weights() {
		if at -= w.weight; at < 0 {
			return c.step(w.op, l)
		}
	}
	return Step{Op: OpAsk}
}

func (c *chooser) one(of []string) string {
	if len(of) == 0 {
		return c.name()
	}
	return of[c.rng.IntN(len(of))]
}

func (c *chooser) dir() string {
	return []string{"", "", "lib", "lib/sub", "pkg", "web", "web/ui", "docs", "Ünï dir"}[c.rng.IntN(9)]
}

// name is a file that there may or may not be: few names, so that they meet again.
func (c *chooser) name() string {
	names := []string{
		"a.go", "b.go", "a_test.go", "a.py", "b.py", "c.py", "__init__.py", "test_a.py", "a.ts", "b.ts", "c.ts", "index.ts", "a.test.ts",
		"a.js", "b.tsx", "a.md", "README.md", "notes.txt", "data.bin", "go.mod", "tsconfig.json", "package.json", "pyproject.toml",
	}
	return path.Join(c.dir(), names[c.rng.IntN(len(names))])
}

// known is mostly a file that is there.
func (c *chooser) known(l listing) string {
	if c.rng.IntN(4) == 0 {
		return c.name()
	}
	return c.one(l.files)
}

// anything is a file, a link or a directory.
func (c *chooser) anything(l listing) string {
	switch c.rng.IntN(5) {
	case 0:
		return c.one(l.dirs)
	case 1:
		return c.one(l.links)
	}
	return c.one(l.files)
}

func (c *chooser) step(op Op, l listing) Step {
	s := Step{Op: op, N: c.rng.IntN(1000)}
	switch op {
	case OpWrite, OpSave:
		s.Path = c.known(l)
	case OpAppend, OpTruncate, OpAlike, OpTouch:
		s.Path = c.one(append(l.files, l.links...))
		if s.N %= 100; op == OpTouch && s.N < 10 {
			s.N -= aCentury
		}
	case OpChmod:
		s.Path, s.N = c.anything(l), []int{0o644, 0o755, 0o600, 0o444, 0o700}[c.rng.IntN(5)]
	case OpCase, OpDelete:
		s.Path, s.N = c.anything(l), 0
	case OpRename, OpLink:
		s.Path, s.To, s.N = c.anything(l), c.target(l), 0
	case OpMkdir:
		s.Path, s.N = path.Join(c.dir(), []string{"new", "sub"}[c.rng.IntN(2)]), 0
	case OpSymlink:
		s.Path, s.N = c.name(), 0
		s.To = []string{"a.py", "b.go", "../lib/a.py", "nowhere", "..", "lib", "../web/ui", "a.ts"}[c.rng.IntN(8)]
	case OpToFile:
		s.Path = c.one(l.dirs)
	case OpToDir:
		s.Path = c.one(l.files)
	case OpBurst:
		s.Path, s.N = path.Join(c.dir(), "burst"), 70+c.rng.IntN(30)
	case OpOut, OpIn:
		s.N %= 3
		if s.Path = c.anything(l); op == OpIn {
			s.Path = c.target(l)
		}
	case OpIgnore:
		s.Path = path.Join(c.dir(), ".gitignore")
	case OpCommit:
		s.N = c.last
		c.commits = append(c.commits, s.N)
	case OpCheckout:
		if len(c.commits) > 0 {
			s.N = c.commits[c.rng.IntN(len(c.commits))]
		}
	case OpReindex:
		if s.N = 0; c.rng.IntN(3) > 0 {
			s.Path = c.anything(l)
		}
	case OpStash, OpPop, OpReset, OpRefresh, OpFull, OpReopen:
		s.N = 0
	}
	return s
}

// aCentury, in seconds, makes of a moment long ago one that is still to come.
const aCentury = 100 * 365 * 24 * 3600

// target is where something may be moved to: a new name, or one that is taken.
func (c *chooser) target(l listing) string {
	switch c.rng.IntN(4) {
	case 0:
		return path.Join(c.dir(), []string{"moved", "sub", "lib", "ui"}[c.rng.IntN(4)])
	case 1:
		return c.one(append(l.files, l.dirs...))
	}
	return c.name()
}
