package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/ralph-index/ralph-index/graph/store"
)

// ErrElsewhere is returned for what only the process that leads an index can do.
var ErrElsewhere = errors.New("this process does not lead an index")

// Snapshot pins the newest generation of what this process has stored, for those who
// compare indexes. The caller releases it, before Close. The error is ErrElsewhere
// where another process leads, or where there is no index.
func (e *Engine) Snapshot() (*store.Snapshot, error) {
	c, err := e.enter()
	if err != nil {
		return nil, err
	}
	defer e.leave(c)
	if c.own == nil {
		return nil, ErrElsewhere
	}
	return c.own.store.Snapshot(), nil
}

// Tidy does at once, however little there is to do, what a server does when it is
// idle and it is worth it: it feeds all words to the lexical index, merges that, and
// compacts the store. Calls and jobs may run meanwhile. The error is ErrElsewhere
// where another process leads, or where there is no index.
func (e *Engine) Tidy(ctx context.Context) error {
	ctx, release := e.bound(ctx)
	defer release()
	c, err := e.enter()
	if err != nil {
		return err
	}
	defer e.leave(c)
	if c.own == nil {
		return ErrElsewhere
	}
	for _, part := range []func(context.Context) error{
		func(ctx context.Context) error { return c.own.writer.Flush(ctx, 1) },
		c.own.lexical.Optimize,
		c.own.store.Compact,
	} {
		if err := part(ctx); err != nil {
			c.own.suspect(err)
			return fmt.Errorf("tidy the index: %w", err)
		}
	}
	return nil
}
