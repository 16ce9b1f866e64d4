// Package freshness knows which files of a workspace differ from what the index
// holds. Its Ledger keeps, in memory, the signature and hash of each indexed path,
// what is marked as possibly changed, and what is known to have changed.
//
// It neither indexes nor stores: the engine loads it from stored records, asks it
// what to do, and settles what it has published. Marks come from mutations and
// from callers; a watcher would only add marks. Directory access is
// freshness/tree's, ignore rules are freshness/ignore's.
//
// Time inside the ledger is a counter. Each mark gets a number; a sweep, a
// verification or an index run speaks for everything up to the number at which it
// began. So what happens while they run is never lost.
//
// What keeps it so: a record is what a run read after Begin, so the run answers for
// every mark up to the number that Begin gave. A younger mark may be about a file that
// the run has read already, and which still has its old record, or none: whoever
// looks meanwhile compares with a record that is about to go. So no look drops such a
// mark before End; the first look after that compares with what was published. And
// a look that took long says nothing about a record that a younger one has judged.
package freshness

import (
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/freshness/tree"
	"github.com/ralph-index/ralph-index/graph"
)

// Record is what the index holds of one path.
type Record struct {
	Path graph.Path
	Sig  graph.Signature
	Hash graph.Hash // zero where the bytes were never read
	Racy bool
}

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
	Unknown    State = "unknown"    // neither recorded nor on disk, or ignored
)

// Reason says who marked a path.
type Reason string

// The reasons for marks.
const (
	Mutated  Reason = "mutated"  // a tool of ours wrote it
	Observed Reason = "observed" // an event of the file system
	Asked    Reason = "asked"    // a caller named it
)

// Ledger is safe for concurrent use. No lock is held during I/O.
type Ledger struct {
	hash HashFunc

	// sweeping holds one token: who takes it sweeps, and may touch the seen field of
	// entries. It is taken before mu.
	sweeping chan struct{}

	mu       sync.RWMutex // guards everything below
	seq      uint64       // number of the last mark or sweep
	records  map[graph.Path]*entry
	order    []graph.Path // the keys of records in the order of tree.Compare
	marks    map[graph.Path]mark
	all      mark   // of MarkAll; seq 0 is none
	running  bool   // between Begin and End
	begun    uint64 // number that the last Begin gave
	ended    uint64 // number of the last End
	swept    uint64 // number of the last sweep of everything, while its findings hold
	findings map[graph.Path]finding
	counts   map[State]int // of findings
	touched  map[graph.Path]struct{}
	last     time.Time
	took     time.Duration
	twins    twins
}

// entry is a record with what a sweep needs.
type entry struct {
	Record
	seen   uint64 // number of the last sweep that saw it; guarded by sweeping
	judged uint64 // number of the youngest look or run that answered a mark on it
}

type mark struct {
	reason Reason
	seq    uint64
}

// finding is a difference that somebody has seen.
type finding struct {
	state State // Added, Changed or Missing
	entry tree.Entry
	seq   uint64 // everything up to it was visible to whoever looked
}

// New returns an empty ledger. hash tells touched files from changed ones and
// verifies racy records; when it is nil, both count as changed in sweeps, and in
// Verify racy records are RacyState.
func New(hash HashFunc) *Ledger {
	l := &Ledger{hash: hash, sweeping: make(chan struct{}, 1)}
	l.sweeping <- struct{}{}
	l.reset()
	return l
}

func (l *Ledger) reset() {
	l.records = map[graph.Path]*entry{}
	l.order = nil
	l.marks = map[graph.Path]mark{}
	l.all, l.swept = mark{}, 0
	l.findings = map[graph.Path]finding{}
	l.counts = map[State]int{}
	l.touched = map[graph.Path]struct{}{}
	l.last = time.Time{}
	l.twins = twins{}
}

// Load replaces the records, and forgets all marks, findings and the last sweep.
func (l *Ledger) Load(records iter.Seq[Record]) {
	<-l.sweeping
	defer func() { l.sweeping <- struct{}{} }()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reset()
	for r := range records {
		if _, ok := l.records[r.Path]; !ok {
			l.order = append(l.order, r.Path)
		}
		l.records[r.Path] = &entry{Record: r}
	}
	slices.SortFunc(l.order, tree.Compare)
}

// maxMarks bounds the marks: above it, one sweep costs less than so many looks.
const maxMarks = 1 << 16

