package mcpserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// heartbeat is how often a call that waits for the index reports, when nothing
// else does. Clients give up on calls that are silent for a minute.
const heartbeat = time.Second

// reporter turns the steps of a job into the one growing number that the protocol
// wants.
type reporter struct {
	send func(progress, total float64, message string)

	mu    sync.Mutex
	stage string
	base  float64 // steps of the stages before
	last  float64 // what was sent
	at    time.Time
}

func newReporter(send func(progress, total float64, message string)) *reporter {
	return &reporter{send: send, at: time.Now()}
}

// step reports a step of a job.
func (r *reporter) step(p api.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.Stage != r.stage {
		r.stage, r.base = p.Stage, r.last
	}
	message := fmt.Sprintf("%s %d", p.Stage, p.Done)
	total := 0.0
	if p.Total > 0 {
		message += fmt.Sprintf("/%d", p.Total)
		total = r.base + float64(max(p.Total, p.Done))
	}
	r.sendLocked(r.base+float64(p.Done), total, message+" files")
}

// sendLocked keeps progress growing: a step that repeats what was said is one
// hundredth of a step.
func (r *reporter) sendLocked(progress, total float64, message string) {
	if progress <= r.last {
		progress = r.last + 0.01
	}
	r.last, r.at = progress, time.Now()
	r.send(progress, max(total, 0), message)
}

// accompany reports once a second while a call runs and is silent: the progress
// of the job it may be waiting for, or that it still runs. The function returned
// ends it and waits for its end, so that nothing follows the answer.
func (r *reporter) accompany(ctx context.Context, svc api.Service) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		start := time.Now()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				r.beat(ctx, svc, time.Since(start))
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

func (r *reporter) beat(ctx context.Context, svc api.Service, running time.Duration) {
	r.mu.Lock()
	silent := time.Since(r.at)
	r.mu.Unlock()
	if silent < heartbeat {
		return
	}
	st, err := svc.Status(ctx)
	if ctx.Err() != nil {
		return
	}
	if err == nil && st.ReindexInProgress && st.Progress != nil {
		r.step(*st.Progress)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sendLocked(r.last, 0, fmt.Sprintf("running for %d s", int(running.Seconds())))
}
