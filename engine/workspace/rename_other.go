//go:build !linux

package workspace

// renameNew gives an entry a name that is free; EEXIST when it is not.
func renameNew(fromDir int, from string, toDir int, to string) error {
	return linkNew(fromDir, from, toDir, to)
}
