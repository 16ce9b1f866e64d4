package rank

import "fmt"

// FileSignals is what is known about one file that a search for names has found.
type FileSignals struct {
	Basename   bool // the pattern ends in exactly the file's name
	Definition Fact // the file defines the symbol that was asked for
	Mention    Fact // the file refers to it
	Neighbor   Fact // the file has an edge with the symbol, by what it holds or what it is
	Changed    Fact // the file has changed since the engine was opened
	Role       bool // the file has the role that was asked for
	Generated  bool // the file is generated or vendored
}

// The weights of files. What is named outright comes first, then what defines the
// symbol; code that nobody wrote by hand comes last.
const (
	weightBasename       = 100
	weightFileDefinition = 80
	weightMention        = 60
	weightRole           = 30
	weightFileNeighbor   = 20
)

// ScoreFile adds up the signals and lists the reasons, strongest first. symbol says
// whether one was asked for.
func ScoreFile(s FileSignals, symbol bool) (score int, reasons []string) {
	reasons = []string{}
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
	add(weightBasename, "exact_basename", Of(s.Basename))
	if symbol {
		add(weightFileDefinition, "symbol_definition", s.Definition)
		add(weightMention, "symbol_mention", s.Mention)
	}
	add(weightChanged, "changed", s.Changed)
	add(weightRole, "role", Of(s.Role))
	if symbol {
		add(weightFileNeighbor, "graph_neighbor", s.Neighbor)
	}
	add(weightGenerated, "generated_or_vendored", Of(s.Generated))
	return score, reasons
}
