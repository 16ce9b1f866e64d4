package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/evidence"
	"github.com/ralph-index/ralph-index/engine/partial"
	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
)

// source looks ids up in the index where there is one, and in the tree where not.
type source struct {
	tree *tree.Tree
	x    *index
	snap *store.Snapshot
}

// PathOf implements evidence.Source. Without an index, or for files that it does
// not know, the tree is walked: an id of a live search must open too.
func (s source) PathOf(ctx context.Context, k graph.PathKey) (graph.Path, bool) {
	if s.snap != nil {
		if p, ok := s.snap.PathOf(k); ok {
			return p, true
		}
	}
	var found graph.Path
	errFound := errors.New("found")
	err := s.tree.Walk(ctx, tree.WalkOptions{NoIgnore: true}, func(e tree.Entry) error {
		if graph.KeyOf(e.Path) == k {
			found = e.Path
			return errFound
		}
		return nil
	})
	return found, errors.Is(err, errFound)
}

// Facts implements evidence.Source.
func (s source) Facts(p graph.Path) *graph.Facts {
	if s.snap == nil {
		return nil
	}
	id, ok := s.snap.Lookup(p)
	if !ok {
		return nil
	}
	f, err := s.snap.Outline(id)
	if err != nil {
		s.x.suspect(err)
		return nil
	}
	return f
}

// Read implements evidence.Source.
func (s source) Read(_ context.Context, p graph.Path) ([]byte, graph.Hash, error) {
	src, _, err := s.tree.Read(p, nil)
	if errors.Is(err, tree.ErrNotExist) {
		return nil, graph.Hash{}, errors.Join(evidence.ErrMissing, err)
	}
	if err != nil {
		return nil, graph.Hash{}, err
	}
	return src, sum(src), nil
}

// Former implements evidence.Source.
func (s source) Former(k graph.PathKey, head [4]byte) (graph.Path, graph.Hash, bool) {
	if s.x == nil {
		return "", graph.Hash{}, false
	}
	t, ok, err := s.x.store.Tombstone(graph.ID{Kind: graph.IDEvidence, Path: k, Head: head})
	if err != nil || !ok {
		return "", graph.Hash{}, false
	}
	return t.Path, t.Hash, true
}

// withSource calls f with a source on the current generation.
func (l *local) withSource(f func(source) error) error {
	s := source{tree: l.ws.Tree()}
	if l.x != nil {
		s.x, s.snap = l.x, l.x.store.Snapshot()
		defer s.snap.Release()
	}
	return f(s)
}

// readID opens an evidence, span or symbol id. Facts that are behind the disk are
// brought up to date once: the id may be of the newer bytes.
func (l *local) readID(ctx context.Context, req *api.ReadRequest, id string) (*api.ReadAnswer, error) {
	open := func() (*evidence.Found, error) {
		var found *evidence.Found
		err := l.withSource(func(s source) error {
			var err error
			found, err = evidence.Open(ctx, s, id, req.ExpectedContentHash)
			return err
		})
		return found, err
	}
	found, err := open()
	var typed *api.Error
	var old *evidence.StaleError
	if errors.As(err, &old) && l.x != nil && l.x.recheck(ctx, api.PreferFresh, []graph.Path{old.Path}) {
		again, err2 := open()
		var unknown *evidence.UnknownError
		if !errors.As(err2, &unknown) { // else the file or the symbol went away: the first error says more
			found, err = again, err2
		}
	}
	if err != nil {
		err = evidenceError(req, id, err)
		if errors.As(err, &typed) && typed.Code == api.CodeStaleEvidence && req.ExpectedContentHash == "" {
			l.replaced(ctx, id, typed)
		}
		return nil, err
	}
	return l.found(ctx, req, found)
}

// found shapes an opened id. Where max_bytes has no room for the lines around what
// was found, they are left out before any of that is.
func (l *local) found(ctx context.Context, req *api.ReadRequest, f *evidence.Found) (*api.ReadAnswer, error) {
	limit, around := maxBytes(req), req.ContextLines
	text, exact, err := cutLines(ctx, f.Bytes, f.From, f.To, around)
	total := int64(len(text))
	if err == nil && total > limit && around > 0 {
		around = 0
		text, exact, err = cutLines(ctx, f.Bytes, f.From, f.To, 0)
	}
	if err != nil {
		return nil, readError(selector(req), string(f.Path), err)
	}
	if at := bytes.IndexByte(f.Bytes, 0); at >= 0 && !exact { // an id of the whole file: no search found a line here
		return nil, readError(selector(req), string(f.Path), &partial.InvalidUTF8Error{Offset: int64(at)})
	}
	ans := &api.ReadAnswer{
		Mode: api.ReadIndexed, Path: string(f.Path), Content: text, StartLine: f.From, EndLine: f.To,
		ContextLines: around, EvidenceID: req.EvidenceID, SpanID: req.SpanID, Symbol: req.Symbol, InvalidUTF8: !exact,
	}
	if total > limit {
		ans.Content, ans.TotalBytes = string(partial.Preview([]byte(text), limit)), total
		oversize(ans, limit)
	}
	if req.ReturnMetadata {
		ans.ContentHash = f.Hash.String()
	}
	return ans, nil
}

// selector names the argument of a read that is an id or a symbol.
func selector(req *api.ReadRequest) string {
	switch {
	case req.SpanID != "":
		return "span_id"
	case req.Symbol != "":
		return "symbol"
	}
	return "evidence_id"
}

