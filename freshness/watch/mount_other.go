//go:build !linux

package watch

import "runtime"

// eventless names the kind of file system that can change without the kernel
// knowing. Elsewhere than on Linux every one counts as such: the system gives no events for whole directories.
func eventless(string) string { return runtime.GOOS }

// mountsBelow lists nothing: what has no events has no watches to set again.
func mountsBelow(string) []string { return nil }
