package engine

import (
	"context"
	"os"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/freshness/watch"
)

// statusSweep bounds what a status spends on looking at the disk.
const statusSweep = 2 * time.Second

// Status reports the health of the index. It stats the tree when nobody has for a
// while: what it says of staleness is about the disk, not about what was last seen.
func (l *local) Status(ctx context.Context) (*api.Status, error) {
	s := &api.Status{
		Capabilities: []string{}, GraphBackend: "badger", LastRefreshKind: "none", Workspace: l.o.Workspace,
		Languages: []api.LanguageCount{}, Failed: []api.FailedFile{}, Odd: []api.OddFiles{}, Degraded: l.degraded,
		Watcher: api.Watcher{State: string(watch.Off)},
	}
	l.ignoreRule(s)
	if l.x == nil {
		s.ColdIndexRequired = true
		s.Enabled = l.o.Existing && !l.o.NoIndex && l.degraded == "" // it is only that there is none yet
		return s, nil
	}
	return s, l.x.status(ctx, s)
}

func (l *local) ignoreRule(s *api.Status) {
	c := l.ws.IgnoreCoverage()
	s.GitignoreCoverage = api.IgnoreRule{Present: c.Present, Rule: c.Rule}
	s.IgnoreRulePresent = c.Present
	if c.Present {
		s.IgnoreRuleRepair = api.IgnoreRepair{Action: "none", Reason: "managed_ignore_rule_present"}
		return
	}
	s.IgnoreRuleRepair = api.IgnoreRepair{
		Required: true, Action: "seed_default_gitignore", Reason: "managed_ignore_rule_missing", TargetFile: c.File,
		PatternsToAppend: []string{".agent/"}, NextCommand: "ralph-index init",
		Description: "Add .agent/ to .gitignore, by hand or with `ralph-index init`, so that the index stays a disposable cache and is not committed.",
	}
}

func (x *index) status(ctx context.Context, s *api.Status) error {
	if !x.hear(ctx, api.PreferFresh) && x.store.Generation() > 0 && (x.unswept() && !x.slow.Load() || x.due()) {
		ctx, stop := context.WithTimeout(ctx, statusSweep)
		defer stop()
		if _, err := x.ledger.Sweep(ctx, x.tree, nil); err != nil {
			x.log.Debug("status did not see the whole tree", "err", err)
		}
	}
	snap := x.store.Snapshot()
	defer snap.Release()
	counts, ledger := snap.Counts(), x.ledger.Counts()
	s.Enabled, s.Leader, s.LeaderPID = true, true, os.Getpid()
	s.Degraded = x.holding()
	s.Leading = &api.Process{PID: os.Getpid(), Version: x.o.Version, Since: unixSeconds(x.since), Calls: x.calls.Load()}
	if x.socket != nil {
		s.Followers = x.socket.Followers()
	}
	s.Capabilities = []string{"evidence_lookup", "fts_search", "graph_query"}
	s.Generation = snap.Generation()
	s.IndexExists = s.Generation > 0
	s.ColdIndexRequired = !x.complete.Load()
	s.FilesIndexed, s.SourceBytes = counts.Files, counts.Bytes
	s.Partial = counts.Partial
	s.FilesStale, s.StalePathsCount, s.DirtyPathsCount = ledger.Stale(), ledger.Stale(), dirty(ledger)
	s.IsStale = s.DirtyPathsCount > 0 || ledger.All || s.IndexExists && s.ColdIndexRequired
	s.LastSweepAt = unixSeconds(x.ledger.LastSweep())
	s.ReindexInProgress, s.Progress = x.writer.Running()
	s.Watcher = x.watcher()
	if t := x.hubs.table.Load(); t != nil {
		s.HubsGeneration = t.Generation()
	}
	newest, done := x.jobs.last()
	s.LastJob = newest
	if done != nil {
		s.IndexedAt = &done.FinishedAt
		s.LastRefreshKind = string(done.Mode)
	}
	found := surveyOf(snap)
	s.Languages, s.Failed, s.Odd = found.languages(), found.failed, found.oddFiles()
	var err error
	s.IndexStorageBytes, err = x.storageBytes()
	return err
}

func (x *index) storageBytes() (int64, error) {
	a, err := x.store.StorageBytes()
	if err != nil {
		return 0, err
	}
	b, err := x.lexical.StorageBytes()
	return a + b, err
}
