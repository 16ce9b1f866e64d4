package watch

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// node is a directory that is watched.
type node struct {
	rules tree.Rules
	subs  map[graph.Path]struct{} // watched directories in it
	pass  uint64                  // number of the look that last saw it
	inode uint64                  // 0 where it is not known
	mode  uint32                  // type and permission bits
}

// want is a directory to be watched.
type want struct {
	path  graph.Path
	above tree.Rules
}

func (w *Watcher) abs(p graph.Path) string {
	return filepath.Join(w.root, filepath.FromSlash(string(p)))
}

// watchAll sets the watches of the whole tree, and drops those that are not wanted
// any more.
func (w *Watcher) watchAll(ctx context.Context) error {
	w.watchAround()
	above, _ := w.o.Tree.RulesAbove("")
	return w.watchAgain(ctx, "", above)
}

// watchAgain follows a subtree that may be another than before.
func (w *Watcher) watchAgain(ctx context.Context, p graph.Path, above tree.Rules) error {
	w.pass++
	err := w.watchTree(ctx, p, above)
	if err == nil {
		w.prune(p)
	}
	return err
}

// prune drops what the last look has not seen, at and below a path.
func (w *Watcher) prune(p graph.Path) {
	n := w.dirs[p]
	if n == nil {
		return
	}
	if n.pass != w.pass {
		w.drop(p)
		return
	}
	for sub := range n.subs {
		w.prune(sub)
	}
}

// watchTree watches a directory and what lies below it, each before it is listed:
// what is created in between is then either listed or heard of.
func (w *Watcher) watchTree(ctx context.Context, p graph.Path, above tree.Rules) error {
	todo := []want{{p, above}}
	for len(todo) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		sig, err := w.add(d.path)
		if err != nil {
			if errors.Is(err, ErrLimit) {
				return err
			}
			if d.path == "" {
				return err
			}
			w.o.Log.Debug("directory is not watched", "path", string(d.path), "err", err)
			continue // gone, or not readable: the one that holds it tells when that changes
		}
		own, subs, err := w.o.Tree.Dirs(d.path, d.above)
		if err != nil {
			if d.path == "" {
				return err
			}
			w.unwatch(d.path)
			w.drop(d.path)
			continue
		}
		w.enter(d.path, own, sig)
		for i := len(subs) - 1; i >= 0; i-- {
			todo = append(todo, want{subs[i], own})
		}
	}
	return nil
}

// addTries bounds how often add begins again because a directory was replaced meanwhile.
const addTries = 8

// add sets the watch of a directory, and returns the signature of what is watched now.
// The system watches what stands at the path at that moment: where that is not what
// was seen before and after, the watch may be that of another name, with which it
// would end unheard.
func (w *Watcher) add(p graph.Path) (sig graph.Signature, err error) {
	for range addTries {
		sig = w.leave(p)
		if err := w.src.Add(w.abs(p)); err != nil {
			return sig, err
		}
		e, err := w.o.Tree.Stat(p)
		if err == nil && e.Sig.Inode == sig.Inode {
			return sig, nil
		}
		w.unwatch(p)
		if err != nil {
			return sig, err // gone: the one that holds it tells
		}
	}
	return sig, errors.New("it is replaced all the time")
}

// leave returns the signature of a directory that is going to be watched, and ends the
// watch under the name that it had before, where it was not heard yet that it has
// moved: the system has one watch for a directory, whatever its name, and to hear of
// the move later would end the new one.
func (w *Watcher) leave(p graph.Path) (sig graph.Signature) {
	e, err := w.o.Tree.Stat(p)
	if err != nil {
		return sig
	}
	old, ok := w.inodes[e.Sig.Inode]
	if !ok || old == p {
		return e.Sig
	}
	// A directory that is mounted in two places has two names at once.
	if o, err := w.o.Tree.Stat(old); err != nil || o.Sig.Inode != e.Sig.Inode {
		w.drop(old)
	}
	return e.Sig
}

// enter notes that a directory is watched.
func (w *Watcher) enter(p graph.Path, own tree.Rules, sig graph.Signature) {
	n := w.dirs[p]
	if n == nil {
		n = &node{subs: map[graph.Path]struct{}{}}
		w.dirs[p] = n
	}
	w.forget(p, n)
	n.rules, n.pass, n.inode, n.mode = own, w.pass, sig.Inode, sig.Mode
	if sig.Inode != 0 {
		w.inodes[sig.Inode] = p
	}
	if up := w.dirs[p.Dir()]; p != "" && up != nil {
		up.subs[p] = struct{}{}
	}
}

