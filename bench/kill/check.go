package kill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// verify asks a process that is left, or a new one, and compares what it says with
// the files. One that ends itself meanwhile is one more kill.
func (r *run) verify(ctx context.Context) error {
	began := time.Now()
	for {
		if len(r.procs) == 0 || r.rng.IntN(3) == 0 && len(r.procs) == 1 {
			if err := r.launch(ctx); err != nil {
				return err
			}
		} else if len(r.procs) == 1 {
			r.out.Takeovers++
		}
		p := r.procs[len(r.procs)-1]
		err := r.question(ctx, p)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, client.ErrClosed):
			<-p.gone
			r.bury(p)
			continue
		case time.Since(began) > recoverTime:
			r.out.Stuck++
			r.sample("the index does not come back: %v; it says: %.2000s", err, p.logs.text())
			r.end()
			return nil
		}
		time.Sleep(100 * time.Millisecond) //nolint:forbidigo // a process takes its time to come back; nothing tells when
	}
}

// notYet says that a process may answer later.
type notYet struct{ why string }

func (e *notYet) Error() string { return e.why }

type graphAnswer struct {
	Missing  []string `json:"missing_data"`
	Deadline bool     `json:"deadline_exceeded"`
	Stale    bool     `json:"is_stale"`
	Why      *string  `json:"fallback_reason"`
	Dirty    int      `json:"dirty_paths_count"`
	Metadata struct {
		ID string `json:"resolved_id"`
	} `json:"metadata"`
	Nodes []struct {
		Path string `json:"path"`
	} `json:"nodes"`
}

// question makes the questions of one verification. The error says that there is no
// answer yet.
func (r *run) question(ctx context.Context, p *process) error {
	var st struct {
		Degraded string `json:"degraded"`
		Exists   bool   `json:"index_exists"`
		Cold     bool   `json:"cold_index_required"`
	}
	if err := p.call(ctx, "ralph_index_status", map[string]any{}, &st); err != nil {
		return err
	}
	if st.Degraded != "" || !st.Exists || st.Cold {
		return &notYet{fmt.Sprintf("status: %+v", st)}
	}
	for range 3 {
		if file, token, ok := r.files.recent(r.rng); ok {
			if err := r.askGraph(ctx, p, file+"#"+token, true); err != nil {
				return err
			}
			if err := r.askGrep(ctx, p, token); err != nil {
				return err
			}
		}
		if len(r.files.old) > 0 {
			old := r.files.old[r.rng.IntN(len(r.files.old))]
			if err := r.askGraph(ctx, p, old, false); err != nil {
				return err
			}
			if err := r.askGrep(ctx, p, old); err != nil {
				return err
			}
		}
		if err := r.askGrep(ctx, p, r.files.words[r.rng.IntN(len(r.files.words))]); err != nil {
			return err
		}
	}
	return nil
}

// askGraph asks for a definition that is there, or that is there no more.
func (r *run) askGraph(ctx context.Context, p *process, target string, there bool) error {
	var ans graphAnswer
	args := map[string]any{"query_type": "neighbors", "target": target, "freshness": "required", "timeout_ms": 30_000}
	if err := p.call(ctx, "ralph_graph", args, &ans); err != nil {
		return err
	}
	for _, w := range ans.Missing {
		switch w {
		case "freshness_required", "index_not_ready", "deadline_exceeded":
			return &notYet{"graph: " + w}
		}
	}
	r.out.Checks++
	if found := ans.Metadata.ID != ""; found != there || ans.Stale {
		why := ""
		if ans.Why != nil {
			why = *ans.Why
		}
		r.wrong("%s: found %v, want %v, reason %q: %+v", target, found, there, why, ans)
	}
	return nil
}

const mostMatches = 1000

func (r *run) askGrep(ctx context.Context, p *process, text string) error {
	want := r.files.places(text)
	if len(want) >= mostMatches {
		return nil
	}
	var ans struct {
		Matches []struct {
			Path string `json:"path"`
			Line int    `json:"line"`
		} `json:"matches"`
		Deadline bool `json:"deadline_exceeded"`
	}
	args := map[string]any{"pattern": text, "regex": false, "case_sensitive": true, "include": []string{"**/*.py", "*.py"}, "limit": mostMatches}
	if err := p.call(ctx, "grep_files", args, &ans); err != nil {
		return err
	}
	if ans.Deadline {
		return &notYet{"grep: deadline"}
	}
	got := []string{}
	for _, m := range ans.Matches {
		got = append(got, fmt.Sprintf("%s:%d", m.Path, m.Line))
	}
	slices.Sort(got)
	r.out.Checks++
	if !slices.Equal(got, want) {
		r.wrong("search for %s: %d places, want %d: %.300s; want %.300s", text, len(got), len(want), strings.Join(got, " "), strings.Join(want, " "))
	}
	return nil
}
