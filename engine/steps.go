package engine

import (
	"slices"

	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/engine/workspace"
	"github.com/ralph-index/ralph-index/graph/store"
	"github.com/ralph-index/ralph-index/lexical"
)

// Step is a moment of leading a workspace at which a process may end: the next one
// leads instead.
type Step string

// The steps, in their order.
const (
	StepLeads   Step = "engine: leads, nothing open"
	StepListens Step = "engine: socket listens, nothing open"
	StepServes  Step = "engine: index open, nobody served"
	StepRests   Step = "engine: background work ended, index open"
	StepShut    Step = "engine: index closed, still leading"
)

// writePrefix begins the names of the steps of changes of files.
const writePrefix = "write: "

// Steps lists the names that Options.Reached may be told.
func Steps() []string {
	return slices.Concat(
		names("", []Step{StepLeads, StepListens, StepServes, StepRests, StepShut}),
		names("", store.Steps()), names("", lexical.Steps()), names("", indexer.Steps()),
		names(writePrefix, workspace.Steps()),
	)
}

func names[S ~string](prefix string, steps []S) []string {
	out := make([]string, len(steps))
	for i, s := range steps {
		out[i] = prefix + string(s)
	}
	return out
}

// reached tells who wants to know.
func (o Options) reached(s Step) {
	if o.Reached != nil {
		o.Reached(string(s))
	}
}

// told passes steps on to whoever is to be told of them.
func told[S ~string](o Options) func(S) {
	if o.Reached == nil {
		return nil
	}
	return func(s S) { o.Reached(string(s)) }
}

// toldOfWrites passes on the steps of changes of files, none of which fails for it.
func toldOfWrites(o Options) func(workspace.Step) error {
	if o.Reached == nil {
		return nil
	}
	return func(s workspace.Step) error {
		o.Reached(writePrefix + string(s))
		return nil
	}
}
