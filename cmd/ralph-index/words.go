package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
)

// The engine and the tools word their errors for agents: they name tools and
// arguments. These are what a person types instead.
var (
	toolWord = regexp.MustCompile(`\b(?:grep_files|read_file|ralph_graph|ralph_index_status|ralph_reindex|` +
		`read_multiple_files|stat_path|list_allowed_roots|list_directory_recursive|list_directory|directory_tree|search_files|` +
		`write_file|edit_file|append_file|create_directory|move_file|copy_file|delete_path)\b`)
	argumentSet  = regexp.MustCompile(`\b(use_index|set regex)=(auto|false)`)
	argumentWord = regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)
	exampleCall  = regexp.MustCompile(`(?:\.|;)? (?:Example:|for example) \{.*\}$`)
	parserWord   = regexp.MustCompile(`: (?:strconv\.\w+: )?parsing "[^"]*": (?:invalid syntax|value out of range)`)
)

// commandOf maps a tool to its command. Those without one of their own can be called.
func commandOf(name string) string {
	own := map[string]string{
		"grep_files": "grep", "read_file": "read", "ralph_graph": "graph", "ralph_index_status": "status",
		"ralph_reindex": "reindex",
	}[name]
	if own == "" {
		own = "call " + name
	}
	return "`ralph-index " + own + "`"
}

// inCommands rewords a text for agents into one for the command line.
func inCommands(text string) string {
	text = exampleCall.ReplaceAllString(text, "")
	text = parserWord.ReplaceAllString(text, "")
	text = strings.NewReplacer(
		"look for its name with search_files", "list the files of a name with `ralph-index grep -l . --include '*NAME*'`",
		"evidence_id, span_id and symbol", "an id or a symbol", "evidence_id, span_id or symbol", "an id or a symbol",
		"give it in relations", "give it with --relations",
	).Replace(text)
	text = strings.ReplaceAll(toolWord.ReplaceAllStringFunc(text, commandOf), "call `", "run `")
	text = argumentSet.ReplaceAllStringFunc(text, func(s string) string {
		return map[string]string{"set regex=false": "use -F", "use_index=auto": "--use-index auto"}[s]
	})
	return argumentWord.ReplaceAllStringFunc(text, func(s string) string {
		if arg, ok := arguments()[s]; ok {
			return arg
		}
		return s
	})
}

// arguments maps the names of tool arguments, those of several words, to what the
// command line calls them. Codes and words of answers are no arguments.
func arguments() map[string]string {
	out := map[string]string{
		"query_type": "query", "target_b": "TARGET_B", "context_before": "-B", "context_after": "-A",
		"evidence_id": "an evidence id", "span_id": "a span id",
	}
	for _, name := range []string{
		"change_kind", "context_lines", "dedupe_by_symbol", "expected_content_hash", "graph_target",
		"include_graph_context", "line_end", "line_start", "max_bytes", "max_file_bytes", "max_paths",
		"max_snippet_lines", "rank_by", "return_evidence_ids", "scope_path", "timeout_ms", "use_index",
	} {
		out[name] = "--" + flagName(name)
	}
	return out
}

// describe writes an error for people: the message, and candidates if it has any.
func describe(err error) string {
	var e *api.Error
	if !errors.As(err, &e) {
		return inCommands(err.Error())
	}
	msg := inCommands(e.Message)
	if e.Argument != "" && strings.HasPrefix(msg, e.Argument+" ") && !positional(e.Argument) {
		msg = "--" + msg
	}
	msg += " (" + string(e.Code) + ")"
	if near, ok := e.Details["nearest"]; ok && !strings.Contains(msg, "did you mean") {
		if names := stringsOf(near); len(names) > 0 {
			msg += "\n  close to it: " + visible(strings.Join(names, ", "))
		}
	}
	return msg + describeCandidates(e.Details["candidates"])
}

// positional reports whether the command line takes an argument without a flag.
func positional(argument string) bool {
	switch argument {
	case "query_type", "target", "target_b", "path", "pattern", "symbol", "evidence_id", "span_id", "mode", "path_scope":
		return true
	}
	return false
}

func stringsOf(v any) []string {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var out []string
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

// describeCandidates lists what an ambiguous name can mean, one a line, the id last.
func describeCandidates(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	var list []struct {
		Path string `json:"path"`
		Line int    `json:"line"`
		Kind string `json:"kind"`
		Name string `json:"qualified_name"`
		ID   string `json:"symbol_id"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "\n  %s:%d: %s %s  %s", visible(c.Path), c.Line, c.Kind, visible(c.Name), c.ID)
	}
	return b.String()
}
