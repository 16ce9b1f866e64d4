package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/freshness"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical/glob"
	"github.com/ralph-index/ralph-index/lexical/match"
	"github.com/ralph-index/ralph-index/lexical/scan"
)

const (
	defaultGrepLimit = 1000
	maxLineText      = 2000 // bytes of a line that are shown
	// rankPool is how many matches are weighed before the limit cuts, when they are
	// ranked: the best one need not be among the first by path.
	rankPool = 5000
)

// search is one grep on its way.
type search struct {
	l      *local
	req    *api.GrepRequest
	pat    *match.Pattern
	root   *workspace.Root
	base   graph.Path
	filter *glob.Filter
	ans    *api.GrepAnswer
	snap   *store.Snapshot // nil: live, without any index
	paths  []graph.Path
	listed bool // paths come from the index's list of files
	looked bool // the tree was looked at for this search
	heard  bool // events told what was written before it
	// since is the generation that the ledger spoke of before the tree was looked at.
	since graph.Generation
	known freshness.Known // what differed from snap when the files were listed
	cut   bool            // time ran out before paths was complete
}

// Grep searches file contents. Candidates come from the index where the pattern and
// the request allow it, and otherwise from a walk; the same scan decides either way.
func (l *local) Grep(ctx context.Context, req *api.GrepRequest) (*api.GrepAnswer, error) {
	if req.TimeoutMS > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Duration(req.TimeoutMS)*time.Millisecond)
		defer stop()
	}
	s, err := l.newSearch(req)
	if err != nil {
		return nil, err
	}
	if l.x != nil {
		s.look(ctx)
		defer s.release()
	}
	if err := s.choose(ctx); err != nil {
		if ctx.Err() == nil {
			return nil, err
		}
		s.cut = true
	}
	s.countClosed()
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s.ans, nil
}

// usesFacts reports whether the answer is made of more than the bytes of files.
func (s *search) usesFacts() bool {
	return s.ans.RankedBy != api.RankMatch || s.req.DedupeBySymbol || s.req.GraphContext || s.req.ReturnEvidenceIDs
}

// filterOf compiles globs; the error names the argument of the one that is none, arg for
// those that include.
func filterOf(arg string, include, exclude []string) (*glob.Filter, error) {
	f, err := glob.NewFilter(include, exclude)
	if err == nil {
		return f, nil
	}
	if _, bad := glob.NewFilter(nil, exclude); bad != nil {
		arg = "exclude"
	}
	return nil, &api.Error{Code: api.CodeInvalidParams, Argument: arg, Message: err.Error()}
}

func (l *local) newSearch(req *api.GrepRequest) (*search, error) {
	s := &search{l: l, req: req}
	var err error
	spec := match.Spec{Text: req.Pattern, Regex: req.Regex, CaseSensitive: req.CaseSensitive, WholeWord: req.WholeWord}
	if s.pat, err = match.Compile(spec); err != nil {
		return nil, patternError(err)
	}
	if s.filter, err = filterOf("include", req.Include, req.Exclude); err != nil {
		return nil, err
	}
	if s.root, s.base, err = l.resolve("path", req.Path); err != nil {
		return nil, err
	}
	if s.base != "" {
		if s.base, err = listed(s.root.Tree, s.base); err != nil {
			return nil, pathError("path", req.Path, err)
		}
	}
	rank := req.RankBy
	if rank == "" {
		rank = api.RankMatch
	}
	s.ans = &api.GrepAnswer{
		Pattern: req.Pattern, Base: req.Path, Matches: []api.Match{}, RankedBy: rank,
		DedupeBySymbol: req.DedupeBySymbol, GraphContext: []api.GraphContext{}, Skipped: map[string]int{},
	}
	return s, nil
}

func patternError(err error) error {
	var bad *match.PatternError
	if !errors.As(err, &bad) {
		return err
	}
	code := api.CodeInvalidParams
	if bad.Kind == match.Unsupported {
		code = api.CodeUnsupportedPattern
	}
	return &api.Error{Code: code, Argument: "pattern", Message: bad.Message}
}

func (s *search) release() {
	if s.snap != nil {
		s.snap.Release()
		s.snap = nil
	}
}

// collect lists the files to scan; narrow says whether the index may rule files out.
func (s *search) collect(ctx context.Context, narrow bool) error {
	why, err := s.whyLive()
	if err != nil {
		return err
	}
	if why != "" {
		s.ans.FallbackReason = reason(why)
	}
	switch why {
	case "", api.FallbackNotSelective:
		return s.fromIndex(ctx, true, narrow)
	case api.FallbackNotEligible:
		return s.fromIndex(ctx, false, narrow)
	}
	if s.req.UseIndex == api.IndexNever {
		s.ans.FallbackReason = nil
	}
	return s.fromWalk(ctx)
}

