package workspace

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ralph-index/ralph-index/freshness/ignore"
	"github.com/ralph-index/ralph-index/freshness/tree/at"
)

// Step is a moment of a change at which it may fail or be cut off.
type Step string

// The steps, in their order. Each is reached before the thing is done.
const (
	StepTemp    Step = "temp"     // an unfinished file or directory is made
	StepWrite   Step = "write"    // bytes go into it
	StepSync    Step = "sync"     // they go to the disk
	StepRename  Step = "rename"   // it takes its name
	StepRenamed Step = "renamed"  // it has it
	StepInPlace Step = "in_place" // bytes replace those of a file that has several names
	StepRemove  Step = "remove"   // an entry is removed
	StepMake    Step = "make"     // a directory is made
)

// Steps lists them all.
func Steps() []Step {
	return []Step{StepTemp, StepWrite, StepSync, StepRename, StepRenamed, StepInPlace, StepRemove, StepMake}
}

// reach tells a test of a step. The error that it returns is the step's.
func (w *Workspace) reach(s Step) error {
	if w.opts.Reached == nil {
		return nil
	}
	return w.opts.Reached(s)
}

// temp is an entry that is about to take a name in its directory. It is noted beside
// the index, so that a process that starts later removes what a killed one left.
type temp struct {
	w    *Workspace
	p    *place
	name string
	note string // "": nobody keeps notes
}

// newTemp picks a name. Where there is no place for notes, what others left in this
// directory is removed now: its lock says that they are gone.
func (w *Workspace) newTemp(p *place) (*temp, error) {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	t := &temp{w: w, p: p, name: ignore.TempPrefix + hex.EncodeToString(b[:])}
	if notes := w.notes(); notes == "" {
		reap(p)
	} else {
		t.note = filepath.Join(notes, t.name)
		// A link, for it is made with its content at once.
		if err := os.Symlink(filepath.Join(filepath.Dir(p.abs()), t.name), t.note); err != nil {
			t.note = ""
			if full(err) && sameDisk(p.fd, notes) {
				return nil, err // nothing is begun that a killed process would leave for ever
			}
		}
	}
	if err := w.reach(StepTemp); err != nil {
		t.forget()
		return nil, err
	}
	return t, nil
}

// take gives the entry its name, in place of what has it when replace is set, and
// makes that last.
func (t *temp) take(replace bool) error {
	if err := t.w.reach(StepRename); err != nil {
		return err
	}
	var err error
	if replace {
		err = unix.Renameat(t.p.fd, t.name, t.p.fd, t.p.name)
	} else {
		err = renameNew(t.p.fd, t.name, t.p.fd, t.p.name)
	}
	if errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("make %q: %w", string(t.p.path), ErrExists)
	}
	if err != nil {
		return err
	}
	_ = t.w.reach(StepRenamed) // it is done
	t.forget()
	_ = unix.Fsync(t.p.fd) // some file systems cannot; the file itself is on the disk
	return nil
}

// drop removes the entry. One that the system keeps stays noted.
func (t *temp) drop() {
	if removeStray(t.p.fd, t.name) {
		t.forget()
	}
}

// full reports whether an error is about a disk without room.
func full(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// sameDisk reports whether a directory lies on the file system of an open one.
func sameDisk(fd int, dir string) bool {
	var a, b unix.Stat_t
	return at.StatOpen(fd, &a) == nil && unix.Stat(dir, &b) == nil && a.Dev == b.Dev
}

func (t *temp) forget() {
	if t.note != "" {
		_ = os.Remove(t.note)
	}
}

// linkNew is renameNew in two steps: a second name, then the end of the first. A
// directory has only one, so that whether the new one is free is looked at first.
func linkNew(fromDir int, from string, toDir int, to string) error {
	var st unix.Stat_t
	if err := at.Stat(fromDir, from, &st); err != nil {
		return err
	}
	if at.IsDir(&st) {
		if err := at.Stat(toDir, to, &st); !errors.Is(err, unix.ENOENT) {
			return errors.Join(unix.EEXIST, err)
		}
		return unix.Renameat(fromDir, from, toDir, to)
	}
	if err := unix.Linkat(fromDir, from, toDir, to, 0); err != nil {
		return err
	}
	return unix.Unlinkat(fromDir, from, 0)
}

// notesDir is where unfinished changes are noted, in the directory of the index.
const notesDir = "writes"

// notes returns the directory of the notes; "" where there is no index.
func (w *Workspace) notes() string {
	if w.opts.IndexDir == "" {
		return ""
	}
	dir := filepath.Join(w.opts.IndexDir, notesDir)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return ""
	}
	return dir
}

