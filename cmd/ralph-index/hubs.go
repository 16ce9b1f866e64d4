package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// hubsPoll is the pause between two questions for hubs that are being computed.
const hubsPoll = 300 * time.Millisecond

// hubsPending reports whether hubs are being computed, so that asking again helps:
// of an empty index, or of none, there never are any.
func hubsPending(ans *api.GraphAnswer) bool {
	return ans.IndexGeneration > 0 && slices.Contains(ans.MissingData, query.MissingHubsPending)
}

// askGraph asks a question. Hubs that are being computed are waited for, unless the
// caller set a time budget: a process that ends with the first answer would begin
// anew each time.
func (a *app) askGraph(ctx context.Context, svc api.Service, flags *toolFlags, args map[string]any) (tool.Result, *api.GraphAnswer, error) {
	_, budget := args["timeout_ms"]
	for said := false; ; {
		res, err := flags.call(ctx, svc, args)
		if err != nil {
			return res, nil, err
		}
		ans := &api.GraphAnswer{}
		if err := json.Unmarshal(res.JSON, ans); err != nil {
			return res, nil, fmt.Errorf("read answer: %w", err)
		}
		if budget || !hubsPending(ans) {
			return res, ans, nil
		}
		if !said {
			a.note("computing hubs…")
			said = true
			args = maps.Clone(args)
			args["timeout_ms"] = query.MaxTimeoutMS
		}
		if err := wait(ctx, hubsPoll); err != nil {
			return res, nil, err
		}
	}
}

// wait pauses, and returns the error of a context that ends first.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
