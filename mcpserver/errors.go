package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/internal/sdk"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// nextStep says what a caller can do about each code. It is the closed list of
// codes, and the message of an error that has none of its own.
func nextStep() map[api.Code]string {
	return map[api.Code]string{
		api.CodeInvalidParams:      "an argument is wrong; compare the call with the tool's schema",
		api.CodeNotFound:           "nothing there; give the path relative to the workspace, or look for its name with search_files",
		api.CodeOutsideRoot:        "the path leaves the workspace; use a path relative to it",
		api.CodeNotRegular:         "not a regular file; give a file",
		api.CodePermission:         "the server may not read it; ask the user for access",
		api.CodeStaleEvidence:      "the file has changed since the id was made; ask again for a new id, or read the file by path",
		api.CodeUnknownEvidence:    "the id names nothing in this workspace; use an id from a recent answer",
		api.CodeAmbiguousSymbol:    "several definitions match; use the id of one candidate",
		api.CodeBinary:             "the file is not UTF-8 text",
		api.CodeViewUnavailable:    "this view needs the index, which cannot answer now; use view raw or use_index auto",
		api.CodeIndexUnavailable:   "ids need the index, which is off; read by path",
		api.CodeNotEligible:        "the index cannot answer this pattern; use use_index auto, or regex false for literal text",
		api.CodeIndexNotReady:      "the index is being built; try again shortly, or see ralph_index_status",
		api.CodeCapabilityDenied:   "the session was not granted what this tool needs",
		api.CodeUnknownTool:        "no tool has this name; see tools/list",
		api.CodeUnsupportedPattern: "the pattern uses what no engine here takes; simplify it",
		api.CodeDeadline:           "the time budget ended; narrow the question or raise timeout_ms",
		api.CodeCancelled:          "the call was cancelled",
		api.CodeNoMatch:            "the text to replace is not in the file; copy it from a fresh read",
		api.CodeAmbiguousTarget:    "the text to replace is not where the target is; see reason, or leave target out",
		api.CodeExists:             "something stands at the destination; set overwrite, or give another one",
		api.CodeProtected:          "tools do not change this path; leave it as it is",
		api.CodeIO:                 "a file operation failed; try again",
		api.CodeInternal:           "the server failed; the details are in its log",
	}
}

// classify turns what a handler returned into an error that a caller can read.
// Errors nobody foresaw are logged under a short number, and only that is told.
func classify(err error, log *slog.Logger) *api.Error {
	var e *api.Error
	switch {
	case errors.As(err, &e):
		out := *e
		steps := nextStep()
		if _, known := steps[out.Code]; !known {
			return internal(err, log)
		}
		if out.Message == "" {
			out.Message = steps[out.Code]
		}
		return &out
	case errors.Is(err, context.DeadlineExceeded):
		return &api.Error{Code: api.CodeDeadline, Message: nextStep()[api.CodeDeadline]}
	case errors.Is(err, context.Canceled):
		return &api.Error{Code: api.CodeCancelled, Message: nextStep()[api.CodeCancelled]}
	}
	return internal(err, log)
}

func internal(err error, log *slog.Logger) *api.Error {
	number := make([]byte, 4)
	_, _ = rand.Read(number) // never fails
	id := hex.EncodeToString(number)
	log.Error("internal error", "number", id, "error", err)
	return &api.Error{
		Code:    api.CodeInternal,
		Message: fmt.Sprintf("%s as number %s", nextStep()[api.CodeInternal], id),
		Details: map[string]any{"number": id},
	}
}

// encodeError writes {"status", "message", "argument", details...}, in both
// places where a client may look.
func encodeError(e *api.Error) sdk.Reply {
	details := maps.Clone(e.Details)
	if details == nil {
		details = map[string]any{}
	}
	if e.Argument != "" {
		details["argument"] = e.Argument
	}
	var b bytes.Buffer
	b.WriteString(`{"status":`)
	writeValue(&b, e.Code)
	b.WriteString(`,"message":`)
	writeValue(&b, e.Message)
	for _, k := range slices.Sorted(maps.Keys(details)) {
		if k == "status" || k == "message" {
			continue
		}
		b.WriteByte(',')
		writeValue(&b, k)
		b.WriteByte(':')
		writeValue(&b, details[k])
	}
	b.WriteByte('}')
	return sdk.Reply{Text: b.String(), Structured: b.Bytes(), IsError: true}
}

// writeValue writes null for a value that is no JSON: a refusal must get through.
func writeValue(b *bytes.Buffer, v any) {
	raw, err := tool.MarshalJSON(v)
	if err != nil {
		raw = []byte("null")
	}
	b.Write(raw)
}