// whyLive says why the answer will not be an indexed one; "" when it will. A search
// that insists on the index gets an error instead.
func (s *search) whyLive() (string, error) {
	always := s.req.UseIndex == api.IndexAlways
	refuse := func(code api.Code, why, next string) (string, error) {
		if !always {
			return why, nil
		}
		return "", &api.Error{Code: code, Argument: "use_index", Message: next, Details: map[string]any{"fallback_reason": why}}
	}
	switch {
	case s.l.x == nil && s.l.o.NoIndex:
		return refuse(api.CodeIndexNotReady, api.FallbackIndexDisabled, "the index is disabled in this session; use use_index=auto")
	case s.l.x == nil && s.l.degraded == "":
		return refuse(api.CodeIndexNotReady, s.l.fallback(), "there is no index yet; call ralph_reindex or use use_index=auto")
	case s.l.x == nil:
		return refuse(api.CodeIndexNotReady, s.l.fallback(), "this process has no index ("+s.l.degraded+"); use use_index=auto")
	case s.snap.Generation() == 0:
		return refuse(api.CodeIndexNotReady, api.FallbackNoGeneration, "no generation is published yet; call ralph_reindex or use use_index=auto")
	case !s.l.x.complete.Load() && s.l.x.unswept():
		return refuse(api.CodeIndexNotReady, api.FallbackNoGeneration, "the first index is not complete, and what it lacks is not known yet; call ralph_reindex or use use_index=auto")
	case !s.root.Index, s.base != "" && s.root.Tree.Ignored(s.base):
		return refuse(api.CodeInvalidParams, api.FallbackPathIgnored, "path is outside the indexed files; use use_index=auto")
	case s.req.UseIndex == api.IndexNever:
		return api.FallbackNoIndex, nil
	}
	if ok, why := s.pat.Eligible(); !ok {
		return refuse(api.CodeNotEligible, why, "only literals, words and phrases are answered from the index; set regex=false or use use_index=auto")
	}
	return "", nil
}

// fromIndex lists the candidates of the index. An eligible pattern makes it an
// indexed answer; for others the index only rules files out.
func (s *search) fromIndex(ctx context.Context, eligible, narrow bool) error {
	x := s.l.x
	s.listed = true
	// Unheld files first: one that is fed meanwhile is then among the candidates.
	var unheld []graph.FileID
	x.writer.Unheld(func(id graph.FileID, _ graph.Path) bool {
		unheld = append(unheld, id)
		return true
	})
	c, err := x.lexical.Candidates(ctx, s.pat)
	if err != nil {
		x.suspect(err)
		return fmt.Errorf("look up candidates: %w", err)
	}
	c.Narrowed = c.Narrowed && narrow
	pending := s.pending()
	if c.Narrowed {
		for _, id := range append(unheld, c.IDs...) {
			s.candidate(id, pending)
		}
	} else {
		if eligible {
			s.ans.FallbackReason = reason(api.FallbackNotSelective)
		}
		s.snap.Files(func(f graph.File) bool {
			s.consider(&f, pending)
			return true
		})
	}
	s.ans.IndexUsed = eligible && c.Narrowed
	s.countOdd(pending)
	text := len(s.paths)
	s.addPending(pending)
	slices.Sort(s.paths)
	s.paths = slices.Compact(s.paths)
	if c.Narrowed && !eligible {
		s.ans.PrefilteredFiles = max(s.textInScope()-text, 0)
	}
	return nil
}

// addPending adds those that are there.
func (s *search) addPending(pending map[graph.Path]freshness.Pending) {
	for path, p := range pending {
		if p.State == freshness.Missing || !s.inScope(path) {
			continue
		}
		if p.State == freshness.Marked && (path == "" || s.root.Tree.Ignored(path)) {
			continue
		}
		if c, odd := p.Entry.Content(); odd {
			s.ans.Skipped[string(c)]++
			continue
		}
		if s.req.MaxFileBytes > 0 && p.Entry.Sig.Size > s.req.MaxFileBytes {
			s.ans.Skipped["too_large"]++
			continue
		}
		s.paths = append(s.paths, path)
	}
}

func (s *search) candidate(id graph.FileID, pending map[graph.Path]freshness.Pending) {
	if f, ok := s.snap.File(id); ok {
		s.consider(&f, pending)
	}
}

