package query

import "github.com/ralph-index/ralph-index/graph"

// Empty is the answer to a question that could not be asked: every field is there,
// and missing_data says why. The flags follow the word.
func Empty(req Request, w Word) *Answer {
	limit := req.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	bounded := w == MissingCancelled || w == MissingDeadline
	return &Answer{
		Type: req.Type, Nodes: []Node{}, Edges: []Edge{}, Paths: [][]string{}, ImpactedFiles: []graph.Path{},
		SuggestedTests: []SuggestedTest{}, Provenance: graph.Extracted, EvidenceIDs: []string{},
		MissingData: []Word{w}, Truncated: bounded, Cancelled: w == MissingCancelled, Deadline: w == MissingDeadline,
		Metadata: Metadata{Target: req.Target, TargetB: req.TargetB, Limit: limit},
	}
}
