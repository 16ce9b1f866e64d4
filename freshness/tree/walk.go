package tree

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/graph"
)

// WalkOptions say what a walk covers.
type WalkOptions struct {
	// Scope limits the walk to files and directories; empty is everything. Paths
	// that do not exist or that the rules exclude yield nothing.
	Scope []graph.Path
	// NoIgnore lists what ignore files exclude too. Directories named .git, .agent,
	// .hg and .svn stay out, unless the scope itself lies in one.
	NoIgnore bool
	// Dirs also yields directories, each before its contents; the root is not
	// yielded.
	Dirs bool
	// NamesOnly does not look at regular files, so that Sig and Shared of theirs are
	// zero: a listing costs no system call for each.
	NamesOnly bool
	// ByPath yields what lies below each path of the scope in the order of the paths'
	// bytes: "a.go" before "a/b". Without it, what a directory holds stands together.
	ByPath bool
}

// Compare orders paths as a walk yields them: element by element, so that what a
// directory holds stands together.
func Compare(a, b graph.Path) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			switch {
			case a[i] == '/':
				return -1
			case b[i] == '/':
				return 1
			}
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Walk calls fn from the calling goroutine for everything in scope that the ignore
// rules let through. Entries of a directory come sorted by the bytes of their
// names, the contents of a subdirectory at its place. Directory links are not
// followed, and nested repositories are ordinary directories with rules of their
// own.
//
// What cannot be read is yielded as Unreadable; Walk fails only when fn does, when
// ctx ends, when the root itself cannot be listed, or when the system is out of
// descriptors or memory, since then what it did not see is not known to be gone.
func (t *Tree) Walk(ctx context.Context, opts WalkOptions, fn func(Entry) error) error {
	w := newWalker(ctx, t, opts, fn)
	defer w.stop()
	if len(opts.Scope) == 0 {
		opts.Scope = []graph.Path{""}
	}
	for _, p := range outermost(opts.Scope) {
		if err := w.scope(p); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// outermost sorts paths and drops those that lie below another.
func outermost(paths []graph.Path) []graph.Path {
	sorted := slices.Clone(paths)
	slices.SortFunc(sorted, Compare)
	out := sorted[:0]
	for _, p := range sorted {
		if len(out) == 0 || !p.Under(out[len(out)-1]) {
			out = append(out, p)
		}
	}
	return out
}

// scope walks one path of the scope.
func (w *walker) scope(p graph.Path) error {
	if p == "" {
		return w.consume(&listing{path: "", stack: w.t.env.Root(w.t.root)})
	}
	var stack *ignore.Stack
	if w.opts.NoIgnore {
		stack = w.t.env.Root(w.t.root)
	} else {
		var ok bool
		if stack, ok = w.t.rulesAbove(p); !ok {
			return nil
		}
	}
	e, err := w.t.Stat(p)
	if err != nil {
		if exhausted(err) {
			return err
		}
		return nil
	}
	if !w.opts.NoIgnore && stack.Ignored(string(p), e.Type == Directory) {
		return nil
	}
	if e.Type != Directory {
		return w.fn(e)
	}
	if w.opts.Dirs {
		if err := w.fn(e); err != nil {
			return err
		}
	}
	return w.consume(&listing{path: p, stack: stack})
}

// list reads one directory: its rules first, then what they let through.
func (w *walker) list(l *listing, room *room) {
	fd, err := w.t.open(string(l.path), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, false)
	if err != nil {
		l.fail(w.t, err)
		return
	}
	defer func() { _ = unix.Close(fd) }()
	prefix := string(l.path)
	if prefix != "" {
		prefix += "/"
	}
	found := room.found[:0]
	var rules, repo bool
	path := append(room.path[:0], prefix...)
	err = names(fd, room.buf, func(name []byte, typ uint8) {
		switch string(name) {
		case ".git":
			repo = l.path != ""
		case ignore.FileName:
			rules = true
		}
		path = append(path[:len(prefix)], name...)
		s := string(path)
		found = append(found, dirent{path: s, name: s[len(prefix):], typ: typ})
	})
	room.found, room.path = found, path
	if err != nil {
		l.fail(w.t, err)
		return
	}
	if w.opts.ByPath {
		slices.SortFunc(found, byPath)
	} else {
		slices.SortFunc(found, func(a, b dirent) int { return strings.Compare(a.name, b.name) })
	}
	stack := l.stack
	if !w.opts.NoIgnore && (rules || repo) {
		var data []byte
		if rules && isRegularAt(fd, ignore.FileName) {
			data = readRules(fd)
		}
		stack = stack.Enter(string(l.path), data, repo)
	}
	l.nodes = make([]node, 0, len(found))
	for i := range found {
		if err := w.add(l, fd, &found[i], stack); err != nil {
			l.err = err
			return
		}
	}
}

// dirent is one element of a directory.
type dirent struct {
	path, name string
	typ        uint8
}

// byPath compares as the paths below both compare: a directory's name goes on with "/".
func byPath(a, b dirent) int {
	n := min(len(a.name), len(b.name))
	if c := strings.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return cmp.Compare(a.byteAt(n), b.byteAt(n))
}

func (d *dirent) byteAt(i int) byte {
	switch {
	case i < len(d.name):
		return d.name[i]
	case d.typ == typeDir:
		return '/'
	}
	return 0
}

// add judges one element of an open directory and appends it to the listing. It is
// looked at only when the rules let it through, or when only a look says whether
// they do; a directory that is not yielded is not looked at.
func (w *walker) add(l *listing, fd int, d *dirent, stack *ignore.Stack) error {
	if ignore.Always(d.name) {
		return nil
	}
	path := graph.Path(d.path)
	if d.typ == typeDir && !w.opts.Dirs {
		if w.opts.NoIgnore || !stack.Ignored(d.path, true) {
			l.nodes = append(l.nodes, node{sub: &listing{path: path, stack: stack}})
		}
		return nil
	}
	if d.typ != typeUnknown && !w.opts.NoIgnore && stack.Ignored(d.path, d.typ == typeDir) {
		return nil
	}
	if d.typ == typeRegular && w.opts.NamesOnly {
		l.nodes = append(l.nodes, node{entry: Entry{Path: path}, yield: true})
		return nil
	}
	e, err := w.t.look(fd, path, d.name)
	if err != nil {
		if errors.Is(err, ErrNotExist) {
			return nil // removed since the directory was read
		}
		return err
	}
	dir := e.Type == Directory
	if d.typ == typeUnknown && !w.opts.NoIgnore && stack.Ignored(d.path, dir) {
		return nil
	}
	n := node{entry: e, yield: !dir || w.opts.Dirs}
	if dir {
		n.sub = &listing{path: path, stack: stack}
	}
	l.nodes = append(l.nodes, n)
	return nil
}
