//go:build linux && cgo

package mapfault

// #include <stdlib.h>
// #include "mapfault_linux.h"
import "C"

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"unsafe"
)

// install is global as signal handlers are.
//
//nolint:gochecknoglobals // a process has one table of signal handlers
var install = sync.OnceValue(func() bool { return C.mapfault_install() == 0 })

// Guard watches over one directory.
type Guard struct {
	slot C.int
	hits *uint32
	once sync.Once
}

// New guards the writable mappings of the files below dir, which exists.
func New(dir string) (*Guard, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("guard mapped files: %w", err)
	}
	if !install() {
		return nil, errors.New("guard mapped files: no signal handler")
	}
	text := C.CString(abs)
	defer C.free(unsafe.Pointer(text))
	var hits *C.uint32_t
	slot := C.mapfault_add(text, C.size_t(len(abs)), &hits)
	if slot < 0 {
		return nil, errors.New("guard mapped files: no room for another directory")
	}
	return &Guard{slot: slot, hits: (*uint32)(unsafe.Pointer(hits))}, nil
}

// Hit reports whether a page could not be read or written since New.
func (g *Guard) Hit() bool { return g != nil && atomic.LoadUint32(g.hits) > 0 }

// Close ends the guard. Nothing below its directory may be mapped any more.
func (g *Guard) Close() {
	if g != nil {
		g.once.Do(func() { C.mapfault_remove(g.slot) })
	}
}
