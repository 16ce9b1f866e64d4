// Package session says what a session may do: each session serves one drain (a
// step of the workflow that started the agent), and a drain grants capabilities.
//
// It holds the table of grants and nothing of the protocol; mcpserver enforces it.
package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// Drain is the step that a session works for.
type Drain string

// The nine drains.
const (
	Planning            Drain = "planning"
	Development         Drain = "development"
	DevelopmentAnalysis Drain = "development_analysis"
	DevelopmentCommit   Drain = "development_commit"
	Review              Drain = "review"
	ReviewAnalysis      Drain = "review_analysis"
	ReviewCommit        Drain = "review_commit"
	Fix                 Drain = "fix"
	Commit              Drain = "commit"
)

// Drains returns the closed set in the order of the workflow.
func Drains() []Drain {
	return []Drain{
		Planning, Development, DevelopmentAnalysis, DevelopmentCommit,
		Review, ReviewAnalysis, ReviewCommit, Fix, Commit,
	}
}

// ParseDrain reads the name of a drain; the error names the nearest one.
func ParseDrain(name string) (Drain, error) {
	all := Drains()
	if slices.Contains(all, Drain(name)) {
		return Drain(name), nil
	}
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = string(d)
	}
	if near := tool.Nearest(name, names); near != "" {
		return "", fmt.Errorf("unknown drain %q; did you mean %q?", name, near)
	}
	return "", fmt.Errorf("unknown drain %q; known: %s", name, strings.Join(names, ", "))
}

// class groups drains that grant the same.
type class uint8

const (
	every class = 1 << iota
	planning
	write    // changes the workspace
	analysis // judges, read-only
	commit   // words commits, strictly read-only
)

func (d Drain) class() class {
	switch d {
	case Planning:
		return every | planning
	case Development, Fix:
		return every | write
	case DevelopmentAnalysis, ReviewAnalysis:
		return every | analysis
	case DevelopmentCommit, ReviewCommit, Commit:
		return every | commit
	case Review:
		return every
	}
	return 0
}

// rule grants a capability to the drains of any class in to, unless they are of
// a class in but.
type rule struct {
	to, but class
}

// rules returns the table of grants. git.write is absent on purpose: it is never
// granted to a session. What depends on configuration (web, media, upstream) is
// granted here, and the tools are absent where it is off.
func rules() map[tool.Capability]rule {
	return map[tool.Capability]rule{
		tool.WorkspaceRead:           {to: every},
		tool.WorkspaceMetadataRead:   {to: every},
		tool.GitStatusRead:           {to: every},
		tool.GitDiffRead:             {to: every},
		tool.ArtifactSubmit:          {to: every},
		tool.ArtifactPlanRead:        {to: every},
		tool.MediaRead:               {to: every},
		tool.ArtifactPlanWrite:       {to: planning},
		tool.WorkspaceWriteEphemeral: {to: write},
		tool.WorkspaceWriteTracked:   {to: write},
		tool.WorkspaceEdit:           {to: write},
		tool.WorkspaceDelete:         {to: write},
		tool.ProcessExecBounded:      {to: write},
		tool.ProcessExecUnbounded:    {to: write},
		tool.EnvRead:                 {to: write},
		tool.RunReportProgress:       {to: write | commit},
		tool.WebSearch:               {to: every, but: analysis | commit},
		tool.WebVisit:                {to: every, but: commit},
		tool.UpstreamToolUse:         {to: every, but: commit},
	}
}

// Grants reports whether the drain grants a capability. Unknown drains and
// unknown capabilities grant nothing.
func (d Drain) Grants(c tool.Capability) bool {
	r := rules()[c]
	return d.class()&r.to != 0 && d.class()&r.but == 0
}

// Granting returns the drains that grant a capability, in the order of Drains.
func Granting(c tool.Capability) []Drain {
	var out []Drain
	for _, d := range Drains() {
		if d.Grants(c) {
			out = append(out, d)
		}
	}
	return out
}
