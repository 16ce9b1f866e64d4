package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

const (
	questions = 14 // asked at each barrier
	hubsWait  = time.Minute
	// hubsEvery is the number of barriers, on an average, from one at which a server is
	// asked for hubs to the next: it computes them a second after the last change.
	hubsEvery = 5
)

// barrier brings the engine up to date by a question and compares all that it says.
func (r *run) barrier(ctx context.Context, n int) error {
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	var first []early
	var err error
	if n%2 == 1 {
		if first, err = r.askEarly(ctx, rng); err != nil {
			return err
		}
	}
	ans, err := r.settle(ctx)
	if err != nil {
		return err
	}
	if err := r.tidied(); err != nil {
		return err
	}
	cold, done, err := r.cold(ctx)
	if err != nil {
		return err
	}
	defer done()
	if ans.IndexGeneration == 0 { // there must be nothing to say
		return r.compareStatus(ctx, cold)
	}
	places, err := r.compareExport(ctx, cold)
	if err != nil {
		return err
	}
	if err := r.compareStatus(ctx, cold); err != nil {
		return err
	}
	if r.c.Stored != nil {
		if err := r.compareStored(cold); err != nil {
			return err
		}
	}
	if err := r.compareGreps(ctx, cold, rng); err != nil {
		return err
	}
	st, err := cold.Status(ctx)
	if err != nil || st.FilesIndexed == 0 {
		return err // a new index of no files has no generation to ask about
	}
	if err := r.compareEarly(ctx, cold, first); err != nil {
		return err
	}
	r.places = places
	return r.compareGraph(ctx, cold, rng, places)
}

// compareExport compares the definitions and what references are bound to, and
// returns how definitions can be named.
func (r *run) compareExport(ctx context.Context, cold Engine) ([]string, error) {
	var got, want bytes.Buffer
	if err := r.engine.Export(ctx, &got); err != nil {
		return nil, err
	}
	var none *api.Error
	if err := cold.Export(ctx, &want); err != nil && (!errors.As(err, &none) || none.Code != api.CodeIndexNotReady) {
		return nil, err // an index that never held a file has nothing to export
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		return nil, differs("export", "%s", lineDiff(strings.Split(got.String(), "\n"), strings.Split(want.String(), "\n")))
	}
	var places []string
	for dec := json.NewDecoder(&want); dec.More(); {
		var l struct {
			K, File, QName string
			Line           uint32
		}
		if err := dec.Decode(&l); err != nil {
			return nil, fmt.Errorf("read export: %w", err)
		}
		if l.K == "def" {
			places = append(places, fmt.Sprintf("%s:%d", l.File, l.Line), l.QName, l.File)
		}
	}
	return places, nil
}

// lineDiff shows the first lines that only one side has.
func lineDiff(got, want []string) string {
	only := func(a, b []string) []string {
		in := map[string]int{}
		for _, l := range b {
			in[l]++
		}
		var out []string
		for _, l := range a {
			if in[l]--; in[l] < 0 && len(out) < 6 {
				out = append(out, l)
			}
		}
		return out
	}
	more, fewer := only(got, want), only(want, got)
	if len(more)+len(fewer) == 0 {
		return "the same lines in another order"
	}
	for i := range min(len(more), len(fewer)) {
		more[i], fewer[i] = around(more[i], fewer[i])
	}
	return fmt.Sprintf("only the engine under test says\n  %s\nonly a cold one says\n  %s", strings.Join(more, "\n  "), strings.Join(fewer, "\n  "))
}

// around cuts two long lines down to where they begin to differ.
func around(a, b string) (string, string) {
	const before, most = 200, 600
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	cut := func(s string) string {
		if len(s) <= most {
			return s
		}
		from := max(at-before, 0)
		return fmt.Sprintf("…%s…", s[from:min(from+most, len(s))])
	}
	return cut(a), cut(b)
}

func (r *run) compareStatus(ctx context.Context, cold Engine) error {
	say := func(e Engine) ([]string, error) {
		s, err := e.Status(ctx)
		if err != nil {
			return nil, err
		}
		if e == r.engine {
			r.counts.Files = max(r.counts.Files, s.FilesIndexed)
		}
		out := []string{fmt.Sprintf("%d files, %d bytes, %d partial, %d dirty, stale %v, degraded %q", s.FilesIndexed, s.SourceBytes, s.Partial, s.DirtyPathsCount, s.IsStale, s.Degraded)}
		for _, l := range s.Languages {
			out = append(out, fmt.Sprintf("%+v", l))
		}
		for _, f := range s.Failed {
			out = append(out, fmt.Sprintf("failed %+v", f))
		}
		return out, nil
	}
	got, err := say(r.engine)
	if err != nil {
		return err
	}
	want, err := say(cold)
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return differs("status", "%s", lineDiff(got, want))
	}
	return nil
}

// compareStored compares the records and facts of all files and the files of all
// names that occur.
func (r *run) compareStored(cold Engine) error {
	var sides [2][]string
	names := map[string]bool{}
	var views [2]Stored
	for i, e := range [2]Engine{r.engine, cold} {
		v, err := r.c.Stored(e)
		if err != nil {
			return err
		}
		defer v.Release()
		views[i] = v
		if sides[i], err = r.dump(v, names); err != nil {
			return err
		}
	}
	if !slices.Equal(sides[0], sides[1]) {
		return differs("facts", "%s", lineDiff(sides[0], sides[1]))
	}
	for name := range names {
		r.counts.Names++
		if got, want := postings(views[0], name), postings(views[1], name); !slices.Equal(got, want) {
			return differs("postings of "+name, "%s", lineDiff(got, want))
		}
	}
	return nil
}

