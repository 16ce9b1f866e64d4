// Package rank scores search matches and says why. It is pure: the caller gathers
// the signals, this package weighs them.
//
// A match earns points by component. A component that was looked at and does not
// apply is silent; one that could not be looked at (no index, no facts for the
// language) says so with a +0 line, so that a reader of the answer can tell "no"
// from "not known".
package rank

import (
	"fmt"

	"github.com/ralph-index/ralph-index/graph"
)

// Fact is what is known about one signal.
type Fact uint8

// The values of a Fact.
const (
	Unknown Fact = iota // not looked at: there is no indexed data
	No
	Yes
)

// Of turns a known bool into a Fact.
func Of(b bool) Fact {
	if b {
		return Yes
	}
	return No
}

// Signals is what is known about one match.
type Signals struct {
	Definition Fact       // the line holds the name of a definition that the pattern matches
	Body       Fact       // the line lies in the body of a definition whose name the pattern matches
	Target     Fact       // the line lies in the graph target
	Neighbor   Fact       // the enclosing definition has an edge to or from the graph target
	Component  Fact       // the file has such an edge
	Changed    Fact       // the file has changed since the engine was opened
	Role       graph.Role // of the file
}

// Components selects which signals count.
type Components uint8

// The selections. The bare match and the penalty for generated files always count.
const (
	BySymbol Components = 1 << iota
	ByGraph
	ByChanged
	ByAll = BySymbol | ByGraph | ByChanged
)

// The weights. A definition outweighs everything else together except its own body,
// since "where is X defined" is the question most often behind a search.
const (
	weightMatch      = 1
	weightDefinition = 100
	weightBody       = 60
	weightNeighbor   = 50
	weightTarget     = 45
	weightChanged    = 40
	weightComponent  = 20
	weightGenerated  = -50
)

// Score adds up the selected components and lists the reasons, strongest first.
func Score(s Signals, by Components) (score int, reasons []string) {
	add := func(weight int, name string, f Fact) {
		switch f {
		case Yes:
			score += weight
			reasons = append(reasons, fmt.Sprintf("%+d %s", weight, name))
		case Unknown:
			reasons = append(reasons, "+0 "+name+":no_indexed_data")
		case No:
		}
	}
	if by&BySymbol != 0 {
		add(weightDefinition, "definition", s.Definition)
		add(weightBody, "same_symbol_body", s.Body)
	}
	if by&ByGraph != 0 {
		add(weightNeighbor, "graph_neighbor", s.Neighbor)
		if s.Target == Yes { // which is said of nothing else
			add(weightTarget, "graph_target", s.Target)
		}
		add(weightComponent, "graph_component", s.Component)
	}
	if by&ByChanged != 0 {
		add(weightChanged, "changed", s.Changed)
	}
	if s.Role == graph.RoleGenerated {
		add(weightGenerated, "generated_or_vendored", Yes)
	}
	add(weightMatch, "match", Yes)
	return score, reasons
}
