package filewrite

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

//go:embed edit_file.md
var editDoc string

const (
	maxEdits      = 500
	pairExample   = `{"oldText":"retries = 3","newText":"retries = 5"}`
	targetExample = `{"symbol":"pkg.Type.Method"}`
)

type editIn struct {
	Path                  string            `json:"path"`
	Edits                 []json.RawMessage `json:"edits"`
	DryRun                bool              `json:"dry_run"`
	ExpectedContentHash   string            `json:"expected_content_hash"`
	Target                json.RawMessage   `json:"target"`
	MatchStrategy         string            `json:"match_strategy"`
	Reindex               string            `json:"reindex"`
	ImpactPreview         bool              `json:"impact_preview"`
	ReturnEvidenceUpdates bool              `json:"return_evidence_updates"`
}

// pairIn is one element of edits.
type pairIn struct {
	OldText string `json:"oldText"`
	NewText string `json:"newText"`
}

func pairArgs() []tool.Arg {
	return []tool.Arg{
		{
			Name: "oldText", Type: tool.String, Required: true, MaxLen: maxContent,
			Aliases: []string{"old_text", "oldString", "old_string", "old_str"}, Doc: "Text to find, white space and all.",
		},
		{
			Name: "newText", Type: tool.String, MaxLen: maxContent,
			Aliases: []string{"new_text", "newString", "new_string", "new_str"}, Doc: "What replaces it; absent: nothing.",
		},
	}
}

type targetIn struct {
	EvidenceID string `json:"evidence_id"`
	SpanID     string `json:"span_id"`
	Symbol     string `json:"symbol"`
	Path       string `json:"path"`
}

func targetArgs() []tool.Arg {
	text := func(name, doc string, most int) tool.Arg {
		return tool.Arg{Name: name, Type: tool.String, MaxLen: most, EmptyAbsent: true, Doc: doc}
	}
	return []tool.Arg{
		text("evidence_id", "Any id from an evidence_ids list.", 256),
		text("span_id", "Id of a definition's source.", 256),
		text("symbol", "Symbol id or name.", 2000),
		text("path", "The file of symbol, when given.", maxPath),
	}
}

func editArgs() []tool.Arg {
	return []tool.Arg{
		fileArg(),
		{Name: "edits", Type: tool.Objects, Required: true, MaxLen: maxEdits, Fields: pairArgs(), Doc: "Replacements, in order."},
		flagArg("dry_run", "Only show the diff."),
		{
			Name: "expected_content_hash", Type: tool.String, MaxLen: 256, EmptyAbsent: true,
			Doc: "SHA-256 in hex; refuse when the file differs.",
		},
		{Name: "target", Type: tool.Object, Fields: targetArgs(), EmptyAbsent: true, Doc: "Part of the file to stay in: one id or symbol."},
		{
			Name: "match_strategy", Type: tool.String, Default: string(api.MatchExact),
			Enum: []string{string(api.MatchExact), string(api.MatchWithin), string(api.MatchAll)}, Doc: "How oldText is found in target.",
		},
		{
			Name: "reindex", Type: tool.String, Default: string(api.ReindexAuto),
			Enum: []string{string(api.ReindexAuto), string(api.ReindexSkip), string(api.ReindexBlocking)}, Doc: "changed_blocking: index the file before the answer.",
		},
		flagArg("impact_preview", "With dry_run: files and tests that the edit may reach."),
		flagArg("return_evidence_updates", "New ids of what was touched."),
	}
}

type editOut struct {
	Status            string             `json:"status"`
	Path              string             `json:"path"`
	Diff              string             `json:"diff"`
	EditsApplied      int                `json:"edits_applied"`
	BytesWritten      *int64             `json:"bytes_written,omitempty"`
	ContentHash       string             `json:"content_hash"`
	OtherMatches      []api.OtherMatches `json:"other_matches,omitempty"`
	HardLinks         int                `json:"hard_links,omitempty"`
	NotKept           []string           `json:"attributes_not_kept,omitempty"`
	ImpactPreview     *api.ImpactPreview `json:"impact_preview,omitempty"`
	ImpactUnavailable bool               `json:"impact_preview_unavailable,omitempty"`
	ImpactReason      string             `json:"impact_preview_unavailable_reason,omitempty"`

	EvidenceUpdates *api.EvidenceUpdates `json:"evidence_updates,omitempty"`
	*freshness
}

