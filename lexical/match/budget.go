package match

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
	"golang.org/x/sys/unix"
)

// lineBudget is how much processor time a backtracking pattern may take on one line.
const lineBudget = 250 * time.Millisecond

// maxStarved bounds what the tries together take of a line, in budgets, where none of
// them gets a budget to itself.
const maxStarved = 8

// errTooDear says that a line took the whole budget.
var errTooDear = errors.New("match line: over budget")

// backtrackFinder runs a backtracking matcher line by line. The library counts no
// steps and knows only wall clock limits, and on a busy machine those end matches that
// have done next to nothing. So a line that runs into one is tried again on a thread
// whose processor time is read: it is too dear only by that. A try that did not get its
// share of the machine is repeated with more time, until the caller's deadline.
type backtrackFinder struct {
	progs []func() (*regexp2.Regexp, error) // with ever more time
	clock func() (time.Duration, bool)      // processor time of the thread
}

// newBacktrackFinder compiles a pattern for tries with the limits given; those behind
// the first when they are needed.
func newBacktrackFinder(text string, opts regexp2.RegexOptions, limits ...time.Duration) (*backtrackFinder, error) {
	f := &backtrackFinder{clock: threadTime}
	for _, limit := range limits {
		f.progs = append(f.progs, sync.OnceValues(func() (*regexp2.Regexp, error) {
			prog, err := regexp2.Compile(text, opts)
			if err == nil {
				prog.MatchTimeout = limit
			}
			return prog, err
		}))
	}
	_, err := f.progs[0]()
	return f, err
}

// onLine returns the first match in a line, or nil.
func (f *backtrackFinder) onLine(ctx context.Context, line string) (*regexp2.Match, error) {
	prog, err := f.progs[0]()
	if err != nil {
		return nil, err
	}
	if m, err := prog.FindStringMatch(line); err == nil { // else out of time: there is no other error
		return m, nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all time.Duration
	for try := 0; ; try++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		prog, err := f.progs[min(try, len(f.progs)-1)]()
		if err != nil {
			return nil, err
		}
		from, _ := f.clock()
		m, err := prog.FindStringMatch(line)
		if err == nil {
			return m, nil
		}
		to, ok := f.clock()
		all += to - from
		if to-from >= lineBudget || all >= maxStarved*lineBudget || !ok && try >= len(f.progs) {
			return nil, errTooDear
		}
	}
}

// threadTime returns the processor time that the thread has taken; ok is false where
// the system does not tell.
func threadTime() (d time.Duration, ok bool) {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}

// tooDear is what a cursor says of a line that it gave up.
type tooDear struct{ at int } // where the line starts in the cursor's text

func (e *tooDear) Error() string { return errTooDear.Error() }