// dump lists what is stored, without what differs from index to index.
func (r *run) dump(v Stored, names map[string]bool) ([]string, error) {
	var out []string
	var failed error
	v.Files(func(f graph.File) bool {
		facts, err := v.Facts(f.ID)
		if err != nil {
			failed = err
			return false
		}
		id, ok := v.Lookup(f.Path)
		inDir := slices.Contains(v.Dir(f.Path.Dir()), f.ID)
		// A file that was only touched is known by its hash; its times are stored with
		// the next run that has something to store.
		f.ID, f.Racy, f.Sig = 0, false, graph.Signature{Size: f.Sig.Size}
		if r.c.Watched && f.Content == graph.ContentSpecial {
			f.Reason = ""
		}
		b, err := json.Marshal(facts)
		if err != nil {
			failed = err
			return false
		}
		out = append(out, fmt.Sprintf("%+v listed %v %v %s", f, ok && id != 0, inDir, b))
		if facts != nil {
			for i := range facts.Defs {
				names[facts.Defs[i].Name] = true
			}
			facts.RefNames(func(n string) { names[n] = true })
		}
		return true
	})
	if failed != nil {
		return nil, fmt.Errorf("read what is stored: %w", failed)
	}
	return out, nil
}

// postings lists who defines and who uses a name. A view may list a few files too
// many: only those that do are compared, and that none is missing.
func postings(v Stored, name string) []string {
	var out []string
	for i, ids := range [2][]graph.FileID{v.Definers(name), v.Referrers(name)} {
		for _, id := range ids {
			f, ok := v.File(id)
			if !ok {
				out = append(out, fmt.Sprintf("a file that is not live: %d", id))
				continue
			}
			facts, err := v.Facts(id)
			if err != nil || facts == nil {
				continue
			}
			defines, refers := slices.ContainsFunc(facts.Defs, func(d graph.Def) bool { return d.Name == name }), false
			facts.RefNames(func(n string) { refers = refers || n == name })
			if i == 0 && defines || i == 1 && refers {
				out = append(out, fmt.Sprintf("%d %s", i, f.Path))
			}
		}
	}
	slices.Sort(out)
	return out
}

// compareGraph compares answers to random questions.
func (r *run) compareGraph(ctx context.Context, cold Engine, rng *rand.Rand, places []string) error {
	hubs := !r.c.Watched || rng.IntN(hubsEvery) == 0
	for i := range questions {
		req := randomQuestion(rng, places)
		if i == 0 {
			req = query.Request{Type: query.Hubs, Limit: query.MaxLimit}
		}
		if req.Type == query.Hubs && !hubs {
			continue
		}
		r.counts.Questions++
		got, err := answer(ctx, r.engine, req, api.Required)
		if err != nil {
			return err
		}
		want, err := answer(ctx, cold, req, api.AllowStale)
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			q, _ := json.Marshal(req)
			return differs("graph "+string(q), "%s", lineDiff(got, want))
		}
	}
	return nil
}

// answer asks until hubs, if they are asked for, are those of now.
func answer(ctx context.Context, e Engine, req query.Request, p api.Policy) ([]string, error) {
	for deadline := time.Now().Add(hubsWait); ; {
		ans, err := e.Graph(ctx, &api.GraphRequest{Request: req, Freshness: p, TimeoutMS: plenty})
		var refused *api.Error
		if errors.As(err, &refused) {
			return []string{refused.Error()}, nil // a scope that is not there, for one
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ans.MissingData, query.MissingHubsPending) || ans.IndexGeneration == 0 {
			return lines(ans)
		}
		if time.Now().After(deadline) {
			return nil, differs("hubs", "they are pending after %v", hubsWait)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// staleLine begins the line of an answer that is about the rest of the tree.
const staleLine = "stale "

// lines shows an answer in parts, without what differs from index to index.
func lines(ans *api.GraphAnswer) ([]string, error) {
	a := ans.Answer
	a.Metadata.HubsAt, a.Metadata.Visited = 0, 0
	out := []string{fmt.Sprintf(staleLine+"%v, dirty %d", ans.IsStale, ans.DirtyPathsCount)}
	put := func(v any) error {
		b, err := json.Marshal(v)
		out = append(out, string(b))
		return err
	}
	for _, n := range a.Nodes {
		if err := put(n); err != nil {
			return nil, err
		}
	}
	for _, e := range a.Edges {
		if err := put(e); err != nil {
			return nil, err
		}
	}
	a.Nodes, a.Edges = nil, nil
	err := put(a) // before out is read
	return out, err
}

// randomQuestion makes a question about one of the places, or about a name that may
// or may not be there.
func randomQuestion(rng *rand.Rand, places []string) query.Request {
	target := func() string {
		if len(places) > 0 && rng.IntN(5) > 0 {
			return places[rng.IntN(len(places))]
		}
		names := []string{"Fa", "Fb", "Fc", "Ca", "Cb", "Ca.Ma", "Cb.Mb", "Ma", "lib/a.py", "web/a.ts", "a.go", "gone"}
		return names[rng.IntN(len(names))]
	}
	kinds := []query.Type{query.Neighbors, query.Neighbors, query.Impact, query.Impact, query.Path, query.Tests, query.Hubs}
	req := query.Request{Type: kinds[rng.IntN(len(kinds))], Target: target(), Limit: query.MaxLimit}
	switch req.Type {
	case query.Neighbors:
		req.Depth = 1 + rng.IntN(query.MaxNeighborDepth)
		req.Direction = []query.Direction{query.In, query.Out, query.Both}[rng.IntN(3)]
	case query.Path:
		req.TargetB = target()
	case query.Hubs:
		req.Target = ""
		req.ScopePath = graph.Path([]string{"", "lib", "web"}[rng.IntN(3)])
	}
	return req
}
