package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/engine/share"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
)

const (
	// blockingBudget bounds what a change spends on being indexed before its answer.
	blockingBudget = 5 * time.Second
	// tellBudget bounds how long a change waits to be noted where the index is.
	tellBudget = blockingBudget + time.Second
)

// Mutate makes one change.
func (e *Engine) Mutate(ctx context.Context, req *api.MutateRequest) (*api.MutateAnswer, error) {
	return call(ctx, e, changes, func(ctx context.Context, s api.Service) (*api.MutateAnswer, error) { return s.Mutate(ctx, req) })
}

// Changed takes note of files that the caller has changed.
func (e *Engine) Changed(ctx context.Context, req *api.ChangedRequest) (*api.ChangedAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.ChangedAnswer, error) { return s.Changed(ctx, req) })
}

// Mutate implements api.Changes.
func (l *local) Mutate(ctx context.Context, req *api.MutateRequest) (*api.MutateAnswer, error) {
	return mutate(ctx, l, req, l.Changed)
}

// Mutate implements api.Changes: the change is made here, and the leader is told.
func (f *follower) Mutate(ctx context.Context, req *api.MutateRequest) (*api.MutateAnswer, error) {
	l, err := f.stand()
	if err != nil {
		return nil, err
	}
	return mutate(ctx, l, req, f.Changed)
}

// Changed implements api.Changes. A leader that hangs hears of the files by itself when
// it wakes up, and one that comes after it looks at everything.
func (f *follower) Changed(ctx context.Context, req *api.ChangedRequest) (*api.ChangedAnswer, error) {
	return aside(ctx, f, func(ctx context.Context, s api.Service) (*api.ChangedAnswer, error) { return s.Changed(ctx, req) })
}

// Mutate implements api.Service.
func (s served) Mutate(ctx context.Context, req *api.MutateRequest) (*api.MutateAnswer, error) {
	return s.local.Mutate(ctx, req)
}

// mutate makes a change in the workspace of this process and has it noted. What was
// changed before a failure is noted too.
func mutate(ctx context.Context, l *local, req *api.MutateRequest, tell notify) (*api.MutateAnswer, error) {
	l.ws.Recover()
	m := &mutation{l: l, req: req, ans: &api.MutateAnswer{ChangedPaths: []string{}}}
	if err := m.do(ctx); err != nil {
		if len(m.marks) > 0 {
			_ = noted(ctx, l, tell, m.marks, api.ReindexSkip)
		}
		return nil, err
	}
	m.ans.Freshness = noted(ctx, l, tell, m.marks, req.Reindex)
	return m.ans, nil
}

// notify tells whoever has the index of changes.
type notify func(context.Context, *api.ChangedRequest) (*api.ChangedAnswer, error)

// noted has changes noted, and says how the index stands to them. They are made: that
// the caller has gone, or that nobody could be told, is no failure.
func noted(ctx context.Context, l *local, tell notify, paths []graph.Path, reindex api.ReindexPolicy) *api.Freshness {
	if l.o.NoIndex {
		return nil
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), tellBudget)
	defer stop()
	ans, err := tell(ctx, &api.ChangedRequest{Paths: paths, Reindex: reindex})
	if err != nil {
		l.o.Logger.Info("change was not noted in the index; the next look finds it", "err", err)
		why := api.FallbackNoIndex
		if errors.Is(err, share.ErrSilent) {
			why = api.FallbackLeaderSilent
		}
		return &api.Freshness{IsStale: true, FallbackReason: &why}
	}
	return ans.Freshness
}

// Changed takes note of files that the caller has changed.
func (l *local) Changed(ctx context.Context, req *api.ChangedRequest) (*api.ChangedAnswer, error) {
	switch {
	case l.o.NoIndex:
		return &api.ChangedAnswer{}, nil
	case l.x == nil:
		return &api.ChangedAnswer{Freshness: &api.Freshness{FallbackReason: reason(l.fallback())}}, nil
	}
	return &api.ChangedAnswer{Freshness: l.x.changed(ctx, req)}, nil
}

