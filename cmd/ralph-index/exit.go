package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/workspace"
)

// The exit codes of every command.
const (
	exitOK          = 0
	exitNotFound    = 1
	exitUsage       = 2
	exitNoIndex     = 3
	exitBusy        = 4
	exitCorrupt     = 5
	exitInternal    = 6
	exitInterrupted = 130
)

// exitCodes is the table that the help shows.
func exitCodes() []struct {
	code    int
	meaning string
} {
	return []struct {
		code    int
		meaning string
	}{
		{exitOK, "done; for searches and questions: found"},
		{exitNotFound, "nothing found, an id is stale or a name ambiguous, or a check says stale"},
		{exitUsage, "the command line or an argument is wrong"},
		{exitNoIndex, "no workspace, or the index is off or not ready"},
		{exitBusy, "a time budget ended before the work was done"},
		{exitCorrupt, "the index was damaged (reindex, or a server, builds it again), or is a newer program's"},
		{exitInternal, "input, output, or the program itself failed"},
		{exitInterrupted, "interrupted; the index is valid"},
	}
}

func exitCodeHelp() string {
	var b strings.Builder
	b.WriteString("Every command ends with one of these codes:\n\n")
	for _, row := range exitCodes() {
		fmt.Fprintf(&b, "  %3d  %s\n", row.code, row.meaning)
	}
	return b.String()
}

// exitError is an error with the code that it ends the program with.
type exitError struct {
	code int
	err  error // nil: the output has said it
}

func (e *exitError) Error() string {
	if e.err == nil {
		return "nothing found"
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// codeOf returns the exit code of an error. It is total over api.Code: a test
// compares it with the list.
func codeOf(err error) int {
	var own *exitError
	if errors.As(err, &own) {
		return own.code
	}
	var e *api.Error
	if errors.As(err, &e) {
		return exitCodeOf(e.Code)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, context.DeadlineExceeded):
		return exitBusy
	case errors.Is(err, workspace.ErrRefused):
		return exitNoIndex
	}
	return exitInternal
}

func exitCodeOf(code api.Code) int {
	switch code {
	case api.CodeInvalidParams, api.CodeUnsupportedPattern, api.CodeNotEligible, api.CodeUnknownTool, api.CodeOutsideRoot,
		api.CodeCapabilityDenied, api.CodeExists, api.CodeProtected:
		return exitUsage
	case api.CodeNotFound, api.CodeNotRegular, api.CodeBinary, api.CodeStaleEvidence, api.CodeUnknownEvidence,
		api.CodeAmbiguousSymbol, api.CodeNoMatch, api.CodeAmbiguousTarget:
		return exitNotFound
	case api.CodeIndexUnavailable, api.CodeViewUnavailable, api.CodeIndexNotReady:
		return exitNoIndex
	case api.CodeDeadline:
		return exitBusy
	case api.CodeCancelled:
		return exitInterrupted
	case api.CodeIO, api.CodePermission, api.CodeInternal:
		return exitInternal
	}
	return exitInternal
}

// fail says what went wrong, on the error stream, and returns the exit code.
func (a *app) fail(err error) int {
	code := codeOf(err)
	var own *exitError
	if errors.As(err, &own) && own.err == nil {
		return code
	}
	if !a.asJSON {
		_, _ = fmt.Fprintf(a.stderr, "ralph-index: %s\n", describe(err))
		return code
	}
	var e *api.Error
	if !errors.As(err, &e) {
		e = &api.Error{Code: statusOf(code), Message: inCommands(err.Error())}
	}
	line, jsonErr := json.Marshal(map[string]any{"error": e, "exit_code": code})
	if jsonErr != nil {
		line = []byte(`{"error":{"status":"internal_error"}}`)
	}
	_, _ = fmt.Fprintf(a.stderr, "%s\n", line)
	return code
}

func statusOf(exit int) api.Code {
	switch exit {
	case exitUsage:
		return api.CodeInvalidParams
	case exitNotFound:
		return api.CodeNotFound
	case exitNoIndex, exitCorrupt:
		return api.CodeIndexNotReady
	case exitBusy:
		return api.CodeDeadline
	case exitInterrupted:
		return api.CodeCancelled
	}
	return api.CodeInternal
}
