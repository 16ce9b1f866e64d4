package indexer

// Step is a moment at which a process may end: the next one goes on from what was
// published. Tests end processes at each of them.
type Step string

// The steps.
const (
	StepLooked    Step = "indexer: looked at the disk"
	StepPlanned   Step = "indexer: planned"
	StepFed       Step = "indexer: words of a batch fed"
	StepPrepared  Step = "indexer: all prepared"
	StepNoted     Step = "indexer: about to publish"
	StepPublished Step = "indexer: published, ledger not settled"
	StepSettled   Step = "indexer: ledger settled"
	StepFlushed   Step = "indexer: words of a flush applied"
	StepDisowned  Step = "indexer: words of an unpublished run deleted"
)

// Steps lists them all.
func Steps() []Step {
	return []Step{StepLooked, StepPlanned, StepFed, StepPrepared, StepNoted, StepPublished, StepSettled, StepFlushed, StepDisowned}
}

// reached tells who wants to know.
func (x *Indexer) reached(step Step) {
	if x.o.Reached != nil {
		x.o.Reached(step)
	}
}
