package session_test

import (
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/mcpserver/session"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

func TestGrants(t *testing.T) {
	all := "planning development development_analysis development_commit review review_analysis review_commit fix commit"
	const write = "development fix"
	for c, want := range map[tool.Capability]string{
		tool.WorkspaceRead:           all,
		tool.WorkspaceMetadataRead:   all,
		tool.GitStatusRead:           all,
		tool.GitDiffRead:             all,
		tool.ArtifactSubmit:          all,
		tool.ArtifactPlanRead:        all,
		tool.MediaRead:               all,
		tool.ArtifactPlanWrite:       "planning",
		tool.WorkspaceWriteEphemeral: write,
		tool.WorkspaceWriteTracked:   write,
		tool.WorkspaceEdit:           write,
		tool.WorkspaceDelete:         write,
		tool.ProcessExecBounded:      write,
		tool.ProcessExecUnbounded:    write,
		tool.EnvRead:                 write,
		tool.RunReportProgress:       "development development_commit review_commit fix commit",
		tool.WebSearch:               "planning development review fix",
		tool.WebVisit:                "planning development development_analysis review review_analysis fix",
		tool.UpstreamToolUse:         "planning development development_analysis review review_analysis fix",
		"git.write":                  "",
		"":                           "",
	} {
		var got []string
		for _, d := range session.Granting(c) {
			got = append(got, string(d))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is granted to %q, want %q", c, strings.Join(got, " "), want)
		}
	}
	if session.Drain("root").Grants(tool.WorkspaceRead) {
		t.Error("an unknown drain grants something")
	}
}

func TestParseDrain(t *testing.T) {
	for _, d := range session.Drains() {
		if got, err := session.ParseDrain(string(d)); err != nil || got != d {
			t.Errorf("%s: %v, %v", d, got, err)
		}
	}
	for in, says := range map[string]string{"develop": `"development"`, "revew": `"review"`, "x": "known: planning", "": "known: planning"} {
		if _, err := session.ParseDrain(in); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error is %v, want one with %s", in, err, says)
		}
	}
}
