package engine

import (
	"os"
	"path/filepath"

	"github.com/ralph-index/ralph-index/engine/share"
)

// removeOlder deletes indexes of older formats, which lie beside that of this program
// and of which nothing is used any more once this one is complete. One that a process
// still leads is left to it, and so is one of a newer format.
func (x *index) removeOlder() {
	ours, ok := formatNumber(format)
	entries, err := os.ReadDir(x.o.IndexDir)
	if !ok || err != nil || !x.complete.Load() {
		return
	}
	for _, entry := range entries {
		if n, ok := formatNumber(entry.Name()); !ok || n >= ours || !entry.IsDir() {
			continue
		}
		dir := filepath.Join(x.o.IndexDir, entry.Name())
		lease, err := share.Lead(dir) // a program of that format that starts now waits for it
		if err != nil {
			x.log.Info("the index of an older format stays", "dir", dir, "err", err)
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			x.log.Warn("the index of an older format was not removed", "dir", dir, "err", err)
		} else {
			x.log.Info("removed the index of an older format", "dir", dir)
		}
		_ = lease.Release() // of a directory that is gone
	}
}
