package tool

import "strings"

// Nearest returns the candidate that s most likely meant, or "" when none is
// close: at most a third of the letters differ, or one contains the other.
func Nearest(s string, candidates []string) string {
	s = strings.ToLower(s)
	best, bestCost := "", len(s)/3+2
	if len(s) <= 3 {
		bestCost = 2 // two letters of three are another word
	}
	for _, c := range candidates {
		cost := distance(s, strings.ToLower(c))
		if len(s) >= 3 && (strings.Contains(c, s) || strings.Contains(s, c)) {
			cost = min(cost, 2)
		}
		if cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b.
func distance(a, b string) int {
	prev2 := make([]int, len(b)+1)
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			sub := prev[j-1]
			if a[i-1] != b[j-1] {
				sub++
			}
			row[j] = min(sub, prev[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}
