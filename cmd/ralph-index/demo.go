package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
	"github.com/ralph-index/ralph-index/mcpserver/client"
)

func newDemo(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "demo [DIR]",
		Short: "Index a tree, start a server, and ask it one of everything",
		Long: `Indexes DIR, starts "ralph-index serve" as a child process, speaks to it over its
pipes, and prints one answer of every kind. --verbose shows the protocol; with
--json each answer is one line, as the tool gives it.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, pos []string) error {
			if len(pos) > 0 {
				a.dir = a.absolute(a.workingDir(), pos[0])
			}
			return a.demo(cmd.Context())
		},
	}
}

func (a *app) demo(ctx context.Context) error {
	dir, err := a.workspaceDir()
	if err != nil {
		return err
	}
	self, err := a.executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, "serve", "--workspace", dir)
	cmd.Stderr = a.stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it must close its index
	cmd.WaitDelay = closeTime
	start := time.Now()
	cl, err := client.Start(cmd, client.Options{Name: "ralph-index demo", Transcript: a.transcript()})
	if err != nil {
		return err
	}
	info, err := cl.Initialize(ctx)
	if err == nil {
		d := &demo{app: a, p: a.printer(), cl: cl}
		if a.asJSON {
			d.p.w.Reset(io.Discard) // the answers themselves are the output
		}
		d.p.width = a.width()
		d.p.line("%s %s, MCP %s, answered after %v", info.Name, info.Version, info.ProtocolVersion,
			time.Since(start).Round(time.Millisecond))
		err = errors.Join(d.run(ctx, dir), d.p.flush())
	}
	return errors.Join(err, cl.Close())
}

// demo is one run: a client, and what the answers so far have shown.
type demo struct {
	*app
	p        *printer
	cl       *client.Client
	evidence string // an id taken from an answer
	took     time.Duration
}

// ask calls a tool and reads its answer.
func (d *demo) ask(ctx context.Context, name string, args map[string]any, answer any) error {
	_ = d.p.flush() // show what there is before a call that may take long; the last flush reports what failed
	bar := d.newBar()
	start := time.Now()
	res, err := d.cl.Call(ctx, name, args, bar.note)
	d.took = time.Since(start)
	bar.clear()
	if err != nil {
		return err
	}
	if res.IsError {
		return fmt.Errorf("%s: %s", name, res.Text)
	}
	if d.asJSON {
		call := map[string]any{"tool": name, "arguments": args, "took_ms": float64(d.took.Microseconds()) / 1000, "answer": res.Structured}
		if err := writeJSON(d.stdout, call, false); err != nil {
			return err
		}
	}
	if err := json.Unmarshal(res.Structured, answer); err != nil {
		return fmt.Errorf("read answer of %s: %w", name, err)
	}
	return nil
}

func (d *demo) title(format string, args ...any) {
	d.p.line("")
	d.p.line("%s", d.p.paint(styleStrong, "## "+fmt.Sprintf(format, args...)))
}

func (d *demo) run(ctx context.Context, dir string) error {
	st, err := d.index(ctx, dir)
	if err != nil {
		return err
	}
	if st.FilesIndexed == 0 {
		d.p.line("nothing to index: the tree holds no file that .gitignore lets through")
		return nil
	}
	hubs, err := d.hubs(ctx)
	if err != nil {
		return err
	}
	if len(hubs) == 0 {
		d.p.line("the other questions are about a definition that is used; content search works in every tree:")
		d.p.line("  ralph-index grep PATTERN")
		return nil
	}
	if err := d.questions(ctx, &hubs[0]); err != nil {
		return err
	}
	var labels []string
	for i := range hubs {
		labels = append(labels, hubs[i].Label)
	}
	if err := d.grepFor(ctx, labels); err != nil {
		return err
	}
	return d.open(ctx)
}

// index brings the index up to date, however long that takes.
func (d *demo) index(ctx context.Context, dir string) (*api.Status, error) {
	d.title("index of %s", visible(dir))
	var ans api.ReindexAnswer
	start := time.Now()
	for {
		args := map[string]any{"mode": "changed", "timeout_ms": 60000}
		if err := d.ask(ctx, "ralph_reindex", args, &ans); err != nil {
			return nil, err
		}
		if ans.JobStatus != api.JobTimedOut {
			break
		}
	}
	took := time.Since(start).Round(time.Millisecond)
	var st api.Status
	if err := d.ask(ctx, "ralph_index_status", nil, &st); err != nil {
		return nil, err
	}
	d.p.line("%s files in %v, generation %d, %s of %s source", thousands(st.FilesIndexed), took, st.Generation,
		size(st.IndexStorageBytes), size(st.SourceBytes))
	for _, l := range st.Languages {
		d.p.line("  %-12s %8s files %10s definitions", l.Language, thousands(l.Files), thousands(l.Definitions))
	}
	return &st, nil
}

const (
	demoLimit = 5
	// hubsPatience bounds the wait for the hubs of a large tree.
	hubsPatience = 3 * time.Minute
)

// hubs shows and returns the most depended-on definitions: of the sources, or of
// all files where those have none.
func (d *demo) hubs(ctx context.Context) ([]query.Node, error) {
	var ans *api.GraphAnswer
	for _, role := range []string{"source", "any"} {
		var err error
		if ans, err = d.hubsOf(ctx, role); err != nil {
			return nil, err
		}
		if len(ans.Nodes) > 0 {
			break
		}
	}
	d.title("hubs (%v)", d.took.Round(time.Microsecond))
	d.show(ans, len(ans.Nodes), "none: no definition is used from another place", func() { d.p.nodes(ans) })
	return ans.Nodes, nil
}

// hubsOf asks for hubs until they are computed, which a server does in idle time
// after an index was published.
func (d *demo) hubsOf(ctx context.Context, role string) (*api.GraphAnswer, error) {
	args := map[string]any{"query_type": "hubs", "limit": demoLimit, "role": role, "timeout_ms": query.MaxTimeoutMS}
	for start := time.Now(); ; {
		ans := &api.GraphAnswer{}
		if err := d.ask(ctx, "ralph_graph", args, ans); err != nil {
			return nil, err
		}
		if len(ans.Nodes) > 0 || !hubsPending(ans) || time.Since(start) > hubsPatience {
			return ans, nil
		}
		if err := wait(ctx, hubsPoll); err != nil {
			return nil, err
		}
	}
}

// show prints the found things of an answer, or that there are none, and what the
// answer may lack.
func (d *demo) show(ans *api.GraphAnswer, found int, none string, text func()) {
	if found > 0 {
		text()
	} else {
		d.p.line("%s", none)
	}
	d.missing(ans)
}

func (d *demo) missing(ans *api.GraphAnswer) {
	for _, w := range ans.MissingData {
		d.p.line("%s", d.p.paint(styleFaint, "missing: "+describeMissing(ans, w)))
	}
}

// questions asks the other four about a definition.
func (d *demo) questions(ctx context.Context, target *query.Node) error {
	var in api.GraphAnswer
	args := map[string]any{
		"query_type": "neighbors", "target": target.ID, "direction": "in", "limit": demoLimit,
		"relations": []graph.Relation{graph.CallsSyntax, graph.InheritsSyntax, graph.ReferencesText},
	}
	if err := d.ask(ctx, "ralph_graph", args, &in); err != nil {
		return err
	}
	d.title("neighbors of %s, direction in (%v)", visible(target.Label), d.took.Round(time.Microsecond))
	d.show(&in, len(in.Edges), "nothing found", func() { d.p.edges(&in, namesOf(&in)) })
	caller := target.ID
	for _, e := range in.Edges {
		if e.Source != target.ID {
			caller, d.evidence = e.Source, e.EvidenceID
			break
		}
	}
	for _, q := range []struct {
		title string
		args  map[string]any
		none  string
		count func(*api.GraphAnswer) int
		print func(*api.GraphAnswer)
	}{
		{
			"path to " + visible(target.Label),
			map[string]any{"query_type": "path", "target": caller, "target_b": target.ID, "max_paths": 2},
			"no path found",
			func(ans *api.GraphAnswer) int { return len(ans.Paths) },
			func(ans *api.GraphAnswer) { d.p.paths(ans, namesOf(ans)) },
		},
		{
			"impact of " + visible(target.Label),
			map[string]any{"query_type": "impact", "target": target.ID, "change_kind": "signature", "limit": demoLimit},
			"nothing found",
			func(ans *api.GraphAnswer) int { return len(ans.Nodes) },
			d.p.nodes,
		},
		{
			"tests of " + visible(target.Label),
			map[string]any{"query_type": "tests", "target": target.ID, "limit": demoLimit},
			"no test found",
			func(ans *api.GraphAnswer) int { return len(ans.SuggestedTests) },
			d.p.tests,
		},
	} {
		var ans api.GraphAnswer
		if err := d.ask(ctx, "ralph_graph", q.args, &ans); err != nil {
			return err
		}
		d.title("%s (%v)", q.title, d.took.Round(time.Microsecond))
		d.show(&ans, q.count(&ans), q.none, func() { q.print(&ans) })
		if d.evidence == "" && len(ans.EvidenceIDs) > 0 {
			d.evidence = ans.EvidenceIDs[0]
		}
	}
	return nil
}

// grepFor searches for the first of the names that the index can narrow: one that
// stands in most files is scanned for.
func (d *demo) grepFor(ctx context.Context, labels []string) error {
	var ans api.GrepAnswer
	name := ""
	for _, label := range labels {
		name = lastName(label)
		ans = api.GrepAnswer{}
		args := map[string]any{
			"pattern": name, "path": ".", "regex": false, "whole_word": true, "limit": demoLimit, "return_evidence_ids": true,
		}
		if err := d.ask(ctx, "grep_files", args, &ans); err != nil {
			return err
		}
		if ans.IndexUsed {
			break
		}
	}
	d.title("grep_files %s (%v, index used: %t)", visible(name), d.took.Round(time.Microsecond), ans.IndexUsed)
	for i := range ans.Matches {
		m := &ans.Matches[i]
		d.p.line("%s%s", d.p.place(string(m.Path), m.Line, m.Col), visible(m.Text))
		if d.evidence == "" {
			d.evidence = m.EvidenceID
		}
	}
	return nil
}

// lastName is the last identifier of a qualified name.
func lastName(label string) string {
	end := len(label)
	for end > 0 && !isWord(label[end-1]) {
		end--
	}
	start := end
	for start > 0 && isWord(label[start-1]) {
		start--
	}
	return label[start:end]
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// open reads the evidence that an answer gave.
func (d *demo) open(ctx context.Context) error {
	if d.evidence == "" {
		return nil
	}
	var ans struct {
		Path      string `json:"path"`
		Content   string `json:"content"`
		StartLine int    `json:"start_line"`
		EndLine   int    `json:"end_line"`
		Context   int    `json:"context_lines"`
	}
	args := map[string]any{"evidence_id": d.evidence, "context_lines": 2}
	if err := d.ask(ctx, "read_file", args, &ans); err != nil {
		return err
	}
	d.title("read_file %s (%v)", d.evidence, d.took.Round(time.Microsecond))
	first, last := shownLines(ans.StartLine, ans.EndLine, ans.Context, ans.Content)
	d.p.line("%s:%d-%d", visible(ans.Path), first, last)
	for line := range strings.Lines(ans.Content) {
		d.p.line("%s", visible(strings.TrimRight(line, "\r\n")))
	}
	return nil
}
