package main

import (
	"fmt"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// sharer is one process of those that share an index, for people.
type sharer struct{ role, text string }

// sharing lists the processes that share an index, the one that leads first. self,
// which asks, is left out: it is about to end.
func sharing(st *api.Status, self int) []sharer {
	var out []sharer
	add := func(role string, p api.Process) {
		if p.PID == self {
			return
		}
		text := fmt.Sprintf("process %d", p.PID)
		if p.Version != "" {
			text += " (" + visible(p.Version) + ")"
		}
		text += fmt.Sprintf(", since %s, %s", time.UnixMilli(int64(p.Since*1000)).Format(time.TimeOnly), counted(int(p.Calls), "call"))
		out = append(out, sharer{role, text})
	}
	if st.Leading != nil {
		add("leader", *st.Leading)
	}
	for _, p := range st.Followers {
		add("follower", p)
	}
	return out
}
