package accuracy

import (
	"maps"
	"slices"
)

// derivedDepth bounds how far the questions that are derived from a truth reach.
const derivedDepth = 3

// CasesOf derives questions about the graph, with their answers, from the calls of a
// truth: the neighbors and the impact of each function, a longest of the shortest paths
// from each, and the hubs.
func CasesOf(truth []Record) []Case {
	to, from := map[string][]string{}, map[string][]string{}
	for i := range truth {
		r := &truth[i]
		if r.K != "call" || r.Ext || r.CalleeFile == "" || r.Dispatch == "value" {
			continue
		}
		a, b := Place{r.CallerFile, r.CallerLine}.String(), Place{r.CalleeFile, r.CalleeLine}.String()
		if a != b && !slices.Contains(to[a], b) {
			to[a], from[b] = append(to[a], b), append(from[b], a)
		}
	}
	var fns []string
	for i := range truth {
		if r := &truth[i]; r.K == "def" {
			fn := Place{r.File, r.Line}.String()
			if len(to[fn])+len(from[fn]) > 0 && !slices.Contains(fns, fn) {
				fns = append(fns, fn)
			}
		}
	}
	var out []Case
	for _, fn := range fns {
		out = append(out, Case{Q: "neighbors", Fn: fn, Callers: from[fn], Callees: to[fn]})
	}
	for _, fn := range fns {
		if len(from[fn]) > 0 {
			out = append(out, Case{Q: "impact", Fn: fn, Affected: reached(fn, from, derivedDepth)})
		}
	}
	for _, fn := range fns {
		if far := reached(fn, to, 2*derivedDepth); len(far) > 0 && far[len(far)-1].Dist > 1 {
			last := far[len(far)-1]
			out = append(out, Case{Q: "path", From: fn, To: last.Fn, Len: last.Dist})
		}
	}
	hubs := Case{Q: "hubs"}
	slices.SortStableFunc(fns, func(a, b string) int { return len(from[b]) - len(from[a]) })
	for _, fn := range fns[:min(hubsShown, len(fns))] {
		if len(from[fn]) > 0 {
			hubs.Top = append(hubs.Top, Affected{Fn: fn})
		}
	}
	return append(out, hubs)
}

// reached lists what can be reached from a function, the nearest first.
func reached(fn string, edges map[string][]string, depth int) (out []Affected) {
	seen := map[string]bool{fn: true}
	for at, d := []string{fn}, 1; len(at) > 0 && d <= depth; d++ {
		next := map[string]bool{}
		for _, a := range at {
			for _, b := range edges[a] {
				if !seen[b] {
					seen[b], next[b] = true, true
				}
			}
		}
		at = slices.Sorted(maps.Keys(next))
		for _, b := range at {
			out = append(out, Affected{Fn: b, Dist: d})
		}
	}
	return out
}
