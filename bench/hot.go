package bench

import (
	"context"
	"encoding/json"
)

// deadlineMark is how soon a question with timeout_ms 50 is answered, over the pipe.
const deadlineMark = 90

// hotTypes names types that thousands of places of a tree use.
func hotTypes(tree string) []string {
	if tree != "kubernetes" {
		return nil
	}
	return []string{"core/v1.Pod", "core/v1.Container", "core/v1.PodSpec", "apimachinery/pkg/apis/meta/v1.ObjectMeta"}
}

// hotImpact asks what depends on such types: under a deadline that the first answer
// cannot keep, then without one.
func hotImpact(ctx context.Context, c *Config, s *toolServer, r *Report) error {
	for _, target := range hotTypes(c.Tree) {
		ask := func(args map[string]any) (nodes int, ms float64, err error) {
			args["query_type"], args["target"] = "impact", target
			res, took, err := s.call(ctx, "ralph_graph", args)
			if err != nil {
				return 0, 0, err
			}
			var ans struct {
				Nodes []json.RawMessage `json:"nodes"`
			}
			err = json.Unmarshal([]byte(res.Text), &ans)
			return len(ans.Nodes), took.wall, err
		}
		var short, full []float64
		nodes := 0
		for range 2 * max(c.Rounds, 1) {
			_, ms, err := ask(map[string]any{"timeout_ms": deadlineMS})
			if err != nil {
				return err
			}
			short = append(short, ms)
		}
		for range 3 * max(c.Rounds, 1) {
			n, ms, err := ask(map[string]any{})
			if err != nil {
				return err
			}
			full, nodes = append(full, ms), n
		}
		first := full[0] // before they are sorted
		r.add(c, "tools", "impact of "+target+" with timeout_ms 50, slowest", quantile(short, 1), "ms", atMost(deadlineMark))
		r.add(c, "tools", "impact of "+target+", p50", quantile(full, 0.5), "ms", note("p95 %.1f, first %.0f ms, %d nodes", quantile(full, 0.95), first, nodes))
	}
	return nil
}
