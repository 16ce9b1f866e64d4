package engine

import (
	"fmt"
	"os"
)

// program names the build that runs: what an index keeps of answers, as the table of
// hubs does, is true of the rules that made it. A build that cannot be told from
// others is "", and keeps nothing.
func program(version string) string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(exe)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d", version, info.Size(), info.ModTime().UnixNano())
}
