package query

import "github.com/ralph-index/ralph-index/graph"

// lookups is a View that asks the one behind it each question once, and notes what
// it is asked while something is derived from the answers. It serves one goroutine.
type lookups struct {
	graph.View
	answers map[depKey]*answer
	derived map[any]*derivation
	weight  int // of what is kept, in ids

	// The recording under way: marks tell whether an answer is in it already.
	now   []*answer
	mark  uint32
	marks uint32
	depth int // of recordings; 0: none
}

// answer is one look-up with what came of it.
type answer struct {
	depKey
	print uint64
	id    graph.FileID
	ok    bool
	ids   []graph.FileID
	mark  uint32
}

// derivation is what a resolver made of answers.
type derivation struct {
	value any
	from  []*answer
	mark  uint32
}

// maxWeight bounds what one question keeps of look-ups, to some tens of megabytes.
const maxWeight = 2 << 20

// Once returns a view of outlines that asks v each question once. It is for one
// goroutine that binds much in one generation.
func Once(v graph.View) graph.View { return newLookups(graph.Outlines(v)) }

func newLookups(v graph.View) *lookups {
	return &lookups{View: v, answers: make(map[depKey]*answer), derived: make(map[any]*derivation)}
}

// recording is what record interrupts.
type recording struct {
	now  []*answer
	mark uint32
}

// record starts to note look-ups. It must be ended by stop.
func (l *lookups) record() recording {
	l.trim()
	was := recording{l.now, l.mark}
	l.marks++
	l.now, l.mark = nil, l.marks
	l.depth++
	return was
}

// trim forgets everything once that is too much. While a recording is under way it
// waits: marks are kept with the answers.
func (l *lookups) trim() {
	if l.depth == 0 && l.weight > maxWeight {
		clear(l.answers)
		clear(l.derived)
		l.weight = 0
	}
}

// stop returns what was asked since record.
func (l *lookups) stop(was recording) []*answer {
	asked := l.now
	l.now, l.mark = was.now, was.mark
	l.depth--
	return asked
}

func (l *lookups) note(a *answer) *answer {
	if l.depth > 0 && a.mark != l.mark {
		a.mark = l.mark
		l.now = append(l.now, a)
	}
	return a
}

// ask returns the answer to k, which fill finds the first time.
func (l *lookups) ask(k depKey, fill func(*answer)) *answer {
	a := l.answers[k]
	if a == nil {
		l.trim()
		a = &answer{depKey: k}
		fill(a)
		l.answers[k] = a
		l.weight += 40 + len(k.key)/4 + len(a.ids)
	}
	return l.note(a)
}

// Lookup implements graph.View.
func (l *lookups) Lookup(p graph.Path) (graph.FileID, bool) {
	a := l.ask(depKey{depLookup, string(p)}, func(a *answer) {
		a.id, a.ok = l.View.Lookup(p)
		a.print = printID(a.id, a.ok)
	})
	return a.id, a.ok
}

// Dir implements graph.View.
func (l *lookups) Dir(p graph.Path) []graph.FileID {
	return l.ask(depKey{depDir, string(p)}, func(a *answer) { a.list(l.View.Dir(p)) }).ids
}

// Definers implements graph.View.
func (l *lookups) Definers(name string) []graph.FileID {
	return l.ask(depKey{depDefiners, name}, func(a *answer) { a.list(l.View.Definers(name)) }).ids
}

// Referrers implements graph.View.
func (l *lookups) Referrers(name string) []graph.FileID {
	return l.ask(depKey{depReferrers, name}, func(a *answer) { a.list(l.View.Referrers(name)) }).ids
}

func (a *answer) list(ids []graph.FileID) { a.ids, a.print = ids, printIDs(ids) }

// Derive implements graph.Deriver: what the value was made of counts as asked each
// time that it is given out.
func (l *lookups) Derive(key any, derive func() any) any {
	d := l.derived[key]
	if d == nil {
		was := l.record()
		d = &derivation{value: derive()}
		d.from = l.stop(was)
		l.derived[key] = d
		l.weight += 60 + 2*len(d.from)
	}
	if l.depth > 0 && d.mark != l.mark {
		d.mark = l.mark
		for _, a := range d.from {
			l.note(a)
		}
	}
	return d.value
}
