package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

const plenty = 1 << 40

// disk is a disk whose free space a test sets.
type disk struct{ free atomic.Int64 }

func (d *disk) measure(string) (int64, error) { return d.free.Load(), nil }

func TestFullDiskIsWaitedOut(t *testing.T) {
	var d disk
	d.free.Store(plenty)
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true, free: d.measure}}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	s.open()
	waitFor(t, "first index", func() bool { return !s.status().ColdIndexRequired })
	gen := s.status().Generation

	d.free.Store(1 << 20)
	s.write("new.go", "package m\n\nfunc During() { G() }\n")
	waitFor(t, "word of the full disk", func() bool {
		_, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexChanged}, nil)
		return err == nil && strings.HasPrefix(s.status().Degraded, "index_disk_full")
	})
	ans, err := s.Reindex(t.Context(), &api.ReindexRequest{Mode: api.ReindexFull}, nil)
	if err != nil || ans.JobStatus != api.JobFailed || ans.ErrorSummary == nil || !strings.Contains(*ans.ErrorSummary, "disk is full") {
		t.Errorf("full reindex on a full disk: %+v, %v", ans, err)
	}
	sameAsLive(t, s, []string{"During", "func", "G()"})
	if got := s.grep(api.GrepRequest{Pattern: "During", CaseSensitive: true, UseIndex: api.IndexAlways}); len(got) != 1 {
		t.Errorf("grep of what is not indexed: %q", got)
	}
	st := s.status()
	if st.Generation != gen || !st.IsStale || st.DirtyPathsCount != 1 || st.LastJob == nil || st.LastJob.Status != api.JobFailed {
		t.Errorf("status on a full disk: %+v", st)
	}
	if a := s.callers("b.go#G", api.PreferFresh); len(a.Nodes) == 0 || !a.IsStale {
		t.Errorf("graph on a full disk: %q, stale %v", labels(a.Nodes), a.IsStale)
	}
	if a := s.callers("b.go#G", api.Required); !slices.Contains(a.MissingData, query.MissingFreshness) {
		t.Errorf("graph that must be fresh on a full disk: %v", a.MissingData)
	}

	d.free.Store(plenty)
	waitFor(t, "recovery", func() bool { st := s.status(); return st.Degraded == "" && st.Generation > gen && !st.IsStale })
	sameAsCold(t, s, []string{"During", "func"})
}

func TestOpenOnAFullDisk(t *testing.T) {
	var d disk
	s := &testSpace{t: t, dir: t.TempDir(), opts: Options{Background: true, free: d.measure}}
	for name, text := range smallGo() {
		s.write(name, text)
	}
	s.opts.Workspace = s.dir
	e, err := Open(t.Context(), s.opts)
	if err != nil {
		t.Fatal(err)
	}
	s.Engine = e
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	if st := s.status(); !strings.Contains(st.Degraded, "disk is full") || st.Enabled {
		t.Errorf("status: %+v", st)
	}
	sameAsLive(t, s, []string{"func", "G()"})
	d.free.Store(plenty)
	waitFor(t, "index", func() bool { st := s.status(); return st.Enabled && st.Degraded == "" && !st.ColdIndexRequired })
	sameAsCold(t, s, []string{"func", "G()"})
}

// TestDiskThatOthersFill has a server on a small disk that somebody else fills again
// and again, without asking how much is free. Where the machine does not let a test
// mount a disk, its files lose their blocks instead, which the kernel answers in the
// same way.
func TestDiskThatOthersFill(t *testing.T) {
	withDisk(t, "small-disk", "truncate")
}

// TestExitOnAFullDisk ends a server on a disk that others have filled: what it had
// published is there when there is space again. Where the machine does not let a test
// mount a disk, nobody fills it.
func TestExitOnAFullDisk(t *testing.T) { withDisk(t, "full-exit", "plain") }

// withDisk runs a process that may mount a disk, and where there is none to be had, one
// that does otherwise.
func withDisk(t *testing.T, role, otherwise string) {
	t.Helper()
	dir := t.TempDir()
	cmd := child(t, role, dir, "mount")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	out, err := cmd.Output()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == noMount) {
		t.Log("no disk can be mounted: ", err)
		out, err = child(t, role, dir, otherwise).Output()
	}
	t.Logf("%s", out)
	if err != nil {
		t.Fatalf("the process on a small disk: %v", err)
	}
}

// noMount is how a process ends that may not mount a disk.
const noMount = 3

// onSmallDisk is a server whose disk others fill.
func onSmallDisk(args []string) int {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	dir := filepath.Join(args[0], "index")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 1
	}
	var eater interface {
		eat() error
		stop() error
	} = &truncater{dir: dir}
	if args[1] == "mount" {
		if err := syscall.Mount("small", dir, "tmpfs", 0, "size=72m"); err != nil {
			return noMount
		}
		eater = &filler{name: filepath.Join(dir, "others")}
	}
	s := &smallDisk{ctx: ctx, work: filepath.Join(args[0], "work"), index: filepath.Join(dir, "x")}
	if err := s.run(eater.eat, eater.stop); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// exitOnFullDisk is a server that ends when its disk is full, and the next one.
func exitOnFullDisk(args []string) int {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	dir := filepath.Join(args[0], "index")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 1
	}
	var full filler
	if args[1] == "mount" {
		if err := syscall.Mount("small", dir, "tmpfs", 0, "size=96m"); err != nil {
			return noMount
		}
		full.name = filepath.Join(dir, "others")
	}
	s := &smallDisk{ctx: ctx, work: filepath.Join(args[0], "work"), index: filepath.Join(dir, "x")}
	if err := s.exitAndReturn(&full); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// exitAndReturn has two servers follow each other; a filler without a name does nothing.