func (s *search) consider(f *graph.File, pending map[graph.Path]freshness.Pending) {
	if _, open := pending[f.Path]; open || f.Content != graph.ContentText || !s.inScope(f.Path) {
		return
	}
	if s.req.MaxFileBytes > 0 && f.Sig.Size > s.req.MaxFileBytes {
		s.ans.Skipped["too_large"]++
		return
	}
	s.paths = append(s.paths, f.Path)
}

// textInScope counts the files that the search would look at without the index.
func (s *search) textInScope() int {
	n := 0
	s.snap.Files(func(f graph.File) bool {
		if f.Content == graph.ContentText && s.inScope(f.Path) {
			n++
		}
		return true
	})
	return n
}

func (s *search) inScope(p graph.Path) bool { return p.Under(s.base) && s.filter.Keep(p) }

// countOdd counts files that the index knows to be no text.
func (s *search) countOdd(pending map[graph.Path]freshness.Pending) {
	s.l.x.sets.oddFiles(func(p graph.Path, c graph.Content) bool {
		if _, open := pending[p]; !open && s.inScope(p) {
			s.ans.Skipped[string(c)]++
		}
		return true
	})
}

// fromWalk lists what a walk finds: the live search.
func (s *search) fromWalk(ctx context.Context) error {
	s.ans.IsStale = false // the disk is what is read
	opts := tree.WalkOptions{
		NoIgnore: s.base != "" && s.root.Tree.Ignored(s.base), NamesOnly: s.req.MaxFileBytes == 0, ByPath: true,
	}
	if s.base != "" {
		opts.Scope = []graph.Path{s.base}
	}
	err := s.root.Tree.Walk(ctx, opts, func(e tree.Entry) error {
		if !s.inScope(e.Path) {
			return nil
		}
		if c, odd := e.Content(); odd {
			s.ans.Skipped[string(c)]++
			return nil
		}
		if s.req.MaxFileBytes > 0 && e.Sig.Size > s.req.MaxFileBytes {
			s.ans.Skipped["too_large"]++
			return nil
		}
		s.paths = append(s.paths, e.Path)
		return nil
	})
	slices.Sort(s.paths) // as good as sorted: it costs a look at each
	return err
}

// files reads candidates for the scan.
type files struct{ t *tree.Tree }

func (f files) Read(p graph.Path, buf []byte) ([]byte, error) {
	src, err := f.t.Load(p, buf)
	if errors.Is(err, tree.ErrNotExist) || errors.Is(err, tree.ErrIsDir) {
		return nil, scan.Skip("missing")
	}
	return src, err
}

// run scans the paths and shapes the answer.
func (s *search) run(ctx context.Context) error {
	limit := s.req.Limit
	if limit <= 0 {
		limit = defaultGrepLimit
	}
	r := scan.Request{
		Pattern: s.pat, Paths: s.paths, Files: files{s.root.Tree}, Limit: limit, FilesOnly: s.req.FilesOnly,
		Before: s.req.ContextBefore, After: s.req.ContextAfter, MaxText: maxLineText,
	}
	ranked := s.ans.RankedBy != api.RankMatch
	r.NoHash = !ranked && !s.req.ReturnEvidenceIDs && !s.req.DedupeBySymbol && !s.req.GraphContext
	if ranked || s.req.DedupeBySymbol {
		r.Limit = max(limit, rankPool)
	}
	res, err := scan.Run(ctx, r)
	if err == nil && s.cut {
		err = ctx.Err()
	}
	if err != nil {
		if ctx.Err() == nil {
			return fmt.Errorf("scan files: %w", err)
		}
		s.ans.Deadline = errors.Is(ctx.Err(), context.DeadlineExceeded)
		s.ans.Cancelled = !s.ans.Deadline
	}
	s.ans.FilesScanned = res.Scanned
	s.ans.Truncated = res.Truncated || err != nil || len(res.GaveUp) > 0
	for _, at := range res.GaveUp {
		s.ans.GaveUp = append(s.ans.GaveUp, api.Place{Path: s.display(at.Path), Line: at.Line})
	}
	for why, n := range res.Skipped {
		if why != "missing" {
			s.ans.Skipped[why] += n
		}
	}
	for _, n := range s.ans.Skipped {
		s.ans.SkippedFiles += n
	}
	if s.req.FilesOnly {
		for _, m := range res.Matches {
			s.ans.Files = append(s.ans.Files, m.Path)
		}
		return nil
	}
	return s.shape(ctx, res.Matches, limit)
}

// display is how a path of a further root is shown: absolute, since relative ones
// belong to the workspace.
func (s *search) display(p graph.Path) graph.Path {
	if s.root.Index {
		return p
	}
	return graph.Path(strings.TrimSuffix(s.root.Path, "/") + "/" + string(p))
}
