package engine

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/store"
)

// The job history is bounded as the contract says.
const (
	maxJobs   = 100
	maxJobAge = 14 * 24 * time.Hour
)

// jobLog is the history of jobs, newest last, kept in the store.
type jobLog struct {
	store *store.Store
	clock func() time.Time

	mu    sync.Mutex
	jobs  []api.Job
	moved bool // since it was stored
}

func newJobLog(s *store.Store, clock func() time.Time) *jobLog {
	return &jobLog{store: s, clock: clock}
}

// load reads the history; an unreadable one is forgotten, since nothing depends on it.
func (l *jobLog) load() {
	b, ok, err := l.store.Meta(metaJobs)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || !ok || json.Unmarshal(b, &l.jobs) != nil {
		l.jobs = nil
	}
}

// add notes a job. Storing the history costs more than indexing a small file, so it
// waits for save.
func (l *jobLog) add(mode api.ReindexMode, began time.Time, a *api.ReindexAnswer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	l.jobs = append(l.jobs, api.Job{
		JobID: a.JobID, Generation: a.Generation, Mode: mode, Status: a.JobStatus,
		StartedAt: unixSeconds(began), FinishedAt: unixSeconds(now),
		FilesSeen: a.FilesSeen, FilesAdded: a.AddedCount, FilesChanged: a.ChangedCount, FilesRemoved: a.RemovedCount, FilesFailed: len(a.FailedFiles),
		ErrorSummary: a.ErrorSummary,
	})
	oldest := unixSeconds(now.Add(-maxJobAge))
	keep := l.jobs[:0]
	for i, j := range l.jobs {
		if len(l.jobs)-i <= maxJobs && j.StartedAt >= oldest {
			keep = append(keep, j)
		}
	}
	l.jobs, l.moved = keep, true
}

// save stores the history where it has changed. It is idle work of a server.
func (l *jobLog) save() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.moved {
		return
	}
	if b, err := json.Marshal(l.jobs); err == nil {
		l.moved = l.store.SetMeta(map[string][]byte{metaJobs: b}) != nil // history only: the next time tries again
	}
}

func (l *jobLog) empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.jobs) == 0
}

// last returns the newest job and the newest one that succeeded.
func (l *jobLog) last() (newest, done *api.Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.jobs) - 1; i >= 0; i-- {
		j := l.jobs[i]
		if newest == nil {
			newest = &j
		}
		if j.Status == api.JobOK || j.Status == api.JobSkipped {
			return newest, &j
		}
	}
	return newest, nil
}
