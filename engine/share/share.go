// Package share lets processes on one workspace use one engine. The first takes a
// lease on the index directory and serves its engine on a Unix socket in it; the
// others dial that socket and get an api.Service that behaves like the engine
// itself: deadlines, cancellation, progress and typed errors pass through.
//
// It does not decide who leads or what to do when a leader ends; engine does, with
// the errors given here.
//
// On the wire it is HTTP/1.1 with JSON bodies: one POST per call. A caller that
// gives up closes its connection, which ends the context of the handler. The
// deadline of a call travels in a header, as time left. Reindex answers in JSON
// lines, progress first; Export is the raw lines and a trailer that says how it
// ended. The socket is open to the user who leads and to nobody else.
//
// One connection of each follower stays open for a pulse. Its end is the end of the
// leader, seen at once; its silence is a leader that hangs, whose calls are cut off
// so that they can be answered otherwise until it is heard again.
package share

import (
	"errors"
	"fmt"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Sentinels.
var (
	// ErrHeld says that another process holds the lease.
	ErrHeld = errors.New("another process leads this workspace")
	// ErrNoLeader says that nobody serves the directory, or not in time.
	ErrNoLeader = errors.New("no process serves this workspace")
	// ErrVersion says that the leader speaks another version.
	ErrVersion = errors.New("the leading process speaks another version")
	// ErrGone says that the leader ended, or was lost, before it answered: a call
	// that only reads may be made again, on the next leader.
	ErrGone = errors.New("the leading process went away")
	// ErrNotDone comes with ErrGone when the call was not done, or not to its end,
	// for certain: it did not reach the leader, or the leader cut it off in order.
	// Without it, nobody knows.
	ErrNotDone = errors.New("the call was not done")
	// ErrSilent says that the leader is there and does not answer, not even a pulse.
	ErrSilent = errors.New("the leading process does not answer")
)

// SilentError says which process was dialled in vain. It matches ErrSilent, and
// ErrNoLeader: nobody serves the directory now.
type SilentError struct {
	PID int // 0: not known
}

func (e *SilentError) Error() string {
	if e.PID == 0 {
		return ErrSilent.Error()
	}
	return fmt.Sprintf("the leading process (pid %d) does not answer", e.PID)
}

// Is implements the match with sentinels.
func (e *SilentError) Is(target error) bool { return target == ErrSilent || target == ErrNoLeader }

// protocol is the version of what is said over the socket. Raise it with every change
// of meaning: a leader yields to a process that speaks a higher one. Changes of the
// shape of requests and answers are noticed without it.
const protocol = 2

// Hello is what a leader says of itself. It is understood by every version.
type Hello struct {
	Protocol  int     `json:"protocol"` // of this package
	API       string  `json:"api"`      // fingerprint of the requests and answers
	Format    string  `json:"format"`   // of the index
	Version   string  `json:"version"`  // of the program
	PID       int     `json:"pid"`
	Workspace string  `json:"workspace"`
	Since     float64 `json:"since"` // Unix seconds; when it began to lead
}

// The pulse of a leader.
const (
	pulseEvery  = 250 * time.Millisecond
	silentAfter = 2 * time.Second // without a pulse
)

// The paths of the calls.
const (
	pathHello   = "/hello"
	pathYield   = "/yield" // asks a leader of an older protocol to make room
	pathWatch   = "/watch" // stays open while the leader lives, and carries the pulse
	pathStatus  = "/status"
	pathReindex = "/reindex"
	pathGraph   = "/graph"
	pathGrep    = "/grep"
	pathRead    = "/read"
	pathExport  = "/export"
)

// headerTimeout carries the time left for a call in microseconds: both sides need
// not agree on a clock.
const headerTimeout = "Ralph-Timeout-Us"

// Headers of the watch: who follows, and the number that stands for it in its calls.
const (
	headerPID      = "Ralph-Pid"
	headerVersion  = "Ralph-Version"
	headerFollower = "Ralph-Follower"
)

// trailerEnd tells, after the lines of an export, how it ended: a failure as JSON,
// or "{}".
const trailerEnd = "Ralph-End"

// grace is how long a caller waits behind its deadline for what the leader has got
// so far: answers that ran out of time are late by their own trip.
const grace = time.Second

// maxRequest bounds the body of a request.
const maxRequest = 64 << 20

// failure is an error on the wire.
type failure struct {
	API  *api.Error `json:"api,omitempty"`
	Kind failKind   `json:"kind,omitempty"`
	Text string     `json:"text,omitempty"`
}

// failKind names errors that callers compare and that are no api.Error.
type failKind string

const (
	failOther    failKind = "other"
	failCanceled failKind = "canceled"
	failDeadline failKind = "deadline"
	failGone     failKind = "gone" // the leader ends
)

// line is one line of a streamed answer: progress any number of times, then one of
// the others.
type line struct {
	Progress *api.Progress      `json:"progress,omitempty"`
	Answer   *api.ReindexAnswer `json:"answer,omitempty"`
	Failure  *failure           `json:"failure,omitempty"`
}

// RemoteError is a failure in the leading process that has no code of its own.
type RemoteError struct{ Message string }

func (e *RemoteError) Error() string { return e.Message }
