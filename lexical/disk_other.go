//go:build !unix

package lexical

import "io/fs"

// allocated returns the disk space of a file, or its size where that is not known.
func allocated(fi fs.FileInfo) int64 { return fi.Size() }
