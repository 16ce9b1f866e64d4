package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/ralph-index/ralph-index/engine/api"
)

// manyBytes bounds the content of all items together: the whole answer is held in
// memory several times on its way out.
const manyBytes = 32 << 20

// ReadMany reads the items one after the other. Each has its own result, also when
// the call ends before it.
func (l *local) ReadMany(ctx context.Context, req *api.ReadManyRequest) (*api.ReadManyAnswer, error) {
	ans := &api.ReadManyAnswer{Results: make([]api.ReadResult, len(req.Items))}
	room, over := int64(manyBytes), ""
	for i := range req.Items {
		item, out := req.Items[i], &ans.Results[i]
		if over == "" && ctx.Err() != nil {
			over = string(endCode(ctx.Err()))
		}
		if over != "" {
			out.NotRead, ans.Truncated = over, true
			continue
		}
		item.MaxBytes = max(min(maxBytes(&item.ReadRequest), room), 1)
		if err := l.readItem(ctx, &item, out); err != nil {
			return nil, err
		}
		switch {
		case out.Error != nil && req.FailFast:
			over = api.NotReadFailFast
		case out.Answer != nil:
			room -= int64(len(out.Answer.Content))
			ans.Truncated = ans.Truncated || out.Answer.Truncated
			if f := out.Answer.Freshness; f != nil {
				ans.Freshness = f
			}
		}
	}
	return ans, nil
}

// readItem fills one result. The error is what must end the whole call: a damaged
// index, which another one will answer from.
func (l *local) readItem(ctx context.Context, item *api.ReadItem, out *api.ReadResult) error {
	if item.Refused != nil {
		out.Error = item.Refused
		return nil
	}
	ans, err := l.Read(ctx, &item.ReadRequest)
	if err == nil && ans.Mode == api.ReadOversize {
		err = l.fill(ctx, &item.ReadRequest, ans)
	}
	var known *api.Error
	switch {
	case err == nil:
		out.Answer = ans
	case damaged(err):
		return err
	case errors.As(err, &known):
		out.Error = known
	case ctx.Err() != nil:
		code := endCode(ctx.Err())
		out.Error = &api.Error{Code: code, Message: "the time for this call ended while the item was read; ask for fewer items"}
	default:
		l.o.Logger.Error("item cannot be read", "path", item.Path, "err", err)
		out.Error = &api.Error{Code: api.CodeInternal, Message: "the item cannot be read; the details are in the log of the server"}
	}
	return nil
}

// fill puts as much of a long file into an answer as its bound allows. A single read
// shows no more than a taste of such a file; who asks for many has set the bound to
// what can be used.
func (l *local) fill(ctx context.Context, req *api.ReadRequest, ans *api.ReadAnswer) error {
	if int64(len(ans.Content)) >= req.MaxBytes {
		return nil
	}
	window := *req
	window.Limit, window.ExpectedContentHash, window.ReturnMetadata = req.MaxBytes, "", false
	more, err := l.Read(ctx, &window)
	if err != nil {
		return fmt.Errorf("read beginning: %w", err)
	}
	ans.Content, ans.TotalBytes = more.Content, more.TotalBytes
	return nil
}

// endCode is the code for a call that its context ended.
func endCode(err error) api.Code {
	if errors.Is(err, context.DeadlineExceeded) {
		return api.CodeDeadline
	}
	return api.CodeCancelled
}
