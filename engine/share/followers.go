package share

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// followers are the processes that watch a leader.
type followers struct {
	mu   sync.Mutex
	last int
	now  map[string]*api.Process // by the number that they were given
}

// add enters a process and returns its number.
func (f *followers) add(r *http.Request, at time.Time) string {
	pid, _ := strconv.Atoi(r.Header.Get(headerPID)) // for display: 0 says unknown
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now == nil {
		f.now = map[string]*api.Process{}
	}
	f.last++
	id := strconv.Itoa(f.last)
	f.now[id] = &api.Process{PID: pid, Version: r.Header.Get(headerVersion), Since: unixSeconds(at)}
	return id
}

func (f *followers) remove(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.now, id)
}

// called counts a call of the process with a number.
func (f *followers) called(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.now[id]; p != nil {
		p.Calls++
	}
}

// list returns the processes, those that have followed longest first.
func (f *followers) list() []api.Process {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]api.Process, 0, len(f.now))
	for _, p := range f.now {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b api.Process) int {
		switch {
		case a.Since < b.Since:
			return -1
		case a.Since > b.Since:
			return 1
		}
		return a.PID - b.PID
	})
	return out
}

func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1e3 }
