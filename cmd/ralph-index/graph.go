package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/tools/explore"
)

func newGraph(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "graph QUERY [TARGET [TARGET_B]]",
		Short: "Ask how symbols relate: neighbors, path, impact, hubs, tests",
		Long: `Asks one question about the graph of definitions and references:

  neighbors TARGET        what calls, uses, contains or inherits TARGET, and the reverse
  path TARGET TARGET_B    the shortest chains from one to the other
  impact TARGET           what a change of TARGET reaches, nearest first
  tests TARGET            the tests most likely to notice a change of TARGET
  hubs                    the most depended-on definitions

TARGET is a qualified name or an unambiguous suffix of one, a package, a path,
path:line, path#symbol, or any id of another answer; paths are relative to the
workspace, and are those of files: a directory is a target where it is a package.
A call that a test makes is two edges: calls_syntax, and tests. The score of a hub
counts who calls, imports or builds on it: hubs can be ranked by one of
calls_syntax, imports and inherits_syntax, or by all. What a change reaches depends
on its kind: those who call, test or build on TARGET, or use it as a value or type,
whatever the kind; for behavior also those who import it; for delete also what
holds it; for rename also prose, and those alone who write the name. An unknown
change, the default, reaches all but what holds it. "graph QUERY --help" shows the flags of
one question, and "help missing-data" what an answer may lack.`,
		Example: "  ralph-index graph neighbors Server.Serve --direction in\n  ralph-index graph hubs --scope-path src --limit 10",
		Args:    cobra.RangeArgs(1, 3),

		ValidArgsFunction: completeFirst(questions()),
	}
	flags := newToolFlags(c, explore.Graph, "query_type", "target", "target_b")
	hideFlags(c.Flags(), "cancel") // a person interrupts
	c.SetHelpFunc(helpOfQuestion)
	c.RunE = func(cmd *cobra.Command, pos []string) error {
		args, err := flags.given(cmd.Flags())
		if err != nil {
			return err
		}
		if err := graphArity(cmd, pos); err != nil {
			return err
		}
		for i, name := range []string{"query_type", "target", "target_b"}[:len(pos)] {
			args[name] = pos[i]
		}
		return a.withExisting(cmd.Context(), func(svc api.Service, _ string) error {
			return a.graph(cmd.Context(), svc, flags, args)
		})
	}
	return c
}

// graphArity refuses a question with too few or too many targets. What is no
// question is left to the tool, which knows the nearest one.
func graphArity(cmd *cobra.Command, pos []string) error {
	needs := map[query.Type]int{query.Neighbors: 1, query.Path: 2, query.Impact: 1, query.Tests: 1, query.Hubs: 0}
	want, known := needs[query.Type(pos[0])]
	got := len(pos) - 1
	if !known || got == want {
		return nil
	}
	noun := [...]string{"no target", "one TARGET", "TARGET and TARGET_B"}[want]
	return usage(fmt.Errorf("%s takes %s, and %s given; usage: %s %s%s", pos[0], noun, [...]string{"none is", "one is", "two are"}[got], cmd.CommandPath(), pos[0],
		[...]string{"", " TARGET", " TARGET TARGET_B"}[want]))
}

func (a *app) graph(ctx context.Context, svc api.Service, flags *toolFlags, args map[string]any) error {
	res, ans, err := a.askGraph(ctx, svc, flags, args)
	if err != nil {
		return err
	}
	if a.asJSON {
		err = a.printRaw(res.JSON)
	} else {
		err = a.printGraph(ctx, svc, ans)
	}
	a.noteDegraded(ctx, svc, "", ans.FallbackReason)
	if err != nil {
		return err
	}
	switch {
	case slices.Contains(ans.MissingData, query.MissingDeadline):
		return &exitError{code: exitBusy} // with or without results: they are not all
	case !emptyAnswer(ans):
		return nil
	case slices.Contains(ans.MissingData, query.MissingIndex):
		return &exitError{code: exitNoIndex}
	}
	return &exitError{code: exitNotFound}
}