// EditFile defines edit_file.
func EditFile(svc api.Service) (tool.Tool, error) {
	spec := tool.Spec{
		Name:        "edit_file",
		Title:       "Edit file",
		Description: editDoc,
		Capability:  tool.WorkspaceEdit,
		Annotations: tool.Annotations{Destructive: true},
		Budget:      tool.Budget{Default: writeBudget, Max: writeBudget},
		Args:        editArgs(),
		Example:     `{"path":"src/config.py","edits":[` + pairExample + `]}`,
	}
	return tool.Define(spec, func(ctx context.Context, in editIn) (*editOut, error) {
		req, err := in.request()
		if err != nil {
			return nil, err
		}
		ans, err := svc.Edit(ctx, req)
		if err != nil {
			return nil, err
		}
		return &editOut{
			ans.Status, ans.Path, ans.Diff, ans.EditsApplied, ans.BytesWritten, ans.ContentHash, ans.OtherMatches, ans.HardLinks, ans.NotKept,
			ans.ImpactPreview, ans.ImpactUnavailable, ans.ImpactReason, ans.EvidenceUpdates,
			freshnessOf(&api.MutateAnswer{Freshness: ans.Freshness, ChangedPaths: ans.ChangedPaths}),
		}, nil
	})
}

func (in *editIn) request() (*api.EditRequest, error) {
	req := &api.EditRequest{
		Path: in.Path, DryRun: in.DryRun, ExpectedContentHash: in.ExpectedContentHash, ImpactPreview: in.ImpactPreview,
		MatchStrategy: api.MatchStrategy(in.MatchStrategy), Reindex: api.ReindexPolicy(in.Reindex), ReturnEvidenceUpdates: in.ReturnEvidenceUpdates,
	}
	if len(in.Edits) == 0 {
		return nil, tool.Invalid("edits", "edits is empty; give at least one %s", pairExample)
	}
	for i, raw := range in.Edits {
		var pair pairIn
		if err := tool.Decode(pairArgs(), pairExample, raw, &pair); err != nil {
			return nil, part("edits", fmt.Sprintf("edits[%d]", i), err)
		}
		if pair.OldText == "" {
			return nil, tool.Invalid("edits", "edits[%d].oldText is empty; give the text to replace, with a line beside it where something is to be inserted", i)
		}
		req.Edits = append(req.Edits, api.TextEdit{OldText: pair.OldText, NewText: pair.NewText})
	}
	target, err := readTarget(in.Target)
	if err != nil {
		return nil, err
	}
	req.Target = target
	switch {
	case in.ImpactPreview && !in.DryRun:
		return nil, tool.Invalid("impact_preview", "impact_preview needs dry_run true: it shows what an edit may reach before it is made")
	case target == nil && req.MatchStrategy != api.MatchExact:
		return nil, tool.Invalid("match_strategy", "match_strategy %s needs a target; without one each edit replaces the first occurrence in the file", req.MatchStrategy)
	}
	return req, nil
}

// part says which part of an argument was refused.
func part(argument, where string, err error) error {
	var bad *api.Error
	if !errors.As(err, &bad) {
		return err
	}
	out := *bad
	out.Argument, out.Message = argument, where+": "+bad.Message
	return &out
}

func readTarget(raw json.RawMessage) (*api.EditTarget, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var t targetIn
	if err := tool.Decode(targetArgs(), targetExample, raw, &t); err != nil {
		return nil, part("target", "target", err)
	}
	given := 0
	for _, s := range []string{t.EvidenceID, t.SpanID, t.Symbol} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		err := tool.Invalid("target", "target takes exactly one of evidence_id, span_id and symbol, not %d of them, such as %s", given, targetExample)
		err.Details = map[string]any{"reason": "target_requires_exactly_one_selector"}
		return nil, err
	}
	return &api.EditTarget{EvidenceID: t.EvidenceID, SpanID: t.SpanID, Symbol: t.Symbol, Path: t.Path}, nil
}
