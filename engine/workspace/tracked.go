package workspace

import (
	"context"

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
	cmd := git(ctx, root, nil, "check-ignore", "-q", "--", "./"+string(real))
	cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=0") // check-ignore refuses to run with it; the path begins with no magic
	return cmd.Run() == nil
}
