package worker

import (
	"errors"
	"time"
)

// slot owns one process at a time. Its goroutine alone touches its fields.
type slot struct {
	pool *Pool

	child  *child
	queue  []*job // at the process, oldest first
	again  []*job // to be sent once more after a crash
	timer  *time.Timer
	tired  bool  // the process is above its memory limit
	rss    int64 // as the process said last
	served int
}

// run serves files until the pool closes.
func (s *slot) run() {
	s.timer = time.NewTimer(s.pool.opt.Idle)
	defer s.timer.Stop()
	for s.step() {
	}
	s.end(true, "pool closes")
	for _, j := range append(s.queue, s.again...) {
		j.done <- answer{err: ErrClosed}
	}
}

// step handles one event; false means that the pool closes.
func (s *slot) step() bool {
	for len(s.again) > 0 && s.room() {
		j := s.again[0]
		s.again = s.again[1:]
		s.submit(j)
	}
	var jobs, ready chan *job
	if s.room() {
		jobs = s.pool.jobs
		if s.child != nil && len(s.queue) == 0 {
			ready = s.pool.ready
		}
	}
	var replies chan reply
	if s.child != nil {
		replies = s.child.replies
	}
	select {
	case <-s.pool.quit:
		return false
	case j := <-jobs:
		s.submit(j)
	case j := <-ready:
		s.submit(j)
	case r, ok := <-replies:
		if !ok {
			s.crashed()
			return true
		}
		s.answer(r)
	case <-s.timer.C:
		s.expired()
	}
	return true
}

// large is the size of a file that takes longer than a process to start.
const large = 256 << 10

// room reports whether the process may get another file. One that is above its
// memory limit, or that has crashed on the first file it is to get, gets none beside
// those it has; nor does one that is at a large file, behind which others would wait long.
func (s *slot) room() bool {
	if s.tired || len(s.queue) > 0 && (s.queue[0].crashes > 0 || len(s.queue[0].file.Src) >= large) {
		return len(s.queue) == 0
	}
	return len(s.queue) < depth
}

func (s *slot) submit(j *job) {
	if s.tired {
		s.end(false, "memory")
	}
	if s.child == nil {
		c, err := startChild(&s.pool.opt)
		if err != nil {
			j.done <- answer{err: err}
			return
		}
		s.child, s.served, s.tired, s.rss = c, 0, false, 0
		s.pool.alive.Add(1)
	}
	s.child.send <- j.file
	s.queue = append(s.queue, j)
	if len(s.queue) == 1 {
		s.timer.Reset(s.pool.opt.deadline(len(j.file.Src)))
	}
}

func (s *slot) answer(r reply) {
	if len(s.queue) == 0 {
		s.end(true, "answers without a question")
		return
	}
	j := s.queue[0]
	s.queue = s.queue[1:]
	s.served++
	switch r.kind {
	case replyBlob:
		j.done <- answer{blob: r.body}
	case replyError:
		j.done <- answer{err: errors.New(string(r.body))}
	default:
		j.done <- answer{}
	}
	s.rss = r.rss
	s.tired = s.rss > s.pool.opt.MaxRSS
	if len(s.queue) > 0 {
		s.timer.Reset(s.pool.opt.deadline(len(s.queue[0].file.Src)))
		return
	}
	s.timer.Reset(s.pool.opt.Idle)
	if s.tired {
		s.end(false, "memory")
	}
}

// expired deals with a process that waits too long, or that is too long at a file.
func (s *slot) expired() {
	if len(s.queue) == 0 {
		s.timer.Reset(s.pool.opt.Idle)
		s.rest()
		return
	}
	j := s.queue[0]
	s.queue = s.queue[1:]
	s.end(true, "no answer in time about "+string(j.file.Path))
	j.done <- answer{blob: failed(j.file, ReasonTimeout)}
	s.requeue()
}

// rest ends a process that waits, or has a fresh one wait in its place.
func (s *slot) rest() {
	switch {
	case s.child == nil:
	case s.superfluous():
		s.stop(false, "idle")
	case s.served > 1 && s.rss > s.pool.opt.IdleRSS: // else it is fresh
		s.end(false, "memory at rest")
		s.submit(&job{file: warmFile(), done: make(chan answer, 1)})
	}
}

// crashed deals with a process that is gone. The file it was at gets a second chance
// alone in a fresh process, for the process may have been killed from outside.
func (s *slot) crashed() {
	if len(s.queue) == 0 {
		s.end(true, "process ended")
		return
	}
	j := s.queue[0]
	s.end(true, "process died at "+string(j.file.Path))
	if j.crashes++; j.crashes > 1 {
		s.queue = s.queue[1:]
		j.done <- answer{blob: failed(j.file, ReasonCrashed)}
	}
	s.requeue()
}

// requeue moves what the last process did not get to the front.
func (s *slot) requeue() {
	s.again = append(s.queue, s.again...)
	s.queue = nil
	s.timer.Reset(s.pool.opt.Idle)
}

// superfluous reports whether other processes are left when this one ends, and then
// counts it as gone.
func (s *slot) superfluous() bool {
	for {
		n := s.pool.alive.Load()
		if n <= 1 {
			return false
		}
		if s.pool.alive.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

func (s *slot) end(kill bool, why string) {
	if s.child == nil {
		return
	}
	s.pool.alive.Add(-1)
	s.stop(kill, why)
}

// stop ends a process that is not counted any more.
func (s *slot) stop(kill bool, why string) {
	state := s.child.stop(kill)
	s.pool.opt.Logger.Debug("worker process ended", "why", why, "files", s.served, "state", state)
	s.child, s.tired = nil, false
}
