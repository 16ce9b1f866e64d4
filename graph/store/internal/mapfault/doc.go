// Package mapfault keeps a process alive when a page of a mapped file has no disk
// block behind it. Badger writes its logs and tables through mappings of sparse
// files: on a full disk the kernel answers such a write, which has no error to
// return, with SIGBUS, in a goroutine that nobody can reach, and the process ends.
// To look at the free space beforehand is not enough where others write to the same
// disk.
//
// Below a guarded directory the handler puts an anonymous page in the place of the
// one that failed. So the write succeeds, the mapping shows what was written for as
// long as it lives, and the file lacks it: whoever owns the directory learns so from
// Hit, and must not rely on the files again. Faults anywhere else go where they went
// before. Package kv is the only caller.
package mapfault
