package lexical

// Step is a moment at which a process may end: the next Open finds an index, and
// Held says what it holds. Tests end processes at each of them.
type Step string

// The steps.
const (
	StepOpened  Step = "lexical: open"
	StepApplied Step = "lexical: batch applied, not persisted"
	StepFlushed Step = "lexical: persisted"
	StepMerged  Step = "lexical: merged, without a vocabulary"
	StepWarmed  Step = "lexical: vocabulary made"
	StepTidied  Step = "lexical: merged files deleted"
	StepClosing Step = "lexical: persisted, about to close"
	StepClosed  Step = "lexical: closed"
)

// Steps lists them all.
func Steps() []Step {
	return []Step{StepOpened, StepApplied, StepFlushed, StepMerged, StepWarmed, StepTidied, StepClosing, StepClosed}
}

// reached tells who wants to know.
func (x *Index) reached(step Step) {
	if x.tell != nil {
		x.tell(step)
	}
}
