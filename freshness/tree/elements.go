package tree

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/graph"
)

// Element is one name in a directory as it stands there.
type Element struct {
	Name string
	Dir  bool // a directory, or a link to one inside the root
	Link bool // a symbolic link; what it leads to is not listed under it
}

// Elements lists a directory by the bytes of the names. No rule is applied: what is
// hidden or ignored is listed too, but not what a write of ours has not finished. The path must be free of links (see Real). buf is
// room for reading, nil for the call's own. The error is an *Error.
func (t *Tree) Elements(dir graph.Path, buf []byte) ([]Element, error) {
	if strings.IndexByte(string(dir), 0) >= 0 {
		return nil, &Error{Op: "list", Path: dir, Reason: ReasonInvalid}
	}
	fd, err := t.open(string(dir), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, false)
	if err != nil {
		return nil, &Error{Op: "list", Path: dir, Reason: reasonOf(err), Err: err}
	}
	defer func() { _ = unix.Close(fd) }()
	if len(buf) < dirBuffer {
		buf = make([]byte, dirBuffer)
	}
	var out []Element
	var unclear []string
	err = names(fd, buf, func(name []byte, typ uint8) {
		if bytes.HasPrefix(name, []byte(ignore.TempPrefix)) {
			return
		}
		if typ == typeUnknown || typ == unix.DT_LNK {
			unclear = append(unclear, string(name))
			return
		}
		out = append(out, Element{Name: string(name), Dir: typ == typeDir})
	})
	if err != nil {
		return nil, &Error{Op: "list", Path: dir, Reason: reasonOf(err), Err: err}
	}
	for _, name := range unclear {
		p, ok := dir.Join(name)
		if !ok {
			continue
		}
		e, err := t.look(fd, p, name)
		if err != nil {
			continue // removed since the directory was read
		}
		out = append(out, Element{Name: name, Dir: e.Type == Directory || e.Reason == ReasonLinkDir, Link: e.Link})
	}
	slices.SortFunc(out, func(a, b Element) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
