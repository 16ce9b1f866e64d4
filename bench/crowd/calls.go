package crowd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// callTime is when a call without an answer counts as lost.
const callTime = 2 * time.Minute

// caller is one agent.
type caller struct {
	fleet *fleet
	slot  int
	files *fileSet
	rng   *rand.Rand
}

// question is a call, and how its answer is judged.
type question struct {
	tool  string
	args  map[string]any
	job   bool                // it changes something: it may be lost with a process
	check func(string) string // says what is wrong with an answer; nil: nothing is known
	done  func()
}

// one makes one call. The error is the end of the round.
func (c *caller) one(ctx context.Context) error {
	q := c.question()
	defer q.done()
	out, f := c.fleet.out, c.fleet
	for try := 1; ; try++ {
		began := time.Now()
		res, err := c.call(ctx, q)
		took := float64(time.Since(began).Microseconds()) / 1e3
		if err := ctx.Err(); err != nil {
			return err
		}
		f.mu.Lock()
		again := c.judge(q, res, err, took, try)
		f.mu.Unlock()
		if !again {
			break
		}
	}
	f.mu.Lock()
	out.Calls++
	f.mu.Unlock()
	return nil
}

func (c *caller) call(ctx context.Context, q *question) (*client.Result, error) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	return c.fleet.at(c.slot).Call(ctx, q.tool, q.args, nil)
}

// maxTries bounds how often a read is made again that was on its way in a process
// that was killed.
const maxTries = 5

// judge counts an answer, and says whether the call must be made again.
func (c *caller) judge(q *question, res *client.Result, err error, took float64, try int) (again bool) {
	f, out := c.fleet, c.fleet.out
	switch {
	case errors.Is(err, client.ErrClosed) && f.servers > 1 && q.job:
		out.LostJobs++
	case errors.Is(err, client.ErrClosed) && f.servers > 1 && try < maxTries:
		out.Repeated++
		return true
	case err != nil:
		out.Lost++
		f.sample("%s %v: %v", q.tool, q.args, err)
	case (res.IsError || q.tool == "ralph_index_status") && lockWords.MatchString(res.Text):
		out.Locks++
		f.sample("%s %v: %.300s", q.tool, q.args, res.Text)
	case res.IsError && q.job && (strings.Contains(res.Text, "ended under it") || strings.Contains(res.Text, "leader_unresponsive")):
		out.LostJobs++
	case res.IsError:
		out.Lost++
		f.sample("%s %v: %.300s", q.tool, q.args, res.Text)
	default:
		out.Took[q.tool] = append(out.Took[q.tool], took)
		if strings.Contains(res.Text, `"index_used":false`) {
			out.Live++
		}
		if q.check == nil {
			return false
		}
		if wrong := q.check(res.Text); wrong != "" {
			out.Wrong++
			f.sample("%s %v: %s", q.tool, q.args, wrong)
		}
	}
	return false
}

// question chooses a call.
func (c *caller) question() *question {
	n := c.rng.IntN(100)
	f := c.files.known(c.rng)
	if f == nil || n < 40 {
		if f != nil {
			f.mu.RUnlock()
		}
		return c.open(n)
	}
	q := &question{done: f.mu.RUnlock}
	switch {
	case n < 60:
		c.exact(q, f, f.token, 1)
	case n < 70 && f.old != "":
		c.exact(q, f, f.old, 0)
	case n < 82:
		q.tool, q.args = "ralph_graph", map[string]any{
			"query_type": "neighbors", "target": f.path + "#" + f.token, "freshness": "required", "timeout_ms": 30_000,
		}
		q.check = resolved
	case n < 98:
		q.tool, q.args = "read_file", map[string]any{"path": f.path}
		q.check = func(text string) string {
			if text == f.content {
				return ""
			}
			return fmt.Sprintf("the file has %d bytes, the answer %d, which end in %q", len(f.content), len(text), tail(text))
		}
	case n == 98:
		q.tool, q.job, q.args = "ralph_reindex", true, map[string]any{"mode": "changed", "path_scope": []string{f.path}}
	default:
		q.tool, q.args = "ralph_index_status", map[string]any{}
	}
	return q
}

// open is a call whose answer is not known beforehand.
func (c *caller) open(n int) *question {
	word := c.files.words[c.rng.IntN(len(c.files.words))]
	q := &question{done: func() {}}
	if n%2 == 0 {
		q.tool, q.args = "grep_files", map[string]any{"pattern": word, "regex": false, "limit": 50}
	} else {
		q.tool, q.args = "ralph_graph", map[string]any{"query_type": "neighbors", "target": word, "timeout_ms": 30_000}
	}
	return q
}

// exact searches for a token that stands in one place, or in none any more. Where a
// search takes no freshness, it is limited to the directory of the file, which is
// looked at for each search.
func (c *caller) exact(q *question, f *file, token string, want int) {
	q.tool, q.args = "grep_files", map[string]any{"pattern": token, "regex": false, "case_sensitive": true}
	if c.fleet.required {
		q.args["freshness"] = "required"
	} else if dir := path.Dir(f.path); dir != "." {
		q.args["path"] = dir
	} else {
		q.args["path"] = f.path
	}
	q.check = func(text string) string {
		var ans struct {
			Matches []struct {
				Path string `json:"path"`
				Line int    `json:"line"`
			} `json:"matches"`
			Deadline bool `json:"deadline_exceeded"`
		}
		if err := json.Unmarshal([]byte(text), &ans); err != nil {
			return err.Error()
		}
		switch {
		case len(ans.Matches) != want || ans.Deadline:
		case want == 0, ans.Matches[0].Path == f.path && ans.Matches[0].Line == f.line:
			return ""
		}
		return fmt.Sprintf("want %d at %s:%d, got %.500s", want, f.path, f.line, text)
	}
}

// resolved says whether a question found its target, or says that it could not look.
func resolved(text string) string {
	var ans struct {
		Missing  []string `json:"missing_data"`
		Metadata struct {
			ID string `json:"resolved_id"`
		} `json:"metadata"`
		Fallback *string `json:"fallback_reason"`
	}
	if err := json.Unmarshal([]byte(text), &ans); err != nil {
		return err.Error()
	}
	if ans.Metadata.ID != "" {
		return ""
	}
	for _, w := range ans.Missing {
		if w == "freshness_required" || w == "index_not_ready" || w == "deadline_exceeded" {
			return "" // it says that it does not know
		}
	}
	return fmt.Sprintf("the target is not found: %.500s", text)
}

func tail(s string) string { return s[max(0, len(s)-60):] }
