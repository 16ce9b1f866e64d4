package engine

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/engine/share"
	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
)

const (
	sweepEvery   = 2 * time.Second  // least time between sweeps beside queries
	hubsRest     = time.Second      // without a publish, before hubs are worth computing
	hubsLongRest = 30 * time.Second // the same, before they are worth storing
	mergeRest    = time.Second      // the same, before many small parts of the lexical index are merged
	mergeAnyRest = 5 * time.Minute  // the same, before any two parts are
	mergeRetry   = 10 * time.Second // after a merge that failed, or that others undid
)

// start begins what a leader does beside answering: it serves other processes, and,
// for a server, keeps the index fresh and small.
func (x *index) start(ctx context.Context, l *local, lease *share.Lease, socket *share.Listener) {
	ctx, x.stop = context.WithCancel(context.WithoutCancel(ctx)) // ended by close
	x.lease, x.socket, x.since = lease, socket, x.o.Clock()
	x.asking.Store(time.Now().UnixNano()) // to make the hubs leaves as much as questions do
	x.spawn = func(f func(context.Context)) { x.tasks.Go(func() { f(ctx) }) }
	x.tasks.Go(x.removeOlder)
	if x.o.Background {
		x.watchTree(ctx)
	}
	if socket != nil {
		x.tasks.Go(func() {
			opts := share.ServeOptions{Version: x.o.Version, Format: format, Workspace: x.o.Workspace, Log: x.log}
			if err := socket.Serve(ctx, served{l, ctx}, opts); err != nil {
				x.log.Warn("other processes cannot share this index", "err", err)
			}
		})
	}
	if !x.o.Background {
		return
	}
	x.tasks.Go(func() { l.ws.RecoverAll(ctx) })
	x.tasks.Go(func() { x.keep(ctx) })
}

// keep indexes at first, and then whenever there is something to do.
func (x *index) keep(ctx context.Context) {
	select {
	case <-x.watch.Ready(): // the first sweep then speaks for all that was not heard
	case <-ctx.Done():
		return
	}
	select {
	case <-x.watch.Turns(): // of the start
	default:
	}
	x.refreshAll(ctx)
	x.spawn(x.warm)
	x.spawn(x.tidyWhenIdle)
	tick := time.NewTicker(x.o.Idle.Tick)
	defer tick.Stop()
	var rest rest
	for {
		select {
		case <-ctx.Done():
			return
		case <-x.watch.Turns():
			x.follow(ctx)
		case <-x.asked:
			if time.Since(x.ledger.LastSweep()) >= sweepEvery {
				x.refreshAll(ctx)
			}
		case <-tick.C:
			x.idleSweep(ctx)
			rest.forget(x.asking.Load(), time.Now(), x.forget)
			rest.tick()
		}
	}
}

// forget drops what questions have left in memory.
func (x *index) forget() {
	x.planner.Forget()
	x.store.Forget()
}

// warm does what the first question and the first save would else wait for: it
// prepares the vocabulary and starts a parser process.
func (x *index) warm(ctx context.Context) {
	x.warmWords(ctx)
	if err := x.extract.Warm(ctx); err != nil && ctx.Err() == nil {
		x.log.Warn("no parser process", "err", err)
	}
}

// warmWords prepares the vocabulary of what was fed to the lexical index.
func (x *index) warmWords(ctx context.Context) {
	if err := x.lexical.Warm(ctx); err != nil && ctx.Err() == nil {
		x.suspect(err)
		x.log.Warn("lexical index was not prepared", "err", err)
	}
}

// tidyWhenIdle does idle work apart from what follows the files: after a first index
// of a large tree it takes many seconds, and a save must not wait for that.
func (x *index) tidyWhenIdle(ctx context.Context) {
	tick := time.NewTicker(x.o.Idle.Tick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			x.tidy(ctx)
		}
	}
}

// ask requests a sweep beside the queries, without waiting for it.
func (x *index) ask() {
	if !x.o.Background || time.Since(x.ledger.LastSweep()) < sweepEvery {
		return
	}
	select {
	case x.asked <- struct{}{}:
	default:
	}
}

// refreshAll sweeps and indexes whatever differs.
func (x *index) refreshAll(ctx context.Context) *api.ReindexAnswer {
	return x.run(ctx, indexer.Job{Mode: api.ReindexChanged, Sweep: true}, nil)
}

// tidy does idle work in portions, none of which begins while the writer works. The
// writer may begin meanwhile: only a flush keeps it waiting.
func (x *index) tidy(ctx context.Context) {
	if running, _ := x.writer.Running(); running {
		return
	}
	if !x.mend(ctx) {
		return
	}
	x.jobs.save()
	x.optimize(ctx)
	x.compact(ctx)
	rest := time.Since(time.Unix(0, x.lately.Load()))
	x.gather(ctx, rest)
	if rest >= hubsRest {
		x.hubs.refresh(ctx)
	}
	if rest >= hubsLongRest && x.hubs.current() {
		x.hubs.save()
	}
}

