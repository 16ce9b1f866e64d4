package accuracy

import (
	"fmt"
	"maps"
	"slices"
)

// Tier is how often edges of one provenance, or of one range of confidence, are right.
type Tier struct {
	Name          string
	Edges         int // calls with an answer
	Judged, Right int // of them those whose targets the truth knows
}

// tiers judges each answer to a call by what the export says of itself. A call of a value
// is not judged, also where the value is a class.
func (s *scorer) tiers(calls, export []Record) {
	targets, leaves, unknown := map[site]map[Place]bool{}, map[site]bool{}, map[site]bool{}
	for i := range calls {
		r := &calls[i]
		if r.K != "call" || r.Line == 0 {
			continue
		}
		k := site{r.File, r.Line, r.Col}
		switch {
		case r.unknown() || r.Dispatch == "value":
			unknown[k] = true
		case r.Ext || r.CalleeFile == "":
			leaves[k] = true
		default:
			if targets[k] == nil {
				targets[k] = map[Place]bool{}
			}
			r.addTargets(targets[k])
		}
	}
	tiers, answered := map[string]*Tier{}, map[site]bool{}
	for i := range export {
		r := &export[i]
		if r.K != "call" || r.CalleeFile == "" || r.Ext {
			continue
		}
		s.Edges++
		k := site{r.File, r.Line, r.Col}
		answered[k] = true
		judged := !unknown[k] && (targets[k] != nil || leaves[k])
		for _, name := range [...]string{r.Provenance, fmt.Sprintf("confidence %.1f+", min(float64(int(r.Confidence*10)), 9)/10)} {
			t := tiers[name]
			if t == nil {
				t = &Tier{Name: name}
				tiers[name] = t
			}
			t.Edges++
			t.Judged += one(judged)
			t.Right += one(judged && targets[k][Place{r.CalleeFile, r.CalleeLine}])
		}
	}
	for k := range leaves {
		s.Leaving++
		s.LeavingAnswered += one(answered[k])
	}
	for _, name := range slices.Sorted(maps.Keys(tiers)) {
		s.Tiers = append(s.Tiers, *tiers[name])
	}
}

// unknown reports whether the truth cannot tell where a call leads.
func (r *Record) unknown() bool { return r.Conf == "none" || r.Callee == nil && r.Conf == "" }

// addTargets adds where a call of the truth leads. A class and what makes its objects are
// one.
func (r *Record) addTargets(to map[Place]bool) {
	to[Place{r.CalleeFile, r.CalleeLine}] = true
	if r.InitFile != "" {
		to[Place{r.InitFile, r.InitLine}] = true
	}
	if r.ClassFile != "" {
		to[Place{r.ClassFile, r.ClassLine}] = true
	}
	for _, p := range r.Targets {
		to[p] = true
	}
}
