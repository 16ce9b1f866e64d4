//go:build !linux

package workspace

import "os"

// keepAttributes keeps none: what there is differs from system to system.
func keepAttributes(*place, *os.File) []string { return nil }