// Mark notes that something may have happened at the paths, or below them where
// they are directories, and at other names of the same files. It costs no I/O.
func (l *Ledger) Mark(reason Reason, paths ...graph.Path) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	for _, p := range paths {
		l.marks[p] = mark{reason, l.seq}
		for _, q := range l.twins.of(p) {
			l.marks[q] = mark{reason, l.seq}
		}
	}
	if len(l.marks) > maxMarks {
		l.all = mark{reason, l.seq}
		clear(l.marks)
	}
}

// MarkAll notes that anything may have happened: events were lost, or nobody
// looked for a while. Only a complete sweep clears it. It takes the place of all
// marks that there are.
func (l *Ledger) MarkAll(reason Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	l.all = mark{reason, l.seq}
	clear(l.marks)
}

// Pending is one path that the index does not answer for.
type Pending struct {
	Path   graph.Path
	State  State      // Marked, Added, Changed, Missing
	Reason Reason     // of Marked
	Entry  tree.Entry // what was seen on disk; the zero value for Marked and Missing
	Unsure bool       // of Begin: Added, and something happened above it since; it may be ignored by now
}

// Pending lists, in the order of a walk, the paths in scope (empty: everything)
// that are marked or known to differ, and the moment up to which the list is
// complete, for Settle. A path that is both is listed as Marked: what was seen
// before the mark may be out of date. A marked directory above the scope is listed
// too, since it may hold a path in scope.
func (l *Ledger) Pending(scope []graph.Path) (list []Pending, seq uint64) {
	l.mu.RLock()
	list, seq = l.pending(scope), l.seq
	l.mu.RUnlock()
	slices.SortFunc(list, func(a, b Pending) int { return tree.Compare(a.Path, b.Path) })
	return list, seq
}

// Begin is Pending for an index run, which reads files only after it. Marks that come
// later stay until End, whoever looks at them. One run is under way at a time. What was
// missing before something happened above it is not listed: the run, which drops such
// paths without a look, might drop what has come back.
func (l *Ledger) Begin(scope []graph.Path) (list []Pending, seq uint64) {
	l.mu.Lock()
	list, seq = l.pending(scope), l.seq
	list = slices.DeleteFunc(list, func(p Pending) bool { return p.State == Missing && l.overdue(p.Path) })
	for i := range list {
		list[i].Unsure = list[i].State == Added && l.overdue(list[i].Path)
	}
	l.running, l.begun = true, seq
	l.mu.Unlock()
	slices.SortFunc(list, func(a, b Pending) int { return tree.Compare(a.Path, b.Path) })
	return list, seq
}

// overdue reports whether a path or a directory above it was marked since somebody
// looked at it. The caller holds mu.
func (l *Ledger) overdue(p graph.Path) bool {
	seen := l.findings[p].seq
	for {
		if m, ok := l.marks[p]; ok && m.seq > seen || l.all.seq > seen {
			return true
		}
		if p == "" {
			return false
		}
		p = p.Dir()
	}
}

// End says that the run has settled what it published, or publishes nothing. Without
// a run it does nothing.
func (l *Ledger) End() {
	l.mu.Lock()
	if l.running && l.all.seq > l.begun {
		l.swept = 0 // it compared with records that the run may have replaced
	}
	if l.running {
		l.seq++
		l.running, l.ended = false, l.seq
	}
	l.mu.Unlock()
}

// answered reports whether a look that speaks for everything up to seq may drop a
// mark. The caller holds mu.
func (l *Ledger) answered(m mark, seq uint64) bool {
	return m.seq <= seq && (m.seq <= l.begun || !l.running && seq >= l.ended)
}

// pending is the unsorted list of Pending; the caller holds mu.
func (l *Ledger) pending(scope []graph.Path) (list []Pending) {
	for p, m := range l.marks {
		if inScope(p, scope) || holdsScope(p, scope) {
			list = append(list, Pending{Path: p, State: Marked, Reason: m.reason})
		}
	}
	for p, f := range l.findings {
		if m, ok := l.marks[p]; ok && m.seq > f.seq {
			continue
		} else if ok {
			list = slices.DeleteFunc(list, func(q Pending) bool { return q.Path == p })
		}
		if inScope(p, scope) {
			list = append(list, Pending{Path: p, State: f.state, Entry: f.entry})
		}
	}
	return list
}

func inScope(p graph.Path, scope []graph.Path) bool {
	if len(scope) == 0 {
		return true
	}
	return slices.ContainsFunc(scope, func(s graph.Path) bool { return p.Under(s) })
}

func holdsScope(p graph.Path, scope []graph.Path) bool {
	return slices.ContainsFunc(scope, func(s graph.Path) bool { return s.Under(p) })
}

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
func (l *Ledger) Counts() Counts {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return Counts{
		Records: len(l.records),
		Marked:  len(l.marks),
		Added:   l.counts[Added],
		Changed: l.counts[Changed],
		Missing: l.counts[Missing],
		All:     l.all.seq > 0,
	}
}