// changed marks paths, has them indexed as the caller wants it, and says how the index
// stands to them then.
func (x *index) changed(ctx context.Context, req *api.ChangedRequest) *api.Freshness {
	if len(req.Paths) > 0 {
		x.ledger.Mark(freshness.Mutated, req.Paths...)
	}
	switch {
	case len(req.Paths) == 0 || x.store.Generation() == 0: // a first index is not made on the way
	case req.Reindex == api.ReindexBlocking:
		budget, stop := context.WithTimeout(ctx, blockingBudget)
		x.run(budget, indexer.Job{Mode: api.ReindexChanged, Scope: req.Paths}, nil)
		stop()
	case req.Reindex != api.ReindexSkip && x.o.Background && !x.trusted():
		// Where events are trusted, they have it indexed.
		x.spawn(func(ctx context.Context) { x.run(ctx, indexer.Job{Mode: api.ReindexChanged, Scope: req.Paths}, nil) })
	}
	budget, stop := context.WithTimeout(ctx, preferBudget)
	defer stop()
	_ = x.ledger.Look(budget, x.tree) // or the marks stay, and are counted
	var f api.Freshness
	x.withSnapshot(func(s *store.Snapshot) { f = x.freshness(s) })
	if f.IndexGeneration == 0 {
		f.IndexUsed, f.FallbackReason = false, reason(api.FallbackNoGeneration)
	}
	if len(req.Paths) > 0 {
		pending, _ := x.ledger.Pending(req.Paths)
		f.IsStale = f.IsStale || len(pending) > 0
	}
	return &f
}

// mutation is a change that is being made.
type mutation struct {
	l     *local
	req   *api.MutateRequest
	ans   *api.MutateAnswer
	marks []graph.Path // of the workspace
}

// changed notes a path that is not what it was.
func (m *mutation) changed(root *workspace.Root, path graph.Path) {
	if root.Index {
		m.marks = append(m.marks, path)
		m.ans.ChangedPaths = append(m.ans.ChangedPaths, string(path))
		return
	}
	m.ans.ChangedPaths = append(m.ans.ChangedPaths, filepath.Join(root.Path, filepath.FromSlash(string(path))))
}

func (m *mutation) do(ctx context.Context) error {
	switch m.req.Op {
	case api.OpWrite, api.OpAppend:
		return m.write(ctx)
	case api.OpMkdir:
		return m.mkdir(ctx)
	case api.OpMove, api.OpCopy:
		return m.transfer(ctx)
	case api.OpDelete:
		return m.remove(ctx)
	}
	return &api.Error{Code: api.CodeInvalidParams, Argument: "op", Message: fmt.Sprintf("%q is no change", m.req.Op)}
}

func (m *mutation) write(ctx context.Context) error {
	root, p, err := m.l.resolveNew("path", m.req.Path)
	if err != nil {
		return err
	}
	if err := m.permitted(ctx, root, p); err != nil {
		return err
	}
	var data []byte
	w, err := m.l.ws.Update(ctx, root, p, func(old []byte) ([]byte, error) {
		if data = []byte(m.req.Content); m.req.Op == api.OpAppend {
			data = append(old[:len(old):len(old)], m.req.Content...)
		}
		return data, nil
	})
	if err != nil {
		return changeError("path", m.req.Path, err)
	}
	m.changed(root, w.Path)
	m.ans.Bytes, m.ans.ContentHash = int64(len(m.req.Content)), sum(data).String()
	m.ans.Created, m.ans.Unchanged = w.Created, w.Unchanged
	m.ans.InPlace, m.ans.HardLinks, m.ans.NotKept = w.InPlace, w.Links, w.Lost
	return nil
}