// staleReason puts what became of a file into the words of its tombstone.
func staleReason(why string) store.Reason {
	if why == evidence.FileMissing {
		return store.ReasonDeleted
	}
	return store.ReasonChanged
}

func evidenceError(req *api.ReadRequest, id string, err error) error {
	arg := selector(req)
	var old *evidence.StaleError
	var unknown *evidence.UnknownError
	switch {
	case errors.As(err, &old):
		e := stale(string(old.Path), old.Reason, old.Expected, old.Current)
		var typed *api.Error
		if errors.As(e, &typed) {
			typed.Argument = arg
			typed.Details[arg] = id
			typed.Details["replacement_evidence_id"] = nil
			typed.Details["stale_reason"] = string(staleReason(old.Reason))
		}
		return e
	case errors.As(err, &unknown):
		return &api.Error{
			Code: api.CodeUnknownEvidence, Argument: arg,
			Message: fmt.Sprintf("%q names nothing here (%s); ids come from ralph_graph and grep_files answers", id, unknown.Reason),
			Details: map[string]any{arg: id, "reason": unknown.Reason},
		}
	}
	path := id
	var odd *tree.Error
	if errors.As(err, &odd) {
		path = string(odd.Path)
	}
	return readError(arg, path, err)
}

// readSymbol reads the definition that a name denotes.
func (l *local) readSymbol(ctx context.Context, req *api.ReadRequest) (*api.ReadAnswer, error) {
	if _, isID := graph.ParseID(req.Symbol); isID {
		return l.readID(ctx, req, req.Symbol)
	}
	if l.x == nil || l.x.store.Generation() == 0 {
		return nil, &api.Error{
			Code: api.CodeIndexUnavailable, Argument: "symbol", Message: "symbols need the index, which is not there yet; read by path, or call ralph_reindex first",
			Details: map[string]any{"reason": "no_explore_index_handle", "symbol": req.Symbol},
		}
	}
	l.x.freshen(ctx, api.PreferFresh)
	id, err := l.symbolID(ctx, req.Symbol)
	if err != nil {
		return nil, err
	}
	ans, err := l.readID(ctx, req, id)
	if ans != nil {
		ans.SpanID = id
		_ = l.withSource(func(s source) error {
			if f := s.Facts(graph.Path(ans.Path)); f != nil {
				parsed, _ := graph.ParseID(id)
				if def, ok := graph.FindSymbol(f, parsed); ok && def != graph.NoDef {
					ans.SpanID = graph.SpanID(f.Path, f.Hash, f.Defs[def].Span)
					ans.Symbol = symbolName(f, def)
				}
			}
			return nil
		})
	}
	return ans, err
}

// symbolID resolves a name to one symbol id, or says what it could mean.
func (l *local) symbolID(ctx context.Context, name string) (string, error) {
	snap := l.x.store.Snapshot()
	defer snap.Release()
	v := lister{snap}
	res, err := l.x.planner.Resolve(ctx, v, name)
	if err != nil {
		return "", nameError("symbol", err)
	}
	switch len(res.Symbols) {
	case 1:
		return l.x.idOf(snap, res.Symbols[0]), nil
	case 0:
		e := evidenceError(&api.ReadRequest{Symbol: name}, name, &evidence.UnknownError{ID: name, Reason: "no_matching_symbol"})
		var typed *api.Error
		if errors.As(e, &typed) && len(res.Nearest) > 0 {
			typed.Details["nearest"] = res.Nearest
		}
		return "", e
	}
	const most = 25
	candidates := []map[string]any{}
	for _, s := range res.Symbols[:min(len(res.Symbols), most)] {
		rec, _ := snap.File(s.File)
		c := map[string]any{"path": rec.Path, "qualified_name": l.x.planner.Label(v, s), "symbol_id": l.x.idOf(snap, s)}
		if f, err := snap.Outline(s.File); err == nil && f != nil && s.Def != graph.NoDef {
			c["line"], c["kind"] = f.Defs[s.Def].NameSpan.From.Line, f.Defs[s.Def].Kind
		}
		candidates = append(candidates, c)
	}
	return "", &api.Error{
		Code: api.CodeAmbiguousSymbol, Argument: "symbol",
		Message: fmt.Sprintf("%q names %d definitions; give more of the qualified name, or one of the symbol ids", name, len(res.Symbols)),
		Details: map[string]any{"symbol": name, "candidates": candidates, "total": len(res.Symbols)},
	}
}

// idOf mints the id of a symbol.
func (x *index) idOf(snap *store.Snapshot, s graph.Symbol) string {
	if f, err := snap.Outline(s.File); err == nil && f != nil && s.Def != graph.NoDef {
		return graph.SymbolID(f, s.Def)
	}
	rec, _ := snap.File(s.File)
	return graph.FileSymbolID(rec.Path)
}

// symbolOf finds the symbol that an id names in a generation.
func (x *index) symbolOf(snap *store.Snapshot, id string) (graph.Symbol, bool) {
	parsed, ok := graph.ParseID(id)
	if !ok || parsed.Kind != graph.IDSymbol {
		return graph.Symbol{}, false
	}
	p, ok := snap.PathOf(parsed.Path)
	if !ok {
		return graph.Symbol{}, false
	}
	file, ok := snap.Lookup(p)
	if !ok {
		return graph.Symbol{}, false
	}
	f, err := snap.Outline(file)
	if err != nil || f == nil {
		return graph.Symbol{File: file, Def: graph.NoDef}, err == nil
	}
	def, ok := graph.FindSymbol(f, parsed)
	return graph.Symbol{File: file, Def: def}, ok
}