// Record returns the record of a path.
func (l *Ledger) Record(path graph.Path) (Record, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	e, ok := l.records[path]
	if !ok {
		return Record{}, false
	}
	return e.Record, true
}

// Doubt reports whether anything may have happened and nobody has looked at
// everything since: what is not pending may then differ from its record all the same.
// While a run is under way MarkAll can be in force without a doubt.
func (l *Ledger) Doubt() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.doubt()
}

// doubt is Doubt; the caller holds mu.
func (l *Ledger) doubt() bool { return l.all.seq > l.swept }

// LastSweep is when the last complete sweep of everything began; zero before.
func (l *Ledger) LastSweep() time.Time {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.last
}

// SweepTook is how long the last complete sweep of everything took; zero before.
func (l *Ledger) SweepTook() time.Duration {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.took
}

// TakeTouched returns, once, the records that sweeps and verifications have
// brought up to date because the bytes proved equal: a store that keeps them saves
// a later process the hashing.
func (l *Ledger) TakeTouched() []Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Record, 0, len(l.touched))
	for p := range l.touched {
		if e, ok := l.records[p]; ok {
			out = append(out, e.Record)
		}
	}
	clear(l.touched)
	slices.SortFunc(out, func(a, b Record) int { return tree.Compare(a.Path, b.Path) })
	return out
}

// Settle replaces the records of what an index run has published, and drops the
// removed ones. Marks and findings up to seq are done with for these paths; later
// ones stay, unless they saw exactly what was indexed. seq comes from the Begin call
// that the run worked from, or from a Sweep or Pending call before it read anything.
func (l *Ledger) Settle(seq uint64, indexed []Record, removed []graph.Path) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var fresh []graph.Path
	for _, r := range indexed {
		if _, ok := l.records[r.Path]; !ok {
			fresh = append(fresh, r.Path)
		}
		l.records[r.Path] = &entry{Record: r, judged: seq}
		delete(l.touched, r.Path)
		if f, ok := l.findings[r.Path]; ok {
			if f.seq <= seq || f.state != Missing && f.entry.Sig == r.Sig && !r.Racy {
				l.forget(r.Path)
			} else {
				f.state = changedOr(f.state)
				l.find(r.Path, f)
			}
		}
		l.unmark(r.Path, seq)
	}
	l.insert(fresh)
	gone := false
	for _, p := range removed {
		if _, ok := l.records[p]; ok {
			delete(l.records, p)
			gone = true
		}
		if f, ok := l.findings[p]; ok {
			if f.seq <= seq || f.state == Missing {
				l.forget(p)
			} else {
				f.state = Added
				l.find(p, f)
			}
		}
		l.unmark(p, seq)
	}
	if gone {
		l.order = slices.DeleteFunc(l.order, func(p graph.Path) bool {
			_, ok := l.records[p]
			return !ok
		})
	}
}

// changedOr keeps a finding true after its path got a record.
func changedOr(s State) State {
	if s == Added {
		return Changed
	}
	return s
}

// insert adds new keys to the order.
func (l *Ledger) insert(paths []graph.Path) {
	if len(paths) > 32 {
		l.order = append(l.order, paths...)
		slices.SortFunc(l.order, tree.Compare)
		l.order = slices.Compact(l.order)
		return
	}
	for _, p := range paths {
		if i, found := slices.BinarySearchFunc(l.order, p, tree.Compare); !found {
			l.order = slices.Insert(l.order, i, p)
		}
	}
}

// find and forget keep the counts; the caller holds mu.

func (l *Ledger) find(p graph.Path, f finding) {
	l.forget(p)
	l.findings[p] = f
	l.counts[f.state]++
}

func (l *Ledger) forget(p graph.Path) {
	if f, ok := l.findings[p]; ok {
		l.counts[f.state]--
		delete(l.findings, p)
	}
}

// unmark drops a mark that is answered up to seq.
func (l *Ledger) unmark(p graph.Path, seq uint64) {
	if m, ok := l.marks[p]; ok && l.answered(m, seq) {
		delete(l.marks, p)
	}
}

// below returns the recorded paths at or under p, in order; the caller holds mu.
func (l *Ledger) below(p graph.Path) []graph.Path {
	if p == "" {
		return l.order
	}
	lo, _ := slices.BinarySearchFunc(l.order, p, tree.Compare)
	hi := lo
	for hi < len(l.order) && l.order[hi].Under(p) {
		hi++
	}
	return l.order[lo:hi]
}
