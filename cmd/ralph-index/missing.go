package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph/query"
)

// missingWord is one entry of the vocabulary with the sentence that explains it.
type missingWord struct {
	word    query.Word
	meaning string
}

// missingWords is the closed vocabulary in the order of the help. A test compares
// it with the words that package query has.
func missingWords() []missingWord {
	return []missingWord{
		{query.MissingTarget, "nothing indexed has this name, path or id as TARGET"},
		{query.MissingEndpoint, "nothing indexed has this name, path or id as TARGET_B"},
		{query.MissingTargetB, "path needs a second target, where the chain ends"},
		{query.MissingAmbiguous, "several definitions match, and none was chosen; they are listed instead of an answer"},
		{query.MissingPath, "no chain of relations leads from TARGET to TARGET_B within --depth"},
		{query.MissingIndex, "the index is absent or incomplete; run ralph-index reindex"},
		{query.MissingHubsPending, "the hubs of the newest files are still being computed; ask again shortly"},
		{query.MissingDeadline, "the time budget ended first; raise --timeout-ms, or narrow the question"},
		{query.MissingCancelled, "the question was given up before it was answered"},
		{query.MissingFreshness, "the files could not be checked in time, which --freshness required asks for"},
		{query.MissingDynamic, "a call on the way goes through an interface, a value or a dynamic type and may reach other definitions at run time"},
		{query.MissingUnresolved, "no rule could say what these names mean: other places that use the target's name, or names that the definitions shown use; grep for them"},
		{query.MissingFailedFiles, "files that could not be parsed, or only in part, hold this name; grep for it to see them"},
		{query.MissingNotIndexed, "files that are new or changed, and not indexed yet, hold a name of this answer; ask again shortly, or grep for it"},
		{query.MissingUnindexedLang, "files of a language without structure hold this name; grep for it to see them"},
		{query.MissingGenerated, "callers stand in generated or vendored code, which a change there overwrites"},
		{query.MissingCoverage, "reaching is not executing: a test that is listed may not exercise the target, and one that is not listed may"},
	}
}

// meaningOf returns the sentence of a word, or "" for one of a newer server.
func meaningOf(word query.Word) string {
	for _, m := range missingWords() {
		if m.word == word {
			return m.meaning
		}
	}
	return ""
}

func missingHelp() string {
	var b strings.Builder
	b.WriteString("What an answer may lack is named by these words, and by no others:\n\n")
	for _, m := range missingWords() {
		fmt.Fprintf(&b, "  %s\n      %s\n", m.word, m.meaning)
	}
	return b.String()
}

// describeMissing writes "word (count: names): sentence".
func describeMissing(ans *api.GraphAnswer, word query.Word) string {
	text := string(word)
	for _, m := range ans.Metadata.Missing {
		switch {
		case m.Word != word:
		case len(m.Names) > 0:
			text += fmt.Sprintf(" (%s: %s)", thousands(m.Count), strings.Join(m.Names, ", "))
		case m.Count > 1:
			text += fmt.Sprintf(" (%s)", thousands(m.Count))
		}
	}
	if meaning := meaningOf(word); meaning != "" {
		text += ": " + meaning
	}
	return text
}