// emptyAnswer reports whether a question found nothing: an ambiguous name lists
// candidates and answers nothing.
func emptyAnswer(ans *api.GraphAnswer) bool {
	if slices.Contains(ans.MissingData, query.MissingAmbiguous) {
		return true
	}
	switch ans.Type {
	case query.Path:
		return len(ans.Paths) == 0
	case query.Tests:
		return len(ans.SuggestedTests) == 0
	case query.Neighbors, query.Impact, query.Hubs:
	}
	return len(ans.Nodes) == 0 && len(ans.Edges) == 0
}

// ambiguous says which end of a question several definitions match.
func ambiguous(ans *api.GraphAnswer) string {
	end, given := "TARGET", ans.Metadata.Target
	if ans.Metadata.AmbiguousArgument == "target_b" {
		end, given = "TARGET_B", ans.Metadata.TargetB
	}
	if given != "" {
		end += fmt.Sprintf(" %q", given)
	}
	return "several definitions match " + visible(end) + "; ask again with an id from below, or with path#symbol:"
}

func (a *app) printGraph(ctx context.Context, svc api.Service, ans *api.GraphAnswer) error {
	p := a.printer()
	names := namesOf(ans)
	switch {
	case slices.Contains(ans.MissingData, query.MissingAmbiguous):
		a.note("%s", ambiguous(ans))
		p.nodes(ans)
	case ans.Type == query.Neighbors:
		p.edges(ans, names)
	case ans.Type == query.Path:
		p.paths(ans, names)
	case ans.Type == query.Tests:
		p.tests(ans)
	case ans.Type == query.Impact:
		p.nodes(ans)
		if len(ans.SuggestedTests) > 0 {
			p.line("")
			p.line("%s", p.paint(styleStrong, "tests"))
			p.tests(ans)
		}
	default:
		p.nodes(ans)
	}
	p.possibleCallers(ans)
	if err := p.flush(); err != nil {
		return err
	}
	a.noteAnswer(ans, func() bool {
		st, err := svc.Status(ctx)
		return err == nil && st.ReindexInProgress
	})
	if emptyAnswer(ans) && saysNothing(ans) {
		a.note("%s", nothingKnown(ans))
	}
	return nil
}

// saysNothing reports whether an empty answer has no word that says why it is empty.
func saysNothing(ans *api.GraphAnswer) bool {
	if ans.Type == query.Tests && ans.Metadata.ResolvedName != "" {
		return !ans.Deadline && !ans.Cancelled
	}
	return len(ans.MissingData) == 0
}

// nothingKnown says what an answer found that has nothing in it and lacks nothing.
func nothingKnown(ans *api.GraphAnswer) string {
	switch name := visible(ans.Metadata.ResolvedName); {
	case ans.Type == query.Hubs:
		return "nothing indexed is used in this way from another place"
	case ans.Type == query.Tests:
		return "no test is known that reaches " + name
	case name == "":
		return "nothing is known of it in this way"
	default:
		return name + " is indexed, and nothing is known of it in this way"
	}
}

func (p *printer) nodes(ans *api.GraphAnswer) {
	several := slices.Contains(ans.MissingData, query.MissingAmbiguous)
	for i := range ans.Nodes {
		n := &ans.Nodes[i]
		text := n.Kind + " " + p.paint(styleStrong, visible(n.Label))
		if several { // the id comes first, since the ends of lines are cut; overloads share a label
			text = p.paint(styleFaint, n.ID) + "  " + text + "  " + p.paint(styleFaint, visible(n.Signature))
			text = strings.TrimRight(text, " ")
		}
		if n.Distance > 0 {
			text += fmt.Sprintf("  distance %d", n.Distance)
		}
		if n.Score > 0 {
			text += fmt.Sprintf("  score %.4g", n.Score)
		}
		if len(n.Reasons) > 0 {
			text += "  " + p.paint(styleFaint, visible(strings.Join(n.Reasons, "; ")))
		}
		if !several && len(n.EvidenceIDs) > 0 {
			text += "  " + p.paint(styleFaint, n.EvidenceIDs[0])
		}
		p.line("%s%s", p.place(string(n.Path), n.Line, 1), text)
	}
}

