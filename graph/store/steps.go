package store

// Step is a moment at which a process may end. Whatever the moment, the next Open
// finds what was published before, or all of what was about to be. Tests end
// processes at each of them.
type Step string

// The steps, in about the order in which they are reached.
const (
	StepMarked          Step = "store: marked as open"
	StepCreated         Step = "store: key space made, without a commit record"
	StepOpened          Step = "store: open"
	StepStaged          Step = "store: a file of a full batch staged"
	StepBlobsAhead      Step = "store: blobs written ahead"
	StepOverlayAhead    Step = "store: overlay written ahead"
	StepCommit          Step = "store: about to commit"
	StepCommitted       Step = "store: committed, not shown"
	StepTombstones      Step = "store: about to write tombstones"
	StepBaseTable       Step = "store: table of a base written"
	StepBaseDefs        Step = "store: definers of a base written"
	StepBaseRefs        Step = "store: referrers of a base written"
	StepBase            Step = "store: base written"
	StepCarried         Step = "store: overlay carried over to a new base"
	StepFlipped         Step = "store: new base committed"
	StepSynced          Step = "store: new base synced"
	StepStagedForgotten Step = "store: staged files forgotten"
	StepCollect         Step = "store: about to delete garbage"
	StepCollected       Step = "store: garbage deleted"
	StepReclaimed       Step = "store: space reclaimed"
	StepMeta            Step = "store: about to write meta values"
	StepClosed          Step = "store: closed, still marked as open"
)

// Steps lists them all.
func Steps() []Step {
	return []Step{
		StepMarked, StepCreated, StepOpened, StepStaged, StepBlobsAhead, StepOverlayAhead, StepCommit, StepCommitted,
		StepTombstones, StepBaseTable, StepBaseDefs, StepBaseRefs, StepBase, StepCarried, StepFlipped, StepSynced,
		StepStagedForgotten, StepCollect, StepCollected, StepReclaimed, StepMeta, StepClosed,
	}
}

// reached tells who wants to know.
func (s *Store) reached(step Step) {
	if s.opt.Reached != nil {
		s.opt.Reached(step)
	}
}
