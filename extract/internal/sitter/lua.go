package sitter

// #include "flatten.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/smacker/go-tree-sitter/lua"
)

// Lua returns the grammar of Lua.
func Lua() Grammar { return Grammar{name: "lua", load: lua.GetLanguage, begin: beginLua} }

// luaScanner guards what the grammar's scanner keeps in variables of the process.
//
//nolint:gochecknoglobals // as global as what it guards
var luaScanner sync.Mutex

// beginLua has the process's one scanner of Lua to itself until end is called, and
// makes it forget the quote that the last text may have left open: the scanner does
// not do so itself, and would read this text in another way.
func beginLua() (end func()) {
	luaScanner.Lock()
	var forget [2]byte // the open quote, the level of an open long bracket
	C.tree_sitter_lua_external_scanner_deserialize(nil, (*C.char)(unsafe.Pointer(&forget)), C.uint(len(forget)))
	return luaScanner.Unlock
}
