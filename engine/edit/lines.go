package edit

import "slices"

// lineEdit replaces the lines from..to by the lines newFrom..newTo.
type lineEdit struct{ from, to, newFrom, newTo int }

// mostSteps bounds the search for the shortest script: it compares at most about
// mostSteps² pairs of lines, and remembers half as many numbers.
const mostSteps = 400

// compareLines returns the shortest script of line edits from one list to another
// (Myers' greedy search), in order; one edit of all that differs where it would be
// longer than mostSteps.
func compareLines(old, replaced [][]byte) []lineEdit {
	a, b := number(old, replaced)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	m := 0
	for m < min(len(a), len(b))-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	a, b = a[n:len(a)-m], b[n:len(b)-m]
	var script []lineEdit
	switch {
	case len(a) == 0 && len(b) == 0:
		return nil
	case len(a) == 0 || len(b) == 0:
		script = []lineEdit{{0, len(a), 0, len(b)}}
	default:
		script = shortest(a, b)
	}
	for i := range script {
		e := &script[i]
		*e = lineEdit{e.from + n, e.to + n, e.newFrom + n, e.newTo + n}
	}
	return script
}

// number gives equal lines equal numbers.
func number(lists ...[][]byte) (a, b []int) {
	numbers := map[string]int{}
	out := [2][]int{}
	for i, list := range lists {
		out[i] = make([]int, len(list))
		for k, line := range list {
			n, ok := numbers[string(line)]
			if !ok {
				n = len(numbers)
				numbers[string(line)] = n
			}
			out[i][k] = n
		}
	}
	return out[0], out[1]
}

// shortest searches the edit graph: after step d, reach[k] is how far in a a path of
// d edits can come on diagonal k (the place in a less that in b).
func shortest(a, b []int) []lineEdit {
	steps := min(len(a)+len(b), mostSteps)
	reach := make([]int, 2*steps+3)
	mid := steps + 1
	var trail [][]int // reach before each step, on the diagonals that it had
	for d := 0; d <= steps; d++ {
		trail = append(trail, slices.Clone(reach[mid-d:mid+d+1]))
		for k := -d; k <= d; k += 2 {
			x := reach[mid+k-1] + 1 // a line of a goes
			if k == -d || k != d && reach[mid+k+1] > reach[mid+k-1] {
				x = reach[mid+k+1] // a line of b comes
			}
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			reach[mid+k] = x
			if x >= len(a) && x-k >= len(b) {
				return walkBack(a, b, trail)
			}
		}
	}
	return []lineEdit{{0, len(a), 0, len(b)}}
}

// walkBack follows the path from its end, and joins edits that touch.
func walkBack(a, b []int, trail [][]int) []lineEdit {
	var script []lineEdit
	x, y := len(a), len(b)
	for d := len(trail) - 1; d > 0; d-- {
		reach := func(k int) int { return trail[d][k+d] }
		k := x - y
		prev := k - 1
		if k == -d || k != d && reach(k+1) > reach(k-1) {
			prev = k + 1
		}
		px := reach(prev)
		py := px - prev
		e := lineEdit{px, px, py, py + 1}
		if prev < k {
			e = lineEdit{px, px + 1, py, py}
		}
		if last := len(script) - 1; last >= 0 && script[last].from == e.to && script[last].newFrom == e.newTo {
			script[last].from, script[last].newFrom = e.from, e.newFrom
		} else {
			script = append(script, e)
		}
		x, y = px, py
	}
	slices.Reverse(script)
	return script
}
