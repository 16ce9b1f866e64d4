package workspace

import (
	"context"
	"os"
	"os/exec"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Ephemeral reports whether git ignores a file, tracked files excepted: nobody keeps
// what is written to it. It need not exist. Where git cannot be asked, or there is no
// repository, only the directory of the index and its neighbours are ephemeral.
func (w *Workspace) Ephemeral(ctx context.Context, root *Root, path graph.Path) bool {
	real, err := realPath(root, path)
	if err != nil {
		return false
	}
	if real.Under(".agent") {
		return true
	}
	// No part of the repository's configuration has a program run.
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "check-ignore", "-q", "--", "./"+string(real))
	cmd.Dir = root.Path
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0")
	return cmd.Run() == nil
}
