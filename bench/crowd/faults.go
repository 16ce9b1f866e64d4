package crowd

import (
	"context"
	"syscall"
	"time"
)

// stopTime is how long a leader is stopped: long enough to be noticed.
const stopTime = 4 * time.Second

// killLeaders does something to the leading process now and then.
func (f *fleet) killLeaders(ctx context.Context) {
	tick := time.NewTicker(f.o.KillEvery)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		pid, err := f.leader(ctx, n%len(f.slots))
		if err != nil {
			continue // the round ends, or that process has just begun
		}
		for i, s := range f.slots {
			switch {
			case s.cmd.Process.Pid != pid:
				continue
			case f.o.Mixed && n%3 == 1:
				f.hang(ctx, s)
			case f.o.Mixed && n%3 == 2:
				took := f.end(ctx, i, s, func() { _ = s.c.Close() }) // that it did not end shows in what it says
				f.count(func(o *Outcome) { o.Ends, o.Handover = o.Ends+1, append(o.Handover, took...) })
			default:
				took := f.end(ctx, i, s, func() { _ = s.cmd.Process.Kill() })
				f.count(func(o *Outcome) { o.Kills, o.Failover = o.Kills+1, append(o.Failover, took...) })
			}
			break
		}
	}
}

func (f *fleet) count(add func(*Outcome)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	add(f.out)
}

// hang stops a process for a while. Its own client waits with it.
func (f *fleet) hang(ctx context.Context, s *slot) {
	_ = s.cmd.Process.Signal(syscall.SIGSTOP)
	select {
	case <-time.After(stopTime):
	case <-ctx.Done():
	}
	_ = s.cmd.Process.Signal(syscall.SIGCONT)
	f.count(func(o *Outcome) { o.Stops++ })
}

// end ends a process and starts another in its place. It returns after how many
// milliseconds another process led; nothing when that was not seen.
func (f *fleet) end(ctx context.Context, i int, s *slot, how func()) (took []float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pid, at := s.cmd.Process.Pid, time.Now()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		how()
	}()
	for beside := (i + 1) % len(f.slots); ctx.Err() == nil && time.Since(at) < time.Minute; {
		now, err := f.leader(ctx, beside)
		if err == nil && now != 0 && now != pid {
			took = append(took, float64(time.Since(at).Microseconds())/1e3)
			break
		}
	}
	<-ended
	_ = s.c.Close() // it has ended
	err := f.launch(ctx, s)
	if err != nil && ctx.Err() == nil {
		f.count(func(o *Outcome) {
			o.Lost++
			f.sample("process %d was not started again: %v", i, err)
		})
	}
	return took
}
