//go:build !unix

package vocab

import "os"

// mapFile reads a file where mapping it is not at hand.
func mapFile(path string) (b []byte, unmap func() error, err error) {
	b, err = os.ReadFile(path)
	return b, func() error { return nil }, err
}