// noteAnswer says what an answer may lack. building is asked whether a job runs, which
// is going to end what a stale or incomplete index lacks.
func (a *app) noteAnswer(ans *api.GraphAnswer, building func() bool) {
	for _, w := range ans.MissingData {
		switch {
		case w == query.MissingAmbiguous: // its candidates have said it
			continue
		case w == query.MissingHubsPending && !hubsPending(ans): // nobody computes any
			continue
		case w == query.MissingIndex && (because(ans, api.FallbackNoIndex) || because(ans, api.FallbackLeaderSilent)): // why is said beside it
			continue
		case w == query.MissingIndex && because(ans, api.FallbackIndexDisabled):
			a.note("missing: %s: --no-index turns off what this question is answered from", w)
			continue
		}
		if w == query.MissingIndex && building() {
			a.note("missing: %s: the index is being built; ask again shortly", w)
			continue
		}
		a.note("missing: %s", describeMissing(ans, w))
		if w == query.MissingTarget || w == query.MissingEndpoint {
			a.noteNearest(ans)
		}
	}
	if ans.Metadata.Directory {
		a.note("this is the path of a directory; name a file in it, or a definition")
	}
	if ans.Metadata.StaleID {
		a.note("the id was made of bytes that have changed since; ask by name, or take a new id from a new answer")
	}
	if ans.Metadata.ReversePath {
		a.note("a chain leads the other way, from TARGET_B to TARGET")
	}
	if ans.Truncated {
		a.note("%s", describeTruncated(ans))
	}
	switch {
	case !ans.IsStale || slices.Contains(ans.MissingData, query.MissingIndex): // it has been said
	case building():
		a.note("the index is being brought up to date; ask again shortly for what this answer lacks")
	default:
		a.note("something this answer used is out of date; run: ralph-index reindex")
	}
}

// noteNearest says what to try instead of a name that nothing has.
func (a *app) noteNearest(ans *api.GraphAnswer) {
	given := ans.Metadata.Target
	if slices.Contains(ans.MissingData, query.MissingEndpoint) {
		given = ans.Metadata.TargetB
	}
	near := visible(strings.Join(ans.Metadata.Nearest, ", "))
	switch {
	case len(ans.Metadata.Nearest) == 1 && !ans.Metadata.Directory:
		a.note("  did you mean %s?", near)
	case near != "":
		a.note("  close to it: %s", near)
	case !ans.Metadata.StaleID:
		if name := lastWord.FindString(given); name != "" {
			a.note("  to look for it in the text, run: ralph-index grep -F %s", name)
		}
	}
}

// lastWord is the name at the end of a target.
var lastWord = regexp.MustCompile(`[\p{L}\p{N}_]+$`)

func because(ans *api.GraphAnswer, fallback string) bool {
	return ans.FallbackReason != nil && *ans.FallbackReason == fallback
}

// describeTruncated says how much of an answer is shown and what shows more.
func describeTruncated(ans *api.GraphAnswer) string {
	raise := "--limit"
	shown := len(ans.Nodes)
	switch ans.Type {
	case query.Neighbors:
		shown = 0 // nodes and edges are counted apart: a total of one says nothing of the other
	case query.Path:
		raise, shown = "--max-paths", len(ans.Paths)
	case query.Tests:
		shown = len(ans.SuggestedTests)
	case query.Impact, query.Hubs:
	}
	if ans.Metadata.AmbiguousArgument != "" {
		raise, shown = "--limit", len(ans.Nodes)
	}
	if most, narrow := mostShown(ans, raise); most > 0 {
		return fmt.Sprintf("there is more than the %d that can be shown; narrow by %s", most, narrow)
	}
	if shown > 0 && ans.Metadata.Total > shown {
		return fmt.Sprintf("%s of %s shown; raise %s or narrow the question", thousands(shown), thousands(ans.Metadata.Total), raise)
	}
	return fmt.Sprintf("there is more; raise %s or narrow the question", raise)
}

// mostShown returns the maximum of a limit that the question has reached, 0 before
// that, and the flags that narrow the question.
func mostShown(ans *api.GraphAnswer, raise string) (most int, narrow string) {
	switch {
	case raise == "--max-paths" && ans.Metadata.MaxPaths >= query.MaxPaths:
		most = query.MaxPaths
	case raise == "--limit" && ans.Metadata.Limit >= query.MaxLimit:
		most = query.MaxLimit
	}
	switch ans.Type {
	case query.Hubs, query.Tests:
		return most, "--relations, --role or --scope-path"
	case query.Neighbors:
		return most, "--relations, --direction or --depth"
	case query.Path, query.Impact:
	}
	return most, "--relations or --depth"
}
