// Package crowd is the test of many agents on one workspace: server processes that
// share an index, clients that ask them without pause, a writer that changes files
// under them, and now and then the leading process killed. Every answer that can be
// known beforehand is checked. The same calls on one server over HTTP are what its
// latencies are held against.
//
// It knows nothing of the engine: it starts programs and speaks MCP with them.
package crowd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"sync"
	"time"
)

// Options say what a run is made of.
type Options struct {
	Dir       string                      // the workspace; its files are changed
	Stdio     func() *exec.Cmd            // starts a server on its standard streams
	HTTP      func(addr string) *exec.Cmd // starts one on a TCP address without a token; nil: no comparison
	Clients   int
	Calls     int           // of each client, over all rounds
	Seconds   int           // the least duration of a round; 0: until the calls are made
	Rounds    int           // of the crowd and of the single server, in turn
	Writes    int           // a second; 0: none
	KillEvery time.Duration // 0: never
	Mixed     bool          // end leaders in turn: killed, stopped for a while, closed in order
	Seed      uint64
	Log       io.Writer
}

// Outcome is what happened in the rounds of one kind.
type Outcome struct {
	Calls    int
	Repeated int // reads that were on their way in a killed process, and were made again
	LostJobs int // jobs that were on their way in a killed process, or refused while the leader hung
	Lost     int // calls without an answer, beyond those
	Wrong    int // answers that were not the truth
	Locks    int // words about a lock that anybody got to see
	Live     int // answers that no index gave
	Kills    int
	Stops    int // leaders that were stopped, and went on
	Ends     int // leaders that were closed in order
	Writes   int
	Took     map[string][]float64 // milliseconds of each call, by tool
	Failover []float64            // milliseconds from a kill until another process led
	Handover []float64            // the same from the beginning of an orderly end
	Samples  []string             // of what went wrong
}

const maxSamples = 20

// Run runs the rounds and returns what the crowd did, and the single server.
func Run(ctx context.Context, o Options) (crowd, single *Outcome, err error) {
	files, err := prepare(o)
	if err != nil {
		return nil, nil, err
	}
	crowd, single = newOutcome(), newOutcome()
	for round := range max(o.Rounds, 1) {
		if o.HTTP != nil {
			f := &fleet{o: o, out: single, servers: 1}
			if err := runRound(ctx, o, f, files, round); err != nil {
				return nil, nil, fmt.Errorf("single server: %w", err)
			}
		}
		f := &fleet{o: o, out: crowd, servers: o.Clients}
		if err := runRound(ctx, o, f, files, round); err != nil {
			return nil, nil, fmt.Errorf("crowd: %w", err)
		}
	}
	return crowd, single, nil
}

func newOutcome() *Outcome { return &Outcome{Took: map[string][]float64{}} }

// runRound starts the servers, warms them, and lets clients, writer and killer loose
// on them.
func runRound(ctx context.Context, o Options, f *fleet, files *fileSet, round int) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer func() { err = errors.Join(err, f.close()) }()
	if err := f.start(ctx); err != nil {
		return err
	}
	if err := f.warm(ctx); err != nil {
		return err
	}
	began := time.Now()
	var clients, others sync.WaitGroup
	others.Go(func() { files.write(ctx, o, f.out, rng(o.Seed, round, -1)) })
	if f.servers > 1 && o.KillEvery > 0 {
		others.Go(func() { f.killLeaders(ctx) })
	}
	failed := make(chan error, o.Clients)
	for i := range o.Clients {
		clients.Go(func() {
			c := &caller{fleet: f, slot: i, files: files, rng: rng(o.Seed, round, i)}
			for n := 0; n < o.Calls/max(o.Rounds, 1) || time.Since(began) < time.Duration(o.Seconds)*time.Second; n++ {
				if err := c.one(ctx); err != nil {
					failed <- err
					stop()
					return
				}
			}
		})
	}
	clients.Wait()
	stop()
	others.Wait()
	close(failed)
	for e := range failed {
		if !errors.Is(e, context.Canceled) {
			err = errors.Join(err, e)
		}
	}
	_, _ = fmt.Fprintf(o.Log, "round %d with %d servers: %v\n", round+1, f.servers, time.Since(began).Round(time.Millisecond))
	return err
}

func rng(seed uint64, round, who int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(round)<<32|uint64(uint32(who))))
}
