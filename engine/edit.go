package engine

import (
	"context"
	"errors"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/edit"
	"github.com/ralph-index/ralph-index/engine/evidence"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// Edit replaces pieces of a file. What fails before the file is written was not done,
// so that it may be tried again; afterwards nothing fails.
func (e *Engine) Edit(ctx context.Context, req *api.EditRequest) (*api.EditAnswer, error) {
	return call(ctx, e, reads, func(ctx context.Context, s api.Service) (*api.EditAnswer, error) { return s.Edit(ctx, req) })
}

// Edit implements api.Changes.
func (l *local) Edit(ctx context.Context, req *api.EditRequest) (*api.EditAnswer, error) {
	return (&editing{l: l, index: l, req: req}).run(ctx)
}

// Edit implements api.Changes: the file is edited here, and the leader is told.
func (f *follower) Edit(ctx context.Context, req *api.EditRequest) (*api.EditAnswer, error) {
	l, err := f.stand()
	if err != nil {
		return nil, err
	}
	return (&editing{l: l, index: f, req: req}).run(ctx)
}

// editing is one edit of a file.
type editing struct {
	l     *local      // whose workspace has the file
	index api.Service // who is asked about ids and the graph
	req   *api.EditRequest
	root  *workspace.Root
	path  graph.Path // as the caller gave it
	real  graph.Path // without links, as the index lists it
	aim   *aim       // nil: the whole file

	before []byte
	hash   graph.Hash // of before
	res    *edit.Result
}

func (e *editing) run(ctx context.Context) (*api.EditAnswer, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	var err error
	if e.root, e.path, err = e.l.resolve("path", e.req.Path); err != nil {
		return nil, err
	}
	if err := e.l.ws.Changeable(e.root, e.path); err != nil { // a preview promises no more than can be done
		return nil, changeError("path", e.req.Path, err)
	}
	if err := e.present(); err != nil {
		return nil, err
	}
	if e.real, err = listed(e.root.Tree, e.path); err != nil {
		return nil, pathError("path", e.req.Path, err)
	}
	if err := e.takeAim(ctx); err != nil {
		return nil, err
	}
	if e.req.DryRun {
		return e.preview(ctx)
	}
	e.l.ws.Recover()
	w, err := e.l.ws.Update(ctx, e.root, e.path, func(old []byte) ([]byte, error) { return e.apply(ctx, old) })
	if err != nil {
		return nil, e.failed(err)
	}
	return e.applied(ctx, w), nil
}

// check refuses what contradicts itself.
func (e *editing) check() error {
	switch {
	case e.req.ImpactPreview && !e.req.DryRun:
		return invalid("impact_preview", "impact_preview needs dry_run true: it shows what an edit would reach before it is made")
	case e.req.Target == nil && e.req.MatchStrategy != "" && e.req.MatchStrategy != api.MatchExact:
		return invalid("match_strategy", "match_strategy "+string(e.req.MatchStrategy)+" needs a target; without one each edit replaces the first occurrence in the file")
	}
	return nil
}

func invalid(argument, message string) error {
	return &api.Error{Code: api.CodeInvalidParams, Argument: argument, Message: message}
}

// present refuses a file that is not there, before anything is made on the way to it.
func (e *editing) present() error {
	_, err := e.root.Stat(e.path)
	if errors.Is(err, tree.ErrNotExist) {
		return e.missing(err)
	}
	return nil // whatever else is wrong, the edit says
}

func (e *editing) missing(err error) error {
	if e.req.ExpectedContentHash != "" {
		return stale(e.req.Path, evidence.FileMissing, e.req.ExpectedContentHash, "")
	}
	return pathError("path", e.req.Path, err)
}

// apply makes the edits to the bytes that the file has now.
func (e *editing) apply(ctx context.Context, old []byte) ([]byte, error) {
	if old == nil {
		return nil, e.missing(&tree.Error{Op: "read", Path: e.path, Reason: tree.ReasonNotExist})
	}
	e.before, e.hash = old, sum(old)
	now := e.hash.String()
	if want := e.req.ExpectedContentHash; want != "" && want != now {
		return nil, stale(e.req.Path, evidence.ContentChanged, want, now)
	}
	if e.aim != nil && e.aim.hash != now {
		return nil, e.moved(now)
	}
	req := edit.Request{Strategy: edit.Strategy(e.req.MatchStrategy), Edits: make([]edit.Edit, len(e.req.Edits))}
	for i, t := range e.req.Edits {
		req.Edits[i] = edit.Edit{Old: t.OldText, New: t.NewText}
	}
	if e.aim != nil {
		req.Target = &e.aim.lines
	}
	res, err := edit.Apply(ctx, old, req)
	if err != nil {
		return nil, e.refused(err)
	}
	e.res = res
	return res.Text, nil
}

// failed shapes an error of a write: mostly it is one of the edit itself.
func (e *editing) failed(err error) error {
	var known *api.Error
	if errors.As(err, &known) {
		return err
	}
	return changeError("path", e.req.Path, err)
}

// preview answers with what the edits would do.
func (e *editing) preview(ctx context.Context) (*api.EditAnswer, error) {
	old, _, err := e.root.Read(e.path, nil)
	switch {
	case errors.Is(err, tree.ErrNotExist):
		return nil, e.missing(err)
	case err != nil:
		return nil, pathError("path", e.req.Path, err)
	case old == nil:
		old = []byte{}
	}
	if _, err := e.apply(ctx, old); err != nil {
		return nil, err
	}
	ans := e.answer(api.EditPreview)
	if e.req.ImpactPreview {
		e.impact(ctx, ans)
	}
	if e.req.ReturnEvidenceUpdates {
		ans.EvidenceUpdates = e.updates()
	}
	return ans, nil
}

// applied answers with what the edits did, and has it noted.
func (e *editing) applied(ctx context.Context, w workspace.Written) *api.EditAnswer {
	ans := e.answer(api.EditApplied)
	written := int64(0)
	if !w.Unchanged {
		written = int64(len(e.res.Text))
	}
	ans.BytesWritten, ans.HardLinks, ans.NotKept = &written, w.Links, w.Lost
	m := &mutation{l: e.l, ans: &api.MutateAnswer{ChangedPaths: []string{}}}
	m.changed(e.root, w.Path)
	ans.ChangedPaths = m.ans.ChangedPaths
	ans.Freshness = noted(ctx, e.l, e.index.Changed, m.marks, e.req.Reindex)
	if e.l.o.NoIndex {
		ans.ChangedPaths = nil // a part of the block, which is left out
	}
	if e.req.ReturnEvidenceUpdates {
		ans.EvidenceUpdates = e.updates()
	}
	return ans
}

// answer has what both kinds of answers show.
func (e *editing) answer(status string) *api.EditAnswer {
	ans := &api.EditAnswer{
		Status: status, Path: e.req.Path, EditsApplied: len(e.res.Applied), ContentHash: sum(e.res.Text).String(),
		Diff: edit.Diff(string(e.path), e.before, e.res.Text, e.res.Changes),
	}
	for i, a := range e.res.Applied {
		if a.Others > 0 {
			ans.OtherMatches = append(ans.OtherMatches, api.OtherMatches{EditIndex: i, Line: a.Line, Replaced: a.Replaced, Others: a.Others})
		}
	}
	return ans
}

// mostUpdates bounds the ids of an answer.
const mostUpdates = 100

// updates mints the ids of what was touched. An id names lines of given bytes, so
// that this needs no index.
func (e *editing) updates() *api.EvidenceUpdates {
	now := sum(e.res.Text)
	total := edit.CountLines(e.res.Text)
	mint := func(before, after edit.Lines, replaces string) api.EvidenceUpdate {
		if replaces == "" {
			replaces = e.id(e.hash, clampLines(before, edit.CountLines(e.before)))
		}
		after = clampLines(after, total)
		return api.EvidenceUpdate{Replaces: replaces, EvidenceID: e.id(now, after), StartLine: after.From, EndLine: after.To}
	}
	out := &api.EvidenceUpdates{PreviousContentHash: e.hash.String(), ContentHash: now.String(), Spans: []api.EvidenceUpdate{}}
	for i, c := range e.res.Changes {
		if i == mostUpdates {
			out.Truncated = true
			break
		}
		out.Spans = append(out.Spans, mint(c.BeforeLines, c.AfterLines, ""))
	}
	if e.aim != nil {
		u := mint(e.aim.lines, *e.res.Target, e.aim.id)
		out.Target = &u
	}
	return out
}

func (e *editing) id(h graph.Hash, l edit.Lines) string {
	if l.To < 1 || !e.root.Index { // only ids of the workspace open
		return ""
	}
	return graph.EvidenceID(e.real, h, uint32(l.From), uint32(l.To))
}

// clampLines turns a place between two lines into the line that follows it, or the
// last one; of a text without lines nothing is left.
func clampLines(l edit.Lines, total int) edit.Lines {
	if total == 0 {
		return edit.Lines{}
	}
	from := min(l.From, total)
	return edit.Lines{From: from, To: max(from, min(l.To, total))}
}
