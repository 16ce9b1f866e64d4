package engine

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	quietBytes = 4 << 20         // what an idle server allocates between two ticks, at most
	quietTicks = 4               // that many in a row, and it is idle
	forgetRest = 2 * time.Minute // without a question, before what the last ones left is dropped
	worthBytes = 16 << 20        // allocated since memory was given back last: a sweep of a large tree
)

// rest gives memory back to the system once a server has come to rest: the collector
// alone waits for as much garbage again as there is to keep, and for minutes.
type rest struct {
	seen, freed uint64 // bytes allocated so far: at the last tick, when memory was freed
	quiet       int    // ticks without work
	forgot      int64  // Unix nanoseconds of the question after which memory was dropped
}

// tick is called in equal distances of time.
func (r *rest) tick() {
	if r.due(allocated()) {
		debug.FreeOSMemory()
	}
}

// forget has drop called when nobody has asked anything in a long time, once for each
// such time: what questions leave in memory may be twice as much as all the rest. asked
// is when the last one was, in Unix nanoseconds.
func (r *rest) forget(asked int64, now time.Time, drop func()) {
	if asked == r.forgot || now.Sub(time.Unix(0, asked)) < forgetRest {
		return
	}
	r.forgot = asked
	drop()
	debug.FreeOSMemory()
}

// due reports whether memory is to be given back, with now bytes allocated so far.
func (r *rest) due(now uint64) bool {
	if now-r.seen > quietBytes {
		r.quiet = 0
	} else {
		r.quiet++
	}
	r.seen = now
	if r.quiet < quietTicks || now-r.freed <= worthBytes {
		return false
	}
	r.freed = now
	return true
}

// allocated returns the bytes that this process has allocated since it began.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