// compact puts what many small saves left behind into the form of a fresh index.
func (x *index) compact(ctx context.Context) {
	unheld := x.writer.UnheldCount()
	if err := x.writer.Flush(ctx, x.o.Idle.Flush); err != nil && !errors.Is(err, context.Canceled) {
		x.suspect(err)
		x.log.Warn("flush failed", "err", err)
	}
	if x.writer.UnheldCount() < unheld {
		x.warmWords(ctx)
	}
	if x.store.Pending() > x.o.Idle.Compact {
		if err := x.store.Compact(ctx); err != nil && !errors.Is(err, context.Canceled) {
			x.suspect(err)
			x.log.Warn("compaction failed", "err", err)
		}
	}
	if x.store.Garbage() > x.o.Idle.Collect {
		if err := x.store.Collect(ctx); err != nil && !errors.Is(err, context.Canceled) {
			x.suspect(err)
			x.log.Warn("garbage was not collected", "err", err)
		}
	}
}

// optimize merges the lexical index after a run that fed it much.
func (x *index) optimize(ctx context.Context) {
	if !x.fed.CompareAndSwap(true, false) {
		return
	}
	if err := x.lexical.Optimize(ctx); err != nil && !errors.Is(err, context.Canceled) {
		x.suspect(err)
		x.log.Warn("lexical index was not merged", "err", err)
	}
}

// leaveFed is optimize for a process that ends soon. Some large parts are no worse than
// those that saves leave: to merge them costs a tenth of a first index, and a server does
// it when it rests.
func (x *index) leaveFed(ctx context.Context) {
	if parts, err := x.lexical.Parts(); err != nil || parts > x.o.Idle.Parts {
		x.optimize(ctx)
		return
	}
	if err := x.lexical.Flush(ctx); err != nil && ctx.Err() == nil {
		x.suspect(err)
		x.log.Warn("lexical index was not written", "err", err)
		return
	}
	x.warmWords(ctx)
}

// gather merges the lexical index when saves have left it in parts, each of which costs
// an open file and a look-up for each question. A merge takes time in proportion to the
// whole index, so it is made for some hundred changed files, or once in a long rest.
func (x *index) gather(ctx context.Context, rest time.Duration) {
	now := time.Now().UnixNano()
	parts, err := x.lexical.Parts()
	switch {
	case err != nil, rest < mergeRest, now < x.mergeAt.Load():
		return // who asks for words hears of the error
	case parts <= x.o.Idle.Parts && (parts <= 1 || rest < mergeAnyRest):
		return
	}
	x.fed.Store(true)
	x.optimize(ctx)
	if left, err := x.lexical.Parts(); err != nil || left >= parts {
		x.mergeAt.Store(now + int64(mergeRetry))
	}
}

// run does a job, records it, and remembers what it proves.
func (x *index) run(ctx context.Context, job indexer.Job, progress func(api.Progress)) *api.ReindexAnswer {
	whole := len(job.Scope) == 0 && (job.Sweep || job.Mode == api.ReindexFull)
	if whole && job.Mode == api.ReindexChanged {
		job.Force = x.outdated()
	}
	x.notice()
	began := x.o.Clock()
	ans := x.writer.Run(ctx, job, progress)
	if whole && done(ans) {
		x.finished(job)
	}
	if done(ans) {
		x.resume()
	}
	if ans.ChangedCount > x.o.Idle.Optimize {
		x.fed.Store(true)
		if !x.o.Background { // nobody will do it later
			x.leaveFed(ctx)
		}
	}
	ans.ElapsedSeconds = x.o.Clock().Sub(began).Seconds()                                                    // with what followed the publish
	gaveUp := job.Patience > 0 && ans.JobStatus == api.JobTimedOut && ans.ChangedCount+ans.RemovedCount == 0 // a question did, and another job goes on
	if ans.JobStatus != api.JobSkipped && !gaveUp || x.jobs.empty() {
		x.jobs.add(job.Mode, began, ans)
		if !x.o.Background { // nobody will do it later
			x.jobs.save()
		}
		if newest, _ := x.jobs.last(); x.o.Indexed != nil && ans.ChangedCount+ans.RemovedCount > 0 {
			x.o.Indexed(*newest)
		}
	}
	return ans
}

// finished notes that the index covers everything, by the rules of this binary.
func (x *index) finished(job indexer.Job) {
	if job.Mode == api.ReindexChanged {
		x.sweepTook.Store(int64(x.ledger.SweepTook()))
	}
	versions, err := json.Marshal(extractorVersions())
	if err != nil {
		return
	}
	if x.complete.Load() && job.Force == nil {
		return
	}
	if err := x.store.SetMeta(map[string][]byte{metaComplete: {1}, metaVersions: versions}); err != nil {
		x.log.Warn("state of the index was not stored", "err", err)
		return
	}
	x.complete.Store(true)
	x.removeOlder()
}

func extractorVersions() map[string]string {
	out := map[string]string{"": extract.Version("")}
	for _, lang := range extract.Languages() {
		out[lang] = extract.Version(lang)
	}
	return out
}

// outdated says which files were extracted by other rules than this binary's; nil
// when none can have been.
func (x *index) outdated() func(graph.File) bool {
	b, ok, err := x.store.Meta(metaVersions)
	if err != nil || !ok {
		return nil
	}
	was := map[string]string{}
	if json.Unmarshal(b, &was) != nil {
		return nil
	}
	stale := map[string]bool{}
	for lang, v := range extractorVersions() {
		if was[lang] != v {
			stale[lang] = true
		}
	}
	if len(stale) == 0 {
		return nil
	}
	return func(f graph.File) bool {
		lang := f.Language
		if lang == "" { // a language may be new
			lang = extract.Detect(f.Path, nil)
		}
		return stale[lang]
	}
}
