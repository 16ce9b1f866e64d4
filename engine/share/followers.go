package share

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// followers are the processes that watch a leader, those that came first in front.
type followers struct {
	mu   sync.Mutex
	last int
	now  []follower
}

type follower struct {
	id string // that its calls carry
	api.Process
}

// add enters a process and returns the number that stands for it.
func (f *followers) add(r *http.Request, at time.Time) string {
	pid, _ := strconv.Atoi(r.Header.Get(headerPID)) // for display: 0 says unknown
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	p := follower{strconv.Itoa(f.last), api.Process{PID: pid, Version: r.Header.Get(headerVersion), Since: unixSeconds(at)}}
	f.now = append(f.now, p)
	return p.id
}

func (f *followers) remove(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = slices.DeleteFunc(f.now, func(p follower) bool { return p.id == id })
}

// called counts a call of the process with a number.
func (f *followers) called(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.now {
		if f.now[i].id == id {
			f.now[i].Calls++
		}
	}
}

// list returns the processes, those that have followed longest first.
func (f *followers) list() []api.Process {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]api.Process, 0, len(f.now))
	for _, p := range f.now {
		out = append(out, p.Process)
	}
	return out
}

func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1e3 }
