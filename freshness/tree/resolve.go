package tree

import (
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/tree/at"
)

// maxLinks is how many links one lookup may go through, as in Linux.
const maxLinks = 40

// resolver goes from directory to directory beneath a root, each one held open, so
// that nothing renamed or replaced meanwhile can lead it out. It is what the kernel
// does itself where openat2 exists, but for one thing more: an absolute link that
// names the root comes back in.
type resolver struct {
	t    *Tree
	dirs []int    // the way down; dirs[0] is the root's and not ours to close
	way  []string // the names of dirs[1:]
}

// resolve walks to the directory that holds the last element of path and calls
// final with it. name is never a link, unless follow is off and the path itself is
// one: final must not follow it either.
func (t *Tree) resolve(path string, follow bool, final func(dir int, name string) error) error {
	r := resolver{t: t, dirs: []int{t.fd}}
	defer r.up(0)
	return r.walk(path, follow, func(name string) error { return final(r.here(), name) })
}

func (r *resolver) walk(path string, follow bool, final func(name string) error) error {
	if strings.HasPrefix(path, "/") {
		return unix.EXDEV
	}
	links := 0
	rest := strings.Split(path, "/")
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			if len(r.dirs) == 1 {
				return unix.EXDEV
			}
			r.up(len(r.dirs) - 2)
			continue
		}
		var st unix.Stat_t
		if err := at.Stat(r.here(), name, &st); err != nil {
			return err
		}
		last := onlyDots(rest)
		if !at.IsLink(&st) || !follow {
			switch {
			case last && (len(rest) == 0 || at.IsDir(&st)):
				return final(name)
			case at.IsLink(&st):
				return unix.ELOOP
			}
			if err := r.down(name); err != nil {
				return err
			}
			continue
		}
		if links++; links > maxLinks {
			return unix.ELOOP
		}
		target, err := at.Readlink(r.here(), name)
		if err != nil {
			return err
		}
		if strings.HasPrefix(target, "/") {
			inside, ok := beneath(r.t.root, target)
			if !ok {
				return unix.EXDEV
			}
			target = inside
			r.up(0)
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return final(".")
}

func (r *resolver) here() int { return r.dirs[len(r.dirs)-1] }

func (r *resolver) down(name string) error {
	fd, err := at.Open(r.here(), name, passDir, 0)
	if err == nil {
		r.dirs = append(r.dirs, fd)
		r.way = append(r.way, name)
	}
	return err
}

// up goes back to the directory at the given depth and closes those below it.
func (r *resolver) up(depth int) {
	for _, fd := range r.dirs[depth+1:] {
		_ = unix.Close(fd)
	}
	r.dirs, r.way = r.dirs[:depth+1], r.way[:depth]
}

func onlyDots(names []string) bool {
	for _, n := range names {
		if n != "" && n != "." {
			return false
		}
	}
	return true
}

// beneath cuts the root off an absolute path that lies in it.
func beneath(root, path string) (string, bool) {
	if path == root {
		return ".", true
	}
	if root == "/" {
		return strings.TrimLeft(path, "/"), true
	}
	rest, ok := strings.CutPrefix(path, root+"/")
	return rest, ok
}

// openSlow is open without the kernel's help.
func (t *Tree) openSlow(path string, flags int, follow bool) (int, error) {
	got := -1
	err := t.resolve(path, follow, func(dir int, name string) (err error) {
		got, err = at.Open(dir, name, flags, 0)
		return err
	})
	return got, err
}

// statSlow is statFollow without the kernel's help.
func (t *Tree) statSlow(path string, st *unix.Stat_t) error {
	return t.resolve(path, true, func(dir int, name string) error { return at.Stat(dir, name, st) })
}

// realPath returns the path by which the resolver got to what a path leads to.
func (t *Tree) realPath(path string) (real string, err error) {
	r := resolver{t: t, dirs: []int{t.fd}}
	defer r.up(0)
	err = r.walk(path, true, func(name string) error {
		way := r.way
		if name != "." {
			way = append(way, name)
		}
		real = strings.Join(way, "/")
		return nil
	})
	return real, err
}
