package workspace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Changed asks git which files of a root differ from the last commit, or are not in it
// and not ignored. Files that are gone are among them. There is an error where git
// cannot tell: there is no repository, or no git.
func (w *Workspace) Changed(ctx context.Context, root *Root) (map[graph.Path]bool, error) {
	filters, err := contentFilters(ctx, root)
	if err != nil {
		return nil, err
	}
	prefix, err := git(ctx, root, filters, "rev-parse", "--show-prefix").Output()
	if err != nil {
		return nil, fmt.Errorf("find the repository: %w", err)
	}
	out, err := git(ctx, root, filters, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=all", "--no-renames", "--", ".").Output()
	if err != nil {
		return nil, fmt.Errorf("ask git what changed: %w", err)
	}
	return parseStatus(out, strings.TrimSuffix(string(prefix), "\n")), nil
}

// parseStatus reads records of two letters, a blank and a path from the top of the
// repository, of which those below prefix count.
func parseStatus(out []byte, prefix string) map[graph.Path]bool {
	changed := map[graph.Path]bool{}
	for rec := range bytes.SplitSeq(out, []byte{0}) {
		if len(rec) < 4 || rec[2] != ' ' {
			continue
		}
		path, ok := strings.CutPrefix(string(rec[3:]), prefix)
		if path = strings.TrimSuffix(path, "/"); ok && path != "" { // a slash ends the name of another repository
			changed[graph.Path(path)] = true
		}
	}
	return changed
}

// setting is a value of git's configuration that holds for one command.
type setting struct{ key, value string }

// contentFilters switches off the programs that a repository's configuration has files
// go through before they are compared.
func contentFilters(ctx context.Context, root *Root) ([]setting, error) {
	out, err := git(ctx, root, nil, "config", "-z", "--name-only", "--get-regexp", `^filter\.`).Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 { //nolint:errorlint // of Output itself: there are none
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list git's content filters: %w", err)
	}
	var off []setting
	for key := range strings.SplitSeq(string(out), "\x00") {
		if at := strings.LastIndexByte(key, '.'); at > 0 {
			driver := key[:at]
			off = append(off, setting{driver + ".clean", ""}, setting{driver + ".process", ""}, setting{driver + ".required", "false"})
		}
	}
	return off, nil
}

// git is a git command in a root, that has no program run which the repository's
// configuration names, and writes nothing.
func git(ctx context.Context, root *Root, settings []setting, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = root.Path
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	settings = append([]setting{
		{"core.fsmonitor", "false"},
		{"core.hooksPath", os.DevNull},
		{"safe.bareRepository", "explicit"},
	}, settings...)
	cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1", "LC_ALL=C",
		fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings)))
	for i, s := range settings { // not as arguments: those end a key at its first "="
		cmd.Env = append(cmd.Env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s.value))
	}
	return cmd
}
