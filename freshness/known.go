package freshness

// Known is what a ledger knows of the disk at one moment, for an answer that is made
// of an index and of what differs from it.
type Known struct {
	// Pending lists, in no order, what Pending does, with one difference: what was
	// missing before something happened above it may have come back, and is Marked.
	Pending []Pending
	All     bool // MarkAll is in force
}

// Known returns all of it, taken at once: a mark that is looked at meanwhile is
// either in it, or what the look found is.
func (l *Ledger) Known() Known {
	l.mu.RLock()
	defer l.mu.RUnlock()
	k := Known{Pending: l.pending(nil), All: l.all.seq > 0}
	for i := range k.Pending {
		if p := &k.Pending[i]; p.State == Missing && l.overdue(p.Path) {
			*p = Pending{Path: p.Path, State: Marked, Reason: Observed}
		}
	}
	return k
}