// forget takes a directory out of the list by inodes.
func (w *Watcher) forget(p graph.Path, n *node) {
	if w.inodes[n.inode] == p {
		delete(w.inodes, n.inode)
	}
}

func (w *Watcher) unwatch(p graph.Path) {
	if err := w.src.Remove(w.abs(p)); err != nil {
		w.o.Log.Debug("watch was not removed", "path", string(p), "err", err)
	}
}

// drop ends the watches at and below a path.
func (w *Watcher) drop(p graph.Path) {
	n := w.dirs[p]
	if n == nil {
		return
	}
	for sub := range n.subs {
		w.drop(sub)
	}
	w.unwatch(p)
	w.forget(p, n)
	delete(w.dirs, p)
	if up := w.dirs[p.Dir()]; up != nil {
		delete(up.subs, p)
	}
}

// look finds out what stands at a path whose name appeared or disappeared, follows
// with the watches, and reports whether it concerns the tree.
func (w *Watcher) look(ctx context.Context, p graph.Path, above tree.Rules) bool {
	had := w.dirs[p] != nil
	e, err := w.o.Tree.Stat(p)
	if err != nil || e.Type != tree.Directory {
		w.drop(p)
		if !had && above.Ignored(p, false) {
			return false
		}
		w.o.Mark(p)
		return true
	}
	// It may be another directory than the one that was watched, under its name.
	w.drop(p)
	if above.Ignored(p, true) {
		if had {
			w.o.Mark(p)
		}
		return had
	}
	w.grow(ctx, p, above)
	w.o.Mark(p) // after the watches are set: what came before is seen by who looks
	w.count()
	return true
}

// rights follows a change of the attributes of a path. Of a directory they matter
// where it could be listed before and cannot now, or the other way round, and where its
// mode is another: what it lists may have been out of reach.
func (w *Watcher) rights(ctx context.Context, p graph.Path, above tree.Rules) bool {
	if n := w.dirs[p]; n != nil {
		e, err := w.o.Tree.Stat(p)
		if _, _, unlisted := w.o.Tree.Dirs(p, above); unlisted == nil && err == nil && e.Sig.Mode == n.mode {
			return false
		}
		return w.look(ctx, p, above)
	}
	if e, err := w.o.Tree.Stat(p); err == nil && e.Type == tree.Directory {
		return w.look(ctx, p, above)
	}
	if above.Ignored(p, false) {
		return false
	}
	w.o.Mark(p)
	return true
}

// relearn follows an edited rule file: other directories are wanted, and what lies
// below may have become part of the tree or left it.
func (w *Watcher) relearn(ctx context.Context, dir graph.Path) {
	above, ok := w.o.Tree.RulesAbove(dir)
	if ok {
		w.grow(ctx, dir, above)
	} else {
		w.drop(dir)
	}
	w.o.Mark(dir)
	w.count()
}

// grow watches a subtree; where that cannot be done, the state says so.
func (w *Watcher) grow(ctx context.Context, p graph.Path, above tree.Rules) {
	switch err := w.watchAgain(ctx, p, above); {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, ErrLimit):
		w.short()
	default:
		w.lose()
	}
}

func (w *Watcher) count() {
	w.mu.Lock()
	w.state.Watches = len(w.dirs) + len(w.outside)
	w.mu.Unlock()
}

// watchAround watches the places outside the tree that decide what belongs to it,
// and those where git says that it is at work. That they cannot be watched is no
// failure: sweeps read them.
func (w *Watcher) watchAround() {
	above, git := w.o.Tree.RuleDirs()
	w.git = git
	if git != (ignore.GitDirs{}) {
		above = append(above, git.Own, filepath.Join(git.Common, "info"))
	}
	now := map[string]bool{}
	for _, dir := range above {
		if err := w.src.Add(dir); err != nil {
			w.o.Log.Debug("directory is not watched", "dir", dir, "err", err)
			continue
		}
		now[dir] = true
	}
	for dir := range w.outside {
		if !now[dir] {
			if err := w.src.Remove(dir); err != nil {
				w.o.Log.Debug("watch was not removed", "dir", dir, "err", err)
			}
		}
	}
	w.outside = now
}
