package main

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ralph-index/ralph-index/graph/store"
)

type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Modified bool   `json:"modified"`
	Format   string `json:"format"` // of the index on disk
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// commit is set by the linker, where the build is told (make build): the toolchain does
// not always find out.
var commit string //nolint:gochecknoglobals // nothing else can be set so

func buildVersion() versionInfo {
	v := versionInfo{Version: "dev", Commit: "unknown", Format: store.Format, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	if told, changed := strings.CutSuffix(commit, "+"); v.Commit == "unknown" && told != "" {
		v.Commit, v.Modified = told, changed
	}
	return v
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, commit and toolchain of this program",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *app) printVersion() error {
	v := buildVersion()
	if a.asJSON {
		return a.printJSON(v)
	}
	p := a.printer()
	commit := v.Commit
	if v.Modified {
		commit += " (modified)"
	}
	p.line("ralph-index %s, commit %s, index format %s, %s, %s", v.Version, commit, v.Format, v.Go, v.Platform)
	return p.flush()
}
