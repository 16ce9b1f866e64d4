// Package freshness knows which files of a workspace differ from what the index
// holds. Its Ledger keeps, in memory, the signature and hash of each indexed path,
// what is marked as possibly changed, and what is known to have changed.
//
// It neither indexes nor stores: the engine loads it from stored records, asks it
// what to do, and settles what it has published. Marks come from mutations and
// from sweeps; a watcher would only add marks. Directory access is
// freshness/tree's, ignore rules are freshness/ignore's.
package freshness

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

var errNotBuilt = errors.New("not built yet")

// Grain is the time after a change within which another change may leave the
// signature as it is: the coarsest clock of common file systems.
const Grain = 2 * time.Second

// Racy reports whether a file with this signature, read at the given time, may
// have changed afterwards without its signature showing it. Such a record is to be
// stored with Racy set.
func Racy(sig graph.Signature, readAt time.Time) bool { return false }

// Record is what the index holds of one path.
type Record struct {
	Path graph.Path
	Sig  graph.Signature
	Hash graph.Hash // zero where the bytes were never read
	Racy bool
}

// HashFunc reads a file and returns its hash and the signature that belongs to the
// bytes hashed. Its error is an *tree.Error where it is about the path.
type HashFunc func(ctx context.Context, path graph.Path) (graph.Hash, graph.Signature, error)

// State says how a path stands to its record.
type State string

// The closed set of states.
const (
	Fresh      State = "fresh"      // the record describes the bytes on disk
	Marked     State = "marked"     // something may have happened; nobody has looked yet
	Added      State = "added"      // on disk, no record
	Changed    State = "changed"    // the bytes on disk differ from the record
	Missing    State = "missing"    // recorded, not on disk (or ignored now)
	RacyState  State = "racy"       // equal signatures that prove nothing, and no time to hash
	Unreadable State = "unreadable" // on disk, but cannot be looked at
	Unknown    State = "unknown"    // neither recorded nor on disk
)

// Ledger is safe for concurrent use.
type Ledger struct {
}

// New returns an empty ledger. hash verifies racy records; when it is nil, racy
// records count as changed in sweeps and as RacyState in Verify.
func New(hash HashFunc) *Ledger { return &Ledger{} }

// Load replaces the records, forgets all marks and the last sweep.
func (l *Ledger) Load(records iter.Seq[Record]) {}

// Changes is what a sweep found, each list in the order of the walk.
type Changes struct {
	Added   []tree.Entry
	Changed []tree.Entry
	Removed []graph.Path // sorted
	// Touched are records whose bytes proved equal although the signature had
	// moved or was racy: the ledger has the new record already, a store may follow.
	Touched []Record
	// Odd lists what the walk found Special or Unreadable, changed or not.
	Odd  []tree.Entry
	Seen int // entries walked
	// Seq is the moment before which everything is accounted for: pass it to
	// Settle.
	Seq uint64
	At  time.Time // when the sweep began
}

// Empty reports whether the index is up to date with the disk in the scope.
func (c *Changes) Empty() bool {
	return len(c.Added)+len(c.Changed)+len(c.Removed) == 0
}

// Sweep compares the disk with the records, in the scope (empty: everything), and
// remembers what differs. Marks set before it began and covered by the scope are
// resolved by it; marks set meanwhile stay. When it fails or ctx ends, nothing is
// resolved; a complete sweep of everything moves LastSweep.
func (l *Ledger) Sweep(ctx context.Context, t *tree.Tree, scope []graph.Path) (Changes, error) {
	return Changes{}, errNotBuilt
}

// Reason says who marked a path.
type Reason string

// The reasons for marks.
const (
	Mutated  Reason = "mutated"  // a tool of ours wrote it
	Observed Reason = "observed" // an event of the file system
	Asked    Reason = "asked"    // a caller named it
)

// Mark notes that something may have happened at the paths, or below them where
// they are directories. It costs no I/O.
func (l *Ledger) Mark(reason Reason, paths ...graph.Path) {}

// MarkAll notes that anything may have happened: events were lost, or nobody
// looked for a while. Only a complete sweep clears it.
func (l *Ledger) MarkAll(reason Reason) {}

// Pending is one path that the index does not answer for.
type Pending struct {
	Path  graph.Path
	State State      // Marked, Added, Changed, Missing
	Entry tree.Entry // what was seen on disk; the zero value for Marked and Missing
}

// Pending lists, sorted by path, the paths in scope (empty: everything) that are
// marked or known to differ, and the moment up to which the list is complete, for
// Settle.
func (l *Ledger) Pending(scope []graph.Path) (list []Pending, seq uint64) { return nil, 0 }

// Counts are the sizes of the ledger's sets.
type Counts struct {
	Records int
	Marked  int // marked and not yet looked at
	Added   int
	Changed int
	Missing int
	All     bool // MarkAll is in force
}

// Stale counts recorded paths that are known to differ or to be gone.
func (c Counts) Stale() int { return c.Changed + c.Missing }

// Counts returns the current sizes.
func (l *Ledger) Counts() Counts { return Counts{} }

// Settle replaces the records of what an index run has published, and drops the
// removed ones. Marks and findings up to seq are done with for these paths; later
// ones stay, unless they saw exactly what was indexed.
func (l *Ledger) Settle(seq uint64, indexed []Record, removed []graph.Path) {}

// Record returns the record of a path.
func (l *Ledger) Record(path graph.Path) (Record, bool) { return Record{}, false }

// LastSweep is when the last complete sweep of everything began; zero before.
func (l *Ledger) LastSweep() time.Time { return time.Time{} }

// Verdict is how one path stands.
type Verdict struct {
	Path  graph.Path
	State State
	Entry tree.Entry // what is on disk; the zero value where nothing is
}

// Verify looks at the paths now and says how each stands, in their order. What it
// finds is remembered as a sweep would. Paths whose signature moved or is racy are
// hashed, so that a file that was only touched is Fresh. When ctx ends in the
// middle, the paths not looked at are RacyState and the error is that of ctx.
func (l *Ledger) Verify(ctx context.Context, t *tree.Tree, paths []graph.Path) ([]Verdict, error) {
	return nil, errNotBuilt
}