// possibleCallers says through what else the target, or what was reached, may be called.
func (p *printer) possibleCallers(ans *api.GraphAnswer) {
	if len(ans.Metadata.PossibleCallers) == 0 {
		return
	}
	names := namesOf(ans)
	p.line("")
	p.line("%s", p.paint(styleStrong, "possible callers"))
	for i := range ans.Metadata.PossibleCallers {
		m := &ans.Metadata.PossibleCallers[i]
		does := "overrides"
		if m.Reason == graph.ReasonImplements {
			does = "implements"
		}
		text := fmt.Sprintf("%d through %s, which %s %s", m.Count, p.paint(styleStrong, visible(m.Label)), label(names, m.Target), does)
		if m.Through == m.Target {
			text = fmt.Sprintf("%d name something called as %s, and may mean it", m.Count, p.paint(styleStrong, visible(m.Label)))
		}
		p.line("%s%s", p.place(string(m.Path), m.Line, 1), text+"  "+p.paint(styleFaint, m.Through))
		for _, c := range m.Callers {
			p.line("%s%s", p.place(string(c.Path), c.Line, 1), p.paint(styleStrong, visible(c.Label))+"  "+p.paint(styleFaint, c.ID))
		}
	}
}

// namesOf maps the ids of an answer to names. The target itself is not always
// among the nodes.
func namesOf(ans *api.GraphAnswer) map[string]string {
	names := map[string]string{ans.Metadata.ResolvedID: ans.Metadata.ResolvedName}
	for i := range ans.Nodes {
		names[ans.Nodes[i].ID] = ans.Nodes[i].Label
	}
	return names
}

func (p *printer) edges(ans *api.GraphAnswer, names map[string]string) {
	for i := range ans.Edges {
		e := &ans.Edges[i]
		p.line("%s%s", p.place(string(e.Path), e.Line, e.Col), p.edge(e, names))
	}
}

func (p *printer) edge(e *query.Edge, names map[string]string) string {
	text := fmt.Sprintf("%s %s %s", p.paint(styleStrong, label(names, e.Source)), e.Relation,
		p.paint(styleStrong, label(names, e.Target)))
	return text + "  " + p.paint(styleFaint, fmt.Sprintf("%s %.2f %s %s", e.Provenance, e.Confidence, e.Reason, e.EvidenceID))
}

func label(names map[string]string, id string) string {
	if name := names[id]; name != "" {
		return visible(name)
	}
	return id
}

func (p *printer) paths(ans *api.GraphAnswer, names map[string]string) {
	for i, chain := range ans.Paths {
		steps := make([]string, len(chain))
		for j, id := range chain {
			steps[j] = label(names, id)
		}
		p.line("%s", p.paint(styleStrong, fmt.Sprintf("%d. %s", i+1, strings.Join(steps, " -> "))))
		for j := 1; j < len(chain); j++ {
			for k := range ans.Edges {
				e := &ans.Edges[k]
				if e.Source == chain[j-1] && e.Target == chain[j] {
					p.line("%s%s", p.place(string(e.Path), e.Line, e.Col), p.edge(e, names))
					break
				}
			}
		}
	}
}

func (p *printer) tests(ans *api.GraphAnswer) {
	for i := range ans.SuggestedTests {
		t := &ans.SuggestedTests[i]
		p.line("%s%s  %s", p.place(string(t.Path), t.Line, 1), p.paint(styleStrong, visible(t.Name)),
			p.paint(styleFaint, fmt.Sprintf("%.2f %s %s", t.Confidence, visible(strings.Join(t.Reasons, "; ")), t.EvidenceID)))
	}
}