// permitted refuses files of a class that the caller may not write.
func (m *mutation) permitted(ctx context.Context, root *workspace.Root, p graph.Path) error {
	if m.req.Forbid == "" {
		return nil
	}
	class, capability := api.ClassTracked, "workspace.write_tracked"
	if m.l.ws.Ephemeral(ctx, root, p) {
		class, capability = api.ClassEphemeral, "workspace.write_ephemeral"
	}
	if class != m.req.Forbid {
		return nil
	}
	says := "is a file that the repository keeps"
	if class == api.ClassEphemeral {
		says = "is ignored by git"
	}
	return &api.Error{
		Code: api.CodeCapabilityDenied, Argument: "path",
		Message: fmt.Sprintf("%q %s: writing it needs the capability %s, which this session does not have", clipPath(m.req.Path), says, capability),
		Details: map[string]any{"path": clipPath(m.req.Path), "capability": capability},
	}
}

func (m *mutation) mkdir(ctx context.Context) error {
	root, p, err := m.l.ws.Resolve(m.req.Path)
	if err != nil {
		return pathError("path", m.req.Path, err)
	}
	made, existed, err := m.l.ws.MakeDir(ctx, root, p)
	if errors.Is(err, workspace.ErrExists) {
		return &api.Error{
			Code: api.CodeExists, Argument: "path", Details: map[string]any{"path": clipPath(m.req.Path)},
			Message: fmt.Sprintf("path %q is there and is no directory; give another path", clipPath(m.req.Path)),
		}
	}
	if err != nil {
		return changeError("path", m.req.Path, err)
	}
	m.ans.Created, m.ans.Directory = !existed, true
	if !existed {
		m.changed(root, made)
	}
	return nil
}

func (m *mutation) transfer(ctx context.Context) error {
	srcRoot, src, err := m.l.resolveEntry("src", m.req.Path)
	if err != nil {
		return err
	}
	dstRoot, dst, err := m.l.resolveEntry("dest", m.req.Dest)
	if err != nil {
		return err
	}
	do := m.l.ws.Copy
	if m.req.Op == api.OpMove {
		do = m.l.ws.Move
	}
	moved, err := do(ctx, workspace.Named{Root: srcRoot, Path: src}, workspace.Named{Root: dstRoot, Path: dst}, m.req.Overwrite)
	if moved.Dest.Root != nil {
		if m.req.Op == api.OpMove {
			m.changed(moved.Src.Root, moved.Src.Path)
		}
		m.changed(moved.Dest.Root, moved.Dest.Path)
	}
	if err != nil {
		return m.transferError(srcRoot, err)
	}
	m.ans.Replaced, m.ans.Directory, m.ans.Entries = moved.Replaced, moved.Dir, moved.Entries
	return nil
}

// transferError says which end was at fault, and of a directory that cannot be copied
// what in it is not a file.
func (m *mutation) transferError(src *workspace.Root, err error) error {
	var at *workspace.EndError
	if errors.As(err, &at) {
		return changeError("dest", m.req.Dest, err)
	}
	var odd *tree.Error
	if errors.As(err, &odd) && errors.Is(err, tree.ErrSpecial) {
		path := string(odd.Path)
		if !src.Index {
			path = filepath.Join(src.Path, filepath.FromSlash(path))
		}
		return changeError("src", path, err)
	}
	return changeError("src", m.req.Path, err)
}

func (m *mutation) remove(ctx context.Context) error {
	root, p, err := m.l.resolveEntry("path", m.req.Path)
	if err != nil {
		return err
	}
	gone, n, err := m.l.ws.Delete(ctx, root, p, m.req.Recursive)
	if n > 0 {
		m.changed(root, gone)
	}
	if errors.Is(err, tree.ErrIsDir) {
		return &api.Error{
			Code: api.CodeNotRegular, Argument: "recursive",
			Message: fmt.Sprintf("%q is a directory; to delete it with everything in it, set recursive true", clipPath(m.req.Path)),
			Details: map[string]any{"path": clipPath(m.req.Path)},
		}
	}
	if err != nil {
		err = changeError("path", m.req.Path, err)
		var e *api.Error
		if n > 0 && errors.As(err, &e) {
			e.Message += fmt.Sprintf("; %d entries below it are gone, the rest is where it was", n)
			e.Details["entries_deleted"] = n
		}
		return err
	}
	m.ans.Entries = n
	return nil
}