// Recover removes what killed processes left unfinished. A change that is still under
// way holds the lock of its directory, and is left alone.
func (w *Workspace) Recover() {
	if w.opts.IndexDir == "" {
		return
	}
	dir := filepath.Join(w.opts.IndexDir, notesDir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // no notes, nothing to do
	}
	for _, e := range entries {
		w.recoverNote(filepath.Join(dir, e.Name()))
	}
}

// RecoverAll is Recover for a process that begins to keep an index. Where the notes are
// gone, as they are with an index that was deleted, it looks for what is unfinished in
// every directory, once.
func (w *Workspace) RecoverAll(ctx context.Context) {
	if w.opts.IndexDir == "" {
		return
	}
	if _, err := os.Lstat(filepath.Join(w.opts.IndexDir, notesDir)); !errors.Is(err, os.ErrNotExist) {
		w.Recover()
		return
	}
	for _, root := range w.roots {
		err := filepath.WalkDir(root.Path, func(name string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil: // nothing to see there
			case name == w.opts.IndexDir || d.IsDir() && d.Name() == ".git":
				return fs.SkipDir
			case strings.HasPrefix(d.Name(), ignore.TempPrefix):
				w.removeUnfinished(name)
				if d.IsDir() {
					return fs.SkipDir
				}
			}
			return nil
		})
		if err != nil {
			return
		}
	}
	_ = w.notes() // from now on they tell
}

// recoverNote removes what one note is about, and the note.
func (w *Workspace) recoverNote(note string) {
	abs, err := os.Readlink(note)
	if err != nil {
		return // its change has ended meanwhile
	}
	if w.removeUnfinished(abs) {
		_ = os.Remove(note) // or the next one does it
	}
}

// removeUnfinished removes an entry whose process is gone, and reports whether there
// is nothing more to do about it.
func (w *Workspace) removeUnfinished(abs string) bool {
	root, path, err := w.Resolve(abs)
	if errors.Is(err, ErrOutside) {
		return false // of a root that this process was not given
	}
	if err == nil && strings.HasPrefix(path.Base(), ignore.TempPrefix) {
		if dir, err := root.Tree.OpenDir(path.Dir()); err == nil {
			defer func() { _ = dir.Close() }()
			if unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
				return false // its process lives
			}
			if !removeStray(int(dir.Fd()), path.Base()) {
				return false // maybe the next one may
			}
		}
	}
	return true
}

// reap removes what was left in a directory whose lock is held.
func reap(p *place) {
	if !p.locked {
		return
	}
	dir, err := openSub(p.fd, ".")
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1) // what was read counts
	for _, name := range names {
		if strings.HasPrefix(name, ignore.TempPrefix) {
			removeStray(p.fd, name)
		}
	}
}

// removeStray removes an unfinished entry, a directory with what is in it, and reports
// whether it is gone.
func removeStray(dir int, name string) bool {
	err := unix.Unlinkat(dir, name, 0)
	if err == nil || errors.Is(err, unix.ENOENT) {
		return true
	}
	r := remover{ctx: context.Background(), reach: func(Step) error { return nil }}
	return r.remove(dir, name, "") == nil
}