func (s *smallDisk) exitAndReturn(full *filler) (err error) {
	if err := os.MkdirAll(s.work, 0o755); err != nil {
		return err
	}
	var damaged error
	o := Options{Workspace: s.work, IndexDir: s.index, Background: true, Damaged: func(err error) { damaged = err }}
	if s.e, err = Open(s.ctx, o); err != nil {
		return err
	}
	for range 3 {
		if err := errors.Join(s.save(200), s.untilFresh()); err != nil {
			return err
		}
	}
	st, err := s.e.Status(s.ctx)
	if err != nil {
		return err
	}
	if full.name != "" {
		if err := full.eat(); err != nil {
			return err
		}
	}
	if err := s.e.Close(s.ctx); err != nil {
		return fmt.Errorf("close on a full disk: %w", err)
	}
	if full.name != "" {
		if err := full.stop(); err != nil {
			return err
		}
	}
	if s.e, err = Open(s.ctx, o); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.e.Close(context.WithoutCancel(s.ctx))) }()
	again, err := s.e.Status(s.ctx)
	switch {
	case err != nil:
		return err
	case damaged != nil:
		return fmt.Errorf("the next server: %w", damaged)
	case again.Generation < st.Generation || again.ColdIndexRequired:
		return fmt.Errorf("generation %d before, %d after, %+v", st.Generation, again.Generation, again)
	}
	if err := s.untilFresh(); err != nil {
		return err
	}
	return s.equal(o)
}

// filler writes a file until nothing is left.
type filler struct{ name string }

func (f *filler) eat() error {
	w, err := os.OpenFile(f.name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	block := make([]byte, 64<<10)
	for len(block) > 0 {
		if _, err := w.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
	return w.Close()
}

func (f *filler) stop() error { return os.Remove(f.name) }

// truncater takes the bytes of the logs away.
type truncater struct{ dir string }

func (t *truncater) eat() error {
	logs, err := filepath.Glob(filepath.Join(t.dir, "x", "*", "graph-*", "kv", "*.mem"))
	for _, l := range logs {
		err = errors.Join(err, os.Truncate(l, 0))
	}
	return err
}

func (t *truncater) stop() error { return nil }

// smallDisk is an engine that is asked while its disk is filled.
type smallDisk struct {
	ctx         context.Context
	work, index string
	e           *Engine
	version     int
	lost        int
}

func (s *smallDisk) run(eat, stop func() error) (err error) {
	if err := os.MkdirAll(s.work, 0o755); err != nil {
		return err
	}
	// The disk is said to be empty, so that only the kernel knows.
	o := Options{Workspace: s.work, IndexDir: s.index, Background: true}
	o.free = func(dir string) (int64, error) { return plenty, nil }
	if s.e, err = Open(s.ctx, o); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.e.Close(context.WithoutCancel(s.ctx))) }()
	for range 3 {
		if err := s.save(20); err != nil {
			return err
		}
		if err := s.untilFresh(); err != nil {
			return err
		}
		if err := eat(); err != nil {
			return err
		}
		for range 20 {
			if err := s.save(5); err != nil {
				return fmt.Errorf("while the disk is full: %w", err)
			}
		}
		if err := stop(); err != nil {
			return err
		}
		if err := s.untilFresh(); err != nil {
			return err
		}
		if err := s.equal(o); err != nil {
			return err
		}
	}
	fmt.Printf("%d versions, %d answers without an index\n", s.version, s.lost)
	if s.lost == 0 {
		return errors.New("the disk was never full")
	}
	return nil
}

// save writes files and looks whether what was written is found.
func (s *smallDisk) save(files int) error {
	s.version++
	for i := range files {
		text := fmt.Sprintf("package p\n\nfunc F%d() { F%d() } // only_%d_%d\n%s", i, i+1, i, s.version, strings.Repeat("// padding of a source file\n", 200))
		if err := os.WriteFile(filepath.Join(s.work, fmt.Sprintf("f%d.go", i)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if _, err := s.e.Reindex(s.ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil); err != nil && codeOf(err) != api.CodeIndexNotReady {
		return err
	}
	ans, err := s.e.Grep(s.ctx, &api.GrepRequest{Pattern: fmt.Sprintf("only_%d_%d", files-1, s.version), CaseSensitive: true})
	if err != nil {
		return err
	}
	if len(ans.Matches) != 1 {
		return fmt.Errorf("version %d: %d matches of what was just written", s.version, len(ans.Matches))
	}
	if !ans.IndexUsed {
		s.lost++
	}
	return nil
}

func (s *smallDisk) untilFresh() error {
	for {
		st, err := s.e.Status(s.ctx)
		switch {
		case err != nil:
			return err
		case st.Enabled && st.Degraded == "" && !st.ColdIndexRequired && !st.IsStale:
			return nil
		}
		if err := pause(s.ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("not fresh: %+v", st)
		}
	}
}

// equal compares the export with that of a new index.
func (s *smallDisk) equal(o Options) error {
	cold, err := os.MkdirTemp("", "cold")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cold)
	o.IndexDir, o.Background = cold, false
	e, err := Open(s.ctx, o)
	if err != nil {
		return err
	}
	defer e.Close(s.ctx)
	if _, err := e.Reindex(s.ctx, &api.ReindexRequest{Mode: api.ReindexChanged}, nil); err != nil {
		return err
	}
	var got, want strings.Builder
	for _, x := range []struct {
		e *Engine
		w io.Writer
	}{{s.e, &got}, {e, &want}} {
		if err := x.e.Export(s.ctx, x.w); err != nil {
			return err
		}
	}
	if got.String() != want.String() || got.Len() == 0 {
		return fmt.Errorf("exports of %d and %d bytes differ", got.Len(), want.Len())
	}
	return nil
}
