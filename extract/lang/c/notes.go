package c

import "github.com/ralph-index/ralph-index/graph"

// notes are what Prepare read off the text, which the parser then does not see.
type notes struct {
	cpp      bool
	macros   []macro
	includes []include
	// conditional holds the branches of conditions, but for include guards.
	conditional []conditional
	// hidden holds the names that stand in text which the parser does not see, by start.
	hidden []hidden
	// made holds the functions that macros define, by the offset of the macro's name.
	made map[uint32]madeFunc
	// types holds the names of types that words of the language stand for, by offset.
	types  map[uint32]span
	capped bool // there are more macros than are kept
}

// span is a range of bytes.
type span struct{ start, end uint32 }

// conditional is a branch of a condition.
type conditional struct {
	span
	held bool // a plain build reads it
}

// macro is a #define.
type macro struct {
	line   span // of the whole directive
	name   span
	params span // within the parentheses; start 0 for a macro without them
	body   span
}

// include is an #include.
type include struct {
	line  span
	path  span // without the marks around it
	angle bool
}

// hidden is a name in text that the parser does not see.
type hidden struct {
	name span
	use  graph.Use
	args int16
}

// madeFunc is a function that a macro call before a body defines.
type madeFunc struct {
	macro span // the macro's name
	name  span // of the argument that names the function; the macro's where none does
	scope span // of the argument before it that names a group of tests; empty
	args  span // within the parentheses
	test  bool
}
