package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/edit"
	"github.com/ralph-index/ralph-index/engine/partial"
)

// refused says why edits cannot be made, and what would help.
func (e *editing) refused(err error) error {
	var miss *edit.NoMatchError
	var off *edit.TargetError
	var bad *edit.InvalidUTF8Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &miss):
		return e.noMatch(miss)
	case errors.As(err, &off):
		return e.offTarget(off)
	case errors.As(err, &bad):
		out := readError("path", e.req.Path, &partial.InvalidUTF8Error{Offset: int64(bad.Offset)})
		var known *api.Error
		if errors.As(out, &known) {
			known.Message = fmt.Sprintf("%q is not UTF-8 text (%v), and edits would damage it; nothing was written", clipPath(e.req.Path), bad)
		}
		return out
	case errors.Is(err, edit.ErrInvalid):
		return invalid("edits", fmt.Sprintf("edits cannot be applied: %v", err))
	}
	return err
}

// noMatch answers a miss with what is nearest.
func (e *editing) noMatch(miss *edit.NoMatchError) error {
	var says strings.Builder
	fmt.Fprintf(&says, "edits[%d].oldText is not in %q", miss.Index, clipPath(e.req.Path))
	if e.aim != nil {
		says.WriteString(", neither in the target nor outside it")
	}
	says.WriteString("; nothing was written")
	details := map[string]any{"path": clipPath(e.req.Path), "edit_index": miss.Index, "preview": e.diffOf(miss.Done)}
	if miss.Spent {
		says.WriteString("; an earlier edit of this call changed that text, and edits see what the ones before left")
		details["changed_by_earlier_edit"] = true
	}
	if miss.Present > 0 {
		fmt.Fprintf(&says, "; newText stands on line %d already", miss.Present)
		details["new_text_line"] = miss.Present
	}
	if n := miss.Nearest; n != nil {
		details["nearest"] = shownNearest(n)
		what := "is most like it"
		if n.OnlySpace {
			what = "differs in white space only"
		}
		fmt.Fprintf(&says, "; what stands on line %d %s", n.Lines.From, what)
		if len(n.Differences) > 0 {
			fmt.Fprintf(&says, " (%s)", n.Differences[0])
		}
		says.WriteString(": copy oldText from nearest.text")
	} else {
		says.WriteString("; nothing there is like it: read the file again")
	}
	return &api.Error{Code: api.CodeNoMatch, Argument: "edits", Message: says.String(), Details: details}
}

func shownNearest(n *edit.Nearest) map[string]any {
	differences := make([]string, len(n.Differences))
	for i, d := range n.Differences {
		differences[i] = d.String()
	}
	out := map[string]any{
		"start_line": n.Lines.From, "end_line": max(n.Lines.From, n.Lines.To), "text": n.Text,
		"whitespace_only": n.OnlySpace, "differences": differences,
	}
	if n.Cut {
		out["truncated"] = true
	}
	if n.More > 0 {
		out["more_differences"] = n.More
	}
	return out
}

// offTarget answers an old text that is not where the target is.
func (e *editing) offTarget(off *edit.TargetError) error {
	says := fmt.Sprintf("edits[%d].oldText is on line %d of %q, outside the target (lines %d to %d)",
		off.Index, off.Matches[0], clipPath(e.req.Path), off.Target.From, off.Target.To)
	help := "copy it from the target, or leave target out"
	if off.InTarget {
		says = fmt.Sprintf("edits[%d].oldText is a part of the target (lines %d to %d), and match_strategy exact wants all of it", off.Index, off.Target.From, off.Target.To)
		help = "use match_strategy within_target"
	}
	return &api.Error{
		Code: api.CodeAmbiguousTarget, Argument: "edits", Message: says + "; nothing was written: " + help,
		Details: map[string]any{
			"reason": "match_strategy_" + string(off.Strategy) + "_violation", "path": clipPath(e.req.Path), "edit_index": off.Index,
			"preview": e.diffOf(off.Done), "match_lines": off.Matches, "first_match_index": off.First, "first_match_in_target": off.InTarget,
			"target_start_line": off.Target.From, "target_end_line": off.Target.To,
		},
	}
}

// mostPreview bounds the diff of edits that were not made.
const mostPreview = 4000

func (e *editing) diffOf(r *edit.Result) string {
	d := edit.Diff(string(e.path), e.before, r.Text, r.Changes)
	if len(d) > mostPreview {
		d = string(partial.Preview([]byte(d), mostPreview))
	}
	return d
}
